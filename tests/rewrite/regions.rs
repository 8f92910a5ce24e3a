//! Which kernels become coroutines.

use hirace::model::Backend;

use crate::run;

/// Whether a kernel with these parameters and statements becomes one.
fn is_coroutine(parameters: &str, statements: &str) -> bool {
    let source = format!(
        "#define LEAVE return\n#define SYNC __syncthreads()\nconstexpr int few = 16, many = 256;\n\
         template <int Size> __global__ void k({parameters}) {{\n{statements}\n}}\n"
    );
    let text = run(&source, Backend::Cpu, &[]).text;
    assert!(!run(&source, Backend::Gpu, &[]).text.contains("REGION"));
    let parts = ["BEGIN_REGIONS", "END_REGIONS", "REGION_BARRIER"].map(|it| text.contains(it));
    assert!(parts == [parts[0]; 3], "{text}");
    parts[0]
}

#[test]
fn barriers_in_the_kernels_own_body() {
    for statements in [
        "__syncthreads();",
        "for (int i = 0; i < n; ++i) { if (i == a[0]) return; __syncthreads(); }",
        "for (int i = 0; i < few; ++i) a[i] = 1; __syncthreads();",
        "for (int i = 0; i < Size; ++i) a[i] = 1; __syncthreads();",
        "for (int i = n; i > 0; i /= 2) a[i] = 1; __syncthreads();",
        "auto f = [](int x) { return x; }; a[0] = f(1); __syncthreads();",
    ] {
        assert!(
            is_coroutine("int* a, const int n", statements),
            "{statements}"
        );
    }
    for statements in [
        "a[0] = 1;",
        "a[0] = __syncthreads_count(n);",
        "SYNC;",
        "auto f = [] { __syncthreads(); }; f();",
        // What these mean in a coroutine is something else, or an error.
        "LEAVE; __syncthreads();",
        "again: __syncthreads(); if (n) goto again;",
        "a[0] = __func__[0]; __syncthreads();",
        // They run longer in a coroutine.
        "for (int i = 0; i < n; ++i) a[i] = 1; __syncthreads();",
        "for (int i = 0; i < many; ++i) a[i] = 1; __syncthreads();",
        "while (a[0]) a[0] -= 1; __syncthreads();",
    ] {
        assert!(
            !is_coroutine("int* a, const int n", statements),
            "{statements}"
        );
    }
    assert!(!is_coroutine("int*, int n", "__syncthreads();"));
    assert!(!is_coroutine("", "__syncthreads();"));
}

#[test]
fn parameters_are_passed_on() {
    let source = "template <class... T> __global__ void k(const float* __restrict__ x, // one\n  T*... rest) {\n\
                  if (x[0] > 1) return; __syncthreads();\n}\n";
    let text = run(source, Backend::Cpu, &[]).text;
    assert!(
        text.contains("HIRACE_BEGIN_REGIONS(const float* __restrict__ x, T*... rest)"),
        "{text}"
    );
    assert!(text.contains("HIRACE_END_REGIONS(x, rest...)"), "{text}");
    assert!(text.contains("HIRACE_REGION_RETURN;"), "{text}");
}
