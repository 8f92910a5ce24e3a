// What the tests share: vectors on the device, and a check that ends the program.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(condition)                                                         \
  do {                                                                           \
    if (!(condition)) {                                                          \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (false)

#define CHECK_CUDA(call) CHECK((call) == cudaSuccess)

/// A vector in device memory.
template <typename T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
    CHECK_CUDA(cudaMalloc(&values_, bytes()));
    CHECK_CUDA(cudaMemcpy(values_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(values_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* data() { return values_; }

  /// Waits for the kernels, and copies.
  std::vector<T> on_host() const {
    std::vector<T> values(count_);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(values.data(), values_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(T); }

  std::size_t count_;
  T* values_ = nullptr;
};
