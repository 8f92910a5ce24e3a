// The unsigned integer type of a number of bytes; no type for numbers that have none.
#pragma once

#include <cstddef>
#include <type_traits>

namespace hirace::cpu {

template <std::size_t bytes>
using UnsignedOf = std::conditional_t<
    bytes == 1, unsigned char,
    std::conditional_t<bytes == 2, unsigned short,
                       std::conditional_t<bytes == 4, unsigned,
                                          std::conditional_t<bytes == 8, unsigned long long,
                                                             std::conditional_t<bytes == 16, unsigned __int128, void>>>>>;

}  // namespace hirace::cpu
