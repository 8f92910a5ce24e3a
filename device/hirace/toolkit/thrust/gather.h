// Defined in the header for algorithms of its kind.
#pragma once

#include "detail/elementwise.h"
