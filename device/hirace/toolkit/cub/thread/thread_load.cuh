// cub::ThreadLoad. The executor has no caches; only volatile modifiers have an effect.
#pragma once

#include "../../../libraries/cub_operation.h"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };

template <CacheLoadModifier modifier, class Pointer>
auto ThreadLoad(Pointer sited) {
  auto pointer = hirace::value_of(sited);
  using T = std::remove_cv_t<std::remove_reference_t<decltype(*pointer)>>;
  if constexpr ((modifier == LOAD_VOLATILE || modifier == LOAD_CV) && std::is_pointer_v<decltype(pointer)> && std::is_scalar_v<T>) {
    return hirace::cpu::load_at(hirace::site_of(sited), const_cast<volatile const T*>(pointer), 0);
  } else {
    return T(hirace::cpu::load_at(hirace::site_of(sited), pointer, 0));
  }
}

}  // namespace cub
