// verdict: race
// race: lines 25 and 25, variable row, global
// repaired: clean
// Each thread sorts a row by an algorithm of thrust that runs in the thread; the rows overlap
// by an element.
// Repaired: each thread has a row of its own.
#include <cstdio>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

constexpr int kRows = 64;
constexpr int kWidth = 8;

#ifdef REPAIRED
__global__ void sort_rows(int* data, int* sums) {
  int* row = data + threadIdx.x * kWidth;
#else
__global__ void sort_rows(int* data) {
  int* row = data + threadIdx.x * (kWidth - 1);
#endif
  thrust::sort(thrust::seq, row, row + kWidth);
#ifdef REPAIRED
  sums[threadIdx.x] = thrust::reduce(thrust::seq, row, row + kWidth, 0);
#endif
}

int main() {
  thrust::host_vector<int> in(kRows * kWidth);
  for (int i = 0; i < kRows * kWidth; ++i) in[i] = i * 37 % 101;
  thrust::device_vector<int> data = in;
#ifdef REPAIRED
  thrust::device_vector<int> sums(kRows);
  sort_rows<<<1, kRows>>>(thrust::raw_pointer_cast(data.data()), thrust::raw_pointer_cast(sums.data()));
  thrust::host_vector<int> out = data;
  for (int row = 0; row < kRows; ++row) {
    int sum = 0;
    for (int i = row * kWidth; i < (row + 1) * kWidth; ++i) {
      if (i % kWidth != 0 && out[i - 1] > out[i]) {
        std::printf("row %d is not sorted\n", row);
        return 1;
      }
      sum += in[i];
    }
    if (sums[row] != sum) {
      std::printf("row %d: %d, not %d\n", row, static_cast<int>(sums[row]), sum);
      return 1;
    }
  }
#else
  sort_rows<<<1, kRows>>>(thrust::raw_pointer_cast(data.data()));
  cudaDeviceSynchronize();
#endif
  return 0;
}
