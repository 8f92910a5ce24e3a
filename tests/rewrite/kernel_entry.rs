//! The statement that kernels begin with on the CPU: it says what memory a launch cannot write.

use hirace::model::Backend;
use hirace::rewrite::Skip;

use crate::run_skipping;

/// What the kernel in `source` begins with; empty if it begins as it was.
fn beginning(source: &str) -> String {
    let result = run_skipping(Skip::default(), source, Backend::Cpu, &[]);
    assert!(result.errors.is_empty(), "{:?}", result.errors);
    let call = result.text.split_once("::hirace::cpu::enter_kernel");
    let arguments = call.and_then(|(_, rest)| rest.split_once(';'));
    arguments.map_or(String::new(), |(arguments, _)| arguments.to_owned())
}

#[test]
fn parameters() {
    let whole = "__global__ void k(const float* a, float* const b, int n = 3) { b[0] = a[n]; }";
    assert_eq!(beginning(whole), "(a, b, n)");
    let unnamed = "__global__ void k(const float* a, int) { float x = a[0]; }";
    assert_eq!(beginning(unnamed), "(a)");
    let pack = "template <class... T> __global__ void k(int n, const T*... more) { int x = (more[n] + ...); }";
    assert_eq!(beginning(pack), "(n, more...)");
    let function = "__global__ void k(void (*f)(int), const float* a) { f(a[0]); }";
    assert_eq!(beginning(function), "(f, a)");
    for nothing in [
        "__global__ void k() {}",
        "__global__ void k(const float* a, float* b) { b[0] = 1; }",
        "__global__ void k(float* a, float* b) { b[0] = a[0]; }",
        "__device__ void f(const float* a, float* b) { b[0] = a[0]; }",
    ] {
        assert_eq!(beginning(nothing), "", "{nothing}");
    }
}

#[test]
fn parameters_that_the_preprocessor_decides_on() {
    let choice = "__global__ void k(const float* a,\n#ifdef X\nint n\n#else\nlong n\n#endif\n) { n = a[0]; }";
    assert_eq!(beginning(choice), "");
}

#[test]
fn casts_that_could_write_constants() {
    let kernel = |statement: &str| {
        beginning(&format!(
            "__global__ void k(const float* a, float* b, int i) {{ b[i] = a[i]; {statement} }}"
        ))
    };
    for harmless in [
        "b[i] = ((const float4*)a)[i].x;",
        "b[i] = reinterpret_cast<const float4*>(a)[i].x;",
        "((float4*)b)[i] = make_float4(a[i], 0, 0, 0);",
        "b[i] = (float)a[i] + static_cast<int>(a[i]);",
        "b[i] = (Real)(a[i] + 1) + (Real)*a;",
    ] {
        assert_eq!(kernel(harmless), "(a, b, i)", "{harmless}");
    }
    for dangerous in [
        "((float*)a)[i] = 1;",
        "((float*)(a + i))[0] = 1;",
        "(float&)a[i] = 1;",
        "*reinterpret_cast<float4*>((size_t)&a[i]) = make_float4(0, 0, 0, 0);",
        "((Floats)a)[i] = 1;",
        "((Floats)(a + 1))[i] = 1;",
        "auto kept = reinterpret_cast<uintptr_t>(a);",
        "auto kept = (unsigned long long)&a[i];",
        "const_cast<float&>(a[i]) = 1;",
        "auto p = const_cast<float*>(b + i);",
    ] {
        assert_eq!(kernel(dangerous), "", "{dangerous}");
    }
}

/// A macro may stand for further parameters, or for something else than a name.
#[test]
fn parameters_in_macros() {
    let kernel = |define: &str, parameters: &str| {
        beginning(&format!(
            "{define}\n__global__ void k({parameters}) {{ float x = a[0]; }}\n"
        ))
    };
    assert_eq!(
        kernel("#define REAL float", "const REAL* a, REAL* b"),
        "(a, b)"
    );
    for (define, parameters) in [
        ("#define MORE float* b", "const float* a, MORE"),
        ("#define MORE int n, float* b", "const float* a, MORE"),
        ("#define MORE pointer b", "const float* a, MORE"),
        ("#define UNUSED(x) x", "const float* a, float* UNUSED(b)"),
        ("#define a a, float* b", "const float* a"),
        ("", "const float* a, FROM_ANOTHER_HEADER"),
    ] {
        assert_eq!(kernel(define, parameters), "", "{define} {parameters}");
    }
}

/// Where the executor would not see that a pointer leads to an array.
#[test]
fn pointers_out_of_sight() {
    let kernel = "__global__ void k(const float* a, float* b) { b[0] = a[0]; }";
    let with = |declaration: &str| beginning(&format!("{declaration}\n{kernel}\n"));
    for visible in [
        "__device__ float* p;",
        "__constant__ float weights[9]; __constant__ float3 v;",
        "template <class T> __device__ float last;",
        "template <class T> struct S { T* p; };",
    ] {
        assert_eq!(with(visible), "(a, b)", "{visible}");
    }
    for hidden in [
        "__constant__ float* p;",
        "struct P { float* p; }; __constant__ P p;",
        "template <class T> __device__ T* p;",
        "template <class T> struct S { static __device__ T* p; };",
        "struct __attribute__((packed)) S { char c; float* p; };",
        "#pragma pack(push, 4)\nstruct S { int c; float* p; };\n#pragma pack(pop)",
    ] {
        assert_eq!(with(hidden), "", "{hidden}");
    }
}

#[test]
fn nothing_where_every_access_is_checked() {
    let source = "__global__ void k(const float* a, float* b) { b[0] = a[0]; }";
    let result = run_skipping(Skip::NOTHING, source, Backend::Cpu, &[]);
    assert!(!result.text.contains("enter_kernel"));
    let gpu = run_skipping(Skip::default(), source, Backend::Gpu, &[]);
    assert!(
        gpu.text
            .contains("{ ::hirace::KernelScope hirace_kernel_scope;")
    );
}
