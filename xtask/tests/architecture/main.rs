//! What ARCHITECTURE.md promises about the code, read off the code.

mod cycles;
mod features;
mod layers;
mod map;
mod sizes;
mod source;
