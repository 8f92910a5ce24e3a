// The definitions of interface.h.
#pragma once

#include "../call_site.h"
#include "../check/ordered_check.h"
#include "interface.h"

namespace hirace::cpu {

// Whether the order engine follows the running thread.
inline bool is_followed() { return launch_is_ordered() && monitor.in_kernel; }

HIRACE_COLD HIRACE_RUNTIME void order_fence(Scope scope, bool sequential) {
  if (!is_followed()) return;
  order::running->fence(ordered_thread(), followed_scope(scope), sequential);
  renew_time();
}

HIRACE_COLD HIRACE_RUNTIME void order_half_fence(Scope scope, bool acquires) {
  if (!is_followed()) return;
  order::running->half_fence(ordered_thread(), followed_scope(scope), acquires);
  renew_time();
}

HIRACE_RUNTIME void order_begin_barrier(const void* barrier) {
  if (is_followed()) order::running->begin_barrier(barrier);
}

HIRACE_RUNTIME void order_arrive(const void* barrier, Scope scope, Copier by, SiteId site, Order order) {
  if (!is_followed()) return;
  order::running->arrive(barrier, ordered_thread(), order, scope, by, site);
  renew_time();
}

HIRACE_RUNTIME Completion::Completion(const void* barrier, Scope scope) : barrier_(barrier), scope_(scope) {
  if (!is_followed()) return;
  const std::uint32_t thread = ordered_thread();
  before_ = new order::Knowledge(order::running->engine.known(thread));
  order::running->wait_for_arrivals(barrier, thread, scope);
  renew_time();
}

HIRACE_RUNTIME Completion::~Completion() {
  if (before_ != nullptr && is_followed()) {
    order_arrive(barrier_, scope_);
    order::running->engine.set_known(ordered_thread(), *before_);
  }
  delete before_;
}

HIRACE_RUNTIME void order_complete(const void* barrier, std::uint32_t phase) {
  if (is_followed()) order::running->complete(barrier, phase);
}

HIRACE_RUNTIME void order_object_made(const void* object, std::size_t bytes, SiteId site) {
  if (!monitor.in_kernel || site == unchecked_site) return;
  const LaterStore later;
  monitor.count_without_budget();
  check_counted(AccessKind::write, object, bytes, site, 1, false);
}
// A use conflicts with the initialisation, and with uses by threads that the scope leaves out. It
// returns nothing, so that it orders nothing by itself.
HIRACE_RUNTIME void order_object_used(const void* object, std::size_t bytes, Scope scope, SiteId site) {
  if (!monitor.in_kernel || site == unchecked_site) return;
  const AccessKind kind = scope == Scope::block ? AccessKind::block_atomic : AccessKind::device_atomic;
  monitor.count_without_budget();
  check_strong(kind, reduction(Order::relaxed, scope), object, bytes, site, 1, false);
}

HIRACE_RUNTIME void order_wait(const void* barrier, std::uint32_t phase, Scope scope, SiteId site, Order order) {
  if (!is_followed()) return;
  order::running->wait(barrier, phase, ordered_thread(), order, scope, site);
  renew_time();
}

HIRACE_RUNTIME void order_begin_copy(Copier by) {
  if (monitor.in_kernel && !is_followed()) recorder().limit(current_launch.kernel, copies_at_once);
  if (!is_followed()) return;
  order::running->engine.begin_copy(ordered_thread(), by);
  monitor.copies = by;
  renew_time();
}
HIRACE_RUNTIME void order_end_copy() {
  monitor.copies = Copier::none;
  if (is_followed()) renew_time();
}
HIRACE_RUNTIME void order_commit_copies(Copier by) {
  if (!is_followed()) return;
  order::running->commit_copies(ordered_thread(), by);
  renew_time();
}
HIRACE_RUNTIME void order_wait_for_copies(std::size_t pending, Copier by) {
  if (!is_followed()) return;
  order::running->wait_for_copies(ordered_thread(), pending, by);
  renew_time();
}

}  // namespace hirace::cpu
