// cg::reduce and its operations.
#pragma once

#include "../../cooperative_collectives.h"
