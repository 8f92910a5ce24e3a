// Atomic operations on 16 bytes, for which compilers would need a library or a flag.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hirace::cpu {

struct alignas(16) Wide16 {
  std::uint64_t low, high;
};

// Stores `desired` if the value equals `expected`; returns the old value.
template <class T>
T compare_exchange_16(T* address, const T& expected, const T& desired, bool& exchanged) {
  static_assert(sizeof(T) == 16 && std::is_trivially_copyable_v<T>, "exchanged by its bytes");
  Wide16 old, fresh;
  std::memcpy(&old, &expected, 16);
  std::memcpy(&fresh, &desired, 16);
#if defined(__x86_64__)
  auto* const target = reinterpret_cast<Wide16*>(address);
  __asm__ volatile("lock cmpxchg16b %1"
                   : "=@ccz"(exchanged), "+m"(*target), "+a"(old.low), "+d"(old.high)
                   : "b"(fresh.low), "c"(fresh.high)
                   : "memory");
#else
  auto* const target = reinterpret_cast<unsigned __int128*>(address);
  unsigned __int128 seen, wanted;
  std::memcpy(&seen, &old, 16);
  std::memcpy(&wanted, &fresh, 16);
  exchanged = __atomic_compare_exchange_n(target, &seen, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  std::memcpy(&old, &seen, 16);
#endif
  T result;
  std::memcpy(static_cast<void*>(&result), &old, 16);
  return result;
}

// Reads by exchanging the value with itself.
template <class T>
T load_16(T* address) {
  bool exchanged;
  return compare_exchange_16(address, T{}, T{}, exchanged);
}

}  // namespace hirace::cpu
