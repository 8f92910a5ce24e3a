// Arguments of calls that the compiler has to choose a function for.
//
//   o.f(s[t]);  →  o.f(hirace::read_if_taken(SITE, s[t]));   some classes have f(int), others f(int&)
//
// The conversion to the type of the parameter tells which of them is called ([dcl.init.ref], [over.match.conv]): a
// reference binds to the lvalue, and a value comes from the conversion that reads. It works where the type of the
// parameter is not deduced, and where no two functions of one scope may be meant: none would be better than the other.
#pragma once

#include <type_traits>

#include "access.h"

namespace hirace {

template <class T>
class Argument {
 public:
  HIRACE_HOOK constexpr Argument(SiteId site, T& place) : site_(site), place_(place) {}

  HIRACE_HOOK constexpr operator T&() const { return place_; }
  // Of a temporary that is not const, the better one of the two.
  HIRACE_HOOK constexpr operator std::remove_cv_t<T>() { return hirace::read(site_, place_); }

 private:
  SiteId site_;
  T& place_;
};

template <class T>
HIRACE_HOOK constexpr auto read_if_taken(SiteId site, T& place) {
  return Argument<T>(site, place);
}
template <class T, std::enable_if_t<!std::is_lvalue_reference_v<T>, int> = 0>
HIRACE_HOOK constexpr T read_if_taken(SiteId, T&& value) {
  return static_cast<T&&>(value);
}

}  // namespace hirace
