// The driver's functions that the GPU backend looks up: virtual memory, and what is known of kernels.
#include <cuda.h>

#include <algorithm>
#include <string>

#include "machine.h"  // of tests/gpu/toolkit: reserved addresses, and memory to map there
#include "state.h"

namespace ptx_gpu {
namespace {

CUresult result(bool done) { return done ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY; }

CUresult range_of(void* data, CUpointer_attribute attribute, CUdeviceptr at) {
  auto found = state().memory.upper_bound(at);
  if (found == state().memory.begin()) return CUDA_ERROR_INVALID_VALUE;
  --found;
  if (at - found->first >= found->second) return CUDA_ERROR_INVALID_VALUE;
  const std::uint64_t value = attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE ? found->second : found->first;
  std::memcpy(data, &value, sizeof value);
  return CUDA_SUCCESS;
}

CUresult parameter_info(CUkernel kernel, std::size_t number, std::size_t* offset, std::size_t* bytes) {
  *bytes = parameter_bytes(kernel, number);
  *offset = 0;
  return *bytes != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult kernel_attribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
  const bool fixed = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
  *value = static_cast<int>(fixed ? shared_bytes(kernel) : allowed_dynamic(kernel));
  return CUDA_SUCCESS;
}

CUresult set_kernel_attribute(CUfunction_attribute, int value, CUkernel kernel, CUdevice) {
  if (value < 0 || shared_bytes(kernel) + static_cast<std::size_t>(value) > max_shared) return CUDA_ERROR_INVALID_VALUE;
  state().dynamic_allowed[kernel] = static_cast<std::size_t>(value);
  return CUDA_SUCCESS;
}

CUresult occupancy(int* blocks, CUfunction function, int threads, std::size_t dynamic) {
  constexpr int multiprocessor_threads = 2048, multiprocessor_blocks = 16;
  constexpr std::size_t multiprocessor_shared = 228 << 10;
  const std::size_t shared = shared_bytes(function) + dynamic;
  const int by_shared = shared == 0 ? multiprocessor_blocks : static_cast<int>(multiprocessor_shared / shared);
  *blocks = std::min({by_shared, multiprocessor_threads / std::max(threads, 1), multiprocessor_blocks});
  return CUDA_SUCCESS;
}

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

using Handle = CUmemGenericAllocationHandle;

std::map<std::string, void*> make_functions() {
  using made_up::machine;
  constexpr std::size_t granularity = 2 << 20;
  return {
      {"cuDeviceGetAttribute", address_of(+[](int* value, CUdevice_attribute, CUdevice) { return *value = 1, CUDA_SUCCESS; })},
      {"cuMemGetAllocationGranularity",
       address_of(+[](std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
         return *bytes = granularity, CUDA_SUCCESS;
       })},
      {"cuMemAddressReserve", address_of(+[](CUdeviceptr* at, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long) {
         return result((*at = machine().reserve(bytes)) != 0);
       })},
      {"cuMemAddressFree",
       address_of(+[](CUdeviceptr at, std::size_t bytes) { return machine().unreserve(at, bytes), CUDA_SUCCESS; })},
      {"cuMemCreate", address_of(+[](Handle* handle, std::size_t bytes, const CUmemAllocationProp*, unsigned long long) {
         return result(machine().create(bytes, *handle));
       })},
      {"cuMemRelease", address_of(+[](Handle handle) { return machine().release(handle), CUDA_SUCCESS; })},
      {"cuMemMap", address_of(+[](CUdeviceptr at, std::size_t bytes, std::size_t, Handle handle, unsigned long long) {
         return machine().map(at, bytes, handle), CUDA_SUCCESS;
       })},
      {"cuMemUnmap", address_of(+[](CUdeviceptr at, std::size_t bytes) { return machine().unmap(at, bytes), CUDA_SUCCESS; })},
      {"cuMemSetAccess", address_of(+[](CUdeviceptr at, std::size_t bytes, const CUmemAccessDesc* access, std::size_t) {
         return machine().allow(at, bytes, access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS;
       })},
      {"cuPointerGetAttribute", address_of(&range_of)},
      {"cuKernelGetParamInfo", address_of(&parameter_info)},
      {"cuKernelGetAttribute", address_of(&kernel_attribute)},
      {"cuKernelSetAttribute", address_of(&set_kernel_attribute)},
      {"cuOccupancyMaxActiveBlocksPerMultiprocessor", address_of(&occupancy)},
  };
}

}  // namespace

void* driver_function(const char* name) {
  static const auto* const functions = new std::map<std::string, void*>(make_functions());
  const auto found = functions->find(name);
  return found == functions->end() ? nullptr : found->second;
}

}  // namespace ptx_gpu
