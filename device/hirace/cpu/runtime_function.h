// The CUDA runtime's functions about kernels: attributes, occupancy, launches by pointer.
#pragma once

#include <tuple>
#include <utility>

#include "launch.h"
#include "runtime_device.h"

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 13
};
enum cudaSharedCarveout { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxShared = 100, cudaSharedmemCarveoutMaxL1 = 0 };

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes;
  std::size_t constSizeBytes;
  std::size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
};

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute attribute, int value) {
  const bool valid = attribute != cudaFuncAttributeMaxDynamicSharedMemorySize ||
                     (value >= 0 && static_cast<std::size_t>(value) <= hirace::cpu::max_dynamic_shared_bytes);
  return valid ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel*, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
  if (attributes == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *attributes = cudaFuncAttributes{};
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(hirace::cpu::max_dynamic_shared_bytes);
  return cudaSuccess;
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int block_size, std::size_t dynamic_shared) {
  using namespace hirace::cpu;
  if (blocks == nullptr || block_size <= 0) return set_error(cudaErrorInvalidValue);
  int fit = block_size <= 1024 ? threads_per_multiprocessor / block_size : 0;
  if (fit > blocks_per_multiprocessor) fit = blocks_per_multiprocessor;
  if (dynamic_shared != 0) {
    const auto by_shared = static_cast<int>(shared_per_multiprocessor / (dynamic_shared + 1024));
    if (fit > by_shared) fit = by_shared;
  }
  *blocks = fit;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel kernel, int block_size, std::size_t dynamic_shared,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic_shared);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, Kernel kernel, std::size_t dynamic_shared = 0,
                                               int block_limit = 0) {
  if (min_grid == nullptr || block_size == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *block_size = block_limit > 0 && block_limit < 1024 ? block_limit : 1024;
  int blocks = 0;
  const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, *block_size, dynamic_shared);
  *min_grid = blocks * hirace::cpu::multiprocessors;
  return error;
}
template <class Kernel, class SharedOfBlock>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block_size, Kernel kernel, SharedOfBlock shared,
                                                           int block_limit = 0) {
  const int largest = block_limit > 0 && block_limit < 1024 ? block_limit : 1024;
  return cudaOccupancyMaxPotentialBlockSize(min_grid, block_size, kernel, static_cast<std::size_t>(shared(largest)), block_limit);
}

namespace hirace::cpu {

// Blocks of a cooperative launch are resident together; every thread has a stack.
constexpr std::uint64_t max_cooperative_threads = std::uint64_t{multiprocessors} * threads_per_multiprocessor;

template <class... Parameters, std::size_t... indices>
cudaError_t launch_by_pointer(const LaunchInfo& info, void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                              std::size_t dynamic_shared, cudaStream_t stream, bool cooperative, std::index_sequence<indices...>) {
  static_cast<void>(arguments);
  auto body = [&] { kernel(*static_cast<std::remove_reference_t<Parameters>*>(arguments[indices])...); };
  const std::uint64_t threads = std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
  if (cooperative && threads > max_cooperative_threads) return set_error(cudaErrorCooperativeLaunchTooLarge);
  return launch_body(info, grid, block, dynamic_shared, stream, cooperative, body);
}

// What cudaLaunchKernel and its relative become where the source names the kernel.
template <class... Parameters>
cudaError_t launch_kernel(const LaunchInfo& info, void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                          std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return launch_by_pointer(info, kernel, grid, block, arguments, dynamic_shared, stream, false, std::index_sequence_for<Parameters...>{});
}
template <class... Parameters>
cudaError_t launch_cooperative_kernel(const LaunchInfo& info, void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                      std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return launch_by_pointer(info, kernel, grid, block, arguments, dynamic_shared, stream, true, std::index_sequence_for<Parameters...>{});
}

constexpr LaunchInfo launch_by_variable{"kernel launched by pointer", unknown_site, true, monitor_both, 0, 0xffffffffu};

}  // namespace hirace::cpu

// Launches of a kernel that keeps its type; a const void* has lost what its
// arguments are.
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared = 0,
                             cudaStream_t stream = nullptr) {
  return hirace::cpu::launch_kernel(hirace::cpu::launch_by_variable, kernel, grid, block, arguments, dynamic_shared, stream);
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return hirace::cpu::launch_cooperative_kernel(hirace::cpu::launch_by_variable, kernel, grid, block, arguments, dynamic_shared, stream);
}
__attribute__((error("hirace: cudaLaunchKernel needs a kernel that is named in the call, or a pointer that keeps its type"))) cudaError_t cudaLaunchKernel(
    const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr);
__attribute__((error("hirace: cudaLaunchCooperativeKernel needs a kernel that is named in the call, or a pointer that keeps its type"))) cudaError_t
cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared = 0,
                            cudaStream_t stream = nullptr);
