// With cub::DeviceMergeSort.
#pragma once

#include "device_merge_sort.cuh"
