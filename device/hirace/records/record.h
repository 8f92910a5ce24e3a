// Race records: what a program tells the world about its races.
//
// The records lie in one block of memory of fixed size that the `hirace` command
// creates as a file and the program maps shared. Whatever way the program ends,
// what it had recorded is there. Layout (little endian):
//
//   0                       RecordHeader
//   128                     KernelEntry[kernel_capacity]
//   128 + 256 * kernels     Record[record_capacity], a hash table: a race that
//                           repeats finds its record again and counts
//   behind that             Spread[record_capacity], one for each record, see spread.h
//   behind that             the tables of hooked places, see table_file.h
//
// `src/report/records.rs` reads the same layout.
#pragma once

#include "../hooks/site.h"
#include "../checker/spread.h"

namespace hirace {

constexpr char record_magic[8] = {'H', 'I', 'R', 'A', 'C', 'E', '0', '1'};
constexpr std::uint32_t default_kernel_capacity = 1024;
constexpr std::uint32_t default_record_capacity = 4096;

// Why a part of a run could not be checked, as bits.
enum Limits : std::uint32_t {
  block_clock_overflow = 1,  // more block barriers than the word can count
  warp_clock_overflow = 2,   // more warp barriers between two block barriers
  grid_too_large = 4,        // more blocks or threads than the word can name: a launch ran unchecked
  byte_pool_exhausted = 8,   // more granules accessed by the byte than there is room for
  streams_in_order = 16,     // launches on different streams were not compared
  shadow_memory_exhausted = 32,  // no memory for the shadow of an allocation or of a block
  launch_refused = 64,           // a launch failed, so that its kernel did not run
  host_accesses_not_followed = 128,  // host accesses to device memory were no longer looked for
  children_after_parents = 256,      // kernels launched by kernels ran after them, one by one
  read_only_written = 512,           // memory was written that a launch was taken only to read
  shadow_cached = 1024,              // shadow was shared for want of memory: races may be missed
  launches_not_chosen = 2048,        // launches ran unchecked, as HIRACE_OPTIONS says
  blocks_without_number = 4096,      // blocks that the word cannot name: no check of global memory
  threads_without_number = 8192,     // threads that it cannot name, likewise
};

// Constructs that order accesses in ways the state machine does not follow, as bits.
enum NotModelled : std::uint32_t {
  memory_fence = 1,
  partial_warp_barrier = 2,
  other_construct = 4,
};

enum class Backend : std::uint32_t { unknown = 0, cpu = 1, gpu = 2 };

struct RecordHeader {
  char magic[8];
  std::uint32_t kernel_capacity, record_capacity;
  std::uint32_t kernels, records;
  std::uint64_t dropped;
  std::uint64_t launches, accesses;
  std::uint64_t unmonitored_launches;
  std::uint64_t outside;
  std::uint32_t limits;
  std::uint32_t finished;
  std::uint32_t seed, workers;
  Backend backend;
  std::uint32_t processes;  // that shared these records
  std::int32_t process;     // the one that came last
  std::uint32_t halted;     // stopped at its first finding, as HIRACE_OPTIONS says
  std::uint64_t launch_nanoseconds;  // wall time of all launches
  std::uint64_t peak_bytes;          // resident memory at its largest, at a normal end
  std::uint64_t reserved[2];
};
static_assert(sizeof(RecordHeader) == 128, "read by src/report/records.rs");

struct KernelEntry {
  char name[224];
  std::uint64_t launches, accesses;
  std::uint32_t not_modelled, limits;
  std::uint32_t unmonitored_launches;  // of `launches`, switched off by configuration
  // Bits of a clock that has overflowed and of a number that was too large, the least of all
  // launches; 0 where none was.
  std::uint8_t block_clock_bits, warp_clock_bits, block_bits, thread_bits;
};
static_assert(sizeof(KernelEntry) == 256, "read by src/report/records.rs");

enum class RecordType : std::uint8_t { race = 1, fault = 2, not_modelled = 3 };
enum class Space : std::uint8_t { shared = 1, global = 2 };
enum class RaceScope : std::uint8_t { warp = 1, block = 2, grid = 3, launch = 4 };
enum class PriorKnown : std::uint8_t { nothing = 0, site = 1, site_and_thread = 2 };

// How an access looked in the source; the state machine folds these into four.
enum class AccessKind : std::uint8_t {
  read = 0,
  write = 1,
  block_atomic = 2,
  device_atomic = 3,
  update = 4,
  volatile_read = 5,
  volatile_write = 6,
};

enum class Fault : std::uint32_t {
  none = 0,
  out_of_bounds = 1,
  use_after_free = 2,
  illegal_address = 3,
  barrier_deadlock = 4,
  assertion = 5,
  trap = 6,
  stack_overflow = 7,
  invalid_launch = 8,
  abort = 9,
  arithmetic = 10,
  misaligned = 11,
  uninitialised_read = 12,
  host_access = 13,
  divergent_barrier = 14,
  barrier_after_exit = 15,  // a warning
  mask_without_caller = 16,
  mask_mismatch = 17,
  inactive_shuffle_source = 18,  // a warning
  livelock = 19,
  interrupted = 20,        // by a signal: no fault, but where the program was
  waits_for_outside = 21,  // as livelock, but what the launch does not wait for could end it
};

struct Coordinates {
  std::uint32_t x, y, z;
};

// The blocks of a grid, as large as CUDA allows.
struct GridDimensions {
  std::uint32_t x;
  std::uint16_t y, z;
};

// Of a race only.
struct RaceDetails {
  std::int16_t prior_begin;  // in bytes from where the current access begins; where prior_size is known
  // Between launches: the kernel of the prior access, and the streams of both, 0 for the
  // default one and graph_stream for a branch of a graph.
  std::uint16_t prior_kernel, prior_stream, current_stream;
};
constexpr std::uint16_t graph_stream = 0xffff;

struct Record {
  std::uint32_t ready;  // 0 free, 1 being written, 2 complete
  RecordType type;
  Space space;
  RaceScope relation;
  PriorKnown prior_known;
  std::uint32_t kernel;
  SiteId site_prior, site_current;
  AccessKind prior_access, current_access;
  std::uint8_t prior_size, current_size;  // in bytes, at most 255; 0 where it is not known
  Fault fault;
  std::uint32_t not_modelled;  // constructs that ran before and might have ordered a race's two ends
  Coordinates prior_block, prior_thread, current_block, current_thread;
  std::uint64_t count;
  std::uint64_t address;
  Coordinates block_dim;
  // Of a fault: whether it ended the run. Its site_prior is a second place, where it has one.
  std::uint8_t ended;
  std::uint8_t warp_size;
  std::uint16_t transition;  // of a race: the place in fsm_table that says so; 0 where none does
  union {
    std::uint64_t code_address;  // of a fault: the instruction, from where the program was loaded; 0 if not known
    RaceDetails race;
  };
  GridDimensions grid_dim;
};
static_assert(sizeof(Record) == 128, "read by src/report/records.rs");

// Two records with the same key are the same race again.
HIRACE_FUNCTION bool same_race(const Record& a, const Record& b) {
  return a.type == b.type && a.space == b.space && a.relation == b.relation && a.kernel == b.kernel &&
         a.site_prior == b.site_prior && a.site_current == b.site_current && a.prior_access == b.prior_access &&
         a.current_access == b.current_access && a.fault == b.fault && a.not_modelled == b.not_modelled &&
         (a.type == RecordType::race ? a.race.prior_kernel == b.race.prior_kernel : a.code_address == b.code_address);
}

HIRACE_FUNCTION std::uint32_t race_hash(const Record& r) {
  std::uint64_t h = (std::uint64_t{r.site_prior} << 32) ^ r.site_current;
  h ^= (std::uint64_t{r.kernel} << 20) ^ (static_cast<std::uint64_t>(r.relation) << 8) ^
       (static_cast<std::uint64_t>(r.prior_access) << 4) ^ static_cast<std::uint64_t>(r.current_access) ^
       (static_cast<std::uint64_t>(r.type) << 16);
  // The finaliser of splitmix64: every input bit reaches the low bits.
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
  return static_cast<std::uint32_t>(h ^ (h >> 31));
}

// Notes where a race was seen, and in which blocks, as far as they are known.
template <class Atomics>
HIRACE_DEVICE_HOOK void note_spread(Spread& spread, const Record& race) {
  if (race.type != RecordType::race) return;
  const auto include = [&](const Coordinates& block) {
    const std::uint64_t row = block.y + std::uint64_t{race.grid_dim.y} * block.z;
    note_block<Atomics>(spread, block.x + race.grid_dim.x * row);
  };
  note_place<Atomics>(spread, race.address);
  include(race.current_block);
  if (race.prior_known == PriorKnown::site_and_thread) include(race.prior_block);
}

}  // namespace hirace
