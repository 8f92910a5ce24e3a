// Granules by their number, and what is kept beside their shadow words.
#pragma once

#include "../../checker/shadow.h"
#include "../../hooks/site.h"

namespace hirace::cpu {

using Granule = std::size_t;

// Flags beside the site number of a granule.
constexpr std::uint32_t site_lock = 1u << 31;     // a thread is changing this granule
constexpr std::uint32_t site_history = 1u << 30;  // its history node is in use
constexpr std::uint32_t site_continued = 1u << 29;  // the access there began before this granule, or this byte
static_assert(site_mask < site_continued, "a site leaves the flags alone");
// In an attachment: the number is a byte node's, not a history node's.
constexpr std::uint32_t byte_node_flag = 1u << 31;

// A page of shadow, as it belongs to an OS thread (shadow_ownership.h): 4 KiB of data.
constexpr std::size_t owned_granules = 1024;

// As small as allocations are aligned, so that small ones have units of their own.
constexpr std::size_t read_only_unit = 256;

// What device memory holds that nobody has written (fresh_memory.h). Odd, so that memory that
// was never filled does not look as if it had been.
HIRACE_HOOK std::uint32_t fresh_pattern(std::size_t granule) {
  return static_cast<std::uint32_t>(granule * 0x9e3779b97f4a7c15ull >> 29) | 1;
}

}  // namespace hirace::cpu
