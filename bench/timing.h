// Shared by the programs in bench/: their sizes, resources and times.
//
// A program prints the median time of its launches, as its own events measure it; the same as
// processor time of all its OS threads together, which does not include other programs on the
// machine; the processor time of the same arithmetic in plain sequential C++, compiled with it; and
// the resources of a multiprocessor that the kernel needs, the device memory of the program, and the
// most host memory that was resident:
//
//   registers: 24
//   occupancy: 0.88
//   data bytes: 50331648
//   device bytes: 612368384
//   resident bytes: 612368384
//   milliseconds: 12.3
//   processor milliseconds: 24.5
//   sequential milliseconds: 4.5
//
// BENCH_LAUNCHES is the number of launches of the kernel. With BENCH_UNCOMPARED in the environment,
// the sequential code, which would take minutes at a GPU's sizes, does not run, and nothing is
// compared.
#pragma once

#include <cuda_runtime.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#ifndef BENCH_LAUNCHES
#define BENCH_LAUNCHES 5
#endif

constexpr int launches = BENCH_LAUNCHES;

// The size on the command line, so that slower tools can get a smaller one.
inline int requested_size(int argc, char** argv, int normal) { return argc > 1 ? std::atoi(argv[1]) : normal; }

inline bool is_compared() { return std::getenv("BENCH_UNCOMPARED") == nullptr; }

// Ends the program if a call of the runtime has failed: wrong times are worse than none.
inline void expect_success(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

inline double median_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

inline double processor_milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The events enclose the whole launch, including what a checker does for it on the host.
template <class Launch>
void print_median_time(Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<double> times, processor_times;
  for (int i = 0; i < launches; ++i) {
    const double before = processor_milliseconds();
    cudaEventRecord(begin);
    launch();
    expect_success(cudaGetLastError(), "the launch");
    cudaEventRecord(end);
    expect_success(cudaEventSynchronize(end), "the kernel");
    processor_times.push_back(processor_milliseconds() - before);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(milliseconds);
  }
  std::printf("milliseconds: %.4f\nprocessor milliseconds: %.4f\n", median_of(times), median_of(processor_times));
  // Including shadow, which allocations create, and tables, which the first launch creates.
  std::size_t free = 0, total = 0;
  expect_success(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  std::printf("device bytes: %zu\n", total - free);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf("resident bytes: %ld\n", used.ru_maxrss * 1024);
}

// `compute` stores its results where the compiler must assume that they are read.
template <class Compute>
void print_sequential_time(Compute compute) {
  if (!is_compared()) return;
  std::vector<double> times;
  for (int i = 0; i < launches; ++i) {
    const double before = processor_milliseconds();
    compute();
    asm volatile("" ::: "memory");
    times.push_back(processor_milliseconds() - before);
  }
  std::printf("sequential milliseconds: %.4f\n", median_of(times));
}

// A PTX file whose kernels the driver launches. With BENCH_PTX defined, the programs launch their kernels from the one
// that the environment variable BENCH_PTX names, and not those of the source.
#ifdef BENCH_PTX
#include <cuda.h>

inline CUfunction kernel_of_file(const char* name) {
  static const CUmodule module = [] {
    CUmodule loaded = nullptr;
    if (cuModuleLoad(&loaded, std::getenv("BENCH_PTX")) != CUDA_SUCCESS) std::exit(3);
    return loaded;
  }();
  CUfunction kernel = nullptr;
  if (cuModuleGetFunction(&kernel, module, name) != CUDA_SUCCESS) std::exit(3);
  return kernel;
}

template <class... Arguments>
void launch_from_file(const char* name, dim3 grid, dim3 block, Arguments... arguments) {
  static const CUfunction kernel = kernel_of_file(name);
  void* pointers[] = {&arguments...};
  if (cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, nullptr, pointers, nullptr) !=
      CUDA_SUCCESS) {
    std::exit(3);
  }
}
#endif

inline std::size_t data_bytes = 0;

// A copy of `host` in device memory.
template <class T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  expect_success(cudaMalloc(&device, host.size() * sizeof(T)), "cudaMalloc");
  expect_success(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  data_bytes += host.size() * sizeof(T);
  return device;
}

// The resources of the kernel with this block size, and how many bytes to_device has copied.
template <class Kernel>
void print_resources(Kernel* kernel, int block_threads) {
  cudaFuncAttributes attributes{};
  int blocks = 0, max_threads = 1;
  expect_success(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  expect_success(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_threads, 0), "the occupancy calculator");
  expect_success(cudaDeviceGetAttribute(&max_threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0), "cudaDeviceGetAttribute");
  std::printf("registers: %d\noccupancy: %.2f\ndata bytes: %zu\n", attributes.numRegs,
              static_cast<double>(blocks) * block_threads / max_threads, data_bytes);
}

// The exit status: 0 if the results of the kernel and of the sequential code are equal, up to the
// order of sums.
template <class T>
int compare(const T* device, const std::vector<T>& expected) {
  if (!is_compared()) return 0;
  std::vector<T> computed(expected.size());
  cudaMemcpy(computed.data(), device, computed.size() * sizeof(T), cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const double difference = static_cast<double>(computed[i]) - expected[i];
    if (std::abs(difference) > 1e-3 * (1 + std::abs(static_cast<double>(expected[i])))) {
      std::fprintf(stderr, "element %zu differs\n", i);
      return 1;
    }
  }
  return 0;
}
