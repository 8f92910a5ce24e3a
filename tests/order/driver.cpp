// Runs the order engine on executions that it reads from standard input, one on a line, and prints a
// digit for each: 1 if an access races, 2 if it finds none but has not compared everything, otherwise 0.
// See `execution.rs` for the form.

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "executor/order/engine.h"

using namespace hirace::cpu::order;

namespace {

// The digit of an execution.
char verdict(std::uint32_t blocks, std::uint32_t threads, std::uint32_t locations) {
  Engine engine(threads);
  const Numbering numbering(threads);
  const auto number = [&](unsigned thread) { return numbering.thread(thread / threads, thread % threads); };
  for (std::uint32_t block = 0; block < blocks; ++block) engine.begin_block(block, threads);
  std::vector<Location> memory(locations);
  for (std::uint32_t location = 0; location < locations; ++location) memory[location].id = location;
  std::vector<Knowledge> slots(16);
  bool race = false;
  char what;
  while (std::cin >> what && what != '.') {
    unsigned thread, a, b, c, d, e, f;
    switch (what) {
      case 'a': {
        std::cin >> thread >> a >> b >> c >> d >> e >> f;
        const Access access{{static_cast<Order>(d), static_cast<Scope>(e), b != 0, c != 0, f != 0}, 0, 4, 0, 1};
        race = engine.access(number(thread), memory[a], access, blocks == 1).has_value() || race;
        break;
      }
      case 'f':
        std::cin >> thread >> a >> b;
        engine.fence(number(thread), static_cast<Scope>(a), b != 0);
        break;
      case 'b':
        std::cin >> a;
        engine.block_barrier(a);
        break;
      case 'p':
        std::cin >> thread >> a;
        join(slots[a], engine.publish(number(thread)));
        break;
      case 'm':
        std::cin >> thread >> a;
        engine.meet(number(thread), a);
        break;
      case 'w':
        std::cin >> thread >> a;
        engine.wait(number(thread), slots[a]);
        break;
      default:
        std::exit(1);
    }
  }
  // As when a launch ends.
  node_pool().begin_drop();
  // Asking is what resets it.
  const bool is_incomplete = engine.has_forgotten();
  return race ? '1' : is_incomplete ? '2' : '0';
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::uint32_t blocks, threads, locations;
  while (std::cin >> blocks >> threads >> locations) {
    std::cout.put(verdict(blocks, threads, locations));
    node_pool().end_drop();
  }
  std::cout.put('\n');
  return 0;
}
