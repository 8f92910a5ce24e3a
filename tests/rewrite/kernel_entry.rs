//! The statement at the beginning of kernels: it determines which memory a launch cannot write, and names the
//! parameters in reports.

use hirace::model::Backend;
use hirace::model::table::variable_key;
use hirace::rewrite::Skip;

use crate::run_skipping;

/// The arguments of the statement that says what the kernel in `source` can only read; empty without one.
fn beginning(source: &str) -> String {
    hook("enter_kernel", source).0
}

/// The arguments of a hook at the beginning of a kernel, with the names in reports.
fn hook(name: &str, source: &str) -> (String, Vec<String>) {
    let result = run_skipping(Skip::default(), source, Backend::Cpu, &[]);
    assert!(result.errors.is_empty(), "{:?}", result.errors);
    let call = result.text.split_once(&format!("::hirace::cpu::{name}<"));
    let Some((names, rest)) = call.and_then(|(_, rest)| rest.split_once('>')) else {
        return (String::new(), vec![]);
    };
    let (count, first) = names.split_once(", 0x").expect("a count and a key");
    let first = u64::from_str_radix(first.trim_end_matches('u'), 16).expect("a key");
    let count: u64 = count.parse().expect("a count");
    let name = |key: u64| {
        let mut all = result.variables.iter();
        let own = all.find(|it| variable_key(result.key, it.number) == key);
        own.map_or(String::new(), |it| it.name.clone())
    };
    let arguments = rest.split(';').next().unwrap_or("");
    (
        arguments.to_owned(),
        (first..first + count).map(name).collect(),
    )
}

#[test]
fn names_of_parameters() {
    let named = |source: &str| hook("name_parameters", source);
    let kernel = "__global__ void k(float* a, int n, float* b) { b[n] = a[n]; a[0] = 1; }";
    let names = ["a", "n", "b"].map(str::to_owned).to_vec();
    assert_eq!(named(kernel), ("(a, n, b)".to_owned(), names.clone()));
    // Other variables with names come before and after.
    let among = format!(
        "__device__ int x; {kernel} __global__ void l() {{ __shared__ int s[9]; s[x] = 1; }}"
    );
    assert_eq!(named(&among).1, names);
    let cast = "__global__ void k(const float* a, float b[]) { ((float*)a)[0] = b[0]; }";
    assert_eq!(named(cast).1, ["a", "b"]);
    let object = "struct P { int* p; }; __global__ void k(P p) { *p.p = 1; }";
    assert_eq!(named(object).1, ["p"]);
    // Arguments of a pack have no position that the text shows.
    let pack = "template <class... T> __global__ void k(int* a, T*... more, int* b) { *b = *a = (*more + ...); }";
    let (arguments, names) = named(pack);
    assert_eq!(
        (arguments.as_str(), &names[..]),
        ("(a, more..., b)", &["a".to_owned()][..])
    );
    let both = "__global__ void k(const float* a, float* b) { b[0] = a[0]; }";
    assert_eq!(hook("enter_kernel", both).1, ["a", "b"]);
    for nothing in [
        "__global__ void k() {}",
        "__global__ void k(int n, unsigned long long m) { f(n, m); }",
        "__global__ void k(float* a, MORE) { a[0] = 1; }",
        "__device__ void f(float* a) { a[0] = 1; }",
    ] {
        assert_eq!(named(nothing).0, "", "{nothing}");
    }
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
        "__global__ void k(float* a, float* b) { b[0] = a[0]; a[0] = 1; }",
        "__device__ void f(const float* a, float* b) { b[0] = a[0]; }",
    ] {
        assert_eq!(beginning(nothing), "", "{nothing}");
    }
}

#[test]
fn parameters_that_the_preprocessor_decides_on() {
    let choice = "__global__ void k(const float* a,\n#ifdef X\nint n\n#else\nlong n\n#endif\n) { n = a[0]; }";
    assert_eq!(beginning(choice), "");
    let heads = "#ifdef X\n__global__ void k(const float* a, float* b)\n#else\n__global__ void k(float* b)\n#endif\n\
                 {\n#ifdef X\n b[0] = a[0];\n#else\n b[0] = b[1];\n#endif\n}";
    assert_eq!(beginning(heads), "");
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

/// A pointer that a kernel only reads through is as good as one to constants.
#[test]
fn pointers_that_are_only_read_through() {
    let before = "struct V { float x; };\n\
        __device__ float sum(const float* p, int n) { return p[0] + p[n]; }\n\
        __device__ void set(float* p) { *p = 1; }\n\
        #define AT(p, i) (p)[i]\n#define ZERO(x) (x) = 0\n#define OF_A a[1]\n";
    let kernel = |statement: &str| {
        beginning(&format!(
            "{before}__global__ void k(float* a, float* b, V* v, int i) {{ b[i] = 1; v[i].x = 1; {statement} }}"
        ))
    };
    for read in [
        "b[i] = a[i];",
        "b[i] = *a + *(a + i) + a[i + 1];",
        "if (a != nullptr && a < b) b[i] = a[(int)a[0]];",
        "if (!a) return; b[i] = sizeof(a) + __ldg(a + i) + __ldg(&a[1]);",
        "b[i] = sum(a, i) + sum(a + 1, 2);",
        "const float* p = a + i; b[i] = p[0];",
        "b[i] = ((const float4*)a)[i].x;",
        "b[i] = fmaxf(a[i], a[i + 1]);",
        "auto f = [=](int k) { return a[k]; }; b[i] = f(i);",
        "float x = a[i]; x += a[1]; b[i] = x;",
    ] {
        assert_eq!(
            kernel(read),
            "(::hirace::as_constant(a), b, v, i)",
            "{read}"
        );
    }
    for other in [
        "a[i] = 1;",
        "a[i] += b[i];",
        "a[i]++;",
        "*(a + i) = 1;",
        "atomicAdd(&a[i], 1.0f);",
        "atomicAdd(a + i, 1.0f);",
        "float* p = a; p[0] = 1;",
        "auto p = a + 1; p[0] = 1;",
        "float& r = a[i]; r = 1;",
        "set(a);",
        "set(&a[i]);",
        "library(a);",
        "ZERO(a[i]);",
        "ZERO(AT(a, i));",
        "b[i] = AT(a, i);",
        "OF_A = 1;",
        "b[i] = OF_A;",
        "a += i; b[i] = a[0];",
        "((float4*)a)[i].x = 1;",
        "b = a;",
        "(i ? a : b)[0] = 1;",
        "b[i] = *(1 + a);",
        "asm(\"st.global.f32 [%0], 0f00000000;\" :: \"l\"(a));",
        "auto f = [=](int k) { a[k] = 1; }; f(i);",
        "{ float a[4]; a[i] = 1; b[i] = a[0]; }",
        "V w = *(V*)a; b[i] = w.x;",
    ] {
        assert_eq!(kernel(other), "", "{other}");
    }
    // Values that a function, a constructor or an operator may get by reference; elements that are arrays.
    let types = "struct Wrap { int& r; __device__ Wrap(int& x) : r(x) {} };\n\
        struct Pair { int& r; };\ntypedef int Row[4];\nusing Line = int[4];\n\
        struct Bits { int v; }; __device__ void operator<<(Bits& b, int x) { b.v = x; }\n";
    for (parameter, statement) in [
        ("int* p", "w(p[0]);"),
        ("int* p", "[](auto& x) { x = 1; }(p[0]);"),
        ("int* p", "Wrap x = p[1];"),
        ("int* p", "Pair x = {p[0]};"),
        ("int* p", "auto&& x = p[0]; x = 1;"),
        ("Row* p", "int* q = p[0]; q[1] = 1;"),
        ("Row* p", "auto q = p[0]; q[1] = 1;"),
        ("Line* p", "auto q = p[0]; q[1] = 1;"),
        ("Bits* p", "p[0] << 1;"),
        ("void* p", "if (p) *o = 1;"),
    ] {
        let kernel = format!(
            "{types}template <class F> __global__ void k({parameter}, int* o, F w) {{ *o += 1; {statement} }}"
        );
        assert_eq!(beginning(&kernel), "", "{parameter}: {statement}");
    }
    // One that is only read through, and one to constants.
    let both = "__global__ void k(const float* a, float* b, float* c) { c[0] = a[0] + b[0]; }";
    assert_eq!(beginning(both), "(a, ::hirace::as_constant(b), c)");
}

/// A macro may expand to further parameters, or to something other than a name.
#[test]
fn parameters_in_macros() {
    let kernel = |define: &str, parameters: &str| {
        beginning(&format!(
            "{define}\n__global__ void k({parameters}) {{ float x = a[0]; }}\n"
        ))
    };
    assert_eq!(
        kernel("#define REAL float", "const REAL* a, REAL* b"),
        "(a, ::hirace::as_constant(b))"
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

/// Declarations that hide from the executor that a pointer leads to an array.
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
    assert!(result.text.contains("name_parameters"));
    let gpu = run_skipping(Skip::NOTHING, source, Backend::Gpu, &[]);
    assert!(gpu.text.contains("hirace_kernel_scope; "));
    assert!(!gpu.text.contains("_of_parameter"));
}

/// The arguments of the object at the beginning of a kernel on a GPU, and the hooks with a
/// parameter's number: name and number.
fn on_gpu(source: &str) -> (String, Vec<String>) {
    let result = run_skipping(Skip::default(), source, Backend::Gpu, &[]);
    assert!(result.errors.is_empty(), "{:?}", result.errors);
    let scope = result
        .text
        .split_once("::hirace::KernelScope hirace_kernel_scope");
    let arguments = scope.and_then(|(_, rest)| rest.split_once(';'));
    let arguments = arguments.map_or(String::new(), |(arguments, _)| arguments.to_owned());
    let hooks = result.text.split("::hirace::").filter_map(|rest| {
        let (name, rest) = rest.split_once("_of_parameter(")?;
        let (_, rest) = rest.split_once(", ")?;
        let (number, rest) = rest.split_once(", ")?;
        let lvalue = rest.split([']', ')']).next()?;
        name.chars()
            .all(|it| it.is_alphanumeric() || it == '_')
            .then(|| format!("{name} {number} {lvalue}"))
    });
    (arguments, hooks.collect())
}

#[test]
fn reads_by_parameters_on_a_gpu() {
    let (arguments, hooks) = on_gpu(
        "__device__ int get(const int* a) { return a[0]; }
        __global__ void k(int n, const int* a, int* b, const float3* __restrict__ v) {
          b[n] = a[n] + *a + b[1] + get(a + 1);
          float3 w = v[n];
          b[2] = f(v[3].x);
          b[3] = a[n];
          __shared__ int s[32];
          s[0] = 1;
          __syncthreads();
          b[4] = s[1];
        }",
    );
    assert_eq!(arguments, "(n, a, b, v)");
    let expected = [
        "read 1 a[n",
        "read 1 *a",
        // A call may return a reference to the array.
        "read 1 get(a + 1",
        "copy 3 v[n",
        "read_argument 3 v[3",
        "read 1 a[n",
    ];
    assert_eq!(hooks, expected);
}

#[test]
fn kernels_without_reads_by_parameters_on_a_gpu() {
    let kernel = "__global__ void k(const float* a, float* b) { b[0] = a[0]; }";
    assert_eq!(on_gpu(kernel).0, "(a, b)");
    for plain in [
        // No read goes through a constant parameter.
        "__global__ void k(const float* a, float* b) { b[0] = b[1]; }",
        "__device__ float f(const float* a); __global__ void k(const float* a, float* b) { b[0] = f(a); }",
        "__global__ void k(const float* a, float* b) { ((float*)a)[1] = a[0]; }",
        // After a pack, the parameter's number is unknown.
        "template <class... T> __global__ void k(T... more, const float* a) { float x = a[0]; }",
    ] {
        assert_eq!(on_gpu(plain), (String::new(), vec![]), "{plain}");
    }
    for hidden in [
        "__device__ float* p;",
        "__managed__ struct P { float* p; } all[3];",
        "__constant__ float* p;",
    ] {
        assert_eq!(on_gpu(&format!("{hidden}\n{kernel}")).0, "", "{hidden}");
    }
    let numbers = format!("__device__ float total; __constant__ int3 sizes;\n{kernel}");
    assert_eq!(on_gpu(&numbers).0, "(a, b)");
}
