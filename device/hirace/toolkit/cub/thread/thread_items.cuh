// The functions that load and store a thread's items without the help of other threads.
#pragma once

#include "../../../libraries/cub_operation.h"
#include "../util_type.cuh"

namespace cub {

namespace detail {

// The position of item `i` of a thread.
struct Blocked {
  int begin;
  int operator()(int i) const { return begin + i; }
};
struct Striped {
  int begin, stride;
  int operator()(int i) const { return begin + i * stride; }
};

inline Blocked blocked(int thread, int items) { return {thread * items}; }
inline Striped warp_striped(int thread, int items, int lanes = hirace::warp_lanes) {
  return {thread / lanes * lanes * items + thread % lanes, lanes};
}

constexpr int all_items = 0x7fffffff;

// Items at position `valid` and beyond stay unchanged.
template <class Iterator, class T, int items, class Place>
void load_items(hirace::SiteId site, Iterator from, T (&to)[items], Place place, int valid) {
  for (int i = 0; i < items; ++i) {
    if (place(i) < valid) to[i] = hirace::cpu::load_at(site, from, place(i));
  }
}
template <class Iterator, class T, int items, class Place>
void store_items(hirace::SiteId site, Iterator to, T (&from)[items], Place place, int valid) {
  for (int i = 0; i < items; ++i) {
    if (place(i) < valid) hirace::cpu::store_at(site, to, place(i), from[i]);
  }
}
template <class T, int items, class Value>
void set_items(T (&to)[items], const Value& value) {
  for (T& item : to) item = value;
}

}  // namespace detail

#define HIRACE_CUB_DIRECT(name, verb, head, place)                                                  \
  template <head class Thread, class Iterator, class T, int items>                                  \
  void name(Thread thread, Iterator iterator, T (&values)[items], int valid = detail::all_items) {  \
    const int number = static_cast<int>(hirace::value_of(thread));                                  \
    detail::verb##_items(hirace::site_of(thread), iterator, values, place, valid);                  \
  }
#define HIRACE_CUB_DEFAULT(name, head, arguments)                                                    \
  template <head class Thread, class Iterator, class T, int items, class Default>                    \
  void name(Thread thread, Iterator iterator, T (&values)[items], int valid, const Default& value) { \
    detail::set_items(values, value);                                                                \
    name arguments(thread, iterator, values, valid);                                                 \
  }
#define HIRACE_CUB_THREADS int block_threads,
#define HIRACE_CUB_STRIPED detail::Striped{number, block_threads}
HIRACE_CUB_DIRECT(LoadDirectBlocked, load, , detail::blocked(number, items))
HIRACE_CUB_DIRECT(LoadDirectBlockedVectorized, load, , detail::blocked(number, items))
HIRACE_CUB_DIRECT(LoadDirectWarpStriped, load, , detail::warp_striped(number, items))
HIRACE_CUB_DIRECT(LoadDirectStriped, load, HIRACE_CUB_THREADS, HIRACE_CUB_STRIPED)
HIRACE_CUB_DEFAULT(LoadDirectBlocked, , )
HIRACE_CUB_DEFAULT(LoadDirectWarpStriped, , )
HIRACE_CUB_DEFAULT(LoadDirectStriped, HIRACE_CUB_THREADS, <block_threads>)
HIRACE_CUB_DIRECT(StoreDirectBlocked, store, , detail::blocked(number, items))
HIRACE_CUB_DIRECT(StoreDirectBlockedVectorized, store, , detail::blocked(number, items))
HIRACE_CUB_DIRECT(StoreDirectWarpStriped, store, , detail::warp_striped(number, items))
HIRACE_CUB_DIRECT(StoreDirectStriped, store, HIRACE_CUB_THREADS, HIRACE_CUB_STRIPED)
#undef HIRACE_CUB_STRIPED
#undef HIRACE_CUB_THREADS
#undef HIRACE_CUB_DEFAULT
#undef HIRACE_CUB_DIRECT

}  // namespace cub
