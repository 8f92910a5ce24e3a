// What a launch costs, by the size of its grid, with little or much device memory in use.
//
// Prints microseconds of processor time per launch: "small GRIDxBLOCK: …" before, and "large GRIDxBLOCK: …" after a
// gibibyte was allocated and written.
#include "timing.h"

// One access, so that nearly all of the time is the launch's.
__global__ void touch(int* counters) { counters[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void fill(int* numbers, long n) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += long(gridDim.x) * blockDim.x) numbers[i] = 1;
}

void print_costs(const char* memory, int* counters) {
  constexpr int rounds = 2000;
  const int shapes[][2] = {{1, 32}, {1, 256}, {4, 256}, {64, 64}};
  for (const auto& shape : shapes) {
    std::vector<double> times;
    for (int launch = 0; launch < launches; ++launch) {
      const double before = processor_milliseconds();
      for (int i = 0; i < rounds; ++i) touch<<<shape[0], shape[1]>>>(counters);
      expect_success(cudaDeviceSynchronize(), "the kernel");
      times.push_back(1e3 * (processor_milliseconds() - before) / rounds);
    }
    std::printf("%s %dx%d: %.3f\n", memory, shape[0], shape[1], median_of(times));
  }
}

int main() {
  int *counters = nullptr, *large = nullptr;
  expect_success(cudaMalloc(&counters, 4096 * sizeof(int)), "cudaMalloc");
  expect_success(cudaMemset(counters, 0, 4096 * sizeof(int)), "cudaMemset");
  print_costs("small", counters);
  const long n = (1l << 30) / sizeof(int);
  expect_success(cudaMalloc(&large, n * sizeof(int)), "cudaMalloc");
  fill<<<1024, 256>>>(large, n);
  print_costs("large", counters);
}
