// What the order engine remembers of a location.
//
// Most locations are accessed by plain accesses of one thread at a time, each of which knows of the
// earlier ones. Of such a location it is enough to remember the last write and one read after it.
//
// A location is a granule. What was written last, and by whom, may differ from byte to byte: if some
// of its bytes are accessed alone and that is not enough, each byte is a location of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "../../checker/shadow.h"
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
  bool is_same(const LastAccess& other) const {
    return time == other.time && thread == other.thread && site == other.site && first == other.first && bytes == other.bytes && kind == other.kind;
  }
  // For a location that begins so many bytes later.
  LastAccess from(int later) const {
    LastAccess moved = *this;
    moved.first = static_cast<std::int8_t>(first - later);
    return moved;
  }
  // The same for one byte: none if the access does not reach it.
  LastAccess of_byte(int byte) const {
    const LastAccess moved = from(byte);
    return is_made() && moved.access(false).covers_all(1) ? moved : LastAccess();
  }
  Access access(bool writes) const {
    return {{Order::weak, Scope::block, !writes, writes, !writes}, first, bytes, kind, site};
  }
};

// A byte of a location is a location of its own to the tables of threads.
inline LocationId id_of_byte(LocationId whole, int byte) { return whole | static_cast<LocationId>(byte + 1) << 56; }

struct Location {
  LocationId id = 0;
  LastAccess write, read;
  // If that is not enough.
  std::unique_ptr<AccessHistory> history;
  // Or, with nothing of the above: its bytes.
  std::unique_ptr<Location[]> bytes;

  static constexpr int byte_count = granule_bytes;

  bool is_empty() const { return !write.is_made() && !read.is_made() && history == nullptr && bytes == nullptr; }

  // Forgets what came before a barrier that whoever comes has passed.
  void forget_before(Time met) {
    if (write.time < met) write.bytes = 0;
    if (read.time < met) read.bytes = 0;
    if (history != nullptr && history->latest < met) history = nullptr;
    if (bytes == nullptr) return;
    bool is_empty = true;
    for (int byte = 0; byte < byte_count; ++byte) {
      bytes[byte].forget_before(met);
      is_empty = is_empty && bytes[byte].is_empty();
    }
    if (is_empty) bytes = nullptr;
  }

  // Whether it takes bytes of their own to follow an access for which the last ones are not enough.
  bool needs_bytes(const Access& access) const {
    if (!holds(Rule::bytes_have_values_of_their_own)) return false;
    const auto is_part = [](const LastAccess& last) { return last.is_made() && !last.access(false).covers_all(byte_count); };
    return !access.covers_all(byte_count) || (history == nullptr && (is_part(write) || is_part(read)));
  }
  void split() {
    auto parts = std::make_unique<Location[]>(byte_count);
    for (int byte = 0; byte < byte_count; ++byte) {
      Location& part = parts[byte];
      part.id = id_of_byte(id, byte);
      if (history != nullptr) {
        part.history = history->of_part(byte);
        part.history->location = part.id;
        continue;
      }
      part.write = write.of_byte(byte);
      part.read = read.of_byte(byte);
    }
    history = nullptr;
    write = read = {};
    bytes = std::move(parts);
  }
  // The opposite, if one access to the whole is all that its bytes remember.
  void merge() {
    const LastAccess first = bytes[0].write;
    for (int byte = 0; byte < byte_count; ++byte) {
      const Location& part = bytes[byte];
      if (part.history != nullptr || part.read.is_made() || !part.write.is_same(first.from(byte))) return;
    }
    write = first;
    bytes = nullptr;
  }

  // What is remembered of an access, or null.
  const AccessHistory* history_of(const Access& access) const {
    return bytes == nullptr ? history.get() : bytes[access.first > 0 ? access.first : 0].history.get();
  }

  // A plain write after all other accesses.
  void set_write(std::uint32_t by, Time at, const Access& access) {
    write.set(by, at, access);
    read.bytes = 0;
  }
};

}  // namespace hirace::cpu::order
