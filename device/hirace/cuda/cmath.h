// <cmath> as nvcc's own headers bring it, but for the special functions of C++17. libstdc++'s
// need half of <algorithm>, with std::array, std::tuple and others that a program with
// `using namespace std` may have names of its own for. toolkit/cmath has them where the
// program includes <cmath> itself.
#pragma once

// A header of libstdc++ that defines the macro.
#include <cstddef>

#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <cmath>
#include <math.h>
#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
