// Telling the `hirace` command what the site numbers of this program mean.
//
// Behind the race records (record.h), in the same file, comes a block for each table:
//
//   magic "HRTABLE1" | bytes that follow u32 | base u32 | key u64 | path | notes
//     | sites u32 | line u32, column u32, length u32, kind u32, text, variable, function | ...
//
// A text is its length (u32) and its bytes. src/table/carried.rs reads the same layout.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "../hooks/site.h"

namespace hirace {

constexpr char table_magic[8] = {'H', 'R', 'T', 'A', 'B', 'L', 'E', '1'};

class TableBlock {
 public:
  explicit TableBlock(const SiteFile& file) : bytes_(sizeof table_magic + sizeof(std::uint32_t), '\0') {
    number(file.base);
    number(file.key);
    text(file.path);
    text(file.notes);
    number(file.count);
    for (std::uint32_t i = 0; i < file.count; ++i) {
      const Site& site = file.sites[i];
      number(site.line);
      number(site.column);
      number(site.length);
      number(static_cast<std::uint32_t>(site.kind));
      text(site.text);
      text(site.variable);
      text(site.function);
    }
    const auto length = static_cast<std::uint32_t>(bytes_.size() - sizeof table_magic - sizeof(std::uint32_t));
    std::memcpy(&bytes_[0], table_magic, sizeof table_magic);
    std::memcpy(&bytes_[sizeof table_magic], &length, sizeof length);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  // Every machine that runs CUDA is little endian.
  template <class T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const char* text) {
    const auto length = static_cast<std::uint32_t>(std::strlen(text));
    number(length);
    bytes_.append(text, length);
  }

  std::string bytes_;
};

// Appends the table to the file of race records, if there is one. A single write, so that
// the blocks of processes that share the file stay whole. Where it fails, reports lack
// the places of this file; that the file is not usable at all, the records will say.
inline void append_table(const SiteFile& file) {
  const char* path = std::getenv("HIRACE_RECORDS");
  if (path == nullptr || path[0] == '\0') return;
  const int out = ::open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (out < 0) return;
  const TableBlock block(file);
  const ssize_t written = ::write(out, block.bytes().data(), block.bytes().size());
  static_cast<void>(written);
  ::close(out);
}

}  // namespace hirace
