// Streams and events. Everything is done when the call that asks for it returns,
// which is one of the orders that any program must expect.
#pragma once

#include <chrono>

#include "runtime_error.h"

struct CUstream_st {
  unsigned int flags;
  int priority;
};

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  bool recorded;
  unsigned int flags;
};

constexpr unsigned int cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
constexpr unsigned int cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaEventInterprocess = 4;
constexpr unsigned int cudaEventRecordDefault = 0, cudaEventRecordExternal = 1, cudaEventWaitDefault = 0, cudaEventWaitExternal = 1;

namespace hirace::cpu {
inline CUstream_st legacy_stream{cudaStreamDefault, 0};
inline CUstream_st per_thread_stream{cudaStreamNonBlocking, 0};
}  // namespace hirace::cpu

#define cudaStreamLegacy (&::hirace::cpu::legacy_stream)
#define cudaStreamPerThread (&::hirace::cpu::per_thread_stream)

typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
typedef void (*cudaHostFn_t)(void* data);

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  if (stream == nullptr || flags > cudaStreamNonBlocking) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *stream = new CUstream_st{flags, priority};
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0); }
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
    return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  }
  delete stream;
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned int = 0) {
  return event != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (flags == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *flags = stream != nullptr ? stream->flags : cudaStreamDefault;
  return cudaSuccess;
}
inline cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (priority == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *priority = stream != nullptr ? stream->priority : 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int) {
  if (callback == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
  if (function == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  function(data);
  return cudaSuccess;
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, std::size_t = 0, unsigned int = 4) {
  return pointer != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (event == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *event = new CUevent_st{{}, false, flags};
  return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
  if (event == nullptr) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  event->time = std::chrono::steady_clock::now();
  event->recorded = true;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned int = 0) {
  return cudaEventRecord(event, stream);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  const bool timed = start != nullptr && end != nullptr && start->recorded && end->recorded &&
                     ((start->flags | end->flags) & cudaEventDisableTiming) == 0;
  if (!timed) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}
