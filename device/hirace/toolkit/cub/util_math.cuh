// What CUB has in this header.
#pragma once

#include "util_macro.cuh"
