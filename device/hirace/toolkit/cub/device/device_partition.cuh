// With cub::DeviceSelect.
#pragma once

#include "device_select.cuh"
