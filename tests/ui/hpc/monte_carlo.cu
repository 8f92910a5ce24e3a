// verdict: race
// race: lines 95 and 95, variable local, shared
// repaired: clean
// Monte Carlo: pi with counters per warp, the Ising model on a checkerboard, an option's price, random
// walks, and shuffled cards.
// All threads add to a block's histogram in shared memory without atomics.
// Repaired: atomicAdd.
#include <cstdint>
#include "../common/device_data.h"

// Numbers from a counter: the same on both sides, and each thread has its own stream.
__host__ __device__ inline uint32_t random_bits(uint32_t stream, uint32_t counter)
{
    uint32_t x = stream * 0x9e3779b9u ^ counter * 0x85ebca6bu;
    for (int round = 0; round < 3; round++) {
        x ^= x >> 16;
        x *= 0x21f0aaadu;
        x ^= x >> 15;
        x *= 0x735a2d97u;
    }
    return x ^ x >> 15;
}

__host__ __device__ inline float random_fraction(uint32_t stream, uint32_t counter)
{
    return (random_bits(stream, counter) >> 8) * (1.0f / 16777216);
}

__global__ void darts(int per_thread, int* hits)
{
    const int stream = blockIdx.x * blockDim.x + threadIdx.x;
    int inside = 0;
    for (int i = 0; i < per_thread; i++) {
        const float x = random_fraction(stream, 2 * i), y = random_fraction(stream, 2 * i + 1);
        inside += x * x + y * y < 1;
    }
    inside = __reduce_add_sync(~0u, inside);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(hits, inside);
    }
}

// Spins of one colour change; they only read those of the other one.
__global__ void ising(signed char* spins, int side, int colour, int sweep)
{
    const int x = threadIdx.x, y = blockIdx.x;
    if ((x + y) % 2 != colour) {
        return;
    }
    const int at = y * side + x;
    const int sum = spins[y * side + (x + 1) % side] + spins[y * side + (x + side - 1) % side] +
                    spins[(y + 1) % side * side + x] + spins[(y + side - 1) % side * side + x];
    const int energy = 2 * spins[at] * sum;
    if (energy <= 0 || random_bits(at, sweep) % 1024 < 1024u >> energy) {
        spins[at] = -spins[at];
    }
}

__global__ void option_price(int steps, float* payoffs)
{
    __shared__ float sums[64];
    const int stream = blockIdx.x * 64 + threadIdx.x;
    float price = 1;
    for (int i = 0; i < steps; i++) {
        price *= random_bits(stream, i) % 2 ? 1.05f : 0.96f;
    }
    sums[threadIdx.x] = fmaxf(price - 1, 0);
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        payoffs[blockIdx.x] = sums[0] / 64;
    }
}

__global__ void walks(int steps, int* histogram)
{
    __shared__ int local[64];
    const int t = threadIdx.x, stream = blockIdx.x * blockDim.x + t;
    if (t < 64) {
        local[t] = 0;
    }
    __syncthreads();
    int place = 0;
    for (int i = 0; i < steps; i++) {
        place += random_bits(stream, i) & 1 ? 1 : -1;
    }
#ifdef REPAIRED
    atomicAdd(&local[place + 32], 1);
#else
    local[place + 32]++;
#endif
    __syncthreads();
    if (t < 64) {
        atomicAdd(&histogram[t], local[t]);
    }
}

// Each thread shuffles its own cards; the block counts which card is on top.
__global__ void cards(int* tops)
{
    __shared__ unsigned char decks[64][33];
    const int t = threadIdx.x;
    unsigned char* mine = decks[t];
    for (int i = 0; i < 32; i++) {
        mine[i] = i;
    }
    for (int i = 31; i > 0; i--) {
        const int j = random_bits(blockIdx.x * 64 + t, i) % (i + 1);
        const unsigned char card = mine[i];
        mine[i] = mine[j];
        mine[j] = card;
    }
    __syncthreads();
    if (t < 32) {
        int count = 0;
        for (int deck = 0; deck < 64; deck++) {
            count += decks[deck][0] == t;
        }
        atomicAdd(&tops[t], count);
    }
}

int counts()
{
    const int streams = 128, per_thread = 40, steps = 20;
    int *d_hits = zeros<int>(1), *d_histogram = zeros<int>(64), *d_tops = zeros<int>(32);
    darts<<<2, 64>>>(per_thread, d_hits);
    walks<<<1, streams>>>(steps, d_histogram);
    cards<<<2, 64>>>(d_tops);
    std::vector<int> hits(1), histogram(64), tops(32);
    for (int s = 0; s < streams; s++) {
        int place = 32;
        for (int i = 0; i < per_thread; i++) {
            const float x = random_fraction(s, 2 * i), y = random_fraction(s, 2 * i + 1);
            hits[0] += x * x + y * y < 1;
        }
        for (int i = 0; i < steps; i++) {
            place += random_bits(s, i) & 1 ? 1 : -1;
        }
        histogram[place]++;
        int deck[32];
        for (int i = 0; i < 32; i++) {
            deck[i] = i;
        }
        for (int i = 31; i > 0; i--) {
            std::swap(deck[i], deck[random_bits(s, i) % (i + 1)]);
        }
        tops[deck[0]]++;
    }
    return differs("hits", download(d_hits, 1), hits) +
           differs("walks", download(d_histogram, 64), histogram) +
           differs("cards", download(d_tops, 32), tops);
}

int spins()
{
    const int side = 24;
    std::vector<signed char> expected;
    for (int value : integers(side * side, 2)) {
        expected.push_back(value ? 1 : -1);
    }
    signed char* d_spins = upload(expected);
    for (int sweep = 0; sweep < 4; sweep++) {
        ising<<<side, side>>>(d_spins, side, sweep % 2, sweep);
        for (int at = 0; at < side * side; at++) {
            const int x = at % side, y = at / side;
            if ((x + y) % 2 == sweep % 2) {
                const int sum = expected[y * side + (x + 1) % side] + expected[y * side + (x + side - 1) % side] +
                                expected[(y + 1) % side * side + x] + expected[(y + side - 1) % side * side + x];
                const int energy = 2 * expected[at] * sum;
                if (energy <= 0 || random_bits(at, sweep) % 1024 < 1024u >> energy) {
                    expected[at] = -expected[at];
                }
            }
        }
    }
    return differs("spins", download(d_spins, expected.size()), expected);
}

int prices()
{
    const int blocks = 3, steps = 12;
    float* d_payoffs = allocate<float>(blocks);
    option_price<<<blocks, 64>>>(steps, d_payoffs);
    std::vector<float> expected(blocks);
    for (int s = 0; s < blocks * 64; s++) {
        float price = 1;
        for (int i = 0; i < steps; i++) {
            price *= random_bits(s, i) % 2 ? 1.05f : 0.96f;
        }
        expected[s / 64] += std::fmax(price - 1, 0.0f) / 64;
    }
    return differs("prices", download(d_payoffs, blocks), expected, 1e-4);
}

int main()
{
    const int failures = counts() + spins() + prices();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
