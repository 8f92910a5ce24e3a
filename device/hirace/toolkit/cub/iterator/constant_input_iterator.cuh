// In the header with all of CUB's iterators.
#pragma once

#include "cub_iterators.cuh"
