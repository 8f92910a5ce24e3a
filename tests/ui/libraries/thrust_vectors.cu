// verdict: clean
// A histogram with thrust's vectors, algorithms and iterators, and a kernel in between.
#include <cstdio>

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

struct Hash {
  __host__ __device__ int operator()(int i) const { return i * 7919 % 64; }
};
struct Scaled {
  int factor;
  __host__ __device__ int operator()(int x, int y) const { return factor * x + y; }
};
struct Product {
  template <class Pair>
  __host__ __device__ int operator()(const Pair& pair) const {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

__global__ void add_one(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

int main() {
  const int n = 1000;
  thrust::device_vector<int> keys(n);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), keys.begin(), Hash());
  add_one<<<(n + 127) / 128, 128>>>(thrust::raw_pointer_cast(keys.data()), n);
  thrust::sort(keys.begin(), keys.end());
  thrust::device_vector<int> bins(64), counts(64);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1), bins.begin(), counts.begin());
  if (ends.first != bins.end()) return 1;
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(bins.begin(), counts.begin()));
  thrust::device_vector<int> weights(64);
  thrust::transform(pairs, pairs + 64, weights.begin(), Product());
  const int total = thrust::reduce(weights.begin(), weights.end(), 0, thrust::plus<int>());
  thrust::transform(bins.begin(), bins.end(), counts.begin(), weights.begin(), Scaled{1000});
  thrust::sort(weights.begin(), weights.end(), thrust::greater<int>());
  thrust::host_vector<int> host = weights;
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += i * 7919 % 64 + 1;
  const int above = static_cast<int>(keys.end() - thrust::upper_bound(keys.begin(), keys.end(), 32));
  int expected_above = 0;
  for (int i = 0; i < n; ++i) expected_above += i * 7919 % 64 + 1 > 32;
  if (total != expected || above != expected_above || host[0] / 1000 != 64 || host.size() != 64) {
    std::printf("%d %d %d\n", total, above, host[0]);
    return 1;
  }
  bins[3] = 7;
  return bins[3] - 7;
}
