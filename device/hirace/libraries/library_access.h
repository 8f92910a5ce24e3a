// Host code of libraries that accesses device memory as the device would: thrust and CUB's
// device-wide functions, between launches.
#pragma once

#include "../executor/check/thread.h"
#include "../executor/runtime/host_call.h"
#include "../executor/runtime/memory.h"
#include "../executor/runtime/stream_types.h"

namespace hirace::cpu {

// Gives the host access to device memory and revokes it; see LibraryAccess.
void begin_library_access();
void end_library_access();

// While one exists, the host may access device memory, as a kernel always may.
class LibraryAccess {
 public:
  LibraryAccess() : opened_(!monitor.in_kernel) {
    if (opened_) begin_library_access();
  }
  ~LibraryAccess() {
    if (opened_) end_library_access();
  }
  LibraryAccess(const LibraryAccess&) = delete;
  LibraryAccess& operator=(const LibraryAccess&) = delete;

 private:
  const bool opened_;
};

// What the host waits for at the end of a library's function.
enum class LibraryWaits { for_nothing, for_stream };

// See LibraryCall. The result is for close_library_call(); null in another call.
void* open_library_call(const Call& call, cudaStream_t stream);
void close_library_call(void* opened, cudaStream_t stream, LibraryWaits waits);

// A library's function is at work in a stream while one exists, except in kernels. Its accesses to device
// memory are those of the stream (executor/runtime/stream_call.h). A function that another one calls is
// part of it.
class LibraryCall {
 public:
  LibraryCall(const Call& call, cudaStream_t stream, LibraryWaits waits)
      : opened_(monitor.in_kernel ? nullptr : open_library_call(call, stream)), stream_(stream), waits_(waits) {}
  ~LibraryCall() {
    if (opened_ != nullptr) close_library_call(opened_, stream_, waits_);
  }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

 private:
  void* const opened_;
  const cudaStream_t stream_;
  const LibraryWaits waits_;
};

// Notes accesses of the library's function that the calling host thread is in, if they matter.
inline void library_reads(const volatile void* memory, std::size_t bytes) {
  if (__builtin_expect(call_is_watched, 0)) note_access_of_call(memory, bytes, AccessKind::read, unknown_site);
}
inline void library_writes(const volatile void* memory, std::size_t bytes) {
  if (__builtin_expect(call_is_watched, 0)) note_access_of_call(memory, bytes, AccessKind::write, unknown_site);
}

// The report says that the function may write where nothing notes it.
void note_unseen_writes();

// A function that a stream calls, perhaps later and repeatedly.
struct StreamCall {
  const void* object;
  cudaError_t (*run)(const void* object);
  void* (*copy)(const void* object);
  void (*destroy)(void* object);
};
cudaError_t submit_call(cudaStream_t stream, const StreamCall& call);

template <class Function>
cudaError_t submit_to_stream(cudaStream_t stream, const Function& function) {
  return submit_call(stream, {&function, [](const void* object) { return (*static_cast<const Function*>(object))(); },
                              [](const void* object) -> void* { return new Function(*static_cast<const Function*>(object)); },
                              [](void* object) { delete static_cast<Function*>(object); }});
}

}  // namespace hirace::cpu
