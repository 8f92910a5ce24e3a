// Inclusive prefix sums in one pass over the data: each tile looks back at the tiles before it,
// whose sums or prefixes are in global memory, guarded by flags (Merrill and Garland).
//
//   look_back_scan [COUNT [SEED]]
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

#include <cuda_runtime.h>

#define REQUIRE(call)                                                             \
  do {                                                                            \
    const cudaError_t result_ = (call);                                           \
    if (result_ != cudaSuccess) {                                                 \
      std::cerr << #call << ": " << cudaGetErrorString(result_) << '\n';          \
      std::exit(2);                                                               \
    }                                                                             \
  } while (0)

namespace scan {

constexpr int block_size = 128;
constexpr int per_thread = 4;
constexpr int tile_size = block_size * per_thread;
constexpr int warps = block_size / 32;
constexpr unsigned everyone = 0xffffffffu;

enum Flag : int { nothing, sum_known, prefix_known };

// The data that tiles exchange. A value is valid once its flag is set.
template <class T>
struct Tiles {
  volatile int* flag;
  T* sum;
  T* prefix;
  unsigned* next;  // tiles are numbered in the order in which blocks start
};

struct Add {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Larger {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

template <class T, class Operation>
__device__ T warp_scan(T value, Operation op) {
  const int lane = threadIdx.x & 31;
  for (int offset = 1; offset < 32; offset <<= 1) {
    const T before = __shfl_up_sync(everyone, value, offset);
    if (lane >= offset) value = op(before, value);
  }
  return value;
}

// Separates a value from its flag, in the tile that writes them and in those that read them.
__device__ void fence() {
#ifndef RACE
  __threadfence();
#endif
}

template <class T>
__device__ void publish(const Tiles<T>& tiles, T* where, unsigned tile, T value, Flag flag) {
  where[tile] = value;
  fence();
  tiles.flag[tile] = flag;
}

// The prefix before `tile`, computed by its first thread.
template <class T, class Operation>
__device__ T look_back(const Tiles<T>& tiles, unsigned tile, Operation op) {
  T before{};
  bool any = false;
  for (int t = static_cast<int>(tile) - 1; t >= 0; --t) {
    int flag;
    do {
      flag = tiles.flag[t];
    } while (flag == nothing);
    fence();
    const T part = flag == prefix_known ? tiles.prefix[t] : tiles.sum[t];
    before = any ? op(part, before) : part;
    any = true;
    if (flag == prefix_known) break;
  }
  return before;
}

template <class T, class Operation>
__global__ void __launch_bounds__(block_size) inclusive(const T* __restrict__ in, T* __restrict__ out, int count,
                                                       Tiles<T> tiles, Operation op) {
  __shared__ unsigned tile;
  __shared__ T of_warp[warps];
  __shared__ T before_tile;
  if (threadIdx.x == 0) tile = atomicInc(tiles.next, 0xffffffffu);
  __syncthreads();

  const int begin = tile * tile_size + threadIdx.x * per_thread;
  T item[per_thread];
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    item[i] = begin + i < count ? in[begin + i] : T{};
    if (i > 0) item[i] = op(item[i - 1], item[i]);
  }
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const T scanned = warp_scan(item[per_thread - 1], op);
  if (lane == 31) of_warp[warp] = scanned;
  __syncthreads();

  if (threadIdx.x == 0) {
    T sum = of_warp[0];
    for (int w = 1; w < warps; ++w) sum = op(sum, of_warp[w]);
    if (tile == 0) {
      publish(tiles, tiles.prefix, tile, sum, prefix_known);
    } else {
      publish(tiles, tiles.sum, tile, sum, sum_known);
      before_tile = look_back(tiles, tile, op);
      publish(tiles, tiles.prefix, tile, op(before_tile, sum), prefix_known);
    }
  }
  __syncthreads();

  T before = before_tile;
  bool any = tile > 0;
  for (int w = 0; w < warp; ++w) {
    before = any ? op(before, of_warp[w]) : of_warp[w];
    any = true;
  }
  const T in_warp = __shfl_up_sync(everyone, scanned, 1);
  if (lane > 0) {
    before = any ? op(before, in_warp) : in_warp;
    any = true;
  }
#pragma unroll
  for (int i = 0; i < per_thread; ++i)
    if (begin + i < count) out[begin + i] = any ? op(before, item[i]) : item[i];
}

template <class T, class Operation>
void run(const T* in, T* out, int count, Operation op) {
  const int blocks = (count + tile_size - 1) / tile_size;
  // One allocation for all: sums, prefixes, flags, the counter.
  char* memory;
  const std::size_t bytes = blocks * (2 * sizeof(T) + sizeof(int)) + sizeof(unsigned);
  REQUIRE(cudaMalloc(&memory, bytes));
  REQUIRE(cudaMemset(memory, 0, bytes));
  T* const sum = reinterpret_cast<T*>(memory);
  T* const prefix = sum + blocks;
  int* const flag = reinterpret_cast<int*>(prefix + blocks);
  unsigned* const next = reinterpret_cast<unsigned*>(flag + blocks);
  inclusive<T><<<blocks, block_size>>>(in, out, count, Tiles<T>{flag, sum, prefix, next}, op);
  REQUIRE(cudaGetLastError());
  REQUIRE(cudaDeviceSynchronize());
  REQUIRE(cudaFree(memory));
}

}  // namespace scan

template <class T, class Operation>
bool test(const std::vector<T>& values, Operation op) {
  const int count = static_cast<int>(values.size());
  T *in, *out;
  REQUIRE(cudaMalloc(&in, count * sizeof(T)));
  REQUIRE(cudaMalloc(&out, count * sizeof(T)));
  REQUIRE(cudaMemcpy(in, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  scan::run(in, out, count, op);
  std::vector<T> result(count), expected(count);
  REQUIRE(cudaMemcpy(result.data(), out, count * sizeof(T), cudaMemcpyDeviceToHost));
  REQUIRE(cudaFree(in));
  REQUIRE(cudaFree(out));
  std::partial_sum(values.begin(), values.end(), expected.begin(), op);
  return result == expected;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 20000;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 8);
  if (count < 1) return 2;
  std::vector<unsigned> small(count);
  std::vector<long long> large(count);
  for (unsigned& value : small) value = random() % 1000;
  for (long long& value : large) value = random();
  if (!test(small, scan::Add{}) || !test(large, scan::Larger{})) {
    std::printf("look_back_scan: other sums than on the host, FAILED\n");
    return 1;
  }
  std::printf("look_back_scan: %d values, passed\n", count);
}
