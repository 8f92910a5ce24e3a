// A hash table on the device: open addressing with linear probing, lock-free by
// compare-and-swap on whole slots.
//
//   hash_table [number of words] [seed]
//
// Many threads count how often each of a list of numbers occurs, look all of them up,
// remove some, and look again. A slot holds key and count in one 64-bit number, so that
// one compare-and-swap claims it together with its first count.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include <cuda_runtime.h>

static void must(cudaError_t status, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "hash_table.cu:%d: %s\n", line, cudaGetErrorString(status));
  std::exit(2);
}
#define MUST(call) must((call), __LINE__)

namespace table {

using Slot = unsigned long long;

constexpr uint32_t empty_key = 0xffffffff;
constexpr uint32_t removed_key = 0xfffffffe;
constexpr Slot empty = static_cast<Slot>(empty_key) << 32;
constexpr Slot removed = static_cast<Slot>(removed_key) << 32;

__host__ __device__ inline uint32_t key_of(Slot slot) { return static_cast<uint32_t>(slot >> 32); }
__host__ __device__ inline uint32_t count_of(Slot slot) { return static_cast<uint32_t>(slot); }
__host__ __device__ inline Slot slot_of(uint32_t key, uint32_t count) { return static_cast<Slot>(key) << 32 | count; }

__host__ __device__ inline uint32_t mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

class Table {
 public:
  // `capacity` is a power of two.
  static Table create(uint32_t capacity) {
    Table table;
    table.mask_ = capacity - 1;
    MUST(cudaMalloc(&table.slots_, capacity * sizeof(Slot)));
    const std::vector<Slot> initial(capacity, empty);
    MUST(cudaMemcpy(table.slots_, initial.data(), capacity * sizeof(Slot), cudaMemcpyHostToDevice));
    return table;
  }
  void destroy() { MUST(cudaFree(slots_)); }

  // Adds one to the count of `key`; false if the table is full.
  __device__ bool add(uint32_t key) {
    uint32_t at = mix(key) & mask_;
    for (uint32_t probes = 0; probes <= mask_; ++probes, at = (at + 1) & mask_) {
#ifdef RACE
      Slot old = slots_[at];  // two threads may find the same slot empty
      if (old == empty) slots_[at] = slot_of(key, 1);
#else
      const Slot old = atomicCAS(&slots_[at], empty, slot_of(key, 1));
#endif
      if (old == empty) return true;
      if (key_of(old) == key) {
        atomicAdd(&slots_[at], 1ull);  // the count is the lower half
        return true;
      }
    }
    return false;
  }

  // Removes `key`; the slot stays marked, because other keys may follow it.
  __device__ bool remove(uint32_t key) {
    const uint32_t at = find(key);
    if (at == not_found) return false;
    Slot seen = load(at);
    while (key_of(seen) == key) {
      const Slot old = atomicCAS(&slots_[at], seen, removed);
      if (old == seen) return true;
      seen = old;
    }
    return false;  // another thread was faster
  }

  __device__ uint32_t count(uint32_t key) const {
    const uint32_t at = find(key);
    return at == not_found ? 0 : count_of(slots_[at]);
  }

  uint32_t capacity() const { return mask_ + 1; }
  const Slot* slots() const { return slots_; }

 private:
  static constexpr uint32_t not_found = 0xffffffff;

  // A read that may run concurrently with other threads' atomic operations.
  __device__ Slot load(uint32_t at) const { return *const_cast<const volatile Slot*>(&slots_[at]); }

  __device__ uint32_t find(uint32_t key) const {
    uint32_t at = mix(key) & mask_;
    for (uint32_t probes = 0; probes <= mask_; ++probes, at = (at + 1) & mask_) {
      const uint32_t seen = key_of(load(at));
      if (seen == key) return at;
      if (seen == empty_key) return not_found;
    }
    return not_found;
  }

  Slot* slots_ = nullptr;
  uint32_t mask_ = 0;
};

}  // namespace table

using table::Table;

__global__ void add_all(Table table, const uint32_t* __restrict__ keys, int n, int* failures) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && !table.add(keys[i])) atomicAdd(failures, 1);
}

__global__ void count_all(const Table table, const uint32_t* __restrict__ keys, int n, uint32_t* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) counts[i] = table.count(keys[i]);
}

// Several threads try to remove the same key; exactly one succeeds.
__global__ void remove_divisible(Table table, const uint32_t* __restrict__ keys, int n, uint32_t by, int* removals) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keys[i] % by == 0 && table.remove(keys[i])) atomicAdd(removals, 1);
}

static int compare(const char* step, const std::vector<uint32_t>& keys, const std::vector<uint32_t>& counts,
                   const std::unordered_map<uint32_t, uint32_t>& expected) {
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto entry = expected.find(keys[i]);
    const uint32_t wanted = entry == expected.end() ? 0 : entry->second;
    if (counts[i] != wanted) {
      std::fprintf(stderr, "%s: %" PRIu32 " occurs %" PRIu32 " times, expected %" PRIu32 "\n", step, keys[i], counts[i], wanted);
      return 1;
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 30000;
  uint64_t state = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  if (n < 1) {
    std::fprintf(stderr, "usage: hash_table [number of words] [seed]\n");
    return 2;
  }
  // Few different numbers, some of them much more frequent than others.
  std::vector<uint32_t> keys(n);
  std::unordered_map<uint32_t, uint32_t> expected;
  for (uint32_t& key : keys) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const uint32_t r = static_cast<uint32_t>(state >> 33);
    key = r % (1 + (r >> 7) % (n / 2 + 1)) * 2654435u;
    ++expected[key];
  }
  uint32_t capacity = 64;
  while (capacity < 2 * expected.size()) capacity *= 2;

  Table table = Table::create(capacity);
  uint32_t *d_keys, *d_counts;
  int* d_numbers;  // failures, removals
  MUST(cudaMalloc(&d_keys, n * sizeof(uint32_t)));
  MUST(cudaMalloc(&d_counts, n * sizeof(uint32_t)));
  MUST(cudaMalloc(&d_numbers, 2 * sizeof(int)));
  MUST(cudaMemcpy(d_keys, keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
  MUST(cudaMemset(d_numbers, 0, 2 * sizeof(int)));

  int threads = 0, minimum = 0;
  MUST(cudaOccupancyMaxPotentialBlockSize(&minimum, &threads, add_all));
  if (threads > 256) threads = 256;
  const int blocks = (n + threads - 1) / threads;
  cudaEvent_t start, stop;
  MUST(cudaEventCreate(&start));
  MUST(cudaEventCreate(&stop));
  MUST(cudaEventRecord(start));
  add_all<<<blocks, threads>>>(table, d_keys, n, &d_numbers[0]);
  count_all<<<blocks, threads>>>(table, d_keys, n, d_counts);
  MUST(cudaEventRecord(stop));
  MUST(cudaEventSynchronize(stop));
  MUST(cudaGetLastError());
  float milliseconds = 0;
  MUST(cudaEventElapsedTime(&milliseconds, start, stop));
  std::printf("%d numbers, %zu different, table of %" PRIu32 " slots, %.2f ms\n", n, expected.size(), capacity, milliseconds);

  std::vector<uint32_t> counts(n);
  MUST(cudaMemcpy(counts.data(), d_counts, n * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  int wrong = compare("after adding", keys, counts, expected);

  remove_divisible<<<blocks, threads>>>(table, d_keys, n, 3, &d_numbers[1]);
  count_all<<<blocks, threads>>>(table, d_keys, n, d_counts);
  MUST(cudaGetLastError());
  int numbers[2];
  MUST(cudaMemcpy(numbers, d_numbers, sizeof numbers, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(counts.data(), d_counts, n * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  int removals = 0;
  for (auto entry = expected.begin(); entry != expected.end();) {
    const bool gone = entry->first % 3 == 0;
    removals += gone;
    entry = gone ? expected.erase(entry) : std::next(entry);
  }
  wrong += compare("after removing", keys, counts, expected);
  if (numbers[0] != 0 || numbers[1] != removals) {
    std::fprintf(stderr, "%d failures, %d removals, expected none and %d\n", numbers[0], numbers[1], removals);
    ++wrong;
  }
  table.destroy();
  MUST(cudaFree(d_keys));
  MUST(cudaFree(d_counts));
  MUST(cudaFree(d_numbers));
  MUST(cudaEventDestroy(start));
  MUST(cudaEventDestroy(stop));
  std::printf(wrong ? "hash_table: FAILED\n" : "hash_table: OK\n");
  return wrong != 0;
}
