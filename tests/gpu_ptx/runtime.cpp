// Memory, streams and events of the CUDA runtime (state.h). All work is complete when a call returns.
#include "state.h"

namespace {

using ptx_gpu::ended;
using ptx_gpu::Memory;
using ptx_gpu::state;

cudaError_t allocate(void** memory, std::size_t bytes, Memory kind) {
  *memory = bytes == 0 ? nullptr : ptx_gpu::allocate(bytes, kind);
  if (*memory == nullptr) return bytes == 0 ? cudaSuccess : ended(cudaErrorMemoryAllocation);
  state().memory[reinterpret_cast<std::uintptr_t>(*memory)] = bytes;
  return cudaSuccess;
}

cudaError_t release(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  if (state().memory.erase(reinterpret_cast<std::uintptr_t>(memory)) == 0) return ended(cudaErrorInvalidValue);
  return ended(ptx_gpu::release(memory));
}

// Null, with an error, if the program has no such variable.
char* variable(const void* symbol) {
  const auto found = state().variables.find(symbol);
  if (found != state().variables.end()) return static_cast<char*>(found->second);
  ended(cudaErrorInvalidSymbol);
  return nullptr;
}

// A handle that differs from all others, and from the default stream.
template <class Handle>
cudaError_t make(Handle* handle) {
  *handle = reinterpret_cast<Handle>(new char);
  return cudaSuccess;
}
template <class Handle>
cudaError_t destroy(Handle handle) {
  delete reinterpret_cast<char*>(handle);
  return cudaSuccess;
}

}  // namespace

extern "C" {

const char* cudaGetErrorString(cudaError_t) { return "an error of the GPU that runs PTX on the CPU executor"; }
const char* cudaGetErrorName(cudaError_t error) { return cudaGetErrorString(error); }
cudaError_t cudaPeekAtLastError() { return state().last_error; }
cudaError_t cudaGetLastError() { return std::exchange(state().last_error, cudaSuccess); }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return ended(device == 0); }
cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaDeviceReset() { return cudaSuccess; }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = 2; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = 228 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(ptx_gpu::max_shared); break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    default: return ended(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult*) {
  *function = ptx_gpu::driver_function(name);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return allocate(memory, bytes, Memory::device); }
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned) { return allocate(memory, bytes, Memory::managed); }
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) { return cudaMalloc(memory, bytes); }
cudaError_t cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(memory, *pitch * height);
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) { return allocate(memory, bytes, Memory::host); }
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) { return allocate(memory, bytes, Memory::host); }
cudaError_t cudaHostGetDevicePointer(void** mapped, void* memory, unsigned) { return *mapped = memory, cudaSuccess; }
cudaError_t cudaFree(void* memory) { return release(memory); }
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return release(memory); }
cudaError_t cudaFreeHost(void* memory) { return release(memory); }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{4} << 30;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  ptx_gpu::copy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind) {
  for (std::size_t row = 0; row < height; ++row) {
    ptx_gpu::copy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
  }
  return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  ptx_gpu::fill(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) { return cudaMemset(memory, value, bytes); }
cudaError_t cudaMemset2D(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  for (std::size_t row = 0; row < height; ++row) ptx_gpu::fill(static_cast<char*>(memory) + row * pitch, value, width);
  return cudaSuccess;
}
cudaError_t cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t) {
  return cudaMemset2D(memory, pitch, value, width, height);
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  *address = variable(symbol);
  return *address != nullptr ? cudaSuccess : cudaErrorInvalidSymbol;
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind) {
  char* const to = variable(symbol);
  if (to == nullptr) return cudaErrorInvalidSymbol;
  ptx_gpu::copy(to + offset, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind) {
  const char* const from = variable(symbol);
  if (from == nullptr) return cudaErrorInvalidSymbol;
  ptx_gpu::copy(to, from + offset, bytes);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return make(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return make(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return make(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) { return *milliseconds = 0, cudaSuccess; }

}  // extern "C"
