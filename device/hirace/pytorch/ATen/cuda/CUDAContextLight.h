// PyTorch's view of the device, without the handles of its libraries.
#pragma once
#pragma GCC system_header

#include "../../c10/cuda/CUDAFunctions.h"
#include "../../c10/cuda/CUDAStream.h"
#include "Exceptions.h"

namespace at::cuda {

using namespace c10::cuda;

inline c10::DeviceIndex getNumGPUs() { return device_count(); }
inline bool is_available() { return true; }

inline cudaDeviceProp* getDeviceProperties(c10::DeviceIndex) {
  static cudaDeviceProp properties = [] {
    cudaDeviceProp result{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&result, 0));
    return result;
  }();
  return &properties;
}
inline cudaDeviceProp* getCurrentDeviceProperties() { return getDeviceProperties(0); }
inline int warp_size() { return getCurrentDeviceProperties()->warpSize; }

}  // namespace at::cuda
