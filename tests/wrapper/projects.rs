//! A project of several files, built by CMake and by Make.

use crate::harness::{Sandbox, build_tools, in_sample};

/// Builds the project with CMake for a GPU, with hirace as nvcc's launcher.
fn cmake_with_nvcc(generator: &str) {
    let (Some(sandbox), Some(tools)) = (Sandbox::gpu(), build_tools()) else {
        return;
    };
    let sandbox = sandbox.on_path(&tools).project();
    sandbox
        .sh(&format!(
            "cmake -G '{generator}' -B b -DCMAKE_CUDA_COMPILER_LAUNCHER=hirace && \
             cmake --build b --parallel 2"
        ))
        .ends_with(0);
    for program in ["b/solver", "b/sum_test"] {
        assert!(sandbox.is_instrumented(program), "{program}");
    }
    assert_eq!(sandbox.leftovers(), 0);
    // Without a change nothing is compiled again; files that include a changed header are.
    let again = sandbox.sh("cmake --build b");
    assert!(
        !again.ends_with(0).stdout.contains("Building"),
        "{}",
        again.stdout
    );
    let changed = sandbox.sh("sleep 0.01; touch include/stencil.cuh; cmake --build b --parallel 2");
    let rebuilt = changed
        .ends_with(0)
        .stdout
        .matches("Building CUDA object")
        .count();
    assert_eq!(rebuilt, 4, "{}", changed.stdout);
}

#[test]
fn cmake_and_ninja_with_nvcc() {
    cmake_with_nvcc("Ninja");
}

#[test]
fn cmake_and_makefiles_with_nvcc() {
    cmake_with_nvcc("Unix Makefiles");
}

#[test]
fn make_with_nvcc() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let sandbox = sandbox.project();
    let toolkit = xtask::nvcc::locate().expect("it was there");
    let toolkit = toolkit
        .path
        .ancestors()
        .nth(2)
        .expect("bin/nvcc")
        .display()
        .to_string();
    sandbox
        .sh(&format!(
            "make -j2 NVCC='hirace nvcc' CXX='hirace g++' CUDA_PATH='{toolkit}'"
        ))
        .ends_with(0);
    assert!(sandbox.is_instrumented("build-make/solver"));
    assert!(!sandbox.is_instrumented("build-make/main.o"));
    let again = sandbox.sh(&format!("make NVCC='hirace nvcc' CUDA_PATH='{toolkit}'"));
    assert!(
        again.ends_with(0).stdout.contains("up to date"),
        "{}",
        again.stdout
    );
}

/// The racy project, and its repaired twin if asked for, without nvcc and without a GPU.
fn cmake_without_a_gpu(generator: &str, twins: &[(&str, i32)]) {
    if !in_sample() {
        return;
    }
    let Some(tools) = build_tools() else {
        return;
    };
    for &(racy, status) in twins {
        let sandbox = Sandbox::cpu().on_path(&tools).project();
        sandbox
            .sh(&format!(
                "hirace build --backend cpu cmake -G '{generator}' -B b -DRACY={racy} && \
                 hirace build --backend cpu cmake --build b --parallel 2"
            ))
            .ends_with(0);
        let outcome = sandbox.sh("hirace run -- b/solver 2");
        outcome.ends_with(status);
        assert_eq!(
            outcome.stderr.contains("kernel `sum_kernel`"),
            racy == "ON",
            "{}",
            outcome.stderr
        );
        let again = sandbox.sh("hirace build --backend cpu cmake --build b");
        assert!(
            !again.ends_with(0).stdout.contains("Building"),
            "{}",
            again.stdout
        );
    }
}

/// The variables that `include(CTest)` would write, which the project does not use.
const DART: &str = "\
BuildDirectory: .
MemoryCheckCommand: hirace
MemoryCheckCommandOptions: run --error-exitcode 7
MemoryCheckType: CudaSanitizer
";

#[test]
fn the_memory_check_of_ctest() {
    if !in_sample() {
        return;
    }
    let Some(tools) = build_tools() else {
        return;
    };
    for (racy, passed) in [("ON", "0% tests passed"), ("OFF", "100% tests passed")] {
        let sandbox = Sandbox::cpu().on_path(&tools).project();
        let hirace = DART.replace("hirace", env!("CARGO_BIN_EXE_hirace"));
        let sandbox = sandbox.file("b/DartConfiguration.tcl", hirace);
        sandbox
            .sh(&format!(
                "hirace build --backend cpu cmake -G Ninja -B b -DRACY={racy} && \
                 hirace build --backend cpu cmake --build b"
            ))
            .ends_with(0);
        let outcome = sandbox.sh("cd b; ctest -T memcheck || true");
        outcome.ends_with(0);
        assert!(outcome.stdout.contains(passed), "{}", outcome.stdout);
        let log = sandbox.read("b/Testing/Temporary/MemoryChecker.1.log");
        assert_eq!(log.contains("kernel `sum_kernel`"), racy == "ON", "{log}");
    }
}

#[test]
fn cmake_and_ninja_without_a_gpu() {
    cmake_without_a_gpu("Ninja", &[("ON", 1), ("OFF", 0)]);
}

#[test]
fn cmake_and_makefiles_without_a_gpu() {
    cmake_without_a_gpu("Unix Makefiles", &[("ON", 1)]);
}

#[test]
fn make_without_a_gpu() {
    if !in_sample() {
        return;
    }
    for (racy, status) in [("RACY=1", 1), ("", 0)] {
        let sandbox = Sandbox::cpu().project();
        sandbox
            .sh(&format!(
                "make -j2 {racy} NVCC='hirace nvcc' CXX='hirace g++'"
            ))
            .ends_with(0);
        let outcome = sandbox.sh("hirace run -- build-make/solver");
        outcome.ends_with(status);
        // It cannot build such a project.
        assert!(!outcome.stderr.contains("hirace fix"), "{outcome:?}");
    }
}

#[test]
fn sccache_behind_hirace() {
    let Some(tools) = build_tools() else {
        return;
    };
    // sccache before 0.17 cannot cache nvcc 13.3 and later itself, so this tests only
    // compilations for the executor.
    let sandbox = Sandbox::cpu().on_path(&tools).kernel();
    let outcome = sandbox.sh(
        "export SCCACHE_DIR=$PWD/cache SCCACHE_SERVER_PORT=$((20000 + $$ % 20000)); \
         sccache --start-server > server.txt 2>&1; \
         for i in 1 2; do rm -f x.o; \
         hirace sccache nvcc -O0 -Iinc -MD -c src/a.cu -o x.o || status=1; done; \
         sccache --show-stats; sccache --stop-server > /dev/null 2>&1; exit ${status:-0}",
    );
    outcome.ends_with(0);
    let hits = outcome
        .stdout
        .lines()
        .find(|line| line.starts_with("Cache hits  "));
    assert!(
        hits.is_some_and(|line| line.ends_with(" 1")),
        "{}",
        outcome.stdout
    );
    assert!(sandbox.is_instrumented("x.o"));
}

#[test]
fn a_repair_in_a_project_of_cmake() {
    let Some(tools) = build_tools().filter(|_| in_sample()) else {
        return;
    };
    let sandbox = Sandbox::cpu().on_path(&tools).project();
    let sources = sandbox.read("src/sum.cu");
    let configured =
        sandbox.sh("hirace build cmake -DRACY=ON -B b && hirace build cmake --build b");
    configured.ends_with(0);
    let program = std::fs::read(sandbox.path("b/sum_test")).expect("it was built");
    let offered = sandbox.sh("hirace fix --explore 2 -- b/sum_test");
    offered
        .ends_with(1)
        .says("verified: 2 races removed")
        .says("`__syncthreads()` before line 8");
    assert!(
        offered.stdout.contains("+++ b/src/sum.cu"),
        "{}",
        offered.stdout
    );
    // Neither the sources nor the build have changed.
    assert_eq!(sandbox.read("src/sum.cu"), sources);
    assert!(std::fs::read(sandbox.path("b/sum_test")).is_ok_and(|it| it == program));
    sandbox
        .sh("hirace fix --apply --explore 2 -- b/sum_test && hirace build cmake --build b && hirace run -- b/sum_test")
        .ends_with(0)
        .says("hirace: changed src/sum.cu")
        .says("no race found");
}

/// A project may name sources and directories of headers that are beside its own directory.
#[test]
fn a_repair_in_sources_outside_the_project() {
    let Some(tools) = build_tools().filter(|_| in_sample()) else {
        return;
    };
    let sandbox = Sandbox::cpu()
        .on_path(&tools)
        .file(
            "app/CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.20)\n\
             project(p LANGUAGES CXX CUDA)\n\
             add_executable(app ../src/app.cu)\n\
             target_include_directories(app PRIVATE ../include)\n",
        )
        .file(
            "include/reverse.cuh",
            "__global__ void reverse(int* x) {\n\
             \x20 __shared__ int s[64];\n\
             \x20 s[threadIdx.x] = x[threadIdx.x];\n\
             \x20 x[threadIdx.x] = s[63 - threadIdx.x];\n\
             }\n",
        )
        .file(
            "src/app.cu",
            "#include \"reverse.cuh\"\n\
             __global__ void count(int* x) { *x += 1; }\n\
             int main() {\n\
             \x20 int* x;\n\
             \x20 cudaMalloc(&x, 256);\n\
             \x20 cudaMemset(x, 0, 256);\n\
             \x20 reverse<<<1, 64>>>(x);\n\
             \x20 count<<<2, 1>>>(x);\n\
             \x20 return cudaDeviceSynchronize();\n\
             }\n",
        );
    sandbox
        .sh("hirace build cmake -S app -B b && hirace build cmake --build b")
        .ends_with(0);
    sandbox
        .sh("hirace fix --apply --explore 2 -- b/app")
        .ends_with(0)
        .says("2 races removed");
    let header = sandbox.read("include/reverse.cuh");
    assert!(header.contains("  __syncthreads();\n  x["), "{header}");
    let source = sandbox.read("src/app.cu");
    assert!(source.contains("atomicAdd(x, 1);"), "{source}");
}

/// CMake builds where its sources are: in their directory, or in one of several.
#[test]
fn a_repair_where_sources_are_in_the_build_directory() {
    let Some(tools) = build_tools().filter(|_| in_sample()) else {
        return;
    };
    for build in [".", "src"] {
        let sandbox = Sandbox::cpu().on_path(&tools).project();
        let sources = sandbox.read("src/sum.cu");
        sandbox
            .sh(&format!(
                "hirace build cmake -DRACY=ON -S . -B {build} && hirace build cmake --build {build}"
            ))
            .ends_with(0);
        let program = std::fs::read(sandbox.path(build).join("sum_test")).expect("it was built");
        let advice = format!("to look for a repair: `hirace fix -- {build}/sum_test`");
        sandbox
            .sh(&format!("hirace run -- {build}/sum_test"))
            .ends_with(1)
            .says(&advice);
        sandbox
            .sh(&format!("hirace fix --explore 2 -- {build}/sum_test"))
            .ends_with(1)
            .says("verified: 2 races removed");
        assert_eq!(sandbox.read("src/sum.cu"), sources);
        let after = std::fs::read(sandbox.path(build).join("sum_test"));
        assert!(after.is_ok_and(|it| it == program));
    }
}
