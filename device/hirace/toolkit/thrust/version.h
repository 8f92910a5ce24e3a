// The names that thrust defines in this header.
#pragma once

#include "detail/config.h"
