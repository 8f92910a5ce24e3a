// thrust's iterators that compute the elements they point to.
#pragma once

#include "../detail/memory.h"
#include "../execution_policy.h"
#include "../tuple.h"

namespace thrust {

template <class Incrementable, class System = void, class Traversal = void, class Difference = std::ptrdiff_t>
class counting_iterator : public detail::iterator_base<counting_iterator<Incrementable, System, Traversal, Difference>, Incrementable,
                                                       Incrementable> {
 public:
  counting_iterator() = default;
  counting_iterator(Incrementable value) : value_(value) {}
  Incrementable dereference() const { return value_; }
  Incrementable base() const { return value_; }
  void advance(std::ptrdiff_t n) { value_ = static_cast<Incrementable>(value_ + n); }
  std::ptrdiff_t distance_to(const counting_iterator& other) const {
    return static_cast<std::ptrdiff_t>(other.value_) - static_cast<std::ptrdiff_t>(value_);
  }

 private:
  Incrementable value_{};
};
template <class Incrementable>
counting_iterator<Incrementable> make_counting_iterator(Incrementable value) {
  return counting_iterator<Incrementable>(value);
}

template <class Value, class Incrementable = void, class System = void>
class constant_iterator : public detail::iterator_base<constant_iterator<Value, Incrementable, System>, Value, Value> {
 public:
  constant_iterator(const Value& value = Value(), std::ptrdiff_t index = 0) : value_(value), index_(index) {}
  Value dereference() const { return value_; }
  void advance(std::ptrdiff_t n) { index_ += n; }
  std::ptrdiff_t distance_to(const constant_iterator& other) const { return other.index_ - index_; }

 private:
  Value value_;
  std::ptrdiff_t index_;
};
template <class Value>
constant_iterator<Value> make_constant_iterator(const Value& value) {
  return constant_iterator<Value>(value);
}
template <class Value, class Index>
constant_iterator<Value> make_constant_iterator(const Value& value, Index index) {
  return constant_iterator<Value>(value, static_cast<std::ptrdiff_t>(index));
}

// Accepts any value and discards it.
struct discarded {
  template <class Value>
  const discarded& operator=(const Value&) const {
    return *this;
  }
};
template <class System = void>
class discard_iterator : public detail::iterator_base<discard_iterator<System>, discarded, discarded> {
 public:
  explicit discard_iterator(std::ptrdiff_t index = 0) : index_(index) {}
  discarded dereference() const { return {}; }
  void advance(std::ptrdiff_t n) { index_ += n; }
  std::ptrdiff_t distance_to(const discard_iterator& other) const { return other.index_ - index_; }

 private:
  std::ptrdiff_t index_;
};
inline discard_iterator<> make_discard_iterator(std::ptrdiff_t index = 0) { return discard_iterator<>(index); }

namespace detail {

template <class Function, class Iterator>
using applied = decltype(std::declval<Function&>()(raw_reference_cast(*std::declval<const Iterator&>())));

// A type that the user chose, or `Deduced`.
template <class Chosen, class Deduced>
using chosen = std::conditional_t<std::is_void_v<Chosen>, Deduced, Chosen>;

}  // namespace detail

template <class Function, class Iterator, class Reference = void, class Value = void>
class transform_iterator
    : public detail::iterator_base<
          transform_iterator<Function, Iterator, Reference, Value>,
          detail::chosen<Value, std::remove_cv_t<std::remove_reference_t<detail::chosen<Reference, detail::applied<Function, Iterator>>>>>,
          detail::chosen<Reference, detail::applied<Function, Iterator>>> {
 public:
  transform_iterator() = default;
  explicit transform_iterator(Iterator base) : base_(base) {}
  transform_iterator(Iterator base, Function function) : base_(base), function_(function) {}
  detail::chosen<Reference, detail::applied<Function, Iterator>> dereference() const {
    const hirace::cpu::LibraryAccess access;
    return function_(raw_reference_cast(*base_));
  }
  const Iterator& base() const { return base_; }
  Function functor() const { return function_; }
  void advance(std::ptrdiff_t n) { base_ += n; }
  std::ptrdiff_t distance_to(const transform_iterator& other) const { return other.base_ - base_; }
  // Lambdas cannot be assigned.
  transform_iterator(const transform_iterator&) = default;
  transform_iterator& operator=(const transform_iterator& other) {
    base_ = other.base_;
    return *this;
  }

 private:
  Iterator base_;
  // Its call operator may not be const.
  mutable Function function_;
};
template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator base, Function function) {
  return transform_iterator<Function, Iterator>(base, function);
}

// Writes the results of a function of the values.
template <class Function, class Iterator>
class transform_output_iterator
    : public detail::iterator_base<transform_output_iterator<Function, Iterator>, detail::value_of<Iterator>, discarded> {
 public:
  struct Place {
    Iterator base;
    Function& function;
    template <class Value>
    const Place& operator=(const Value& value) const {
      *base = function(value);
      return *this;
    }
  };
  transform_output_iterator(Iterator base, Function function) : base_(base), function_(function) {}
  Place operator*() const { return {base_, function_}; }
  Place operator[](std::ptrdiff_t n) const { return {base_ + n, function_}; }
  discarded dereference() const { return {}; }
  void advance(std::ptrdiff_t n) { base_ += n; }
  std::ptrdiff_t distance_to(const transform_output_iterator& other) const { return other.base_ - base_; }

 private:
  Iterator base_;
  mutable Function function_;
};
template <class Function, class Iterator>
transform_output_iterator<Function, Iterator> make_transform_output_iterator(Iterator base, Function function) {
  return {base, function};
}

template <class Elements, class Indices>
class permutation_iterator : public detail::iterator_base<permutation_iterator<Elements, Indices>, detail::value_of<Elements>,
                                                          typename std::iterator_traits<Elements>::reference> {
 public:
  permutation_iterator() = default;
  permutation_iterator(Elements elements, Indices indices) : elements_(elements), indices_(indices) {}
  typename std::iterator_traits<Elements>::reference dereference() const {
    const hirace::cpu::LibraryAccess access;
    return elements_[static_cast<std::ptrdiff_t>(raw_reference_cast(*indices_))];
  }
  const Indices& base() const { return indices_; }
  void advance(std::ptrdiff_t n) { indices_ += n; }
  std::ptrdiff_t distance_to(const permutation_iterator& other) const { return other.indices_ - indices_; }

 private:
  Elements elements_;
  Indices indices_;
};
template <class Elements, class Indices>
permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements, Indices indices) {
  return {elements, indices};
}

template <class Iterator>
class reverse_iterator : public detail::iterator_base<reverse_iterator<Iterator>, detail::value_of<Iterator>,
                                                      typename std::iterator_traits<Iterator>::reference> {
 public:
  reverse_iterator() = default;
  explicit reverse_iterator(Iterator base) : base_(base) {}
  typename std::iterator_traits<Iterator>::reference dereference() const { return *(base_ - 1); }
  const Iterator& base() const { return base_; }
  void advance(std::ptrdiff_t n) { base_ -= n; }
  std::ptrdiff_t distance_to(const reverse_iterator& other) const { return base_ - other.base_; }

 private:
  Iterator base_;
};
template <class Iterator>
reverse_iterator<Iterator> make_reverse_iterator(Iterator base) {
  return reverse_iterator<Iterator>(base);
}

template <class Iterators>
class zip_iterator;
template <class... Iterators>
class zip_iterator<std::tuple<Iterators...>>
    : public detail::iterator_base<zip_iterator<std::tuple<Iterators...>>, std::tuple<detail::value_of<Iterators>...>,
                                   std::tuple<typename std::iterator_traits<Iterators>::reference...>> {
 public:
  using Reference = std::tuple<typename std::iterator_traits<Iterators>::reference...>;
  zip_iterator() = default;
  zip_iterator(std::tuple<Iterators...> iterators) : iterators_(iterators) {}
  Reference dereference() const {
    return std::apply([](const auto&... each) { return Reference(*each...); }, iterators_);
  }
  const std::tuple<Iterators...>& get_iterator_tuple() const { return iterators_; }
  void advance(std::ptrdiff_t n) {
    std::apply([n](auto&... each) { ((each += n), ...); }, iterators_);
  }
  std::ptrdiff_t distance_to(const zip_iterator& other) const { return std::get<0>(other.iterators_) - std::get<0>(iterators_); }

 private:
  std::tuple<Iterators...> iterators_;
};
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(std::tuple<Iterators...> iterators) {
  return zip_iterator<std::tuple<Iterators...>>(iterators);
}
template <class First, class Second, class... More>
zip_iterator<std::tuple<First, Second, More...>> make_zip_iterator(First first, Second second, More... more) {
  return zip_iterator<std::tuple<First, Second, More...>>(std::make_tuple(first, second, more...));
}

// Passes the elements of a tuple to a function.
template <class Function>
struct zip_function {
  // Its call operator may not be const.
  mutable Function function;
  zip_function(Function the_function) : function(the_function) {}
  template <class Tuple>
  decltype(auto) operator()(Tuple&& tuple) const {
    return std::apply(function, static_cast<Tuple&&>(tuple));
  }
};
template <class Function>
zip_function<Function> make_zip_function(Function function) {
  return {function};
}

template <class Iterator>
struct iterator_value {
  using type = detail::value_of<Iterator>;
};
template <class Iterator>
using iterator_value_t = detail::value_of<Iterator>;
template <class Iterator>
struct iterator_difference {
  using type = detail::distance_of<Iterator>;
};
template <class Iterator>
using iterator_difference_t = detail::distance_of<Iterator>;
template <class Iterator>
struct iterator_pointer {
  using type = typename std::iterator_traits<Iterator>::pointer;
};
template <class Iterator>
using iterator_pointer_t = typename iterator_pointer<Iterator>::type;
template <class Iterator>
struct iterator_reference {
  using type = typename std::iterator_traits<Iterator>::reference;
};
template <class Iterator>
using iterator_reference_t = typename iterator_reference<Iterator>::type;
template <class Iterator>
using iterator_traits = std::iterator_traits<Iterator>;

}  // namespace thrust
