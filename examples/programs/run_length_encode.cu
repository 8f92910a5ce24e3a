// Run-length encoding, from block-wide building blocks.
//
//   run_length_encode [numbers] [seed]
//
// Reductions, prefix sums and exchanges of a block are class templates, each with a type
// for the shared memory that it needs. A kernel puts those of its steps into a union, and
// has to pass a barrier before it reuses that memory for the next step.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

inline void check_cuda(cudaError_t code, int line) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "run_length_encode.cu:%d: %s\n", line, cudaGetErrorString(code));
  std::exit(2);
}
#define CU(...) check_cuda((__VA_ARGS__), __LINE__)

namespace block {

struct Sum {
  template <typename T>
  __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

template <typename T, typename Operation>
__device__ T warp_inclusive(T value, Operation operation) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int delta = 1; delta < 32; delta *= 2) {
    const T left = __shfl_up_sync(0xffffffffu, value, delta);
    if (lane >= delta) value = operation(left, value);
  }
  return value;
}

// Prefix sums of one value per thread.
template <typename T, int Threads>
class Scan {
 public:
  struct Storage {
    T warps[Threads / 32];
  };

  __device__ explicit Scan(Storage& storage) : storage_(storage) {}

  // The sum of the values of all threads before this one; `total` is that of all.
  __device__ T exclusive(T value, T& total) {
    const int warp = threadIdx.x / 32;
    const T inclusive = warp_inclusive(value, Sum());
    if (threadIdx.x % 32 == 31) storage_.warps[warp] = inclusive;
    __syncthreads();
    T before{};
    total = T{};
    for (int w = 0; w < Threads / 32; ++w) {
      if (w < warp) before += storage_.warps[w];
      total += storage_.warps[w];
    }
    return before + inclusive - value;
  }

 private:
  Storage& storage_;
};

// Any associative operation over one value per thread; the first thread gets the result.
template <typename T, int Threads>
class Reduce {
 public:
  struct Storage {
    T values[Threads];
  };

  __device__ explicit Reduce(Storage& storage) : values_(storage.values) {}

  template <typename Operation>
  __device__ T operator()(T value, Operation operation) {
    const int t = threadIdx.x;
    values_[t] = value;
    for (int half = Threads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (t < half) values_[t] = operation(values_[t], values_[t + half]);
    }
    return t == 0 ? values_[0] : value;
  }

 private:
  T* values_;
};

// Loads a tile along the array and gives each thread consecutive items.
template <typename T, int Threads, int Items>
class Load {
 public:
  struct Storage {
    T items[Threads * Items + 1];
  };

  __device__ explicit Load(Storage& storage) : storage_(storage) {}

  // Item -1 of the tile is `before` if there is none. Returns the number of items.
  __device__ int operator()(const T* in, int n, int tile, T before, T (&items)[Items + 1]) {
    const int first = tile * Threads * Items;
    const int count = min(n - first, Threads * Items);
    for (int i = threadIdx.x; i <= Threads * Items; i += Threads) {
      const int at = first + i - 1;
      storage_.items[i] = at < 0 ? before : at < n ? in[at] : T{};
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k <= Items; ++k) items[k] = storage_.items[threadIdx.x * Items + k];
    return count;
  }

 private:
  Storage& storage_;
};

}  // namespace block

constexpr int kThreads = 128;
constexpr int kItems = 4;
constexpr int kTile = kThreads * kItems;

using LoadTile = block::Load<int, kThreads, kItems>;
using CountHeads = block::Reduce<int, kThreads>;
using ScanCounts = block::Scan<int, kThreads>;

// Bits of a thread's items that differ from their predecessors.
__device__ unsigned head_bits(const int (&items)[kItems + 1], int count, bool first_tile) {
  unsigned bits = 0;
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = threadIdx.x * kItems + k;
    const bool very_first = first_tile && i == 0;
    if (i < count && (very_first || items[k + 1] != items[k])) bits |= 1u << k;
  }
  return bits;
}

__global__ void __launch_bounds__(kThreads) count_runs(const int* __restrict__ in, int n, int* tile_runs) {
  __shared__ union {
    LoadTile::Storage load;
    CountHeads::Storage reduce;
  } storage;
  int items[kItems + 1];
  const int count = LoadTile(storage.load)(in, n, blockIdx.x, 0, items);
  const int heads = __popc(head_bits(items, count, blockIdx.x == 0));
#ifndef RACE
  __syncthreads();  // all threads have read their items: the memory is free
#endif
  const int total = CountHeads(storage.reduce)(heads, block::Sum());
  if (threadIdx.x == 0) tile_runs[blockIdx.x] = total;
}

// Turns counts into positions, by one block; `counts[n]` becomes the total.
__global__ void __launch_bounds__(kThreads) places(int* counts, int n) {
  __shared__ ScanCounts::Storage storage;
  int before = 0;
  for (int base = 0; base < n; base += kThreads) {
    const int i = base + threadIdx.x;
    int total;
    const int place = ScanCounts(storage).exclusive(i < n ? counts[i] : 0, total);
    if (i < n) counts[i] = before + place;
    before += total;
    __syncthreads();
  }
  if (threadIdx.x == 0) counts[n] = before;
}

__global__ void __launch_bounds__(kThreads)
    write_runs(const int* __restrict__ in, int n, const int* __restrict__ tile_place, int* values, int* starts) {
  __shared__ union {
    LoadTile::Storage load;
    ScanCounts::Storage scan;
  } storage;
  int items[kItems + 1];
  const int count = LoadTile(storage.load)(in, n, blockIdx.x, 0, items);
  const unsigned heads = head_bits(items, count, blockIdx.x == 0);
  __syncthreads();
  int total;
  int place = tile_place[blockIdx.x] + ScanCounts(storage.scan).exclusive(__popc(heads), total);
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    if (heads >> k & 1) {
      values[place] = items[k + 1];
      starts[place] = blockIdx.x * kTile + threadIdx.x * kItems + k;
      ++place;
    }
  }
}

struct Run {
  int length;
  int number;
};

// The longer run, or the first of two equally long ones.
struct Longer {
  __device__ Run operator()(const Run& a, const Run& b) const {
    return b.length > a.length || (b.length == a.length && b.number < a.number) ? b : a;
  }
};

// Turns starts into lengths, and finds the longest run.
__global__ void __launch_bounds__(kThreads)
    measure(const int* __restrict__ starts, int runs, int n, int* lengths, unsigned long long* longest) {
  using FindLongest = block::Reduce<Run, kThreads>;
  __shared__ FindLongest::Storage storage;
  Run best{0, runs};
  for (int r = blockIdx.x * kThreads + threadIdx.x; r < runs; r += gridDim.x * kThreads) {
    const int length = (r + 1 < runs ? starts[r + 1] : n) - starts[r];
    lengths[r] = length;
    best = Longer()(best, {length, r});
  }
  best = FindLongest(storage)(best, Longer());
  if (threadIdx.x == 0) {
    // Of equally long runs the first must win: numbers count down.
    atomicMax(longest, static_cast<unsigned long long>(best.length) << 32 | (0xffffffffu - best.number));
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 40000;
  unsigned state = argc > 2 ? std::atoi(argv[2]) : 1;
  if (n < 1) {
    std::fprintf(stderr, "usage: run_length_encode [numbers] [seed]\n");
    return 2;
  }
  std::vector<int> input(n);
  for (int i = 0, left = 0, value = 0; i < n; ++i, --left) {
    if (left == 0) {
      state = state * 1664525u + 1013904223u;
      left = 1 + (state >> 24) % (state & 0x10000 ? 30 : 3);
      value = (state >> 10) % 50;
    }
    input[i] = value;
  }

  const int tiles = (n + kTile - 1) / kTile;
  int *in, *tile_places, *values, *starts, *lengths;
  unsigned long long* longest;
  CU(cudaMalloc(&in, n * sizeof(int)));
  CU(cudaMalloc(&tile_places, (tiles + 1) * sizeof(int)));
  CU(cudaMalloc(&longest, sizeof *longest));
  CU(cudaMemcpy(in, input.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CU(cudaMemset(longest, 0, sizeof *longest));
  cudaEvent_t start, stop;
  CU(cudaEventCreate(&start));
  CU(cudaEventCreate(&stop));
  CU(cudaEventRecord(start));
  count_runs<<<tiles, kThreads>>>(in, n, tile_places);
  places<<<1, kThreads>>>(tile_places, tiles);
  CU(cudaGetLastError());
  int runs = 0;
  CU(cudaMemcpy(&runs, tile_places + tiles, sizeof runs, cudaMemcpyDeviceToHost));
  if (runs < 1 || runs > n) {
    std::printf("run_length_encode: FAILED, %d runs\n", runs);
    return 1;
  }
  for (int** list : {&values, &starts, &lengths}) CU(cudaMalloc(list, runs * sizeof(int)));
  write_runs<<<tiles, kThreads>>>(in, n, tile_places, values, starts);
  measure<<<8, kThreads>>>(starts, runs, n, lengths, longest);
  CU(cudaGetLastError());
  CU(cudaEventRecord(stop));
  CU(cudaEventSynchronize(stop));
  float milliseconds = 0;
  CU(cudaEventElapsedTime(&milliseconds, start, stop));

  std::vector<int> found_values(runs), found_lengths(runs);
  unsigned long long found_longest = 0;
  CU(cudaMemcpy(found_values.data(), values, runs * sizeof(int), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(found_lengths.data(), lengths, runs * sizeof(int), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(&found_longest, longest, sizeof found_longest, cudaMemcpyDeviceToHost));
  for (void* pointer : {(void*)in, (void*)tile_places, (void*)values, (void*)starts, (void*)lengths, (void*)longest}) CU(cudaFree(pointer));
  CU(cudaEventDestroy(start));
  CU(cudaEventDestroy(stop));

  std::vector<int> expected_values, expected_lengths;
  for (int i = 0; i < n; ++i) {
    if (i == 0 || input[i] != input[i - 1]) {
      expected_values.push_back(input[i]);
      expected_lengths.push_back(0);
    }
    ++expected_lengths.back();
  }
  size_t best = 0;
  for (size_t r = 0; r < expected_lengths.size(); ++r) best = expected_lengths[r] > expected_lengths[best] ? r : best;
  std::printf("%d numbers, %d runs, the longest of %d: %.2f ms\n", n, runs, static_cast<int>(found_longest >> 32), milliseconds);
  const unsigned long long expected_longest = static_cast<unsigned long long>(expected_lengths[best]) << 32 | (0xffffffffu - best);
  if (found_values != expected_values || found_lengths != expected_lengths || found_longest != expected_longest) {
    std::printf("run_length_encode: FAILED, %zu runs expected\n", expected_values.size());
    return 1;
  }
  std::printf("run_length_encode: OK\n");
  return 0;
}
