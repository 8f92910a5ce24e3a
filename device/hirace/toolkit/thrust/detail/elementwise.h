// Algorithms that compute each element from one element of each input.
#pragma once

#include "dispatch.h"

namespace thrust {

namespace detail::bodies {

template <class In, class Out, class Function>
Out transform(In first, In last, Out out, Function function) {
  for (; first != last; ++first, ++out) *out = function(at(first));
  return out;
}
template <class In, class In2, class Out, class Function>
Out transform(In first, In last, In2 second, Out out, Function function) {
  for (; first != last; ++first, ++second, ++out) *out = function(at(first), at(second));
  return out;
}
template <class In, class Out, class Function, class Predicate>
Out transform_if(In first, In last, Out out, Function function, Predicate predicate) {
  for (; first != last; ++first, ++out) {
    if (predicate(at(first))) *out = function(at(first));
  }
  return out;
}
template <class In, class Stencil, class Out, class Function, class Predicate>
Out transform_if(In first, In last, Stencil stencil, Out out, Function function, Predicate predicate) {
  for (; first != last; ++first, ++stencil, ++out) {
    if (predicate(at(stencil))) *out = function(at(first));
  }
  return out;
}
template <class In, class In2, class Stencil, class Out, class Function, class Predicate>
Out transform_if(In first, In last, In2 second, Stencil stencil, Out out, Function function, Predicate predicate) {
  for (; first != last; ++first, ++second, ++stencil, ++out) {
    if (predicate(at(stencil))) *out = function(at(first), at(second));
  }
  return out;
}
template <class In, class Function>
In for_each(In first, In last, Function function) {
  for (; first != last; ++first) function(at(first));
  return first;
}
template <class In, class Size, class Function>
In for_each_n(In first, Size count, Function function) {
  return bodies::for_each(first, first + static_cast<std::ptrdiff_t>(count), function);
}
// One after the other, from the front: an output may begin before its input.
template <class In, class Out>
Out copy(In first, In last, Out out) {
  for (; first != last; ++first, ++out) *out = at(first);
  return out;
}
template <class In, class Size, class Out>
Out copy_n(In first, Size count, Out out) {
  for (Size i = 0; i < count; ++i, ++first, ++out) *out = at(first);
  return out;
}
template <class In, class Out>
Out uninitialized_copy(In first, In last, Out out) {
  return bodies::copy(first, last, out);
}
template <class Out, class Value>
void fill(Out first, Out last, const Value& value) {
  const value_of<Out> filled = static_cast<value_of<Out>>(value);
  for (; first != last; ++first) *first = filled;
}
template <class Out, class Size, class Value>
Out fill_n(Out first, Size count, const Value& value) {
  const Out last = first + static_cast<std::ptrdiff_t>(count);
  bodies::fill(first, last, value);
  return last;
}
template <class Out, class Value>
void uninitialized_fill(Out first, Out last, const Value& value) {
  bodies::fill(first, last, value);
}
template <class Out, class Function>
void generate(Out first, Out last, Function function) {
  for (; first != last; ++first) *first = function();
}
template <class Out, class Size, class Function>
Out generate_n(Out first, Size count, Function function) {
  const Out last = first + static_cast<std::ptrdiff_t>(count);
  bodies::generate(first, last, function);
  return last;
}
template <class Out, class Function>
void tabulate(Out first, Out last, Function function) {
  for (std::ptrdiff_t i = 0; first != last; ++first, ++i) *first = function(i);
}
template <class Out, class Value = value_of<Out>, class Step = Value>
void sequence(Out first, Out last, Value init = Value(), Step step = Step(1)) {
  for (std::ptrdiff_t i = 0; first != last; ++first, ++i) {
    *first = static_cast<value_of<Out>>(init + static_cast<Step>(i) * step);
  }
}
template <class Map, class In, class Out>
Out gather(Map first, Map last, In in, Out out) {
  for (; first != last; ++first, ++out) *out = at(in, static_cast<std::ptrdiff_t>(at(first)));
  return out;
}
template <class Map, class Stencil, class In, class Out, class Predicate = identity<>>
Out gather_if(Map first, Map last, Stencil stencil, In in, Out out, Predicate predicate = Predicate()) {
  for (; first != last; ++first, ++stencil, ++out) {
    if (predicate(at(stencil))) *out = at(in, static_cast<std::ptrdiff_t>(at(first)));
  }
  return out;
}
template <class In, class Map, class Out>
void scatter(In first, In last, Map map, Out out) {
  for (; first != last; ++first, ++map) out[static_cast<std::ptrdiff_t>(at(map))] = at(first);
}
template <class In, class Map, class Stencil, class Out, class Predicate = identity<>>
void scatter_if(In first, In last, Map map, Stencil stencil, Out out, Predicate predicate = Predicate()) {
  for (; first != last; ++first, ++map, ++stencil) {
    if (predicate(at(stencil))) out[static_cast<std::ptrdiff_t>(at(map))] = at(first);
  }
}
template <class In, class Predicate, class Value>
void replace_if(In first, In last, Predicate predicate, const Value& value) {
  for (; first != last; ++first) {
    if (predicate(at(first))) *first = value;
  }
}
template <class In, class Stencil, class Predicate, class Value>
void replace_if(In first, In last, Stencil stencil, Predicate predicate, const Value& value) {
  for (; first != last; ++first, ++stencil) {
    if (predicate(at(stencil))) *first = value;
  }
}
template <class In, class Old, class Value>
void replace(In first, In last, const Old& old, const Value& value) {
  bodies::replace_if(first, last, [&old](const auto& item) { return item == old; }, value);
}
template <class In, class Out, class Predicate, class Value>
Out replace_copy_if(In first, In last, Out out, Predicate predicate, const Value& value) {
  for (; first != last; ++first, ++out) {
    const value_of<In> item = at(first);
    *out = predicate(item) ? static_cast<value_of<In>>(value) : item;
  }
  return out;
}
template <class In, class Out, class Old, class Value>
Out replace_copy(In first, In last, Out out, const Old& old, const Value& value) {
  return bodies::replace_copy_if(first, last, out, [&old](const auto& item) { return item == old; }, value);
}
template <class In>
void reverse(In first, In last) {
  for (; last - first > 1; ++first) {
    --last;
    const value_of<In> item = at(first);
    *first = at(last);
    *last = item;
  }
}
template <class In, class Out>
Out reverse_copy(In first, In last, Out out) {
  for (; first != last; ++out) *out = at(--last);
  return out;
}
template <class In, class In2>
In2 swap_ranges(In first, In last, In2 second) {
  for (; first != last; ++first, ++second) {
    const value_of<In> item = at(first);
    *first = at(second);
    *second = item;
  }
  return second;
}
template <class In, class Out, class Function = minus<>>
Out adjacent_difference(In first, In last, Out out, Function function = Function()) {
  if (first == last) return out;
  value_of<In> before = at(first);
  *out = before;
  for (++first, ++out; first != last; ++first, ++out) {
    const value_of<In> item = at(first);
    *out = function(item, before);
    before = item;
  }
  return out;
}

}  // namespace detail::bodies

HIRACE_THRUST_ALGORITHM(transform)
HIRACE_THRUST_ALGORITHM(transform_if)
HIRACE_THRUST_ALGORITHM(for_each)
HIRACE_THRUST_ALGORITHM(for_each_n)
HIRACE_THRUST_ALGORITHM(copy)
HIRACE_THRUST_ALGORITHM(copy_n)
HIRACE_THRUST_ALGORITHM(uninitialized_copy)
HIRACE_THRUST_ALGORITHM(fill)
HIRACE_THRUST_ALGORITHM(fill_n)
HIRACE_THRUST_ALGORITHM(uninitialized_fill)
HIRACE_THRUST_ALGORITHM(generate)
HIRACE_THRUST_ALGORITHM(generate_n)
HIRACE_THRUST_ALGORITHM(tabulate)
HIRACE_THRUST_ALGORITHM(sequence)
HIRACE_THRUST_ALGORITHM(gather)
HIRACE_THRUST_ALGORITHM(gather_if)
HIRACE_THRUST_ALGORITHM(scatter)
HIRACE_THRUST_ALGORITHM(scatter_if)
HIRACE_THRUST_ALGORITHM(replace)
HIRACE_THRUST_ALGORITHM(replace_if)
HIRACE_THRUST_ALGORITHM(replace_copy)
HIRACE_THRUST_ALGORITHM(replace_copy_if)
HIRACE_THRUST_ALGORITHM(reverse)
HIRACE_THRUST_ALGORITHM(reverse_copy)
HIRACE_THRUST_ALGORITHM(swap_ranges)
HIRACE_THRUST_ALGORITHM(adjacent_difference)

}  // namespace thrust
