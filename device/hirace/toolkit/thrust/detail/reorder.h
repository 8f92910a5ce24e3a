// Algorithms that reorder, remove and merge: sorts, partitions, sets.
//
// All iterators may be proxies, which not all algorithms of the standard library accept: elements
// are copied out, ordered, and written back.
#pragma once

#include <algorithm>
#include <vector>

#include "dispatch.h"

namespace thrust {

namespace detail {

template <class T>
struct boxed {
  T value;
};
template <class In>
std::vector<boxed<value_of<In>>> taken(In first, In last) {
  std::vector<boxed<value_of<In>>> values;
  values.reserve(static_cast<std::size_t>(last - first));
  for (; first != last; ++first) values.push_back({static_cast<value_of<In>>(at(first))});
  return values;
}
template <class Values, class Out>
Out put(const Values& values, Out out) {
  for (const auto& item : values) *out++ = item.value;
  return out;
}

}  // namespace detail

namespace detail::bodies {

template <class In, class Less = less<>>
void stable_sort(In first, In last, Less less = Less()) {
  if constexpr (std::is_pointer_v<In>) {
    std::stable_sort(first, last, less);
  } else {
    auto values = taken(first, last);
    std::stable_sort(values.begin(), values.end(), [&less](const auto& a, const auto& b) { return less(a.value, b.value); });
    put(values, first);
  }
}
template <class In, class Less = less<>>
void sort(In first, In last, Less less = Less()) {
  bodies::stable_sort(first, last, less);
}
template <class Keys, class Values, class Less = less<>>
void stable_sort_by_key(Keys first, Keys last, Values values, Less less = Less()) {
  struct Pair {
    value_of<Keys> key;
    value_of<Values> value;
  };
  std::vector<Pair> pairs;
  pairs.reserve(static_cast<std::size_t>(last - first));
  Values from = values;
  for (Keys key = first; key != last; ++key, ++from) {
    pairs.push_back({static_cast<value_of<Keys>>(at(key)), static_cast<value_of<Values>>(at(from))});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&less](const Pair& a, const Pair& b) { return less(a.key, b.key); });
  for (const Pair& pair : pairs) {
    *first++ = pair.key;
    *values++ = pair.value;
  }
}
template <class Keys, class Values, class Less = less<>>
void sort_by_key(Keys first, Keys last, Values values, Less less = Less()) {
  bodies::stable_sort_by_key(first, last, values, less);
}

template <class In, class Stencil, class Out, class Predicate>
Out copy_if(In first, In last, Stencil stencil, Out out, Predicate predicate) {
  for (; first != last; ++first, ++stencil) {
    if (predicate(at(stencil))) *out++ = at(first);
  }
  return out;
}
template <class In, class Out, class Predicate>
Out copy_if(In first, In last, Out out, Predicate predicate) {
  return bodies::copy_if(first, last, first, out, predicate);
}
template <class In, class Stencil, class Predicate>
In remove_if(In first, In last, Stencil stencil, Predicate predicate) {
  In out = first;
  for (; first != last; ++first, ++stencil) {
    if (predicate(at(stencil))) continue;
    const value_of<In> kept = at(first);
    *out++ = kept;
  }
  return out;
}
template <class In, class Predicate>
In remove_if(In first, In last, Predicate predicate) {
  In out = first;
  for (; first != last; ++first) {
    const value_of<In> item = at(first);
    if (!predicate(item)) *out++ = item;
  }
  return out;
}
template <class In, class Value>
In remove(In first, In last, const Value& value) {
  return bodies::remove_if(first, last, [&value](const auto& item) { return item == value; });
}
template <class In, class Stencil, class Out, class Predicate>
Out remove_copy_if(In first, In last, Stencil stencil, Out out, Predicate predicate) {
  return bodies::copy_if(first, last, stencil, out, [&predicate](const auto& item) { return !predicate(item); });
}
template <class In, class Out, class Predicate>
Out remove_copy_if(In first, In last, Out out, Predicate predicate) {
  return bodies::remove_copy_if(first, last, first, out, predicate);
}
template <class In, class Out, class Value>
Out remove_copy(In first, In last, Out out, const Value& value) {
  return bodies::remove_copy_if(first, last, out, [&value](const auto& item) { return item == value; });
}

template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal = equal_to<>>
std::pair<KeysOut, ValuesOut> unique_by_key_copy(Keys first, Keys last, Values values, KeysOut keys_out, ValuesOut values_out,
                                                 Equal equal = Equal()) {
  if (first == last) return {keys_out, values_out};
  value_of<Keys> before = at(first);
  for (bool begins = true; first != last; ++first, ++values, begins = false) {
    const value_of<Keys> key = at(first);
    if (begins || !equal(before, key)) {
      const value_of<Values> value = at(values);
      *keys_out++ = key;
      *values_out++ = value;
    }
    before = key;
  }
  return {keys_out, values_out};
}
template <class Keys, class Values, class Equal = equal_to<>>
std::pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values, Equal equal = Equal()) {
  return bodies::unique_by_key_copy(first, last, values, first, values, equal);
}
// The standard library compares with the last kept element, thrust with the preceding one; for an
// equivalence relation the result is the same.
template <class In, class Out, class Equal = equal_to<>>
Out unique_copy(In first, In last, Out out, Equal equal = Equal()) {
  if (first == last) return out;
  value_of<In> before = at(first);
  for (bool begins = true; first != last; ++first, begins = false) {
    const value_of<In> item = at(first);
    if (begins || !equal(before, item)) *out++ = item;
    before = item;
  }
  return out;
}
template <class In, class Equal = equal_to<>>
In unique(In first, In last, Equal equal = Equal()) {
  return bodies::unique_copy(first, last, first, equal);
}
template <class In, class Equal = equal_to<>>
distance_of<In> unique_count(In first, In last, Equal equal = Equal()) {
  distance_of<In> count = 0;
  for (In before = first; first != last; before = first, ++first) count += first == before || !equal(at(before), at(first)) ? 1 : 0;
  return count;
}

template <class In, class Stencil, class Out, class Out2, class Predicate>
std::pair<Out, Out2> partition_copy(In first, In last, Stencil stencil, Out yes, Out2 no, Predicate predicate) {
  for (; first != last; ++first, ++stencil) {
    if (predicate(at(stencil))) {
      *yes++ = at(first);
    } else {
      *no++ = at(first);
    }
  }
  return {yes, no};
}
template <class In, class Out, class Out2, class Predicate>
std::pair<Out, Out2> partition_copy(In first, In last, Out yes, Out2 no, Predicate predicate) {
  return bodies::partition_copy(first, last, first, yes, no, predicate);
}
template <class... Arguments>
auto stable_partition_copy(Arguments... arguments) {
  return bodies::partition_copy(arguments...);
}
template <class In, class Stencil, class Predicate>
In stable_partition(In first, In last, Stencil stencil, Predicate predicate) {
  std::vector<boxed<value_of<In>>> yes, no;
  for (In item = first; item != last; ++item, ++stencil) {
    (predicate(at(stencil)) ? yes : no).push_back({static_cast<value_of<In>>(at(item))});
  }
  const In middle = put(yes, first);
  put(no, middle);
  return middle;
}
template <class In, class Predicate>
In stable_partition(In first, In last, Predicate predicate) {
  return bodies::stable_partition(first, last, first, predicate);
}
template <class... Arguments>
auto partition(Arguments... arguments) {
  return bodies::stable_partition(arguments...);
}
template <class In, class Predicate>
bool is_partitioned(In first, In last, Predicate predicate) {
  while (first != last && predicate(at(first))) ++first;
  for (; first != last; ++first) {
    if (predicate(at(first))) return false;
  }
  return true;
}

// Traverses two sorted ranges: `left` and `right` handle elements that are first in one range,
// `both` those that are in both.
template <class In, class In2, class Less, class Left, class Right, class Both>
void pass_both(In first, In last, In2 first2, In2 last2, Less& less, Left left, Right right, Both both) {
  while (first != last || first2 != last2) {
    if (first2 == last2 || (first != last && less(at(first), at(first2)))) {
      left(first++);
    } else if (first == last || less(at(first2), at(first))) {
      right(first2++);
    } else {
      both(first, first2);
    }
  }
}

template <class Keys, class Keys2, class Values, class Values2, class KeysOut, class ValuesOut, class Less = less<>>
std::pair<KeysOut, ValuesOut> merge_by_key(Keys first, Keys last, Keys2 first2, Keys2 last2, Values values, Values2 values2,
                                           KeysOut keys_out, ValuesOut values_out, Less less = Less()) {
  while (first != last || first2 != last2) {
    if (first2 == last2 || (first != last && !less(at(first2), at(first)))) {
      *keys_out++ = at(first++);
      *values_out++ = at(values++);
    } else {
      *keys_out++ = at(first2++);
      *values_out++ = at(values2++);
    }
  }
  return {keys_out, values_out};
}
template <class In, class In2, class Out, class Less = less<>>
Out merge(In first, In last, In2 first2, In2 last2, Out out, Less less = Less()) {
  while (first != last || first2 != last2) {
    if (first2 == last2 || (first != last && !less(at(first2), at(first)))) {
      *out++ = at(first++);
    } else {
      *out++ = at(first2++);
    }
  }
  return out;
}

#define HIRACE_THRUST_SET(name, of_left, of_right, of_both)                                       \
  template <class In, class In2, class Out, class Less = less<>>                                  \
  Out name(In first, In last, In2 first2, In2 last2, Out out, Less less = Less()) {               \
    const auto keep = [&out](auto place) { *out++ = at(place); };                                 \
    const auto drop = [](auto) {};                                                                \
    static_cast<void>(keep);                                                                      \
    static_cast<void>(drop);                                                                      \
    pass_both(first, last, first2, last2, less, of_left, of_right, [&](In& both, In2& other) {    \
      of_both(both);                                                                              \
      ++both;                                                                                     \
      ++other;                                                                                    \
    });                                                                                           \
    return out;                                                                                   \
  }
HIRACE_THRUST_SET(set_union, keep, keep, keep)
HIRACE_THRUST_SET(set_intersection, drop, drop, keep)
HIRACE_THRUST_SET(set_difference, keep, drop, drop)
HIRACE_THRUST_SET(set_symmetric_difference, keep, keep, drop)
#undef HIRACE_THRUST_SET

}  // namespace detail::bodies

HIRACE_THRUST_ALGORITHM(sort)
HIRACE_THRUST_ALGORITHM(stable_sort)
HIRACE_THRUST_ALGORITHM(sort_by_key)
HIRACE_THRUST_ALGORITHM(stable_sort_by_key)
HIRACE_THRUST_SEARCH(copy_if)
HIRACE_THRUST_SEARCH(remove)
HIRACE_THRUST_SEARCH(remove_if)
HIRACE_THRUST_SEARCH(remove_copy)
HIRACE_THRUST_SEARCH(remove_copy_if)
HIRACE_THRUST_SEARCH(unique)
HIRACE_THRUST_SEARCH(unique_copy)
HIRACE_THRUST_ALGORITHM(unique_count)
HIRACE_THRUST_SEARCH(unique_by_key)
HIRACE_THRUST_SEARCH(unique_by_key_copy)
HIRACE_THRUST_SEARCH(partition)
HIRACE_THRUST_SEARCH(partition_copy)
HIRACE_THRUST_SEARCH(stable_partition)
HIRACE_THRUST_SEARCH(stable_partition_copy)
HIRACE_THRUST_ALGORITHM(is_partitioned)
HIRACE_THRUST_ALGORITHM(merge)
HIRACE_THRUST_ALGORITHM(merge_by_key)
HIRACE_THRUST_SEARCH(set_union)
HIRACE_THRUST_SEARCH(set_intersection)
HIRACE_THRUST_SEARCH(set_difference)
HIRACE_THRUST_SEARCH(set_symmetric_difference)

}  // namespace thrust
