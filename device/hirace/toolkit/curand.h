// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<curand.h>)
#include_next <curand.h>
#else
#error "hirace: cuRAND (curand.h) is not supported by the CPU executor: make the random numbers on the host, or with a generator of your own"
#include "see the error above: hirace has no curand.h"
#endif
