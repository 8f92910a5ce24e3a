//! What is to be run, and running it.
