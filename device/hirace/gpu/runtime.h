// All of the GPU backend that code outside device functions meets.
#pragma once

#include "groups.h"
#include "launch.h"
#include "memory.h"
#include "waiting.h"
