// Sorts records by a bitonic network, by any key and in any order.
//
//   bitonic_sort [number of records] [seed]
//
// Steps over short distances are done in shared memory, many per launch; each step over
// a long distance is a launch of its own. The number of records need not be a power of
// two: the array is padded with records that sort to the end.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include <cuda_runtime.h>

#define GPU_OK(call)                                                                       \
  do {                                                                                     \
    const auto code = (call);                                                              \
    if (code != cudaSuccess) {                                                             \
      std::fprintf(stderr, "%s(%d): %s\n", __FILE__, __LINE__, cudaGetErrorString(code));  \
      std::exit(2);                                                                        \
    }                                                                                      \
  } while (false)

struct Particle {
  float energy;
  int cell;
  unsigned id;
};

// Orders: function objects with `last`, a value that sorts after all others.
struct ByEnergy {
  __host__ __device__ bool operator()(const Particle& a, const Particle& b) const {
    return a.energy < b.energy || (a.energy == b.energy && a.id < b.id);
  }
  static Particle last() { return {std::numeric_limits<float>::infinity(), 0, ~0u}; }
};

struct ByCellDescending {
  __host__ __device__ bool operator()(const Particle& a, const Particle& b) const {
    return a.cell > b.cell || (a.cell == b.cell && a.id < b.id);
  }
  static Particle last() { return {0.0f, std::numeric_limits<int>::min(), ~0u}; }
};

template <typename T>
__device__ __forceinline__ void exchange(T& a, T& b) {
  const T kept = a;
  a = b;
  b = kept;
}

// Puts two elements in order, ascending or not. `index` is that of the first.
template <typename T, typename Before>
__device__ __forceinline__ void put_in_order(T& a, T& b, bool ascending, Before before) {
  if (before(b, a) == ascending) exchange(a, b);
}

// A block sorts its own tile: all steps over distances below the tile size, for the merges of
// `first_size` to `last_size` elements.
template <typename T, typename Before>
__global__ void sort_tiles(T* data, int first_size, int last_size, Before before) {
  extern __shared__ unsigned char s_raw[];
  T* tile = reinterpret_cast<T*>(s_raw);
  const int tile_size = 2 * blockDim.x;
  const int base = blockIdx.x * tile_size;
  const int t = threadIdx.x;
  tile[t] = data[base + t];
  tile[t + blockDim.x] = data[base + t + blockDim.x];
  for (int size = first_size; size <= last_size; size *= 2) {
    for (int distance = min(size, tile_size) / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const int i = 2 * t - (t & (distance - 1));
      put_in_order(tile[i], tile[i + distance], ((base + i) & size) == 0, before);
    }
  }
#ifndef RACE
  __syncthreads();
#endif
  data[base + t] = tile[t];
  data[base + t + blockDim.x] = tile[t + blockDim.x];
}

// One step over a long distance.
template <typename T, typename Before>
__global__ void step(T* data, int size, int distance, Before before) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = 2 * t - (t & (distance - 1));
  put_in_order(data[i], data[i + distance], (i & size) == 0, before);
}

template <typename T, typename Before>
void sort(std::vector<T>& records, Before before) {
  constexpr int threads = 128;
  constexpr int tile = 2 * threads;
  const size_t shared = tile * sizeof(T);
  int n = tile;
  while (n < static_cast<int>(records.size())) n *= 2;
  std::vector<T> padded(records);
  padded.resize(n, Before::last());

  T* data = nullptr;
  GPU_OK(cudaMalloc(&data, n * sizeof(T)));
  GPU_OK(cudaMemcpy(data, padded.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  GPU_OK(cudaEventCreate(&begin));
  GPU_OK(cudaEventCreate(&end));
  GPU_OK(cudaEventRecord(begin));
  const int blocks = n / tile;
  sort_tiles<<<blocks, threads, shared>>>(data, 2, tile, before);
  for (int size = 2 * tile; size <= n; size *= 2) {
    for (int distance = size / 2; distance >= tile; distance /= 2) step<<<blocks, threads>>>(data, size, distance, before);
    sort_tiles<<<blocks, threads, shared>>>(data, size, size, before);
  }
  GPU_OK(cudaGetLastError());
  GPU_OK(cudaEventRecord(end));
  GPU_OK(cudaEventSynchronize(end));
  float milliseconds = 0;
  GPU_OK(cudaEventElapsedTime(&milliseconds, begin, end));
  std::printf("%zu records, filled up to %d: %.2f ms\n", records.size(), n, milliseconds);
  GPU_OK(cudaMemcpy(records.data(), data, records.size() * sizeof(T), cudaMemcpyDeviceToHost));
  GPU_OK(cudaEventDestroy(begin));
  GPU_OK(cudaEventDestroy(end));
  GPU_OK(cudaFree(data));
}

static bool same(const Particle& a, const Particle& b) { return a.energy == b.energy && a.cell == b.cell && a.id == b.id; }

template <typename Before>
static int test(const char* name, const std::vector<Particle>& input, Before before) {
  std::vector<Particle> sorted(input), expected(input);
  sort(sorted, before);
  std::sort(expected.begin(), expected.end(), before);
  for (size_t i = 0; i < input.size(); ++i) {
    if (!same(sorted[i], expected[i])) {
      std::fprintf(stderr, "%s: record %zu is number %u, expected number %u\n", name, i, sorted[i].id, expected[i].id);
      return 1;
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1500;
  unsigned state = argc > 2 ? std::atoi(argv[2]) : 1;
  if (n < 1 || n > 1 << 24) {
    std::fprintf(stderr, "usage: bitonic_sort [number of records] [seed]\n");
    return 2;
  }
  std::vector<Particle> particles(n);
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    particles[i] = {static_cast<float>(state >> 12) / 1024.0f, static_cast<int>(state >> 20) % 100, static_cast<unsigned>(i)};
  }
  const int wrong = test("by energy", particles, ByEnergy()) + test("by cell, descending", particles, ByCellDescending());
  std::printf("bitonic_sort: %s\n", wrong ? "FAILED" : "OK");
  return wrong ? 1 : 0;
}
