#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "grid.h"

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 1;
  std::vector<float> host(4 * block_size);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i % 7);
  float *from, *to;
  cudaMalloc(reinterpret_cast<void**>(&from), host.size() * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&to), host.size() * sizeof(float));
  cudaMemcpy(from, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  for (int step = 0; step < steps; ++step) {
    smooth(from, to, static_cast<int>(host.size()));
    std::swap(from, to);
  }
  const float mean = sum(from, static_cast<int>(host.size())) / static_cast<float>(host.size());
  std::printf("%s: %g\n", TITLE, mean);
  cudaFree(from);
  cudaFree(to);
  return cudaDeviceSynchronize();
}
