// Tensors of the CPU lie in managed memory, so that the accesses of kernels to them are checked: a CUDA file of a
// PyTorch extension includes this header. Tensors from before the extension was loaded do not.
#pragma once
#pragma GCC system_header

#include <c10/core/CPUAllocator.h>

#include "../hirace.cuh"

namespace hirace::pytorch {

class Allocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* place = nullptr;
    if (bytes != 0 && ::cudaMallocManaged(&place, bytes) != cudaSuccess) {
      // PyTorch's own says what is wrong, if it has no memory either.
      (void)::cudaGetLastError();
      return c10::GetDefaultCPUAllocator()->allocate(bytes);
    }
    return {place, place, &release, c10::Device(c10::DeviceType::CPU)};
  }

  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

 private:
  static void release(void* place) { (void)::cudaFree(place); }
};

inline const bool is_installed = [] {
  // PyTorch never destroys its allocators. The priority is above that of its own.
  c10::SetCPUAllocator(new Allocator, 1);
  return true;
}();

}  // namespace hirace::pytorch
