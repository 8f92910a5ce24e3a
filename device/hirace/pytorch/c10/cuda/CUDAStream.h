// PyTorch's streams, as streams of the executor.
#pragma once
#pragma GCC system_header

#include <c10/core/Device.h>

#include "CUDAFunctions.h"

namespace c10::cuda {

class CUDAStream {
 public:
  explicit CUDAStream(cudaStream_t stream = nullptr) : stream_(stream) {}

  cudaStream_t stream() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  DeviceIndex device_index() const { return 0; }
  Device device() const { return Device(DeviceType::CPU); }
  bool query() const { return cudaStreamQuery(stream_) == cudaSuccess; }
  void synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  bool operator==(const CUDAStream& other) const { return stream_ == other.stream_; }
  bool operator!=(const CUDAStream& other) const { return stream_ != other.stream_; }

 private:
  cudaStream_t stream_;
};

namespace hirace_detail {

// Each thread has its own.
inline CUDAStream& current_stream() {
  thread_local CUDAStream stream;
  return stream;
}

}  // namespace hirace_detail

inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return hirace_detail::current_stream(); }
inline void setCurrentCUDAStream(CUDAStream stream) { hirace_detail::current_stream() = stream; }
inline CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex) { return CUDAStream(stream); }

// Those of PyTorch's pool do not wait for the default stream, and are never destroyed.
inline CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1) {
  cudaStream_t stream = nullptr;
  C10_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return CUDAStream(stream);
}
inline CUDAStream getStreamFromPool(int, DeviceIndex = -1) { return getStreamFromPool(false); }

}  // namespace c10::cuda
