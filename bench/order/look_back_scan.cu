// A scan in one pass: each block adds up the sums of its predecessors until one has its prefix
// (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
#include "../timing.h"

__global__ void look_back_scan(const int* in, int* out, volatile int* states, int* sums, int* prefixes) {
  __shared__ int s_scan[128];
  __shared__ int s_before;
  const int t = threadIdx.x, b = blockIdx.x;
  s_scan[t] = in[b * 128 + t];
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < 128; ++i) {
      const int value = s_scan[i];
      s_scan[i] = sum;
      sum += value;
    }
    sums[b] = sum;
    __threadfence();
    states[b] = 1;
    int before = 0;
    for (int other = b - 1; other >= 0; --other) {
      int state;
      while ((state = states[other]) == 0) {
      }
      __threadfence();
      if (state == 2) {
        before += prefixes[other];
        break;
      }
      before += sums[other];
    }
    prefixes[b] = before + sum;
    __threadfence();
    states[b] = 2;
    s_before = before;
  }
  __syncthreads();
  out[b * 128 + t] = s_before + s_scan[t];
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 18), blocks = threads / 128;
  int* const in = to_device(std::vector<int>(threads, 1));
  int* const out = to_device(std::vector<int>(threads));
  int* const words = to_device(std::vector<int>(3 * blocks));
  print_median_time([&] {
    cudaMemset(words, 0, 3 * blocks * sizeof(int));
    look_back_scan<<<blocks, 128>>>(in, out, words, words + blocks, words + 2 * blocks);
  });
}
