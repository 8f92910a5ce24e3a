// Standard names that programs may use without an include, because nvcc's own headers include them.
//
// nvcc's headers include <utility> and, in C++17, through <cmath>, half of <algorithm>. This header
// has the names that programs unknowingly rely on, and no others.
#pragma once

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <type_traits>

#include "cmath.h"

// libstdc++'s std::move, std::forward and std::swap.
#if __has_include(<bits/move.h>)
#include <bits/move.h>
#endif

namespace std {

// The empty pack makes the library's own functions the better match when they are declared.
template <class T, class... Nothing>
constexpr enable_if_t<sizeof...(Nothing) == 0, const T&> min(const T& a, const T& b, Nothing...) {
  return b < a ? b : a;
}
template <class T, class... Nothing>
constexpr enable_if_t<sizeof...(Nothing) == 0, const T&> max(const T& a, const T& b, Nothing...) {
  return a < b ? b : a;
}

}  // namespace std
