// The extent of an access that is remembered by shadow words alone.
//
// The granules of one access have the same word and the same site; all but the first have a mark
// that the access began before them. Later accesses may have changed some of these. If that could
// have hidden an end of the access, its extent is unknown.
#pragma once

#include "monitor.h"

namespace hirace::cpu {

class AccessExtent {
 public:
  AccessExtent(const Monitor& monitor, bool shared) : monitor_(monitor), shared_(shared) {}

  // Sets the size of `found`, the access that the word of a byte describes, and the byte's offset
  // in it. Bytes are numbered from the start of the window.
  void find(std::size_t byte, Witness& found) const {
    const Mark here = mark_of(byte);
    std::size_t begin = byte, end = byte + 1;
    for (Mark mark = here; mark.continued; mark = mark_of(begin)) {
      if (begin == 0 || byte - begin == max_bytes || !here.same_access(mark_of(begin - 1))) return;
      --begin;
    }
    Mark next = mark_of(end);
    for (; next.continued && here.same_access(next); next = mark_of(++end)) {
      if (end - begin == max_bytes) break;
    }
    // A later access to the next byte may have overwritten the mark.
    if (!stale(next.word, shared_) && (next.continued || same_thread(next.word, here.word))) return;
    found.size = static_cast<std::uint8_t>(end - begin);
    found.offset = static_cast<std::uint8_t>(byte - begin);
  }

 private:
  static constexpr std::size_t max_bytes = 255;

  struct Mark {
    Word word;
    SiteId site;
    bool continued;  // not the first byte
    bool same_access(const Mark& other) const { return word == other.word && site == other.site; }
  };

  Mark mark_of(std::size_t byte) const {
    Granule granule = byte / granule_bytes;
    bool first = byte % granule_bytes == 0;
    if (state_of(monitor_.words[granule]) == split_state && !stale(monitor_.words[granule], shared_)) {
      const std::uint32_t node = monitor_.attachments[granule] & ~byte_node_flag;
      granule = shadow_memory().byte_granules(node) + byte % granule_bytes - monitor_.first_granule;
      first = true;
    }
    const std::uint32_t site = __atomic_load_n(&monitor_.sites[granule], __ATOMIC_RELAXED);
    return {__atomic_load_n(&monitor_.words[granule], __ATOMIC_RELAXED), site & site_mask, !first || (site & site_continued) != 0};
  }

  static bool same_thread(Word a, Word b) {
    const Layout& layout = current_launch.layout;
    return ((a ^ b) & (layout.block_field | layout.thread_field())) == 0;
  }

  const Monitor& monitor_;
  const bool shared_;
};

}  // namespace hirace::cpu
