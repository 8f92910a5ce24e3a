// Barriers that threads arrive at and wait for separately: what those who wait learn.
//
// An arrival is a release, and a wait that ends is an acquire, of the barrier's scope (PTX ISA,
// "mbarrier"; libcu++, cuda::barrier). A wait learns what arrived in the phase that it waited for. The
// relaxed forms need a fence before the arrival, or after the wait.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "history.h"

namespace hirace::cpu::order {

class Barriers {
 public:
  // The barrier is initialised.
  void begin(const void* barrier) {
    barriers_.erase(barrier);
    last_ = nullptr;
  }

  // What a thread of `block` knows at its arrival in the present phase.
  void arrive(const void* barrier, std::uint32_t block, Scope scope, const Knowledge& known, const Arrival& arrival) {
    arrive(barrier, block, scope, known, known, arrival);
  }
  void arrive(const void* barrier, std::uint32_t block, Scope scope, const ScopedKnowledge& known, const Arrival& arrival) {
    arrive(barrier, block, scope, known.block, known.device, arrival);
  }

  // What those who have arrived in the present phase have done, for a thread of `block`.
  Knowledge arrived(const void* barrier, std::uint32_t block, Scope scope) { return seen(of(barrier).arriving.told, block, scope); }

  // Who has arrived in the present phase.
  std::shared_ptr<const std::vector<Arrival>> arriving(const void* barrier) { return of(barrier).arriving.arrivals; }

  // The phase with this number is complete.
  void complete(const void* barrier, std::uint32_t phase) {
    Phases& phases = of(barrier);
    phases.complete.emplace_back(phase, std::move(phases.arriving));
    phases.arriving = Phase();
    if (phases.complete.size() > max_phases) phases.complete.pop_front();
  }

  // What a thread learns that has waited for a phase.
  Knowledge waited(const void* barrier, std::uint32_t phase, std::uint32_t block, Scope scope) {
    Knowledge known;
    for (const auto& [number, arrived] : of(barrier).complete) {
      if (number == phase) join(known, seen(arrived.told, block, scope));
    }
    return known;
  }
  // Who has arrived in that phase; null if it is not known.
  std::shared_ptr<const std::vector<Arrival>> arrivals(const void* barrier, std::uint32_t phase) {
    std::shared_ptr<const std::vector<Arrival>> found;
    for (const auto& [number, arrived] : of(barrier).complete) {
      if (number == phase) found = arrived.arrivals;
    }
    return found;
  }

 private:
  // Nobody can wait for earlier phases: a barrier tells a phase from the next one only.
  static constexpr std::size_t max_phases = 2;

  struct Phase {
    Publication told;
    std::shared_ptr<std::vector<Arrival>> arrivals = std::make_shared<std::vector<Arrival>>();
  };
  struct Phases {
    Phase arriving;
    std::deque<std::pair<std::uint32_t, Phase>> complete;
  };

  // The threads of a block use the same one after the other.
  Phases& of(const void* barrier) {
    if (last_ == nullptr || last_barrier_ != barrier) last_ = &barriers_[barrier];
    last_barrier_ = barrier;
    return *last_;
  }

  void arrive(const void* barrier, std::uint32_t block, Scope scope, const Knowledge& of_block, const Knowledge& on_device, const Arrival& arrival) {
    Phase& phase = of(barrier).arriving;
    phase.arrivals->push_back(arrival);
    join(phase.told.of_block(block), of_block);
    if (scope != Scope::block) join(phase.told.device, on_device);
  }

  static Knowledge seen(const Publication& published, std::uint32_t block, Scope scope) {
    Knowledge known = published.in_block(block);
    if (scope != Scope::block) join(known, published.device);
    return known;
  }

  std::unordered_map<const void*, Phases> barriers_;
  Phases* last_ = nullptr;
  const void* last_barrier_ = nullptr;
};

}  // namespace hirace::cpu::order
