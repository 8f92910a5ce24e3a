// Runs the order engine on executions that it reads from standard input, one on a line, and prints a
// digit for each: 1 if an access races, 2 if it finds none but has not compared everything, otherwise 0.
// See `execution.rs` for the form.

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "executor/order/launch_order.h"

using hirace::granule_bytes;
using hirace::cpu::Copier;
using namespace hirace::cpu::order;

namespace {

// Runs one execution.
class Execution {
 public:
  Execution(std::uint32_t blocks, std::uint32_t threads, std::uint32_t locations)
      : blocks_(blocks), threads_(threads), launch_({blocks, threads, false}, 32, false, false), memory_(locations * granules), slots_(blocks) {
    launch_.begin_grid(0, blocks, threads, 0, {});
    for (std::uint32_t block = 0; block < blocks; ++block) launch_.begin_block(block);
    for (std::size_t location = 0; location < memory_.size(); ++location) memory_[location].id = location + 1;
  }

  // Its digit.
  char verdict() {
    char what;
    while (std::cin >> what && what != '.') follow(what);
    // Asking is what resets it.
    const bool is_incomplete = launch_.engine.has_forgotten();
    return race_ ? '1' : is_incomplete ? '2' : '0';
  }

 private:
  // Those of a location.
  static constexpr std::uint32_t granules = 2;

  // A barrier object.
  struct Slot {
    bool is_complete = false;
  };

  struct Place {
    unsigned location, first, bytes;
  };

  static unsigned number() {
    unsigned number;
    std::cin >> number;
    return number;
  }
  std::uint32_t thread() {
    const unsigned thread = number();
    return launch_.thread(thread / threads_, thread % threads_);
  }
  static Place place() {
    Place place;
    std::cin >> place.location >> place.first >> place.bytes;
    return place;
  }

  void follow(char what) {
    switch (what) {
      case 'a': {
        const std::uint32_t by = thread();
        const Place of = place();
        unsigned reads, writes, order, scope, returns;
        std::cin >> reads >> writes >> order >> scope >> returns;
        access(by, of, {static_cast<Order>(order), static_cast<Scope>(scope), reads != 0, writes != 0, returns != 0});
        break;
      }
      case 'f': {
        const std::uint32_t by = thread();
        const auto scope = static_cast<Scope>(number());
        launch_.fence(by, scope, number() != 0);
        break;
      }
      case 'b': launch_.block_barrier(number()); break;
      case 'm': {
        const std::uint32_t first = thread();
        launch_.meet(first, number());
        break;
      }
      case 'p':
      case 'q': {
        const std::uint32_t by = thread();
        launch_.arrive(&slots_[number()], by, hirace::Order::release, Scope::block, what == 'q' ? Copier::copies : Copier::none, 0);
        break;
      }
      case 'w': {
        const std::uint32_t by = thread();
        Slot& slot = slots_[number()];
        if (!slot.is_complete) launch_.complete(&slot, 0);
        slot.is_complete = true;
        launch_.wait(&slot, 0, by, hirace::Order::acquire, Scope::block, 0);
        break;
      }
      case 'c': {
        const std::uint32_t copier = launch_.engine.begin_copy(thread(), Copier::copies);
        access(copier, place(), {Order::weak, Scope::system, true, false, true});
        access(copier, place(), {Order::weak, Scope::system, false, true, false});
        break;
      }
      case 'k': launch_.commit_copies(thread(), Copier::copies); break;
      case 'g': {
        const std::uint32_t by = thread();
        launch_.wait_for_copies(by, number(), Copier::copies);
        break;
      }
      default: std::exit(1);
    }
  }

  // As the executor makes it, granule by granule.
  void access(std::uint32_t by, const Place& of, const hirace::Strength& how) {
    for (unsigned granule = of.first / granule_bytes; granule * granule_bytes < of.first + of.bytes; ++granule) {
      const int first = static_cast<int>(of.first) - static_cast<int>(granule * granule_bytes);
      const Access access{how, static_cast<std::int8_t>(first), static_cast<std::uint8_t>(of.bytes), 0, 1};
      Location& location = memory_[of.location * granules + granule];
      race_ = launch_.engine.access(by, location, access, blocks_ == 1).has_value() || race_;
    }
  }

  const std::uint32_t blocks_, threads_;
  LaunchOrder launch_;
  std::vector<Location> memory_;
  std::vector<Slot> slots_;
  bool race_ = false;
};

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::uint32_t blocks, threads, locations;
  while (std::cin >> blocks >> threads >> locations) {
    {
      Execution execution(blocks, threads, locations);
      std::cout.put(execution.verdict());
      // As when a launch ends.
      node_pool().begin_drop();
    }
    node_pool().end_drop();
  }
  std::cout.put('\n');
  return 0;
}
