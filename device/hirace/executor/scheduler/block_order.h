// The order in which the blocks of a grid start.
#pragma once

#include <cstdint>

namespace hirace::cpu {

// The finaliser of splitmix64.
inline std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
  return h ^ (h >> 31);
}

enum class BlockOrder { natural, reverse, shuffled };

// A permutation of the numbers below `blocks`. The shuffled one is a Feistel network over the next
// power of four; values outside the range are permuted again (cycle walking, Black and Rogaway,
// CT-RSA 2002). Every order of a few blocks can occur, and none needs memory.
class BlockPermutation {
 public:
  BlockPermutation() = default;
  BlockPermutation(BlockOrder order, std::uint64_t blocks, std::uint64_t key) : order_(order), blocks_(blocks), key_(key) {
    while (half_bits_ < 32 && (std::uint64_t{1} << 2 * half_bits_) < blocks) ++half_bits_;
  }

  // The same kind of permutation of another number.
  BlockPermutation of(std::uint64_t blocks) const { return {order_, blocks, key_}; }

  std::uint64_t at(std::uint64_t i) const {
    if (order_ == BlockOrder::natural) return i;
    if (order_ == BlockOrder::reverse) return blocks_ - 1 - i;
    do {
      i = scramble(i);
    } while (i >= blocks_);
    return i;
  }

 private:
  std::uint64_t scramble(std::uint64_t i) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = i >> half_bits_, right = i & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mix(key_ + (round << 32) + right) & mask);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }

  BlockOrder order_ = BlockOrder::natural;
  std::uint64_t blocks_ = 1, key_ = 0;
  unsigned half_bits_ = 1;
};

}  // namespace hirace::cpu
