// Copies and fills of memory that the host may access, until the host has waited for them.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>

#include "../../records/record.h"
#include "../check/stream_order.h"

namespace hirace::cpu {

struct Transfer {
  std::uintptr_t begin;
  std::size_t bytes;
  AccessKind kind;
  std::uint32_t number;  // in stream_order()
  const void* caller;    // the program's code that asked for it; null if unknown
};

class Transfers {
 public:
  void add(const Transfer& transfer) {
    if (transfer.number == 0) return;
    const std::lock_guard lock(mutex_);
    const auto waited_for = [](const Transfer& it) { return stream_order().is_before_host(it.number); };
    if (pending_.size() >= many) pending_.erase(std::remove_if(pending_.begin(), pending_.end(), waited_for), pending_.end());
    // Of a host that never waits, the last ones are enough.
    if (pending_.size() >= many) pending_.pop_front();
    pending_.push_back(transfer);
  }

  // Calls `visit` with those that access some of the bytes.
  template <class Visit>
  void visit(std::uintptr_t begin, std::size_t bytes, Visit visit) {
    const std::lock_guard lock(mutex_);
    for (const Transfer& each : pending_) {
      if (begin < each.begin + each.bytes && each.begin < begin + bytes) visit(each);
    }
  }

 private:
  static constexpr std::size_t many = 64;

  std::mutex mutex_;
  std::deque<Transfer> pending_;
};

inline Transfers& transfers() {
  static Transfers* const the_transfers = new Transfers;
  return *the_transfers;
}

// The code that called the runtime's function.
inline thread_local const void* transfer_caller = nullptr;

}  // namespace hirace::cpu
