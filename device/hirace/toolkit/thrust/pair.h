// Defined with thrust::tuple.
#pragma once

#include "tuple.h"
