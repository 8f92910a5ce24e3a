// What the checks need to know about a launch.
#pragma once

#include "../../hooks/launch.h"
#include "layout.h"
#include "thread.h"

namespace hirace::cpu {

// State of the running launch; launches run in order, one at a time.
struct MonitoredLaunch {
  Layout layout;
  LaunchInfo info;
  void (*run)(void*);  // of what is launched; each instance of a template has its own
  std::uint32_t kernel;
  std::size_t dynamic_shared;  // bytes
  std::uint32_t epoch;
  std::uint32_t first_block;  // what the order engine calls its first block (order/launch_order.h)
  std::uint64_t serial;  // launches so far, this one included
  std::uint32_t watched;  // its number in stream_order() if others or the host may overlap with it; else 0
  bool overlaps;      // others may
  bool begins_early;  // before the launch before it in its stream has ended; see StreamOrder::begins_early
  bool triggers;      // a thread has triggered the next launch in the stream
  bool monitored;  // by configuration, and the grid fits into the word
  bool sampled;    // only some of its blocks are checked, or for some time only (sampling.h)
  bool over;       // the checks have ended
  bool exclusive;
  bool follows_texels;    // it may read through textures or surfaces what it writes (texel_writes.h)
  bool clustered;         // into clusters of several blocks
  bool several_clusters;  // and into several of them
  bool ordered;  // see launch_is_ordered() in order/engine_use.h
  // The flags of `me` with which the first accesses to global and to shared memory take the slow path. Other launches
  // and the host, for which watched_flag is set, do not access shared memory, but other blocks of a cluster do.
  Word slow[2] = {slow_flags, slow_flags};
  std::uint32_t not_modelled;  // constructs that any block has executed so far
  std::uint32_t between_launches;  // constructs that the order engine follows within the launch only
};

inline MonitoredLaunch current_launch;

// The running thread's place in its block.
inline std::uint32_t running_thread() { return static_cast<std::uint32_t>(current_launch.layout.thread_of(monitor.me)); }

// A word that describes another launch, or, in shared memory, another block: block slots are reused.
HIRACE_HOOK bool stale(Word word, bool shared) {
  return ((word ^ monitor.me) & (epoch_field | (shared ? current_launch.layout.block_field : 0))) != 0;
}

}  // namespace hirace::cpu
