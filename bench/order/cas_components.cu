// Connected components of a random graph: roots are hooked by compare-and-swap.
#include "../timing.h"

__device__ int root_of(int* parents, int vertex) {
  for (int parent; (parent = *static_cast<volatile int*>(&parents[vertex])) != vertex;) vertex = parent;
  return vertex;
}

__global__ void begin(int* parents) {
  const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  parents[vertex] = vertex;
}

__global__ void cas_components(int* parents) {
  const int vertices = gridDim.x * blockDim.x, vertex = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned random = vertex * 2654435761u;
  for (int edge = 0; edge < 4; ++edge) {
    random = random * 1664525u + 1013904223u;
    int from = vertex, to = static_cast<int>((random >> 8) % vertices);
    for (;;) {
      from = root_of(parents, from);
      to = root_of(parents, to);
      if (from == to) break;
      const int high = from > to ? from : to, low = from > to ? to : from;
      if (atomicCAS(&parents[high], high, low) == high) break;
    }
  }
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 16);
  int* const parents = to_device(std::vector<int>(threads));
  print_median_time([&] {
    begin<<<threads / 256, 256>>>(parents);
    cas_components<<<threads / 256, 256>>>(parents);
  });
}
