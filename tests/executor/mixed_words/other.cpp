#define HIRACE_WORD_BYTES 4
#include "../check.h"

void other() { launch("other", 1, 1, 0, [] {}); }
