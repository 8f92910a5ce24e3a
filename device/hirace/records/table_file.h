// Writes the meaning of this program's site numbers for the `hirace` command.
//
// In the same file, after the race records (record.h), there is a block for each table:
// table_magic, the number of bytes that follow (32 bits), the head of the table and its rows.
// generated/wire.h writes both. A text is its length (32 bits) and its bytes.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "../generated/wire.h"
#include "../hooks/site.h"

namespace hirace {

class TableBlock {
 public:
  explicit TableBlock(const SiteFile& file) : bytes_(sizeof table_magic + sizeof(std::uint32_t), '\0') {
    write_table_head(*this, file);
    for (std::uint32_t i = 0; i < file.count; ++i) write_site_row(*this, file.sites[i]);
    const auto length = static_cast<std::uint32_t>(bytes_.size() - sizeof table_magic - sizeof(std::uint32_t));
    std::memcpy(&bytes_[0], table_magic, sizeof table_magic);
    std::memcpy(&bytes_[sizeof table_magic], &length, sizeof length);
  }

  const std::string& bytes() const { return bytes_; }

  template <class T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const char* text) {
    const auto length = static_cast<std::uint32_t>(std::strlen(text));
    number(length);
    bytes_.append(text, length);
  }

 private:
  std::string bytes_;
};

// Appends the table to the file of race records, if there is one. A single write keeps the blocks
// of processes that share the file intact. If it fails, reports lack the sites of this file; if the
// file is unusable altogether, mapping the records reports it.
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
