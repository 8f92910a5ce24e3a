//! PyTorch's extensions on the CPU executor, with a stand-in for PyTorch.

use crate::harness::Sandbox;

/// Builds the extension as `torch.utils.cpp_extension` does, with options for its CUDA file.
fn built(options: &str) -> Sandbox {
    let sandbox = Sandbox::cpu().tree("tests/wrapper/extension");
    let common = "-DTORCH_EXTENSION_NAME=sums -isystem torch";
    sandbox
        .sh(&format!(
            "hirace c++ {common} -O1 -g -c sums.cpp -o sums.o && \
             hirace nvcc {common} -O1 {options} -c sums_kernel.cu -o sums_kernel.o && \
             hirace c++ sums.o sums_kernel.o -lcudart -o sums"
        ))
        .ends_with(0);
    sandbox
}

#[test]
fn tensors_of_the_cpu_are_checked() {
    built("")
        .sh("hirace run -- ./sums")
        .ends_with(1)
        .says("HR006")
        .says("global `result` in kernel `sum`")
        .says("sums_kernel.cu:10:");
}

#[test]
fn and_have_the_results() {
    let outcome = built("-DREPAIRED").sh("hirace run -- ./sums");
    outcome.ends_with(0).says("512 accesses checked");
    assert_eq!(outcome.stdout, "64\n");
}

#[test]
fn nvcc_has_the_version_of_pytorchs_toolkit() {
    let sandbox = Sandbox::cpu().file("empty.cu", "");
    let printed = |command: &str| sandbox.sh(command).stdout;
    let version = printed("HIRACE_CUDA_VERSION=13.2 hirace build nvcc --version");
    assert!(version.contains("release 13.2, V13.2.0"), "{version}");
    sandbox
        .sh("HIRACE_CUDA_VERSION=new hirace nvcc --version")
        .ends_with(2)
        .says("HIRACE_CUDA_VERSION is `new`");
    let targets = "hirace build sh -c 'echo $TORCH_CUDA_ARCH_LIST'";
    assert_eq!(
        printed(&format!("unset TORCH_CUDA_ARCH_LIST; {targets}")),
        "9.0\n"
    );
    assert_eq!(
        printed(&format!("TORCH_CUDA_ARCH_LIST=8.0 {targets}")),
        "8.0\n"
    );
}
