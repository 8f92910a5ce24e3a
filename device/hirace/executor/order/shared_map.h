// Maps from 32-bit numbers to values that only grow, which share what they have in common.
//
// These are big-endian Patricia trees (Okasaki and Gill, "Fast Mergeable Integer Maps", ML Workshop
// 1998) of immutable nodes. Adding a value copies one path. Joining two maps visits only what they do
// not share: a lock that a hundred thousand threads took one after the other costs each of them a
// path, not a copy.
//
// Nodes count their owners without atomic operations: a launch with the order engine runs on one OS
// thread.
#pragma once

#include <cstdint>
#include <utility>

namespace hirace::cpu::order {

template <class Value>
class SharedMap {
 public:
  const Value* find(std::uint32_t key) const {
    const Node* node = root_.get();
    while (node != nullptr && node->bit != 0) {
      if (!node->covers(key)) return nullptr;
      node = ((key & node->bit) != 0 ? node->right : node->left).get();
    }
    return node != nullptr && node->prefix == key ? &node->value : nullptr;
  }

  // Joins the value of a number with this one.
  void add(std::uint32_t key, Value value) { root_ = merged(root_, Ref(new Node(key, std::move(value)))); }
  void join(const SharedMap& other) { root_ = merged(root_, other.root_); }

  // Whether both are one tree.
  bool is_same(const SharedMap& other) const { return root_ == other.root_; }

  // Removes the numbers in [first, first + count) whose value satisfies a condition.
  template <class Condition>
  void remove(std::uint32_t first, std::uint32_t count, const Condition& condition) {
    root_ = without(root_, first, first + count - 1, condition);
  }

 private:
  struct Node;

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
      // As deep as a number has bits.
      if (node_ != nullptr && --node_->owners == 0) delete node_;
    }
    const Node* get() const { return node_; }
    const Node* operator->() const { return node_; }
    friend bool operator==(const Ref& a, const Ref& b) { return a.node_ == b.node_; }

   private:
    void own() const {
      if (node_ != nullptr) ++node_->owners;
    }
    const Node* node_ = nullptr;
  };

  // A leaf has bit 0 and its number as the prefix. Of any other node, the numbers below it agree with the
  // prefix above the bit, and the bit says in which subtree they are.
  struct Node {
    Node(std::uint32_t key, Value of) : prefix(key), bit(0), value(std::move(of)) {}
    Node(std::uint32_t above, std::uint32_t at, Ref low, Ref high)
        : prefix(above), bit(at), value{}, left(std::move(low)), right(std::move(high)) {}

    // Whether a number may be below this node, which is not a leaf.
    bool covers(std::uint32_t key) const { return (key & ~(2 * bit - 1)) == prefix; }

    mutable std::uint32_t owners = 0;
    std::uint32_t prefix, bit;
    Value value;
    Ref left, right;
  };

  static Ref branch(const Ref& old, Ref left, Ref right) {
    if (left == old->left && right == old->right) return old;
    if (left.get() == nullptr) return right;
    if (right.get() == nullptr) return left;
    return Ref(new Node(old->prefix, old->bit, std::move(left), std::move(right)));
  }

  static Ref merged(const Ref& a, const Ref& b) {
    if (a == b || b.get() == nullptr) return a;
    if (a.get() == nullptr) return b;
    if (a->prefix == b->prefix && a->bit == b->bit) {
      if (a->bit == 0) return merged_leaves(a, b);
      Ref left = merged(a->left, b->left), right = merged(a->right, b->right);
      if (left == b->left && right == b->right) return b;
      return branch(a, std::move(left), std::move(right));
    }
    if (a->bit > b->bit && a->covers(b->prefix)) return inserted(a, b);
    if (b->bit > a->bit && b->covers(a->prefix)) return inserted(b, a);
    const std::uint32_t at = std::uint32_t{1} << (31 - __builtin_clz(a->prefix ^ b->prefix));
    const bool a_is_right = (a->prefix & at) != 0;
    return Ref(new Node(a->prefix & ~(2 * at - 1), at, a_is_right ? b : a, a_is_right ? a : b));
  }

  // Numbers that only grow have the greater one as their join; other values say what theirs is.
  static Ref merged_leaves(const Ref& a, const Ref& b) {
    if constexpr (is_joinable<Value>(0)) {
      Value both = a->value;
      both.join(b->value);
      return both.is_same(a->value) ? a : both.is_same(b->value) ? b : Ref(new Node(a->prefix, std::move(both)));
    } else {
      return a->value < b->value ? b : a;
    }
  }
  template <class Of>
  static constexpr auto is_joinable(int) -> decltype(std::declval<const Of&>().is_same(std::declval<const Of&>())) {
    return true;
  }
  template <class Of>
  static constexpr bool is_joinable(...) {
    return false;
  }

  // `big` with `small`, which belongs below it.
  static Ref inserted(const Ref& big, const Ref& small) {
    if ((small->prefix & big->bit) != 0) return branch(big, big->left, merged(big->right, small));
    return branch(big, merged(big->left, small), big->right);
  }

  template <class Condition>
  static Ref without(const Ref& node, std::uint32_t first, std::uint32_t last, const Condition& condition) {
    if (node.get() == nullptr) return node;
    const std::uint32_t end = node->bit == 0 ? node->prefix : node->prefix + (2 * node->bit - 1);
    if (node->prefix > last || end < first) return node;
    if (node->bit == 0) return condition(node->value) ? Ref() : node;
    return branch(node, without(node->left, first, last, condition), without(node->right, first, last, condition));
  }

  Ref root_;
};

}  // namespace hirace::cpu::order
