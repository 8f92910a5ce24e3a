// PyTorch's events, as events of the executor.
#pragma once
#pragma GCC system_header

#include <utility>

#include "CUDAStream.h"

namespace c10::cuda {

class CUDAEvent {
 public:
  explicit CUDAEvent(unsigned int flags = cudaEventDisableTiming) : flags_(flags) {}
  ~CUDAEvent() {
    if (event_ != nullptr) (void)cudaEventDestroy(event_);
  }
  CUDAEvent(const CUDAEvent&) = delete;
  CUDAEvent& operator=(const CUDAEvent&) = delete;
  CUDAEvent(CUDAEvent&& other) noexcept { swap(other); }
  CUDAEvent& operator=(CUDAEvent&& other) noexcept {
    swap(other);
    return *this;
  }

  operator cudaEvent_t() const { return event_; }
  cudaEvent_t event() const { return event_; }
  bool isCreated() const { return event_ != nullptr; }
  DeviceIndex device_index() const { return 0; }
  // What was never recorded has happened.
  bool query() const { return event_ == nullptr || cudaEventQuery(event_) == cudaSuccess; }

  void record() { record(getCurrentCUDAStream()); }
  void record(const CUDAStream& stream) {
    if (event_ == nullptr) C10_CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags_));
    C10_CUDA_CHECK(cudaEventRecord(event_, stream));
    was_recorded_ = true;
  }
  void recordOnce(const CUDAStream& stream) {
    if (!was_recorded_) record(stream);
  }
  void block(const CUDAStream& stream) {
    if (event_ != nullptr) C10_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0));
  }
  float elapsed_time(const CUDAEvent& other) const {
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, other.event_));
    return milliseconds;
  }
  void synchronize() const {
    if (event_ != nullptr) C10_CUDA_CHECK(cudaEventSynchronize(event_));
  }

 private:
  void swap(CUDAEvent& other) {
    std::swap(event_, other.event_);
    std::swap(flags_, other.flags_);
    std::swap(was_recorded_, other.was_recorded_);
  }

  cudaEvent_t event_ = nullptr;
  unsigned int flags_ = cudaEventDisableTiming;
  bool was_recorded_ = false;
};

}  // namespace c10::cuda
