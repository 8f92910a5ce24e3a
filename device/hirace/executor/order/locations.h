// The locations of a launch, or of the shared memory of a block: one for each granule that was
// accessed.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <unordered_map>

#include "location.h"

namespace hirace::cpu::order {

class Locations {
 public:
  // The location of a granule; its address stays the same until clear().
  Location& at(std::size_t granule) {
    const std::size_t number = granule / page_granules;
    if (last_ == nullptr || last_number_ != number) {
      std::unique_ptr<Page>& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    std::unique_ptr<Location>& location = (*last_)[granule % page_granules];
    if (location == nullptr) location = std::make_unique<Location>();
    return *location;
  }

  // The memory is being allocated again.
  void forget(std::size_t first, std::size_t end) {
    for (std::size_t granule = first; granule < end; ++granule) {
      const auto page = pages_.find(granule / page_granules);
      if (page == pages_.end()) {
        granule |= page_granules - 1;
        continue;
      }
      std::unique_ptr<Location>& location = (*page->second)[granule % page_granules];
      if (location != nullptr) *location = {};
    }
  }

  void clear() {
    pages_.clear();
    last_ = nullptr;
  }

 private:
  static constexpr std::size_t page_granules = 256;
  using Page = std::array<std::unique_ptr<Location>, page_granules>;

  std::unordered_map<std::size_t, std::unique_ptr<Page>> pages_;
  Page* last_ = nullptr;
  std::size_t last_number_ = 0;
};

}  // namespace hirace::cpu::order
