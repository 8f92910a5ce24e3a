// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<nccl.h>)
#include_next <nccl.h>
#else
#error "hirace: NCCL (nccl.h) is not supported by the CPU executor: check the kernels of one process apart from it"
#include "see the error above: hirace has no nccl.h"
#endif
