// Functions of the libraries of C, such as cuBLAS and cuRAND, that work in a stream.
#pragma once

#include <cstdio>

#include "library_access.h"

namespace hirace::cpu {

// Runs `work` in the stream, with access to device memory.
template <class Work>
cudaError_t run_in_stream(const char* name, cudaStream_t stream, LibraryWaits waits, const Work& work) {
  const Call call = call_of(name);
  return submit_to_stream(stream, [=] {
    const LibraryAccess access;
    const LibraryCall running(call, stream, waits);
    work();
    return cudaSuccess;
  });
}

// Whether the device can access an array; says so if not.
inline bool has_array(const char* name, const void* array, std::size_t bytes) {
  if (bytes == 0 || is_device_range(array, bytes)) return true;
  std::fprintf(stderr, "hirace: %s: an array is too short, or not in device memory\n", name);
  return false;
}

}  // namespace hirace::cpu
