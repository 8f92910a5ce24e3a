// Runs executions on the executor, through its hooks, with the engine that HIRACE_ENGINE names. It reads them
// from standard input, as driver.cpp does, and prints a hexadecimal digit for each: a bit for each location with
// a race; or `i` if none has one but not everything was compared.
//
// The threads of a launch take turns as the execution says.

#include "records.h"

#include <cstring>
#include <iostream>
#include <vector>

using namespace hirace;

namespace {

constexpr std::size_t bytes_of_location = 8;

struct Place {
  unsigned location, first, bytes;
};

// Threads access a location at two sites, as in a loop.
SiteId site_of(const Place& place, bool writes) { return 2 * place.location + (writes ? 2 : 1); }
unsigned location_of(SiteId site) { return (site - 1) / 2; }

// What some threads of a block do at a time.
struct Step {
  char what;
  unsigned block;
  std::uint64_t threads;  // a bit for each of the block
  Place place, to;
  Strength how;
  unsigned number;
  bool sequential;
};

class Execution {
 public:
  Execution(unsigned blocks, unsigned threads, unsigned locations) : blocks_(blocks), threads_(threads), locations_(locations) {
    char what;
    while (std::cin >> what && what != '.') steps_.push_back(read(what));
  }

  // `shared`: its locations are in shared memory.
  void run(char* global, bool shared) {
    slots_ = std::vector<Slot>(blocks_);
    turn_ = 0;
    const auto body = [this, global, shared] {
      char* const memory = shared ? reinterpret_cast<char*>(cpu::block_dynamic_shared) : global;
      for (std::size_t step = 0; step < steps_.size(); ++step) {
        const Step& it = steps_[step];
        if (it.block != blockIdx.x || (it.threads >> threadIdx.x & 1) == 0) continue;
        while (turn_ < step) cpu::wait_for_others();
        follow(it, memory);
        if (turn_ == step) ++turn_;
      }
    };
    const std::size_t dynamic = shared ? locations_ * bytes_of_location : 0;
    const cpu::LaunchShape shape{dim3(blocks_), dim3(threads_), dynamic, nullptr, blocks_ > 1};
    const auto kept = cpu::borrowed(body);
    if (cpu::launch_body({"execution", 0, true, 3, 0u, ~0u}, shape, kept) != cudaSuccess) std::exit(1);
  }

  bool has_one_block() const { return blocks_ == 1; }

 private:
  // A barrier object.
  struct Slot {
    bool is_complete = false;
  };

  static unsigned number() {
    unsigned number;
    std::cin >> number;
    return number;
  }
  static Place place() {
    Place place;
    std::cin >> place.location >> place.first >> place.bytes;
    return place;
  }
  static bool has(const char* letters, char letter) { return std::strchr(letters, letter) != nullptr; }

  Step read(char what) const {
    Step step{};
    step.what = what;
    const unsigned who = number();
    step.block = what == 'b' ? who : who / threads_;
    constexpr std::uint64_t one = 1;
    step.threads = what == 'b' ? (one << threads_) - 1 : one << who % threads_;
    if (what == 'm') step.threads = std::uint64_t{number()} << who % threads_;
    if (has("ac", what)) step.place = place();
    if (what == 'c') step.to = place();
    if (has("pqwg", what)) step.number = number();
    if (what == 'a') {
      const unsigned reads = number(), writes = number(), order = number(), scope = number(), returns = number();
      step.how = {static_cast<Order>(order), scope_of(scope), reads != 0, writes != 0, returns != 0};
    }
    if (what == 'f') {
      step.how.scope = scope_of(number());
      step.sequential = number() != 0;
    }
    return step;
  }
  static Scope scope_of(unsigned number) { return number == 0 ? Scope::block : number == 1 ? Scope::device : Scope::system; }

  void follow(const Step& step, char* memory) {
    switch (step.what) {
      case 'a': return access(step, memory);
      case 'f': return fence(unknown_site, step.how.scope, step.sequential);
      case 'b': return syncthreads(unknown_site);
      case 'm': return syncwarp(unknown_site, static_cast<unsigned>(step.threads >> threadIdx.x / warp_lanes * warp_lanes));
      case 'p': return cpu::order_arrive(&slots_[step.number], Scope::block);
      case 'q': return cpu::order_arrive(&slots_[step.number], Scope::block, cpu::Copier::copies);
      case 'w': {
        Slot& slot = slots_[step.number];
        if (!std::exchange(slot.is_complete, true)) cpu::order_complete(&slot, 0);
        return cpu::order_wait(&slot, 0, Scope::block);
      }
      case 'c': {
        const cpu::AsynchronousCopy copy;
        plain(AccessKind::read, step.place, memory);
        return plain(AccessKind::write, step.to, memory);
      }
      case 'k': return cpu::order_commit_copies();
      case 'g': return cpu::order_wait_for_copies(step.number);
      default: std::exit(1);
    }
  }

  static void plain(AccessKind kind, const Place& place, char* memory) {
    const SiteId site = site_of(place, kind == AccessKind::write);
    char* const address = memory + place.location * bytes_of_location + place.first;
    // As the compiler sees it: the size and the alignment are constants.
    switch (place.bytes) {
      case 1: return cpu::check(kind, address, 1, site, 1, false);
      case 2: return cpu::check(kind, address, 2, site, 2, false);
      case 4: return cpu::check(kind, address, 4, site, 4, false);
      case 8: return cpu::check(kind, address, 8, site, 8, false);
      default: std::exit(1);
    }
  }

  static void access(const Step& step, char* memory) {
    const Strength& how = step.how;
    if (how.order == Order::weak) return plain(how.writes ? AccessKind::write : AccessKind::read, step.place, memory);
    const bool is_atomic = how.reads && (how.writes || releases(how.order));
    const AccessKind atomic = how.scope == Scope::block ? AccessKind::block_atomic : AccessKind::device_atomic;
    const AccessKind kind = is_atomic ? atomic : how.writes ? AccessKind::volatile_write : AccessKind::volatile_read;
    char* const address = memory + step.place.location * bytes_of_location + step.place.first;
    cpu::begin_strong_access(false);
    cpu::check_strong(kind, how, address, step.place.bytes, site_of(step.place, how.writes), step.place.bytes, false);
  }

  const unsigned blocks_, threads_, locations_;
  std::vector<Step> steps_;
  std::vector<Slot> slots_;
  std::size_t turn_ = 0;
};

}  // namespace

int main(int, char** arguments) {
  Records records(arguments);
  std::ios::sync_with_stdio(false);
  constexpr std::size_t max_locations = 4;
  char* memory = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&memory), max_locations * bytes_of_location) != cudaSuccess) std::exit(1);
  unsigned blocks, threads, locations;
  for (unsigned long number = 0; std::cin >> blocks >> threads >> locations; ++number) {
    Execution execution(blocks, threads, locations);
    const bool shared = execution.has_one_block() && number % 2 == 0;
    execution.run(memory, shared);
    unsigned racing = 0;
    records.take([&](const Record& record) { racing |= 1u << location_of(record.site_current); });
    const bool is_limited = records.take_limits();
    std::cout.put(racing != 0 ? "0123456789abcdef"[racing] : is_limited ? 'i' : '0');
  }
  std::cout.put('\n');
  return 0;
}
