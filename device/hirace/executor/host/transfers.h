// Copies and fills of memory that the host may access, until the host has waited for them.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>

#include "../../records/record.h"
#include "../check/stream_order.h"

namespace hirace::cpu {

struct HostTransfer {
  std::uintptr_t begin;
  std::size_t bytes;
  AccessKind kind;
  std::uint32_t number;  // in stream_order()
  SiteId site;           // of the call that asked for it
};

class HostTransfers {
 public:
  void add(const HostTransfer& transfer) {
    if (transfer.number == 0) return;
    const std::lock_guard lock(mutex_);
    const auto waited_for = [](const HostTransfer& it) { return stream_order().is_before_host(it.number); };
    if (pending_.size() >= many) pending_.erase(std::remove_if(pending_.begin(), pending_.end(), waited_for), pending_.end());
    // Of a host that never waits, the last ones are enough.
    if (pending_.size() >= many) pending_.pop_front();
    pending_.push_back(transfer);
  }

  // Calls `visit` with those that access some of the bytes.
  template <class Visit>
  void visit(std::uintptr_t begin, std::size_t bytes, Visit visit) {
    const std::lock_guard lock(mutex_);
    for (const HostTransfer& each : pending_) {
      if (begin < each.begin + each.bytes && each.begin < begin + bytes) visit(each);
    }
  }

 private:
  static constexpr std::size_t many = 64;

  std::mutex mutex_;
  std::deque<HostTransfer> pending_;
};

inline HostTransfers& host_transfers() {
  static HostTransfers* const transfers = new HostTransfers;
  return *transfers;
}

}  // namespace hirace::cpu
