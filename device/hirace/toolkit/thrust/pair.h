// With thrust::tuple.
#pragma once

#include "tuple.h"
