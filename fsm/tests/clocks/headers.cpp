// Steps shadow words with the device headers, for traces from standard input. headers.rs writes
// them and documents the numbers.

#include "hirace/executor/check/check.h"
#include "hirace/executor/check/check.inl.h"
#include "hirace/executor/check/barrier_clocks.h"
#include "hirace/cuda/qualifiers.h"
#include "hirace/gpu/next_word.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace hirace::cpu {
// There is no scheduler here, and no other thread that could run.
void yield_point() {}
void note_spin(std::int32_t) {}
[[noreturn]] void abandon_thread() { std::abort(); }
void pass_scheduling_point(bool) {}
bool is_cooperative() { return false; }
bool is_on_stack(std::uintptr_t) { return false; }
bool find_other_owner(std::uintptr_t, SharedOwner&) { return false; }
void note_access_of_call(const volatile void*, std::size_t, AccessKind, SiteId) {}
}  // namespace hirace::cpu

namespace {

using namespace hirace;

struct Request {
  std::uint32_t gpu, keep_all;
  std::uint32_t blocks, warps, lanes;
  Widths asked;
  std::uint32_t launches_before;
  std::uint32_t global, shared;  // locations, the global ones first
  std::uint32_t events;
};

enum What : std::uint32_t { accesses = 4, warp_barrier = 4, block_barrier = 5, next_launch = 6 };

struct Event {
  std::uint32_t what;   // below `accesses`: an Access
  std::uint32_t whose;  // thread, warp or block, numbered through the grid
  std::uint32_t location;
};

enum Verdict : std::uint64_t { no_race = 0, race = 1, unchecked = 2, paths_differ = 3 };

struct Answer {
  std::uint64_t word;
  std::uint64_t verdict;
};

[[noreturn]] void stop(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::_Exit(2);
}

void split_word(const Request& request) {
  cpu::Layout& layout = cpu::current_launch.layout;
  if (!layout.choose(request.warps * warp_lanes, request.blocks, request.asked)) stop("the layout does not hold the grid");
  if (!request.keep_all) return;
  for (auto& space : layout.keep) std::fill(std::begin(space), std::end(space), static_cast<Word>(~state_field));
  layout.derive_steady();
}

// The threads of the grid, each with its part of a word, which the executor's own functions set
// and advance.
class Threads {
 public:
  explicit Threads(const Request& request) : request_(request), me_(request.blocks * request.warps * request.lanes) {
    cpu::current_launch.monitored = true;
    launch(request.launches_before % max_epoch + 1);
  }

  // Makes a thread the current one.
  void enter(std::size_t thread) const { cpu::monitor.me = me_[thread]; }

  // Performs an event, and notifies the locations.
  template <class Locations>
  void pass(const Event& event, Locations& locations) {
    const std::size_t warp = request_.lanes, block = warp * request_.warps;
    switch (event.what) {
      case warp_barrier: return advance(event.whose * warp, warp, cpu::pass_warp_barrier);
      case block_barrier:
        advance(event.whose * block, block, cpu::pass_block_barrier);
        return locations.pass_block_barrier(event.whose, cpu::monitor.me);
      case next_launch:
        launch(cpu::current_launch.epoch % max_epoch + 1);
        return locations.next_launch(cpu::current_launch.epoch == 1);
      default: stop("an unknown event");
    }
  }

 private:
  void launch(std::uint32_t epoch) {
    cpu::current_launch.epoch = epoch;
    for (std::uint32_t thread = 0; thread < me_.size(); ++thread) {
      const std::uint32_t warp = thread / request_.lanes, lane = thread % request_.lanes;
      cpu::enter_thread(warp / request_.warps, warp % request_.warps * warp_lanes + lane);
      me_[thread] = cpu::monitor.me;
    }
  }

  void advance(std::size_t first, std::size_t count, void (*pass_barrier)()) {
    for (std::size_t thread = first; thread < first + count; ++thread) {
      enter(thread);
      pass_barrier();
      me_[thread] = cpu::monitor.me;
    }
  }

  const Request& request_;
  std::vector<Word> me_;
};

// The locations in the executor's shadow. Each has two granules: one is stepped by the slow path
// alone, which returns whether there is a race, and one by the whole check.
class CpuLocations {
 public:
  explicit CpuLocations(const Request& request)
      : global_(request.global), shared_(request.shared), memory_(2 * (global_ + shared_)), words_(memory_.size()),
        sites_(memory_.size()), attachments_(memory_.size()), touched_(memory_.size() / cpu::touched_granules + 1, 1), owners_(memory_.size() / cpu::owned_granules + 1, shared_page) {
    cpu::Monitor& m = cpu::monitor;
    m.window = reinterpret_cast<std::uintptr_t>(memory_.data());
    m.window_granules = memory_.size();
    m.own_granules = 2 * shared_;
    m.shared_granules = 2 * shared_;
    m.words = words_.data();
    m.sites = sites_.data();
    m.attachments = attachments_.data();
    m.touched = touched_.data();
    m.owners = owners_.data();
    m.shared_mark = shared_page;
    m.owner_mark = shared_page + 1;
    m.not_modelled = &not_modelled_;
  }

  Answer access(std::size_t location, AccessKind kind) {
    cpu::Monitor& m = cpu::monitor;
    m.set_budget(cpu::access_budget);
    const bool shared = location >= global_;
    const cpu::Granule stepped = shared ? location - global_ : 2 * shared_ + location;
    const cpu::Granule checked = stepped + (shared ? shared_ : global_);
    constexpr SiteId site = 1;
    Verdict verdict = unchecked;
    if ((m.me & cpu::unchecked_flag) == 0) {
      const cpu::AccessInfo access{kind, site, 0, granule_bytes};
      // Races with accesses at the only site are reported by the whole check.
      cpu::ReportedRaces reported;
      reported.is_first(site);
      verdict = cpu::step_granule(m, stepped, {stepped * granule_bytes, 0}, access, shared, reported) ? race : no_race;
    }
    cpu::check(kind, &memory_[checked], granule_bytes, site);
    return {words_[stepped], words_[stepped] == words_[checked] ? verdict : paths_differ};
  }

  void pass_block_barrier(std::uint32_t, Word) {}
  void next_launch(bool epochs_come_round) {
    if (epochs_come_round) std::fill(words_.begin(), words_.end(), Word{0});
  }

 private:
  std::size_t global_, shared_;
  std::vector<std::uint32_t> memory_;
  std::vector<Word> words_;
  std::vector<std::uint32_t> sites_, attachments_;
  // All parts count as touched: there is no shadow memory to tell.
  std::vector<std::uint8_t> touched_;
  // Of the pages that the granules lie in: all OS threads may change them.
  static constexpr std::uint32_t shared_page = 1;
  std::vector<std::uint32_t> owners_;
  std::uint32_t not_modelled_ = 0;
};

// The locations with the constants of the GPU, which the executor also uses for the clocks. Each
// block has its own words of shared memory.
class GpuLocations {
 public:
  explicit GpuLocations(const Request& request)
      : global_(request.global), shared_(request.shared), keep_all_(request.keep_all != 0), words_(global_),
        own_words_(request.blocks * shared_) {}

  Answer access(std::size_t location, AccessKind kind) {
    using gpu::GlobalLayout, gpu::SharedLayout;
    const Word me = cpu::monitor.me;
    if (location < global_) return step<GlobalLayout>(words_[location], me, kind);
    const auto thread = static_cast<std::uint32_t>(GlobalLayout::thread_of(me)) << SharedLayout::thread_shift;
    const auto clocks = static_cast<std::uint32_t>(me) & gpu::shared_clock_mask;
    return step<SharedLayout>(own_words_[GlobalLayout::block_of(me) * shared_ + location - global_], thread | clocks, kind);
  }

  void pass_block_barrier(std::uint32_t block, Word who) {
    if (gpu::SharedLayout::block_clock_field == gpu::block_clock_mask || (who & gpu::SharedLayout::block_clock_field) != 0) return;
    std::fill_n(own_words_.begin() + block * shared_, shared_, 0u);
  }

  void next_launch(bool epochs_come_round) {
    std::fill(own_words_.begin(), own_words_.end(), 0u);
    if (epochs_come_round) std::fill(words_.begin(), words_.end(), Word{0});
  }

 private:
  template <class Layout>
  Answer step(typename Layout::Word& word, typename Layout::Word me, AccessKind kind) const {
    if ((cpu::monitor.me & cpu::unchecked_flag) != 0) return {word, unchecked};
    const gpu::NextWord<Layout> next = gpu::next_word<Layout>(word, me, kind);
    word = keep_all_ ? Layout::make_word(Layout::state_of(next.word), false, me) : next.word;
    return {word, next.race ? race : no_race};
  }

  std::size_t global_, shared_;
  bool keep_all_;
  std::vector<Word> words_;
  std::vector<std::uint32_t> own_words_;
};

AccessKind kind_of(std::uint32_t what) {
  switch (static_cast<Access>(what)) {
    case Access::read: return AccessKind::read;
    case Access::write: return AccessKind::write;
    case Access::block_atomic: return AccessKind::block_atomic;
    case Access::grid_atomic: return AccessKind::device_atomic;
  }
  stop("an unknown access");
}

template <class Locations>
std::vector<Answer> run(const Request& request, const std::vector<Event>& events) {
  split_word(request);
  Locations locations(request);
  Threads threads(request);
  std::vector<Answer> answers;
  for (const Event& event : events) {
    if (event.what >= accesses) {
      threads.pass(event, locations);
    } else {
      threads.enter(event.whose);
      answers.push_back(locations.access(event.location, kind_of(event.what)));
    }
  }
  return answers;
}

}  // namespace

int main() {
  Request request;
  while (std::fread(&request, sizeof request, 1, stdin) == 1) {
    std::vector<Event> events(request.events);
    if (std::fread(events.data(), sizeof(Event), events.size(), stdin) != events.size()) stop("half a request");
    const std::vector<Answer> answers = request.gpu ? run<GpuLocations>(request, events) : run<CpuLocations>(request, events);
    std::fwrite(answers.data(), sizeof(Answer), answers.size(), stdout);
    std::fflush(stdout);
  }
  // At a normal exit the executor would report the races.
  std::_Exit(0);
}
