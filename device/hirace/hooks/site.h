// The places in the user's source that have a hook.
//
// A site number is stored in the shadow of every granule and in every race record; the
// table that it refers to is part of the program (site_table.h), so a report needs no
// additional files.
//
//   31    29 28                              0
//   | 0 0 0 | base of a file's table + index |        0 = no site known
//
// The three top bits stay free for the flags of executor/check/shadow_memory.h. Files that are
// compiled separately derive their bases from hashes of their text, so two tables may
// overlap by chance. A number that is in both of them identifies no site.
#pragma once

#include "../generated/wire.h"
#include "backend.h"

namespace hirace {

using SiteId = std::uint32_t;

constexpr SiteId unknown_site = 0;
constexpr SiteId site_mask = (SiteId{1} << site_bits) - 1;

// How the value of an update or an atomic operation is used: in any way, only as an index of an array, or not at all.
enum class ResultUse : std::uint8_t { used, index, unused };

struct Site {
  const char* text;      // the expression as written
  const char* variable;  // the variable at its root
  const char* function;  // the kernel or device function around it
  std::uint32_t line;    // from 1
  std::uint32_t column;  // from 1, in characters
  std::uint32_t length;  // of the expression in the file, in bytes
  SiteKind kind;
  ResultUse result;
};

// The instrumenter's data about a file.
struct SiteFile {
  SiteId base;        // the number of sites[0]
  std::uint64_t key;  // distinguishes tables
  const char* path;
  const Site* sites;
  std::uint32_t count;
  const char* notes;  // JSON, for the report; crates/model/src/table.rs defines its format
  // On each line the number of a KernelReach, the name of a kernel, and its shared variables that are atomic for a time:
  // between atomic and other accesses, all threads of the block pass a barrier. Blanks separate them.
  const char* kernels = "";
};

// What a kernel may order accesses by, in its own text or in what it calls.
enum class KernelReach : unsigned char {
  barriers,  // of whole blocks and warps
  atomics,   // the same, and atomic operations
  anything,
};

// Written by the instrumenter at the end of each file.
bool register_sites(const SiteFile& file);

}  // namespace hirace
