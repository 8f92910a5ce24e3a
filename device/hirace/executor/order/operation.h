// Accesses and scopes in the terms of the PTX memory model.
#pragma once

#include <cstdint>

#include "../../generated/wire.h"
#include "../../hooks/strength.h"
#include "clock.h"
#include "rules.h"

namespace hirace::cpu::order {

using hirace::Order;
using hirace::Scope;

// Of an access that is known by one of its granules: how far it reaches is unknown.
constexpr std::uint8_t only_part = 0x80;

struct Access {
  Strength how;
  std::int8_t first;   // where it begins, from the first byte of the location, and how long it is:
  std::uint8_t bytes;  // it may reach into other locations
  std::uint8_t kind;   // for reports; with `only_part` if these bytes are a part of it
  std::uint32_t site;

  AccessKind kind_of_access() const { return static_cast<AccessKind>(kind & ~only_part); }
  bool reads() const { return how.reads; }
  bool writes() const { return how.writes; }
  bool strong() const { return how.order != Order::weak; }
  // Morally strong to all others that do so and have the same bytes.
  bool reaches_device() const { return strong() && how.scope != Scope::block; }
  bool overlaps(const Access& other) const {
    return first < other.first + other.bytes && other.first < first + bytes;
  }
  bool covers(const Access& other) const {
    return first <= other.first && other.first + other.bytes <= first + bytes;
  }
  bool same_bytes(const Access& other) const { return first == other.first && bytes == other.bytes; }
  // Whether it reaches all bytes of a location with so many.
  bool covers_all(int count) const { return first <= 0 && first + bytes >= count; }
  // The same, for a location that begins so many bytes later.
  Access from(int later) const {
    Access moved = *this;
    moved.first = static_cast<std::int8_t>(first - later);
    return moved;
  }
  bool same_operation(const Access& other) const {
    return site == other.site && same_bytes(other) && how.order == other.how.order && how.scope == other.how.scope &&
           how.reads == other.how.reads && how.writes == other.how.writes && how.returns_value == other.how.returns_value;
  }
};

// Whether the scope of an operation of thread `of` includes thread `other`.
constexpr bool includes(Scope scope, Thread of, Thread other) {
  return scope != Scope::block || of.block == other.block || !holds(Rule::scope_of_block_excludes_others);
}

}  // namespace hirace::cpu::order
