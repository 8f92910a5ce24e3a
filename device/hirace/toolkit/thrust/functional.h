// thrust's function objects and placeholders.
#pragma once

#include <functional>

#include "tuple.h"

namespace thrust {

// What function objects of older programs derive from; CCCL 3 no longer has them.
template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};

#define HIRACE_THRUST_BINARY(name, result, expression)                    \
  template <class T = void>                                               \
  struct name {                                                           \
    using first_argument_type = T;                                        \
    using second_argument_type = T;                                       \
    using result_type = result;                                           \
    constexpr result operator()(const T& a, const T& b) const {           \
      return expression;                                                  \
    }                                                                     \
  };                                                                      \
  template <>                                                             \
  struct name<void> {                                                     \
    using is_transparent = void;                                          \
    template <class Left, class Right>                                    \
    constexpr auto operator()(const Left& a, const Right& b) const {      \
      return expression;                                                  \
    }                                                                     \
  };
HIRACE_THRUST_BINARY(plus, T, a + b)
HIRACE_THRUST_BINARY(minus, T, a - b)
HIRACE_THRUST_BINARY(multiplies, T, a* b)
HIRACE_THRUST_BINARY(divides, T, a / b)
HIRACE_THRUST_BINARY(modulus, T, a % b)
HIRACE_THRUST_BINARY(bit_and, T, a& b)
HIRACE_THRUST_BINARY(bit_or, T, a | b)
HIRACE_THRUST_BINARY(bit_xor, T, a ^ b)
HIRACE_THRUST_BINARY(maximum, T, a < b ? b : a)
HIRACE_THRUST_BINARY(minimum, T, b < a ? b : a)
HIRACE_THRUST_BINARY(equal_to, bool, a == b)
HIRACE_THRUST_BINARY(not_equal_to, bool, a != b)
HIRACE_THRUST_BINARY(greater, bool, a > b)
HIRACE_THRUST_BINARY(less, bool, a < b)
HIRACE_THRUST_BINARY(greater_equal, bool, a >= b)
HIRACE_THRUST_BINARY(less_equal, bool, a <= b)
HIRACE_THRUST_BINARY(logical_and, bool, a&& b)
HIRACE_THRUST_BINARY(logical_or, bool, a || b)
#undef HIRACE_THRUST_BINARY

#define HIRACE_THRUST_UNARY(name, result, expression)      \
  template <class T = void>                                \
  struct name {                                            \
    using argument_type = T;                               \
    using result_type = result;                            \
    constexpr result operator()(const T& a) const {        \
      return expression;                                   \
    }                                                      \
  };                                                       \
  template <>                                              \
  struct name<void> {                                      \
    template <class Value>                                 \
    constexpr auto operator()(const Value& a) const {      \
      return expression;                                   \
    }                                                      \
  };
HIRACE_THRUST_UNARY(negate, T, -a)
HIRACE_THRUST_UNARY(identity, T, a)
HIRACE_THRUST_UNARY(logical_not, bool, !a)
HIRACE_THRUST_UNARY(bit_not, T, ~a)
HIRACE_THRUST_UNARY(square, T, a* a)
#undef HIRACE_THRUST_UNARY

template <class First, class Second = First>
struct project1st {
  constexpr First operator()(const First& a, const Second&) const { return a; }
};
template <class First, class Second = First>
struct project2nd {
  constexpr Second operator()(const First&, const Second& b) const { return b; }
};

using std::not_fn;
template <class Predicate>
struct unary_negate {
  Predicate predicate;
  template <class Value>
  bool operator()(const Value& value) const { return !predicate(value); }
};
template <class Predicate>
unary_negate<Predicate> not1(const Predicate& predicate) {
  return {predicate};
}
template <class T>
struct unary_traits;

// Expressions of placeholders: `2 * _1 + _2`.
namespace placeholders {

template <class Evaluate>
struct expression {
  Evaluate evaluate;
  template <class... Values>
  constexpr auto operator()(const Values&... values) const {
    return evaluate(std::forward_as_tuple(values...));
  }
};
template <class Evaluate>
constexpr expression<Evaluate> make(Evaluate evaluate) {
  return {evaluate};
}

template <std::size_t index>
struct argument {
  template <class Values>
  constexpr auto operator()(const Values& values) const {
    return std::get<index>(values);
  }
};
constexpr expression<argument<0>> _1{};
constexpr expression<argument<1>> _2{};
constexpr expression<argument<2>> _3{};
constexpr expression<argument<3>> _4{};
constexpr expression<argument<4>> _5{};

template <class T>
struct is_expression : std::false_type {};
template <class Evaluate>
struct is_expression<expression<Evaluate>> : std::true_type {};

// The value of an operand: that of an expression, or the operand itself.
template <class Operand, class Values>
constexpr auto evaluated(const Operand& operand, const Values& values) {
  if constexpr (is_expression<Operand>::value) {
    return operand.evaluate(values);
  } else {
    static_cast<void>(values);
    return operand;
  }
}

#define HIRACE_THRUST_PLACEHOLDER(symbol)                                                                             \
  template <class Left, class Right, class = std::enable_if_t<is_expression<Left>::value || is_expression<Right>::value>> \
  constexpr auto operator symbol(const Left& left, const Right& right) {                                              \
    return make([=](const auto& values) { return evaluated(left, values) symbol evaluated(right, values); });         \
  }
HIRACE_THRUST_PLACEHOLDER(+)
HIRACE_THRUST_PLACEHOLDER(-)
HIRACE_THRUST_PLACEHOLDER(*)
HIRACE_THRUST_PLACEHOLDER(/)
HIRACE_THRUST_PLACEHOLDER(%)
HIRACE_THRUST_PLACEHOLDER(&)
HIRACE_THRUST_PLACEHOLDER(|)
HIRACE_THRUST_PLACEHOLDER(^)
HIRACE_THRUST_PLACEHOLDER(<<)
HIRACE_THRUST_PLACEHOLDER(>>)
HIRACE_THRUST_PLACEHOLDER(==)
HIRACE_THRUST_PLACEHOLDER(!=)
HIRACE_THRUST_PLACEHOLDER(<)
HIRACE_THRUST_PLACEHOLDER(>)
HIRACE_THRUST_PLACEHOLDER(<=)
HIRACE_THRUST_PLACEHOLDER(>=)
HIRACE_THRUST_PLACEHOLDER(&&)
HIRACE_THRUST_PLACEHOLDER(||)
#undef HIRACE_THRUST_PLACEHOLDER

template <class Operand, class = std::enable_if_t<is_expression<Operand>::value>>
constexpr auto operator-(const Operand& operand) {
  return make([=](const auto& values) { return -evaluated(operand, values); });
}
template <class Operand, class = std::enable_if_t<is_expression<Operand>::value>>
constexpr auto operator!(const Operand& operand) {
  return make([=](const auto& values) { return !evaluated(operand, values); });
}

}  // namespace placeholders

template <class T>
constexpr T min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T, class Less>
constexpr T min(const T& a, const T& b, Less less) {
  return less(b, a) ? b : a;
}
template <class T>
constexpr T max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T, class Less>
constexpr T max(const T& a, const T& b, Less less) {
  return less(a, b) ? b : a;
}

}  // namespace thrust
