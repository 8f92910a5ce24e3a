// The scheduling of launches.
#pragma once

#include <chrono>
#include <cstdio>
#include <mutex>

#include "../check/section_gaps.h"
#include "../runtime/error.h"
#include "../runtime/host_call.h"
#include "../runtime/stream_work.h"
#include "device_launch.h"
#include "grid_workspace.h"
#include "launch_expression.h"
#include "scheduler.h"
#include "thread_order.h"
#include "worker_threads.h"

namespace hirace::cpu {

// cudaSuccess if CUDA would accept the configuration.
inline cudaError_t check_configuration(const dim3& grid, const dim3& block, std::size_t dynamic_shared, const dim3& cluster) {
  constexpr std::uint32_t max_grid_x = 0x7fffffff, max_grid_yz = 65535, max_block_z = 64;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const bool empty = threads == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0;
  const bool too_large = threads > max_block_threads || block.x > max_block_threads || block.y > max_block_threads ||
                         block.z > max_block_z || grid.x > max_grid_x || grid.y > max_grid_yz || grid.z > max_grid_yz;
  if (empty || too_large) return cudaErrorInvalidConfiguration;
  if (!ClusterShape::is_valid(grid, cluster)) return cudaErrorInvalidClusterSize;
  return dynamic_shared > dynamic_shared_limit() ? cudaErrorInvalidValue : cudaSuccess;
}

// What the running launch has done may be unknown: a host that has seen a value of such a kernel may know that
// everything before is done, too. So it counts as having waited for that.
inline void leave_unchecked(std::uint32_t number) {
  const bool complete = current_launch.monitored && !current_launch.sampled && !current_launch.over;
  const bool checks_end = sampling().active() || memory_watch().was_low();
  if (!complete && number != 0 && checks_end && watches_host()) stream_order().host_saw(number);
}

// The scheduling of all launches, one at a time.
class Launcher {
 public:
  // An error if the launch would fail; it is recorded, because the kernel will not run.
  cudaError_t check(const LaunchInfo& info, const dim3& grid, const dim3& block, std::size_t dynamic_shared, const dim3& cluster) const {
    const cudaError_t error = check_configuration(grid, block, dynamic_shared, cluster);
    if (error != cudaSuccess) recorder().limit(recorder().kernel(info.kernel), launch_refused);
    return error;
  }

  // Runs a grid and everything that it launches.
  cudaError_t launch(const LaunchInfo& info, cudaStream_t stream, Launch& launch) {
    const std::lock_guard lock(launches_and_calls);
    if (const cudaError_t error = check(info, launch.grid, launch.block, launch.dynamic_shared, launch.cluster)) return error;
    child_queue().run_all([&](const ChildLaunch* child, const LaunchedBy& by) {
      if (child == nullptr) return run_grid(info, stream, launch, by);
      Launch request;
      request.body = child->body.get();
      request.run = child->run;
      request.grid = child->grid;
      request.block = child->block;
      request.dynamic_shared = child->dynamic_shared;
      request.cooperative = request.early = false;
      return run_grid(child->info, stream, request, by);
    });
    return cudaSuccess;
  }

 private:
  // Returns whether the order engine has followed the grid, and can follow those that it has launched.
  bool run_grid(const LaunchInfo& info, cudaStream_t stream, Launch& launch, const LaunchedBy& by) {
    launch.kernel = info.kernel;
    const bool branched = graph_run != nullptr && graph_run->parallel;
    launch.overlaps = has_other_streams() || branched || !is_legacy(stream) || child_queue().depth() != 0;
    launch.site = info.site;
    launch.blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
    launch.threads = launch.block.x * launch.block.y * launch.block.z;
    const unsigned workers = workers_for(launch);
    choose_order(launch);
    launch.set_clusters(launch.block_order.at(0));
    launch.claim_size = workers == 1 ? 1 : claim_size(launch.blocks, workers);
    poison_section_gaps();
    current_launch.run = launch.run;
    begin_launch(info, launch.blocks, launch.threads, launch.dynamic_shared, workers, by);
    const bool followed = current_launch.ordered;
    divide_into_clusters(launch.blocks, launch.cluster_shape.blocks());
    if (host_memory().is_allocated() && !watches_host()) recorder().note_limit(host_races_not_followed);
    const std::uint32_t number = place_in_order(stream, current_launch.kernel, WorkKind::kernel, launch.early);
    watch_launch(number, launch.grid, launch.block);
    if (launch.early && graph_run != nullptr && graph_run->joins) recorder().limit(current_launch.kernel, dependents_in_order);
    if (stream_order().is_full()) recorder().limit(current_launch.kernel, streams_in_order);
    const auto start = std::chrono::steady_clock::now();
    worker_threads().run(launch, workers);
    recorder().count_time(std::chrono::steady_clock::now() - start);
    end_launch();
    release_grid_workspace(launch);
    leave_unchecked(number);
    if (current_launch.watched != 0) {
      const std::uint32_t constructs = current_launch.not_modelled | current_launch.between_launches;
      stream_order().end_launch(current_launch.watched, constructs, current_launch.triggers);
    }
    return followed && order::running != nullptr;
  }

  // Large enough that most pages of shadow belong to one worker, small enough that no worker is
  // left with the last few blocks alone. A power of two, so that claims begin at page boundaries.
  static std::uint64_t claim_size(std::uint64_t blocks, unsigned workers) {
    constexpr std::uint64_t max_claimed = 128, claims_per_worker = 16;
    std::uint64_t size = 1;
    while (size < max_claimed && 2 * size * workers * claims_per_worker <= blocks) size *= 2;
    return size;
  }

  // Launches with fewer threads end before another OS thread has woken up.
  static constexpr std::uint64_t parallel_threads = 32768;

  unsigned workers_for(const Launch& launch) const {
    const std::uint64_t jobs = schedule_.jobs < launch.blocks ? schedule_.jobs : launch.blocks;
    const bool needs_one = order_engine_follows(launch.kernel, order::running != nullptr) || has_clusters;
    return launch.blocks * launch.threads < parallel_threads || needs_one ? 1 : static_cast<unsigned>(jobs);
  }

  void choose_order(Launch& launch) {
    ++launches_;
    launch.seed = schedule_.seed == 0 ? 0 : mix(mix(schedule_.seed) + launches_) | 1;
    launch.order = order_.of(launch.block, launch.seed);
    launch.preemption = preemption_of(launch.seed);
    launch.depth = launch.seed == 0 ? 1 : schedule_.depth_of(launches_);
    launch.block_order = BlockPermutation(schedule_.block_order, launch.blocks, mix(launch.seed + launches_));
  }

  const Schedule schedule_;
  ThreadOrder order_;
  std::uint64_t launches_ = 0;
};

inline Launcher& launcher() {
  static Launcher* const the_launcher = new Launcher;
  return *the_launcher;
}

// Runs a grid now.
inline cudaError_t run_launch(const LaunchInfo& info, const LaunchShape& shape, void (*run)(void*), void* body) {
  Launch request;
  request.body = body;
  request.run = run;
  request.grid = shape.grid;
  request.block = shape.block;
  request.dynamic_shared = shape.dynamic_shared;
  request.cooperative = shape.cooperative;
  request.cluster = shape.cluster;
  request.early = shape.early;
  return launcher().launch(info, shape.stream, request);
}

// A launch with a copy of its kernel's arguments, to run later.
struct KernelWork {
  LaunchInfo info;
  LaunchShape shape;
  void (*run)(void*);
  std::shared_ptr<void> body;

  cudaError_t operator()() const {
    LaunchShape now = shape;
    if (graph_run != nullptr) now.stream = graph_run->stream;
    return run_launch(info, now, run, body.get());
  }
};

[[noreturn]] inline void fail_borrowed(const LaunchInfo& info) {
  std::fprintf(stderr,
               "hirace: kernel %s is launched by a kernel or into a captured stream with a braced list, or with a null pointer or a reference among a macro's arguments; "
               "assign them to variables first\n",
               info.kernel);
  fail(Fault::invalid_launch, info.site, 0);
}

// Launches by a kernel and launches in a captured stream run later, with the copy that keep()
// returns. All others run now.
template <class Keep>
cudaError_t start_grid(const LaunchInfo& info, const LaunchShape& shape, void (*run)(void*), void* object, const Keep& keep) {
  const auto check = [&] { return launcher().check(info, shape.grid, shape.block, shape.dynamic_shared, shape.cluster); };
  if (monitor.in_kernel) {
    const std::shared_ptr<void> body = keep();
    if (const cudaError_t error = check()) return set_error(error);
    return set_error(child_queue().add({info, shape.grid, shape.block, shape.dynamic_shared, shape.stream, run, body}));
  }
  if (is_capturing(shape.stream)) {
    const std::shared_ptr<void> body = keep();
    if (const cudaError_t error = check()) return invalidate(shape.stream, error);
    return add_to_capture(shape.stream, cudaGraphNodeTypeKernel, Work(KernelWork{info, shape, run, body}));
  }
  if (is_legacy(shape.stream)) {
    if (const cudaError_t error = check_no_capture(cudaErrorStreamCaptureImplicit)) return error;
  }
  return set_error(run_launch(info, shape, run, object));
}

HIRACE_RUNTIME cudaError_t launch_copy(const Call& call, cudaStream_t stream, void (*run)(void*), std::shared_ptr<void> body) {
  const LaunchInfo info{call.name, call.site, true, monitor_both, 0, ~std::uint32_t{0}};
  return set_error(child_queue().add({info, dim3(1), dim3(1), 0, stream, run, std::move(body)}));
}

HIRACE_RUNTIME cudaError_t launch_grid(const LaunchInfo& info, const LaunchShape& shape, const LaunchBody& body) {
  return start_grid(info, shape, body.run, body.object, [&]() -> std::shared_ptr<void> {
    if (body.copy == nullptr) fail_borrowed(info);
    return {body.copy(body.object), body.destroy};
  });
}

// A launch of a body that may be kept as it is.
inline cudaError_t launch_shared(const LaunchInfo& info, const LaunchShape& shape, void (*run)(void*), const std::shared_ptr<void>& body) {
  return start_grid(info, shape, run, body.get(), [&] { return body; });
}

}  // namespace hirace::cpu
