// What the programs in bench/ have in common: their size, and their times.
//
// A program prints the median time of its launches, as its own events measure it; the same
// as processor time, of all its OS threads together, in which other programs on the machine
// do not count; and the processor time of the same arithmetic in plain sequential C++,
// compiled with it:
//
//   milliseconds: 12.3
//   processor milliseconds: 24.5
//   sequential milliseconds: 4.5
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

// The size that the command line asks for, so that slower tools can be given less to do.
inline int size_asked_for(int argc, char** argv, int normal) { return argc > 1 ? std::atoi(argv[1]) : normal; }

inline double median_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

inline double processor_milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Launch>
void print_median_time(int repetitions, Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<double> times, processor_times;
  for (int i = 0; i < repetitions; ++i) {
    const double before = processor_milliseconds();
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    processor_times.push_back(processor_milliseconds() - before);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(milliseconds);
  }
  std::printf("milliseconds: %.4f\nprocessor milliseconds: %.4f\n", median_of(times), median_of(processor_times));
}

// `compute` leaves its results where the compiler cannot see that nobody looks at them.
template <class Compute>
void print_sequential_time(int repetitions, Compute compute) {
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const double before = processor_milliseconds();
    compute();
    asm volatile("" ::: "memory");
    times.push_back(processor_milliseconds() - before);
  }
  std::printf("sequential milliseconds: %.4f\n", median_of(times));
}

// A copy of `host` in device memory.
template <class T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

// The exit status: 0 where the kernel has computed what the sequential code did, up to
// the order of sums.
template <class T>
int compare(const T* device, const std::vector<T>& expected) {
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
