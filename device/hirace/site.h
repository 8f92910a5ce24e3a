// The places in the user's source that were hooked.
//
// A site number travels in the shadow of every granule and in every race record;
// the table it indexes travels in the program, so that a report needs no side files.
//
//   31  30 29        20 19                 0
//   | 0  0 | file 10   | index in file 20   |        0 = no site known
//
// The two top bits stay free for the flags of cpu/shadow_memory.h.
#pragma once

#include "backend.h"

namespace hirace {

using SiteId = std::uint32_t;

constexpr SiteId unknown_site = 0;
constexpr unsigned site_index_bits = 20;
constexpr unsigned site_file_bits = 10;
constexpr SiteId site_mask = (SiteId{1} << (site_index_bits + site_file_bits)) - 1;

enum class SiteKind : std::uint8_t { read, write, update, atomic, sync, launch };

struct Site {
  const char* text;      // the expression as written
  const char* variable;  // the variable at its root
  const char* function;  // the kernel or device function around it
  std::uint32_t line;    // from 1
  std::uint32_t column;  // from 1, in characters
  SiteKind kind;
};

struct SiteFile {
  std::uint32_t number;
  const char* path;
  const Site* sites;
  std::uint32_t count;
};

// Files register before main(). A header's table arrives once per translation
// unit that includes it: the same number with the same path is one file.
class SiteTable {
 public:
  static bool add(const SiteFile& file) {
    if (file.number >= capacity) return false;
    files()[file.number] = file;
    return true;
  }

  // The file and the entry of a site; null where the site is not known.
  static const Site* find(SiteId site, const SiteFile** file_out) {
    const SiteFile& file = files()[(site & site_mask) >> site_index_bits];
    const std::uint32_t index = site & ((SiteId{1} << site_index_bits) - 1);
    if (file.path == nullptr || index >= file.count) return nullptr;
    *file_out = &file;
    return &file.sites[index];
  }

 private:
  static constexpr std::uint32_t capacity = 1u << site_file_bits;
  static SiteFile* files() {
    static SiteFile table[capacity] = {};
    return table;
  }
};

inline bool register_sites(const SiteFile& file) { return SiteTable::add(file); }

}  // namespace hirace
