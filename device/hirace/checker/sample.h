// Which part of a run is checked: the value of `--sample`, a comma-separated list of
//
//   launches=1/10   of each kernel, one launch in ten
//   blocks=1/8      of each such launch, one block in eight
//   90s             no more checks of a kernel once it has had its share of so much time
//
// `crates/config/src/sample.rs` reads the same format.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace hirace {

// `taken` of every `of` numbers, evenly distributed; the first one is taken.
struct Share {
  std::uint32_t taken = 1, of = 1;

  bool all() const { return taken == of; }
  bool takes(std::uint64_t number) const { return number % of * taken % of < taken; }
};

struct Sample {
  Share launches, blocks;
  double seconds = 0;  // no limit

  bool all() const { return launches.all() && blocks.all() && seconds == 0; }
};

class SampleReader {
 public:
  // Adds the rules of a text. False if it is none.
  static bool read(const char* text, Sample& sample) {
    do {
      bool known = false;
      if (skip(text, "launches=")) {
        known = read_share(text, sample.launches);
      } else if (skip(text, "blocks=")) {
        known = read_share(text, sample.blocks);
      } else {
        known = read_seconds(text, sample.seconds);
      }
      if (!known) return false;
    } while (skip(text, ","));
    return *text == '\0';
  }

 private:
  static bool skip(const char*& text, const char* start) {
    const char* at = text;
    for (; *start != '\0'; ++at, ++start) {
      if (*at != *start) return false;
    }
    text = at;
    return true;
  }

  // From 1 to a million, which leaves room for products.
  static bool read_number(const char*& text, std::uint32_t& number) {
    constexpr unsigned long most = 1000000;
    if (*text < '0' || *text > '9') return false;
    char* end = nullptr;
    const unsigned long value = std::strtoul(text, &end, 10);
    text = end;
    number = static_cast<std::uint32_t>(value);
    return value >= 1 && value <= most;
  }

  static bool read_share(const char*& text, Share& share) {
    return read_number(text, share.taken) && skip(text, "/") && read_number(text, share.of) && share.taken <= share.of;
  }

  static bool read_seconds(const char*& text, double& seconds) {
    std::uint32_t number = 0;
    if (!read_number(text, number)) return false;
    seconds = number;
    if (skip(text, "ms")) {
      seconds /= 1000;
      return true;
    }
    if (skip(text, "m")) {
      seconds *= 60;
      return true;
    }
    return skip(text, "s");
  }
};

}  // namespace hirace
