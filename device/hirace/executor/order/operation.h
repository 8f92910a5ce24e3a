// Accesses and scopes in the terms of the PTX memory model.
#pragma once

#include <cstdint>

#include "../../hooks/strength.h"
#include "clock.h"

namespace hirace::cpu::order {

using hirace::Order;
using hirace::Scope;

struct Access {
  Strength how;
  std::int8_t first;   // where it begins, from the first byte of the location, and how long it is:
  std::uint8_t bytes;  // it may reach into other locations
  std::uint8_t kind;   // for reports
  std::uint32_t site;

  bool reads() const { return how.reads; }
  bool writes() const { return how.writes; }
  bool strong() const { return how.order != Order::weak; }
  bool overlaps(const Access& other) const {
    return first < other.first + other.bytes && other.first < first + bytes;
  }
  bool covers(const Access& other) const {
    return first <= other.first && other.first + other.bytes <= first + bytes;
  }
  bool same_bytes(const Access& other) const { return first == other.first && bytes == other.bytes; }
};

// Whether the scope of an operation of thread `of` includes thread `other`.
constexpr bool includes(Scope scope, Thread of, Thread other) {
  return scope != Scope::block || of.block == other.block;
}

}  // namespace hirace::cpu::order
