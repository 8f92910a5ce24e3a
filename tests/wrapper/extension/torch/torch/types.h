#pragma once

#include <cstdint>

#include <ATen/core/DeprecatedTypeProperties.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

namespace at {

namespace cuda {}

// Numbers of four bytes, in memory of the CPU.
class Tensor {
 public:
  explicit Tensor(std::int64_t count, c10::Device device)
      : count_(count), device_(device), data_(c10::current_allocator()->allocate(count * 4)) {
    TORCH_CHECK(device.is_cpu());
    std::memset(data_.get(), 0, count * 4);
  }
  bool is_cuda() const { return device_.is_cuda(); }
  bool is_cpu() const { return device_.is_cpu(); }
  c10::Device device() const { return device_; }
  DeprecatedTypeProperties type() const { return DeprecatedTypeProperties(device_.is_cpu() ? c10::kCPU : c10::kCUDA); }
  std::int64_t numel() const { return count_; }
  template <class Number>
  Number* data_ptr() const {
    return static_cast<Number*>(data_.get());
  }

 private:
  std::int64_t count_;
  c10::Device device_;
  c10::DataPtr data_;
};

}  // namespace at

namespace torch {

using at::Tensor;
using c10::kCPU;
using c10::kCUDA;

inline Tensor zeros(std::int64_t count, c10::Device device) { return Tensor(count, device); }

}  // namespace torch
