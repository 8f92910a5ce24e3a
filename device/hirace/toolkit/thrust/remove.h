// Defined in the header for algorithms of its kind.
#pragma once

#include "detail/reorder.h"
