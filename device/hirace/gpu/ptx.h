// Instructions and special registers for which CUDA C++ has no functions (PTX ISA,
// "Memory Consistency Model", "Special Registers").
#pragma once

#include "../checker/shadow.h"

namespace hirace::gpu {

// CUDA's 64-bit atomics are declared for this type.
using Counter = unsigned long long;
static_assert(sizeof(Counter) == sizeof(std::uint64_t), "words of 64 bits are changed by its atomics");

// Functions for shadow words of either size; `operand` is the constraint of their registers.
//
// load_word loads from memory, not from a level-1 cache. load_cached_word loads from this
// multiprocessor's cache: what it sees is at least as new as the writes of the block's own threads. If
// another block has changed the word since, its access raced with the recorded one or was of the same kind.
// In either case a thread that finds its own access in the older word has nothing to add.
// replace_word returns the previous value, which is `expected` if it was replaced.
#define HIRACE_WORD_INSTRUCTIONS(type, bits, operand)                                                            \
  __device__ __forceinline__ type load_word(const type* word) {                                                  \
    type value;                                                                                                  \
    asm volatile("ld.relaxed.gpu.global.u" #bits " %0, [%1];" : "=" operand(value) : "l"(word));                 \
    return value;                                                                                                \
  }                                                                                                              \
  __device__ __forceinline__ type load_cached_word(const type* word) {                                           \
    type value;                                                                                                  \
    asm volatile("ld.relaxed.cta.global.u" #bits " %0, [%1];" : "=" operand(value) : "l"(word));                 \
    return value;                                                                                                \
  }                                                                                                              \
  __device__ __forceinline__ void store_word(type* word, type value) {                                           \
    asm volatile("st.relaxed.gpu.global.u" #bits " [%0], %1;" : : "l"(word), operand(value) : "memory");         \
  }                                                                                                              \
  __device__ __forceinline__ type replace_word(type* word, type expected, type value) {                          \
    type seen;                                                                                                   \
    asm volatile("atom.relaxed.gpu.global.cas.b" #bits " %0, [%1], %2, %3;"                                      \
                 : "=" operand(seen)                                                                             \
                 : "l"(word), operand(expected), operand(value)                                                  \
                 : "memory");                                                                                    \
    return seen;                                                                                                 \
  }
HIRACE_WORD_INSTRUCTIONS(std::uint64_t, 64, "l")
HIRACE_WORD_INSTRUCTIONS(std::uint32_t, 32, "r")
#undef HIRACE_WORD_INSTRUCTIONS

// Words that belong to one block, in its shared memory or in global memory.
__device__ __forceinline__ std::uint32_t load_block_word(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(value) : "l"(word));
  return value;
}
__device__ __forceinline__ void store_block_word(std::uint32_t* word, std::uint32_t value) {
  asm volatile("st.relaxed.cta.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
}
__device__ __forceinline__ std::uint32_t replace_block_word(std::uint32_t* word, std::uint32_t expected, std::uint32_t value) {
  std::uint32_t seen;
  asm volatile("atom.relaxed.cta.cas.b32 %0, [%1], %2, %3;" : "=r"(seen) : "l"(word), "r"(expected), "r"(value) : "memory");
  return seen;
}

// The number of the running grid among those launched in the context.
__device__ __forceinline__ Counter grid_number() {
  Counter number;
  asm("mov.u64 %0, %%gridid;" : "=l"(number));
  return number;
}

// Below the number of multiprocessors, or slightly above it if some are disabled.
__device__ __forceinline__ std::uint32_t multiprocessor_number() {
  std::uint32_t number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

// Static and dynamic shared memory of a block, without the part that the system reserves.
__device__ __forceinline__ std::uint32_t block_shared_bytes() {
  std::uint32_t bytes;
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(bytes));
  return bytes;
}
__device__ __forceinline__ std::uint32_t dynamic_shared_bytes() {
  std::uint32_t bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

}  // namespace hirace::gpu
