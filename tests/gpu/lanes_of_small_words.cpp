// lanes.cpp with words of four bytes.
//
//! run -> 0
#define HIRACE_WORD_BYTES 4

#include "lanes.cpp"
