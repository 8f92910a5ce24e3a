//! Programs that load PTX, or compile CUDA C++, while they run.

use crate::harness::Sandbox;

const HOST: &str = include_str!("modules/host.cu");
const PTX: &str = include_str!("modules/reverse.ptx");
const NVRTC: &str = include_str!("modules/nvrtc.cu");

fn loads(ptx: &str) -> Sandbox {
    Sandbox::with(HOST).file("reverse.ptx", ptx)
}

#[test]
fn ptx_that_a_program_loads_is_checked() {
    loads(PTX)
        .check(&["a.cu", "--", "reverse.ptx"])
        .prints("twice reversed: as before; calls: 11 and 3")
        .ends_with(0)
        .says("no race found; 2 kernel launches");
    let racy = PTX.replace("\tbar.sync \t0;\n", "\t\n");
    for seed in ["0", "5"] {
        loads(&racy)
            .check(&["--seed", seed, "a.cu", "--", "reverse.ptx"])
            .ends_with(1)
            .says("HR001")
            .says("in kernel `reverse`")
            .says("at a.cu:57, grid (1,1,1), blocks of (256,1,1)")
            .says("reverse.ptx:26")
            .says("st.shared.u32 [%r5], %r2;")
            .says("33 ld.shared.u32");
    }
}

#[test]
fn ptx_with_mistakes_is_named_with_its_line() {
    let unknown = PTX.replace("red.global.add", "red.global.mul");
    loads(&unknown)
        .check(&["a.cu", "--", "reverse.ptx"])
        .prints("CUDA_ERROR_INVALID_PTX")
        .ends_with(2)
        .says("reverse.ptx:38: `red.global.mul.u32`");
    loads("\x7fELF")
        .check(&["a.cu", "--", "reverse.ptx"])
        .prints("CUDA_ERROR_NO_BINARY_FOR_GPU")
        .ends_with(2)
        .says("the CPU executor loads PTX, not cubins");
}

#[test]
fn source_that_a_program_compiles_is_checked() {
    let sandbox = Sandbox::with(NVRTC);
    sandbox
        .check(&["a.cu", "--", "-DREPAIRED", "--gpu-architecture=compute_80"])
        .prints("first 510; calls 3\nscaled 3")
        .ends_with(0)
        .says("no race found; 2 kernel launches");
    sandbox
        .check(&["a.cu", "--", "-std=c++14"])
        .ends_with(1)
        .says("HR001")
        .says("in kernel `reverse`")
        .says("reverse.cu:8")
        .says("tile[t] = twice(data[t]);");
    sandbox
        .check(&["a.cu", "--", "-DT=int x = y"])
        .prints("log: ")
        .ends_with(2);
}
