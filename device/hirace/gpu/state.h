// The data that host and device share while a program is checked.
//
// One DeviceState is in device memory. The host writes it before a launch; in a kernel only the
// fields marked as counters change. Every translation unit has a pointer to it in constant memory,
// null until the first checked launch.
//
// Shadow of global memory is found by arithmetic if its address is in a window, and otherwise by a
// page table over 49-bit addresses:
//
//   48        35 34        21 20                        0
//   | directory | page       | byte in a page of 2 MiB  |
//        |            |
//   directories[] -> pages[] -> | words | site words, 8 bytes a granule |
//
// If memory is short, several pages share one page of shadow (pages_sharing, below).
#pragma once

#include "../records/record.h"
#include "layout.h"
#include "ptx.h"

namespace hirace::gpu {

constexpr unsigned page_shift = 21;
constexpr unsigned directory_shift = 35;
constexpr unsigned address_bits = 49;
constexpr std::size_t page_bytes = std::size_t{1} << page_shift;
constexpr std::size_t page_granules = page_bytes / granule_bytes;
constexpr std::size_t directory_pages = std::size_t{1} << (directory_shift - page_shift);
constexpr std::size_t directory_count = std::size_t{1} << (address_bits - directory_shift);
// Shadow is an array of words followed by as many site words.
constexpr std::size_t words_with_site = 1 + (sites_enabled ? sizeof(SiteWord) / sizeof(Word) : 0);
constexpr std::size_t page_shadow_words = page_granules * words_with_site;

// A granule of memory without shadow, in words that are never changed.
constexpr unsigned absent_state = 28;
constexpr Word absent_word = Word{absent_state} << state_shift;
static_assert(absent_state > race_state && absent_state < split_state, "the special states are distinct");

// The memory whose shadow address is arithmetic.
struct WindowView {
  std::uintptr_t begin;  // the first address
  std::size_t bytes;     // 0: there is no window
  Word* words;           // one for each granule from the first address on
  SiteWord* sites;       // likewise

  bool operator!=(const WindowView& other) const {
    return begin != other.begin || bytes != other.bytes || words != other.words || sites != other.sites;
  }
};

// Cached shadow: pages of the program share a page of shadow, and each has a tag in the epoch's
// upper bits. A word that another page has left reads as one without an epoch, INIT: its content is
// forgotten, and nothing is invented.
constexpr unsigned tag_bits = Format::epoch_bits > 4 ? 4 : Format::epoch_bits - 1;
constexpr unsigned tag_shift = state_shift - tag_bits;
constexpr std::size_t pages_sharing = std::size_t{1} << tag_bits;
constexpr std::uint32_t max_cached_epoch = max_epoch >> tag_bits;
static_assert(max_cached_epoch != 0, "there is room for an epoch");

// The location of a page's shadow: the address of its words, and the tag in the bits that are zero
// in that address.
using PageEntry = Counter;

struct Directory {
  PageEntry pages[directory_pages];
};

// In LaunchState::grid: the next launch is not announced by the host, or has not started yet.
constexpr Counter grid_ignored = 0;
constexpr Counter grid_awaited = ~Counter{0};

// An argument of a launch that may be a pointer.
struct Argument {
  std::uintptr_t value;
  std::uintptr_t begin;         // of the allocation that it leads to
  std::size_t bytes;            // 0: of none
  std::uint32_t leading_there;  // arguments that lead to the same allocation, a bit for each
};
constexpr std::uint32_t max_arguments = 16;

struct LaunchState {
  Counter grid;  // %gridid plus one of the launch's grid
  std::uint32_t epoch;  // counter: a grid barrier begins the next one
  std::uint32_t kernel;
  std::uint32_t spaces;
  std::uint32_t first_block, last_block;
  // If words are in shared memory: the bytes that they describe, else 0, and the bytes of dynamic
  // shared memory that the launch then has.
  std::uint32_t shared_data, dynamic_shared;
  std::uint32_t limits;        // counter: bits of Limits
  std::uint32_t not_modelled;  // counter: bits of NotModelled
  std::uint32_t next_byte_node;  // counter
  Counter accesses, outside;     // counters
  Counter unseen_grids;          // counter: grids of launches that were not hooked
  // Counters: accessed addresses without shadow, at most one per page.
  Counter outside_addresses[64];
  std::uint32_t arguments;       // their number; 0 if unknown
  Argument argument[max_arguments];
};

struct DeviceState {
  LaunchState launch;

  // The record table, and a copy of each record's first state in host memory that survives the loss
  // of the device.
  Record* records;
  Record* mirror;
  Spread* spreads;  // of the records
  std::uint32_t record_capacity;
  std::uint32_t record_count;  // counter
  Counter dropped;             // counter
  Counter occurrences;         // counter: changes whenever the table does

  // Words of single bytes, four per node, followed by their site words.
  Word* byte_words;
  std::uint32_t byte_node_capacity;

  // Shadow of shared memory, except words next to the arrays: for each multiprocessor as much as its
  // shared memory needs, from which its blocks take slots, and a bit for each slot in use.
  std::uint32_t multiprocessors;
  std::uint32_t shared_granules;  // of one multiprocessor
  std::uint32_t* shared_words;    // of all
  SiteWord* shared_sites;         // of all
  std::uint32_t* slots;           // counters

  std::uint32_t max_epoch;  // after it, all words must be cleared

  // All pages of shadow, for a kernel that must clear it.
  Word** pages;
  std::uint32_t page_count;

  // Unused entries of directories lead to absent words; unused directory pointers lead to an empty directory.
  Directory* directories[directory_count];
};

// Internal linkage: the host sets it in each translation unit (runtime.h).
static __constant__ DeviceState* device_state;
static __constant__ WindowView shadow_window;

__device__ __forceinline__ void report_limit(std::uint32_t limit) { ::atomicOr(&device_state->launch.limits, limit); }

}  // namespace hirace::gpu
