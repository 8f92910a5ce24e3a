#pragma once

#include <stdexcept>

#define TORCH_CHECK(condition, ...) \
  if (!(condition)) throw std::runtime_error(#condition)
#define TORCH_WARN(...)
