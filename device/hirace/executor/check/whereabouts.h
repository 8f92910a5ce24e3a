// Where a race or a fault was seen: the launch, and the element of a variable or an allocation.
#pragma once

#include "../memory/device_variables.h"
#include "../memory/shared_layout.h"
#include "fault_record.h"
#include "launch_arguments.h"
#include "stream_order.h"

namespace hirace::cpu {

inline bool in_shared_memory(std::uintptr_t address) { return address - arena().base() < arena().shared_bytes(); }

// A variable, or an element of one.
inline void describe_variable(Whereabouts& where, std::uint64_t key, std::size_t bytes, std::size_t offset, const ArrayShape& shape) {
  where.variable = key;
  where.object_bytes = bytes;
  where.object_offset = offset;
  where.element_bytes = shape.element_bytes;
  for (std::size_t i = 0; i < ArrayShape::max_rank; ++i) where.extents[i] = shape.extents[i];
}

// The dynamic shared memory of the launch, by the name that its kernel gives it.
inline void describe_dynamic(Whereabouts& where, std::size_t offset) {
  const DynamicName* const name = dynamic_name.load(std::memory_order_relaxed);
  const std::size_t bytes = current_launch.dynamic_shared;
  if (name != nullptr) return describe_variable(where, name->key, bytes, offset, name->shape);
  where.object_bytes = bytes;
  where.object_offset = offset;
}

inline void describe_shared(Whereabouts& where, std::uintptr_t address) {
  const std::size_t offset = address - shared_layout().slot_of(address);
  const auto variable = shared_layout().variable_at(offset);
  if (variable.bytes != 0) {
    return describe_variable(where, variable.key, variable.bytes, offset - variable.begin, variable.shape);
  }
  const std::size_t begin = shared_layout().dynamic_begin();
  if (offset >= begin) describe_dynamic(where, offset - begin);
}

inline void describe_allocation(Whereabouts& where, std::uintptr_t address, const NearAllocation& found) {
  if (found.begin == 0) return;
  where.object_bytes = found.bytes;
  where.object_offset = address - found.begin;
  where.parameter = launch_arguments.leading_to(found);
  // A call is before its return address.
  if (found.caller != nullptr) where.allocated_by = code_address(static_cast<const char*>(found.caller) - 1);
}

inline void describe_object(Whereabouts& where, std::uintptr_t address) {
  if (in_shared_memory(address)) return describe_shared(where, address);
  if (arena().contains(address)) return describe_allocation(where, address, device_heap().around(address));
  if (const RegisteredMemory::Range* const range = registered_memory().find(address)) {
    where.object_bytes = range->bytes();
    where.object_offset = address - range->begin;
    return;
  }
  const DeviceVariable variable = device_variables().find(address);
  if (variable.bytes != 0) describe_variable(where, variable.key, variable.bytes, address - variable.begin, variable.shape);
}

// The shared memory that an access was perhaps meant for.
inline void describe_nearest_shared(Whereabouts& where, std::uintptr_t address) {
  const std::size_t offset = address - shared_layout().slot_of(address);
  const std::size_t dynamic = shared_layout().dynamic_begin();
  const auto last = shared_layout().last_before(offset);
  if (offset >= dynamic && (current_launch.dynamic_shared != 0 || last.bytes == 0)) {
    return describe_dynamic(where, offset - dynamic);
  }
  describe_variable(where, last.key, last.bytes, offset - last.begin, last.shape);
}

// The memory that an access beside it was perhaps meant for.
inline void describe_nearest(Whereabouts& where, std::uintptr_t address) {
  if (in_shared_memory(address)) return describe_nearest_shared(where, address);
  if (arena().contains(address)) return describe_allocation(where, address, device_heap().near(address));
  const DeviceVariable near = device_variables().nearest(address);
  if (near.bytes != 0) describe_variable(where, near.key, near.bytes, address - near.begin, near.shape);
}

// The launch of the prior access.
inline void describe_prior(Whereabouts& where, const WatchedLaunch& prior) {
  where.prior_launch = prior.number;
  where.prior_launch_site = prior.site;
  if (prior.code != nullptr) where.prior_launch_code = code_address(prior.code);
  where.prior_grid = prior.grid;
  where.prior_block = prior.block;
}

// An access of the running thread.
inline void describe_access(Whereabouts& where, std::uintptr_t address) {
  describe_running_thread(where);
  describe_object(where, address);
}

// A number for what a race is listed by once only: the allocation, by the place that made it and by the parameter that
// leads to it, and the launched function, of which each instance of a template is another one. Never 0.
inline std::uint64_t origin_of(std::uintptr_t address) {
  NearAllocation found{};
  if (!in_shared_memory(address) && arena().contains(address)) found = device_heap().around(address);
  const std::uint64_t allocated_by = found.caller != nullptr ? code_address(found.caller) : 0;
  const std::uint64_t parameter = found.begin != 0 ? launch_arguments.leading_to(found) : 0;
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  const std::uint64_t memory = (allocated_by * odd ^ parameter) * odd;
  return (memory ^ code_address(reinterpret_cast<const void*>(current_launch.run))) | std::uint64_t{1} << 63;
}

// The key of the variable with a name that an address is in; 0 if there is none.
inline std::uint64_t variable_at(std::uintptr_t address) {
  if (in_shared_memory(address)) return shared_layout().variable_at(address - shared_layout().slot_of(address)).key;
  return arena().contains(address) ? 0 : device_variables().find(address).key;
}

}  // namespace hirace::cpu
