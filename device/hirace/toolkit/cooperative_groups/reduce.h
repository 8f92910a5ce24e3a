// cg::reduce and its operations.
#pragma once

#include "../../libraries/cooperative_collectives.h"
