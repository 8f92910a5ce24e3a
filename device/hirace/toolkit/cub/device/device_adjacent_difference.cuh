// With cub::DeviceTransform.
#pragma once

#include "device_transform.cuh"
