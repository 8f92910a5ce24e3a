// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<cuda_awbarrier.h>)
#include_next <cuda_awbarrier.h>
#else
#error "hirace: cuda_awbarrier.h (cuda_awbarrier.h) is not supported by the CPU executor: use cuda::barrier of <cuda/barrier>"
#include "see the error above: hirace has no cuda_awbarrier.h"
#endif
