// NVTX for C++: ranges for profilers, and what they are annotated with. They do nothing, because no profiler reads
// them.
#pragma once

#include "../nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

class domain {
 public:
  struct global {
    static constexpr const char* name = "";
  };
  template <class = global>
  static const domain& get() {
    static const domain only{""};
    return only;
  }
  template <class Text>
  explicit domain(const Text&) noexcept {}
  operator nvtxDomainHandle_t() const noexcept { return nullptr; }
};

struct rgb {
  using component_type = uint8_t;
  constexpr rgb(component_type r, component_type g, component_type b) noexcept : red(r), green(g), blue(b) {}
  component_type red, green, blue;
};
struct argb : rgb {
  constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept : rgb(r, g, b), alpha(a) {}
  component_type alpha;
};
class color {
 public:
  using value_type = uint32_t;
  constexpr explicit color(value_type code) noexcept : code_(code) {}
  constexpr color(argb c) noexcept : color(value_type{c.alpha} << 24 | value_type{c.red} << 16 | value_type{c.green} << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb{0xff, c.red, c.green, c.blue}) {}
  constexpr value_type get_value() const noexcept { return code_; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

 private:
  value_type code_;
};

class category {
 public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

 private:
  id_type id_;
};
template <class Domain = domain::global>
class named_category_in : public category {
 public:
  template <class Kind>
  static const named_category_in& get() noexcept {
    static const named_category_in only(Kind::id, Kind::name);
    return only;
  }
  template <class Text>
  named_category_in(id_type id, const Text&) noexcept : category(id) {}
};
using named_category = named_category_in<>;

template <class Domain = domain::global>
class registered_string_in {
 public:
  template <class Text>
  static const registered_string_in& get() noexcept {
    static const registered_string_in only(Text::message);
    return only;
  }
  template <class Text>
  explicit registered_string_in(const Text&) noexcept {}
  nvtxStringHandle_t get_handle() const noexcept { return nullptr; }
};
using registered_string = registered_string_in<>;

// What a range is annotated with is dropped.
class message {
 public:
  template <class Text>
  constexpr message(const Text&) noexcept {}
};
class payload {
 public:
  template <class Number>
  constexpr explicit payload(const Number&) noexcept {}
};
class event_attributes {
 public:
  using value_type = nvtxEventAttributes_t;
  template <class... Annotations>
  constexpr explicit event_attributes(const Annotations&...) noexcept {}
};

template <class Domain = domain::global>
class scoped_range_in {
 public:
  template <class... Annotations>
  explicit scoped_range_in(const Annotations&...) noexcept {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  // A declared object is a used one.
  ~scoped_range_in() {}
};
using scoped_range = scoped_range_in<>;

struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id = 0) noexcept : id_(id) {}
  constexpr explicit operator bool() const noexcept { return id_ != 0; }
  constexpr value_type get_value() const noexcept { return id_; }

 private:
  value_type id_;
};

template <class Domain = domain::global>
class unique_range_in {
 public:
  template <class... Annotations>
  explicit unique_range_in(const Annotations&...) noexcept {}
  unique_range_in(unique_range_in&&) noexcept {}
  unique_range_in& operator=(unique_range_in&&) noexcept { return *this; }
  ~unique_range_in() {}
};
using unique_range = unique_range_in<>;

template <class Domain = domain::global, class... Annotations>
range_handle start_range_in(const Annotations&...) noexcept {
  return range_handle{1};
}
template <class... Annotations>
range_handle start_range(const Annotations&...) noexcept {
  return range_handle{1};
}
template <class Domain = domain::global>
void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}
template <class Domain = domain::global, class... Annotations>
void mark_in(const Annotations&...) noexcept {}
template <class... Annotations>
void mark(const Annotations&...) noexcept {}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IF(condition)
#define NVTX3_FUNC_RANGE_IN(domain)
#define NVTX3_FUNC_RANGE_IF_IN(domain, condition)
#define NVTX3_V1_FUNC_RANGE NVTX3_FUNC_RANGE
#define NVTX3_V1_FUNC_RANGE_IF NVTX3_FUNC_RANGE_IF
#define NVTX3_V1_FUNC_RANGE_IN NVTX3_FUNC_RANGE_IN
#define NVTX3_V1_FUNC_RANGE_IF_IN NVTX3_FUNC_RANGE_IF_IN
