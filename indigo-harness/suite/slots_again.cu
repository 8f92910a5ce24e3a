//@ if syncBug2
// BUG: no barrier before the slots of the next vertex.
//@ elif persistent
// The next vertex has the same slots.
//@ use barrier
//@ end
