// Shared memory of the running block: first the static variables of programs, then the rest.
#pragma once

// For a variable of a program, in place of __shared__.
#define MADE_UP_SHARED static __attribute__((section("made_up_shared")))
extern "C" __attribute__((weak)) unsigned char __start_made_up_shared[], __stop_made_up_shared[];

namespace made_up {

alignas(256) inline unsigned char shared_memory[max_shared_bytes];

// Bytes before that.
inline std::size_t declared_bytes() {
  return static_cast<std::size_t>(__stop_made_up_shared - __start_made_up_shared + 255) / 256 * 256;
}

}  // namespace made_up

inline std::size_t __cvta_generic_to_shared(const void* pointer) {
  const auto offset = static_cast<std::size_t>(static_cast<const unsigned char*>(pointer) - __start_made_up_shared);
  if (offset < made_up::declared_bytes()) return offset;
  return static_cast<std::size_t>(static_cast<const unsigned char*>(pointer) - made_up::shared_memory) + made_up::declared_bytes();
}
inline void* __cvta_shared_to_generic(std::size_t offset) {
  const std::size_t declared = made_up::declared_bytes();
  return offset < declared ? __start_made_up_shared + offset : made_up::shared_memory + (offset - declared);
}
inline unsigned __isShared(const void* pointer) {
  return __cvta_generic_to_shared(pointer) < sizeof made_up::shared_memory + made_up::declared_bytes();
}
