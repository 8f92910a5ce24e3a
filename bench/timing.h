// What the programs in bench/ have in common: their size, what they take, and their times.
//
// A program prints the median time of its launches, as its own events measure it; the same
// as processor time, of all its OS threads together, in which other programs on the machine
// do not count; the processor time of the same arithmetic in plain sequential C++,
// compiled with it; and what the kernel needs of a multiprocessor and the program of the
// device's memory:
//
//   registers: 24
//   occupancy: 0.88
//   data bytes: 50331648
//   device bytes: 612368384
//   milliseconds: 12.3
//   processor milliseconds: 24.5
//   sequential milliseconds: 4.5
//
// BENCH_LAUNCHES says how often the kernel is launched. With BENCH_UNCOMPARED in the
// environment there is no sequential code, which at a GPU's sizes would take minutes, and
// nothing to compare with.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#ifndef BENCH_LAUNCHES
#define BENCH_LAUNCHES 5
#endif

constexpr int launches = BENCH_LAUNCHES;

// The size that the command line asks for, so that slower tools can be given less to do.
inline int size_asked_for(int argc, char** argv, int normal) { return argc > 1 ? std::atoi(argv[1]) : normal; }

inline bool is_compared() { return std::getenv("BENCH_UNCOMPARED") == nullptr; }

// Ends the program where a call of the runtime has failed: times of nothing are worse than none.
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

// Between the events lies all that the launch takes, with what a checker does on the host for it.
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
  // With shadow, which comes with allocations, and tables, which come with the first launch.
  std::size_t free = 0, total = 0;
  expect_success(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  std::printf("device bytes: %zu\n", total - free);
}

// `compute` leaves its results where the compiler cannot see that nobody looks at them.
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

// What the kernel needs in blocks of so many threads, and how many bytes to_device has copied.
template <class Kernel>
void print_resources(Kernel* kernel, int block_threads) {
  cudaFuncAttributes attributes{};
  int blocks = 0, most_threads = 1;
  expect_success(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  expect_success(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_threads, 0), "the occupancy calculator");
  expect_success(cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0), "cudaDeviceGetAttribute");
  std::printf("registers: %d\noccupancy: %.2f\ndata bytes: %zu\n", attributes.numRegs,
              static_cast<double>(blocks) * block_threads / most_threads, data_bytes);
}

// The exit status: 0 where the kernel has computed what the sequential code did, up to
// the order of sums.
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
