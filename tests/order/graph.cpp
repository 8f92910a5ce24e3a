// Asks random graphs of synchronising operations questions, and compares the answers with those of a
// plain search. Prints how many were answered by yes and by no; the exit status tells of a difference.

#include <cstdio>
#include <random>
#include <set>
#include <vector>

#include "executor/order/clock.h"

using namespace hirace::cpu::order;

namespace {

constexpr std::uint32_t threads = 64, block = 0;

bool is_found(const Node* from, const Question& question) {
  std::vector<const Node*> rest{from};
  std::set<const Node*> seen;
  while (!rest.empty()) {
    const Node* const node = rest.back();
    rest.pop_back();
    if (node == nullptr || !seen.insert(node).second) continue;
    if (question.is_answered_by(*node)) return true;
    rest.insert(rest.end(), std::begin(node->parents), std::end(node->parents));
  }
  return false;
}

}  // namespace

int main() {
  unsigned long answers[2] = {};
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned bound) { return random() % bound; };
    // What threads know, and what releases have left.
    std::vector<Ref> known(threads), left(8);
    std::vector<Time> times;
    for (int step = 0; step < 1500; ++step) {
      Ref& of_thread = known[below(threads)];
      const unsigned who = static_cast<unsigned>(&of_thread - known.data());
      const auto told = [&](Node::Kind kind, std::uint32_t first, std::uint32_t lanes) {
        return Ref(new Node(kind, first, lanes, false, of_thread.get(), nullptr));
      };
      switch (below(12)) {
        case 0: case 1: case 2: case 3: left[below(8)] = told(Node::Kind::lanes, who, 1); break;
        case 4: case 5: case 6: of_thread = join(of_thread, left[below(8)]); break;
        case 7: {  // a barrier of all
          if (below(4) != 0) break;
          Ref all;
          for (const Ref& each : known) all = join(all, each);
          known.assign(threads, Ref(new Node(Node::Kind::block, block, 0, false, all.get(), nullptr)));
          break;
        }
        case 8: {  // of some lanes
          Ref some;
          const unsigned first = below(threads - 8);
          for (unsigned lane = 0; lane < 8; ++lane) some = join(some, known[first + lane]);
          const Ref met(new Node(Node::Kind::lanes, first, 0xff, false, some.get(), nullptr));
          for (unsigned lane = 0; lane < 8; ++lane) known[first + lane] = met;
          break;
        }
        default: {
          if (of_thread.get() == nullptr) break;
          const Time asked = 1 + below(static_cast<unsigned>(last_time));
          const Question question{below(threads), block, below(3) == 0 ? asked | of_copy : asked};
          const bool is_right = is_known(of_thread.get(), question);
          if (is_right != is_found(of_thread.get(), question)) {
            std::printf("seed %u, step %d: %d\n", seed, step, is_right);
            return 1;
          }
          ++answers[is_right ? 1 : 0];
        }
      }
    }
    known.clear();
    left.clear();
    last_time = 0;
  }
  std::printf("%lu %lu\n", answers[1], answers[0]);
  return 0;
}
