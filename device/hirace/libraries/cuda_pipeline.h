// cuda::pipeline (libcu++, "Extended API", "Synchronization Primitives"): batches of copies
// that producers commit and consumers wait for.
//
// A commit is a release by the thread's copier, and a wait for commits an acquire.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

namespace detail {

// Counts of a stage since the pipeline began: batch b is complete once every producer has committed
// b / stages + 1 batches to its stage.
struct PipelineStage {
  ::std::uint32_t committed, released;
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

  void producer_acquire() {
    if (state_ == nullptr) return;
    wait_for(&detail::PipelineStage::released, acquired_ % count_, state_->consumers * (acquired_ / count_));
    ++acquired_;
  }
  void producer_commit() {
    if (state_ == nullptr) {
      ++committed_;
      return hirace::cpu::order_commit_copies();
    }
    const hirace::cpu::AsynchronousCopy by_copier;
    counter(&detail::PipelineStage::committed, committed_++ % count_).fetch_add(1, memory_order_release);
  }
  void consumer_wait() {
    if (state_ == nullptr) {
      if (waited_ < committed_) ++waited_;
      return hirace::cpu::order_wait_for_copies(committed_ - waited_);
    }
    // The current stage: consumer_release() goes on to the next one.
    wait_for(&detail::PipelineStage::committed, released_ % count_, state_->producers * (released_ / count_ + 1));
  }
  void consumer_release() {
    if (state_ == nullptr) return;
    counter(&detail::PipelineStage::released, released_++ % count_).fetch_add(1, memory_order_release);
  }
  // Waits until at most this many batches are pending.
  void consumer_wait_prior(::std::uint32_t pending) {
    while (waited_ + pending < committed_) consumer_wait();
  }
  bool quit() { return true; }

 private:
  detail::At<::std::uint32_t, scope> counter(::std::uint32_t detail::PipelineStage::*which, ::std::uint32_t stage) {
    return {&(stages_[stage].*which), hirace::unknown_site};
  }
  void wait_for(::std::uint32_t detail::PipelineStage::*which, ::std::uint32_t stage, ::std::uint32_t wanted) {
    hirace::cpu::barrier_not_modelled(hirace::unknown_site);
    while (counter(which, stage).load(memory_order_acquire) < wanted) hirace::cpu::let_others_run();
  }

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
    for (PipelineStage& stage : shared->stage) stage = {};
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
  hirace::cpu::copy_now(hirace::site_of(destination), hirace::value_of(destination), from, bytes);
}
template <thread_scope scope, class Group, class To, class From, class Size>
void memcpy_async(const Group& group, To* to, const From* from, Size bytes, pipeline<scope>&) {
  const auto& threads = hirace::value_of(group);
  hirace::cpu::copy_part(hirace::site_of(group), to, from, bytes, threads.thread_rank(), threads.size());
}

}  // namespace cuda
