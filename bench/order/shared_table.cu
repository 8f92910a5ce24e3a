// Each thread looks values up in a table that the launch might write, and there is a fence.
#include "../timing.h"

constexpr int entries = 64, lookups = 64;

__global__ void shared_table(int* table, int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned random = i;
  int sum = 0;
  for (int lookup = 0; lookup < lookups; ++lookup) {
    random = random * 1664525u + 1013904223u;
    sum += table[random >> 26];
  }
  sums[i] = sum;
  __threadfence();
  if (sum < 0) table[0] = sum;
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 16);
  int* const table = to_device(std::vector<int>(entries, 1));
  int* const sums = to_device(std::vector<int>(threads));
  print_median_time([&] { shared_table<<<threads / 256, 256>>>(table, sums); });
}
