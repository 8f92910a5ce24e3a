#pragma once

#include "../check.h"

void multiply_all(int* data, int count);
