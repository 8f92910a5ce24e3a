// cub::ThreadStore.
#pragma once

#include "../../../libraries/cub_operation.h"

namespace cub {

enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheStoreModifier modifier, class Pointer, class T>
void ThreadStore(Pointer sited, T value) {
  auto pointer = hirace::value_of(sited);
  if constexpr (modifier == STORE_VOLATILE && std::is_pointer_v<decltype(pointer)> && std::is_scalar_v<T>) {
    hirace::cpu::store_at(hirace::site_of(sited), const_cast<volatile std::remove_pointer_t<decltype(pointer)>*>(pointer), 0, value);
  } else {
    hirace::cpu::store_at(hirace::site_of(sited), pointer, 0, value);
  }
}

}  // namespace cub
