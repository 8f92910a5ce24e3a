// The driver API's memory: allocations, attributes of pointers, copies and fills.
#pragma once

#include "../stream_function.h"
#include "types.h"

// A report names the line of an allocation: the functions for it are always inlined.
#define HIRACE_DRIVER_ALLOCATION __attribute__((always_inline)) inline CUresult

HIRACE_DRIVER_ALLOCATION cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  void* pointer = nullptr;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaMalloc(&pointer, bytes);
  *address = reinterpret_cast<std::uintptr_t>(pointer);
  return hirace::cpu::driver_result(error);
}
HIRACE_DRIVER_ALLOCATION cuMemAllocManaged(CUdeviceptr* address, std::size_t bytes, unsigned int flags) {
  void* pointer = nullptr;
  const cudaError_t error = cudaMallocManaged(&pointer, bytes, flags);
  *address = reinterpret_cast<std::uintptr_t>(pointer);
  return hirace::cpu::driver_result(error);
}
HIRACE_DRIVER_ALLOCATION cuMemAllocPitch(CUdeviceptr* address, std::size_t* pitch, std::size_t width, std::size_t height, unsigned int) {
  void* pointer = nullptr;
  const cudaError_t error = cudaMallocPitch(&pointer, pitch, width, height);
  *address = reinterpret_cast<std::uintptr_t>(pointer);
  return hirace::cpu::driver_result(error);
}
HIRACE_DRIVER_ALLOCATION cuMemAllocAsync(CUdeviceptr* address, std::size_t bytes, CUstream stream) {
  void* pointer = nullptr;
  const hirace::cpu::CallName named("cuMemAllocAsync");
  const cudaError_t error = cudaMallocAsync(&pointer, bytes, stream);
  *address = reinterpret_cast<std::uintptr_t>(pointer);
  return hirace::cpu::driver_result(error);
}
HIRACE_DRIVER_ALLOCATION cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  return hirace::cpu::driver_result(cudaHostAlloc(pointer, bytes, flags));
}
HIRACE_DRIVER_ALLOCATION cuMemAllocHost(void** pointer, std::size_t bytes) { return cuMemHostAlloc(pointer, bytes, 0); }
#undef HIRACE_DRIVER_ALLOCATION

inline CUresult cuMemFree(CUdeviceptr address) { return hirace::cpu::driver_result(cudaFree(hirace::cpu::driver_pointer(address))); }
inline CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  const hirace::cpu::CallName named("cuMemFreeAsync");
  return hirace::cpu::driver_result(cudaFreeAsync(hirace::cpu::driver_pointer(address), stream));
}
inline CUresult cuMemFreeHost(void* pointer) { return hirace::cpu::driver_result(cudaFreeHost(pointer)); }
inline CUresult cuMemHostRegister(void* pointer, std::size_t bytes, unsigned int flags) {
  return hirace::cpu::driver_result(cudaHostRegister(pointer, bytes, flags));
}
inline CUresult cuMemHostUnregister(void* pointer) { return hirace::cpu::driver_result(cudaHostUnregister(pointer)); }
inline CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned int flags) {
  void* device = nullptr;
  const cudaError_t error = cudaHostGetDevicePointer(&device, pointer, flags);
  *address = reinterpret_cast<std::uintptr_t>(device);
  return hirace::cpu::driver_result(error);
}
inline CUresult cuMemHostGetFlags(unsigned int* flags, void* pointer) {
  return hirace::cpu::driver_result(cudaHostGetFlags(flags, pointer));
}
inline CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) { return hirace::cpu::driver_result(cudaMemGetInfo(free, total)); }

inline CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  cudaPointerAttributes found;
  const cudaError_t error = cudaPointerGetAttributes(&found, hirace::cpu::driver_pointer(address));
  if (error != cudaSuccess || found.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<CUmemorytype*>(value) = found.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(value) = reinterpret_cast<std::uintptr_t>(found.devicePointer);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (found.hostPointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
      *static_cast<void**>(value) = found.hostPointer;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned int*>(value) = found.type == cudaMemoryTypeManaged;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int*>(value) = found.device; return CUDA_SUCCESS;
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
}

namespace hirace::cpu {

// A copy in a stream, or one that the host waits for.
inline CUresult driver_copy(const char* name, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const CUstream* stream) {
  const CallName named(name);
  return driver_result(stream == nullptr ? cudaMemcpy(to, from, bytes, kind) : cudaMemcpyAsync(to, from, bytes, kind, *stream));
}

}  // namespace hirace::cpu

#define HIRACE_DRIVER_COPY(name, To, to, From, from, kind)                                       \
  inline CUresult cuMemcpy##name(To destination, From source, std::size_t bytes) {               \
    return hirace::cpu::driver_copy("cuMemcpy" #name, to, from, bytes, kind, nullptr);                             \
  }                                                                                              \
  inline CUresult cuMemcpy##name##Async(To destination, From source, std::size_t bytes, CUstream stream) { \
    return hirace::cpu::driver_copy("cuMemcpy" #name "Async", to, from, bytes, kind, &stream);                             \
  }
HIRACE_DRIVER_COPY(HtoD, CUdeviceptr, hirace::cpu::driver_pointer(destination), const void*, source, cudaMemcpyHostToDevice)
HIRACE_DRIVER_COPY(DtoH, void*, destination, CUdeviceptr, hirace::cpu::driver_pointer(source), cudaMemcpyDeviceToHost)
HIRACE_DRIVER_COPY(DtoD, CUdeviceptr, hirace::cpu::driver_pointer(destination), CUdeviceptr, hirace::cpu::driver_pointer(source),
                   cudaMemcpyDeviceToDevice)
HIRACE_DRIVER_COPY(, CUdeviceptr, hirace::cpu::driver_pointer(destination), CUdeviceptr, hirace::cpu::driver_pointer(source), cudaMemcpyDefault)
#undef HIRACE_DRIVER_COPY

namespace hirace::cpu {

// Where an end of a copy of rows begins; null for an array, which no copy of rows is to or from.
inline char* rows_of(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t x, std::size_t y, std::size_t pitch) {
  if (type == CU_MEMORYTYPE_ARRAY) return nullptr;
  const void* const base = type == CU_MEMORYTYPE_HOST ? host : driver_pointer(device);
  return const_cast<char*>(static_cast<const char*>(base)) + y * pitch + x;
}
inline CUresult driver_copy_rows(const char* name, const CUDA_MEMCPY2D& copy, const CUstream* stream) {
  const CallName named(name);
  char* const to = rows_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstXInBytes, copy.dstY, copy.dstPitch);
  const char* const from = rows_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcXInBytes, copy.srcY, copy.srcPitch);
  if (to == nullptr || from == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  const std::size_t to_pitch = copy.dstPitch == 0 ? copy.WidthInBytes : copy.dstPitch;
  const std::size_t from_pitch = copy.srcPitch == 0 ? copy.WidthInBytes : copy.srcPitch;
  return driver_result(stream == nullptr
                           ? cudaMemcpy2D(to, to_pitch, from, from_pitch, copy.WidthInBytes, copy.Height, cudaMemcpyDefault)
                           : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, copy.WidthInBytes, copy.Height, cudaMemcpyDefault, *stream));
}

}  // namespace hirace::cpu

inline CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) { return hirace::cpu::driver_copy_rows("cuMemcpy2D", *copy, nullptr); }
inline CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) { return cuMemcpy2D(copy); }
inline CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) { return hirace::cpu::driver_copy_rows("cuMemcpy2DAsync", *copy, &stream); }

namespace hirace::cpu {

// Fills rows with elements of two or four bytes, or of one.
template <class Element>
CUresult driver_fill(const char* name, CUdeviceptr address, std::size_t pitch, Element value, std::size_t width, std::size_t height,
                     CUstream stream, LibraryWaits waits) {
  if (width == 0 || height == 0) return CUDA_SUCCESS;
  auto* const to = static_cast<char*>(driver_pointer(address));
  if (address % sizeof(Element) != 0 || (height > 1 && pitch < width * sizeof(Element))) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device_range(to, (height - 1) * pitch + width * sizeof(Element))) return CUDA_ERROR_INVALID_VALUE;
  return driver_result(run_in_stream(name, stream, waits, [=] {
    for (std::size_t row = 0; row < height; ++row) {
      char* const start = to + row * pitch;
      library_writes(start, width * sizeof(Element));
      for (std::size_t i = 0; i < width; ++i) std::memcpy(start + i * sizeof(Element), &value, sizeof(Element));
    }
  }));
}

}  // namespace hirace::cpu

#define HIRACE_DRIVER_FILL(name, Element)                                                                                                 \
  inline CUresult cuMemset##name(CUdeviceptr to, Element value, std::size_t count) {                                                      \
    return hirace::cpu::driver_fill("cuMemset" #name, to, 0, value, count, 1, nullptr, hirace::cpu::LibraryWaits::for_nothing);           \
  }                                                                                                                                       \
  inline CUresult cuMemset##name##Async(CUdeviceptr to, Element value, std::size_t count, CUstream stream) {                              \
    return hirace::cpu::driver_fill("cuMemset" #name "Async", to, 0, value, count, 1, stream, hirace::cpu::LibraryWaits::for_nothing);    \
  }
#define HIRACE_DRIVER_FILL_2D(name, Element)                                                                                              \
  inline CUresult cuMemset##name(CUdeviceptr to, std::size_t pitch, Element value, std::size_t width, std::size_t height) {               \
    return hirace::cpu::driver_fill("cuMemset" #name, to, pitch, value, width, height, nullptr, hirace::cpu::LibraryWaits::for_nothing);  \
  }                                                                                                                                       \
  inline CUresult cuMemset##name##Async(CUdeviceptr to, std::size_t pitch, Element value, std::size_t width, std::size_t height,          \
                                        CUstream stream) {                                                                                \
    return hirace::cpu::driver_fill("cuMemset" #name "Async", to, pitch, value, width, height, stream,                                    \
                                    hirace::cpu::LibraryWaits::for_nothing);                                                              \
  }
HIRACE_DRIVER_FILL(D8, unsigned char)
HIRACE_DRIVER_FILL(D16, unsigned short)
HIRACE_DRIVER_FILL(D32, unsigned int)
HIRACE_DRIVER_FILL_2D(D2D8, unsigned char)
HIRACE_DRIVER_FILL_2D(D2D16, unsigned short)
HIRACE_DRIVER_FILL_2D(D2D32, unsigned int)
#undef HIRACE_DRIVER_FILL_2D
#undef HIRACE_DRIVER_FILL
