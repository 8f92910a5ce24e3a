// The same with words of four bytes, whose epochs wrap around every seven launches.
//
//! run window -> 0
//! run table -> 0
//! run in_kernel -> 0
#define HIRACE_WORD_BYTES 4
#include "epochs.cpp"
