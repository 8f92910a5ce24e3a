// In the header with algorithms of its kind.
#pragma once

#include "detail/elementwise.h"
