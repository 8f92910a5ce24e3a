// What translated PTX includes (`crates/ptx/src/`): instructions, launches from a file, and modules that programs load.
#pragma once

#include "../hirace.cuh"
#include "launch_file.h"
#include "loaded_module.h"
