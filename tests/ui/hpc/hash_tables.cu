// verdict: race
// race: lines 61 and 62, variable head, global
// race: lines 62 and 62, variable head, global
// repaired: clean
// Hash tables: open addressing with compare-and-swap, chains, a cuckoo table, a Bloom filter, counts
// of words, and a table in shared memory for each block.
// A chain's head is replaced without an atomic operation.
// Repaired: the head is exchanged atomically.
#include <algorithm>
#include <map>
#include <set>
#include "../common/device_data.h"

__device__ __host__ unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

constexpr unsigned empty = 0xffffffffu;

__global__ void insert(unsigned* keys, unsigned* values, unsigned slots, const int* in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned key = in[i];
        for (unsigned slot = mix(key) % slots;; slot = (slot + 1) % slots) {
            const unsigned found = atomicCAS(&keys[slot], empty, key);
            if (found == empty || found == key) {
                atomicAdd(&values[slot], 1);
                return;
            }
        }
    }
}

__global__ void look_up(const unsigned* keys, const unsigned* values, unsigned slots, const int* in,
                        int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned slot = mix(in[i]) % slots;
        while (keys[slot] != empty && keys[slot] != static_cast<unsigned>(in[i])) {
            slot = (slot + 1) % slots;
        }
        out[i] = keys[slot] == empty ? 0 : values[slot];
    }
}

__global__ void chain(int* heads, int* next, int buckets, const int* in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int* head = &heads[mix(in[i]) % buckets];
#ifdef REPAIRED
        next[i] = atomicExch(head, i);
#else
        next[i] = *head;
        *head = i;
#endif
    }
}

__global__ void walk(const int* heads, const int* next, int buckets, const int* in, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int same = 0, steps = 0;
        for (int at = heads[mix(in[i]) % buckets]; at >= 0 && steps < n; at = next[at], steps++) {
            same += in[at] == in[i];
        }
        out[i] = same;
    }
}

// Each key lies in one of two slots; an insertion moves the key that was there to its other slot.
__global__ void cuckoo(unsigned* table, unsigned slots, const int* in, int n, int* failed)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned key = in[i], slot = mix(key) % slots;
        for (int step = 0; step < 50; step++) {
            key = atomicExch(&table[slot], key);
            if (key == empty) {
                return;
            }
            const unsigned first = mix(key) % slots, second = slots + mix(~key) % slots;
            slot = slot == first ? second : first;
        }
        atomicAdd(failed, 1);
    }
}

__global__ void find_cuckoo(const unsigned* table, unsigned slots, const int* in, int n, int* found)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned key = in[i];
        if (table[mix(key) % slots] == key || table[slots + mix(~key) % slots] == key) {
            atomicAdd(found, 1);
        }
    }
}

__global__ void bloom(unsigned* bits, unsigned size, const int* in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (unsigned k = 0; k < 3; k++) {
            const unsigned bit = mix(in[i] * 3 + k) % size;
            if (!(atomicAdd(&bits[bit / 32], 0) >> bit % 32 & 1)) {
                atomicOr(&bits[bit / 32], 1u << bit % 32);
            }
        }
    }
}

__global__ void maybe_there(const unsigned* bits, unsigned size, int* out)
{
    const int key = blockIdx.x * blockDim.x + threadIdx.x;
    bool there = true;
    for (unsigned k = 0; k < 3; k++) {
        const unsigned bit = mix(key * 3 + k) % size;
        there = there && (bits[bit / 32] >> bit % 32 & 1);
    }
    out[key] = there;
}

// Distinct values of each block's part, in a table of 64-bit entries: key and count.
__global__ void distinct(const int* in, int n, int* out)
{
    __shared__ unsigned long long table[128];
    __shared__ int count;
    for (int slot = threadIdx.x; slot < 128; slot += blockDim.x) {
        table[slot] = ~0ull;
    }
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned key = in[i];
        for (unsigned slot = mix(key) % 128;; slot = (slot + 1) % 128) {
            const unsigned long long fresh = static_cast<unsigned long long>(key) << 32;
            const unsigned long long found = atomicCAS(&table[slot], ~0ull, fresh);
            if (found == ~0ull) {
                atomicAdd(&count, 1);
            }
            if (found == ~0ull || found >> 32 == key) {
                atomicAdd(&table[slot], 1ull);
                break;
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = count;
    }
}

constexpr int n = 200, threads = 64, blocks = (n + threads - 1) / threads;

int open_addressing(const std::vector<int>& in, int* d_in)
{
    const unsigned slots = 512;
    unsigned *d_keys = upload(std::vector<unsigned>(slots, empty)), *d_values = zeros<unsigned>(slots);
    int* d_out = allocate<int>(n);
    insert<<<blocks, threads>>>(d_keys, d_values, slots, d_in, n);
    look_up<<<blocks, threads>>>(d_keys, d_values, slots, d_in, d_out, n);
    cudaFree(d_keys);
    cudaFree(d_values);
    std::vector<int> expected;
    for (int key : in) {
        expected.push_back(std::count(in.begin(), in.end(), key));
    }
    const int buckets = 64;
    int *d_heads = upload(std::vector<int>(buckets, -1)), *d_next = allocate<int>(n);
    int* d_same = allocate<int>(n);
    chain<<<blocks, threads>>>(d_heads, d_next, buckets, d_in, n);
    walk<<<blocks, threads>>>(d_heads, d_next, buckets, d_in, d_same, n);
    cudaFree(d_heads);
    cudaFree(d_next);
    return differs("count", download(d_out, n), expected) +
           differs("chain", download(d_same, n), expected);
}

int two_slots(const std::vector<int>& in)
{
    const std::set<int> unique(in.begin(), in.end());
    const std::vector<int> keys(unique.begin(), unique.end());
    const int count = keys.size();
    const unsigned slots = 256;
    int *d_keys = upload(keys), *d_failed = zeros<int>(1), *d_found = zeros<int>(1);
    unsigned* d_table = upload(std::vector<unsigned>(2 * slots, empty));
    cuckoo<<<blocks, threads>>>(d_table, slots, d_keys, count, d_failed);
    find_cuckoo<<<blocks, threads>>>(d_table, slots, d_keys, count, d_found);
    cudaFree(d_keys);
    cudaFree(d_table);
    return differs("failed", download(d_failed, 1), {0}) +
           differs("found", download(d_found, 1), {count});
}

int filters(const std::vector<int>& in, int* d_in)
{
    const unsigned size = 4096;
    unsigned* d_bits = zeros<unsigned>(size / 32);
    int *d_there = allocate<int>(1024), *d_distinct = allocate<int>(blocks);
    bloom<<<blocks, threads>>>(d_bits, size, d_in, n);
    maybe_there<<<8, 128>>>(d_bits, size, d_there);
    distinct<<<blocks, threads>>>(d_in, n, d_distinct);
    cudaFree(d_bits);
    const std::vector<int> there = download(d_there, 1024);
    int missing = 0, extra = 0;
    for (int key = 0; key < 1024; key++) {
        const bool in_set = std::count(in.begin(), in.end(), key) > 0;
        missing += in_set && !there[key];
        extra += !in_set && there[key];
    }
    std::vector<int> expected;
    for (int b = 0; b < blocks; b++) {
        const auto first = in.begin() + b * threads;
        expected.push_back(std::set<int>(first, std::min(first + threads, in.end())).size());
    }
    return differs("missing", std::vector<int>{missing, extra > 100}, {0, 0}) +
           differs("distinct", download(d_distinct, blocks), expected);
}

int main()
{
    const std::vector<int> in = integers(n, 150, 2);
    int* d_in = upload(in);
    const int failures = open_addressing(in, d_in) + two_slots(in) + filters(in, d_in);
    cudaFree(d_in);
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
