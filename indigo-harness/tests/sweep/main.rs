//! `hirace-indigo sweep`: results, and what remains when a sweep is stopped.

mod bad_input;
mod harness;
mod kill;
mod labelled;
mod reduced;
