//! run -> 0
// The runtime API: memory, copies, errors, streams, events, properties.
#include <cuda_runtime.h>

#include <cstring>
#include <thread>
#include <vector>

#include "check.h"

#define ERROR_IS(call, error) CHECK((call) == error && cudaGetLastError() == error)

__constant__ float coefficients[8];
__device__ int symbol = 1;

__global__ void scale(float* data) { data[threadIdx.x] *= coefficients[threadIdx.x % 8]; }

void test_allocation() {
  float* a = nullptr;
  ERROR_IS(cudaMalloc(static_cast<void**>(nullptr), 4), cudaErrorInvalidValue);
  CHECK(cudaMalloc(&a, 0) == cudaSuccess && a == nullptr);
  ERROR_IS(cudaMalloc(&a, ~std::size_t{0} / 2), cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&a, 1000) == cudaSuccess && reinterpret_cast<std::uintptr_t>(a) % 256 == 0);
  ERROR_IS(cudaFree(a + 1), cudaErrorInvalidValue);
  ERROR_IS(cudaFreeHost(a), cudaErrorInvalidValue);
  CHECK(cudaFree(a) == cudaSuccess);
  ERROR_IS(cudaFree(a), cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);

  // Allocations do not overlap, and freed memory is reused.
  std::vector<char*> all;
  std::size_t free_before = 0, free_after = 0, total = 0;
  CHECK(cudaMemGetInfo(&free_before, &total) == cudaSuccess && free_before <= total);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < 300; ++i) {
      char* p = nullptr;
      const std::size_t bytes = 1 + i * i * 7 % 200000;
      CHECK(cudaMalloc(&p, bytes) == cudaSuccess);
      CHECK(cudaMemset(p, static_cast<int>(i % 256), bytes) == cudaSuccess);
      all.push_back(p);
    }
    for (std::size_t i = 0; i < 300; ++i) CHECK(static_cast<unsigned char>(*all[i]) == i % 256);
    for (std::size_t i = 0; i < 300; ++i) CHECK(cudaFree(all[i * 7 % 300]) == cudaSuccess);
    all.clear();
  }
  CHECK(cudaMemGetInfo(&free_after, &total) == cudaSuccess && free_before == free_after);

  int *managed_memory = nullptr, *pinned = nullptr, *mapped = nullptr;
  CHECK(cudaMallocManaged(&managed_memory, 64) == cudaSuccess && cudaMallocHost(&pinned, 64) == cudaSuccess);
  CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess && mapped == pinned);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, managed_memory) == cudaSuccess && attributes.type == cudaMemoryTypeManaged);
  CHECK(cudaPointerGetAttributes(&attributes, pinned + 3) == cudaSuccess && attributes.type == cudaMemoryTypeHost);
  CHECK(cudaPointerGetAttributes(&attributes, &total) == cudaSuccess && attributes.type == cudaMemoryTypeUnregistered);
  CHECK(cudaFree(managed_memory) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess);
}

void test_copies() {
  std::vector<float> host(256), back(256);
  for (int i = 0; i < 256; ++i) host[i] = static_cast<float>(i);
  float *a = nullptr, *b = nullptr;
  const std::size_t bytes = 256 * sizeof(float);
  CHECK(cudaMalloc(&a, bytes) == cudaSuccess && cudaMalloc(&b, bytes) == cudaSuccess);
  CHECK(cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(back.data(), b, bytes, cudaMemcpyDeviceToHost) == cudaSuccess && back == host);
  CHECK(cudaMemcpy(back.data(), a, bytes, cudaMemcpyDefault) == cudaSuccess);
  ERROR_IS(cudaMemcpy(a, host.data(), bytes + 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  ERROR_IS(cudaMemcpy(a + 1, b, bytes, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  ERROR_IS(cudaMemcpy(a, host.data(), bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  ERROR_IS(cudaMemcpy(nullptr, a, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  ERROR_IS(cudaMemset(host.data(), 0, 4), cudaErrorInvalidValue);

  const float factors[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(cudaMemcpyToSymbol(coefficients, factors, sizeof factors) == cudaSuccess);
  ERROR_IS(cudaMemcpyToSymbol(coefficients, factors, sizeof factors, 4), cudaErrorInvalidValue);
  launch("scale", 1, 256, 0, [=] { scale(a); });
  CHECK(cudaMemcpy(back.data(), a, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < 256; ++i) CHECK(back[i] == host[i] * static_cast<float>(i % 8 + 1));

  int value = 5;
  void* address = nullptr;
  CHECK(cudaMemcpyToSymbol(symbol, &value, sizeof value) == cudaSuccess && symbol == 5);
  CHECK(cudaGetSymbolAddress(&address, symbol) == cudaSuccess && cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost) == cudaSuccess);

  char* rows = nullptr;
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&rows, &pitch, 100, 10) == cudaSuccess && pitch >= 100 && pitch % 256 == 0);
  char image[10][120], copy[10][120];
  for (int y = 0; y < 10; ++y) std::memset(image[y], 'a' + y, 120);
  std::memset(copy, 0, sizeof copy);
  CHECK(cudaMemcpy2D(rows, pitch, image, 120, 100, 10, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(copy, 120, rows, pitch, 100, 10, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(copy[9][99] == 'j' && copy[9][100] == 0);
  ERROR_IS(cudaMemcpy2D(rows, 50, image, 120, 100, 10, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  CHECK(cudaFree(rows) == cudaSuccess && cudaFree(a) == cudaSuccess && cudaFree(b) == cudaSuccess);
}

cudaError_t launch_error(dim3 grid, dim3 block, std::size_t shared) {
  hirace::cpu::launch(hirace::LaunchInfo{"nothing", 0, true, 3, 0u, ~0u}, grid, block, shared, nullptr, [] { std::abort(); });
  CHECK(cudaPeekAtLastError() == cudaPeekAtLastError());
  return cudaGetLastError();
}

void test_errors() {
  CHECK(launch_error(1, 1025, 0) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(1, 0, 0) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(0, 1, 0) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(dim3(1, 65536), 1, 0) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(1, dim3(1, 1, 65), 0) == cudaErrorInvalidConfiguration);
  CHECK(launch_error(1, 1, 228 * 1024) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") == 0);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
  CHECK(cudaErrorIllegalAddress == 700 && cudaErrorUnknown == 999);
}

void test_streams_and_devices() {
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, stop = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess);
  float milliseconds = -1;
  ERROR_IS(cudaEventElapsedTime(&milliseconds, start, stop), cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(start, stream) == cudaSuccess);
  launch("nothing", 10, 10, 0, [] {});
  CHECK(cudaEventRecord(stop, stream) == cudaSuccess && cudaEventSynchronize(stop) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess && milliseconds > 0);
  int called = 0;
  CHECK(cudaLaunchHostFunc(stream, [](void* data) { *static_cast<int*>(data) = 1; }, &called) == cudaSuccess && called == 1);
  CHECK(cudaStreamWaitEvent(stream, stop, 0) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(stop) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess);

  int count = 0, value = 0;
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count == 1 && cudaSetDevice(0) == cudaSuccess);
  ERROR_IS(cudaSetDevice(1), cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess && value == properties.multiProcessorCount);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, 256, 0) == cudaSuccess && value == 8);
  CHECK(cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024) == cudaSuccess);

  float* data = managed<float>(8);
  for (int i = 0; i < 8; ++i) data[i] = 1;
  void* arguments[] = {&data};
  CHECK(cudaLaunchKernel(scale, 1, 8, arguments) == cudaSuccess && data[7] == 8);
  void* kernel_is_typed[] = {&data};
  ERROR_IS(cudaLaunchCooperativeKernel(scale, 1 << 20, 1024, kernel_is_typed), cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaDeviceReset() == cudaSuccess);
  ERROR_IS(cudaFree(data), cudaErrorInvalidValue);
}

void test_names_of_cuda_3() {
  std::size_t bytes = 0;
  cudaFuncCache preferred = cudaFuncCachePreferShared;
  CHECK(cudaSetDeviceFlags(cudaDeviceBlockingSync) == cudaSuccess);
  CHECK(cudaThreadSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
  CHECK(cudaThreadGetLimit(&bytes, cudaLimitStackSize) == cudaSuccess && bytes == 4096);
  CHECK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess && cudaThreadGetCacheConfig(&preferred) == cudaSuccess);
  float* data = managed<float>(8);
  CHECK(cudaThreadSynchronize() == cudaSuccess && cudaThreadExit() == cudaSuccess);
  ERROR_IS(cudaFree(data), cudaErrorInvalidValue);
}

// Every host thread may launch; its kernels run one after another with the others'.
void test_host_threads() {
  int* counts = managed<int>(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([=] {
      for (int round = 0; round < 20; ++round) {
        launch("count", 4, 64, 0, [=] {
          hirace::syncthreads(0);
          hirace::atomicAdd(0, &counts[i], 1);
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) CHECK(counts[i] == 20 * 4 * 64);
}

int main() {
  test_host_threads();
  test_allocation();
  test_copies();
  test_errors();
  test_streams_and_devices();
  test_names_of_cuda_3();
}
