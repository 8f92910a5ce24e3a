// A grid barrier by a counter and a sense, with acquire and release.
#include <cuda/atomic>

#include "../timing.h"

using Device = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void grid_barrier(unsigned* arrived, unsigned* shared_sense, unsigned& sense) {
  __syncthreads();
  sense ^= 1;
  if (threadIdx.x == 0) {
    if (Device(*arrived).fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
      Device(*arrived).store(0, cuda::memory_order_relaxed);
      Device(*shared_sense).store(sense, cuda::memory_order_release);
    } else {
      while (Device(*shared_sense).load(cuda::memory_order_acquire) != sense) {
      }
    }
  }
  __syncthreads();
}

__global__ void sense_barrier(unsigned* words, int* a, int* b) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sense = 0;
  for (int step = 0; step < 5; ++step) {
    b[i] = a[(i + 1) % n] + 1;
    grid_barrier(&words[0], &words[1], sense);
    a[i] = b[(i + n - 1) % n];
    grid_barrier(&words[0], &words[1], sense);
  }
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 13);
  unsigned* const words = to_device(std::vector<unsigned>(2));
  int* const a = to_device(std::vector<int>(threads));
  int* const b = to_device(std::vector<int>(threads));
  print_median_time([&] { sense_barrier<<<threads / 256, 256>>>(words, a, b); });
}
