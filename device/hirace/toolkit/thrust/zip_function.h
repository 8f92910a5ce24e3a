// Defined in the header with all of thrust's iterators.
#pragma once

#include "iterator/iterator_adaptors.h"
