// The driver API's streams and events.
#pragma once

#include "types.h"

typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void* data);
typedef void (*CUhostFn)(void* data);

inline CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return hirace::cpu::driver_result(cudaStreamCreateWithPriority(stream, flags, priority));
}
inline CUresult cuStreamCreate(CUstream* stream, unsigned int flags) { return cuStreamCreateWithPriority(stream, flags, 0); }
inline CUresult cuStreamDestroy(CUstream stream) { return hirace::cpu::driver_result(cudaStreamDestroy(stream)); }
inline CUresult cuStreamSynchronize(CUstream stream) { return hirace::cpu::driver_result(cudaStreamSynchronize(stream)); }
inline CUresult cuStreamQuery(CUstream stream) { return hirace::cpu::driver_result(cudaStreamQuery(stream)); }
inline CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) { return hirace::cpu::driver_result(cudaStreamGetFlags(stream, flags)); }
inline CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return hirace::cpu::driver_result(cudaStreamGetPriority(stream, priority));
}
inline CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return hirace::cpu::driver_result(cudaStreamWaitEvent(stream, event, flags));
}
inline CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return hirace::cpu::driver_result(cudaLaunchHostFunc(stream, function, data));
}
inline CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned int flags) {
  struct Call {
    CUstreamCallback callback;
    void* data;
    static void make(cudaStream_t stream, cudaError_t status, void* call) {
      const Call made = *static_cast<Call*>(call);
      delete static_cast<Call*>(call);
      made.callback(stream, hirace::cpu::driver_result(status), made.data);
    }
  };
  auto* const call = new Call{callback, data};
  const cudaError_t error = cudaStreamAddCallback(stream, Call::make, call, flags);
  if (error != cudaSuccess) delete call;
  return hirace::cpu::driver_result(error);
}

inline CUresult cuEventCreate(CUevent* event, unsigned int flags) { return hirace::cpu::driver_result(cudaEventCreateWithFlags(event, flags)); }
inline CUresult cuEventDestroy(CUevent event) { return hirace::cpu::driver_result(cudaEventDestroy(event)); }
inline CUresult cuEventRecord(CUevent event, CUstream stream) { return hirace::cpu::driver_result(cudaEventRecord(event, stream)); }
inline CUresult cuEventSynchronize(CUevent event) { return hirace::cpu::driver_result(cudaEventSynchronize(event)); }
inline CUresult cuEventQuery(CUevent event) { return hirace::cpu::driver_result(cudaEventQuery(event)); }
inline CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return hirace::cpu::driver_result(cudaEventElapsedTime(milliseconds, start, end));
}
