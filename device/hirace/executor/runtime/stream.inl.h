// The definitions of stream.h.
#pragma once

#include "stream.h"
#include "stream_work.h"

namespace hirace::cpu {

HIRACE_RUNTIME cudaStream_t legacy_stream_handle() { return &legacy_stream; }
HIRACE_RUNTIME cudaStream_t per_thread_stream_handle() { return &per_thread_stream; }

HIRACE_RUNTIME void expect_other_streams() {
  found_other_streams.store(true, std::memory_order_relaxed);
  stream_order().expect_nonblocking();
}

HIRACE_RUNTIME cudaError_t create_stream(cudaStream_t* stream, unsigned int flags, int priority) {
  if (stream == nullptr || flags > cudaStreamNonBlocking) return hirace::cpu::set_error(cudaErrorInvalidValue);
  // Priorities out of range are clamped.
  *stream = new CUstream_st{flags, priority > 0 ? 0 : priority < -5 ? -5 : priority, nullptr, {}};
  if (monitor.in_kernel) {
    static std::atomic<std::uint64_t> created{0};
    (*stream)->serial = ++created;
  } else {
    number_of(*stream);
  }
  return cudaSuccess;
}

// The host thread does not wait for the function. While it runs, however, it may tell that thread something,
// or start another one.
template <class Function>
void run_host_function(cudaStream_t stream, const Function& function) {
  stream_order().host_may_know(clock_in(stream));
  ++acts_for_device;
  runs_host_function = true;
  function();
  runs_host_function = false;
  --acts_for_device;
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaStreamCreate(cudaStream_t* stream) { return hirace::cpu::create_stream(stream, cudaStreamDefault, 0); }
HIRACE_RUNTIME cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (hirace::cpu::is_legacy(stream) || hirace::cpu::meant(stream) == &hirace::cpu::per_thread_stream) {
    return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  }
  // A stream in a capture is needed until the capture ends.
  if (stream->capture != nullptr) return hirace::cpu::invalidate(stream, cudaErrorStreamCaptureUnsupported);
  delete stream;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const cudaError_t error = hirace::cpu::is_legacy(stream) ? hirace::cpu::check_no_capture(cudaErrorStreamCaptureImplicit)
                                                           : hirace::cpu::check_not_capturing(stream);
  if (error == cudaSuccess) hirace::cpu::host_waits_for(stream);
  return error;
}
HIRACE_RUNTIME cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
HIRACE_RUNTIME cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (flags == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *flags = stream != nullptr ? stream->flags : cudaStreamDefault;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (priority == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *priority = stream != nullptr ? stream->priority : 0;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (id == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *id = hirace::cpu::is_legacy(stream) ? 1 : reinterpret_cast<std::uintptr_t>(stream);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
  if (device == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int) {
  if (callback == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (const cudaError_t error = hirace::cpu::check_not_capturing(stream)) return error;
  return hirace::cpu::submit(stream, cudaGraphNodeTypeHost, [=] {
    hirace::cpu::run_host_function(stream, [=] { callback(stream, cudaSuccess, data); });
    return cudaSuccess;
  });
}
HIRACE_RUNTIME cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  return hirace::cpu::submit(stream, cudaGraphNodeTypeHost, [=] {
    hirace::cpu::run_host_function(stream, [=] { function(data); });
    return cudaSuccess;
  });
}
HIRACE_RUNTIME cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, std::size_t, unsigned int) {
  return pointer != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}

HIRACE_RUNTIME cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (event == nullptr || flags > 7) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *event = new CUevent_st{{}, false, flags, {}, {}};
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
HIRACE_RUNTIME cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }
HIRACE_RUNTIME cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}

namespace hirace::cpu {

inline cudaError_t record_now(cudaEvent_t event, cudaStream_t stream) {
  event->clock = clock_in(stream);
  event->time = std::chrono::steady_clock::now();
  event->recorded = true;
  event->capture.reset();
  return cudaSuccess;
}

// An event that a kernel uses orders launches of the kernel.
inline bool is_kernel_event(cudaEvent_t event) { return monitor.in_kernel && event != nullptr; }

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (hirace::cpu::is_kernel_event(event)) {
    event->launches = hirace::cpu::last_launches(stream);
    return cudaSuccess;
  }
  if (event == nullptr) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  if (!hirace::cpu::is_capturing(stream)) {
    return hirace::cpu::submit(stream, cudaGraphNodeTypeEventRecord, [=] { return hirace::cpu::record_now(event, stream); });
  }
  if (flags == cudaEventRecordExternal) {
    return hirace::cpu::add_to_capture(stream, cudaGraphNodeTypeEventRecord,
                                       hirace::cpu::Work([=] { return hirace::cpu::record_now(event, stream); }));
  }
  event->capture = hirace::cpu::meant(stream)->capture;
  event->last = hirace::cpu::meant(stream)->last;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
HIRACE_RUNTIME cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (event == nullptr) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  if (!event->capture.expired()) return hirace::cpu::set_error(cudaErrorCapturedEvent);
  hirace::cpu::stream_order().host_waits_for(event->clock);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaEventSynchronize(cudaEvent_t event) { return cudaEventQuery(event); }
HIRACE_RUNTIME cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  const bool timed = start != nullptr && end != nullptr && start->recorded && end->recorded &&
                     ((start->flags | end->flags) & cudaEventDisableTiming) == 0;
  if (!timed) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  // It fails until the events are complete.
  hirace::cpu::stream_order().host_waits_for(start->clock);
  hirace::cpu::stream_order().host_waits_for(end->clock);
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaStreamWaitEvent(cudaStream_t given, cudaEvent_t event, unsigned int) {
  if (hirace::cpu::is_kernel_event(event)) {
    hirace::cpu::wait_for_launches(given, event->launches);
    return cudaSuccess;
  }
  if (event == nullptr) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  const cudaStream_t stream = hirace::cpu::meant(given);
  const std::shared_ptr<hirace::cpu::Capture> capture = event->capture.lock();
  if (capture == nullptr) {
    // Work outside the graph cannot be a dependency of its nodes.
    if (hirace::cpu::is_capturing(stream)) {
      return event->recorded ? hirace::cpu::invalidate(stream, cudaErrorStreamCaptureIsolation) : cudaSuccess;
    }
    hirace::cpu::stream_order().wait_in(hirace::cpu::number_of(stream), event->clock);
    return cudaSuccess;
  }
  if (hirace::cpu::is_legacy(stream)) return hirace::cpu::set_error(cudaErrorStreamCaptureImplicit);
  if (stream->capture == nullptr) {
    stream->capture = capture;
    stream->last.clear();
    capture->streams.push_back(stream);
  } else if (stream->capture != capture) {
    return hirace::cpu::invalidate(stream, cudaErrorStreamCaptureMerge);
  }
  for (const cudaGraphNode_t node : event->last) {
    if (std::find(stream->last.begin(), stream->last.end(), node) == stream->last.end()) stream->last.push_back(node);
  }
  return cudaSuccess;
}
