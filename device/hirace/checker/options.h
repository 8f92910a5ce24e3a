// HIRACE_OPTIONS, in the sanitizers' format: "exitcode=66:log_path=races:halt_on_error=1".
//
//   exitcode=N             exit status of a program with races, when run without `hirace`
//   log_path=FILE          print to FILE.PID instead of standard error, when run without `hirace`
//   print_limit=N          print at most N findings in that case; 0 means all
//   suppressions=FILE      applied by the `hirace` command only
//   halt_on_error=1        stop at the first finding
//   kernel_name=PATTERN, kernel_name_exclude=PATTERN   which kernels to check; repeatable
//   launch_skip=N, launch_count=N                      which launches of those kernels
//   sample=RULES           which part of the run to check (sample.h); repeatable
//
// Blanks, commas and colons separate the options; values that contain one must be quoted.
// `crates/config/src/options.rs` reads the same format and passes the last four lines on to the program.
#pragma once

#include <fnmatch.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "sample.h"

namespace hirace {

struct Options {
  int exit_code = 0;  // 0: the program's own
  std::string log_path, suppressions;
  std::uint64_t print_limit = 0;
  bool halt_on_error = false;
  std::vector<std::string> kernels, excluded_kernels;
  std::uint64_t launch_skip = 0, launch_count = 0;  // 0: all
  Sample sample;
};

class OptionsReader {
 public:
  explicit OptionsReader(const char* text) : begin_(text), at_(text) {}

  Options read() {
    for (;;) {
      at_ += std::strspn(at_, separators);
      if (*at_ == '\0') return options_;
      option();
    }
  }

 private:
  static constexpr const char* separators = " ,:\t\r\n";

  void option() {
    const char* const start = at_;
    const std::size_t length = std::strcspn(at_, " ,:\t\r\n=");
    const std::string name(at_, length);
    at_ += length;
    if (*at_ != '=') fail(start, "\"" + name + "\" has no value");
    ++at_;
    const char* const value_at = at_;
    const std::string text = value();
    if (name == "exitcode") {
      options_.exit_code = static_cast<int>(number(text, value_at, 1, 255));
    } else if (name == "log_path") {
      options_.log_path = text;
    } else if (name == "suppressions") {
      options_.suppressions = text;
    } else if (name == "print_limit") {
      options_.print_limit = number(text, value_at, 0, UINT32_MAX);
    } else if (name == "halt_on_error") {
      options_.halt_on_error = number(text, value_at, 0, 1) != 0;
    } else if (name == "kernel_name") {
      options_.kernels.push_back(text);
    } else if (name == "kernel_name_exclude") {
      options_.excluded_kernels.push_back(text);
    } else if (name == "launch_skip") {
      options_.launch_skip = number(text, value_at, 0, UINT32_MAX);
    } else if (name == "launch_count") {
      options_.launch_count = number(text, value_at, 1, UINT32_MAX);
    } else if (name == "sample") {
      if (!SampleReader::read(text.c_str(), options_.sample)) fail(value_at, "\"" + text + "\" is not a sample such as launches=1/10");
    } else {
      fail(start, "unknown option \"" + name + "\"");
    }
  }

  std::string value() {
    if (*at_ != '\'' && *at_ != '"') {
      const std::size_t length = std::strcspn(at_, separators);
      at_ += length;
      return std::string(at_ - length, length);
    }
    const char* const end = std::strchr(at_ + 1, *at_);
    if (end == nullptr) fail(at_, "unterminated quote");
    const std::string text(at_ + 1, end);
    at_ = end + 1;
    return text;
  }

  std::uint64_t number(const std::string& text, const char* where, std::uint64_t min, std::uint64_t max) const {
    const bool digits = !text.empty() && text.size() <= 10 && text.find_first_not_of("0123456789") == std::string::npos;
    const std::uint64_t value = digits ? std::strtoull(text.c_str(), nullptr, 10) : 0;
    if (!digits || value < min || value > max) {
      fail(where, "\"" + text + "\" is not a number from " + std::to_string(min) + " to " + std::to_string(max));
    }
    return value;
  }

  [[noreturn]] void fail(const char* where, const std::string& message) const {
    std::fprintf(stderr, "hirace: failed to read HIRACE_OPTIONS: character %zu: %s\n", static_cast<std::size_t>(where - begin_) + 1,
                 message.c_str());
    std::_Exit(2);
  }

  const char* const begin_;
  const char* at_;
  Options options_;
};

// Never destroyed: what the end of the process prints depends on them.
inline const Options& options() {
  static const Options* const the_options = [] {
    const char* const text = std::getenv("HIRACE_OPTIONS");
    // A variable in between: nvcc 13.4 aborts without a message, in C++20, where `new` copies the result of a call
    // on a temporary object.
    const Options read = OptionsReader(text != nullptr ? text : "").read();
    return new Options(read);
  }();
  return *the_options;
}

// Whether the options select this launch of `kernel`. Called once per launch.
inline bool options_choose(const char* kernel) {
  const auto any = [kernel](const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
      if (fnmatch(pattern.c_str(), kernel, 0) == 0) return true;
    }
    return false;
  };
  const Options& chosen = options();
  if (!chosen.kernels.empty() && !any(chosen.kernels)) return false;
  if (any(chosen.excluded_kernels)) return false;
  static std::uint64_t launches = 0;
  const std::uint64_t number = launches++;
  return number >= chosen.launch_skip && (chosen.launch_count == 0 || number - chosen.launch_skip < chosen.launch_count);
}

// The exit status of a process with findings that would otherwise end with `status`.
inline int status_of_findings(int status) { return options().exit_code != 0 ? options().exit_code : status; }

// Where a program without the command prints its findings; the caller closes it unless it is
// stderr.
inline std::FILE* open_log() {
  const Options& chosen = options();
  if (!chosen.suppressions.empty()) std::fputs("hirace: suppressions are applied by `hirace run` only; all findings are shown\n", stderr);
  if (chosen.log_path.empty()) return stderr;
  const std::string path = chosen.log_path + "." + std::to_string(getpid());
  std::FILE* const log = std::fopen(path.c_str(), "w");
  if (log != nullptr) return log;
  std::fprintf(stderr, "hirace: failed to write %s\n", path.c_str());
  return stderr;
}

}  // namespace hirace
