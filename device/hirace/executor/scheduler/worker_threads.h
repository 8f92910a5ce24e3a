// The OS threads that run blocks: started once, parked between launches.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "../faults.h"
#include "../memory/host_guard.h"
#include "../signal_stack.h"
#include "worker.h"

namespace hirace::cpu {

// The worker of the calling OS thread. Its fibers must never run on another one: addresses of
// thread-local variables that the compiler computed are on their stacks.
inline Worker& worker_of_this_thread() {
  struct Owned {
    Worker worker;
    SignalStack signal_stack;
  };
  struct Owner {
    std::unique_ptr<Owned> owned;
    ~Owner() {
      // If a kernel calls exit(), this runs on one of the worker's stacks.
      if (this_worker != nullptr && this_worker->running()) owned.release();
      this_worker = nullptr;
    }
  };
  if (this_worker == nullptr) {
    static thread_local Owner owner;
    owner.owned = std::make_unique<Owned>();
    this_worker = &owner.owned->worker;
  }
  return *this_worker;
}

class WorkerThreads {
 public:
  // Runs a launch on the calling thread and on `workers` - 1 others.
  void run(Launch& launch, unsigned workers) {
    const DeviceAccess access;
    ensure_fault_handlers();
    if (workers > 1) {
      const std::lock_guard lock(mutex_);
      for (; started_ < workers - 1; ++started_) start();
      launch_ = &launch;
      wanted_ = running_ = workers - 1;
      wake_.notify_all();
    }
    worker_of_this_thread().run(launch);
    if (workers > 1) {
      std::unique_lock lock(mutex_);
      // Threads that have not woken up by now are not needed.
      running_ -= wanted_;
      wanted_ = 0;
      done_.wait(lock, [this] { return running_ == 0; });
    }
  }

 private:
  void start() {
    ++helper_threads;
    std::thread([this] { serve(); }).detach();
  }

  void serve() {
    Worker& worker = worker_of_this_thread();
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return wanted_ != 0; });
      --wanted_;
      Launch& launch = *launch_;
      lock.unlock();
      worker.run(launch);
      lock.lock();
      if (--running_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  Launch* launch_ = nullptr;
  unsigned started_ = 0;
  unsigned wanted_ = 0;   // workers that have yet to join the launch
  unsigned running_ = 0;  // workers that have joined, or will
};

// Never destroyed: its threads are parked in it when the process ends.
inline WorkerThreads& worker_threads() {
  static WorkerThreads* const threads = new WorkerThreads;
  return *threads;
}

}  // namespace hirace::cpu
