// Which launches a GPU orders when streams run concurrently.
//
// The executor runs launches one after the other, in the order of their calls. What a GPU may overlap follows
// from the program's use of streams, events and graphs (CUDA C++ Programming Guide, "Asynchronous Concurrent
// Execution"). Every stream, event and graph node, and the host, has a vector clock (Mattern, "Virtual Time
// and Global States of Distributed Systems"): for each chain of consecutive launches, the last one that is
// ordered before it. One launch is ordered before another if the other's clock has reached it.
//
// Copies, fills, and functions of libraries are work of their streams like launches (runtime/stream_call.h),
// and so are stream-ordered allocations.
//
// A kernel that is launched with programmatic stream serialization may begin before the kernel before it has
// ended, if that one triggers it. Until a block waits, only what comes before both kernels comes before its
// accesses (CUDA C++ Programming Guide, "Programmatic Dependent Launch and Synchronization").
//
// In doubt, work counts as ordered: all host threads count as one. What a host function may tell the host
// thread is not followed, and a synchronous copy from pageable memory may be done when it returns: races that
// this could have prevented are only possible ones.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "../../hooks/launch.h"
#include "../../records/record.h"
#include "../order/rules.h"
#include "host_threads.h"

namespace hirace::cpu {

class LaunchClock {
 public:
  std::uint32_t last(std::size_t chain) const { return chain < last_.size() ? last_[chain] : 0; }
  void reach(std::size_t chain, std::uint32_t launch) {
    if (chain >= last_.size()) last_.resize(chain + 1);
    last_[chain] = launch;
  }
  void join(const LaunchClock& other) {
    if (other.last_.size() > last_.size()) last_.resize(other.last_.size());
    for (std::size_t i = 0; i < other.last_.size(); ++i) last_[i] = std::max(last_[i], other.last_[i]);
  }

 private:
  std::vector<std::uint32_t> last_;
};

// What accesses memory in a stream.
enum class WorkKind : std::uint8_t {
  kernel,
  call,        // a function of the runtime or of a library
  allocation,  // a function that allocates memory
  release,     // a function that releases it
};

// A launch, or other work, that may overlap with others.
struct WatchedLaunch {
  std::uint32_t chain;
  std::uint32_t kernel;        // in the table of kernels, which has the names of functions, too
  std::uint32_t not_modelled;  // constructs that it has executed
  std::uint16_t stream;        // as in a race record
  WorkKind work;
  std::uint32_t number;        // of the launch among all of the process; 0 for other work
  std::uint32_t site;          // of that launch
  const void* code;            // as in LaunchInfo
  GridDimensions grid;
  Coordinates block;
};

// Whether the host has not waited for something that has a number.
inline std::atomic<bool> host_is_behind{false};

// The launches by number. Entries never move, so a running launch can look up others while a host
// thread adds some.
class LaunchTable {
 public:
  // At most this many can be distinguished.
  static constexpr unsigned number_bits = 27;

  bool is_full() const { return size_ == std::size_t{1} << number_bits; }
  std::uint32_t add(const WatchedLaunch& launch) {
    if (size_ % in_part == 0) parts_[size_ / in_part] = std::make_unique<WatchedLaunch[]>(in_part);
    (*this)[size_] = launch;
    return size_++;
  }
  WatchedLaunch& operator[](std::uint32_t number) { return parts_[number / in_part][number % in_part]; }
  const WatchedLaunch& operator[](std::uint32_t number) const { return parts_[number / in_part][number % in_part]; }

 private:
  static constexpr std::uint32_t in_part = std::uint32_t{1} << 14;
  std::unique_ptr<WatchedLaunch[]> parts_[(std::size_t{1} << number_bits) / in_part];
  std::uint32_t size_ = 0;
};

class StreamOrder {
 public:
  // Numbers begin at 1.
  static constexpr unsigned number_bits = LaunchTable::number_bits;

  StreamOrder() { launches_.add({}); }

  static constexpr std::uint32_t legacy = 0;

  // The number of a new stream. `blocking` streams are ordered with the legacy stream.
  std::uint32_t add_stream(bool blocking) {
    const std::lock_guard lock(mutex_);
    streams_.push_back({{}, new_chain(), blocking, {}, false});
    overlaps_unseen_ = overlaps_unseen_ || has_unseen_;
    has_nonblocking_ = has_nonblocking_ || !blocking;
    return static_cast<std::uint32_t>(streams_.size() - 1);
  }

  // The clock of a stream's next work.
  LaunchClock now_in(std::uint32_t stream) {
    const std::lock_guard lock(mutex_);
    streams_[stream].triggered = false;
    return advance(stream);
  }
  // Orders the next work of a stream after everything that `clock` has reached, too.
  void wait_in(std::uint32_t stream, const LaunchClock& clock) {
    const std::lock_guard lock(mutex_);
    if (order::holds(order::Rule::stream_waits_for_event)) streams_[stream].clock.join(clock);
    streams_[stream].triggered = false;
  }

  void host_waits_for(std::uint32_t stream) {
    const std::lock_guard lock(mutex_);
    host_.join(advance(stream));
    if (streams_.size() == 2) has_unseen_ = false;
    note_host_waited();
  }
  void host_waits_for(const LaunchClock& clock) {
    const std::lock_guard lock(mutex_);
    if (order::holds(order::Rule::host_waits_for_work)) host_.join(clock);
    note_host_waited();
  }
  void host_waits_for_all() {
    const std::lock_guard lock(mutex_);
    for (const Stream& stream : streams_) host_.join(stream.clock);
    has_unseen_ = false;
    note_host_waited();
  }
  // A host function may tell the host thread that this work is done.
  void host_may_know(const LaunchClock& clock) {
    const std::lock_guard lock(mutex_);
    perhaps_known_.join(clock);
  }
  // A copy from pageable memory has returned: its data are in a buffer of the driver.
  void host_has_staged(const LaunchClock& clock) {
    const std::lock_guard lock(mutex_);
    staged_.join(clock);
  }

  // The program may create streams that are not ordered with the legacy stream; it has kernels that trigger the
  // next one in their stream.
  void expect_nonblocking() {
    const std::lock_guard lock(mutex_);
    has_nonblocking_ = true;
  }
  void expect_triggers() { has_triggers_ = true; }

  // Whether a stream was created while work of another one, which was the only one until then, may still
  // have run: such work has no number.
  bool overlaps_unseen() const { return overlaps_unseen_; }

  // A graph node: its clock, and the one at which a kernel before it began that has triggered it. Both null for
  // other work.
  struct InGraph {
    LaunchClock* clock = nullptr;
    const LaunchClock* triggered_at = nullptr;
  };

  // Work begins in a stream, or in a graph node. Returns its number, or 0
  // if nothing can overlap with it or the numbers are used up. `early`: it need not wait for a kernel that
  // triggers it. `watched`: the host may race with it.
  std::uint32_t begin(std::uint32_t stream, const InGraph& in_graph, bool parallel, std::uint32_t kernel, WorkKind work, bool early,
                      bool watched) {
    const std::lock_guard lock(mutex_);
    LaunchClock* const node = in_graph.clock;
    current_ = node != nullptr ? *node : advance(stream);
    begins_early_ = early && (node != nullptr ? in_graph.triggered_at != nullptr : streams_[stream].triggered);
    if (begins_early_) {
      early_ = node != nullptr ? *in_graph.triggered_at : streams_[stream].before_last;
      join_others(early_, stream);
    }
    streams_[stream].triggered = false;
    if (has_triggers_ && node == nullptr) streams_[stream].before_last = current_;
    overlaps_ = parallel || may_overlap(stream);
    if (!overlaps_) {
      has_unseen_ = has_unseen_ || stream != legacy;
      if (!watched) return 0;
    }
    return add(stream, node, parallel, current_, kernel, work);
  }
  // Whether other work may overlap with the one that began last.
  bool overlaps_others() const { return overlaps_; }

  // The same for a copy or a fill that the host may overlap with.
  std::uint32_t begin_transfer(std::uint32_t stream, LaunchClock* node, bool parallel) {
    const std::lock_guard lock(mutex_);
    const LaunchClock before = node != nullptr ? *node : advance(stream);
    return add(stream, node, parallel, before, 0, WorkKind::call);
  }

  // Work that has begun is that of this kernel or function.
  void name(std::uint32_t number, std::uint32_t kernel) {
    const std::lock_guard lock(mutex_);
    launches_[number].kernel = kernel;
  }
  // Likewise: it is this launch of the process.
  void note_launch(std::uint32_t number, std::uint32_t launch, const LaunchInfo& info, const GridDimensions& grid,
                   const Coordinates& block) {
    const std::lock_guard lock(mutex_);
    WatchedLaunch& watched = launches_[number];
    watched.number = launch;
    watched.site = info.site;
    watched.code = info.code;
    watched.grid = grid;
    watched.block = block;
  }
  void end_launch(std::uint32_t number, std::uint32_t not_modelled, bool triggers) {
    const std::lock_guard lock(mutex_);
    launches_[number].not_modelled = not_modelled;
    const std::uint16_t stream = launches_[number].stream;
    if (stream != graph_stream) streams_[stream].triggered = triggers;
  }

  bool is_full() const { return launches_.is_full(); }

  // Whether the running launch may have begun before the one before it in its stream has ended, and whether
  // a launch is ordered even before its first accesses.
  bool begins_early() const { return begins_early_; }
  bool is_before_all_of_it(std::uint32_t launch) const { return early_.last(launches_[launch].chain) >= launch; }

  // Whether a launch is ordered before the running one. Nothing changes while that one runs.
  bool is_before(std::uint32_t launch) const { return current_.last(launches_[launch].chain) >= launch; }
  // What may have made the running work wait for an earlier launch, as bits of a race record.
  std::uint32_t may_have_ordered(std::uint32_t launch) const {
    const std::uint32_t chain = launches_[launch].chain;
    return (perhaps_known_.last(chain) >= launch ? host_function : 0u) | (staged_.last(chain) >= launch ? staged_copy : 0u);
  }
  const WatchedLaunch& operator[](std::uint32_t launch) const { return launches_[launch]; }

  // A child process inherits the lock as it is, but not the thread that holds it.
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

  // Whether the host has waited for a launch or transfer.
  bool is_before_host(std::uint32_t launch) {
    const std::lock_guard lock(mutex_);
    return is_reached(host_, launch);
  }
  // From now on the launch, and what came before it in its chain, counts as waited for.
  void host_saw(std::uint32_t launch) {
    const std::lock_guard lock(mutex_);
    const std::size_t chain = launches_[launch].chain;
    if (!is_reached(host_, launch)) host_.reach(chain, launch);
    note_host_waited();
  }
  // A copy: another thread may add launches.
  WatchedLaunch at(std::uint32_t launch) {
    const std::lock_guard lock(mutex_);
    return launches_[launch];
  }

 private:
  struct Stream {
    LaunchClock clock;
    std::size_t chain;
    bool blocking;
    LaunchClock before_last;  // the clock at which its last work began
    bool triggered;           // its last work was a kernel that has triggered the next one
  };

  bool is_reached(const LaunchClock& clock, std::uint32_t launch) const { return clock.last(launches_[launch].chain) >= launch; }

  std::uint32_t add(std::uint32_t stream, LaunchClock* node, bool parallel, const LaunchClock& before, std::uint32_t kernel,
                    WorkKind work) {
    if (is_full()) return 0;
    const std::size_t chain = parallel ? chain_in_graph(before) : streams_[stream].chain;
    const std::uint16_t named = parallel ? graph_stream : static_cast<std::uint16_t>(stream);
    const std::uint32_t number = launches_.add({static_cast<std::uint32_t>(chain), kernel, 0, named, work, 0, 0, nullptr, {}, {}});
    chains_[chain] = number;
    LaunchClock& clock = node != nullptr ? *node : streams_[stream].clock;
    clock.reach(chain, number);
    host_is_behind.store(true, std::memory_order_relaxed);
    return number;
  }

  void note_host_waited() {
    note_host_thread();
    bool behind = false;
    for (std::size_t chain = 0; chain < chains_.size(); ++chain) behind = behind || host_.last(chain) < chains_[chain];
    host_is_behind.store(behind, std::memory_order_relaxed);
  }

  std::size_t new_chain() {
    chains_.push_back(0);
    return chains_.size() - 1;
  }

  // Work in the legacy stream waits for all blocking streams, and they wait for it.
  const LaunchClock& advance(std::uint32_t number) {
    join_others(streams_[number].clock, number);
    return streams_[number].clock;
  }

  // What work in a stream waits for, besides earlier work in the stream itself.
  void join_others(LaunchClock& clock, std::uint32_t number) const {
    if (order::holds(order::Rule::work_follows_what_host_knows)) clock.join(host_);
    if (number == legacy) {
      if (!order::holds(order::Rule::default_stream_waits_for_others)) return;
      for (std::size_t other = legacy + 1; other < streams_.size(); ++other) {
        if (streams_[other].blocking) clock.join(streams_[other].clock);
      }
    } else if (streams_[number].blocking && order::holds(order::Rule::others_wait_for_default_stream)) {
      clock.join(streams_[legacy].clock);
    }
  }

  // Whether the program has created a stream that may overlap with this one, or probably will.
  bool may_overlap(std::uint32_t stream) const {
    if (has_triggers_) return true;
    return stream == legacy ? has_nonblocking_ : !streams_[stream].blocking || streams_.size() > 2;
  }

  // A chain that work after `before` can continue.
  std::size_t chain_in_graph(const LaunchClock& before) {
    for (const std::size_t chain : graph_chains_) {
      if (before.last(chain) >= chains_[chain]) return chain;
    }
    graph_chains_.push_back(new_chain());
    return graph_chains_.back();
  }

  std::mutex mutex_;
  std::vector<std::uint32_t> chains_{0};  // the last launch of each
  std::vector<std::size_t> graph_chains_;
  std::vector<Stream> streams_{{{}, 0, true, {}, false}};
  LaunchTable launches_;
  LaunchClock host_, current_;
  LaunchClock early_;             // of the running launch, until it waits
  bool begins_early_ = false;
  bool has_triggers_ = false;
  LaunchClock perhaps_known_;     // to the host, from host functions
  LaunchClock staged_;            // by copies that have returned
  bool has_nonblocking_ = false;  // some streams are not ordered with the legacy stream
  bool has_unseen_ = false;       // work without a number that the host has not waited for
  bool overlaps_unseen_ = false;
  bool overlaps_ = false;
};

inline StreamOrder& stream_order() {
  static StreamOrder* const order = new StreamOrder;
  return *order;
}

}  // namespace hirace::cpu
