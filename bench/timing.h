// Repeats a launch and prints the median of the times that the program's own
// events measured: "milliseconds: 12.3".
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

template <class Launch>
void print_median_time(int repetitions, Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int i = 0; i < repetitions; ++i) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  std::printf("milliseconds: %.4f\n", times[times.size() / 2]);
}
