// The part of the CUDA runtime and of CUDA C++ that device/hirace/gpu needs, for the GPU of
// machine.h. A C++ compiler includes it first, as nvcc includes NVIDIA's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cudaTypedefs.h"
#include "machine.h"

#define CUDART_VERSION 13000

#define __host__
#define __device__
#define __global__
#define __constant__
#define __shared__ static
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

#include "threads.h"


// Errors and device attributes.

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidPc = 718,
  cudaErrorECCUncorrectable = 214,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchTimeout = 702,
  cudaErrorAssert = 710,
  cudaErrorHardwareStackError = 714,
  cudaErrorIllegalInstruction = 715,
  cudaErrorMisalignedAddress = 716,
  cudaErrorInvalidAddressSpace = 717,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotReady = 600,
  cudaErrorStreamCaptureImplicit = 906,
};

namespace made_up {

// Shared memory. A block may have 48 KiB, and more if its kernel was allowed that.
#ifndef MADE_UP_MULTIPROCESSOR_SHARED
#define MADE_UP_MULTIPROCESSOR_SHARED (228 << 10)
#endif
constexpr int multiprocessor_shared_bytes = MADE_UP_MULTIPROCESSOR_SHARED, max_shared_bytes = 227 << 10, shared_bytes = 48 << 10;
constexpr int multiprocessor_threads = 2048, multiprocessor_blocks = 16;

inline cudaError_t last_error = cudaSuccess;

// What a call returns: after the loss of the device, every call returns its error.
inline cudaError_t ended(cudaError_t error) {
  if (machine().error != 0) error = static_cast<cudaError_t>(machine().error);
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace made_up

inline const char* cudaGetErrorString(cudaError_t) { return "an error of the made-up GPU"; }
inline cudaError_t cudaPeekAtLastError() { return made_up::last_error; }
inline cudaError_t cudaGetLastError() { return std::exchange(made_up::last_error, cudaSuccess); }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0, made_up::ended(cudaSuccess); }
inline cudaError_t cudaSetDevice(int) { return made_up::ended(cudaSuccess); }
inline cudaError_t cudaDeviceSynchronize() { return made_up::ended(cudaSuccess); }
inline cudaError_t cudaDeviceReset() { return made_up::ended(cudaSuccess); }

enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor,
  cudaDevAttrMaxSharedMemoryPerBlockOptin,
  cudaDevAttrMaxThreadsPerMultiProcessor
};
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = 2;
  if (attribute == cudaDevAttrMaxSharedMemoryPerMultiprocessor) *value = made_up::multiprocessor_shared_bytes;
  if (attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin) *value = made_up::max_shared_bytes;
  return made_up::ended(cudaSuccess);
}

struct cudaFuncAttributes {
  int numRegs;
};
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
  return attributes->numRegs = 0, made_up::ended(cudaSuccess);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel*, int, std::size_t) {
  return *blocks = made_up::multiprocessor_blocks, made_up::ended(cudaSuccess);
}

// Memory. `cudaMallocHost` and the like are memory of the process, which outlives the device.

using cudaStream_t = struct Stream*;
using cudaEvent_t = struct Event*;
using cudaMemPool_t = struct Pool*;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDefault };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeManaged = 3 };
struct cudaPointerAttributes {
  cudaMemoryType type;
};
struct cudaExtent {
  std::size_t width, height, depth;
};
struct cudaPitchedPtr {
  void* ptr;
  std::size_t pitch, xsize, ysize;
};
constexpr unsigned cudaMemAttachGlobal = 1, cudaHostAllocMapped = 2, cudaHostAllocPortable = 1, cudaStreamNonBlocking = 1,
                   cudaEventDisableTiming = 2;

inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = made_up::machine().allocate(bytes);
  return made_up::ended(*memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}
inline cudaError_t cudaFree(void* memory) {
  const bool freed = memory == nullptr || made_up::machine().free(memory);
  return made_up::ended(freed ? cudaSuccess : cudaErrorInvalidValue);
}
inline cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned) { return cudaMalloc(memory, bytes); }
inline cudaError_t cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(memory, *pitch * height);
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
  memory->xsize = extent.width;
  memory->ysize = extent.height;
  return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}
inline cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) { return cudaMalloc(memory, bytes); }
inline cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
  return cudaMalloc(memory, bytes);
}
inline cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return cudaFree(memory); }
inline cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return *memory = std::calloc(1, bytes), made_up::ended(cudaSuccess);
}
inline cudaError_t cudaMallocHost(void** memory, std::size_t bytes, unsigned flags = 0) {
  return cudaHostAlloc(memory, bytes, flags);
}
inline cudaError_t cudaFreeHost(void* memory) { return std::free(memory), made_up::ended(cudaSuccess); }
inline cudaError_t cudaHostRegister(void*, std::size_t, unsigned) { return made_up::ended(cudaSuccess); }
inline cudaError_t cudaHostUnregister(void*) { return made_up::ended(cudaSuccess); }
inline cudaError_t cudaHostGetDevicePointer(void** mapped, void* memory, unsigned) {
  return *mapped = memory, made_up::ended(cudaSuccess);
}
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return *free = *total = made_up::machine().free_bytes, made_up::ended(cudaSuccess);
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void*) {
  return attributes->type = cudaMemoryTypeUnregistered, made_up::ended(cudaSuccess);
}
inline cudaError_t cudaGetSymbolAddress(void** memory, const void* symbol) {
  return *memory = const_cast<void*>(symbol), made_up::ended(cudaSuccess);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes) {
  return std::memcpy(const_cast<void*>(static_cast<const volatile void*>(&symbol)), from, bytes), made_up::ended(cudaSuccess);
}

inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  if (made_up::machine().error == 0) std::memcpy(to, from, bytes);
  return made_up::ended(cudaSuccess);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  if (made_up::machine().error == 0) std::memset(memory, value, bytes);
  return made_up::ended(cudaSuccess);
}
inline cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  return cudaMemsetAsync(memory, value, bytes, nullptr);
}
inline cudaError_t cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                     cudaStream_t stream) {
  for (std::size_t row = 0; row < height; ++row) cudaMemsetAsync(static_cast<char*>(memory) + row * pitch, value, width, stream);
  return made_up::ended(cudaSuccess);
}

// Streams and events: all work is complete when a call returns.

enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone };
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return *stream = nullptr, made_up::ended(cudaSuccess);
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  return *status = cudaStreamCaptureStatusNone, made_up::ended(cudaSuccess);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return made_up::ended(cudaSuccess); }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return *event = nullptr, made_up::ended(cudaSuccess);
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) { return made_up::ended(cudaSuccess); }
inline cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  return *milliseconds = 0, made_up::ended(cudaSuccess);
}
inline cudaError_t cudaEventQuery(cudaEvent_t) { return made_up::ended(cudaSuccess); }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return made_up::ended(cudaSuccess); }

#include "shared.h"

#include "launches.h"

// The driver's functions.

namespace made_up {

inline CUresult result(bool done) { return done ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY; }

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

inline void* driver_function(const std::string& name) {
  static const std::map<std::string, void*> functions{
      {"cuDeviceGetAttribute", address_of(+[](int* value, CUdevice_attribute, CUdevice) {
         return *value = machine().has_virtual_memory, CUDA_SUCCESS;
       })},
      {"cuMemGetAllocationGranularity",
       address_of(+[](std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
         return *bytes = 2 * mebibyte, CUDA_SUCCESS;
       })},
      {"cuMemAddressReserve", address_of(+[](CUdeviceptr* at, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long) {
         return result((*at = machine().reserve(bytes)) != 0);
       })},
      {"cuMemAddressFree",
       address_of(+[](CUdeviceptr at, std::size_t bytes) { return machine().unreserve(at, bytes), CUDA_SUCCESS; })},
      {"cuMemCreate", address_of(+[](CUmemGenericAllocationHandle* handle, std::size_t bytes, const CUmemAllocationProp*,
                                     unsigned long long) { return result(machine().create(bytes, *handle)); })},
      {"cuMemRelease", address_of(+[](CUmemGenericAllocationHandle handle) { return machine().release(handle), CUDA_SUCCESS; })},
      {"cuMemMap",
       address_of(+[](CUdeviceptr at, std::size_t bytes, std::size_t, CUmemGenericAllocationHandle handle, unsigned long long) {
         return machine().map(at, bytes, handle), CUDA_SUCCESS;
       })},
      {"cuMemUnmap", address_of(+[](CUdeviceptr at, std::size_t bytes) { return machine().unmap(at, bytes), CUDA_SUCCESS; })},
      {"cuMemSetAccess", address_of(+[](CUdeviceptr at, std::size_t bytes, const CUmemAccessDesc* access, std::size_t) {
         return machine().allow(at, bytes, access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS;
       })},
      {"cuPointerGetAttribute", address_of(+[](void* data, CUpointer_attribute attribute, CUdeviceptr at) {
         std::uintptr_t start = 0;
         std::size_t bytes = 0;
         if (!machine().range_of(at, start, bytes)) return CUDA_ERROR_INVALID_VALUE;
         if (attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE) start = bytes;
         return std::memcpy(data, &start, sizeof start), CUDA_SUCCESS;
       })},
      {"cuKernelGetParamInfo", address_of(&parameter_info)},
      {"cuKernelGetAttribute", address_of(&kernel_attribute)},
      {"cuKernelSetAttribute", address_of(&set_kernel_attribute)},
      {"cuOccupancyMaxActiveBlocksPerMultiprocessor", address_of(&occupancy)},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace made_up

enum { cudaEnableDefault = 0 };
inline cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long) {
  return *function = made_up::driver_function(name), made_up::ended(cudaSuccess);
}

// Device code.

template <class T>
T __ldg(const T* memory) {
  return *memory;
}
#define MADE_UP_ATOMIC(name, ...)                        \
  template <class T, class Value>                        \
  T name(T* memory, Value value) {                       \
    const T old = *memory;                               \
    *memory = static_cast<T>(__VA_ARGS__);               \
    return old;                                          \
  }
#define MADE_UP_ATOMICS(name, ...)            \
  MADE_UP_ATOMIC(name, __VA_ARGS__)           \
  MADE_UP_ATOMIC(name##_block, __VA_ARGS__)   \
  MADE_UP_ATOMIC(name##_system, __VA_ARGS__)
MADE_UP_ATOMICS(atomicAdd, old + value)
MADE_UP_ATOMICS(atomicSub, old - value)
MADE_UP_ATOMICS(atomicExch, value)
MADE_UP_ATOMICS(atomicMin, old < T(value) ? old : T(value))
MADE_UP_ATOMICS(atomicMax, old > T(value) ? old : T(value))
MADE_UP_ATOMICS(atomicInc, old >= value ? 0 : old + 1)
MADE_UP_ATOMICS(atomicDec, old == 0 || old > value ? value : old - 1)
MADE_UP_ATOMICS(atomicAnd, old & value)
MADE_UP_ATOMICS(atomicOr, old | value)
MADE_UP_ATOMICS(atomicXor, old ^ value)
template <class T, class Value>
T atomicCAS(T* memory, Value expected, Value value) {
  return *memory == expected ? std::exchange(*memory, static_cast<T>(value)) : *memory;
}
template <class T>
T atomicCAS_block(T* memory, T expected, T value) {
  return atomicCAS(memory, expected, value);
}
template <class T>
T atomicCAS_system(T* memory, T expected, T value) {
  return atomicCAS(memory, expected, value);
}
using std::max;
using std::min;
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __nanosleep(unsigned) {}
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __popc(unsigned value) { return __builtin_popcount(value); }

// Intrinsics of a warp, which no test calls.
int __reduce_add_sync(unsigned, int);
int __reduce_min_sync(unsigned, int);
int __reduce_max_sync(unsigned, int);
unsigned __reduce_add_sync(unsigned, unsigned);
unsigned __reduce_min_sync(unsigned, unsigned);
unsigned __reduce_max_sync(unsigned, unsigned);
unsigned __reduce_and_sync(unsigned, unsigned);
unsigned __reduce_or_sync(unsigned, unsigned);
unsigned __reduce_xor_sync(unsigned, unsigned);

inline unsigned __isLocal(const void*) { return 0; }
inline unsigned __isConstant(const void*) { return 0; }
