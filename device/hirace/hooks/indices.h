// Index sequences. Those of <utility> are not used, because that header also declares names that a
// program with `using namespace std` may define itself.
#pragma once

#include <cstddef>

namespace hirace::detail {

template <std::size_t... numbers>
struct Indices {};

template <std::size_t count, std::size_t... numbers>
struct MakeIndices : MakeIndices<count - 1, count - 1, numbers...> {};
template <std::size_t... numbers>
struct MakeIndices<0, numbers...> {
  using Type = Indices<numbers...>;
};

// 0 to `count` - 1.
template <std::size_t count>
using IndicesBelow = typename MakeIndices<count>::Type;

}  // namespace hirace::detail
