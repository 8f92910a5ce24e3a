// The report of a launch whose threads all poll forever (poll_watch.h).
#pragma once

#include <cstdio>

#include "../../records/record_text.h"
#include "device_launch.h"
#include "worker.h"

namespace hirace::cpu {

// Watches all threads, unless some have not begun: the others may be waiting for those.
inline void Worker::begin_watch() {
  constexpr std::uint64_t longer = 4;
  turns_to_watch_ *= longer;
  idle_turns_ = 0;
  const bool all_began = claimed_ == claimed_end_ && launch_->next_block.load() >= launch_->blocks;
  // Otherwise reads of memory outside the device would go unnoticed.
  const LaunchInfo& info = current_launch.info;
  const bool all_monitored = current_launch.monitored && !current_launch.sampled && (info.spaces & monitor_global) != 0 && info.first_block == 0 &&
                             info.last_block >= launch_->blocks - 1;
  // On a GPU, a child grid could run concurrently with its parent.
  if (!all_began || !all_monitored || !monitor.exclusive || !child_queue().empty() || watch_.active() ||
      !low_.empty()) {
    return;
  }
  std::uint32_t threads = 0;
  for (const Block* block = parked_first_; block != nullptr; block = block->next_parked) {
    if (block->has_unstarted()) return;
    threads += block->yielded->size();
  }
  watch_.begin(threads);
}

// A turn of one access.
inline void Worker::yield_watched() {
  constexpr std::uint32_t max_tries = 8;
  Fiber& self = *current_;
  const bool shows = watch_.proved() && self.repeats && self.shows_place;
  if (shows && (monitor.site != unknown_site || ++self.turns == max_tries)) {
    self.repeats = false;
    note_livelock(monitor.site);
  }
  block_->yielded->push(current_);
  suspend(monitor.site, 0);
  if (!watch_.active()) return;
  if (watch_.proved()) {
    // With an empty window every access sets its site; none is new, so none needs a check.
    monitor.window_granules = monitor.followed_granules = 0;
    monitor.unchecked = false;
    monitor.site = unknown_site;
    if (!self.shows_place) self.turns = 0;
    self.shows_place = true;
  }
  monitor.set_budget(1);
}

// The threads that poll at one site, and the first of them.
struct PollPlace {
  SiteId site;
  std::uint32_t threads;
  uint3 block, thread;
};

// Notes that the running thread polls at a site. The last thread to do so ends the program.
inline void Worker::note_livelock(SiteId site) {
  constexpr std::uint32_t max_places = 8;
  static PollPlace places[max_places];
  static std::uint32_t used = 0, noted = 0;
  PollPlace* place = places;
  while (place != places + used && place->site != site) ++place;
  if (place == places + used && used < max_places) places[used++] = {site, 0, blockIdx, threadIdx};
  if (place != places + max_places) ++place->threads;

  // Threads that wait for polling ones are all in this block or in parked ones.
  std::uint32_t alive = block_->alive;
  const Waiting* waiting = block_->at_barrier->empty() ? nullptr : block_->at_barrier->at(0);
  for (const Block* block = parked_first_; block != nullptr; block = block->next_parked) {
    alive += block->alive;
    if (waiting == nullptr && !block->at_barrier->empty()) waiting = block->at_barrier->at(0);
  }
  const bool outside = watch_.host_visible() || launch_->overlaps;
  Record record = fault_record(outside ? Fault::waits_for_outside : Fault::livelock, site, 0);
  record.site_prior = waiting != nullptr ? waiting->site : unknown_site;
  record.prior_known = record.site_prior != unknown_site ? PriorKnown::site : PriorKnown::nothing;
  record.ended = 1;
  if (++noted != watch_.threads()) return static_cast<void>(add_fault(record));

  // A named barrier is polled, too.
  std::fprintf(stderr, "hirace: %s in kernel %s: %u thread%s forever, ", name_of(record.fault), launch_->kernel, noted,
               noted == 1 ? " waits" : "s wait");
  if (alive > noted) std::fprintf(stderr, "%u more wait at barriers, ", alive - noted);
  std::fputs("and the others have exited\n", stderr);
  for (std::uint32_t i = 0; i < used; ++i) {
    const PollPlace& each = places[i];
    std::fprintf(stderr, "hirace:   %u thread%s, first (%u,%u,%u) of block (%u,%u,%u), at ", each.threads, each.threads == 1 ? "" : "s",
                 each.thread.x, each.thread.y, each.thread.z, each.block.x, each.block.y, each.block.z);
    print_site(stderr, each.site);
    std::fputc('\n', stderr);
  }
  end_with(record);
}

}  // namespace hirace::cpu
