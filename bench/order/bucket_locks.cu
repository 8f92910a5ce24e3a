// Critical sections: each thread adds to eight of 1024 buckets, each behind its spin lock.
#include "../timing.h"

constexpr unsigned buckets = 1024;

__device__ unsigned next_random(unsigned& state) { return (state = state * 1664525u + 1013904223u) >> 16; }

__global__ void bucket_locks(int* locks, int* counts) {
  unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  for (int i = 0; i < 8; ++i) {
    const unsigned bucket = next_random(state) % buckets;
    while (atomicCAS(&locks[bucket], 0, 1) != 0) {
    }
    __threadfence();
    counts[bucket] += 1;
    __threadfence();
    atomicExch(&locks[bucket], 0);
  }
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 13);
  int* const locks = to_device(std::vector<int>(buckets));
  int* const counts = to_device(std::vector<int>(buckets));
  print_median_time([&] { bucket_locks<<<threads / 128, 128>>>(locks, counts); });
}
