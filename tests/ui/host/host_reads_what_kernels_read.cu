// verdict: clean
// Nothing is wrong with these accesses while kernels run: the host reads what they only read, and
// accesses other elements, which it tells from theirs byte by byte.
#include <algorithm>
#include <numeric>

constexpr int n = 96;

__global__ void halve(const unsigned char* table, unsigned char* data) {
  data[2 * threadIdx.x] = table[threadIdx.x] / 2;
}

int main() {
  unsigned char *table, *data;
  cudaMallocManaged(&table, n);
  cudaMallocManaged(&data, 2 * n);
  std::iota(table, table + n, 0);
  std::fill(data, data + 2 * n, 1);
  halve<<<1, n>>>(table, data);
  const int sum = std::accumulate(table, table + n, 0);
  int others = 0;
  for (int i = 0; i < n; ++i) others += data[2 * i + 1]++;
  cudaDeviceSynchronize();
  return sum == n * (n - 1) / 2 && others == n && data[20] == 5 && data[21] == 2 ? 0 : 1;
}
