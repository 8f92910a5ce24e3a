// The CUDA runtime's memory functions: allocation, and attributes of pointers.
#pragma once

#include "error.h"
#include "untyped.h"

enum cudaMemoryType { cudaMemoryTypeUnregistered = 0, cudaMemoryTypeHost = 1, cudaMemoryTypeDevice = 2, cudaMemoryTypeManaged = 3 };

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

constexpr unsigned int cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4;
constexpr unsigned int cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4;
constexpr unsigned int cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2,
                       cudaHostRegisterIoMemory = 4, cudaHostRegisterReadOnly = 8;

// A report names the line of the call: the functions for pointers to a type are always inlined.
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
template <class T>
__attribute__((always_inline)) inline cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(hirace::cpu::untyped(pointer), bytes);
}
// Memory is freed immediately, so the device must be done with it.
cudaError_t cudaFree(void* pointer);

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int = cudaMemAttachGlobal);
template <class T>
__attribute__((always_inline)) inline cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(hirace::cpu::untyped(pointer), bytes, flags);
}

// Kernels can access pinned memory too, so it comes from the same heap.
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int);
template <class T>
__attribute__((always_inline)) inline cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) {
  return cudaHostAlloc(hirace::cpu::untyped(pointer), bytes, flags);
}
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int flags = cudaHostAllocDefault);
template <class T>
__attribute__((always_inline)) inline cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags = cudaHostAllocDefault) {
  return cudaHostAlloc(hirace::cpu::untyped(pointer), bytes, flags);
}
cudaError_t cudaFreeHost(void* pointer);

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int);
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(hirace::cpu::untyped(device), host, flags);
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaHostRegister(void* host, std::size_t bytes, unsigned int);
cudaError_t cudaHostUnregister(void* host);

// Rows begin at multiples of 512 bytes, as on current devices.
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
template <class T>
__attribute__((always_inline)) inline cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch(hirace::cpu::untyped(pointer), pitch, width, height);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

namespace hirace::cpu {

// Whether a range is in memory that a copy may treat as the device's.
bool is_device_range(const void* pointer, std::size_t bytes);

}  // namespace hirace::cpu
