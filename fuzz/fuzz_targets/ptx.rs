//! Arbitrary text as PTX, with compilers' output as seeds.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../ptx_invariants.rs"]
mod ptx_invariants;

fuzz_target!(|text: &str| {
    ptx_invariants::check(text);
});
