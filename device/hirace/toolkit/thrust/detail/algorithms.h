// All of thrust's algorithms. Each of its headers for algorithms has all of them, because thrust's own headers
// include one another, and programs rely on that.
#pragma once

#include "elementwise.h"
#include "reductions.h"
#include "reorder.h"
