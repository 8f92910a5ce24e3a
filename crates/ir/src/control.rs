//! Which conditions decide whether a place is reached.
