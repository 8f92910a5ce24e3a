// The functions of the CUDA runtime that wait for kernels. The instrumenter puts
// hirace::gpu:: before their names.
//
// A program that checks their result may end itself there, by `abort` or `_exit`, and the findings
// would be lost.
#pragma once

#include "monitor.h"

namespace hirace::gpu {

namespace detail {

inline cudaError_t waited(cudaError_t error, bool all) {
  Monitor& monitor = Monitor::instance();
  const std::lock_guard<std::recursive_mutex> lock(monitor.mutex());
  monitor.waited(error, all);
  return error;
}

}  // namespace detail

inline cudaError_t cudaDeviceSynchronize() { return detail::waited(::cudaDeviceSynchronize(), true); }

inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return detail::waited(::cudaStreamSynchronize(stream), false);
}

inline cudaError_t cudaEventSynchronize(cudaEvent_t event) { return detail::waited(::cudaEventSynchronize(event), false); }

inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return detail::waited(::cudaMemcpy(to, from, bytes, kind), false);
}

}  // namespace hirace::gpu
