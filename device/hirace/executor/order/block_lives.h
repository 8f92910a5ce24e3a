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
  // An access that may come after the end of its block.
  struct Late {
    Race race;
    std::uintptr_t address;
  };

  void begin(Engine& engine, std::uint32_t block, std::uint32_t first_thread) {
    lives_.erase(block);
    write(engine, block, first_thread);
  }

  // A thread of another block accesses its shared memory. Returns the beginning of the block if that may come later.
  std::optional<Race> use(Engine& engine, std::uint32_t block, std::uint32_t thread, std::uint8_t kind, std::uint32_t site, std::uintptr_t address) {
    Life& of_block = lives_[block];
    of_block.accessed[site] = address;
    return engine.access(thread, of_block.location, life({Order::weak, Scope::block, true, false, true}, kind, site), false);
  }

  std::optional<Late> end(Engine& engine, std::uint32_t block, std::uint32_t first_thread) {
    const auto of_block = lives_.find(block);
    if (of_block == lives_.end()) return std::nullopt;
    const std::optional<Race> later = write(engine, block, first_thread);
    std::optional<Late> found;
    if (later) found = Late{*later, of_block->second.accessed[later->past.access.site]};
    lives_.erase(of_block);
    return found;
  }

  void clear() { lives_.clear(); }

 private:
  struct Life {
    Location location;
    // The last address at each site.
    std::unordered_map<std::uint32_t, std::uintptr_t> accessed;
  };

  static Access life(Strength how, std::uint8_t kind, std::uint32_t site) { return {how, 0, 1, kind, site}; }

  // By all threads of the block together.
  std::optional<Race> write(Engine& engine, std::uint32_t block, std::uint32_t first_thread) {
    engine.block_barrier(block);
    const std::optional<Race> racing =
        engine.access(first_thread, lives_[block].location, life({Order::weak, Scope::block, false, true, false}, 0, 0), false);
    engine.block_barrier(block);
    return racing;
  }

  std::unordered_map<std::uint32_t, Life> lives_;
};

}  // namespace hirace::cpu::order
