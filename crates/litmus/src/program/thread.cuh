// How the threads of a test pass the time on the CPU executor: with each pause another thread may
// continue.

static __device__ void pause_from(unsigned &noise) {
  noise = noise * 1664525u + 1013904223u;
  for (unsigned turns = noise >> 30; turns != 0; --turns) __nanosleep(20);
}

// The n-th group of `count` threads that arrives passes together.
static __device__ void barrier_at(int *arrived, long long number, int count, bool waits, unsigned &noise) {
  pause_from(noise);
  int *const counter = &arrived[number & 15];
  const int ticket = atomicAdd(counter, 1);
  const int full = (ticket / count + 1) * count;
  while (waits && *(volatile int *)counter < full) __nanosleep(20);
}
