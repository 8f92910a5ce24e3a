//! `hirace nvcc` and `hirace g++` for the CPU executor, without nvcc.

use crate::harness::{Sandbox, dependencies, in_sample};

fn compiled(arguments: &str) -> Sandbox {
    let sandbox = Sandbox::cpu().kernel();
    sandbox
        .sh(&format!("hirace nvcc -O0 -arch=sm_90 -Iinc {arguments}"))
        .ends_with(0);
    assert_eq!(sandbox.leftovers(), 0);
    sandbox
}

#[test]
fn options_for_the_gpu_are_left_out() {
    let sandbox = compiled(
        "-gencode arch=compute_80,code=sm_80 -rdc=true --expt-relaxed-constexpr --extended-lambda \
         -Xptxas -v,-O3 -lineinfo -use_fast_math -Xcompiler -Wall,-Wextra -Werror all-warnings \
         -t 2 --default-stream per-thread -std=c++14 src/a.cu -lcudart -lcublas -lcurand -o program",
    );
    sandbox
        .sh("hirace run -- ./program")
        .ends_with(1)
        .says("(2) write");
}

/// nvcc hands the host's compiler no pragma for device code.
#[test]
fn warnings_for_host_code_end_no_build() {
    let kernel = "__global__ void k(int* p) {\n#pragma unroll\n\
                  for (unsigned i = 0; i < 4; ++i) p[i] = 1;\n}\n";
    let sandbox = Sandbox::cpu().file("k.cu", kernel);
    let built = sandbox.sh("hirace nvcc -O0 -Xcompiler -Wall,-Werror -c k.cu -o k.o");
    built.ends_with(0);
    assert_eq!(built.stderr, "");
}

#[test]
fn host_code_reports_its_accesses() {
    let program = "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n\
                   int main() {\n\
                   int* p; cudaMallocManaged(&p, 4);\n\
                   k<<<1, 1>>>(p);\n\
                   return p[0] - 1;\n\
                   }\n";
    let sandbox = Sandbox::cpu().file("k.cu", program);
    sandbox
        .sh("hirace nvcc -g -c k.cu -o k.o && c++ -pthread k.o -o p && hirace run -- ./p")
        .ends_with(1)
        .says("HR017")
        .says("k.cu:5");
    // The compiler would link its own library.
    sandbox
        .sh("hirace nvcc k.cu -o q && hirace run -- ./q")
        .ends_with(0)
        .says("were not compared with those of kernels");
}

/// Kernels with barriers are compiled as coroutines, and as they are where that is a mistake: here, a `return` in a
/// macro of a header that hirace does not read.
#[test]
fn kernels_become_coroutines() {
    let kernel = "#include <leave.h>\n\
                  __global__ void k(int* p) {\n\
                  __shared__ int s[32]; s[threadIdx.x] = 1; __syncthreads();\n\
                  LEAVE\n\
                  p[threadIdx.x] = s[31 - threadIdx.x];\n}\n\
                  int main() { int* p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); return 0; }\n";
    for (leave, coroutines) in [("", true), ("if (p == nullptr) return;", false)] {
        let header = format!("#define LEAVE {leave}\n");
        let sandbox = Sandbox::cpu().file("k.cu", kernel);
        let sandbox = sandbox.file("unread/leave.h", header);
        for compile in ["-c k.cu -o k.o && hirace nvcc k.o", "k.cu"] {
            let built = format!("rm -f p; CPATH=unread hirace nvcc {compile} -o p");
            let outcome = sandbox.sh(&format!("{built} && hirace run -- ./p"));
            outcome.ends_with(0).says("64 accesses checked");
            let symbols = sandbox.sh("nm -C p");
            let frames = symbols.stdout.contains("[clone .actor]");
            assert_eq!(frames, coroutines, "{leave} {compile}");
        }
    }
}

#[test]
fn lines_of_allocations_need_no_option() {
    let program = "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n\
                   int main() {\n\
                   int* p; cudaMalloc(&p, 64);\n\
                   k<<<1, 32>>>(p);\n\
                   cudaDeviceSynchronize();\n\
                   }\n";
    Sandbox::cpu()
        .file("k.cu", program)
        .sh("hirace nvcc -O1 k.cu -o p && hirace run -- ./p")
        .ends_with(1)
        .says("HF001")
        .says("allocated at k.cu:3");
}

#[test]
fn lines_of_allocations_in_host_files_need_no_option() {
    let kernel = "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n\
                  void run(int* p) { k<<<1, 32>>>(p); }\n";
    let main = "#include <cuda_runtime.h>\n\
                void run(int*);\n\
                int main() {\n\
                int* p; cudaMalloc(&p, 64);\n\
                run(p);\n\
                cudaDeviceSynchronize();\n\
                }\n";
    let sandbox = Sandbox::cpu().file("k.cu", kernel).file("m.cpp", main);
    for compile in [
        "hirace g++ -O2 -c m.cpp -o m.o",
        "hirace nvcc -O2 -c m.cpp -o m.o",
    ] {
        sandbox
            .sh(&format!(
                "{compile} && hirace nvcc -O1 k.cu m.o -o p && hirace run -- ./p"
            ))
            .ends_with(1)
            .says("m.cpp:4, passed as `p`");
    }
}

/// A name that only the executor's own source file brings into an object.
const EXECUTOR: &str = "library.cpp";

#[test]
fn objects_hold_an_executor_compiled_before() {
    let sandbox = compiled("-c src/a.cu -o a.o");
    assert!(sandbox.holds("a.o", EXECUTOR));
    // Any linker can take them, together with others.
    let more = sandbox.file("more.cu", "__global__ void more(int* p) { *p = 0; }\n");
    more.sh("hirace nvcc -O0 -c more.cu && c++ -pthread a.o more.o -o p")
        .ends_with(0);
    more.sh("hirace run -- ./p").ends_with(1).says("(2) write");
}

#[test]
fn programs_are_linked_with_an_executor_compiled_before() {
    let sandbox = compiled("src/a.cu -o p");
    assert!(sandbox.holds("p", EXECUTOR));
    sandbox.sh("hirace run -- ./p").ends_with(1);
}

#[test]
fn a_shared_library_holds_an_executor_compiled_before() {
    if !in_sample() {
        return;
    }
    let kernel = "__global__ void k(int* p) { *p = 1; }\n\
                  void run(int* p) { k<<<2, 1>>>(p); cudaDeviceSynchronize(); }\n";
    let main = "void run(int*);\nint main() { int* p; cudaMalloc(&p, 4); run(p); }\n";
    let sandbox = Sandbox::cpu().file("k.cu", kernel).file("m.cu", main);
    sandbox
        .sh(
            "hirace nvcc -O0 -shared -Xcompiler -fPIC k.cu -o libk.so && \
             hirace nvcc -O0 m.cu -L. -lk -Xlinker -rpath -Xlinker . -o p",
        )
        .ends_with(0);
    assert!(sandbox.holds("libk.so", EXECUTOR));
    sandbox.sh("hirace run -- ./p").ends_with(1).says("k.cu");
}

#[test]
fn sources_compile_the_executor_where_none_fits() {
    if !in_sample() {
        return;
    }
    let sandbox = compiled("-Xcompiler -flto -c src/a.cu -o a.o");
    assert!(!sandbox.holds("a.o", EXECUTOR));
    sandbox.sh("c++ -flto -pthread a.o -o p").ends_with(0);
    sandbox.sh("hirace run -- ./p").ends_with(1);
}

#[test]
fn a_kernel_of_another_file() {
    let kernel = "#include \"k.h\"\n__global__ void scale(int* p) { *p = 1; }\n";
    let main = "#include \"k.h\"\nint main() { int* p; cudaMalloc(&p, 4); scale<<<2, 1>>>(p); \
                return cudaDeviceSynchronize(); }\n";
    let sandbox = Sandbox::cpu()
        .file("k.h", "__global__ void scale(int* p);\n")
        .file("k.cu", kernel)
        .file("m.cu", main);
    sandbox
        .sh("hirace nvcc -O0 -dc k.cu m.cu && hirace nvcc -O0 k.o m.o -o p")
        .ends_with(0);
    sandbox.sh("hirace run -- ./p").ends_with(1).says("k.cu");
}

#[test]
fn host_code_gets_no_executor() {
    let sandbox = Sandbox::cpu()
        .file("plain.cpp", "#include <vector>\nint f() { return 0; }\n")
        .file(
            "h.cpp",
            "#include <cuda_runtime.h>\nint g() { return cudaDeviceSynchronize(); }\n",
        );
    sandbox.sh("hirace g++ -O0 -c plain.cpp h.cpp").ends_with(0);
    assert!(!sandbox.holds("plain.o", EXECUTOR));
    assert!(sandbox.holds("h.o", EXECUTOR));
}

#[test]
fn dependencies_name_the_sources() {
    let sandbox = compiled("-MD -c src/a.cu -o x.o");
    let files = dependencies(&sandbox.read("x.d"));
    assert_eq!(files, ["inc/common.h", "src/a.cu", "src/local.cuh"]);
}

#[test]
fn lists_of_dependencies_name_the_sources() {
    let sandbox = Sandbox::cpu().kernel().file(
        "m.cpp",
        "#include <cuda_runtime.h>\n#include \"src/local.cuh\"\n",
    );
    let sources = ["inc/common.h", "src/a.cu", "src/local.cuh"];
    for (call, target, file) in [
        ("hirace nvcc -M -Iinc src/a.cu", "a.o", None),
        ("hirace nvcc -MM -Iinc src/a.cu -odir o", "o/a.o", None),
        ("hirace nvcc -MM -Iinc src/a.cu -o a.d", "a.o", Some("a.d")),
        (
            "hirace nvcc -M -Iinc src/a.cu -MT x -MF b.d",
            "x",
            Some("b.d"),
        ),
        (
            "hirace g++ -x cu -M -Iinc src/a.cu -MF c.d",
            "a.o",
            Some("c.d"),
        ),
    ] {
        let outcome = sandbox.sh(call);
        outcome.ends_with(0);
        let text = file.map_or_else(|| outcome.stdout.clone(), |it| sandbox.read(it));
        assert_eq!(dependencies(&text), sources, "{call}");
        assert!(text.starts_with(&format!("{target}:")), "{call}: {text}");
        assert!(!text.contains("hirace"), "{call}: {text}");
    }
    let cxx = sandbox.sh("hirace g++ -MM m.cpp");
    assert_eq!(dependencies(&cxx.stdout), ["m.cpp", "src/local.cuh"]);
    assert_eq!(sandbox.leftovers(), 0);
}

#[test]
fn dependencies_of_a_file_with_an_error_name_the_sources() {
    let sandbox = Sandbox::cpu()
        .kernel()
        .file("inc/common.h", "#define COMMON unknown\n");
    sandbox
        .sh("hirace nvcc -Iinc -MD -c src/a.cu -o x.o")
        .ends_with(1)
        .says("inc/common.h:1: error");
    if sandbox.path("x.d").exists() {
        assert!(!sandbox.read("x.d").contains("cache"));
    }
}

#[test]
fn file_macro_is_that_of_the_source() {
    let sandbox = compiled("-c src/a.cu -o x.o");
    let object = std::fs::read(sandbox.path("x.o")).expect("an object");
    let text = String::from_utf8_lossy(&object);
    assert!(text.contains("src/a.cu\0"));
    assert!(!text.contains("/copies/"));
}

#[test]
fn an_object_in_another_directory() {
    let sandbox = Sandbox::cpu().kernel().file("o/empty", "");
    sandbox
        .sh("hirace nvcc -O0 -Iinc -c src/a.cu -odir o")
        .ends_with(0);
    assert!(sandbox.is_instrumented("o/a.o"));
}

#[test]
fn device_code_alone_is_refused() {
    let sandbox = Sandbox::cpu().kernel();
    sandbox
        .sh("hirace nvcc -Iinc -ptx src/a.cu")
        .ends_with(2)
        .says("`nvcc -ptx` produces output that only a GPU can use");
}

#[test]
fn device_link_and_library() {
    let sandbox = compiled("-dc src/a.cu -o a.o");
    sandbox
        .sh("hirace nvcc -arch=sm_90 -dlink a.o -o dlink.o")
        .ends_with(0);
    sandbox
        .sh("hirace nvcc -lib a.o dlink.o -o liba.a")
        .ends_with(0);
    sandbox
        .sh("hirace g++ -Wl,--whole-archive liba.a -Wl,--no-whole-archive -lcudart -o p")
        .ends_with(0);
    sandbox.sh("hirace run -- ./p").ends_with(1);
}

#[test]
fn host_files_find_the_runtime() {
    let sandbox = Sandbox::cpu()
        .file(
            "h.cpp",
            "#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n",
        )
        .file("plain.cpp", "#include <vector>\nint f() { return 0; }\n");
    sandbox
        .sh("hirace g++ -O0 -Wall -Wconversion -Werror h.cpp plain.cpp -o p && ./p")
        .ends_with(0);
    assert!(!sandbox.is_instrumented("plain.cpp"));
}

#[test]
fn host_file_that_includes_device_code() {
    let header = "#pragma once\n#ifdef __CUDACC__\n__device__ inline void put(int* p) { *p = 1; }\n\
                  __global__ inline void k(int* p) { put(p); }\n#endif\n";
    let main = "#include <cuda_runtime.h>\n#include \"k.cuh\"\nint main() { return 0; }\n";
    let sandbox = Sandbox::cpu().file("k.cuh", header).file("m.cpp", main);
    sandbox
        .sh("hirace g++ -O0 -MMD -c m.cpp -o m.o")
        .ends_with(0);
    assert_eq!(dependencies(&sandbox.read("m.d")), ["k.cuh", "m.cpp"]);
}

#[test]
fn a_header_of_the_same_name_in_two_directories() {
    let put = |value| format!("__device__ inline void put(int* p) {{ *p = {value}; }}\n");
    let kernel = |name: &str| {
        format!(
            "#include \"put.cuh\"\n__global__ void {name}(int* p) {{ put(p); }}\n\
                 void run_{name}(int* p) {{ {name}<<<2, 1>>>(p); cudaDeviceSynchronize(); }}\n"
        )
    };
    let main = "void run_a(int*);\nvoid run_b(int*);\nint main() { int* p; cudaMalloc(&p, 4); run_a(p);\
                int h; cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); if (h != 1) return 3; run_b(p);\
                cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); return h == 2 ? 0 : 4; }\n";
    let sandbox = Sandbox::cpu()
        .file(
            "a/put.cuh",
            put(1)
                .replace("put(", "put_a(")
                .replace("inline", "static inline"),
        )
        .file("a/a.cu", kernel("a").replace("{ put(", "{ put_a("))
        .file("b/put.cuh", put(2))
        .file("b/b.cu", kernel("b"))
        .file("main.cu", main);
    // Both are on the include path; the includer's own directory comes first.
    sandbox
        .sh("hirace nvcc -O0 -Ia -Ib a/a.cu b/b.cu main.cu -o p && ./p")
        .ends_with(0);
    sandbox
        .sh("hirace run -- ./p")
        .ends_with(1)
        .says("b/put.cuh");
}

#[test]
fn header_with_include_next() {
    let sandbox = Sandbox::cpu()
        .file(
            "one/limits.cuh",
            "#pragma once\n#include_next <limits.cuh>\n#define ONE 1\n",
        )
        .file("two/limits.cuh", "#pragma once\n#define TWO 2\n")
        .file(
            "k.cu",
            "#include <limits.cuh>\n__global__ void k(int* p) { *p = ONE + TWO; }\n",
        );
    sandbox
        .sh("hirace nvcc -O0 -Ione -Itwo -c k.cu")
        .ends_with(0);
}

#[test]
fn sources_included_by_absolute_paths() {
    let sandbox = Sandbox::cpu().kernel();
    let unity = format!("#include \"{}\"\n", sandbox.path("src/a.cu").display());
    let sandbox = sandbox.file("CMakeFiles/p.dir/Unity/unity_0_cu.cu", unity);
    sandbox
        .sh("hirace nvcc -O0 -Iinc -MD -MF u.d CMakeFiles/p.dir/Unity/unity_0_cu.cu -o p")
        .ends_with(0);
    sandbox
        .sh("hirace run -- ./p")
        .ends_with(1)
        .says("src/local.cuh");
    let files = dependencies(&sandbox.read("u.d"));
    let kernel = sandbox.path("src/a.cu").display().to_string();
    assert!(files.contains(&kernel) && files.len() == 4, "{files:?}");
}

/// The calls that were made are found in the debug information, whatever the compiler was told to call the file. The
/// source alone leaves open which of two calls it was.
#[test]
fn calls_in_sources_with_absolute_paths() {
    let text = "__device__ int mix(int* s, int v, bool wait) {\n\
                  s[threadIdx.x] = v;\n\
                  if (wait) __syncthreads();\n\
                  int r = s[(threadIdx.x + 32) % 64];\n\
                  __syncthreads();\n\
                  return r;\n\
                }\n\
                __global__ void k(int* out) {\n\
                  __shared__ int s[64];\n\
                  int sum = mix(s, 1, true);\n\
                  out[threadIdx.x] = sum + mix(s, 2, false);\n\
                }\n\
                int main() { int* o; cudaMalloc(&o, 256); k<<<1, 64>>>(o); cudaDeviceSynchronize(); }\n";
    let sandbox = Sandbox::cpu().file("src/two.cu", text);
    sandbox.sh("hirace nvcc $PWD/src/two.cu -o p").ends_with(0);
    let called = "(2) is in `mix`, called on line 11";
    sandbox.sh("hirace run -- ./p").ends_with(1).says(called);
    sandbox
        .sh("cd src && hirace run -- ../p")
        .ends_with(1)
        .says(called);
}

#[test]
fn bad_choice_of_a_backend() {
    let sandbox = Sandbox::cpu().kernel();
    sandbox
        .sh("HIRACE_BACKEND=tpu hirace nvcc -c src/a.cu")
        .ends_with(2)
        .says("HIRACE_BACKEND is `tpu`");
}

#[test]
fn without_nvcc_the_executor_is_chosen() {
    if std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|directory| directory.join("nvcc").exists())
    }) {
        println!("skipped: there is an nvcc on the path");
        return;
    }
    let sandbox = Sandbox::cpu().kernel();
    sandbox
        .sh("unset HIRACE_BACKEND; hirace nvcc -O0 -Iinc src/a.cu -o p && hirace run -- ./p")
        .ends_with(1);
}
