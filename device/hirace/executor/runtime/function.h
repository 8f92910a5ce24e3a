// The CUDA runtime's kernel functions: attributes, occupancy, launches by pointer.
#pragma once

#include "../memory/shared_variable.h"
#include "device.h"

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15
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
  if (!valid) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) hirace::cpu::raise_dynamic_shared();
  return cudaSuccess;
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
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block_size, Kernel kernel, std::size_t dynamic_shared = 0,
                                                        int block_limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(min_grid, block_size, kernel, dynamic_shared, block_limit);
}
template <class Kernel, class SharedOfBlock>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* min_grid, int* block_size, Kernel kernel, SharedOfBlock shared,
                                                                    int block_limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block_size, kernel, shared, block_limit);
}
template <class Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, Kernel, int blocks, int block_size) {
  using namespace hirace::cpu;
  if (bytes == nullptr || blocks <= 0 || block_size <= 0 || block_size > 1024) return set_error(cudaErrorInvalidValue);
  const std::size_t share = shared_per_multiprocessor / static_cast<std::size_t>(blocks);
  *bytes = share <= 1024 ? 0 : share - 1024 < max_dynamic_shared_bytes ? share - 1024 : max_dynamic_shared_bytes;
  return cudaSuccess;
}
