// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<cublas.h>)
#include_next <cublas.h>
#else
#error "hirace: cuBLAS (cublas.h) is not supported by the CPU executor: replace its calls by kernels of your own, or leave this file out of the checked build"
#include "see the error above: hirace has no cublas.h"
#endif
