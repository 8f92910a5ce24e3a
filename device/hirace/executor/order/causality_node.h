// The nodes of the causality graph (causality_graph.h), which share their ancestors.
//
// Nodes count their owners without atomic operations: a launch with the order engine runs on one OS
// thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "limits.h"

namespace hirace::cpu::order {

// A point in the sequence of all synchronising operations. The time of an access is that of its
// thread's last publication: what comes between two of them has the same time, because nobody can know
// one part of it without the other.
using Time = std::uint64_t;

// Part of the time of a copy, of which no barrier of its block tells.
constexpr Time of_copy = Time{1} << 63;

inline Time last_time = 0;

class Index;
struct Node;

// The memory of nodes. A launch may make millions, and frees all of them when it ends.
class NodePool {
 public:
  void* allocate();
  void free(void* node);

  // Between the two, nodes are not freed one by one: nobody uses any of them again.
  void begin_drop() { drops_ = true; }
  void end_drop();
  bool drops() const { return drops_; }

  // Forgets the older half of the nodes: what came before all others is then taken for known.
  bool is_full() const { return live_ > limit_; }
  void forget_old();
  bool takes_for_known(Time time) {
    has_assumed_ = has_assumed_ || time < forgotten_until_;
    return time < forgotten_until_;
  }
  // Whether that was needed since the last call.
  bool has_assumed() { return std::exchange(has_assumed_, false); }

  // Of nodes from which a search took long. Few have one, so that it is no member of theirs.
  Index*& index(const Node& node) { return indices_[&node]; }
  Index* take_index(const Node& node);

  bool has_few_indices() const { return indices_.size() < few_indices; }
  // The last selection, while somebody has it.
  const Node* last_selection = nullptr;

  // Whether a fence.sc had the scope of a block.
  bool has_narrow_entries = false;

 private:
  void drop_indices();

  static constexpr std::size_t chunk_nodes = 1024;
  // For the next launch: some ten megabytes.
  static constexpr std::size_t kept_chunks = 256;
  union Slot;

  std::vector<std::unique_ptr<Slot[]>> chunks_;
  Slot* free_ = nullptr;
  std::size_t begun_ = 0, used_ = chunk_nodes;  // chunks, and slots of the last one of them
  std::size_t live_ = 0, limit_ = max_nodes;
  Time forgotten_until_ = 0;
  bool drops_ = false, has_assumed_ = false;
  std::unordered_map<const Node*, Index*> indices_;
};

NodePool& node_pool();

struct Node {
  enum class Kind : std::uint8_t {
    join,   // of both parents
    lanes,  // threads from `who` on, a bit for each, are known until now
    block,  // all threads of the block `who` are
    // What fence.sc operations know (FenceClocks). A selection has those that reach one in the block
    // `who`, and an entry is one in the block `who`, before others; `wide` tells of the scope of the device.
    selection,
    entry,
  };

  Node(Kind of, std::uint32_t whose, std::uint32_t which, bool far, const Node* first, const Node* second)
      : parents{first, second}, time(++last_time), who(whose), lanes(which), kind(of), wide(far) {
    Time latest = 0;
    for (const Node* const parent : parents) {
      if (parent == nullptr) continue;
      ++parent->owners;
      latest = std::max(latest, parent->newest());
    }
    if (kind != Kind::join) return;
    who = static_cast<std::uint32_t>(latest >> 32);
    lanes = static_cast<std::uint32_t>(latest);
  }

  // No operation that it tells of is later than this. A join tells of none but those of its parents, and may be made
  // long after them.
  Time newest() const { return kind == Kind::join ? Time{who} << 32 | lanes : time; }

  // Whether it adds no more to its first parent than what a thread has done.
  bool is_publication_of(std::uint32_t thread) const { return kind == Kind::lanes && who == thread && lanes == 1 && parents[1] == nullptr; }

  static void* operator new(std::size_t) { return node_pool().allocate(); }
  static void operator delete(void* node) { node_pool().free(node); }

  // First, because a free slot writes over it.
  const Node* parents[2];
  Time time;
  mutable std::uint32_t owners = 0;  // 0 in a free slot, too
  std::uint32_t who, lanes;  // of a join, together its newest time
  Kind kind;
  bool wide;
  // In the pool; and whether it stays there.
  mutable bool has_index = false, keeps_index = false;
};

union NodePool::Slot {
  Slot* next;
  alignas(Node) unsigned char bytes[sizeof(Node)];
};

inline NodePool& node_pool() {
  // Never destroyed: other static objects may still own nodes.
  static NodePool* const pool = new NodePool;
  return *pool;
}

// Shares a node. The last owner deletes it and the ancestors that nobody else has.
class Ref {
 public:
  Ref() = default;
  explicit Ref(const Node* node) : node_(node) { own(); }
  Ref(const Ref& other) : node_(other.node_) { own(); }
  Ref(Ref&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Ref() {
    if (node_ != nullptr && !node_pool().drops() && --node_->owners == 0) free(node_);
  }
  // Turns a join that nobody else has into another node. False if it is none.
  bool become(Node::Kind kind, std::uint32_t who, std::uint32_t lanes) const {
    if (node_ == nullptr || node_->owners != 1 || node_->kind != Node::Kind::join || node_->has_index) return false;
    auto& node = const_cast<Node&>(*node_);
    node.kind = kind;
    node.who = who;
    node.lanes = lanes;
    node.time = ++last_time;
    return true;
  }
  const Node* get() const { return node_; }
  const Node* operator->() const { return node_; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.node_ == b.node_; }

 private:
  void own() const {
    if (node_ != nullptr) ++node_->owners;
  }
  // A chain of nodes may be longer than a stack is deep.
  static void free(const Node* node);

  const Node* node_ = nullptr;
};

// Whether a node is found among the ancestors of another one that are close.
inline bool has_near(const Node* node, const Node* ancestor) {
  constexpr int steps = 4;
  for (int step = 0; step < steps && node != nullptr && node->time > ancestor->time; ++step) {
    if (node->kind == Node::Kind::selection) return false;
    if (node->parents[0] == ancestor || node->parents[1] == ancestor) return true;
    // The other parent of an entry is no fence.
    node = node->parents[node->kind == Node::Kind::entry ? 1 : 0];
  }
  return false;
}

// Whether all that comes before the second node is seen at once to come before the first one: threads that
// poll learn the same again and again, and who takes a lock and releases it knows both what was published
// before and what it published then.
inline bool contains(const Ref& a, const Ref& b) {
  const Node *const node = a.get(), *const other = b.get();
  if (other == nullptr || node == other) return true;
  if (node == nullptr || node->time < other->time) return false;
  if (has_near(node, other)) return true;
  if (other->kind != Node::Kind::join) return false;
  const auto has = [&](const Node* it) { return it == nullptr || it == node || has_near(node, it); };
  return has(other->parents[0]) && has(other->parents[1]);
}

inline Ref join(const Ref& a, const Ref& b) {
  if (contains(a, b)) return a;
  if (contains(b, a)) return b;
  return Ref(new Node(Node::Kind::join, 0, 0, false, a.get(), b.get()));
}
inline void join_into(Ref& into, const Ref& from) {
  if (from.get() != nullptr && !(into == from)) into = join(into, from);
}

}  // namespace hirace::cpu::order
