// verdict: race
// race: lines 15 and 15, variable row, global
// Each thread sorts a row by an algorithm of thrust that runs in the thread; the rows overlap
// by an element.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>

constexpr int kRows = 64;
constexpr int kWidth = 8;

__global__ void sort_rows(int* data) {
  int* row = data + threadIdx.x * (kWidth - 1);
  thrust::sort(thrust::seq, row, row + kWidth);
}

int main() {
  thrust::host_vector<int> in(kRows * kWidth);
  for (int i = 0; i < kRows * kWidth; ++i) in[i] = i * 37 % 101;
  thrust::device_vector<int> data = in;
  sort_rows<<<1, kRows>>>(thrust::raw_pointer_cast(data.data()));
  cudaDeviceSynchronize();
  return 0;
}
