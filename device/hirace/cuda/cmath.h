// <cmath> as nvcc's own headers include it, without the special functions of C++17. Those of libstdc++ need
// half of <algorithm>, with std::array, std::tuple and others that could clash with names of a program with
// `using namespace std`. toolkit/cmath adds them if the program includes <cmath> itself.
#pragma once

// A header of libstdc++ that defines the macro.
#include <cstddef>

#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <cmath>
#include <math.h>
#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
