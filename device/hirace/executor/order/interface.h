// What libraries tell the order engine of the running thread. Each call does nothing if the engine does
// not follow the launch. Defined in interface.inl.h.
#pragma once

#include "../../hooks/site.h"
#include "../../hooks/strength.h"
#include "../check/checked_launch.h"
#include "copier.h"
#include "engine_use.h"

namespace hirace::cpu {
namespace order {
struct Knowledge;
}

// Barriers with arrivals and waits of their own, by the address of the barrier. The scope is that of
// the barrier's operations.
void order_begin_barrier(const void* barrier);
// The running thread arrives, or what it has done asynchronously.
void order_arrive(const void* barrier, Scope scope, Copier by = Copier::none, SiteId site = unknown_site, Order order = Order::release);
// The completion function of the present phase, which the running thread calls as long as this object
// lives. It follows all arrivals; the thread itself learns nothing unless it waits.
class Completion {
 public:
  Completion(const void* barrier, Scope scope);
  ~Completion();
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

 private:
  const void* barrier_;
  Scope scope_;
  // Owned. Its header would bring names of <algorithm> and <memory> into every program.
  order::Knowledge* before_ = nullptr;
};
// The present phase, which has this number, is complete.
void order_complete(const void* barrier, std::uint32_t phase);
// It has waited for a phase.
void order_wait(const void* barrier, std::uint32_t phase, Scope scope, SiteId site = unknown_site, Order order = Order::acquire);

// The running thread executes fence.acquire, or else fence.release.
void order_half_fence(Scope scope, bool acquires);

// The running thread initialises a barrier object, or uses it. An object must be initialised before
// other threads use it, by the model's rules. The state machine checks this, too.
void order_object_made(const void* object, std::size_t bytes, SiteId site);
void order_object_used(const void* object, std::size_t bytes, Scope scope, SiteId site);

// Asynchronous copies are made between these two calls.
void order_begin_copy(Copier by);
void order_end_copy();
void order_commit_copies(Copier by = Copier::copies);
void order_wait_for_copies(std::size_t pending, Copier by = Copier::copies);

// Accesses between the two are those of an asynchronous operation that the running thread issues.
class AsynchronousCopy {
 public:
  explicit AsynchronousCopy(Copier by = Copier::copies) { order_begin_copy(by); }
  ~AsynchronousCopy() { order_end_copy(); }
  AsynchronousCopy(const AsynchronousCopy&) = delete;
  AsynchronousCopy& operator=(const AsynchronousCopy&) = delete;
};

}  // namespace hirace::cpu
