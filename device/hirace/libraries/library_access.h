// Host code of libraries that accesses device memory as the device would: thrust and CUB's
// device-wide functions, between launches.
#pragma once

#include "../executor/check/thread.h"
#include "../executor/runtime/memory.h"
#include "../executor/runtime/stream_types.h"

namespace hirace::cpu {

// Gives the host access to device memory and revokes it; see LibraryAccess.
void begin_library_access();
void end_library_access();

// While one exists, the host may access device memory, as a kernel always may. The library is
// assumed to wait for the device at the end.
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
