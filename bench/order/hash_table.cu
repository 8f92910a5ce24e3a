// A hash table with a lock and a list in each bucket; each thread inserts four keys.
#include "../timing.h"

constexpr unsigned buckets = 4096;

struct Entry {
  unsigned key;
  int next;
};

__global__ void hash_table(int* locks, int* heads, Entry* entries) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned place = 4 * thread + i, key = place * 2654435761u, bucket = key % buckets;
    while (atomicCAS(&locks[bucket], 0, 1) != 0) {
    }
    __threadfence();
    int at = heads[bucket];
    for (int length = 0; at >= 0 && entries[at].key != key && length < 4; ++length) at = entries[at].next;
    entries[place] = {key, heads[bucket]};
    heads[bucket] = static_cast<int>(place);
    __threadfence();
    atomicExch(&locks[bucket], 0);
  }
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 13);
  int* const locks = to_device(std::vector<int>(buckets));
  int* const heads = to_device(std::vector<int>(buckets, -1));
  Entry* const entries = to_device(std::vector<Entry>(4 * threads));
  print_median_time([&] {
    cudaMemset(heads, 0xff, buckets * sizeof(int));
    hash_table<<<threads / 128, 128>>>(locks, heads, entries);
  });
}
