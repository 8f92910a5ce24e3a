// What a thread has beside it that works asynchronously: what each does is unordered with the thread's own
// accesses, and with those of the others, until the thread waits for it.
#pragma once

#include <cstdint>

namespace hirace::cpu {

enum class Copier : std::uint8_t {
  none,      // the thread itself
  copies,    // cp.async
  bulk,      // cp.async.bulk
  stores,    // what cp.async.bulk writes to global memory: a thread may wait for its reads only
  products,  // wgmma, which reads shared memory
};
constexpr std::uint32_t copiers_of_thread = 4;

}  // namespace hirace::cpu
