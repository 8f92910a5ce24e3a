// Defined in the header with all of thrust's random numbers.
#pragma once

#include "../random.h"
