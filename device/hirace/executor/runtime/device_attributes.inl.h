// The definitions of device_attributes.h.
#pragma once

#include "device_attributes.h"
#include "device_properties.inl.h"

namespace hirace::cpu {

HIRACE_RUNTIME bool device_attribute(cudaDeviceAttr attribute, int& value) {
  const cudaDeviceProp p = device_properties();
  switch (attribute) {
#define HIRACE_CASE(name, number, expression) \
  case name: value = static_cast<int>(expression); return true;
    HIRACE_DEVICE_ATTRIBUTES(HIRACE_CASE)
#undef HIRACE_CASE
    default: return false;
  }
}

}  // namespace hirace::cpu
