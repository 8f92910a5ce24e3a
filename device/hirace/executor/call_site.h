// Where the user's source calls a library that accesses memory on the caller's behalf.
//
//   BlockReduce(temp).Sum(x)   →  hirace::at_site(SITE, BlockReduce(temp)).Sum(x)
//   cub::ThreadLoad<...>(p)    →  cub::ThreadLoad<...>(hirace::sited(SITE, p))
//
// If a library object has `at_site`, the call returns a version of it that knows the site; other
// objects are returned unchanged. A function receives its first argument together with the site.
#pragma once

#include <type_traits>

#include "../hooks/site.h"

namespace hirace {

// The site of a call whose accesses are switched off.
constexpr SiteId unchecked_site = site_mask;

// A value and the site that passed it.
template <class Value>
struct Sited {
  Value value;
  SiteId site;
};

template <class Value>
constexpr Sited<Value> sited(SiteId site, Value value) {
  return {value, site};
}

// The same for a copy, with the sites of what it writes and of what it reads.
struct CopySites {
  SiteId to, from;
};
template <class Value>
struct SitedCopy {
  Value value;
  CopySites sites;
};

template <class Value>
constexpr SitedCopy<Value> sited_copy(SiteId to, SiteId from, Value value) {
  return {value, {to, from}};
}

// The same for an object that a function changes.
template <class Object>
struct SitedObject {
  Object& object;
  SiteId site;
};

template <class Object>
constexpr SitedObject<Object> sited_object(SiteId site, Object& object) {
  return {object, site};
}

template <class Value>
constexpr SiteId site_of(const Value&) {
  return unknown_site;
}
template <class Value>
constexpr SiteId site_of(const Sited<Value>& sited) {
  return sited.site;
}
template <class Value>
constexpr CopySites sites_of(const Value&) {
  return {unknown_site, unknown_site};
}
template <class Value>
constexpr CopySites sites_of(const SitedCopy<Value>& sited) {
  return sited.sites;
}
template <class Value>
constexpr const Value& value_of(const Value& value) {
  return value;
}
template <class Value>
constexpr const Value& value_of(const Sited<Value>& sited) {
  return sited.value;
}

template <class Value>
constexpr const Value& value_of(const SitedCopy<Value>& sited) {
  return sited.value;
}

// `init(&object, …)`: the object's own header has an overload.
template <class Pointer>
constexpr Pointer made_object(SiteId, Pointer pointer) {
  return pointer;
}

namespace detail {

template <class Object, class = void>
struct TakesSite : std::false_type {};
template <class Object>
struct TakesSite<Object, std::void_t<decltype(std::declval<Object&>().at_site(SiteId{}))>> : std::true_type {};

template <class Group, class = void>
struct SyncsAt : std::false_type {};
template <class Group>
struct SyncsAt<Group, std::void_t<decltype(std::declval<Group&>().sync_at(SiteId{}))>> : std::true_type {};

}  // namespace detail

// `group.sync()`: with its site for a cooperative group, unchanged for any other object.
template <class Group>
decltype(auto) group_sync(SiteId site, Group&& group) {
  if constexpr (detail::SyncsAt<std::remove_reference_t<Group>>::value) {
    return group.sync_at(site);
  } else {
    return group.sync();
  }
}

template <class Object>
constexpr decltype(auto) at_site(SiteId site, Object&& object) {
  if constexpr (detail::TakesSite<std::remove_reference_t<Object>>::value) {
    return object.at_site(site);
  } else {
    return static_cast<Object&&>(object);
  }
}

}  // namespace hirace
