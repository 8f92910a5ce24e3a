// The definitions of kernel_names.h.
#pragma once

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "../memory/device_section.h"
#include "kernel_names.h"

// A static program does not have it.
#pragma weak dladdr

namespace hirace::cpu {

// The symbols of a program or a library, with those that only its own files use.
class SymbolFile {
 public:
  explicit SymbolFile(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC)) {}
  ~SymbolFile() {
    if (file_ >= 0) close(file_);
  }
  SymbolFile(const SymbolFile&) = delete;
  SymbolFile& operator=(const SymbolFile&) = delete;

  // The mangled name of the function at an address; empty if there is none.
  std::string function(std::uintptr_t address, std::uintptr_t base) const {
    Elf64_Ehdr header{};
    if (!read(&header, sizeof header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
    if (header.e_type != ET_EXEC) address -= base;
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    if (!read(sections.data(), sections.size() * sizeof sections[0], header.e_shoff)) return {};
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
      std::vector<Elf64_Sym> symbols(section.sh_size / sizeof(Elf64_Sym));
      if (!read(symbols.data(), symbols.size() * sizeof symbols[0], section.sh_offset)) return {};
      for (const Elf64_Sym& symbol : symbols) {
        if (symbol.st_value != address || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
        return text(sections[section.sh_link].sh_offset + symbol.st_name);
      }
    }
    return {};
  }

 private:
  bool read(void* to, std::size_t bytes, std::uint64_t offset) const {
    return pread(file_, to, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
  }
  std::string text(std::uint64_t offset) const {
    std::string text;
    for (char letter = 0; read(&letter, 1, offset++) && letter != '\0';) text += letter;
    return text;
  }

  int file_;
};

// The last part of a function's name, without template arguments and parameters: `add` of `void n::add<int>(int*)`.
inline std::string plain_name(const std::string& mangled) {
  int status = -1;
  char* const demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : mangled;
  std::free(demangled);
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
  std::size_t depth = 0, begin = 0, end = name.size();
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char letter = name[at];
    if (depth == 0 && (letter == ' ' || letter == ':')) {
      begin = at + 1;
      end = name.size();
    }
    if (depth == 0 && (letter == '<' || letter == '(') && end == name.size()) end = at;
    if (depth == 0 && letter == '(') break;
    if (letter == '<' || letter == '(') ++depth;
    if ((letter == '>' || letter == ')') && depth > 0) --depth;
  }
  return name.substr(begin, end - begin);
}

inline std::string symbol_at(const void* address) {
  Dl_info object{};
  const bool is_known = dladdr != nullptr && dladdr(address, &object) != 0;
  if (is_known && object.dli_saddr == address) return object.dli_sname;
  const void* const base = is_known ? object.dli_fbase : __ehdr_start;
  const auto find = [&](const char* path) {
    return SymbolFile(path).function(reinterpret_cast<std::uintptr_t>(address), reinterpret_cast<std::uintptr_t>(base));
  };
  const std::string found = is_known ? find(object.dli_fname) : "";
  // The name by which the program was called need not be a path.
  return found.empty() && base == __ehdr_start ? find("/proc/self/exe") : found;
}

HIRACE_RUNTIME const char* kernel_at(const void* address) {
  static std::mutex mutex;
  static auto* const names = new std::map<const void*, std::string>;
  const std::lock_guard lock(mutex);
  const auto [known, is_new] = names->try_emplace(address);
  if (is_new) {
    const std::string symbol = symbol_at(address);
    if (!symbol.empty()) known->second = plain_name(symbol);
  }
  return known->second.empty() ? nullptr : known->second.c_str();
}

}  // namespace hirace::cpu
