// cg::inclusive_scan and cg::exclusive_scan.
#pragma once

#include "../../libraries/cooperative_collectives.h"
