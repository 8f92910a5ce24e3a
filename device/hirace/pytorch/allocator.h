// Tensors of the CPU lie in managed memory, so that the accesses of kernels to them are checked: a CUDA file of a
// PyTorch extension includes this header. Tensors from before the extension was loaded do not.
#pragma once
#pragma GCC system_header

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <cstdlib>

#include "../hirace.cuh"

namespace hirace::pytorch {

class Allocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* place = nullptr;
    if (bytes != 0 && ::cudaMallocManaged(&place, bytes) != cudaSuccess) {
      (void)::cudaGetLastError();
      place = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
      TORCH_CHECK(place != nullptr, "out of memory");
    }
    return {place, place, &release, c10::Device(c10::DeviceType::CPU)};
  }

  // PyTorch allocates and releases without a DataPtr, too.
  c10::DeleterFnPtr raw_deleter() const override { return &release; }

  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

 private:
  // That of PyTorch's own allocator.
  static constexpr std::size_t alignment = 64;

  static void release(void* place) {
    cudaPointerAttributes attributes{};
    if (::cudaPointerGetAttributes(&attributes, place) == cudaSuccess && attributes.type == cudaMemoryTypeManaged) {
      (void)::cudaFree(place);
    } else {
      std::free(place);
    }
  }
};

inline const bool is_installed = [] {
  // PyTorch never destroys its allocators. The priority is above that of its own.
  c10::SetCPUAllocator(new Allocator, 1);
  return true;
}();

}  // namespace hirace::pytorch
