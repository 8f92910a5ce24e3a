// Standard names that programs may use without an include, because nvcc's own headers include them: those of
// <utility>, <limits> and, with libstdc++ in C++17, std::min, std::copy and the like. nvcc's <cmath> also has
// special functions, such as std::beta, on which no program relies unknowingly.
#pragma once

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <limits>
#include <type_traits>
#include <utility>

#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#else
#include <algorithm>
#endif

#include "cmath.h"
