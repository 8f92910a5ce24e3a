// The order in which blocks and threads start: the natural one, or one derived from a seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>

#include "block_order.h"
#include "../environment.h"
#include "worker.h"

namespace hirace::cpu {

// The settings from the environment.
struct Schedule {
  std::uint32_t seed = environment_number("HIRACE_SEED", 0);
  std::uint32_t jobs = std::max(environment_number("HIRACE_JOBS", default_jobs()), 1u);
  BlockOrder block_order = asked_order();
  std::uint32_t greatest_depth = std::max(environment_number("HIRACE_DEPTH", 3), 1u);

  // The depth of a launch with this number: with change points, all up to the greatest take turns.
  std::uint32_t depth_of(std::uint64_t launch) const {
    return greatest_depth < 3 ? greatest_depth : 2 + static_cast<std::uint32_t>((seed + launch) % (greatest_depth - 1));
  }

  // A seed guarantees the same report again.
  static std::uint32_t default_jobs() {
    if (environment_text("HIRACE_SEED") != nullptr) return 1;
    const unsigned cores = std::thread::hardware_concurrency();
    return cores != 0 ? cores : 1;
  }

 private:
  BlockOrder asked_order() const {
    const char* text = environment_text("HIRACE_BLOCK_ORDER");
    if (text == nullptr) return seed == 0 ? BlockOrder::natural : BlockOrder::shuffled;
    if (std::strcmp(text, "natural") == 0) return BlockOrder::natural;
    if (std::strcmp(text, "reverse") == 0) return BlockOrder::reverse;
    if (std::strcmp(text, "random") == 0) return BlockOrder::shuffled;
    std::fprintf(stderr, "hirace: failed to read HIRACE_BLOCK_ORDER: \"%s\" is not natural, reverse or random\n", text);
    std::exit(2);
  }
};

// How many accesses a thread makes at a time: unlimited in three quarters of the schedules, so that
// threads overtake one another only at scheduling points; few in the others, very few in an eighth.
inline std::uint32_t preemption_of(std::uint64_t seed) {
  constexpr std::uint32_t choices[] = {0, 64, 0, 0, 0, 6, 0, 0};
  return seed == 0 ? 0 : choices[seed >> 32 & 7];
}

// The threads of a block in the order in which they start. With a seed the order is stored twice,
// because a block begins at a random position and wraps around.
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

}  // namespace hirace::cpu
