// The registration of each translation unit with the host runtime before main().
#pragma once

#include "host.h"

namespace hirace::gpu {

struct TranslationUnit {
  explicit TranslationUnit(SetDeviceState set) { add_unit(set); }
};

#if !defined(HIRACE_BUILDS_LIBRARY)
// One object for each unit, as device_state is. The library has no device code.
static const TranslationUnit translation_unit([](DeviceState* state, const WindowView& window) {
  const cudaError_t error = ::cudaMemcpyToSymbol(device_state, &state, sizeof state);
  return error == cudaSuccess ? ::cudaMemcpyToSymbol(shadow_window, &window, sizeof window) : error;
});
#endif

// Called with each __device__ or __managed__ variable, by reference.
class SymbolMonitor {
 public:
  explicit SymbolMonitor(MapMemory map) : map_(map) {}

  template <class T>
  void operator()(T& symbol) const {
    map_symbol(const_cast<const void*>(static_cast<const volatile void*>(__builtin_addressof(symbol))), sizeof(T), map_);
  }

 private:
  MapMemory map_;
};

// The instrumenter adds to each file that may:
//   const hirace::gpu::SharedSizeUse name;
struct SharedSizeUse {
  SharedSizeUse() { note_shared_size_use(); }
};

// The instrumenter adds for each variable in global memory:
//   const hirace::gpu::DeviceSymbol name{[](auto monitor) { monitor(variable); }};
struct DeviceSymbol {
  explicit DeviceSymbol(VisitSymbol visit) { add_symbol(visit); }
};

}  // namespace hirace::gpu
