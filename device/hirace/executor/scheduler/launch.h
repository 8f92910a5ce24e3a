// Kernel launches: what `kernel<<<grid, block, shared, stream>>>(...)` becomes.
#pragma once

#include <chrono>
#include <cstdio>
#include <mutex>
#include <type_traits>

#include "device_launch.h"
#include "../runtime/error.h"
#include "scheduler.h"
#include "../runtime/stream_work.h"
#include "thread_order.h"
#include "worker_threads.h"

namespace hirace::cpu {

// The worker loop: starts CUDA threads until the scheduler has something better.
template <class Body>
void run_threads(void* body) {
  Worker& worker = *this_worker;
  while (worker.start_thread()) {
    (*static_cast<Body*>(body))();
    worker.finish_thread();
  }
}

// cudaSuccess where CUDA would accept the configuration.
inline cudaError_t check_configuration(const dim3& grid, const dim3& block, std::size_t dynamic_shared) {
  constexpr std::uint32_t max_grid_x = 0x7fffffff, max_grid_yz = 65535, max_block_z = 64;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const bool empty = threads == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0;
  const bool too_large = threads > max_block_threads || block.x > max_block_threads || block.y > max_block_threads ||
                         block.z > max_block_z || grid.x > max_grid_x || grid.y > max_grid_yz || grid.z > max_grid_yz;
  if (empty || too_large) return cudaErrorInvalidConfiguration;
  return dynamic_shared > max_dynamic_shared_bytes ? cudaErrorInvalidValue : cudaSuccess;
}

// The scheduling of all launches, one at a time.
class Launcher {
 public:
  // An error where the launch would fail; it is noted, because its kernel will not run.
  cudaError_t check(const LaunchInfo& info, const dim3& grid, const dim3& block, std::size_t dynamic_shared) const {
    const cudaError_t error = check_configuration(grid, block, dynamic_shared);
    if (error != cudaSuccess) recorder().limit(recorder().kernel(info.kernel), launch_refused);
    return error;
  }

  // A grid, and all that it launches itself.
  cudaError_t launch(const LaunchInfo& info, cudaStream_t stream, Launch& launch) {
    const std::lock_guard lock(mutex_);
    if (const cudaError_t error = run_grid(info, stream, launch)) return error;
    child_queue().run_all([this, stream](const ChildLaunch& child) {
      Launch request;
      request.body = child.body.get();
      request.run = child.run;
      request.grid = child.grid;
      request.block = child.block;
      request.dynamic_shared = child.dynamic_shared;
      request.cooperative = false;
      run_grid(child.info, stream, request);
    });
    return cudaSuccess;
  }

 private:
  cudaError_t run_grid(const LaunchInfo& info, cudaStream_t stream, Launch& launch) {
    if (const cudaError_t error = check(info, launch.grid, launch.block, launch.dynamic_shared)) return error;
    launch.kernel = info.kernel;
    const bool branched = graph_run != nullptr && graph_run->parallel;
    launch.overlaps = has_other_streams() || branched || !is_legacy(stream) || child_queue().depth() != 0;
    launch.site = info.site;
    launch.blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
    launch.threads = launch.block.x * launch.block.y * launch.block.z;
    const unsigned workers = workers_for(launch);
    choose_order(launch);
    launch.claim_size = workers == 1 ? 1 : claim_size(launch.blocks, workers);
    begin_launch(info, launch.blocks, launch.threads, workers);
    watch_launch(place_in_order(stream));
    if (launch_order().is_full()) recorder().limit(current_launch.kernel, streams_in_order);
    const auto start = std::chrono::steady_clock::now();
    worker_threads().run(launch, workers);
    recorder().count_time(std::chrono::steady_clock::now() - start);
    if (current_launch.watched != 0) launch_order().end_launch(current_launch.watched, current_launch.not_modelled);
    return cudaSuccess;
  }

  // Large enough that most pages of shadow are one worker's, small enough that nobody ends up
  // with the last few blocks to himself. A power of two, so that claims begin where pages do.
  static std::uint64_t claim_size(std::uint64_t blocks, unsigned workers) {
    constexpr std::uint64_t most_claimed = 128, claims_per_worker = 16;
    std::uint64_t size = 1;
    while (size < most_claimed && 2 * size * workers * claims_per_worker <= blocks) size *= 2;
    return size;
  }

  // Launches with fewer threads are over before another OS thread has woken up.
  static constexpr std::uint64_t parallel_threads = 32768;

  unsigned workers_for(const Launch& launch) const {
    const std::uint64_t jobs = schedule_.jobs < launch.blocks ? schedule_.jobs : launch.blocks;
    return launch.blocks * launch.threads < parallel_threads ? 1 : static_cast<unsigned>(jobs);
  }

  void choose_order(Launch& launch) {
    ++launches_;
    launch.seed = schedule_.seed == 0 ? 0 : mix(mix(schedule_.seed) + launches_) | 1;
    launch.order = order_.of(launch.block, launch.seed);
    launch.preemption = preemption_of(launch.seed);
    launch.block_order = BlockPermutation(schedule_.block_order, launch.blocks, mix(launch.seed + launches_));
  }

  std::mutex mutex_;
  const Schedule schedule_;
  ThreadOrder order_;
  std::uint64_t launches_ = 0;
};

inline Launcher& launcher() {
  static Launcher* const the_launcher = new Launcher;
  return *the_launcher;
}

// Runs a grid now.
template <class Body>
cudaError_t run_launch(const LaunchInfo& info, dim3 grid, dim3 block, std::size_t dynamic_shared, cudaStream_t stream, bool cooperative,
                       Body& body) {
  Launch request;
  request.body = const_cast<void*>(static_cast<const void*>(__builtin_addressof(body)));
  request.run = &run_threads<Body>;
  request.grid = grid;
  request.block = block;
  request.dynamic_shared = dynamic_shared;
  request.cooperative = cooperative;
  return launcher().launch(info, stream, request);
}

// A launch with a copy of its kernel's arguments, for later.
template <class Body>
struct KernelWork {
  LaunchInfo info;
  dim3 grid, block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
  bool cooperative;
  Body body;

  cudaError_t operator()() const {
    return run_launch(info, grid, block, dynamic_shared, graph_run != nullptr ? graph_run->stream : stream, cooperative, body);
  }
};

// A kernel's call that refers to objects of the code around it, and so cannot wait.
template <class Call>
struct Borrowed {
  Call call;
  void operator()() const { call(); }
};
template <class Call>
Borrowed<Call> borrowed(const Call& call) {
  return {call};
}
template <class Body>
constexpr bool is_borrowed = false;
template <class Call>
constexpr bool is_borrowed<Borrowed<Call>> = true;

[[noreturn]] inline void fail_borrowed(const LaunchInfo& info) {
  std::fprintf(stderr,
               "hirace: kernel %s is launched by a kernel or into a captured stream with a braced list or a macro's variable arguments; "
               "give them to variables first\n",
               info.kernel);
  fail(Fault::invalid_launch, info.site, 0);
}

// A launch by a kernel, and one in a stream that is captured: for later. The rest is now.
template <class Body>
cudaError_t launch_body(const LaunchInfo& info, dim3 grid, dim3 block, std::size_t dynamic_shared, cudaStream_t stream, bool cooperative,
                        Body& body) {
  using Copy = std::remove_const_t<Body>;
  if constexpr (is_borrowed<Copy>) {
    if (monitor.in_kernel || is_capturing(stream)) fail_borrowed(info);
  }
  if (monitor.in_kernel) {
    if (const cudaError_t error = launcher().check(info, grid, block, dynamic_shared)) return set_error(error);
    const std::shared_ptr<void> copy(new Copy(body), [](void* object) { delete static_cast<Copy*>(object); });
    return set_error(child_queue().add({info, grid, block, dynamic_shared, stream, 0, 0, &run_threads<Copy>, copy}));
  }
  if (is_capturing(stream)) {
    if (const cudaError_t error = launcher().check(info, grid, block, dynamic_shared)) return invalidate(stream, error);
    return add_to_capture(stream, cudaGraphNodeTypeKernel,
                          Work(KernelWork<Copy>{info, grid, block, dynamic_shared, stream, cooperative, body}));
  }
  if (is_legacy(stream)) {
    if (const cudaError_t error = check_no_capture(cudaErrorStreamCaptureImplicit)) return error;
  }
  return set_error(run_launch(info, grid, block, dynamic_shared, stream, cooperative, body));
}

// Calls `body` once per CUDA thread. An error is left for cudaGetLastError.
template <class Body>
void launch(const LaunchInfo& info, dim3 grid, dim3 block, std::size_t dynamic_shared, cudaStream_t stream, Body&& body) {
  launch_body(info, grid, block, dynamic_shared, stream, false, body);
}

// `<<<...>>>`, with the defaults of what it leaves out.
struct Configuration {
  Configuration(dim3 grid_size, dim3 block_size, std::size_t shared_bytes = 0, cudaStream_t launch_stream = nullptr)
      : grid(grid_size), block(block_size), dynamic_shared(shared_bytes), stream(launch_stream) {}
  dim3 grid, block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
};

template <class Call>
struct PendingLaunch {
  template <class... Arguments>
  void operator()(Arguments... arguments) const {
    launch(info, configuration.grid, configuration.block, configuration.dynamic_shared, configuration.stream,
           [call = call, arguments...] { call(arguments...); });
  }
  LaunchInfo info;
  Configuration configuration;
  Call call;
};

// A launch in whose text the preprocessor has a choice: the arguments are whatever the
// compiler sees in the parentheses that follow.
template <class Call>
PendingLaunch<Call> pending_launch(const LaunchInfo& info, Call call, Configuration configuration) {
  return {info, configuration, call};
}

}  // namespace hirace::cpu
