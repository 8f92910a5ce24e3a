//! Inline PTX that the CPU executor does not support.

use crate::harness::{CLEAN, Sandbox};

const UNSUPPORTED: &str = "asm(\"vabsdiff.u32.u32.u32 %0, %1, %1, %1;\" : \"=r\"(x) : \"r\"(x));";

#[test]
fn an_error_names_the_instruction_and_its_line() {
    let used = CLEAN.replacen(
        "*out = 1;",
        &format!("*out = 1;\nint x = 1; {UNSUPPORTED}"),
        1,
    );
    Sandbox::with(used)
        .check(&["a.cu"])
        .ends_with(2)
        .says("a.cu:3: error")
        .says("inline PTX `vabsdiff.u32.u32.u32` has no counterpart on the CPU");
}

#[test]
fn templates_that_nobody_uses_may_have_any() {
    let unused =
        format!("template <class T> __device__ T f(T x) {{ {UNSUPPORTED} return x; }}\n{CLEAN}");
    Sandbox::with(unused).check(&["a.cu"]).ends_with(0);
}
