// Forwards a call of an algorithm to its implementation.
//
// The body of an algorithm takes iterators and functions, without a policy. On the host it may
// access device memory, as work of the policy's stream. In a kernel, where only `seq` and `device` can be
// used, and on the host if launches may overlap with the algorithm, plain pointers become iterators that
// check every access, at the site of the call.
#pragma once

#include <vector>

#include "../execution_policy.h"
#include "../functional.h"
#include "memory.h"

namespace thrust::detail {

// An element that is checked when it is read, as a whole, or written.
template <class T>
class checked_place {
 public:
  checked_place(T* place, hirace::SiteId site) : place_(place), site_(site) {}
  operator std::remove_cv_t<T>() const { return hirace::copy(site_, *place_); }
  template <class Value>
  const checked_place& operator=(const Value& value) const {
    hirace::write(site_, *place_) = static_cast<T>(value);
    return *this;
  }
  const checked_place& operator=(const checked_place& other) const { return *this = static_cast<std::remove_cv_t<T>>(other); }
  checked_place(const checked_place&) = default;
  T& read() const { return hirace::copy(site_, *place_); }

 private:
  T* place_;
  hirace::SiteId site_;
};

template <class T>
struct raw<checked_place<T>> {
  static T& of(const checked_place<T>& place) { return place.read(); }
};

template <class T>
class checked_pointer : public iterator_base<checked_pointer<T>, std::remove_cv_t<T>, checked_place<T>> {
 public:
  checked_pointer(T* pointer, hirace::SiteId site) : pointer_(pointer), site_(site) {}
  operator T*() const { return pointer_; }
  checked_place<T> operator[](std::ptrdiff_t n) const { return {pointer_ + n, site_}; }
  checked_place<T> dereference() const { return {pointer_, site_}; }
  void advance(std::ptrdiff_t n) { pointer_ += n; }
  std::ptrdiff_t distance_to(const checked_pointer& other) const { return other.pointer_ - pointer_; }

 private:
  T* pointer_;
  hirace::SiteId site_;
};

template <class T>
constexpr bool is_checkable = std::is_pointer_v<std::decay_t<T>> && std::is_object_v<std::remove_pointer_t<std::decay_t<T>>>;

template <class T>
decltype(auto) checked(hirace::SiteId site, T&& argument) {
  if constexpr (is_checkable<T>) {
    return checked_pointer<std::remove_pointer_t<std::decay_t<T>>>(argument, site);
  } else {
    return static_cast<T&&>(argument);
  }
}
template <class T>
T plain(const T& result) {
  return result;
}
template <class T>
T* plain(const checked_pointer<T>& result) {
  return result;
}
template <class First, class Second>
auto plain(const std::pair<First, Second>& result) {
  return std::make_pair(plain(result.first), plain(result.second));
}

// Whether writes through an iterator may escape notice: it is an object, of any library, and its elements are
// plain objects. Those of std::vector are in the host's memory.
template <class Reference>
constexpr bool is_plain_place = std::is_lvalue_reference_v<Reference> && std::is_object_v<std::remove_reference_t<Reference>> &&
                                !std::is_const_v<std::remove_reference_t<Reference>>;
template <class... Parts>
constexpr bool is_plain_place<std::tuple<Parts...>> = (is_plain_place<Parts> || ...);

template <class Iterator>
struct IsOfVector : std::is_same<Iterator, typename std::vector<typename std::iterator_traits<Iterator>::value_type>::iterator> {};

template <class Iterator, class = void>
struct WritesUnseen : std::false_type {};
template <class Iterator>
struct WritesUnseen<Iterator, std::void_t<typename std::iterator_traits<Iterator>::reference>>
    : std::conjunction<std::bool_constant<!std::is_pointer_v<Iterator> && is_plain_place<typename std::iterator_traits<Iterator>::reference>>,
                       std::negation<IsOfVector<Iterator>>> {};

template <class... Arguments>
void note_unseen_writes() {
  if constexpr ((WritesUnseen<std::decay_t<Arguments>>::value || ...)) {
    if (hirace::cpu::call_is_watched) hirace::cpu::note_unseen_writes();
  }
}

inline hirace::SiteId site_of_policy(const seq_t& policy) { return policy.site; }
template <class Policy>
hirace::SiteId site_of_policy(const Policy&) {
  return hirace::unknown_site;
}

// Algorithms with a result that the device computes, and that is not an iterator, wait in any case.
template <class Result, class... Arguments>
constexpr bool is_computed = !std::is_void_v<Result> && !(std::is_same_v<Result, std::decay_t<Arguments>> || ...);

inline cudaStream_t stream_of(const par_t& policy) { return policy.stream; }
template <class Policy>
cudaStream_t stream_of(const Policy&) {
  return nullptr;
}
inline bool returns_early(const par_t& policy) { return policy.nosync; }
template <class Policy>
bool returns_early(const Policy&) {
  return false;
}

// Runs the body here, as a part of a kernel or of a call of the host.
template <class Policy, class Body, class... Arguments>
auto run_here(const Policy& policy, const Body& body, Arguments&&... arguments) {
  const hirace::cpu::LibraryAccess access;
  note_unseen_writes<Arguments...>();
  if constexpr ((is_checkable<Arguments> || ...) && !std::is_same_v<Policy, host_t>) {
    const hirace::SiteId site = site_of_policy(policy);
    const bool follows = hirace::cpu::monitor.in_kernel || hirace::cpu::call_is_watched;
    if (follows && site != hirace::unchecked_site) {
      if constexpr (std::is_void_v<decltype(body(checked(site, arguments)...))>) {
        return body(checked(site, arguments)...);
      } else {
        return plain(body(checked(site, arguments)...));
      }
    }
  }
  return body(std::forward<Arguments>(arguments)...);
}

// `finds`: the device computes which iterator is the result.
template <class Policy, class Body, class... Arguments>
auto run(const char* name, bool finds, const Policy& policy, const Body& body, Arguments&&... arguments) {
  constexpr bool on_host = std::is_same_v<Policy, seq_t> ||
                           (std::is_same_v<Policy, host_t> && !(is_on_device<std::decay_t<Arguments>> || ...));
  const hirace::cpu::Call call = hirace::cpu::call_of(name);
  if constexpr (on_host) {
    return run_here(policy, body, std::forward<Arguments>(arguments)...);
  } else {
    using Result = decltype(run_here(policy, body, std::forward<Arguments>(arguments)...));
    const bool early = returns_early(policy) && !finds && !is_computed<Result, Arguments...>;
    const auto waits = early ? hirace::cpu::LibraryWaits::for_nothing : hirace::cpu::LibraryWaits::for_stream;
    const hirace::cpu::LibraryCall running(call, stream_of(policy), waits);
    return run_here(policy, body, std::forward<Arguments>(arguments)...);
  }
}

// The element that an iterator points to, not its proxy.
template <class Iterator>
decltype(auto) at(const Iterator& iterator) {
  return raw_reference_cast(*iterator);
}
template <class Iterator>
decltype(auto) at(const Iterator& iterator, std::ptrdiff_t n) {
  return raw_reference_cast(iterator[n]);
}

}  // namespace thrust::detail

// Defines thrust::name, with or without a policy, from thrust::detail::bodies::name. HIRACE_THRUST_SEARCH:
// which iterator is the result depends on the elements.
#define HIRACE_THRUST_ALGORITHM(name) HIRACE_THRUST_DEFINE(name, false)
#define HIRACE_THRUST_SEARCH(name) HIRACE_THRUST_DEFINE(name, true)
#define HIRACE_THRUST_DEFINE(name, finds)                                                         \
  template <class First, class... Rest>                                                           \
  auto name(First&& first, Rest&&... rest) {                                                      \
    const auto body = [](auto&&... arguments) {                                                   \
      return detail::bodies::name(std::forward<decltype(arguments)>(arguments)...);               \
    };                                                                                            \
    if constexpr (detail::is_policy<First>) {                                                     \
      return detail::run("thrust::" #name, finds, first, body, std::forward<Rest>(rest)...);      \
    } else {                                                                                      \
      return detail::run("thrust::" #name, finds, detail::host_t(), body, std::forward<First>(first), std::forward<Rest>(rest)...); \
    }                                                                                             \
  }
