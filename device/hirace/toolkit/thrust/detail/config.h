// The common parts of thrust's headers on the CPU executor, and the policies.
#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../../hirace.cuh"

#include "../../../executor/call_site.h"
#include "../../../libraries/library_access.h"

#define THRUST_VERSION 300000
#define THRUST_MAJOR_VERSION 3
#define THRUST_MINOR_VERSION 0
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_PATCH_NUMBER 0
#define THRUST_NAMESPACE_BEGIN namespace thrust {
#define THRUST_NAMESPACE_END }

namespace thrust {

struct host_system_tag {};
struct device_system_tag {};

namespace detail {

// The base of every execution policy.
struct policy_base {};

template <class T>
constexpr bool is_policy = std::is_base_of_v<policy_base, std::decay_t<T>>;

template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;
template <class Iterator>
using distance_of = typename std::iterator_traits<Iterator>::difference_type;

// Arithmetic of random-access iterators, based on advance(n), distance_to(other) and dereference().
template <class Self, class Value, class Reference, class Pointer = const Value*>
class iterator_base {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using reference = Reference;
  using pointer = Pointer;

  Reference operator*() const { return self().dereference(); }
  template <class Index>
  Reference operator[](Index n) const { return *(self() + static_cast<std::ptrdiff_t>(n)); }
  Self& operator++() { return *this += 1; }
  Self& operator--() { return *this += -1; }
  Self operator++(int) {
    Self old = self();
    *this += 1;
    return old;
  }
  Self operator--(int) {
    Self old = self();
    *this += -1;
    return old;
  }
  Self& operator+=(std::ptrdiff_t n) {
    self().advance(n);
    return self();
  }
  Self& operator-=(std::ptrdiff_t n) { return *this += -n; }
  friend Self operator+(Self it, std::ptrdiff_t n) { return it += n; }
  friend Self operator+(std::ptrdiff_t n, Self it) { return it += n; }
  friend Self operator-(Self it, std::ptrdiff_t n) { return it += -n; }
  friend std::ptrdiff_t operator-(const Self& a, const Self& b) { return b.distance_to(a); }
  friend bool operator==(const Self& a, const Self& b) { return b.distance_to(a) == 0; }
  friend bool operator!=(const Self& a, const Self& b) { return b.distance_to(a) != 0; }
  friend bool operator<(const Self& a, const Self& b) { return b.distance_to(a) < 0; }
  friend bool operator>(const Self& a, const Self& b) { return b.distance_to(a) > 0; }
  friend bool operator<=(const Self& a, const Self& b) { return b.distance_to(a) <= 0; }
  friend bool operator>=(const Self& a, const Self& b) { return b.distance_to(a) >= 0; }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace detail

using std::advance;
using std::distance;
using std::next;
using std::prev;

}  // namespace thrust
