// Defined in the header with the vectors of all kinds of memory.
#pragma once

#include "detail/vector.h"
#include "execution_policy.h"
