// All shortest paths of a weighted graph by the blocked Floyd-Warshall algorithm: in each round
// first the pivot tile, then its row and column, then all others.
//
//   floyd_warshall [VERTICES [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include <cuda_runtime.h>

namespace {

void must(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "floyd_warshall: %s\n", cudaGetErrorString(error));
    std::exit(2);
  }
}

using Distance = int;
constexpr Distance unreachable = std::numeric_limits<Distance>::max() / 2;

// A matrix whose side is a multiple of the tile's.
struct Matrix {
  Distance* data;
  int side;
  __device__ Distance& at(int row, int column) const { return data[static_cast<std::size_t>(row) * side + column]; }
};

// Relaxes `target` by the paths over each vertex of the pivot tile. Row k and column k of the
// pivot tile do not change in step k, because the diagonal is 0 and lengths are not negative.
__device__ void relax_dependent(Distance* target, const Distance* left, const Distance* right, int tile) {
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < tile; ++k) {
    const Distance over = left[y * tile + k] + right[k * tile + x];
#ifdef RACE
    target[y * tile + x] = min(target[y * tile + x], over);  // the same value, but written
#else
    if (over < target[y * tile + x]) target[y * tile + x] = over;
#endif
    __syncthreads();
  }
}

__global__ void pivot_tile(Matrix d, int round) {
  extern __shared__ Distance shared[];
  const int tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
  const int row = round * tile + y, column = round * tile + x;
  shared[y * tile + x] = d.at(row, column);
  __syncthreads();
  relax_dependent(shared, shared, shared, tile);
  d.at(row, column) = shared[y * tile + x];
}

// blockIdx.y 0: the row of the pivot tile; 1: its column.
__global__ void pivot_cross(Matrix d, int round) {
  extern __shared__ Distance shared[];
  if (blockIdx.x == round) return;
  const int tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
  Distance* const pivot = shared;
  Distance* const own = shared + tile * tile;
  const bool in_row = blockIdx.y == 0;
  const int row = (in_row ? round : blockIdx.x) * tile + y;
  const int column = (in_row ? blockIdx.x : round) * tile + x;
  pivot[y * tile + x] = d.at(round * tile + y, round * tile + x);
  own[y * tile + x] = d.at(row, column);
  __syncthreads();
  if (in_row)
    relax_dependent(own, pivot, own, tile);
  else
    relax_dependent(own, own, pivot, tile);
  d.at(row, column) = own[y * tile + x];
}

__global__ void other_tiles(Matrix d, int round) {
  extern __shared__ Distance shared[];
  if (blockIdx.x == round || blockIdx.y == round) return;
  const int tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  Distance* const left = shared;
  Distance* const up = shared + tile * tile;
  left[y * tile + x] = d.at(row, round * tile + x);
  up[y * tile + x] = d.at(round * tile + y, column);
  __syncthreads();
  Distance best = d.at(row, column);
  for (int k = 0; k < tile; ++k) best = min(best, left[y * tile + k] + up[k * tile + x]);
  d.at(row, column) = best;
}

void shortest_paths(Matrix d, int tile) {
  const int rounds = d.side / tile;
  const dim3 block(tile, tile);
  const std::size_t bytes = tile * tile * sizeof(Distance);
  for (int round = 0; round < rounds; ++round) {
    pivot_tile<<<1, block, bytes>>>(d, round);
    pivot_cross<<<dim3(rounds, 2), block, 2 * bytes>>>(d, round);
    other_tiles<<<dim3(rounds, rounds), block, 2 * bytes>>>(d, round);
    must(cudaGetLastError());
  }
  must(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char** argv) {
  const int vertices = argc > 1 ? std::atoi(argv[1]) : 75;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 9);
  if (vertices < 1) return 2;

  for (const int tile : {8, 16}) {
    const int side = (vertices + tile - 1) / tile * tile;
    std::vector<Distance> host(side * side, unreachable);
    for (int v = 0; v < side; ++v) host[v * side + v] = 0;
    for (int edge = 0; edge < 4 * vertices; ++edge) {
      const int from = random() % vertices, to = random() % vertices;
      if (from != to) host[from * side + to] = 1 + random() % 100;
    }

    Matrix d{nullptr, side};
    must(cudaMallocManaged(&d.data, host.size() * sizeof(Distance)));
    std::copy(host.begin(), host.end(), d.data);
    shortest_paths(d, tile);

    for (int k = 0; k < side; ++k)
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
          host[i * side + j] = std::min(host[i * side + j], host[i * side + k] + host[k * side + j]);
    const bool right = std::equal(host.begin(), host.end(), d.data);
    must(cudaFree(d.data));
    if (!right) {
      std::printf("floyd_warshall: other distances than on the host, FAILED\n");
      return 1;
    }
  }
  std::printf("floyd_warshall: %d vertices, passed\n", vertices);
  return 0;
}
