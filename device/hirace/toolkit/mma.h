// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<mma.h>)
#include_next <mma.h>
#else
#error "hirace: the warp matrix interface (mma.h) is not supported by the CPU executor: matrix fragments (nvcuda::wmma) are not there; use a kernel without them in the checked build"
#include "see the error above: hirace has no mma.h"
#endif
