// PyTorch's functions about devices, answered for the executor's only one.
#pragma once
#pragma GCC system_header

#include <c10/core/Device.h>

#include "CUDAException.h"

namespace c10::cuda {

inline DeviceIndex device_count() noexcept { return 1; }
inline DeviceIndex device_count_ensure_non_zero() { return 1; }
inline DeviceIndex current_device() { return 0; }
// The index of a tensor on the CPU is -1.
inline void set_device(DeviceIndex) {}
inline void device_synchronize() { C10_CUDA_CHECK(cudaDeviceSynchronize()); }

}  // namespace c10::cuda
