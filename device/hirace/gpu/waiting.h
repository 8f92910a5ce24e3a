// The functions of the CUDA runtime that wait for kernels. The instrumenter puts
// hirace::gpu:: before their names.
//
// A program that checks their result may end itself there, by `abort` or `_exit`, and the findings
// would be lost.
#pragma once

#include "host.h"

namespace hirace::gpu {

inline cudaError_t cudaDeviceSynchronize() { return waited(::cudaDeviceSynchronize(), true); }

inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return waited(::cudaStreamSynchronize(stream), false);
}

inline cudaError_t cudaEventSynchronize(cudaEvent_t event) { return waited(::cudaEventSynchronize(event), false); }

inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return waited(::cudaMemcpy(to, from, bytes, kind), false);
}

}  // namespace hirace::gpu
