// cuda::pipeline (libcu++, "Extended API", "Synchronization Primitives"): batches of copies
// that producers commit and consumers wait for.
//
// A stage has two barriers, as in libcu++: at one, the producers' copies arrive, and at the other, the consumers
// that need its data no more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

namespace detail {

// A barrier at which the same number of threads arrives in each phase.
class PipelineBarrier {
 public:
  void begin() {
    hirace::cpu::order_begin_barrier(this);
    arrived_ = 0;
  }
  void arrive(::std::uint32_t expected, hirace::Scope scope, hirace::cpu::Copier by, hirace::SiteId site) {
    hirace::cpu::scheduling_point();
    hirace::cpu::order_arrive(this, scope, by, site);
    const ::std::uint32_t arrived = __atomic_add_fetch(&arrived_, 1, __ATOMIC_ACQ_REL);
    if (arrived % expected == 0) hirace::cpu::order_complete(this, arrived / expected - 1);
  }
  // The first phase is 0.
  void wait(::std::uint32_t phase, ::std::uint32_t expected, hirace::Scope scope, hirace::SiteId site) const {
    hirace::cpu::barrier_not_modelled(site);
    while (__atomic_load_n(&arrived_, __ATOMIC_ACQUIRE) < expected * (phase + 1)) hirace::cpu::let_others_run(site);
    hirace::cpu::order_wait(this, phase, scope, site);
  }

 private:
  ::std::uint32_t arrived_;  // since the pipeline began
};

struct PipelineStage {
  PipelineBarrier committed, released;

  void begin() {
    committed.begin();
    released.begin();
  }
};

struct PipelineState {
  ::std::uint32_t producers, consumers;
};

}  // namespace detail

template <thread_scope scope, ::std::uint8_t stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  detail::PipelineState state;
  detail::PipelineStage stage[stages];
};

// A pipeline without shared state belongs to one thread: its copies are made when requested.
template <thread_scope scope>
class pipeline {
 public:
  pipeline(detail::PipelineState* state, detail::PipelineStage* stages, ::std::uint32_t count)
      : state_(state), stages_(stages), count_(count) {}
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  // The same pipeline, used at a known site.
  class At {
   public:
    At(pipeline* object, hirace::SiteId site) : object_(object), site_(site) {}
    void producer_acquire() const { object_->acquire(site_); }
    void producer_commit() const { object_->commit(site_); }
    void consumer_wait() const { object_->wait(site_); }
    void consumer_release() const { object_->release(site_); }

   private:
    pipeline* object_;
    hirace::SiteId site_;
  };
  At at_site(hirace::SiteId site) { return {this, site}; }

  void producer_acquire() { acquire(hirace::unknown_site); }
  void producer_commit() { commit(hirace::unknown_site); }
  void consumer_wait() { wait(hirace::unknown_site); }
  void consumer_release() { release(hirace::unknown_site); }
  // Waits until at most this many batches are pending.
  void consumer_wait_prior(::std::uint32_t pending) {
    while (waited_ + pending < committed_) consumer_wait();
  }
  bool quit() { return true; }

 private:
  void acquire(hirace::SiteId site) {
    if (state_ == nullptr) return;
    // Nobody has released the first batch of a stage.
    if (acquired_ >= count_) stages_[acquired_ % count_].released.wait(acquired_ / count_ - 1, state_->consumers, reach, site);
    ++acquired_;
  }
  void commit(hirace::SiteId site) {
    if (state_ == nullptr) {
      ++committed_;
      return hirace::cpu::order_commit_copies();
    }
    stages_[committed_++ % count_].committed.arrive(state_->producers, reach, hirace::cpu::Copier::copies, site);
  }
  void wait(hirace::SiteId site) {
    if (state_ == nullptr) {
      if (waited_ < committed_) ++waited_;
      return hirace::cpu::order_wait_for_copies(committed_ - waited_);
    }
    // The current stage: consumer_release() goes on to the next one.
    stages_[released_ % count_].committed.wait(released_ / count_, state_->producers, reach, site);
  }
  void release(hirace::SiteId site) {
    if (state_ == nullptr) return;
    stages_[released_++ % count_].released.arrive(state_->consumers, reach, hirace::cpu::Copier::none, site);
  }

  static constexpr hirace::Scope reach = hirace::cpu::scope_of(static_cast<hirace::cpu::AtomicScope>(scope));

  detail::PipelineState* state_;
  detail::PipelineStage* stages_;
  ::std::uint32_t count_;
  // This thread's batches so far, by operation.
  ::std::uint32_t acquired_ = 0, committed_ = 0, waited_ = 0, released_ = 0;
};

inline pipeline<thread_scope_thread> make_pipeline() { return {nullptr, nullptr, 1}; }

namespace detail {

template <class Group, thread_scope scope, ::std::uint8_t stages>
pipeline<scope> make_shared_pipeline(const Group& group, pipeline_shared_state<scope, stages>* shared, bool produces, bool consumes) {
  if (group.thread_rank() == 0) {
    shared->state = {};
    for (PipelineStage& stage : shared->stage) stage.begin();
  }
  group.sync();
  __atomic_add_fetch(&shared->state.producers, produces ? 1 : 0, __ATOMIC_ACQ_REL);
  __atomic_add_fetch(&shared->state.consumers, consumes ? 1 : 0, __ATOMIC_ACQ_REL);
  group.sync();
  return {&shared->state, shared->stage, stages};
}

}  // namespace detail

// Either every thread produces and consumes, or each has a role, or the first threads produce.
template <class Group, thread_scope scope, ::std::uint8_t stages>
pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* shared) {
  return detail::make_shared_pipeline(group, shared, true, true);
}
template <class Group, thread_scope scope, ::std::uint8_t stages>
pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* shared, pipeline_role role) {
  return detail::make_shared_pipeline(group, shared, role == pipeline_role::producer, role == pipeline_role::consumer);
}
template <class Group, thread_scope scope, ::std::uint8_t stages>
pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* shared, ::std::size_t producers) {
  const bool produces = group.thread_rank() < producers;
  return detail::make_shared_pipeline(group, shared, produces, !produces);
}

template <::std::uint8_t prior>
void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipe) {
  pipe.consumer_wait_prior(prior);
}

template <thread_scope scope, class To, class From, class Size>
void memcpy_async(const To& destination, const From* from, Size bytes, pipeline<scope>&) {
  hirace::cpu::copy_now(hirace::sites_of(destination), hirace::value_of(destination), from, bytes);
}
template <thread_scope scope, class Group, class To, class From, class Size>
void memcpy_async(const Group& group, To* to, const From* from, Size bytes, pipeline<scope>&) {
  const auto& threads = hirace::value_of(group);
  hirace::cpu::copy_part(hirace::sites_of(group), to, from, bytes, threads.thread_rank(), threads.size());
}

}  // namespace cuda
