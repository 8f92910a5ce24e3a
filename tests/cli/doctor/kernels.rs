//! What `hirace doctor` gives to nvcc, compiled and not run.

use std::path::Path;
use std::process::Command;

use crate::harness::{Sandbox, in_sample};

/// Compiles with the real nvcc, for the oldest and the newest architecture that is supported.
fn compile(sandbox: &Sandbox, include: &Path, file: &Path) {
    let nvcc = match xtask::nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return println!("skipped: {reason}"),
    };
    for architecture in ["sm_80", "sm_90"] {
        let cubin = sandbox.path(architecture);
        let mut command = Command::new(&nvcc.path);
        command.args(["-std=c++17", "-cubin", "-Werror", "all-warnings"]);
        command.arg(format!("-arch={architecture}"));
        command.arg("-I").arg(include).arg(file);
        let output = command.arg("-o").arg(&cubin).output().expect("nvcc starts");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{architecture}: {errors}");
        assert!(cubin.metadata().is_ok_and(|it| it.len() > 0));
    }
}

fn source(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn state_machine() {
    let sandbox = Sandbox::new();
    let kernels = source("crates/doctor/src/self_test/gpu.cu");
    compile(&sandbox, &source("device"), &kernels);
}

#[test]
fn known_verdicts() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::new();
    let kernels = source("crates/doctor/src/self_test/kernels.cu");
    let kernels = kernels.to_str().expect("a path of letters");
    sandbox
        .run(&["instrument", kernels, "-o", "out"])
        .ends_with(0);
    compile(
        &sandbox,
        &sandbox.path("out/include"),
        &sandbox.path("out/kernels.cu"),
    );
}
