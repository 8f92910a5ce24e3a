// The host part of a program that `hirace check kernel.ptx --launch launch.toml` generates: arrays in device
// memory, their first values, and what becomes of their last ones.
//
// The files' contents were checked when the program was generated: here only bytes are read. Sizes, numbers and
// names of files are read when the program runs (`crates/ptx/src/host.rs` writes them), so that it need not be
// compiled again for others.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "../cuda/ptx_library.h"
#include "executor.h"

namespace hirace::cpu::launch_file {

[[noreturn]] inline void fail(const char* what, const char* of) {
  std::fprintf(stderr, "hirace: cannot %s `%s`\n", what, of);
  std::exit(1);
}

// What the program reads when it runs: one entry per line, in the order in which they are needed.
class Values {
 public:
  Values() {
    const char* const name = std::getenv("HIRACE_LAUNCH_VALUES");
    file_ = name == nullptr ? nullptr : std::fopen(name, "r");
    if (file_ == nullptr) fail("open", "the values of the launches");
  }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  ~Values() { std::fclose(file_); }

  std::string text() {
    std::string line;
    int next = std::fgetc(file_);
    for (; next != EOF && next != '\n'; next = std::fgetc(file_)) line.push_back(static_cast<char>(next));
    if (next == EOF) fail("read", "the values of the launches");
    return line;
  }
  // Bytes, which are in hexadecimal digits.
  std::vector<unsigned char> bytes() {
    const std::string digits = text();
    std::vector<unsigned char> all;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      all.push_back(static_cast<unsigned char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    }
    return all;
  }
  std::size_t size() { return number<std::size_t>(); }
  dim3 dimensions() {
    const unsigned x = number<unsigned>(), y = number<unsigned>(), z = number<unsigned>();
    return dim3(x, y, z);
  }
  template <class T>
  T number() {
    const std::string line = text();
    if constexpr (std::is_unsigned_v<T>) return static_cast<T>(std::strtoull(line.c_str(), nullptr, 10));
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(std::strtoll(line.c_str(), nullptr, 10));
    else return static_cast<T>(std::strtod(line.c_str(), nullptr));
  }

 private:
  std::FILE* file_;
};

// Numbers of one type in device memory, with a copy for the host.
template <class T>
class Array {
 public:
  // Inlined, so that the allocation has the line of the argument.
  __attribute__((always_inline)) Array(const char* name, std::size_t count) : name_(name), values_(count) {
    if (cudaMalloc(&device_, count == 0 ? 1 : count * sizeof(T)) != cudaSuccess) fail("allocate", name);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(device_); }

  // Fills it as the next values say.
  void start(Values& values) {
    const std::string how = values.text();
    if (how == "file") {
      const std::string file = values.text();
      values_ = read_values(file.c_str(), values.number<long>());
    } else if (how == "fill") {
      const T value = static_cast<T>(values.number<int>());
      for (T& it : values_) it = value;
    } else if (how == "iota") {
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = static_cast<T>(i);
    } else {
      fill_randomly(values.number<std::uint64_t>());
    }
    upload();
  }

  // Writes and compares the last values as the next values say; whether they are as expected.
  bool finish(Values& values) {
    bool right = true;
    for (std::string what = values.text(); what != "end"; what = values.text()) {
      const std::string file = values.text();
      if (what == "write") {
        write(file.c_str(), values.bytes());
      } else {
        const long offset = values.number<long>();
        right &= is_as_in(file.c_str(), offset, values.number<double>());
      }
    }
    return right;
  }

  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(device_); }

 private:
  // Any integer, or a number from 0 to 1 (splitmix64).
  void fill_randomly(std::uint64_t seed) {
    for (T& it : values_) {
      std::uint64_t bits = seed += 0x9e3779b97f4a7c15u;
      bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
      bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
      bits ^= bits >> 31;
      if constexpr (std::is_integral_v<T>) it = static_cast<T>(bits);
      else it = static_cast<T>(static_cast<double>(bits >> 40) / (1 << 24));
    }
  }

  // Writes the last values after a header.
  void write(const char* file, const std::vector<unsigned char>& header) {
    download();
    std::FILE* const to = std::fopen(file, "wb");
    if (to == nullptr) fail("write", file);
    const bool written = std::fwrite(header.data(), 1, header.size(), to) == header.size() &&
                         std::fwrite(values_.data(), sizeof(T), values_.size(), to) == values_.size();
    if (std::fclose(to) != 0 || !written) fail("write", file);
  }

  // Whether the last values are those of the file: |value - expected| <= tolerance * max(1, |expected|).
  bool is_as_in(const char* file, long offset, double tolerance) {
    download();
    const std::vector<T> expected = read_values(file, offset);
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (agrees(values_[i], expected[i], tolerance)) continue;
      if (wrong++ == 0) first = i;
    }
    if (wrong == 0) return true;
    std::fprintf(stderr, "hirace: %zu of %zu elements of `%s` differ from `%s`; element %zu is %.9g instead of %.9g\n", wrong,
                 values_.size(), name_, file, first, static_cast<double>(values_[first]), static_cast<double>(expected[first]));
    return false;
  }

  static bool agrees(T value, T expected, double tolerance) {
    if (value == expected) return true;
    // Not a number.
    if (value != value && expected != expected) return true;
    const double a = static_cast<double>(value), b = static_cast<double>(expected);
    return std::fabs(a - b) <= tolerance * std::fmax(1, std::fabs(b)) && tolerance > 0;
  }

  std::vector<T> read_values(const char* file, long offset) const {
    std::vector<T> values(values_.size());
    std::FILE* const from = std::fopen(file, "rb");
    if (from == nullptr) fail("read", file);
    const bool read = std::fseek(from, offset, SEEK_SET) == 0 &&
                      std::fread(values.data(), sizeof(T), values.size(), from) == values.size();
    std::fclose(from);
    if (!read) fail("read", file);
    return values;
  }

  void upload() {
    if (cudaMemcpy(device_, values_.data(), values_.size() * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess) fail("fill", name_);
  }
  void download() {
    if (cudaMemcpy(values_.data(), device_, values_.size() * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) fail("read back", name_);
  }

  const char* name_;
  std::vector<T> values_;
  T* device_ = nullptr;
};

// The bytes of a kernel's parameters, at their offsets.
template <std::size_t bytes>
struct Parameters {
  alignas(16) unsigned char all[bytes == 0 ? 1 : bytes] = {};
  template <class T>
  void set(std::size_t offset, T value) {
    std::memcpy(all + offset, &value, sizeof value);
  }
  // They were found to be as many as the parameter has.
  void set_bytes(std::size_t offset, const std::vector<unsigned char>& value) {
    std::memcpy(all + offset, value.data(), value.size());
  }
};

inline bool launched(const char* kernel) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess) return true;
  std::fprintf(stderr, "hirace: kernel `%s` failed: %s\n", kernel, cudaGetErrorString(error == cudaSuccess ? cudaGetLastError() : error));
  return false;
}

}  // namespace hirace::cpu::launch_file
