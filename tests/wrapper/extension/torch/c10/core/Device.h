// This folder is the least of PyTorch's C++ interface with which the extension beside it compiles and runs: tests have
// no PyTorch.
#pragma once

namespace c10 {

using DeviceIndex = signed char;
enum class DeviceType { CPU, CUDA };
inline constexpr DeviceType kCPU = DeviceType::CPU;
inline constexpr DeviceType kCUDA = DeviceType::CUDA;

class Device {
 public:
  Device(DeviceType type) : type_(type) {}
  bool is_cuda() const { return type_ == kCUDA; }
  bool is_cpu() const { return type_ == kCPU; }

 private:
  DeviceType type_;
};

}  // namespace c10
