// The same as nvToolsExt.h, where NVTX 3 has it.
#pragma once

#include "../nvToolsExt.h"
