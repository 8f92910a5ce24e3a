//@ if !thread
slot[threadIdx.x] = best;
//@ use barrier_or_bug
if (lane == 0) {
  for (int other = 1; other < lanes; ++other) {
    if (slot[threadIdx.x + other] > best) best = slot[threadIdx.x + other];
  }
}
//@ use slots_again
//@ end
