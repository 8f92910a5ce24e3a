// Memory for the frames of coroutines (regions.h).
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace hirace::cpu {

// The frames of one OS thread. Those of one kernel have one size, so one list of free frames serves a launch: the
// most recently used frame is taken first. Threads that end in the middle of a region keep theirs until the next
// launch.
class RegionFrames {
 public:
  RegionFrames() = default;
  RegionFrames(const RegionFrames&) = delete;
  RegionFrames& operator=(const RegionFrames&) = delete;
  ~RegionFrames() {
    while (chunks_ != nullptr) {
      Chunk* const chunk = chunks_;
      chunks_ = chunk->next;
      munmap(chunk, chunk->bytes);
    }
  }

  // No frame is in use.
  void begin_launch() {
    free_ = nullptr;
    chunk_ = chunks_;
    at_ = chunk_ == nullptr ? 0 : first_offset;
  }

  bool has(std::uintptr_t address) const {
    for (const Chunk* chunk = chunks_; chunk != nullptr; chunk = chunk->next) {
      if (address - reinterpret_cast<std::uintptr_t>(chunk) < chunk->bytes) return true;
    }
    return false;
  }

  void* take(std::size_t bytes) {
    bytes = size_of(bytes);
    if (free_ != nullptr && free_->bytes == bytes) {
      Free* const frame = free_;
      free_ = frame->next;
      return frame;
    }
    const std::size_t alignment = alignment_of(bytes);
    at_ = (at_ + alignment - 1) / alignment * alignment;
    while (chunk_ != nullptr && at_ + bytes > chunk_->bytes) {
      chunk_ = chunk_->next;
      at_ = first_offset;
    }
    if (chunk_ == nullptr) grow(bytes);
    void* const frame = reinterpret_cast<char*>(chunk_) + at_;
    at_ += bytes;
    return frame;
  }

  void give_back(void* frame, std::size_t bytes) {
    // Of several sizes, in kernels that are called by kernels, only the last one is reused.
    bytes = size_of(bytes);
    if (free_ != nullptr && free_->bytes != bytes) free_ = nullptr;
    free_ = new (frame) Free{free_, bytes};
  }

 private:
  struct Chunk {
    Chunk* next;
    std::size_t bytes;
  };
  struct Free {
    Free* next;
    std::size_t bytes;
  };
  static constexpr std::size_t first_offset = 64, least_chunk = std::size_t{1} << 20;

  // Small frames lie close together: those of a block have to fit into the first-level cache. A large one may have an
  // object with an alignment of its own, such as a CUtensorMap.
  static std::size_t alignment_of(std::size_t bytes) { return bytes <= 128 ? 16 : 64; }
  static std::size_t size_of(std::size_t bytes) {
    const std::size_t alignment = alignment_of(bytes);
    return (bytes + alignment - 1) / alignment * alignment;
  }

  void grow(std::size_t frame) {
    const std::size_t bytes = frame + first_offset > least_chunk ? (frame + first_offset + 4095) / 4096 * 4096 : least_chunk;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      std::fputs("hirace: failed to reserve memory for more threads\n", stderr);
      std::_Exit(2);
    }
    chunk_ = new (memory) Chunk{nullptr, bytes};
    (last_ != nullptr ? last_->next : chunks_) = chunk_;
    last_ = chunk_;
    at_ = first_offset;
  }

  Chunk* chunks_ = nullptr;  // in the order in which frames are taken from them
  Chunk* last_ = nullptr;
  Chunk* chunk_ = nullptr;  // the one that new frames come from
  std::size_t at_ = 0;      // the offset of the next one in it
  Free* free_ = nullptr;
};

}  // namespace hirace::cpu
