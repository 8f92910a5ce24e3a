#pragma once

#include <c10/core/Device.h>

namespace at {

class DeprecatedTypeProperties {
 public:
  explicit DeprecatedTypeProperties(c10::DeviceType type) : type_(type) {}
  bool is_cuda() const { return type_ == c10::kCUDA; }

 private:
  c10::DeviceType type_;
};

}  // namespace at
