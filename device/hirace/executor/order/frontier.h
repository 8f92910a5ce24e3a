// What a search of the causality graph (causality_graph.h) still has to visit, and what it has visited for the
// selections of fence.sc operations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "causality_node.h"
#include "rules.h"

namespace hirace::cpu::order {

// A thread at a time, and the block that it is in; both by number in the grid.
struct Question {
  std::uint32_t thread, block;
  Time time;

  // Whether a node answers it.
  bool is_answered_by(const Node& node) const {
    const Time asked = time & ~of_copy;
    if (node.kind == Node::Kind::block) return node.who == block && node.time > time;
    const std::uint32_t lane = thread - node.who;
    return node.kind == Node::Kind::lanes && lane < 32 && (node.lanes >> lane & 1) != 0 && node.time > asked;
  }
};

// Nodes to visit, those first that tell of the newest operations.
class Frontier {
 public:
  static constexpr std::uint32_t any_block = ~std::uint32_t{0};

  // Entries are visited for a selection: those that reach a fence in a block.
  struct Visit {
    const Node* node;
    std::uint32_t block;
    bool selects, wide;

    std::uint64_t selection() const { return selects ? std::uint64_t{block} << 2 | (wide ? 2 : 0) | 1 : 0; }
    friend bool operator<(const Visit& a, const Visit& b) {
      // A join may be as new as a parent, but was made later: so it comes before it.
      const Time of_a = a.node->newest(), of_b = b.node->newest();
      if (of_a != of_b) return of_a < of_b;
      return a.node->time != b.node->time ? a.node->time < b.node->time : a.selection() < b.selection();
    }
  };

  void add(const Visit& visit) {
    if (visit.node == nullptr) return;
    heap_.push_back(visit);
    std::push_heap(heap_.begin(), heap_.end());
  }
  // The time of the newest node.
  Time newest() const { return heap_.empty() ? 0 : heap_.front().node->newest(); }
  bool is_after(Time time) const { return !heap_.empty() && heap_.front().node->newest() > time; }
  Visit next() {
    const Visit visit = heap_.front();
    // Several nodes lead to it.
    do {
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    } while (!heap_.empty() && heap_.front().node == visit.node && heap_.front().selection() == visit.selection());
    return visit;
  }
  // What comes before it.
  void add_parents(const Visit& visit) {
    const Node& node = *visit.node;
    switch (node.kind) {
      case Node::Kind::selection: {
        // Fences of device scope reach one another, whatever their blocks: then all selections are one.
        const bool is_any = node.wide && !node_pool().has_narrow_entries;
        return add({node.parents[0], is_any ? any_block : node.who, true, node.wide});
      }
      case Node::Kind::entry:
        if (node.who == visit.block || reach_each_other(node.wide, visit.wide)) add({node.parents[0], 0, false, false});
        return add({node.parents[1], visit.block, visit.selects, visit.wide});
      default:
        for (const Node* const parent : node.parents) add({parent, visit.block, visit.selects, visit.wide});
    }
  }
  // Whether two fence.sc operations of different blocks do.
  static bool reach_each_other(bool earlier_is_wide, bool later_is_wide) {
    return (earlier_is_wide || !holds(Rule::sequential_fence_reaches_by_its_own_scope)) &&
           (later_is_wide || !holds(Rule::sequential_fence_is_reached_by_its_own_scope));
  }
  void swap(Frontier& other) { heap_.swap(other.heap_); }
  void take_over(Frontier& other) {
    if (other.heap_.size() > heap_.size()) heap_.swap(other.heap_);
    for (const Visit& visit : other.heap_) add(visit);
  }

 private:
  std::vector<Visit> heap_;
};

// Visits that have been made, with their selections.
class VisitSet {
 public:
  void swap(VisitSet& other) {
    entries_.swap(other.entries_);
    std::swap(size_, other.size_);
  }
  // Whether it is new.
  bool add(const Frontier::Visit& visit) {
    if (4 * (size_ + 1) > 3 * entries_.size()) grow();
    Entry& entry = entries_[place_of({visit.node, visit.selection()})];
    if (entry.node != nullptr) return false;
    entry = {visit.node, visit.selection()};
    ++size_;
    return true;
  }

 private:
  struct Entry {
    const Node* node;
    std::uint64_t selection;
  };

  std::size_t place_of(const Entry& wanted) const {
    const std::size_t mask = entries_.size() - 1;
    const std::uint64_t key = reinterpret_cast<std::uintptr_t>(wanted.node) / alignof(Node) + wanted.selection * 0x2545f4914f6cdd1du;
    std::size_t place = (key * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (entries_[place].node != nullptr && !(entries_[place].node == wanted.node && entries_[place].selection == wanted.selection)) {
      place = (place + 1) & mask;
    }
    return place;
  }
  void grow() {
    std::vector<Entry> old(std::max<std::size_t>(16, 2 * entries_.size()));
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.node != nullptr) entries_[place_of(entry)] = entry;
    }
  }

  std::vector<Entry> entries_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace hirace::cpu::order
