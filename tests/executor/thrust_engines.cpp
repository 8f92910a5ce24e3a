//! run -> 0
// Thrust's random engines give the numbers of the standard library's, and skip as many.
#include "check.h"

#include <thrust/random.h>

#include <random>

template <class Engine, class Standard>
void compare() {
  CHECK(Engine::min() == Standard::min() && Engine::max() == Standard::max());
  for (const unsigned seed : {0u, 1u, 7u, 2147483647u}) {
    for (const unsigned long long skipped : {0ull, 1ull, 2ull, 3ull, 1000ull, 12345ull}) {
      Engine engine(seed);
      Standard standard(seed);
      engine.discard(skipped);
      standard.discard(skipped);
      for (int i = 0; i < 5; ++i) CHECK(engine() == standard());
    }
  }
}

int main() {
  compare<thrust::minstd_rand, std::minstd_rand>();
  compare<thrust::minstd_rand0, std::minstd_rand0>();
  // With an increment, and modulo a power of two.
  compare<thrust::linear_congruential_engine<unsigned, 1664525, 1013904223, 0>, std::linear_congruential_engine<unsigned, 1664525, 1013904223, 0>>();
  using Wide = unsigned long long;
  constexpr Wide factor = 6364136223846793005, increment = 1442695040888963407;
  compare<thrust::random::linear_congruential_engine<Wide, factor, increment, 0>, std::linear_congruential_engine<Wide, factor, increment, 0>>();
  // A linear engine would need years.
  thrust::default_random_engine far;
  far.discard(~0ull);
  CHECK(far() != thrust::default_random_engine()());
}
