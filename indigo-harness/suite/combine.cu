//@ if !thread
slot[threadIdx.x] = best;
//@ if syncBug
// BUG: no barrier.
//@ else
//@ use barrier
//@ end
if (lane == 0) {
  for (int other = 1; other < lanes; ++other) {
    if (slot[threadIdx.x + other] > best) best = slot[threadIdx.x + other];
  }
}
//@ if syncBug2
// BUG: no barrier before the slots of the next vertex.
//@ elif persistent
// The next vertex has the same slots.
//@ use barrier
//@ end
//@ end
