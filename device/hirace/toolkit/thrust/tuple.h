// thrust::tuple and pair are those of the standard library.
#pragma once

#include "detail/config.h"

namespace thrust {

using std::get;
using std::ignore;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

}  // namespace thrust
