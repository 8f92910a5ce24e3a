// Defined in the header about device memory.
#pragma once

#include "detail/memory.h"
