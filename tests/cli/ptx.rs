//! Inline PTX that the CPU executor does not support.

use crate::harness::{CLEAN, Sandbox};

const FAST_LOG: &str = "asm(\"lg2.approx.f32 %0, %1;\" : \"=f\"(x) : \"f\"(x));";

#[test]
fn an_error_names_the_instruction_and_its_line() {
    let used = CLEAN.replacen(
        "*out = 1;",
        &format!("*out = 1;\nfloat x = 1; {FAST_LOG}"),
        1,
    );
    Sandbox::with(used)
        .check(&["a.cu"])
        .ends_with(2)
        .says("a.cu:3: error")
        .says("inline PTX `lg2.approx.f32` has no counterpart on the CPU");
}

#[test]
fn templates_that_nobody_uses_may_have_any() {
    let unused =
        format!("template <class T> __device__ T f(T x) {{ {FAST_LOG} return x; }}\n{CLEAN}");
    Sandbox::with(unused).check(&["a.cu"]).ends_with(0);
}
