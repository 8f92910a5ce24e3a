// Memory that kernels read through textures and surfaces, and who has written it in the running launch.
//
// Such a read takes a cache that is not kept coherent with what the same launch writes, whichever thread writes
// and whatever orders the two (CUDA C++ Programming Guide, "Texture and Surface Memory"). The engines decide
// whether two accesses are ordered; what they remember of an earlier, ordered write is not enough to find such a
// read. So the last writer of each byte is remembered here as well. What an earlier launch wrote is visible.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "checked_launch.h"
#include "shadow_memory.h"

namespace hirace::cpu {

class TexelWrites {
 public:
  // A write to some bytes of a granule; none if the launch is another one.
  struct Writer {
    Word who;
    std::uint32_t launch;
    std::uint32_t kind_and_site;

    AccessKind kind() const { return static_cast<AccessKind>(kind_and_site >> site_bits); }
    SiteId site() const { return kind_and_site & site_mask; }
  };
  static_assert(sizeof(Writer) == 8 + word_bytes);

  // A texture or surface object was created (1) or destroyed (-1). Textures of linear memory, unlike those of
  // arrays, read what stores and atomic operations write.
  void count_surface(int change) {
    const std::lock_guard lock(mutex_);
    surfaces_ += change;
  }
  void add_linear(std::uintptr_t begin, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    linear_.push_back({begin, begin + bytes});
  }
  void remove_linear(std::uintptr_t begin, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto is_it = [&](const Range& it) { return it.begin == begin && it.end == begin + bytes; };
    const auto found = std::find_if(linear_.begin(), linear_.end(), is_it);
    if (found != linear_.end()) linear_.erase(found);
  }

  // Before the first access of a launch. False if it can write no such memory.
  bool begin_launch() {
    const std::lock_guard lock(mutex_);
    in_launch_ = linear_;
    if (linear_.empty() && surfaces_ == 0) return false;
    const std::size_t parts = shadow_memory().memory_granules() / granules_in_part + 1;
    if (parts_ == nullptr) parts_ = ShadowMemory::reserve<Part>(parts, parts);
    return true;
  }
  // The same for its stores and atomic operations, and for one of them.
  bool has_linear() const { return !in_launch_.empty(); }
  bool is_linear(std::uintptr_t address) const {
    return std::any_of(in_launch_.begin(), in_launch_.end(), [&](const Range& it) { return it.begin <= address && address < it.end; });
  }

  // Called under the granule's lock.
  void note(Granule granule, unsigned bytes, AccessKind kind, SiteId site) {
    const Writer writer{monitor.me, launch(), static_cast<std::uint32_t>(kind) << site_bits | (site & site_mask)};
    Part& part = parts_[granule / granules_in_part];
    if (bytes == whole) {
      of(part.granules, granules_in_part)[granule % granules_in_part] = writer;
      return;
    }
    Writer* const writers = of(part.bytes, granules_in_part * granule_bytes) + granule % granules_in_part * granule_bytes;
    for (unsigned byte = 0; byte < granule_bytes; ++byte) {
      if ((bytes >> byte & 1) != 0) writers[byte] = writer;
    }
  }

  // A writer of one of these bytes in the running launch; null if there is none.
  const Writer* find(Granule granule, unsigned bytes) const {
    const Part& part = parts_[granule / granules_in_part];
    if (const Writer* const writers = part.bytes.load(std::memory_order_acquire)) {
      for (unsigned byte = 0; byte < granule_bytes; ++byte) {
        const Writer& writer = writers[granule % granules_in_part * granule_bytes + byte];
        if ((bytes >> byte & 1) != 0 && writer.launch == launch()) return &writer;
      }
    }
    const Writer* const writers = part.granules.load(std::memory_order_acquire);
    if (writers == nullptr) return nullptr;
    const Writer& writer = writers[granule % granules_in_part];
    return writer.launch == launch() ? &writer : nullptr;
  }

 private:
  struct Range {
    std::uintptr_t begin, end;
  };
  static constexpr unsigned whole = (1u << granule_bytes) - 1;
  static constexpr std::size_t granules_in_part = 4096;

  // Writers by granule, and by byte of granules that are written in pieces. Null until there is one.
  struct Part {
    std::atomic<Writer*> granules{nullptr}, bytes{nullptr};
  };

  // Never 0, which is what an empty entry has.
  static std::uint32_t launch() { return static_cast<std::uint32_t>(current_launch.serial); }

  Writer* of(std::atomic<Writer*>& writers, std::size_t count) {
    Writer* const known = writers.load(std::memory_order_acquire);
    if (known != nullptr) return known;
    const std::lock_guard lock(mutex_);
    if (writers.load(std::memory_order_relaxed) == nullptr) writers.store(new Writer[count](), std::memory_order_release);
    return writers.load(std::memory_order_relaxed);
  }

  std::mutex mutex_;
  int surfaces_ = 0;
  std::vector<Range> linear_, in_launch_;  // now, and as the launch began
  Part* parts_ = nullptr;
};

inline TexelWrites& texel_writes() {
  static TexelWrites* const writes = new TexelWrites;
  return *writes;
}

}  // namespace hirace::cpu
