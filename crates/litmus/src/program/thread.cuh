// How the threads of a test pass the time on the CPU executor: with each pause another thread may
// continue.

static __device__ void pause_from(unsigned &noise) {
  noise = noise * 1664525u + 1013904223u;
  for (unsigned turns = noise >> 30; turns != 0; --turns) __nanosleep(20);
}

// What a barrier needs: arrivals, those of them whose predicate is added, and sums of predicates.
constexpr int barrier_words = 5;

// The n-th group of `count` threads that arrives passes together, and each gets the number of true
// predicates. A group has the sum `n % 3`. Its first thread clears the sum of the next group, which
// no thread reads any more: all have left the group before.
static __device__ int barrier_at(int *arrived, long long number, int count, bool waits, bool predicate,
                                 unsigned &noise) {
  pause_from(noise);
  int *const words = &arrived[(number & 15) * barrier_words];
  const int ticket = atomicAdd(&words[0], 1);
  const int group = ticket / count;
  if (ticket % count == 0) words[2 + (group + 1) % 3] = 0;
  atomicAdd(&words[2 + group % 3], predicate ? 1 : 0);
  atomicAdd(&words[1], 1);
  const int full = (group + 1) * count;
  while (waits && *(volatile int *)&words[1] < full) __nanosleep(20);
  return words[2 + group % 3];
}
