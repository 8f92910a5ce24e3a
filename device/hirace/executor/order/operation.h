// Accesses and scopes in the terms of the PTX memory model.
#pragma once

#include <cstdint>

#include "clock.h"

namespace hirace::cpu::order {

// Which threads a strong operation reaches (PTX ISA, "Scope").
enum class Scope : std::uint8_t { block, device, system };

// What an operation orders besides itself (PTX ISA, "Release and Acquire Patterns").
enum class Order : std::uint8_t { weak, relaxed, acquire, release, acquire_release };

constexpr bool acquires(Order order) { return order == Order::acquire || order == Order::acquire_release; }
constexpr bool releases(Order order) { return order == Order::release || order == Order::acquire_release; }

struct Access {
  bool reads, writes;  // both: one atomic operation
  Order order;
  Scope scope;          // of a strong access
  bool returns_value;   // a `red` reads, and returns nothing
  std::int8_t first;  // where it begins, from the first byte of the location, and how long it is:
  std::uint8_t bytes;  // it may reach into other locations
  std::uint32_t site;

  bool strong() const { return order != Order::weak; }
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
