//! Arbitrary text, with the sources of the tests as seeds.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../invariants.rs"]
mod invariants;

fuzz_target!(|text: &str| invariants::check(text));
