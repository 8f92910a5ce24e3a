//@ if syncBug
// BUG: no barrier.
//@ else
//@ use barrier
//@ end
