//! Tests that a machine cannot run are refused, with the reason.

use hirace_litmus::{Machine, text};
use hirace_memory_model::litmus;

/// The programs of a test with one instruction, for each machine.
fn programs(declarations: &str, instruction: &str) -> [Result<String, String>; 2] {
    let source = format!(
        "PTX t\n{{ {declarations} }}\nP0@cta 0 | P1@cta 0 ;\n{instruction} | bar.cta.sync 1 ;\n\
         exists (x == 0)"
    );
    let test = litmus::parse("t", &source).unwrap_or_else(|it| panic!("{instruction}: {it}"));
    let text = |machine| text(&test, machine).map_err(|it| it.to_string());
    [text(Machine::Gpu), text(Machine::Executor)]
}

#[test]
fn other_proxies_and_aliases() {
    for instruction in [
        "suld r0, x",
        "sust x, 1",
        "suatom.add r0, x, 1",
        "sured.add x, 1",
        "tex r0, x",
        "ldc r0, x",
        "ld.const r0, x",
        "fence.proxy.surface",
    ] {
        for program in programs("x = 0;", instruction) {
            let reason = program.expect_err(instruction);
            assert!(
                reason.contains("surfaces, textures and constant memory cannot be run"),
                "{instruction}: {reason}"
            );
        }
    }
    for program in programs("x = 0; y aliases x;", "ld r0, y") {
        let reason = program.expect_err("an alias");
        assert!(reason.contains("`y` is an alias"), "{reason}");
    }
}

#[test]
fn forms_of_other_tools_are_not() {
    for (instruction, ptx) in [
        ("ld r0, 1", "mov.b64 %0, 1;"),
        ("bar.cta.arrive 1", "barrier.cta.arrive w0, 64;"),
        ("bar.cta.sync 7, 1, 2", "barrier.cta.sync w0, 64;"),
        ("fence.proxy.alias", "fence.proxy.alias;"),
    ] {
        let [gpu, executor] = programs("x = 0;", instruction);
        let gpu = gpu.unwrap_or_else(|it| panic!("{instruction}: {it}"));
        assert!(gpu.contains(ptx), "{instruction}: {gpu}");
        executor.unwrap_or_else(|it| panic!("{instruction}: {it}"));
    }
}
