// The kernels for words of four bytes. Another namespace keeps them apart from those for eight.
#define HIRACE_WORD_BYTES 4
#define hirace hirace_of_small_words

#include "fake_kernels.h"

fake::Kernel small_words_kernel(const char* name) { return kernel_named(name); }
