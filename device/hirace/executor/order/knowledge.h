// What comes before a thread's next operation, as it is passed on by releases, fences and barriers.
//
// Beside a clock, that is what the fence.sc operations among it know. Two morally strong fence.sc have
// an order (PTX ISA, "Fence-SC"), but an execution rarely says which: it only does if operations
// around them communicate. So the second one learns what the first one knew only if an operation that
// the first precedes comes before, in reads-from, coherence or from-reads order, an operation that
// precedes the second (Engine::communicate). All other orders are possible, and two accesses race if
// they do in one of them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "operation.h"

namespace hirace::cpu::order {

// What is known by whom it reaches. Two operations must be morally strong: those of a block reach each
// other with any scope, those of different blocks only if both scopes are at least that of the device.
template <class Known>
struct Reach {
  Known device;
  std::vector<std::pair<std::uint32_t, Known>> blocks;

  Known& of_block(std::uint32_t block) {
    const std::size_t place = place_of(block);
    return place < blocks.size() ? blocks[place].second : blocks.emplace_back(block, Known()).second;
  }
  const Known& in_block(std::uint32_t block) const {
    static const Known nothing;
    const std::size_t place = place_of(block);
    return place < blocks.size() ? blocks[place].second : nothing;
  }

  // Leaves out blocks that have ended: none of their threads will ask. Looks only now and then.
  template <class Runs>
  void keep(const Runs& runs) {
    if (blocks.size() % 32 != 31) return;
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), [&](const auto& it) { return !runs(it.first); }), blocks.end());
  }

 private:
  // As many as there are, if it is none of them.
  std::size_t place_of(std::uint32_t block) const {
    // The threads of a block run one after the other.
    if (last_ < blocks.size() && blocks[last_].first == block) return last_;
    const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const auto& it) { return it.first == block; });
    return last_ = static_cast<std::size_t>(found - blocks.begin());
  }

  mutable std::size_t last_ = 0;
};

// What fence.sc operations know, by whom they reach. Empty in programs that have none.
class FenceClocks {
 public:
  FenceClocks() = default;

  bool is_empty() const { return latest_.get() == nullptr; }
  void join(const FenceClocks& other) { order::join_into(latest_, other.latest_); }
  // Adds a fence by a thread of `block`.
  void add(const Clock& known, std::uint32_t block, Scope scope) {
    if (scope == Scope::block) node_pool().has_narrow_entries = true;
    latest_ = Ref(new Node(Node::Kind::entry, block, 0, scope != Scope::block, known.latest_.get(), latest_.get()));
  }
  bool is_same(const FenceClocks& other) const { return latest_ == other.latest_; }

  bool contains(const FenceClocks& other) const { return order::contains(latest_, other.latest_); }

  // What reaches a fence of this scope in this block.
  Clock reaching(std::uint32_t block, Scope scope) const {
    Clock all;
    if (latest_.get() == nullptr) return all;
    const bool wide = scope != Scope::block;
    // The threads of a block often ask for the same one after the other: then they share its index.
    const Node*& last = node_pool().last_selection;
    const bool is_same = last != nullptr && last->parents[0] == latest_.get() && last->who == block && last->wide == wide;
    if (!is_same) last = new Node(Node::Kind::selection, block, 0, wide, latest_.get(), nullptr);
    all.latest_ = Ref(last);
    return all;
  }

 private:
  Ref latest_;
};

struct Knowledge : Clock {
  // Of the fence.sc operations that come before, and of those that the next fence.sc must follow.
  FenceClocks fences, communicated;

  bool is_empty() const { return Clock::is_empty() && fences.is_empty() && communicated.is_empty(); }

  void join(const Knowledge& other) {
    Clock::join(other);
    join_fences(other);
  }
  bool contains(const Knowledge& other) const {
    return Clock::contains(other) && fences.contains(other.fences) && communicated.contains(other.communicated);
  }
  // Adds fence.sc operations that the next one must follow. Those that come before are known, or among them.
  void communicate(const FenceClocks& before) {
    if (!fences.contains(before)) communicated.join(before);
  }
  // What a thread knows of others.
  void join_of(std::uint32_t thread, const Knowledge& known) {
    Clock::join_without(thread, known);
    join_fences(known);
  }

 private:
  void join_fences(const Knowledge& other) {
    fences.join(other.fences);
    if (holds(Rule::communication_is_causal)) communicated.join(other.communicated);
  }
};

inline void join(Knowledge& into, const Knowledge& from) { into.join(from); }

// What a thread has read and may learn at its next fence, or has fenced and publishes with its next
// strong write: of operations in its own block, and of those with the scope of the device.
struct ScopedKnowledge {
  Knowledge block, device;

  bool is_empty() const { return block.is_empty() && device.is_empty(); }
};

}  // namespace hirace::cpu::order
