// With cub::DeviceReduce.
#pragma once

#include "device_reduce.cuh"
