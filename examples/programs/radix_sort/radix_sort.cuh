// Stable radix sort, least significant digit first, of keys with values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <cuda_runtime.h>

#include "device_buffer.cuh"

namespace radix {

constexpr int digit_bits = 4;
constexpr int digits = 1 << digit_bits;
constexpr int threads = 128;
constexpr int warps = threads / 32;
constexpr int rounds = 4;
constexpr int tile = threads * rounds;

__device__ __forceinline__ unsigned digit_of(std::uint32_t key, int shift) { return (key >> shift) & (digits - 1); }

// How often each digit occurs in each tile: counts[digit][tile].
__global__ void count_digits(const std::uint32_t* __restrict__ keys, int count, int shift, unsigned* __restrict__ counts) {
  __shared__ unsigned histogram[digits];
  if (threadIdx.x < digits) histogram[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    const int i = blockIdx.x * tile + r * threads + threadIdx.x;
#ifdef RACE
    if (i < count) ++histogram[digit_of(keys[i], shift)];
#else
    if (i < count) atomicAdd(&histogram[digit_of(keys[i], shift)], 1u);
#endif
  }
  __syncthreads();
  if (threadIdx.x < digits) counts[threadIdx.x * gridDim.x + blockIdx.x] = histogram[threadIdx.x];
}

// Exclusive prefix sums by one block; each thread first adds up a part.
__global__ void scan(unsigned* values, int count) {
  __shared__ unsigned sums[2][threads];
  const int stretch = (count + threads - 1) / threads;
  const int begin = min(static_cast<int>(threadIdx.x) * stretch, count), end = min(begin + stretch, count);
  unsigned sum = 0;
  for (int i = begin; i < end; ++i) sum += values[i];

  int current = 0;
  sums[current][threadIdx.x] = sum;
  __syncthreads();
  for (unsigned offset = 1; offset < threads; offset *= 2) {
    unsigned value = sums[current][threadIdx.x];
    if (threadIdx.x >= offset) value += sums[current][threadIdx.x - offset];
    sums[current ^= 1][threadIdx.x] = value;
    __syncthreads();
  }

  unsigned before = threadIdx.x == 0 ? 0 : sums[current][threadIdx.x - 1];
  for (int i = begin; i < end; ++i) {
    const unsigned value = values[i];
    values[i] = before;
    before += value;
  }
}

// Moves each element after the earlier ones with the same digit.
template <typename Value>
__global__ void scatter(const std::uint32_t* __restrict__ keys_in, const Value* __restrict__ values_in,
                        std::uint32_t* __restrict__ keys_out, Value* __restrict__ values_out, int count, int shift,
                        const unsigned* __restrict__ offsets) {
  __shared__ unsigned next[digits];            // where the next element with a digit goes
  __shared__ unsigned in_warp[warps][digits];  // number of elements of each warp in a round
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x < digits) next[threadIdx.x] = offsets[threadIdx.x * gridDim.x + blockIdx.x];

  for (int r = 0; r < rounds; ++r) {
    const int i = blockIdx.x * tile + r * threads + threadIdx.x;
    const bool valid = i < count;
    const std::uint32_t key = valid ? keys_in[i] : 0;
    const unsigned digit = valid ? digit_of(key, shift) : digits;

    for (int d = lane; d < digits; d += 32) in_warp[warp][d] = 0;
    __syncwarp();
    // Lanes with the same digit: those below this lane come first.
    const unsigned peers = __match_any_sync(0xffffffffu, digit);
    const unsigned rank = __popc(peers & ((1u << lane) - 1));
    if (valid && rank == 0) in_warp[warp][digit] = __popc(peers);
    __syncthreads();

    if (valid) {
      unsigned place = next[digit] + rank;
      for (int w = 0; w < warp; ++w) place += in_warp[w][digit];
      keys_out[place] = key;
      values_out[place] = values_in[i];
    }
    __syncthreads();
    if (threadIdx.x < digits) {
      for (int w = 0; w < warps; ++w) next[threadIdx.x] += in_warp[w][threadIdx.x];
    }
    __syncthreads();
  }
}

// A sorter for up to `capacity` elements, which keeps its scratch memory.
template <typename Value>
class Sorter {
 public:
  explicit Sorter(std::size_t capacity)
      : keys_(capacity), values_(capacity), counts_(digits * ((capacity + tile - 1) / tile)) {}

  // Sorts by bits [first_bit, last_bit) of the keys; both are multiples of a digit.
  void sort(std::uint32_t* keys, Value* values, int count, int first_bit = 0, int last_bit = 32, cudaStream_t stream = nullptr) {
    if (count == 0) return;
    const int blocks = (count + tile - 1) / tile;
    std::uint32_t* other_keys = keys_.data();
    Value* other_values = values_.data();
    int passes = 0;
    for (int shift = first_bit; shift < last_bit; shift += digit_bits, ++passes) {
      count_digits<<<blocks, threads, 0, stream>>>(keys, count, shift, counts_.data());
      scan<<<1, threads, 0, stream>>>(counts_.data(), digits * blocks);
      scatter<<<blocks, threads, 0, stream>>>(keys, values, other_keys, other_values, count, shift, counts_.data());
      throw_on_error(cudaGetLastError());
      std::swap(keys, other_keys);
      std::swap(values, other_values);
    }
    if (passes % 2 == 1) {
      throw_on_error(cudaMemcpyAsync(other_keys, keys, count * sizeof *keys, cudaMemcpyDeviceToDevice, stream));
      throw_on_error(cudaMemcpyAsync(other_values, values, count * sizeof *values, cudaMemcpyDeviceToDevice, stream));
    }
  }

 private:
  DeviceBuffer<std::uint32_t> keys_;
  DeviceBuffer<Value> values_;
  DeviceBuffer<unsigned> counts_;
};

}  // namespace radix
