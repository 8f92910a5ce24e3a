// cg::inclusive_scan and cg::exclusive_scan.
#pragma once

#include "../../cooperative_collectives.h"
