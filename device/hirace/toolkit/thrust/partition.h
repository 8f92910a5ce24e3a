// In the header with algorithms of its kind.
#pragma once

#include "detail/reorder.h"
