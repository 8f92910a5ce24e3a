// Whether a block lives while threads of other blocks access its shared memory: they must come after its
// beginning and before its end (CUDA C++ Programming Guide, "Distributed Shared Memory").
//
// A location stands for the block's life. The block writes it when it begins and when it ends, and other
// blocks read it with each access.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "engine.h"

namespace hirace::cpu::order {

class BlockLives {
 public:
  void begin(Engine& engine, std::uint32_t block, std::uint32_t first_thread) {
    lives_.erase(block);
    write(engine, block, first_thread);
  }

  // A thread of another block accesses its shared memory, as `access` says. Returns the beginning of the block if that
  // may come later.
  std::optional<Race> use(Engine& engine, std::uint32_t block, std::uint32_t thread, std::uint8_t kind, std::uint32_t site) {
    return engine.access(thread, lives_[block], life({Order::weak, Scope::block, true, false, true}, kind, site), false);
  }

  // Returns an access that may come later.
  std::optional<Race> end(Engine& engine, std::uint32_t block, std::uint32_t first_thread) {
    if (lives_.count(block) == 0) return std::nullopt;
    const std::optional<Race> later = write(engine, block, first_thread);
    lives_.erase(block);
    return later;
  }

  void clear() { lives_.clear(); }

 private:
  static Access life(Strength how, std::uint8_t kind, std::uint32_t site) { return {how, 0, 1, kind, site}; }

  // By all threads of the block together.
  std::optional<Race> write(Engine& engine, std::uint32_t block, std::uint32_t first_thread) {
    engine.block_barrier(block);
    const std::optional<Race> racing =
        engine.access(first_thread, lives_[block], life({Order::weak, Scope::block, false, true, false}, 0, 0), false);
    engine.block_barrier(block);
    return racing;
  }

  std::unordered_map<std::uint32_t, Location> lives_;
};

}  // namespace hirace::cpu::order
