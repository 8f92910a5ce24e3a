// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<nvrtc.h>)
#include_next <nvrtc.h>
#else
#error "hirace: NVRTC (nvrtc.h) is not supported by the CPU executor: kernels that are compiled at run time cannot be checked; compile them with the program"
#include "see the error above: hirace has no nvrtc.h"
#endif
