// Reductions, scans, searches and comparisons.
#pragma once

#include "dispatch.h"

namespace thrust {

namespace detail::bodies {

template <class In, class T = value_of<In>, class Function = plus<>>
T reduce(In first, In last, T init = T(), Function function = Function()) {
  for (; first != last; ++first) init = function(init, at(first));
  return init;
}
template <class In, class Unary, class T, class Function>
T transform_reduce(In first, In last, Unary unary, T init, Function function) {
  for (; first != last; ++first) init = function(init, unary(at(first)));
  return init;
}
template <class In, class In2, class T, class Sum = plus<>, class Product = multiplies<>>
T inner_product(In first, In last, In2 second, T init, Sum sum = Sum(), Product product = Product()) {
  for (; first != last; ++first, ++second) init = sum(init, product(at(first), at(second)));
  return init;
}
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal = equal_to<>, class Function = plus<>>
std::pair<KeysOut, ValuesOut> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out, ValuesOut values_out,
                                            Equal equal = Equal(), Function function = Function()) {
  while (first != last) {
    value_of<Keys> key = at(first);
    const value_of<Keys> first_key = key;
    value_of<Values> sum = at(values);
    for (++first, ++values; first != last && equal(key, at(first)); ++first, ++values) {
      sum = function(sum, at(values));
      key = at(first);
    }
    *keys_out++ = first_key;
    *values_out++ = sum;
  }
  return {keys_out, values_out};
}

template <class In, class Out, class Function = plus<>>
Out inclusive_scan(In first, In last, Out out, Function function = Function()) {
  if (first == last) return out;
  value_of<In> sum = at(first);
  *out = sum;
  for (++first, ++out; first != last; ++first, ++out) {
    sum = function(sum, at(first));
    *out = sum;
  }
  return out;
}
template <class In, class Out, class T, class Function>
Out inclusive_scan(In first, In last, Out out, T sum, Function function) {
  for (; first != last; ++first, ++out) {
    sum = function(sum, at(first));
    *out = sum;
  }
  return out;
}
template <class In, class Out, class T = value_of<In>, class Function = plus<>>
Out exclusive_scan(In first, In last, Out out, T sum = T(), Function function = Function()) {
  for (; first != last; ++first, ++out) {
    const T next = function(sum, at(first));
    *out = sum;
    sum = next;
  }
  return out;
}
template <class In, class Out, class Unary, class Function>
Out transform_inclusive_scan(In first, In last, Out out, Unary unary, Function function) {
  if (first == last) return out;
  std::decay_t<decltype(unary(at(first)))> sum = unary(at(first));
  *out = sum;
  for (++first, ++out; first != last; ++first, ++out) {
    sum = function(sum, unary(at(first)));
    *out = sum;
  }
  return out;
}
template <class In, class Out, class Unary, class T, class Function>
Out transform_exclusive_scan(In first, In last, Out out, Unary unary, T sum, Function function) {
  for (; first != last; ++first, ++out) {
    const T next = function(sum, unary(at(first)));
    *out = sum;
    sum = next;
  }
  return out;
}
template <class Keys, class Values, class Out, class Equal = equal_to<>, class Function = plus<>>
Out inclusive_scan_by_key(Keys first, Keys last, Values values, Out out, Equal equal = Equal(), Function function = Function()) {
  if (first == last) return out;
  value_of<Keys> key = at(first);
  value_of<Values> sum = at(values);
  *out = sum;
  for (++first, ++values, ++out; first != last; ++first, ++values, ++out) {
    sum = equal(key, at(first)) ? static_cast<value_of<Values>>(function(sum, at(values))) : static_cast<value_of<Values>>(at(values));
    key = at(first);
    *out = sum;
  }
  return out;
}
template <class Keys, class Values, class Out, class T = value_of<Values>, class Equal = equal_to<>, class Function = plus<>>
Out exclusive_scan_by_key(Keys first, Keys last, Values values, Out out, T init = T(), Equal equal = Equal(),
                          Function function = Function()) {
  if (first == last) return out;
  value_of<Keys> key = at(first);
  T sum = init;
  for (; first != last; ++first, ++values, ++out) {
    if (!equal(key, at(first))) sum = init;
    key = at(first);
    const T next = function(sum, at(values));
    *out = sum;
    sum = next;
  }
  return out;
}

template <class In, class Predicate>
distance_of<In> count_if(In first, In last, Predicate predicate) {
  distance_of<In> count = 0;
  for (; first != last; ++first) count += predicate(at(first)) ? 1 : 0;
  return count;
}
template <class In, class Value>
distance_of<In> count(In first, In last, const Value& value) {
  return bodies::count_if(first, last, [&value](const auto& item) { return item == value; });
}
template <class In, class Predicate>
In find_if(In first, In last, Predicate predicate) {
  while (first != last && !predicate(at(first))) ++first;
  return first;
}
template <class In, class Predicate>
In find_if_not(In first, In last, Predicate predicate) {
  while (first != last && predicate(at(first))) ++first;
  return first;
}
template <class In, class Value>
In find(In first, In last, const Value& value) {
  return bodies::find_if(first, last, [&value](const auto& item) { return item == value; });
}
template <class In, class Predicate = identity<>>
bool all_of(In first, In last, Predicate predicate = Predicate()) {
  return bodies::find_if_not(first, last, predicate) == last;
}
template <class In, class Predicate = identity<>>
bool any_of(In first, In last, Predicate predicate = Predicate()) {
  return bodies::find_if(first, last, predicate) != last;
}
template <class In, class Predicate = identity<>>
bool none_of(In first, In last, Predicate predicate = Predicate()) {
  return bodies::find_if(first, last, predicate) == last;
}
template <class In, class Less = less<>>
std::pair<In, In> minmax_element(In first, In last, Less less = Less()) {
  In smallest = first, largest = first;
  for (; first != last; ++first) {
    if (less(at(first), at(smallest))) smallest = first;
    if (less(at(largest), at(first))) largest = first;
  }
  return {smallest, largest};
}
template <class In, class Less = less<>>
In min_element(In first, In last, Less less = Less()) {
  return bodies::minmax_element(first, last, less).first;
}
template <class In, class Less = less<>>
In max_element(In first, In last, Less less = Less()) {
  return bodies::minmax_element(first, last, less).second;
}
template <class In, class In2, class Equal = equal_to<>>
std::pair<In, In2> mismatch(In first, In last, In2 second, Equal equal = Equal()) {
  while (first != last && equal(at(first), at(second))) {
    ++first;
    ++second;
  }
  return {first, second};
}
template <class In, class In2, class Equal = equal_to<>>
bool equal(In first, In last, In2 second, Equal equal = Equal()) {
  return bodies::mismatch(first, last, second, equal).first == last;
}
template <class In, class Less = less<>>
In is_sorted_until(In first, In last, Less less = Less()) {
  if (first == last) return last;
  for (In before = first; ++first != last; before = first) {
    if (less(at(first), at(before))) return first;
  }
  return last;
}
template <class In, class Less = less<>>
bool is_sorted(In first, In last, Less less = Less()) {
  return bodies::is_sorted_until(first, last, less) == last;
}

// The first element of a partitioned range for which `predicate` is false.
template <class In, class Predicate>
In partition_point(In first, In last, Predicate predicate) {
  while (first != last) {
    const In middle = first + (last - first) / 2;
    if (predicate(at(middle))) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}
template <class In, class Value, class Less>
In lower(In first, In last, const Value& value, Less& less) {
  return bodies::partition_point(first, last, [&](const auto& item) { return less(item, value); });
}
template <class In, class Value, class Less>
In upper(In first, In last, const Value& value, Less& less) {
  return bodies::partition_point(first, last, [&](const auto& item) { return !less(value, item); });
}
template <class In, class Value, class Less = less<>>
In lower_bound(In first, In last, const Value& value, Less less = Less()) {
  return bodies::lower(first, last, value, less);
}
template <class In, class Value, class Less = less<>>
In upper_bound(In first, In last, const Value& value, Less less = Less()) {
  return bodies::upper(first, last, value, less);
}
template <class In, class Value, class Less = less<>>
bool binary_search(In first, In last, const Value& value, Less less = Less()) {
  const In found = bodies::lower(first, last, value, less);
  return found != last && !less(value, at(found));
}
template <class In, class Value, class Less = less<>>
std::pair<In, In> equal_range(In first, In last, const Value& value, Less less = Less()) {
  return {bodies::lower(first, last, value, less), bodies::upper(first, last, value, less)};
}
// The same for a range of values: positions, or whether they were found.
template <class In, class Values, class Out, class Less = less<>>
Out lower_bound(In first, In last, Values values, Values values_end, Out out, Less less = Less()) {
  for (; values != values_end; ++values, ++out) {
    *out = static_cast<value_of<Out>>(bodies::lower(first, last, at(values), less) - first);
  }
  return out;
}
template <class In, class Values, class Out, class Less = less<>>
Out upper_bound(In first, In last, Values values, Values values_end, Out out, Less less = Less()) {
  for (; values != values_end; ++values, ++out) {
    *out = static_cast<value_of<Out>>(bodies::upper(first, last, at(values), less) - first);
  }
  return out;
}
template <class In, class Values, class Out, class Less = less<>>
Out binary_search(In first, In last, Values values, Values values_end, Out out, Less less = Less()) {
  for (; values != values_end; ++values, ++out) *out = bodies::binary_search(first, last, at(values), less);
  return out;
}

}  // namespace detail::bodies

HIRACE_THRUST_ALGORITHM(reduce)
HIRACE_THRUST_ALGORITHM(transform_reduce)
HIRACE_THRUST_ALGORITHM(inner_product)
HIRACE_THRUST_SEARCH(reduce_by_key)
HIRACE_THRUST_ALGORITHM(inclusive_scan)
HIRACE_THRUST_ALGORITHM(exclusive_scan)
HIRACE_THRUST_ALGORITHM(transform_inclusive_scan)
HIRACE_THRUST_ALGORITHM(transform_exclusive_scan)
HIRACE_THRUST_ALGORITHM(inclusive_scan_by_key)
HIRACE_THRUST_ALGORITHM(exclusive_scan_by_key)
HIRACE_THRUST_ALGORITHM(count)
HIRACE_THRUST_ALGORITHM(count_if)
HIRACE_THRUST_SEARCH(find)
HIRACE_THRUST_SEARCH(find_if)
HIRACE_THRUST_SEARCH(find_if_not)
HIRACE_THRUST_ALGORITHM(all_of)
HIRACE_THRUST_ALGORITHM(any_of)
HIRACE_THRUST_ALGORITHM(none_of)
HIRACE_THRUST_SEARCH(min_element)
HIRACE_THRUST_SEARCH(max_element)
HIRACE_THRUST_SEARCH(minmax_element)
HIRACE_THRUST_SEARCH(mismatch)
HIRACE_THRUST_ALGORITHM(equal)
HIRACE_THRUST_ALGORITHM(is_sorted)
HIRACE_THRUST_SEARCH(is_sorted_until)
HIRACE_THRUST_SEARCH(partition_point)
HIRACE_THRUST_SEARCH(lower_bound)
HIRACE_THRUST_SEARCH(upper_bound)
HIRACE_THRUST_ALGORITHM(binary_search)
HIRACE_THRUST_SEARCH(equal_range)

}  // namespace thrust
