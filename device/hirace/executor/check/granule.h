// Granule numbers, and the data stored with their shadow words.
#pragma once

#include "../../checker/shadow.h"
#include "../../hooks/site.h"

namespace hirace::cpu {

using Granule = std::size_t;

// Flags stored with the site number of a granule.
constexpr std::uint32_t site_lock = 1u << 31;     // a thread is changing this granule
constexpr std::uint32_t site_has_node = 1u << 30;  // its witness node is in use
constexpr std::uint32_t site_continued = 1u << 29;  // its access began before this granule, or this byte
static_assert(site_mask < site_continued, "a site leaves the flags alone");
// In an attachment: the number is that of a byte node, not of a witness node.
constexpr std::uint32_t byte_node_flag = 1u << 31;

// The data covered by a page of shadow that an OS thread can own (shadow_ownership.h): 4 KiB.
constexpr std::size_t owned_granules = 1024;
// The same for a part of the shadow that is forgotten as one (shadow_memory.h).
constexpr std::size_t touched_granules = 1024;

// The alignment of allocations, so that small allocations do not share a unit.
constexpr std::size_t read_only_unit = 256;

// The content of unwritten device memory (fresh_memory.h). Odd, so that memory that was never
// filled does not look filled.
HIRACE_HOOK std::uint32_t fresh_pattern(std::size_t granule) {
  return static_cast<std::uint32_t>(granule * 0x9e3779b97f4a7c15ull >> 29) | 1;
}

}  // namespace hirace::cpu
