// The block objects of one OS thread, each with memory for its shared variables. They are reused
// and have their own memory, so nothing is taken from the program's heap.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <type_traits>

#include "block.h"
#include "../memory/shared_layout.h"

namespace hirace::cpu {

class BlockPool {
 public:
  BlockPool() = default;
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  ~BlockPool() {
    static_assert(std::is_trivially_destructible_v<Block>);
    while (all_ != nullptr) {
      Block* const block = all_;
      all_ = block->next_made;
      munmap(block, bytes);
    }
  }

  // Null if the address space for shared memory is used up.
  Block* take(std::size_t dynamic_shared) {
    if (free_ == nullptr && !make()) return nullptr;
    Block* const block = free_;
    free_ = block->next_parked;
    set_red_zone(*block, dynamic_shared);
    return block;
  }

  void give_back(Block* block) {
    block->next_parked = free_;
    free_ = block;
  }

  // Prepares `count` blocks, if none is in use: setting a block's red zone, the first time or at
  // another place, takes memory from the heap.
  void prepare(std::uint64_t count, std::size_t dynamic_shared) {
    while (made_ < count && make()) {
    }
    for (Block* block = free_; block != nullptr; block = block->next_parked) set_red_zone(*block, dynamic_shared);
  }

 private:
  static constexpr std::size_t bytes = round_up(sizeof(Block), page_bytes);

  bool make() {
    char* const slot = shared_layout().take_slot();
    if (slot == nullptr) {
      if (made_ != 0) return false;
      std::fputs("hirace: the program's __shared__ variables do not fit into the address space\n", stderr);
      std::_Exit(2);
    }
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      std::fputs("hirace: failed to reserve memory for one more block\n", stderr);
      std::_Exit(2);
    }
    Block* const block = new (memory) Block;
    block->shared = slot;
    block->next_made = all_;
    all_ = block;
    ++made_;
    give_back(block);
    return true;
  }

  static void set_red_zone(Block& block, std::size_t dynamic_shared) {
    shared_layout().set_red_zone(block.shared, block.red_zone, shared_layout().dynamic_begin() + dynamic_shared);
  }

  Block* all_ = nullptr;
  Block* free_ = nullptr;
  std::uint64_t made_ = 0;
};

}  // namespace hirace::cpu
