// The tables of all instrumented files of a program.
//
// Files register before main(). Sites are looked up only for races and reports: the first lookup
// builds an index, which later ones use without a lock.
#pragma once

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../hooks/site.h"
#include "table_file.h"

namespace hirace {

class SiteTable {
 public:
  // Each translation unit that includes a header adds the header's table; false if it is already
  // known.
  bool add(const SiteFile& file) {
    const std::lock_guard<std::mutex> lock(mutex_);
    note_kernels(file.kernels);
    const auto same_base = files_.equal_range(file.base);
    for (auto known = same_base.first; known != same_base.second; ++known) {
      if (is_same(known->second, file)) return false;
    }
    files_.emplace(file.base, file);
    if (file.count > longest_) longest_ = file.count;
    ++count_;
    return true;
  }

  // Calls visit(file, site) for each table that contains the number: several if tables overlap.
  template <class Visit>
  void visit(SiteId id, const Visit& visit) {
    id &= site_mask;
    const Index& index = current();
    std::size_t after = 0;
    for (std::size_t end = index.files.size(); after < end;) {
      const std::size_t middle = after + (end - after) / 2;
      if (index.files[middle].base <= id) {
        after = middle + 1;
      } else {
        end = middle;
      }
    }
    while (after-- != 0) {
      const SiteFile& file = index.files[after];
      const std::uint32_t offset = id - file.base;
      if (offset >= index.longest) break;
      if (offset < file.count) visit(file, file.sites[offset]);
    }
  }

  // All tables.
  template <class Visit>
  void each_file(const Visit& visit) {
    for (const SiteFile& file : current().files) visit(file);
  }

  // All sites of all tables.
  template <class Visit>
  void each(const Visit& visit) {
    each_file([&](const SiteFile& file) {
      for (std::uint32_t number = 0; number < file.count; ++number) visit(file.sites[number]);
    });
  }

  // What a kernel may order accesses by: the most that a kernel of its name may.
  KernelReach reach_of(const char* kernel) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = reaches_.find(kernel);
    return known == reaches_.end() ? KernelReach::anything : known->second;
  }

  // The only site with this number; null if there is none or more than one.
  const Site* find(SiteId id) {
    const Site* found = nullptr;
    bool several = false;
    visit(id, [&](const SiteFile&, const Site& site) {
      several = found != nullptr;
      found = &site;
    });
    return several ? nullptr : found;
  }

  // Never destroyed: other static objects may still print.
  static SiteTable& instance() {
    static SiteTable* const table = new SiteTable;
    return *table;
  }

 private:
  struct Index {
    std::vector<SiteFile> files;  // by base
    std::uint32_t longest;        // most sites of one file
  };

  static bool is_same(const SiteFile& a, const SiteFile& b) {
    return a.key == b.key && a.count == b.count && std::strcmp(a.path, b.path) == 0 && std::strcmp(a.notes, b.notes) == 0;
  }

  // A header may mean something else in each file, so this is done for all tables.
  void note_kernels(const char* lines) {
    while (*lines != '\0') {
      const auto reach = static_cast<KernelReach>(*lines - '0');
      const char* const kernel = lines + 2;
      KernelReach& known = reaches_.emplace(std::string(kernel, std::strcspn(kernel, " \n")), reach).first->second;
      if (reach > known) known = reach;
      lines += std::strcspn(lines, "\n") + 1;
    }
  }

  const Index& current() {
    const Index* index = index_.load(std::memory_order_acquire);
    if (index != nullptr && index->files.size() == count_.load(std::memory_order_acquire)) return *index;
    const std::lock_guard<std::mutex> lock(mutex_);
    // Another thread may still use the old index, so it is never freed. A new one is needed only
    // after a library was loaded, which is rare.
    auto* fresh = new Index{{}, longest_};
    for (const auto& entry : files_) fresh->files.push_back(entry.second);
    index_.store(fresh, std::memory_order_release);
    return *fresh;
  }

  std::mutex mutex_;
  std::multimap<SiteId, SiteFile> files_;
  std::map<std::string, KernelReach> reaches_;
  std::uint32_t longest_ = 0;
  std::atomic<std::size_t> count_{0};
  std::atomic<const Index*> index_{nullptr};
};

HIRACE_RUNTIME bool register_sites(const SiteFile& file) {
  if (SiteTable::instance().add(file)) append_table(file);
  return true;
}

}  // namespace hirace
