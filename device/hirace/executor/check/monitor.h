// The checker's view of a launch: the calls by which the scheduler reports its progress.
//
// begin_launch; then on each OS thread begin_worker, per block enter_block, per CUDA thread
// enter_thread, ..., end_worker.
#pragma once

#include "../memory/device_heap.h"
#include "../memory/shared_variable.h"
#include "../scheduler/scheduler_interface.h"
#include "checked_launch.h"
#include "../order/launch_order.h"
#include "../order/engine_use.h"
#include "witnesses.h"
#include "launch_accesses.h"
#include "recorder.h"
#include "sampling.h"
#include "semantics.h"
#include "../builtins.h"
#include "shadow_ownership.h"
#include "texel_writes.h"
#include "word_size.h"
#include "written_value.h"

namespace hirace::cpu {

// A new epoch: every earlier word reads as INIT. After max_epoch of them the numbers repeat, and
// all words must be cleared.
inline void next_epoch() {
  static std::uint32_t epoch = 0;
  if (epoch == max_epoch) {
    shadow_memory().forget();
    epoch = 0;
  }
  current_launch.epoch = ++epoch;
}

// What one order engine can tell apart of a launch and of the launches by its kernels.
constexpr unsigned family_block_bits = split_bits - max_thread_bits - 2 < 21 ? split_bits - max_thread_bits - 2 : 21;
constexpr std::uint64_t family_blocks = std::uint64_t{1} << family_block_bits;

// The order engine follows the launch that begins.
inline void begin_order(std::uint64_t blocks, std::uint32_t threads, const LaunchedBy& by) {
  if (order::running == nullptr) {
    order::LaunchOrder::Extent extent{blocks, threads, false};
    if (has_kernel_launches && blocks <= family_blocks) extent = {family_blocks, max_block_threads, true};
    order::running = std::make_unique<order::LaunchOrder>(extent, warp_lanes, semantics.tolerates_same_value, semantics.predicts);
  }
  order::LaunchOrder& running = *order::running;
  running.begin_grid(current_launch.kernel, blocks, threads, by.parent, by.told);
  current_launch.first_block = running.first_block;
  current_launch.layout.choose_for_order(running.extent.threads, running.extent.blocks);
}

inline void begin_launch(const LaunchInfo& info, std::uint64_t blocks, std::uint32_t threads, std::size_t dynamic_shared, unsigned workers,
                         const LaunchedBy& by) {
  MonitoredLaunch& launch = current_launch;
  launch.info = info;
  launch.dynamic_shared = dynamic_shared;
  dynamic_name.store(nullptr, std::memory_order_relaxed);
  launch.kernel = recorder().kernel(info.kernel);
  launch.exclusive = workers == 1;
  launch.not_modelled = 0;
  const bool fits = launch.layout.choose(threads, blocks, semantics.widths);
  if (!fits) recorder().limit(launch.kernel, grid_too_large);
  const bool left_out = !options_choose(info.kernel);
  if (left_out) recorder().limit(launch.kernel, launches_not_chosen);
  const bool chosen = info.monitor && info.spaces != monitor_none && !left_out;
  const bool low = chosen && memory_is_low();
  const bool taken = sampling().begin(launch.kernel, chosen) && !low;
  launch.monitored = chosen && fits && taken;
  launch.sampled = sampling().active() && (sampling().timed() || !sampling().takes_all_blocks());
  launch.over = false;
  const bool goes_on = order::running != nullptr;
  if (goes_on && launch.monitored && !order::running->has_room(blocks)) {
    recorder().limit(launch.kernel, grid_too_large);
    launch.monitored = false;
  }
  // The state machine checks a grid that is too large, with possible races where the engine would know.
  const bool is_followed = order_engine_follows(info.kernel, goes_on);
  launch.ordered = launch.monitored && is_followed && (goes_on || order::Numbering::fits(blocks, threads));
  launch.first_block = 0;
  if (launch.ordered) begin_order(blocks, threads, by);
  if (machine_looks_first() && uses_order_engine() && !is_followed) recorder().limit(launch.kernel, machine_first);
  if (machine_looks_first() && !uses_order_engine()) {
    static const std::uint32_t limits =
        machine_first | (needs_order_engine(true) ? engine_needed : 0u) | (program_uses_atomic_values() ? flags_possible : 0u);
    recorder().note_limit(limits);
  }
  ++launch.serial;
  if (!launch.exclusive) shadow_ownership().begin_launch(launch.serial);
  recorder().workers(workers);
  recorder().count_launch(launch.kernel, chosen, taken, blocks);
  if (!taken || launch.sampled) recorder().limit(launch.kernel, only_sample_checked);
  if (low) recorder().limit(launch.kernel, memory_used_up);
  // The words of all grids that one engine follows are of one epoch.
  if (!goes_on) next_epoch();
  launch.watched = 0;
  launch.overlaps = false;
  launch.begins_early = launch.triggers = false;
  launch.between_launches = 0;
  launch.follows_texels = launch.monitored && texel_writes().begin_launch();
}

// Whether the launch is divided into clusters of several blocks.
inline void divide_into_clusters(std::uint64_t blocks, std::uint32_t blocks_of_cluster) {
  current_launch.clustered = blocks_of_cluster > 1;
  current_launch.slow[0] = slow_flags;
  current_launch.slow[1] = current_launch.clustered || current_launch.ordered ? slow_flags : unchecked_flag;
  current_launch.several_clusters = current_launch.clustered && blocks > blocks_of_cluster;
}

// The launch that has begun may overlap with others, or with the host; `watched` is its number among
// such launches.
inline void watch_launch(std::uint32_t watched, const dim3& grid, const dim3& block) {
  current_launch.overlaps = stream_order().overlaps_others();
  if (watched == 0 || !current_launch.monitored || (current_launch.info.spaces & monitor_global) == 0) return;
  const bool followed = current_launch.overlaps ? launch_accesses().begin() : launch_accesses().begin_for_host();
  if (!followed) return recorder().limit(current_launch.kernel, current_launch.overlaps ? streams_in_order : host_races_not_followed);
  current_launch.watched = watched;
  const auto serial = static_cast<std::uint32_t>(current_launch.serial);
  const GridDimensions blocks = dimensions_of_grid({grid.x, grid.y, grid.z});
  stream_order().note_launch(watched, serial, current_launch.info, blocks, {block.x, block.y, block.z});
  current_launch.begins_early = stream_order().begins_early();
}

// The launch has ended. If its engine also follows the launches by its kernel, whoever runs those ends it.
inline void end_launch() {
  if (sampling().active() && sampling().end(current_launch.over)) recorder().limit(current_launch.kernel, sample_time_over);
  current_launch.ordered = current_launch.begins_early = false;
  if (order::running != nullptr && !order::running->extent.is_family) order::end_launch();
  if (memory_watch().was_low()) release_shadow();
}

inline void begin_worker() {
  monitor = Monitor{};
  monitor.exclusive = current_launch.exclusive;
  if (!monitor.exclusive) shadow_ownership().begin_worker(monitor);
  monitor.set_budget(access_budget);
  monitor.in_kernel = true;
  monitor.at_kernel_entry = current_launch.monitored && (current_launch.info.spaces & monitor_global) != 0;
}

inline void end_worker() {
  if (monitor.awaits_value) settle_write();
  recorder().count_accesses(current_launch.kernel, monitor.checked_accesses());
  recorder().count_blocks(current_launch.kernel, monitor.checked_blocks);
  recorder().count_outside(monitor.outside);
  monitor.in_kernel = false;
  monitor.generation = no_generation;
  monitor.window_granules = monitor.followed_granules = 0;
  monitor.unchecked = false;
}

// Whether accesses by a block are checked: by the configuration, and by the sample.
inline bool is_chosen(std::uint64_t block) {
  const LaunchInfo& info = current_launch.info;
  const bool over = __atomic_load_n(&current_launch.over, __ATOMIC_RELAXED);
  return current_launch.monitored && block >= info.first_block && block <= info.last_block && !over;
}
inline bool is_checked(std::uint64_t block) { return is_chosen(block) && (!current_launch.sampled || sampling().takes(block)); }

// Sets what is monitored for the block that the calling OS thread runs next.
inline void enter_block(std::uint64_t block, std::uint32_t& not_modelled, DependencyWaits& waits) {
  const LaunchInfo& info = current_launch.info;
  const Arena& memory = arena();
  const std::size_t shared = memory.shared_bytes();
  const bool global = (info.spaces & monitor_global) != 0;
  const bool checked = is_checked(block);
  const bool followed = checked || (is_chosen(block) && launch_is_ordered());
  const std::size_t skipped = (info.spaces & monitor_shared) != 0 ? 0 : shared;
  monitor.window = memory.base() + skipped;
  monitor.followed_granules = followed ? ((global ? memory.bytes() : shared) - skipped) / granule_bytes : 0;
  monitor.window_granules = checked ? monitor.followed_granules : 0;
  monitor.unchecked = !checked;
  monitor.first_granule = skipped / granule_bytes;
  monitor.words = shadow_memory().words + monitor.first_granule;
  monitor.sites = shadow_memory().sites + monitor.first_granule;
  monitor.attachments = shadow_memory().attachments + monitor.first_granule;
  monitor.places = shadow_memory().places + monitor.first_granule;
  // Shared memory ends at a page boundary.
  monitor.touched = shadow_memory().touched + monitor.first_granule / touched_granules;
  if (!monitor.exclusive) monitor.owners = shadow_ownership().owners + monitor.first_granule / owned_granules;
  monitor.generations = shadow_memory().generations;
  // The shared memory of a cluster belongs to several blocks.
  monitor.shared_granules = current_launch.clustered ? 0 : (shared - skipped) / granule_bytes;
  monitor.own_granules = monitor.exclusive ? ~std::size_t{0} : monitor.shared_granules;
  monitor.section = followed && global;
  monitor.not_modelled = &not_modelled;
  monitor.waits = &waits;
}

// Whether the checks of the running launch have to end: their time is over, or there is no memory for them.
inline bool checks_end() {
  if (__atomic_load_n(&current_launch.over, __ATOMIC_RELAXED)) return true;
  if (memory_is_low()) {
    recorder().limit(current_launch.kernel, only_sample_checked | memory_used_up);
    return true;
  }
  return sampling().timed() && sampling().is_over();
}

// Ends the checks of the running launch if they have to.
HIRACE_COLD inline void end_checks_in_time() {
  if (!current_launch.monitored || !checks_end()) return;
  __atomic_store_n(&current_launch.over, true, __ATOMIC_RELAXED);
  monitor.unchecked = true;
  monitor.window_granules = monitor.followed_granules = 0;
  monitor.section = false;
}

inline void enter_thread(std::uint64_t block, std::uint32_t thread) {
  // Lanes in lockstep are ordered by their instructions: each warp counts as one thread.
  if (semantics.lockstep_warps) thread &= ~(warp_lanes - 1);
  const bool stores_texels = current_launch.follows_texels && texel_writes().has_linear();
  const bool slow = current_launch.watched != 0 || current_launch.clustered || stores_texels;
  monitor.me = current_launch.layout.identity(current_launch.epoch, current_launch.first_block + block, thread) | (slow ? watched_flag : 0);
  if (launch_is_ordered()) renew_time();
}

// The running thread's number for the order engine.
inline std::uint32_t ordered_thread() {
  const Layout& layout = current_launch.layout;
  return order::running->numbering.thread(layout.block_of(monitor.me), static_cast<std::uint32_t>(layout.thread_of(monitor.me)));
}

// The same, or that of its copier if it issues an asynchronous copy.
inline std::uint32_t accessing_thread() {
  const std::uint32_t own = ordered_thread();
  return order::running->numbering.copier(own, monitor.copies);
}

HIRACE_RUNTIME void wait_for_launch_before() {
  monitor.waits->add(running_thread());
  if (current_launch.begins_early && launch_is_ordered()) order::running->note_dependency_wait(ordered_thread());
}

HIRACE_RUNTIME bool follows_dependency_wait() {
  DependencyWaits& waits = *monitor.waits;
  const std::uint32_t thread = running_thread();
  if (!waits.has(thread) && launch_is_ordered() && order::running->follows_dependency_wait(ordered_thread())) waits.add(thread);
  return waits.has(thread);
}

HIRACE_RUNTIME void renew_time() {
  const order::Time time = order::running->engine.now(ordered_thread()) - order::running->began;
  const Word field = current_launch.layout.time_field();
  const Word me = monitor.me & ~(field | unchecked_flag);
  // A copy has a time of its own. If writes of one value are no race, words remember too little; and the
  // predictor must see every access.
  monitor.me = time > field || monitor.copies != Copier::none || semantics.tolerates_same_value || semantics.predicts ? me | unchecked_flag : me | static_cast<Word>(time);
}

// The thread and block that a word or a witness names.
inline Coordinates unflatten(std::uint64_t linear, const Coordinates& dimensions) {
  const auto x = static_cast<std::uint32_t>(linear % dimensions.x);
  const auto y = static_cast<std::uint32_t>(linear / dimensions.x % dimensions.y);
  const auto z = static_cast<std::uint32_t>(linear / dimensions.x / dimensions.y);
  return {x, y, z};
}

inline Coordinates thread_of(Word who) {
  return unflatten(current_launch.layout.thread_of(who), block_dimensions());
}

inline Coordinates block_of(Word who) {
  return unflatten(current_launch.layout.block_of(who) - current_launch.first_block, grid_dimensions());
}

inline unsigned bits_of(Word field) { return static_cast<unsigned>(__builtin_popcountll(field)); }

HIRACE_RUNTIME void record_not_modelled(SiteId site, std::uint32_t constructs) {
  // The order engine follows the others, but not from one launch to another.
  if (launch_is_ordered()) {
    __atomic_fetch_or(&current_launch.between_launches, constructs & ~std::uint32_t{partial_warp_barrier}, __ATOMIC_RELAXED);
    constructs &= other_construct;
  }
  if (constructs == 0) return;
  if (constructs == partial_warp_barrier && !order::holds(order::Rule::some_lanes_are_no_warp)) return pass_warp_barrier();
  *monitor.not_modelled |= constructs;
  recorder().not_modelled(current_launch.kernel, constructs);
  __atomic_fetch_or(&current_launch.not_modelled, constructs, __ATOMIC_RELAXED);
  // Recording once is enough; most constructs repeat.
  thread_local std::uint32_t last_epoch = 0;
  thread_local SiteId last_site = unknown_site;
  if (last_epoch == current_launch.epoch && last_site == site) return;
  last_epoch = current_launch.epoch;
  last_site = site;
  Record record{};
  record.type = RecordType::not_modelled;
  record.kernel = current_launch.kernel;
  record.site_current = site;
  record.not_modelled = constructs;
  recorder().add(record);
}

// The same for a function that may run on the host.
HIRACE_RUNTIME void record_construct(SiteId site, std::uint32_t constructs) {
  if (monitor.in_kernel) record_not_modelled(site, constructs);
}

}  // namespace hirace::cpu
