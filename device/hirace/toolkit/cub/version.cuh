// What CUB has in this header.
#pragma once

#include "util_type.cuh"
