// Ends the checks of a run before their shadow memory takes the last memory of the machine.
//
// How much shadow a byte takes depends on what the program does: four times its size, or up to sixteen times
// with managed memory and several streams; and the order engine remembers accesses of its own. No size of
// device memory can be right for all of that, so the watch looks at what is left while kernels run. Once
// little is left, the checks have ended for good: the program runs on, and the report says which launches
// were not checked. The program may still touch what it has allocated, so there must be room for that as well.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "process_limits.h"

namespace hirace::cpu {

class MemoryWatch {
 public:
  // Whether the checks have ended, or have to. Looks at the memory every few milliseconds. `allocated` bytes are
  // device memory, of which `untouched()` bytes have no memory yet; that takes longer to find out.
  template <class Untouched>
  bool is_low(std::size_t allocated, const Untouched& untouched) {
    if (was_low()) return true;
    // One thread looks at a time: `limits_` has one buffer.
    if (now() < next_.load(std::memory_order_relaxed) || looking_.exchange(true, std::memory_order_acquire)) return false;
    const std::size_t unused = limits_.unused_bytes();
    const bool low = unused < reserve_ + allocated && unused < reserve_ + untouched();
    if (low) low_.store(true, std::memory_order_relaxed);
    next_.store(now() + period, std::memory_order_relaxed);
    looking_.store(false, std::memory_order_release);
    return low;
  }

  // Whether they have ended.
  bool was_low() const { return low_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  static std::int64_t now() { return Clock::now().time_since_epoch().count(); }

  // In ticks of the clock. Two threads touch less than the reserve of a small machine meanwhile.
  static constexpr std::int64_t period = Clock::duration(std::chrono::milliseconds(10)).count();

  const ProcessLimits limits_;
  const std::size_t reserve_ = std::min(memory_bytes_at_start() / 16, std::size_t{1} << 30);
  std::atomic<std::int64_t> next_{now() + period};
  std::atomic<bool> low_{false}, looking_{false};
};

inline MemoryWatch& memory_watch() {
  static MemoryWatch* const watch = new MemoryWatch;
  return *watch;
}

}  // namespace hirace::cpu
