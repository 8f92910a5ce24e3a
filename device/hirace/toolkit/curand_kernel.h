// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<curand_kernel.h>)
#include_next <curand_kernel.h>
#else
#error "hirace: cuRAND (curand_kernel.h) is not supported by the CPU executor: use a generator of your own in the kernel, such as a hash of the thread's number"
#include "see the error above: hirace has no curand_kernel.h"
#endif
