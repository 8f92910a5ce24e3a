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
        // They run longer in a coroutine, and cannot be lambdas.
        "for (int i = 0; i < n; ++i) if (a[i]) return; __syncthreads();",
        "while (a[0]) { a[0] -= 1; again: a[1] = 1; } __syncthreads();",
    ] {
        assert!(
            !is_coroutine("int* a, const int n", statements),
            "{statements}"
        );
    }
    assert!(!is_coroutine("int*, int n", "__syncthreads();"));
    assert!(!is_coroutine("", "__syncthreads();"));
}

/// What the kernel's text says of the only long loop among these statements; none if there is no lambda.
fn captured(statements: &str) -> Option<String> {
    let source = format!(
        "#define NEXT +1\n#define ADD total += 1\n__device__ void f(float& x);\n\
         __global__ void k(int* a, int n) {{\n{statements}\n__syncthreads();\n}}\n"
    );
    let text = run(&source, Backend::Cpu, &[]).text;
    let (_, rest) = text.split_once("HIRACE_BEGIN_REGION_LOOP(")?;
    assert_eq!(rest.matches("HIRACE_END_REGION_LOOP").count(), 1, "{text}");
    Some(rest.split_once(')')?.0.to_owned())
}

#[test]
fn long_loops_are_lambdas() {
    for statements in [
        "for (int i = 0; i < n; ++i) a[i] = 1;",
        "for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) a[i] = 1;",
        "while (a[0]) { if (n == 2) break; a[0] -= 1; }",
        "do { switch (n) { case 1: a[0] = 1; } } while (a[0]);",
        "if (n) for (int i = 0; i < n; ++i) a[i] = 1; else a[0] = 2;",
    ] {
        assert_eq!(captured(statements).as_deref(), Some(""), "{statements}");
    }
    for statements in [
        "for (int i = 0; i < 8; ++i) a[i] = 1;",
        "for (int i = 0; i < n; ++i) { a[i] = 1; __syncthreads(); }",
    ] {
        assert_eq!(captured(statements), None, "{statements}");
    }
}

/// A lambda has a copy of a number that the loop changes if nothing else can see that it is another one.
#[test]
fn numbers_in_long_loops() {
    let of = |declared: &str, body: &str, after: &str| {
        let statements = format!("{declared}; for (int i = 0; i < n; ++i) {{ {body}; }} {after};");
        captured(&statements).expect("a lambda")
    };
    let one = ", &hirace_v0 = x";
    assert_eq!(of("float x = 0", "x += a[i]", "a[0] = x"), one);
    assert_eq!(of("int x, y = 2", "x = i * y", "a[0] = x"), one);
    assert_eq!(of("int x = 0", "x++; s.x = 1", "a[0] = x"), one);
    let two = of("int x = 0; unsigned y = 1", "x = y; --y", "");
    assert_eq!(two, ", &hirace_v0 = x, &hirace_v1 = y");
    for (declared, body, after) in [
        ("float x = 0", "a[i] = x", ""),
        ("float x = 0; float* p = &x", "x += *p", ""),
        ("float x = 0; float& r = x", "x += r", ""),
        ("float x = 0", "x += a[i]; f(x)", ""),
        ("float x = 0", "x += a[i]", "auto g = [&] { return x; }"),
        ("const int x = 0", "(int&)x = 1", ""),
        ("static int x", "x += 1", ""),
        ("volatile int x", "x += 1", ""),
        ("__shared__ int x", "x += 1", ""),
        ("int total = 0", "ADD; total += 1", ""),
        ("Number x = 0", "x += 1", ""),
        ("{ int x = 0; a[0] = x; }", "x += 1", ""),
        ("{ int x = 0; a[0] = x; } int x = 0", "x += 1", ""),
        ("int x[2]", "x[0] += 1", ""),
    ] {
        assert_eq!(of(declared, body, after), "", "{declared}: {body}; {after}");
    }
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
