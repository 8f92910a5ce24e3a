// The parts of the GPU backend for code outside device functions.
#pragma once

#include "assertion.h"
#include "groups.h"
#include "launch.h"
#include "memory.h"
#include "waiting.h"
