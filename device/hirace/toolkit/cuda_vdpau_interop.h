// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<cuda_vdpau_interop.h>)
#include_next <cuda_vdpau_interop.h>
#else
#error "hirace: VDPAU interoperation (cuda_vdpau_interop.h) is not supported by the CPU executor: there are no graphics; leave the drawing out of the checked build, and use cudaMalloc"
#include "see the error above: hirace has no cuda_vdpau_interop.h"
#endif
