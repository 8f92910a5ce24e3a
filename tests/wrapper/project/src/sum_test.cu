#include <cstdio>
#include <vector>

#include "grid.h"

int main() {
  const std::vector<float> ones(4 * block_size, 1.0f);
  float* values;
  cudaMalloc(&values, ones.size() * sizeof(float));
  cudaMemcpy(values, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice);
  const float result = sum(values, static_cast<int>(ones.size()));
  std::printf("%s: sum %g\n", __FILE__, result);
  cudaFree(values);
}
