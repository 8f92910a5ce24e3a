// Finds which earlier access a race was with.
//
// The word holds enough to detect a race, but not to name the other access: canonical words forget threads,
// and a read after a write hides the write's site. While one access represents all that a granule remembers,
// the site number stored with its word suffices. If several matter, a node keeps the last few that are not covered
// by a later one. At a race the candidates are compared by their own clocks, so that every site named in a
// report did race; if none matches, the report says that the site was not recorded.
#pragma once

#include <atomic>

#include "../../checker/transition.h"
#include "../../records/site_table.h"
#include "checked_launch.h"
#include "layout.h"
#include "shadow_memory.h"
#include "thread.h"

namespace hirace::cpu {

// One complete access: `who` has the thread, block and clocks, and no state.
struct Witness {
  Word who;
  SiteId site;
  AccessKind kind;
  std::uint8_t size;    // in bytes, at most 255; 0 if unknown
  std::uint8_t offset;  // from the start of the access to the granule, at most 255

  // The site and flag stored with the word of a granule that the access has changed.
  SiteId mark() const { return offset == 0 ? site : site | site_continued; }
};
static_assert(sizeof(Witness) == 8 + word_bytes);

struct alignas(64) WitnessNode {
  static constexpr unsigned capacity = 4;
  Witness witnesses[capacity];  // oldest first; empty after the last
};
static_assert(sizeof(WitnessNode) == 64, "one cache line");

// Happens-before between two complete accesses, the later one by the running thread. The state machine
// decides whether there is a race; this only selects the remembered access that it was with.
inline bool ordered(const Layout& layout, Word earlier, Word later) {
  const Word difference = earlier ^ later;
  if ((difference & layout.block_field) != 0) return false;
  if ((difference & layout.thread_field()) == 0) return true;
  if ((difference & layout.block_clock_field) != 0) return true;
  return (difference & layout.warp_field) == 0 && (difference & layout.warp_clock_field) != 0;
}

inline RaceScope scope_between(Word a, Word b) {
  const Word difference = a ^ b;
  const Layout& layout = current_launch.layout;
  if ((difference & layout.block_field) != 0) return RaceScope::grid;
  return (difference & layout.warp_field) != 0 ? RaceScope::block : RaceScope::warp;
}

// A number of bytes as stored in a witness.
constexpr std::uint8_t saturated(std::size_t bytes) { return static_cast<std::uint8_t>(bytes < 255 ? bytes : 255); }

inline bool is_write(AccessKind kind) { return kind == AccessKind::write || kind == AccessKind::update; }
inline bool is_read(AccessKind kind) { return kind == AccessKind::read || kind == AccessKind::volatile_read; }

inline bool conflicting(const Layout& layout, const Witness& a, const Witness& b) {
  if (is_read(a.kind) && is_read(b.kind)) return false;
  const Access first = folded(a.kind), second = folded(b.kind);
  const bool both_atomic = first >= Access::block_atomic && second >= Access::block_atomic;
  if (!both_atomic) return true;
  // Two atomics race when they are in different blocks and one has block scope.
  return ((a.who ^ b.who) & layout.block_field) != 0 && (first == Access::block_atomic || second == Access::block_atomic);
}

// Whether the later access makes the earlier one irrelevant: everything that will race with the
// earlier one will also race with the later one.
inline bool covers(const Layout& layout, const Witness& later, const Witness& earlier, bool shared) {
  if (!ordered(layout, earlier.who, later.who)) return false;
  // All threads that can access a shared variable have passed the block barrier.
  if (shared && ((earlier.who ^ later.who) & layout.block_clock_field) != 0) return true;
  return is_write(later.kind) || later.kind == earlier.kind;
}

// Refines the kind of an access, known only from the state, by the source at its site.
inline AccessKind kind_at_site(AccessKind kind, SiteId site) {
  const Site* found = SiteTable::instance().find(site);
  if (found == nullptr) return kind;
  if (kind == AccessKind::write && found->kind == SiteKind::update) return AccessKind::update;
  if (kind != AccessKind::device_atomic || found->kind == SiteKind::atomic) return kind;
  return found->kind == SiteKind::read ? AccessKind::volatile_read : AccessKind::volatile_write;
}

// Nodes are never reused: a granule keeps its node across launches, so that no other granule's
// accesses can be mistaken for its own.
class WitnessPool {
 public:
  WitnessPool()
      : capacity_(std::min(max_nodes, arena().bytes() / granule_bytes / 16)), nodes_(ShadowMemory::reserve<WitnessNode>(capacity_, many_nodes)) {}

  WitnessNode& operator[](std::uint32_t node) { return nodes_[node]; }

  // False if there are no more nodes; node 0 is unused.
  bool take(std::uint32_t& node) {
    if (next_.load(std::memory_order_relaxed) >= capacity_) return false;
    node = next_.fetch_add(1, std::memory_order_relaxed);
    return node < capacity_;
  }

 private:
  // So many nodes are worth large pages.
  static constexpr std::size_t many_nodes = std::size_t{1} << 15;
  // At most 1 GiB of memory; beyond that, reports may lack the prior site.
  static constexpr std::size_t max_nodes = std::size_t{1} << 24;
  const std::size_t capacity_;
  WitnessNode* nodes_;
  std::atomic<std::uint32_t> next_{1};
};

inline WitnessPool& witness_pool() {
  static WitnessPool* const pool = new WitnessPool;
  return *pool;
}

// The witnesses of one granule: none, the one described by its word and site, or those of a node.
class Witnesses {
 public:
  Witnesses(const Monitor& monitor, Granule granule)
      : site_(monitor.sites[granule]), attachment_(monitor.attachments[granule]) {}

  SiteId site() const { return site_ & site_mask; }

  // Replaces the granule's witnesses by `witness`. Its word is of the state `state`, which may stand for another
  // kind of access: then a node describes it.
  void restart(const Witness& witness, unsigned state) {
    const bool differs = state == static_cast<unsigned>(State::batom) && folded(witness.kind) != Access::block_atomic;
    if (!differs || !attach_node()) return set_site(witness.mark());
    node() = {{witness}};
    set_site(site_has_node | witness.mark());
  }

  // The same, but a node, if there is one, is kept to describe the access.
  void restart_alone(const Witness& witness, unsigned state) {
    if (!has_node()) return restart(witness, state);
    node() = {{witness}};
    set_site(site_has_node | witness.mark());
  }

  // `witness` changed the word. Without a node, `previous` is the access that the word and its site
  // describe; it is empty if the word forgot it.
  void add(const Layout& layout, const Witness& previous, const Witness& witness, bool shared, unsigned state) {
    if (!has_node() && (previous.who == 0 || covers(layout, witness, previous, shared))) return restart(witness, state);
    if (!has_node()) {
      if (!attach_node()) return restart(witness, state);
      node() = {{previous, witness}};
    } else {
      insert(layout, node(), witness, shared);
    }
    set_site(site_has_node | witness.mark());
  }

  // Of the remembered accesses that race with `witness`, the one by the farthest thread, since what
  // orders distant threads also orders those that are closer; of these the latest.
  bool find_racing(const Layout& layout, const Witness& previous, const Witness& witness, Witness& found) const {
    const auto races = [&](const Witness& earlier) {
      return earlier.who != 0 && !ordered(layout, earlier.who, witness.who) && conflicting(layout, earlier, witness);
    };
    if (!has_node()) {
      found = previous;
      return races(previous);
    }
    bool any = false;
    for (unsigned i = WitnessNode::capacity; i-- > 0;) {
      const Witness& earlier = node().witnesses[i];
      if (!races(earlier) || (any && scope_between(earlier.who, witness.who) <= scope_between(found.who, witness.who))) continue;
      found = earlier;
      any = true;
    }
    return any;
  }

  // Of the remembered volatile accesses by other lanes of the warp that no barrier separates from `witness`, the
  // latest one that conflicts with it.
  bool find_lane(const Layout& layout, const Witness& previous, const Witness& witness, Witness& found) const {
    const auto conflicts = [&](const Witness& earlier) {
      const AccessKind kind = kind_at_site(earlier.kind, earlier.site);
      const bool is_volatile = kind == AccessKind::volatile_read || kind == AccessKind::volatile_write;
      const bool writes = kind == AccessKind::volatile_write || witness.kind == AccessKind::volatile_write;
      const bool lanes = ((earlier.who ^ witness.who) & (layout.block_field | layout.warp_field)) == 0;
      return earlier.who != 0 && is_volatile && writes && lanes && !ordered(layout, earlier.who, witness.who);
    };
    if (!has_node()) {
      found = previous;
      return conflicts(previous);
    }
    for (unsigned i = WitnessNode::capacity; i-- > 0;) {
      found = node().witnesses[i];
      if (conflicts(found)) return true;
    }
    return false;
  }

  // This granule, for byte `byte` of a granule that was split, takes over its witnesses.
  void copy_from(const Witnesses& whole, unsigned byte) {
    const std::uint32_t mark = whole.site() | (byte != 0 ? site_continued : whole.site_ & site_continued);
    set_site(mark);
    if (!whole.has_node() || !attach_node()) return;
    node() = whole.node();
    for (Witness& witness : node().witnesses) witness.offset = saturated(std::size_t{witness.offset} + byte);
    set_site(site_has_node | mark);
  }

 private:
  bool has_node() const { return (site_ & site_has_node) != 0; }
  WitnessNode& node() const { return witness_pool()[attachment_]; }
  void set_site(std::uint32_t site) { __atomic_store_n(&site_, (site_ & site_lock) | site, __ATOMIC_RELAXED); }

  bool attach_node() {
    const bool there = attachment_ != 0 && (attachment_ & byte_node_flag) == 0;
    return there || witness_pool().take(attachment_) || (attachment_ = 0, false);
  }

  // Drops the witnesses that `witness` covers. A full node drops its oldest read or atomic, because
  // a plain write conflicts with everything that can follow.
  static void insert(const Layout& layout, WitnessNode& node, const Witness& witness, bool shared) {
    unsigned kept = 0, used = 0;
    for (; used < WitnessNode::capacity && node.witnesses[used].who != 0; ++used) {
      if (!covers(layout, witness, node.witnesses[used], shared)) node.witnesses[kept++] = node.witnesses[used];
    }
    if (kept == WitnessNode::capacity) {
      unsigned victim = 0;
      while (victim + 1 < kept && is_write(node.witnesses[victim].kind)) ++victim;
      for (unsigned i = victim; i + 1 < kept; ++i) node.witnesses[i] = node.witnesses[i + 1];
      --kept;
    }
    node.witnesses[kept++] = witness;
    for (; kept < used; ++kept) node.witnesses[kept].who = 0;
  }

  std::uint32_t& site_;
  std::uint32_t& attachment_;
};

}  // namespace hirace::cpu
