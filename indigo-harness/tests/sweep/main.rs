//! Sweeps, by the command: what they find, and what is left of them when they are stopped.

mod bad_input;
mod harness;
mod kill;
mod labelled;
mod reduced;
