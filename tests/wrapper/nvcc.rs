//! `hirace nvcc` for a GPU compared with nvcc itself: the same except for the checks.

use crate::harness::{Outcome, Sandbox, dependencies};

const COMMON: &str = "-arch=sm_90 -Iinc";

/// Runs nvcc and `hirace nvcc` with `arguments`, in separate sandboxes.
fn both(arguments: &str) -> Option<[(Sandbox, Outcome); 2]> {
    let run = |compiler: &str| {
        let sandbox = Sandbox::gpu()?.kernel().file("out dir/empty", "");
        let outcome = sandbox.sh(&format!("{compiler} {COMMON} {arguments}"));
        Some((sandbox, outcome))
    };
    Some([run("nvcc")?, run("hirace nvcc")?])
}

/// Both succeed and create the same files in `directory`, and hirace adds hooks to `output`.
#[track_caller]
fn check(arguments: &str, directory: &str, output: &str, depfile: Option<&str>) {
    let Some([(theirs, plain), (ours, wrapped)]) = both(arguments) else {
        return;
    };
    plain.ends_with(0);
    wrapped.ends_with(0);
    assert_eq!(ours.names(directory), theirs.names(directory));
    assert!(ours.is_instrumented(output) && !theirs.is_instrumented(output));
    assert_eq!(ours.leftovers(), 0);
    if let Some(depfile) = depfile {
        let (ours, theirs) = (ours.read(depfile), theirs.read(depfile));
        assert_eq!(dependencies(&ours), dependencies(&theirs));
        let target = |text: &str| text.split(':').next().map(|it| it.trim().to_owned());
        assert_eq!(target(&ours), target(&theirs));
    }
}

#[test]
fn object_with_dependencies_beside_it() {
    check(
        "-MMD -c src/a.cu -o 'out dir/x.obj'",
        "out dir",
        "out dir/x.obj",
        Some("out dir/x.d"),
    );
}

#[test]
fn dependencies_with_targets_of_their_own() {
    let arguments = "-c src/a.cu -MD -MF q.d -MT foo -MP -o x.o";
    check(arguments, "", "x.o", Some("q.d"));
}

#[test]
fn names_from_the_input() {
    check("-dc -MD src/a.cu", "", "a.o", Some("a.d"));
}

#[test]
fn newer_standard() {
    check("-std=c++20 -c src/a.cu -o x.o", "", "x.o", None);
}

#[test]
fn device_code_alone() {
    check("-ptx src/a.cu -o a.ptx", "", "a.ptx", None);
}

#[test]
fn compiled_and_linked_in_one_call() {
    check("src/a.cu -o program", "", "program", None);
}

#[test]
fn options_file() {
    let arguments = "-optf options.txt -c src/a.cu -o x.o";
    check(
        &format!("{arguments} $(echo -DX=1 > options.txt)"),
        "",
        "x.o",
        None,
    );
}

#[test]
fn errors_are_those_of_nvcc() {
    let Some([(_, plain), (ours, wrapped)]) =
        both("-DCOMMON=unknown -c src/a.cu -o x.o $(echo 'X' >> src/local.cuh)")
    else {
        return;
    };
    assert_ne!(plain.status, Some(0));
    assert_eq!(wrapped.status, plain.status);
    assert_eq!(wrapped.stderr, plain.stderr);
    assert_eq!(ours.leftovers(), 0);
}

#[test]
fn missing_input() {
    let Some([(_, plain), (_, wrapped)]) = both("-c src/none.cu") else {
        return;
    };
    assert_eq!(
        (wrapped.status, wrapped.stderr),
        (plain.status, plain.stderr)
    );
}

#[test]
fn questions_are_passed_on() {
    let Some([(_, plain), (_, wrapped)]) = both("--version") else {
        return;
    };
    assert_eq!(
        (wrapped.status, wrapped.stdout),
        (plain.status, plain.stdout)
    );
}

#[test]
fn warnings_do_not_show_hooks() {
    let text = "__global__ void k(int* p) { int unused; p[0] = 1; }\n";
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let sandbox = sandbox.file("w.cu", text);
    let outcome = sandbox.sh("hirace nvcc -arch=sm_90 -c w.cu");
    outcome.ends_with(0).says("w.cu(1): warning");
    assert!(!outcome.stderr.contains("hirace"), "{}", outcome.stderr);
}

#[test]
fn switched_off() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let sandbox = sandbox.kernel();
    sandbox
        .sh(&format!(
            "HIRACE_DISABLE=1 hirace nvcc {COMMON} -c src/a.cu -o x.o"
        ))
        .ends_with(0);
    assert!(!sandbox.is_instrumented("x.o"));
}

#[test]
fn probes_of_cmake_are_not_instrumented() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let probe = "__global__ void k(int* p) { *p = 1; }\n";
    let sandbox = sandbox.file("b/CMakeFiles/CMakeScratch/TryCompile-1/src.cu", probe);
    sandbox
        .sh("cd b/CMakeFiles/CMakeScratch/TryCompile-1 && hirace nvcc -arch=sm_90 -c src.cu")
        .ends_with(0);
    assert!(!sandbox.is_instrumented("b/CMakeFiles/CMakeScratch/TryCompile-1/src.o"));
}

#[test]
fn flags_from_the_environment() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    // Only an environment variable leads to the header with the access.
    let sandbox = sandbox
        .file(
            "e.cu",
            "#include <put.cuh>\n__global__ void k(int* p) { put<VALUE>(p); }\n",
        )
        .file(
            "hidden/put.cuh",
            "template <int v> __device__ void put(int* p) { *p = v; }\n",
        );
    for name in ["NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"] {
        sandbox
            .sh(&format!(
                "{name}='-Ihidden -DVALUE=2' hirace nvcc -arch=sm_90 -ptx e.cu -o {name}.ptx"
            ))
            .ends_with(0);
        let text = sandbox.read(&format!("{name}.ptx"));
        // This is not the fallback: the header was found and has hooks.
        assert!(text.contains("hirace"), "{name}");
    }
}

#[test]
fn a_file_that_cannot_be_read_as_text_is_compiled_as_it_is_if_that_is_allowed() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let sandbox = sandbox.file(
        "l.cu",
        b"// \xfc\0\n__global__ void k(int* p) { *p = 1; }\n",
    );
    sandbox
        .sh("hirace nvcc -arch=sm_90 -c l.cu")
        .ends_with(2)
        .says("not monitored: l.cu: `l.cu` is a binary file")
        .says("--allow-unmonitored");
    assert!(
        !sandbox.path("l.o").exists(),
        "nothing is built without checks"
    );
    sandbox
        .sh("hirace nvcc --allow-unmonitored -arch=sm_90 -c l.cu")
        .ends_with(0)
        .says("warning: not monitored: l.cu: `l.cu` is a binary file");
    // A report on the program repeats the message.
    assert!(sandbox.holds("l.o", "is a binary file: byte 4 is NUL"));
    assert!(!sandbox.holds("l.o", "KernelScope"));
}

#[test]
fn device_code_that_is_in_no_source_file_is_refused() {
    for backend in ["cpu", "gpu"] {
        let sandbox = Sandbox::cpu().kernel().file("plain.ptx", ".version 7.0\n");
        for (call, message) in [
            (
                "nvcc -x cu - -o a < src/a.cu",
                "not monitored: device code from standard input",
            ),
            ("nvcc -dc plain.ptx", "not monitored: plain.ptx"),
        ] {
            sandbox
                .sh(&format!("HIRACE_BACKEND={backend} hirace {call}"))
                .ends_with(2)
                .says(message)
                .says("HIRACE_ALLOW_UNMONITORED=1");
        }
    }
}

/// The wrapper on the path must not take itself for nvcc.
#[test]
fn no_nvcc() {
    let sandbox = Sandbox::cpu()
        .file("a.cu", "__global__ void k() {}\n")
        .file("Makefile", "a.o:\n\tnvcc -c a.cu -o a.o\n");
    let only = "mkdir -p bin; for it in hirace sh make g++; do ln -sf \"$(command -v $it)\" bin/; done; \
                export PATH=\"$PWD/bin\"";
    for call in [
        "hirace build --backend gpu make",
        "HIRACE_BACKEND=gpu hirace nvcc -c a.cu",
        "export HIRACE_BACKEND=gpu; PATH=\"$(hirace toolkit)/bin:$PATH\"; nvcc -c a.cu",
        "export HIRACE_BACKEND=gpu; PATH=\"$(hirace toolkit)/bin:$PATH\"; make",
    ] {
        sandbox
            .sh(&format!("{only}; {call}"))
            .ends_with(2)
            .says("cannot run the CUDA compiler `nvcc`: no such file or directory")
            .says("the GPU backend needs nvcc from a CUDA toolkit")
            .says("HIRACE_BACKEND=cpu");
    }
    sandbox
        .sh(&format!(
            "{only}; PATH=\"$(hirace toolkit)/bin:$PATH\"; HIRACE_DISABLE=1 nvcc -c a.cu"
        ))
        .ends_with(2)
        .says("cannot run the CUDA compiler `nvcc`");
}

/// `hirace build` uses the variable for its wrapper.
#[test]
fn an_nvcc_that_only_a_variable_names() {
    if std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|it| it.join("nvcc").is_file())
    {
        println!("skipped: there is an nvcc on the path");
        return;
    }
    let sandbox = Sandbox::cpu()
        .file("cuda/nvcc", "#!/bin/sh\necho \"the named one: $*\"\n")
        .file("Makefile", "all:\n\tnvcc --version\n");
    let outcome =
        sandbox.sh("chmod +x cuda/nvcc; NVCC=\"$PWD/cuda/nvcc\" hirace build --backend gpu make");
    outcome.ends_with(0);
    assert!(
        outcome.stdout.contains("the named one: --version"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn the_same_call_several_times_at_once() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let sandbox = sandbox.kernel();
    let line = [
        "hirace",
        "nvcc",
        "-arch=sm_90",
        "-Iinc",
        "-c",
        "src/a.cu",
        "-o",
        "x.o",
    ];
    let children: Vec<_> = (0..3)
        .map(|_| sandbox.command(&line).spawn().expect("hirace starts"))
        .collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    assert!(sandbox.is_instrumented("x.o"));
    assert_eq!(sandbox.leftovers(), 0);
}

#[test]
fn a_launcher_before_the_compiler() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let launcher = "#!/bin/sh\necho \"$1\" > launched\nexec \"$@\"\n";
    let sandbox = sandbox.kernel().file("launcher", launcher);
    sandbox
        .sh(&format!(
            "chmod +x launcher; hirace ./launcher nvcc {COMMON} -c src/a.cu -o x.o"
        ))
        .ends_with(0);
    assert_eq!(sandbox.read("launched"), "nvcc\n");
    assert!(sandbox.is_instrumented("x.o"));
}

/// The call that nvcc generates for a launch reaches the hook, whatever the default stream is. The
/// test needs no GPU.
#[test]
fn launches_come_to_the_hook() {
    for streams in ["legacy", "per-thread"] {
        let Some(sandbox) = Sandbox::gpu() else {
            return;
        };
        let sandbox = sandbox.file("a.cu", HOOKED);
        let options = format!("-std=c++17 -arch=sm_90 --default-stream {streams}");
        let copy = format!(
            "hirace instrument a.cu && nvcc {options} -DCOUNTED -I hirace-out/include hirace-out/a.cu -o copied"
        );
        sandbox.sh(&copy).ends_with(0);
        sandbox.sh("./copied").ends_with(0);
        // Here the host runtime comes from the cache.
        let build = format!("hirace nvcc {options} a.cu -o program");
        sandbox.sh(&build).ends_with(0);
        sandbox.sh("./program").ends_with(0);
    }
}

const HOOKED: &str = "\
__global__ void kernel() {}
int main() {
  kernel<<<1, 1>>>();
#if defined(COUNTED) && !defined(__CUDA_ARCH__)
  if (hirace::gpu::recorder().header().launches != 1) return 1;
#endif
  return hirace::gpu::launches_are_hooked() ? 0 : 1;
}
";

/// The host runtime of the backend is compiled once, and is in each object, so that anyone may link those.
#[test]
fn objects_are_complete() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let kernel = "__global__ void NAME(int* p) { p[threadIdx.x] = 1; }\n\
                  void run_NAME(int* p) { NAME<<<1, 32>>>(p); }\n";
    let main = "void run_one(int*);\n\
                void run_two(int*);\n\
                int main() {\n\
                int* p = nullptr;\n\
                cudaMalloc(&p, 128);\n\
                run_one(p);\n\
                run_two(p);\n\
                return cudaDeviceSynchronize() == cudaSuccess;\n\
                }\n";
    let sandbox = sandbox
        .file("one.cu", kernel.replace("NAME", "one"))
        .file("two.cu", kernel.replace("NAME", "two"))
        .file("main.cu", main);
    for (compile, link) in [("-c", ""), ("-dc", "-rdc=true")] {
        sandbox
            .sh(&format!(
                "hirace nvcc -arch=sm_90 {compile} one.cu two.cu main.cu && nvcc -arch=sm_90 {link} one.o two.o main.o -o p && ./p"
            ))
            .says("hirace: nothing was monitored");
        for object in ["one.o", "two.o", "main.o"] {
            assert!(sandbox.holds(object, "hirace3gpu7Monitor"), "{object}");
        }
        sandbox
            .sh(&format!(
                "hirace nvcc -arch=sm_90 {link} -x cu one.cu two.cu main.cu -o q && ./q"
            ))
            .says("hirace: nothing was monitored");
    }
    sandbox
        .sh("mkdir -p objects && hirace nvcc -arch=sm_90 -c one.cu two.cu main.cu -odir objects && nvcc objects/*.o -o p && ./p")
        .says("hirace: nothing was monitored");
    sandbox
        .sh("hirace nvcc -arch=sm_90 -shared -Xcompiler -fPIC one.cu -o libone.so && hirace nvcc -arch=sm_90 two.cu main.cu -L. -lone -o p && LD_LIBRARY_PATH=. ./p")
        .says("hirace: nothing was monitored");
    assert!(
        sandbox.names("../cache/runtime/").len() > 1,
        "the part is in the cache"
    );
}

/// ptxas compiles the functions of a check once for all kernels of a file, and as usual if nvlink cannot link them.
#[test]
fn functions_are_compiled_once() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let kernels: String = ["one", "two"]
        .map(|name| format!("__global__ void {name}(int* p) {{ p[threadIdx.x] += 1; }}\n"))
        .concat();
    let sandbox = sandbox.file("two.cu", kernels + "__device__ int variable;\n");
    // Sections with the code of functions: without them, it is part of each kernel's.
    let functions = |line: &str| {
        let outcome = sandbox.sh(&format!(
            "{line} -arch=sm_90 -cubin two.cu -o two.cubin && readelf -SW two.cubin 2>/dev/null | grep -o '\\.text\\.[_a-zA-Z0-9]*'"
        ));
        outcome.ends_with(0);
        for name in ["_Z3onePi", "_Z3twoPi", "variable"] {
            assert!(sandbox.holds("two.cubin", name), "{name}");
        }
        outcome.stdout.matches("hirace").count()
    };
    assert!(functions("hirace nvcc") >= 4);
    assert_eq!(sandbox.leftovers(), 0);
    assert_eq!(functions("HIRACE_PTXAS_AS_IT_IS=1 hirace nvcc"), 0);

    // A toolkit of its own, whose nvlink fails.
    sandbox
        .sh("tools=$(dirname $(realpath $(which nvcc))) && mkdir -p kit/bin && ln -s $tools/../[!b]* kit/ && \
             ln -s $tools/* kit/bin/ && rm kit/bin/nvcc kit/bin/nvlink && cp $tools/nvcc kit/bin/ && \
             printf '#!/bin/sh\\nexit 1\\n' > kit/bin/nvlink && chmod +x kit/bin/nvlink")
        .ends_with(0);
    assert_eq!(functions("hirace kit/bin/nvcc"), 0);
}

/// A block of 1024 threads can be launched, however many registers checks would take, unless the user has another limit.
#[test]
fn registers_are_limited() {
    let Some(sandbox) = Sandbox::gpu() else {
        return;
    };
    let kernel = "__global__ void many(float* p) {\n\
                  float a[80];\n\
                  for (int i = 0; i < 80; ++i) a[i] = p[i * 64 + threadIdx.x];\n\
                  __syncthreads();\n\
                  for (int i = 0; i < 80; ++i) p[i * 64 + threadIdx.x] = a[i] * a[79 - i];\n\
                  }\n";
    let sandbox = sandbox.file("many.cu", kernel);
    let registers = |options: &str| {
        let outcome = sandbox.sh(&format!(
            "hirace nvcc -arch=sm_90 -Xptxas -v {options} -cubin many.cu -o many.cubin"
        ));
        outcome.ends_with(0);
        let uses = outcome.stderr.split("used ").filter_map(|it| {
            let (number, _) = it.split_once(" registers")?;
            number.parse::<u32>().ok()
        });
        uses.max().unwrap_or(0)
    };
    let usual = registers("");
    assert!((1..=64).contains(&usual), "{usual}");
    let larger = registers("-maxrregcount 128");
    assert!(larger > 64, "{larger}");
}
