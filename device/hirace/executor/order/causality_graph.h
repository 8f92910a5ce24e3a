// The graph of operations that order others: publications, barriers, and what threads learn.
//
// What a thread knows is a node. A node's ancestors are the operations that come before in base
// causality order (PTX ISA, "Causality Order"). Learning costs one node, however many threads are
// known, and a question is a search backwards. Questions are rarer than synchronising operations: one
// for each two accesses that conflict. A search looks at what was learned last: for data behind the
// lock that was just taken it ends there, after a few steps. Otherwise it visits the newest nodes
// first, and ends at the time that it asks for.
//
// Such a search leaves an index at its first node, which the thread's next search takes over and continues: each
// search visits what the thread has learned since. With many indices that would take much memory. Then an
// index takes over those of its ancestors as well, and some stay where others ask them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "causality_node.h"
#include "frontier.h"
#include "limits.h"
#include "time_table.h"

namespace hirace::cpu::order {

// The index of a node, which gets one if it has none.
Index& index_of(const Node& node);

// What a search from a node has found so far.
class Index {
 public:
  explicit Index(const Node& from) : from_(&from) {
    take_over_earlier();
    frontier_.add({&from, 0, false, false});
  }
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  // Whether the search has found it already.
  bool has(const Question& question) const {
    return latest_.find(question.thread) > (question.time & ~of_copy) || latest_.find(block_key(question.block)) > question.time;
  }
  // Several indices may ask the same one. So each question has a number: without it, the number of calls would grow
  // exponentially with the depth, which is the number of calls that this one is in.
  bool answers(const Question& question, std::uint64_t number, int depth = 0) {
    if (has(question)) return true;
    if (std::exchange(asked_, number) == number) return false;
    const bool answer = finds(question, number, depth);
    // All that is newer than the rest has been visited.
    for (const auto& [key, time] : found_) latest_.note(key, time);
    found_.clear();
    visited_until_ = frontier_.newest();
    return answer;
  }

 private:
  // More parts would have to be asked each time, and parts of parts.
  static constexpr std::size_t max_parts = 4;
  // So many nodes that the thread knew of before are looked at for an index.
  static constexpr int max_earlier = 64;

  static std::uint64_t block_key(std::uint32_t block) { return std::uint64_t{1} << 32 | block; }

  bool finds(const Question& question, std::uint64_t number, int depth) {
    const bool may_ask = depth < max_index_depth;
    for (std::size_t at = 0; at < parts_.size();) {
      const Node* const part = parts_[at];
      if (part->has_index && may_ask) {
        if (part->newest() > (question.time & ~of_copy) && index_of(*part).answers(question, number, depth + 1)) return true;
        ++at;
        continue;
      }
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(at));
      // Otherwise another index has taken it over.
      if (part->has_index) {
        take_over(*part);
      } else {
        visited_until_ = unvisited;
        frontier_.add({part, 0, false, false});
      }
    }
    if (has(question)) return true;
    while (frontier_.is_after(question.time & ~of_copy)) {
      const Frontier::Visit visit = frontier_.next();
      const Node& node = *visit.node;
      if (visit.selects && !selected_.add(visit)) continue;
      const bool is_plain = !visit.selects && &node != from_;
      if (is_plain && (is_visited(node) || std::find(parts_.begin(), parts_.end(), &node) != parts_.end())) continue;
      const bool is_shared = is_plain && !node_pool().has_few_indices();
      // An index stays where many threads know of a node, or where a search has begun that others will repeat.
      const bool stays = node.owners >= many_owners || (is_shared && node.keeps_index);
      if (is_plain && may_ask && stays && parts_.size() < max_parts) {
        parts_.push_back(&node);
        if (index_of(node).answers(question, number, depth + 1)) return true;
      } else if (is_shared && node.has_index) {
        take_over(node);
        if (has(question)) return true;
      } else {
        if (visits(visit, question)) return true;
      }
    }
    return false;
  }

  // Visits a node, and those that only it leads to: what arrives at a barrier is a chain of joins. The frontier need not
  // put them in order. Returns whether one of them answers the question.
  bool visits(Frontier::Visit visit, const Question& question) {
    bool answers = false;
    while (!visit.selects && is_link(*visit.node, question)) {
      const auto& [earlier, arrived] = visit.node->parents;
      visit.node = earlier;
      if (is_visited(*arrived)) continue;
      const bool is_here = arrived->kind == Node::Kind::lanes && !arrived->has_index && arrived->owners < many_owners;
      if (!is_here) {
        frontier_.add({arrived, 0, false, false});
        continue;
      }
      frontier_.add_parents({arrived, 0, false, false});
      note(*arrived);
      answers = answers || question.is_answered_by(*arrived);
    }
    frontier_.add_parents(visit);
    note(*visit.node);
    return answers || question.is_answered_by(*visit.node);
  }

  // Whether a node is a join whose first parent is a join, too, which leads to an answer and nothing else leads to.
  static bool is_link(const Node& node, const Question& question) {
    if (node.kind != Node::Kind::join || node.parents[0] == nullptr || node.parents[1] == nullptr) return false;
    const Node& earlier = *node.parents[0];
    const bool is_alone = earlier.kind == Node::Kind::join && earlier.owners == 1 && !earlier.has_index;
    return is_alone && earlier.newest() > (question.time & ~of_copy);
  }

  // Whether an earlier search has visited a node, or the same knowledge on another path. Whoever knows of a thread until
  // a time knows what that thread knew before; so the search has met a later node of the thread, and then all that
  // is newer than this one.
  bool is_visited(const Node& node) const {
    if (node.time <= visited_until_) return false;
    if (node.kind == Node::Kind::block) return latest_.find(block_key(node.who)) >= node.time;
    if (node.kind != Node::Kind::lanes) return false;
    std::uint32_t rest = node.lanes;
    while (rest != 0 && latest_.find(node.who + static_cast<std::uint32_t>(__builtin_ctz(rest))) >= node.time) rest &= rest - 1;
    return rest == 0;
  }

  // What is found now does not count as visited before.
  void note(const Node& node) {
    if (node.kind == Node::Kind::block) found_.emplace_back(block_key(node.who), node.time);
    if (node.kind != Node::Kind::lanes) return;
    for (std::uint32_t rest = node.lanes; rest != 0; rest &= rest - 1) {
      found_.emplace_back(node.who + static_cast<std::uint32_t>(__builtin_ctz(rest)), node.time);
    }
  }

  // The index of the thread's earlier question: what it knew then is the first parent, again and again.
  void take_over_earlier() {
    const Node* node = from_;
    for (int step = 0; step < max_earlier; ++step) {
      if (node->kind == Node::Kind::selection || node->kind == Node::Kind::entry) return;
      node = node->parents[0];
      if (node == nullptr || node->keeps_index || node->owners >= many_owners) return;
      if (!node->has_index) continue;
      const std::unique_ptr<Index> earlier(node_pool().take_index(*node));
      latest_.swap(earlier->latest_);
      frontier_.swap(earlier->frontier_);
      parts_.swap(earlier->parts_);
      selected_.swap(earlier->selected_);
      visited_until_ = earlier->visited_until_;
      return;
    }
  }

  // Of an ancestor.
  void take_over(const Node& node) {
    const std::unique_ptr<Index> other(node_pool().take_index(node));
    visited_until_ = unvisited;
    if (other->latest_.size() > latest_.size()) latest_.swap(other->latest_);
    latest_.note_all(other->latest_);
    frontier_.take_over(other->frontier_);
    // They have not been asked yet.
    for (const Node* const part : other->parts_) frontier_.add({part, 0, false, false});
  }

  static constexpr Time unvisited = ~Time{0};

  const Node* from_;
  // By thread and block, the last time until which they are known.
  TimeTable latest_;
  // What the present search has added to that.
  std::vector<std::pair<std::uint64_t, Time>> found_;
  // Of what `latest_` tells of, all that is newer than this has been visited.
  Time visited_until_ = unvisited;
  Frontier frontier_;
  // What was visited for a selection. Threads ask for what reaches their fences again and again.
  VisitSet selected_;
  // Ancestors whose own indices are asked.
  std::vector<const Node*> parts_;
  std::uint64_t asked_ = 0;  // the last question
};

inline Index* NodePool::take_index(const Node& node) {
  node.has_index = false;
  const auto found = indices_.find(&node);
  Index* const index = found->second;
  indices_.erase(found);
  return index;
}

inline void NodePool::drop_indices() {
  for (const auto& [node, index] : indices_) {
    node->has_index = false;
    delete index;
  }
  indices_.clear();
}

inline Index& index_of(const Node& node) {
  Index*& index = node_pool().index(node);
  if (!std::exchange(node.has_index, true)) index = new Index(node);
  return *index;
}

inline void Ref::free(const Node* node) {
  static std::vector<const Node*> unowned;
  unowned.push_back(node);
  while (!unowned.empty()) {
    const Node* const gone = unowned.back();
    unowned.pop_back();
    for (const Node* const parent : gone->parents) {
      if (parent != nullptr && --parent->owners == 0) unowned.push_back(parent);
    }
    if (gone->has_index) delete node_pool().take_index(*gone);
    delete gone;
  }
}

inline void* NodePool::allocate() {
  ++live_;
  if (free_ != nullptr) return std::exchange(free_, free_->next);
  if (used_ == chunk_nodes) {
    if (begun_ == chunks_.size()) chunks_.push_back(std::unique_ptr<Slot[]>(new Slot[chunk_nodes]));
    ++begun_;
    used_ = 0;
  }
  return &chunks_[begun_ - 1][used_++];
}

inline void NodePool::free(void* node) {
  --live_;
  if (node == last_selection) last_selection = nullptr;
  auto* const slot = static_cast<Slot*>(node);
  std::memset(slot->bytes, 0, sizeof slot->bytes);
  slot->next = free_;
  free_ = slot;
}

inline void NodePool::end_drop() {
  drop_indices();
  last_selection = nullptr;
  has_narrow_entries = false;
  if (chunks_.size() > kept_chunks) chunks_.resize(kept_chunks);
  begun_ = 0;
  free_ = nullptr;
  used_ = chunk_nodes;
  live_ = 0;
  limit_ = max_nodes;
  forgotten_until_ = 0;
  drops_ = false;
}

inline void NodePool::forget_old() {
  drop_indices();
  const auto each_node = [&](auto&& visit) {
    for (std::size_t chunk = 0; chunk < begun_; ++chunk) {
      const std::size_t end = chunk + 1 == begun_ ? used_ : chunk_nodes;
      for (std::size_t at = 0; at < end; ++at) {
        auto& node = *reinterpret_cast<Node*>(chunks_[chunk][at].bytes);
        if (node.owners != 0) visit(node);
      }
    }
  };
  std::vector<Time> times;
  each_node([&](Node& node) { times.push_back(node.time); });
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  forgotten_until_ = *middle;
  each_node([&](Node& node) {
    for (const Node*& parent : node.parents) {
      if (parent == nullptr || parent->time >= forgotten_until_) continue;
      // A reference that ends here.
      --parent->owners;
      const Ref gone(std::exchange(parent, nullptr));
    }
  });
  limit_ = std::max(max_nodes, 2 * live_);
}

// Follows what was learned last, again and again. For data behind the lock that was just taken, that
// is the chain of those who had the lock. `learned` is set to the first node that others have learned, too.
inline bool is_on_last_path(const Node* node, const Question& question, const Node*& learned) {
  for (int step = 0; step < last_path_nodes; ++step) {
    if (node == nullptr || node->newest() <= (question.time & ~of_copy)) return false;
    if (question.is_answered_by(*node)) return true;
    if (node->kind == Node::Kind::selection) return false;
    // The second one was learned last.
    const Node* const last = node->parents[1];
    const bool is_learned = last != nullptr && last->kind != Node::Kind::selection;
    node = is_learned ? last : node->parents[0];
    if (!is_learned || learned != nullptr || node->owners == 1) continue;
    learned = node;
    if (learned->has_index && index_of(*learned).has(question)) return true;
  }
  return false;
}

// Looks at the nodes closest to one, by edges. Nothing if the answer may be farther away.
inline std::optional<bool> is_close(const Node* from, const Question& question) {
  const Node* near[close_nodes + 2] = {from};
  std::size_t at = 0, end = 1;
  bool has_all = true;
  for (; at < end && at < close_nodes; ++at) {
    const Node& node = *near[at];
    if (question.is_answered_by(node)) return true;
    if (node.kind == Node::Kind::selection) {
      has_all = false;
      continue;
    }
    for (const Node* const parent : {node.parents[1], node.parents[0]}) {
      if (parent == nullptr || parent->newest() <= (question.time & ~of_copy)) continue;
      if (end < close_nodes + 2) {
        near[end++] = parent;
      } else {
        has_all = false;
      }
    }
  }
  if (has_all && at == end) return false;
  return std::nullopt;
}

// Whether what is asked about comes before a node, or is known there.
inline bool is_known(const Node* from, const Question& question) {
  const Time asked = question.time & ~of_copy;
  if (from == nullptr) return false;
  if (from->newest() <= asked) return node_pool().takes_for_known(asked);
  const Node* learned = nullptr;
  if (is_on_last_path(from, question, learned)) return true;
  if (const std::optional<bool> answer = is_close(from, question)) return *answer || node_pool().takes_for_known(asked);
  static std::uint64_t questions = 0;
  const std::uint64_t number = ++questions;
  // Others will ask there, too: its index stays.
  if (learned != nullptr && learned->newest() > asked && !node_pool().has_few_indices()) {
    learned->keeps_index = learned->keeps_index || !learned->has_index;
    if (index_of(*learned).answers(question, number)) return true;
  }
  return index_of(*from).answers(question, number) || node_pool().takes_for_known(asked);
}

}  // namespace hirace::cpu::order
