// The registration of each translation unit with the host's monitor before main().
#pragma once

#include <vector>

#include "cuda_call.h"
#include "state.h"

namespace hirace::gpu {

// Sets the pointers in a unit's device code.
using SetDeviceState = cudaError_t (*)(DeviceState*, const WindowView&);

inline std::vector<SetDeviceState>& translation_units() {
  static std::vector<SetDeviceState> units;
  return units;
}

struct TranslationUnit {
  explicit TranslationUnit(SetDeviceState set) { translation_units().push_back(set); }
};

// One object for each unit, as device_state is.
static const TranslationUnit translation_unit([](DeviceState* state, const WindowView& window) {
  const cudaError_t error = ::cudaMemcpyToSymbol(device_state, &state, sizeof state);
  return error == cudaSuccess ? ::cudaMemcpyToSymbol(shadow_window, &window, sizeof window) : error;
});

using MapMemory = void (*)(const void* memory, std::size_t bytes);

// Called with each __device__ or __managed__ variable, by reference.
class SymbolMonitor {
 public:
  explicit SymbolMonitor(MapMemory map) : map_(map) {}

  template <class T>
  void operator()(T& symbol) const {
    const void* handle = const_cast<const void*>(static_cast<const volatile void*>(__builtin_addressof(symbol)));
    void* memory = nullptr;
    if (quietly([&] { return ::cudaGetSymbolAddress(&memory, handle); }) == cudaSuccess) {
      map_(memory, sizeof(T));
      return;
    }
    // On the host, the name of a managed variable is the variable itself.
    cudaPointerAttributes attributes{};
    if (quietly([&] { return ::cudaPointerGetAttributes(&attributes, handle); }) == cudaSuccess &&
        attributes.type == cudaMemoryTypeManaged) {
      map_(handle, sizeof(T));
    }
  }

 private:
  MapMemory map_;
};

using VisitSymbol = void (*)(SymbolMonitor);

inline std::vector<VisitSymbol>& device_symbols() {
  static std::vector<VisitSymbol> symbols;
  return symbols;
}

// Whether device code may query how much shared memory its block has.
inline bool& shared_size_is_used() {
  static bool used = false;
  return used;
}

// The instrumenter adds to each file that may:
//   const hirace::gpu::SharedSizeUse name;
struct SharedSizeUse {
  SharedSizeUse() { shared_size_is_used() = true; }
};

// The instrumenter adds for each variable in global memory:
//   const hirace::gpu::DeviceSymbol name{[](auto monitor) { monitor(variable); }};
struct DeviceSymbol {
  explicit DeviceSymbol(VisitSymbol visit) { device_symbols().push_back(visit); }
};

}  // namespace hirace::gpu
