// The order in which blocks and threads start: the natural one, or that of a seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <thread>
#include <utility>

#include "environment.h"
#include "worker.h"

namespace hirace::cpu {

// What the environment asks for. A seed that is given promises the same report
// again, and thus one worker where no number of workers is given too.
struct Schedule {
  std::uint32_t seed = environment_number("HIRACE_SEED", 0);
  std::uint32_t jobs = std::max(environment_number("HIRACE_JOBS", default_jobs()), 1u);

  static std::uint32_t default_jobs() {
    if (environment_text("HIRACE_SEED") != nullptr) return 1;
    const unsigned cores = std::thread::hardware_concurrency();
    return cores != 0 ? cores : 1;
  }
};

// The threads of a block in the order in which they start. With a seed it is there
// twice, because a block then begins somewhere in it and goes round.
class ThreadOrder {
 public:
  const ThreadPlace* of(const dim3& block, std::uint64_t seed) {
    if (seed == 0 && seed_ == 0 && block.x == block_.x && block.y == block_.y && block.z == block_.z) return places_;
    block_ = block;
    seed_ = seed;
    std::uint32_t linear = 0;
    for (std::uint32_t z = 0; z < block.z; ++z) {
      for (std::uint32_t y = 0; y < block.y; ++y) {
        for (std::uint32_t x = 0; x < block.x; ++x, ++linear) {
          places_[linear] = {{x, y, z}, linear};
        }
      }
    }
    if (seed != 0) shuffle(linear, seed);
    return places_;
  }

 private:
  void shuffle(std::uint32_t count, std::uint64_t seed) {
    for (std::uint32_t i = count; i > 1; --i) {
      seed = mix(seed + i);
      std::swap(places_[i - 1], places_[(seed >> 32) * i >> 32]);
    }
    std::copy(places_, places_ + count, places_ + count);
  }

  ThreadPlace places_[2 * max_block_threads];
  dim3 block_ = dim3(0, 0, 0);
  std::uint64_t seed_ = 0;
};

// A permutation of the blocks: i → factor * i + shift, with factor prime to blocks.
inline void shuffle_blocks(std::uint64_t seed, std::uint64_t blocks, std::uint64_t& factor, std::uint64_t& shift) {
  shift = mix(seed + 1) % blocks;
  factor = mix(seed + 2) % blocks;
  while (std::gcd(factor, blocks) != 1) factor = (factor + 1) % blocks;
}

}  // namespace hirace::cpu
