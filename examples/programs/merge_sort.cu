// Merge sort of key-value pairs by any order: blocks sort tiles in shared memory, then passes
// merge neighbours. In each pass a block finds its part of two runs by a search along a
// diagonal of their merge matrix, so that all blocks have equal work.
//
//   merge_sort [COUNT [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

#define CUDA_CHECK(expression) check_cuda((expression), #expression, __LINE__)

inline void check_cuda(cudaError_t error, const char* expression, int line) {
  if (error == cudaSuccess) return;
  std::cerr << "line " << line << ": " << expression << ": " << cudaGetErrorName(error) << std::endl;
  std::exit(2);
}

struct Pair {
  unsigned key;
  int value;
};

// Orders as function objects, stable for equal keys.
struct Ascending {
  __host__ __device__ bool operator()(const Pair& a, const Pair& b) const { return a.key < b.key; }
};
struct ByLowBits {
  unsigned mask;
  __host__ __device__ bool operator()(const Pair& a, const Pair& b) const { return (a.key & mask) > (b.key & mask); }
};

template <int Threads, int PerThread>
struct Tile {
  static constexpr int threads = Threads;
  static constexpr int per_thread = PerThread;
  static constexpr int size = Threads * PerThread;
};

// The number of elements from `a` among the first `diagonal` of the merged sequence.
template <class T, class Less>
__host__ __device__ int merge_path(const T* a, int a_count, const T* b, int b_count, int diagonal, Less less) {
  int low = diagonal > b_count ? diagonal - b_count : 0;
  int high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (less(b[diagonal - 1 - middle], a[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Writes `count` elements of the merged sequence, one after the other.
template <class T, class Less>
__host__ __device__ void serial_merge(const T* a, int a_count, const T* b, int b_count, T* out, int count, Less less) {
  int i = 0, j = 0;
  for (int k = 0; k < count; ++k) {
    const bool from_b = i >= a_count || (j < b_count && less(b[j], a[i]));
    out[k] = from_b ? b[j++] : a[i++];
  }
}

template <class Tile, class T, class Less>
__global__ void __launch_bounds__(Tile::threads) sort_tiles(T* data, int count, Less less) {
  __shared__ T tile[Tile::size];
  const int begin = blockIdx.x * Tile::size;
  const int filled = min(Tile::size, count - begin);
  for (int i = threadIdx.x; i < filled; i += Tile::threads) tile[i] = data[begin + i];
  __syncthreads();

  // Each thread sorts its own elements by insertion ...
  const int mine = threadIdx.x * Tile::per_thread;
  const int end = min(mine + Tile::per_thread, filled);
  for (int i = mine + 1; i < end; ++i) {
    const T moved = tile[i];
    int j = i;
    for (; j > mine && less(moved, tile[j - 1]); --j) tile[j] = tile[j - 1];
    tile[j] = moved;
  }
  __syncthreads();

  // ... and the threads that own two runs merge them, each a part.
  for (int run = Tile::per_thread; run < Tile::size; run *= 2) {
    T merged[Tile::per_thread];
    const int base = mine / (2 * run) * (2 * run);
    const int a_begin = min(base, filled), b_begin = min(base + run, filled);
    const int a_count = b_begin - a_begin, b_count = min(base + 2 * run, filled) - b_begin;
    const int diagonal = min(mine - base, a_count + b_count);
    const int take = min(Tile::per_thread, a_count + b_count - diagonal);
    const T *a = tile + a_begin, *b = tile + b_begin;
    const int i = merge_path(a, a_count, b, b_count, diagonal, less);
    const int j = diagonal - i;
    serial_merge(a + i, a_count - i, b + j, b_count - j, merged, take, less);
#ifndef RACE
    __syncthreads();
#endif
    for (int k = 0; k < take; ++k) tile[base + diagonal + k] = merged[k];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < filled; i += Tile::threads) data[begin + i] = tile[i];
}

// One pass: runs of `run` elements in `in` become runs of twice the length in `out`.
template <class Tile, class T, class Less>
__global__ void merge_runs(const T* __restrict__ in, T* __restrict__ out, int count, int run, Less less) {
  const int start = (blockIdx.x * Tile::threads + threadIdx.x) * Tile::per_thread;
  if (start >= count) return;
  const int base = start / (2 * run) * (2 * run);
  const int b_begin = min(base + run, count);
  const T *a = in + base, *b = in + b_begin;
  const int a_count = b_begin - base, b_count = min(base + 2 * run, count) - b_begin;
  const int diagonal = start - base;
  const int i = merge_path(a, a_count, b, b_count, diagonal, less);
  const int take = min(Tile::per_thread, a_count + b_count - diagonal);
  serial_merge(a + i, a_count - i, b + (diagonal - i), b_count - (diagonal - i), out + start, take, less);
}

template <class T, class Less>
void merge_sort(T* data, int count, Less less) {
  using Shape = Tile<64, 8>;
  if (count == 0) return;
  const int blocks = (count + Shape::size - 1) / Shape::size;
  sort_tiles<Shape><<<blocks, Shape::threads>>>(data, count, less);
  CUDA_CHECK(cudaGetLastError());

  T* spare;
  CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&spare), count * sizeof(T)));
  T *from = data, *to = spare;
  for (int run = Shape::size; run < count; run *= 2, std::swap(from, to)) {
    merge_runs<Shape><<<blocks, Shape::threads>>>(from, to, count, run, less);
    CUDA_CHECK(cudaGetLastError());
  }
  if (from != data) CUDA_CHECK(cudaMemcpy(data, from, count * sizeof(T), cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaFree(spare));
}

template <class Less>
bool test(std::vector<Pair> pairs, Less less) {
  const int count = static_cast<int>(pairs.size());
  Pair* device;
  CUDA_CHECK(cudaMalloc(&device, std::max(count, 1) * sizeof(Pair)));
  CUDA_CHECK(cudaMemcpy(device, pairs.data(), count * sizeof(Pair), cudaMemcpyHostToDevice));
  merge_sort(device, count, less);
  std::vector<Pair> sorted(count);
  CUDA_CHECK(cudaMemcpy(sorted.data(), device, count * sizeof(Pair), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));

  std::stable_sort(pairs.begin(), pairs.end(), less);
  const auto same = [](const Pair& a, const Pair& b) { return a.key == b.key && a.value == b.value; };
  return std::equal(pairs.begin(), pairs.end(), sorted.begin(), same);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 5000;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 3);
  std::vector<Pair> pairs(count);
  for (int i = 0; i < count; ++i) pairs[i] = {static_cast<unsigned>(random()), i};

  if (!test(pairs, Ascending{}) || !test(pairs, ByLowBits{0xff}) || !test({pairs.begin(), pairs.begin() + 1}, Ascending{})) {
    std::cout << "merge_sort: not in order, FAILED" << std::endl;
    return 1;
  }
  std::cout << "merge_sort: " << count << " pairs, passed" << std::endl;
}
