// Locations that a shadow word is not enough for: of a launch, or of the shared memory of a block.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "location.h"

namespace hirace::cpu::order {

class Locations {
 public:
  // A location keeps its place until it is removed.
  Location& operator[](std::uint32_t place) { return (*pages_[place / page_size])[place % page_size]; }

  std::uint32_t add(Location&& location) {
    std::uint32_t place = size_;
    if (free_.empty()) {
      if (size_++ % page_size == 0) pages_.push_back(std::make_unique<Page>());
    } else {
      place = free_.back();
      free_.pop_back();
    }
    (*this)[place] = std::move(location);
    return place;
  }
  void remove(std::uint32_t place) {
    (*this)[place] = {};
    free_.push_back(place);
  }

  // Whether there is such a location at a place, which may have been meant for other memory.
  bool has(std::uint32_t place, LocationId id) { return place < size_ && (*this)[place].id == id; }

  void clear() { *this = {}; }

 private:
  static constexpr std::uint32_t page_size = 256;
  using Page = std::array<Location, page_size>;

  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
};

}  // namespace hirace::cpu::order
