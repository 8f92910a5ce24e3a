// Type traits under the names by which programs for older versions of thrust know them.
#pragma once

#include <type_traits>

#include "config.h"

namespace thrust {

namespace detail {

using std::conditional;
using std::enable_if;
using std::false_type;
using std::integral_constant;
using std::is_arithmetic;
using std::is_convertible;
using std::is_floating_point;
using std::is_integral;
using std::is_pointer;
using std::is_same;
using std::remove_const;
using std::remove_cv;
using std::remove_pointer;
using std::remove_reference;
using std::true_type;

}  // namespace detail

}  // namespace thrust
