//! Programs that are not text as usual, or that cannot run as they are: other encodings, no kernels of
//! their own, missing headers, files and devices.

use crate::harness::{RACY, Sandbox};

#[test]
fn other_encodings() {
    let mut text = b"// na\xefve\n".to_vec();
    text.extend(
        RACY.replacen("__global__", "/* \u{1} */ __global__", 1)
            .as_bytes(),
    );
    for byte in &mut text {
        if *byte == 1 {
            *byte = 0xe9;
        }
    }
    let sandbox = Sandbox::new().file("a.cu", text);
    let report = sandbox
        .check(&["a.cu", "--format", "json"])
        .ends_with(1)
        .json();
    assert_eq!(report["races"][0]["accesses"][0]["line"], 3);
    sandbox.check(&["a.cu"]).ends_with(1).says("/* \u{fffd} */");
    sandbox
        .run(&["instrument", "--backend", "cpu", "a.cu"])
        .ends_with(0);
    let copy = std::fs::read(sandbox.path("hirace-out/a.cu")).unwrap();
    assert!(copy.windows(5).any(|it| it == b"na\xefve"));
}

#[test]
fn no_kernel_of_its_own() {
    let note = "note: the program has no kernel of its own";
    Sandbox::with("int main() { void* p; cudaMalloc(&p, 8); cudaMemset(p, 0, 8); }\n")
        .check(&["a.cu"])
        .ends_with(0)
        .says(note);
    Sandbox::with(
        "__global__ void k() {}\nint main() { k<<<1, 32>>>(); cudaDeviceSynchronize(); }\n",
    )
    .check(&["a.cu"])
    .ends_with(0)
    .says("no kernel of the program accesses shared or global memory: nothing to check");
}

#[test]
fn missing_headers() {
    Sandbox::with("#include <mpi.h>\nint main() { cudaFree(0); }\n")
        .check(&["a.cu"])
        .ends_with(2)
        .says("the program needs MPI: a.cu:1 includes `mpi.h`");
}

/// A program that needs a file, and exits with an error otherwise.
const NEEDS_FILE: &str = "#include <cstdio>
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main(int count, char** names) {
  if (count < 2 || !fopen(names[1], \"r\")) return 3;
  cudaSetDevice(1);
  return 4;
}
";

#[test]
fn missing_files_and_devices() {
    let sandbox = Sandbox::with(NEEDS_FILE).file("there", "x");
    let check = |arguments: &[&str], message: &str| {
        sandbox.check(arguments).ends_with(2).says(message);
    };
    check(
        &["a.cu"],
        "the program ended with status 3 before any kernel launch",
    );
    check(
        &["a.cu", "--", "absent"],
        "the program could not open `absent`, and ended with status 3 before any kernel launch",
    );
    check(
        &["a.cu", "--", "there"],
        "the program asked for device 1, and ended with status 4 before any kernel launch",
    );
}

#[test]
fn reads_of_unwritten_memory_are_errors_on_request() {
    let sandbox = Sandbox::with(
        "__global__ void k(int* p) { p[threadIdx.x] += 1; }
int main() { int* p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); cudaDeviceSynchronize(); }
",
    )
    .file("strict.toml", "[check]\ninit-check = true\n");
    sandbox.check(&["a.cu"]).ends_with(0).says("HF012");
    sandbox.check(&["a.cu", "--strict"]).ends_with(1);
    for arguments in [&["--init-check"][..], &["--config", "strict.toml"]] {
        let all = [&["a.cu", "--format", "json"], arguments].concat();
        let report = sandbox.check(&all).ends_with(1).json();
        assert_eq!(report["faults"][0]["severity"], "error");
    }
    let report = sandbox
        .check(&["a.cu", "--format", "sarif"])
        .ends_with(0)
        .json();
    assert_eq!(report["runs"][0]["results"][0]["level"], "warning");
}

#[test]
fn macros_on_the_command_line() {
    let text = "__global__ void k(T* p) { p[threadIdx.x] = N + A; }
int main() { T* p; cudaMalloc(&p, N * sizeof(T)); k<<<1, N>>>(p); cudaDeviceSynchronize(); }
";
    let sandbox = Sandbox::with(text);
    let mut arguments = vec!["a.cu".to_owned(), "--cc-arg=-DT=double".to_owned()];
    for name in 'A'..='Z' {
        if name != 'T' {
            arguments.push(format!("--cc-arg=-D{name}=32"));
        }
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    sandbox.check(&arguments).ends_with(0);
}

#[test]
fn each_file_has_its_own_device_names() {
    let file = |body: &str, sign: &str| {
        format!(
            "__device__ int counter = 1;\n__constant__ int table[1] = {{2}};\n\
             __device__ int helper(int x) {{ return x {sign} counter; }}\n{body}\n"
        )
    };
    let first = "void second(int*);
__global__ void k(int* p) { p[0] = helper(table[0]); }
int main() {
  int* p;
  cudaMallocManaged(&p, 8);
  k<<<1, 1>>>(p);
  second(p);
  cudaDeviceSynchronize();
  return p[0] != 3 || p[1] != 1;
}";
    let second = "__global__ void l(int* p) { p[1] = helper(table[0]); }
void second(int* p) { l<<<1, 1>>>(p); }";
    Sandbox::new()
        .file("a.cu", file(first, "+"))
        .file("b.cu", file(second, "-"))
        .check(&["a.cu", "b.cu"])
        .ends_with(0);
}

#[test]
fn a_statement_repeated_by_macros() {
    let text = "#define R2(x) x x
#define R8(x) R2(R2(R2(x)))
#define R512(x) R8(R8(R8(x)))
__global__ void k(float* p, float* q) {
  const int t = threadIdx.x;
  R512(p[t] += q[t] * p[t + 1]; p[t] *= 0.5f;)
}
int main() {
  float* p;
  cudaMallocManaged(&p, 512);
  cudaMemset(p, 0, 512);
  k<<<1, 1>>>(p, p + 64);
  cudaDeviceSynchronize();
}
";
    let sandbox = Sandbox::with(text);
    // Without optimisation, the frame of such a function exceeds a thread's stack.
    sandbox
        .run(&["check", "--backend", "cpu", "a.cu"])
        .ends_with(0);
    sandbox
        .run(&["instrument", "--backend", "cpu", "a.cu"])
        .ends_with(0);
    let copy = std::fs::read_to_string(sandbox.path("hirace-out/a.cu")).unwrap();
    assert!(copy.starts_with("#define HIRACE_CHECKS_BY_CALL\n"));
}

#[test]
fn a_header_of_the_command_line_has_hooks() {
    let kernel = "__global__ void all_write(int* out) { *out = threadIdx.x; }\n";
    let main = "int main() { int* p; cudaMalloc(&p, 4); all_write<<<1, 64>>>(p); cudaDeviceSynchronize(); }\n";
    let sandbox = Sandbox::with(main)
        .file("first.cuh", kernel)
        .file("inc/other.cuh", kernel);
    for options in [
        &["-include", "first.cuh"][..],
        &["-include", "other.cuh", "-Iinc"],
    ] {
        let outcome = sandbox.run(&[&["check", "--backend", "cpu", "a.cu"], options].concat());
        outcome
            .ends_with(1)
            .says(".cuh:1:39]")
            .says("race on global `out`");
    }
}
