// What the order engine remembers of a location.
//
// Most locations are accessed by plain accesses of one thread at a time, each of which knows of the
// earlier ones. Of such a location it is enough to remember the last write and one read after it.
#pragma once

#include <cstdint>
#include <memory>

#include "access_history.h"

namespace hirace::cpu::order {

// The last plain write of a location, or a read since.
struct LastAccess {
  Time time = 0;
  std::uint32_t thread = 0;
  std::uint32_t site = 0;
  std::int8_t first = 0;
  std::uint8_t bytes = 0;  // 0 if there is none
  std::uint8_t kind = 0;

  bool is_made() const { return bytes != 0; }
  void set(std::uint32_t by, Time at, const Access& access) {
    time = at;
    thread = by;
    site = access.site;
    first = access.first;
    bytes = access.bytes;
    kind = access.kind;
  }
  Access access(bool writes) const {
    return {{Order::weak, Scope::block, !writes, writes, !writes}, first, bytes, kind, site};
  }
};

struct Location {
  LocationId id = 0;
  LastAccess write, read;
  // If that is not enough.
  std::unique_ptr<AccessHistory> history;

  // Forgets what came before a barrier that whoever comes has passed.
  void forget_before(Time met) {
    if (write.time < met) write.bytes = 0;
    if (read.time < met) read.bytes = 0;
    if (history != nullptr && history->latest < met) history = nullptr;
  }

  // A plain write after all other accesses.
  void set_write(std::uint32_t by, Time at, const Access& access) {
    write.set(by, at, access);
    read.bytes = 0;
  }
};

}  // namespace hirace::cpu::order
