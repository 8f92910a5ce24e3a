// cuda::barrier, cuda::latch and semaphores (libcu++, "Synchronization Primitives").
//
// To the state machine, a barrier at which every thread of the block waits counts as __syncthreads(),
// and other uses are not modelled. The order engine follows all of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "async_copy.h"
#include "barrier_state.h"
#include "cuda_atomic.h"

namespace cuda {

namespace detail {
using ::hirace::cpu::NoCompletion;
// Time passes only while other threads run, so what waits for a time is tried a bounded number of times.
template <class Try>
bool tried(const Try& once) {
  for (int i = 0; i < 64; ++i) {
    if (once()) return true;
  }
  return false;
}
}  // namespace detail

template <thread_scope scope, class Completion = detail::NoCompletion>
class barrier {
 public:
  // Returned by arrive() and passed to wait().
  class arrival_token {
    friend class barrier;
    ::std::uint32_t phase_ = 0;
  };

  barrier() = default;
  explicit barrier(::std::ptrdiff_t expected, Completion completion = {}) : completion_(completion) {
    state_.begin(static_cast<::std::uint32_t>(expected));
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  friend void init(barrier* object, ::std::ptrdiff_t expected, Completion completion = {}) {
    object->completion_ = completion;
    object->state_.begin(static_cast<::std::uint32_t>(expected));
  }

  // The same barrier, used at a known site.
  class At {
   public:
    At(barrier* object, hirace::SiteId site) : object_(object), site_(site) {}
    arrival_token arrive(::std::ptrdiff_t count = 1) const {
      hirace::cpu::barrier_not_modelled(site_);
      arrival_token token;
      token.phase_ = object_->state_.arrive(static_cast<::std::uint32_t>(count), false, reach, object_->completion_, site_);
      return token;
    }
    void wait(arrival_token&& token) const { wait(static_cast<const arrival_token&>(token)); }
    void wait(const arrival_token& token) const {
      object_->state_.wait(token.phase_, site_);
      hirace::cpu::order_wait(&object_->state_, token.phase_, reach, site_);
    }
    bool try_wait(const arrival_token& token) const {
      if (!object_->state_.is_over(token.phase_)) {
        hirace::cpu::let_others_run(site_);
        if (!object_->state_.is_over(token.phase_)) return false;
      }
      hirace::cpu::order_wait(&object_->state_, token.phase_, reach, site_);
      return true;
    }
    bool test_wait(const arrival_token& token) const { return try_wait(token); }
    template <class Duration>
    bool try_wait_for(const arrival_token& token, const Duration&) const {
      return detail::tried([&] { return try_wait(token); });
    }
    template <class Point>
    bool try_wait_until(const arrival_token& token, const Point&) const {
      return detail::tried([&] { return try_wait(token); });
    }
    template <class Duration>
    bool try_wait_parity_for(bool parity, const Duration&) const {
      return detail::tried([&] { return try_wait_parity(parity); });
    }
    template <class Point>
    bool try_wait_parity_until(bool parity, const Point&) const {
      return detail::tried([&] { return try_wait_parity(parity); });
    }
    void wait_parity(bool parity) const {
      while (!try_wait_parity(parity)) {
      }
    }
    // Whether the phase with that parity has passed.
    bool try_wait_parity(bool parity) const {
      hirace::cpu::barrier_not_modelled(site_);
      const ::std::uint32_t wanted = parity ? 0 : 1;
      if (object_->state_.phase % 2 != wanted) {
        hirace::cpu::let_others_run(site_);
        if (__atomic_load_n(&object_->state_.phase, __ATOMIC_ACQUIRE) % 2 != wanted) return false;
      }
      hirace::cpu::order_wait(&object_->state_, object_->state_.phase - 1, reach, site_);
      return true;
    }
    void arrive_and_wait() const {
      hirace::cpu::BarrierState& state = object_->state_;
      const ::std::uint32_t phase = state.arrive(1, true, reach, object_->completion_, site_);
      state.wait(phase, site_);
      hirace::cpu::order_wait(&state, phase, reach, site_);
      if (is_block && state.whole_block[phase % 2]) {
        hirace::cpu::pass_block_barrier();
      } else {
        hirace::cpu::barrier_not_modelled(site_);
      }
    }
    void arrive_and_drop() const {
      hirace::cpu::barrier_not_modelled(site_);
      __atomic_sub_fetch(&object_->state_.expected, 1, __ATOMIC_RELAXED);
      object_->state_.arrive(1, false, reach, object_->completion_, site_);
    }
    // The copies that the thread has issued arrive with the present phase.
    void arrive_copies() const { hirace::cpu::order_arrive(&object_->state_, reach, hirace::cpu::Copier::copies); }
    hirace::cpu::BarrierState* state() const { return &object_->state_; }
    // The present phase waits for so many bytes more, or fewer if they have been copied.
    void expect(::std::ptrdiff_t bytes) const {
      object_->state_.expect(static_cast<::std::int32_t>(bytes), reach, object_->completion_);
    }

   private:
    static constexpr bool is_block = scope == thread_scope_block;

   public:
    static constexpr hirace::Scope reach = hirace::cpu::scope_of(static_cast<hirace::cpu::AtomicScope>(scope));
    barrier* object_;
    hirace::SiteId site_;
  };
  At at_site(hirace::SiteId site) {
    hirace::cpu::note_use<hirace::BarrierObject>();
    hirace::cpu::order_object_used(&state_, object_bytes, At::reach, site);
    return {this, site};
  }

  void made_at(hirace::SiteId site) { hirace::cpu::order_object_made(&state_, object_bytes, site); }

  arrival_token arrive(::std::ptrdiff_t count = 1) { return here().arrive(count); }
  void wait(arrival_token&& token) { here().wait(token); }
  void wait(const arrival_token& token) { here().wait(token); }
  bool try_wait(const arrival_token& token) { return here().try_wait(token); }
  bool test_wait(const arrival_token& token) { return here().test_wait(token); }
  template <class Duration>
  bool try_wait_for(const arrival_token& token, const Duration& time) {
    return here().try_wait_for(token, time);
  }
  template <class Point>
  bool try_wait_until(const arrival_token& token, const Point& time) {
    return here().try_wait_until(token, time);
  }
  template <class Duration>
  bool try_wait_parity_for(bool parity, const Duration& time) {
    return here().try_wait_parity_for(parity, time);
  }
  template <class Point>
  bool try_wait_parity_until(bool parity, const Point& time) {
    return here().try_wait_parity_until(parity, time);
  }
  void wait_parity(bool parity) { here().wait_parity(parity); }
  bool try_wait_parity(bool parity) { return here().try_wait_parity(parity); }
  void arrive_and_wait() { here().arrive_and_wait(); }
  void arrive_and_drop() { here().arrive_and_drop(); }
  static constexpr ::std::ptrdiff_t max() { return (1 << 20) - 1; }

 private:
  At here() { return at_site(hirace::unknown_site); }
  // What it takes on a GPU, where PTX accesses it as a whole.
  static constexpr unsigned object_bytes = 8;
  hirace::cpu::BarrierState state_;
  Completion completion_;
};

}  // namespace cuda

namespace hirace {

template <cuda::thread_scope scope, class Completion>
cuda::barrier<scope, Completion>* made_object(SiteId site, cuda::barrier<scope, Completion>* object) {
  object->made_at(site);
  return object;
}

}  // namespace hirace

namespace cuda {

template <thread_scope scope>
class latch {
 public:
  latch() = default;
  explicit constexpr latch(::std::ptrdiff_t count) : left_(count) {}
  friend void init(latch* object, ::std::ptrdiff_t count) { object->left_ = count; }
  void count_down(::std::ptrdiff_t count = 1) { hirace::cpu::atomic_count<static_cast<hirace::cpu::AtomicScope>(scope)>(&left_, -count); }
  bool try_wait() const { return left().load(memory_order_acquire) <= 0; }
  void wait() const {
    while (!try_wait()) hirace::cpu::let_others_run();
  }
  void arrive_and_wait(::std::ptrdiff_t count = 1) {
    count_down(count);
    wait();
  }

 private:
  detail::At<::std::ptrdiff_t, scope> left() const { return {const_cast<::std::ptrdiff_t*>(&left_), hirace::unknown_site}; }
  ::std::ptrdiff_t left_;
};

template <thread_scope scope, ::std::ptrdiff_t least_max = 0x7fffffff>
class counting_semaphore {
 public:
  counting_semaphore() = default;
  explicit constexpr counting_semaphore(::std::ptrdiff_t count) : count_(count) {}
  friend void init(counting_semaphore* object, ::std::ptrdiff_t count) { object->count_ = count; }
  void release(::std::ptrdiff_t count = 1) { hirace::cpu::atomic_count<static_cast<hirace::cpu::AtomicScope>(scope)>(&count_, count); }
  bool try_acquire() {
    ::std::ptrdiff_t seen = counter().load(memory_order_relaxed);
    while (seen > 0) {
      if (counter().compare_exchange_weak(seen, seen - 1, memory_order_acquire, memory_order_relaxed)) return true;
    }
    return false;
  }
  void acquire() {
    while (!try_acquire()) hirace::cpu::let_others_run();
  }
  template <class Duration>
  bool try_acquire_for(const Duration&) {
    return acquired_in_time();
  }
  template <class Point>
  bool try_acquire_until(const Point&) {
    return acquired_in_time();
  }
  static constexpr ::std::ptrdiff_t max() { return least_max; }

 private:
  bool acquired_in_time() {
    return detail::tried([&] {
      if (try_acquire()) return true;
      hirace::cpu::let_others_run();
      return false;
    });
  }
  detail::At<::std::ptrdiff_t, scope> counter() { return {&count_, hirace::unknown_site}; }
  ::std::ptrdiff_t count_;
};
template <thread_scope scope>
using binary_semaphore = counting_semaphore<scope, 1>;

// Copies that a barrier waits for: the present phase is not complete before they are.
template <class To, class From, class Size, thread_scope scope, class Completion>
void memcpy_async(const To& destination, const From* from, Size bytes, barrier<scope, Completion>& completes) {
  hirace::cpu::copy_now(hirace::sites_of(destination), hirace::value_of(destination), from, bytes);
  completes.at_site(hirace::unchecked_site).arrive_copies();
}
template <class Group, class To, class From, class Size, thread_scope scope, class Completion>
void memcpy_async(const Group& group, To* to, const From* from, Size bytes, barrier<scope, Completion>& completes) {
  const auto& threads = hirace::value_of(group);
  hirace::cpu::copy_part(hirace::sites_of(group), to, from, bytes, threads.thread_rank(), threads.size());
  completes.at_site(hirace::unchecked_site).arrive_copies();
}

namespace device {

// The present phase of the barrier waits for copies of so many bytes. It is complete after them, although a copy is no
// arrival.
template <class Completion>
void barrier_expect_tx(barrier<thread_scope_block, Completion>& object, ::std::ptrdiff_t bytes) {
  object.at_site(hirace::unchecked_site).expect(bytes);
}
template <class Completion>
typename barrier<thread_scope_block, Completion>::arrival_token barrier_arrive_tx(barrier<thread_scope_block, Completion>& object,
                                                                                  ::std::ptrdiff_t count, ::std::ptrdiff_t bytes) {
  barrier_expect_tx(object, bytes);
  return object.arrive(count);
}
template <class To, class From, class Size, class Completion>
void memcpy_async_tx(const To& destination, const From* from, Size bytes, barrier<thread_scope_block, Completion>& completes) {
  hirace::cpu::copy_now(hirace::sites_of(destination), hirace::value_of(destination), from, bytes);
  const auto at = completes.at_site(hirace::unchecked_site);
  at.arrive_copies();
  at.expect(-static_cast<::std::ptrdiff_t>(static_cast<::std::size_t>(bytes)));
}

}  // namespace device

namespace std {

template <class Completion = cuda::detail::NoCompletion>
using barrier = cuda::barrier<thread_scope_system, Completion>;
using latch = cuda::latch<thread_scope_system>;
template <::std::ptrdiff_t least_max = 0x7fffffff>
using counting_semaphore = cuda::counting_semaphore<thread_scope_system, least_max>;
using binary_semaphore = cuda::binary_semaphore<thread_scope_system>;

}  // namespace std

}  // namespace cuda
