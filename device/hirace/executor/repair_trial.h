// A program built with several edits, of which each run activates a choice. `hirace fix` uses this
// to try many repairs in one build. It inserts
//
//   if (::hirace::cpu::trial::chosen(3)) { atomicAdd(&x, v); } else { x += v; }
//
// at the place of the repair. HIRACE_TRIAL lists the active ones: "3,7".
#pragma once

#include <type_traits>

namespace hirace::cpu::trial {

bool chosen(unsigned edit);

// The properties that an atomic function needs for a value of type Value to have the effect of the
// plain operator on a location of type T.
enum class Operation { add, subtract, bits, order, exchange };

template <class T>
constexpr bool is_word = std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, unsigned long long>;

template <Operation operation, class T, class Value>
constexpr bool is_the_same() {
  constexpr bool whole = std::is_integral_v<Value> || (std::is_enum_v<Value> && std::is_convertible_v<Value, int>);
  if constexpr (operation == Operation::add) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return std::is_arithmetic_v<Value>;
    // Half precision and its pairs, which are class types.
    if constexpr (std::is_class_v<T>) return std::is_same_v<T, Value>;
    return is_word<T> && whole;
  } else if constexpr (operation == Operation::subtract) {
    return (std::is_same_v<T, int> || std::is_same_v<T, unsigned>) && whole;
  } else if constexpr (operation == Operation::order) {
    return (is_word<T> || std::is_same_v<T, long long>) && std::is_integral_v<Value> && sizeof(Value) <= sizeof(T) &&
           std::is_signed_v<Value> == std::is_signed_v<T>;
  } else if constexpr (operation == Operation::bits) {
    return is_word<T> && whole;
  } else {
    return (is_word<T> || std::is_same_v<T, float>) && std::is_arithmetic_v<Value>;
  }
}

template <Operation operation, class T, class Value>
constexpr void demand() {
  static_assert(is_the_same<operation, std::remove_reference_t<T>, std::decay_t<Value>>(),
                "hirace: no atomic function has the same effect for this type");
}

}  // namespace hirace::cpu::trial
