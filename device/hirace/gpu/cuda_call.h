// Our own calls of the CUDA runtime.
#pragma once

#include <cuda_runtime.h>

namespace hirace::gpu {

// Makes calls whose failure does not concern the program: the error that its cudaGetLastError
// returns is preserved.
template <class Call>
cudaError_t quietly(const Call& call) {
  const bool pending = ::cudaPeekAtLastError() != cudaSuccess;
  const cudaError_t error = call();
  if (error != cudaSuccess && !pending) static_cast<void>(::cudaGetLastError());
  return error;
}

// Device memory for `count` objects; null if there is no room.
template <class T>
T* device_memory(std::size_t count) {
  void* memory = nullptr;
  const cudaError_t error = quietly([&] { return ::cudaMalloc(&memory, count * sizeof(T)); });
  return error == cudaSuccess ? static_cast<T*>(memory) : nullptr;
}

// Our own stream. Its copies are complete when they return, whatever stream the program launches in.
class CopyStream {
 public:
  bool open() {
    return quietly([this] { return ::cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }) == cudaSuccess;
  }

  bool copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return quietly([&] {
             const cudaError_t error = ::cudaMemcpyAsync(to, from, bytes, kind, stream_);
             return error == cudaSuccess ? ::cudaStreamSynchronize(stream_) : error;
           }) == cudaSuccess;
  }
  bool to_device(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes, cudaMemcpyHostToDevice); }
  bool to_host(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes, cudaMemcpyDeviceToHost); }

  // Zeroes `rows` rows of `width` bytes `pitch` bytes apart.
  bool zero(void* memory, std::size_t pitch, std::size_t width, std::size_t rows) {
    return quietly([&] {
             const cudaError_t error = ::cudaMemset2DAsync(memory, pitch, 0, width, rows, stream_);
             return error == cudaSuccess ? ::cudaStreamSynchronize(stream_) : error;
           }) == cudaSuccess;
  }
  bool zero(void* memory, std::size_t bytes) {
    return quietly([&] {
             const cudaError_t error = ::cudaMemsetAsync(memory, 0, bytes, stream_);
             return error == cudaSuccess ? ::cudaStreamSynchronize(stream_) : error;
           }) == cudaSuccess;
  }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace hirace::gpu
