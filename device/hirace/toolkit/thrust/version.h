// What thrust has in this header.
#pragma once

#include "detail/config.h"
