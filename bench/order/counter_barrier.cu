// A grid barrier by a counter and a generation, between steps of a stencil.
#include "../timing.h"

__device__ unsigned arrived;
__device__ volatile unsigned generation;

__device__ void grid_barrier() {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned before = generation;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      generation = before + 1;
    } else {
      while (generation == before) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void counter_barrier(int* a, int* b) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < 5; ++step) {
    b[i] = a[(i + 1) % n] + 1;
    grid_barrier();
    a[i] = b[(i + n - 1) % n];
    grid_barrier();
  }
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 13);
  int* const a = to_device(std::vector<int>(threads));
  int* const b = to_device(std::vector<int>(threads));
  print_median_time([&] { counter_barrier<<<threads / 256, 256>>>(a, b); });
}
