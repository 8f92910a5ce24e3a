//! What kernels may reach that orders accesses: `hirace instrument --show ir` names it, and the executor is told.

use hirace::model::Backend;

use crate::run;

/// What the kernel `k` may reach, as it is printed, and the number that the executor gets.
fn reach_with_examples(source: &str) -> (String, char) {
    let result = run(source, Backend::Cpu, &[]);
    assert!(result.errors.is_empty(), "{:?}", result.errors);
    let kernel = result.described.iter().find(|it| it.starts_with("k\n"));
    let kernel = kernel.expect("the kernel is described");
    let second = kernel.lines().nth(1).unwrap_or_default().trim();
    let reached = second.strip_prefix("may reach ").unwrap_or_default();
    let (before, _) = result
        .text
        .split_once(" k\\012")
        .expect("it is in the table");
    (reached.to_owned(), before.chars().last().unwrap_or(' '))
}

/// The same without examples.
fn reach(source: &str) -> (String, char) {
    let (reached, told) = reach_with_examples(source);
    let names = reached.split(", ");
    let names = names.map(|it| it.split_once(" (`").map_or(it, |(name, _)| name));
    (names.collect::<Vec<_>>().join(", "), told)
}

#[test]
fn examples_of_what_is_reached() {
    let before = "__device__ void inner(int* a) { atomicAdd(a, 1); hidden(a); __threadfence(); }\n\
                  __device__ void outer(int* a) { inner(a); }";
    let (reached, _) = reach_with_examples(&kernel(before, "outer(a); __syncthreads();"));
    assert_eq!(
        reached,
        "block barriers (`__syncthreads`), fences (`__threadfence`), atomics (`atomicAdd`), unknown code (`hidden`)"
    );
}

#[track_caller]
fn check(source: &str, reached: &str, told: char) {
    assert_eq!(reach(source), (reached.to_owned(), told), "{source}");
}

/// A kernel with this body, after other declarations.
fn kernel(before: &str, body: &str) -> String {
    format!("{before}\n__global__ void k(int* a, float* f, int n) {{ {body} }}\n")
}

#[test]
fn arithmetic_and_barriers_are_left_to_the_machine() {
    for body in [
        "a[n] = 1;",
        "f[n] = sqrtf(f[0]) + __expf(1.0f) + float(n) + fmaxf(f[1], __int2float_rn(n));",
        "float4 v = make_float4(1, 2, 3, 4); f[0] = v.x + static_cast<float>(n);",
        "auto twice = [](int x) { return 2 * x; }; a[0] = twice(n);",
        "printf(\"%d\", n); assert(n > 0); dim3 d(1, 2); unsigned long long x = 0; a[0] = x + d.x;",
        "half2 h = __float2half2_rn(1); h = __hfma2(h, __hadd2(h, h), __hmax2(h, h)); a[0] = __half2int_rn(h.x);",
        "a[0] = __longlong_as_double(n) > 1.0 && __hisnan(__short_as_half(n)); a[1] = __vaddus4(n, __vcmpeq2(n, 1));",
        "const unsigned int w = (unsigned int)(n); a[0] = __ldg(a + 1) + w;",
    ] {
        check(&kernel("", body), "", '0');
    }
    check(
        &kernel(
            "",
            "__shared__ int s[32]; s[n] = 1; __syncthreads(); a[0] = s[1];",
        ),
        "block barriers",
        '0',
    );
    check(
        &kernel("", "a[0] = __shfl_down_sync(~0u, n, 1); __syncwarp();"),
        "warp barriers",
        '0',
    );
    check(&kernel("", "atomicAdd(a, n);"), "atomics", '1');
}

#[test]
fn constructs_that_order() {
    for (body, reached) in [
        ("__threadfence();", "fences"),
        ("__syncwarp(3);", "warp barriers, barriers of some lanes"),
        ("while (atomicCAS(a, 0, 1)) {}", "atomic exchanges"),
        ("*(volatile int*)a = 1;", "volatile accesses"),
        ("asm volatile(\"bar.sync 0;\");", "assembly"),
        ("asm(\"membar.gl;\");", "assembly"),
        ("#include \"part.h\"\n", "unknown code"),
    ] {
        check(&kernel("", &format!("\n{body}")), reached, '2');
    }
    check(
        "__global__ void c(int* a) { *a = 1; }\n__global__ void k(int* a) { c<<<1, 1>>>(a); }",
        "launches",
        '2',
    );
}

#[test]
fn calls_are_followed() {
    let helpers = "__device__ int outer(int* a);\n\
                   __device__ void deep(int* a) { __threadfence(); if (*a) outer(a); }\n\
                   __device__ int outer(int* a) { deep(a); return *a; }";
    check(&kernel(helpers, "a[0] = outer(a);"), "fences", '2');
    check(&kernel(helpers, "a[0] = 1;"), "", '0');
    // By a macro, by a pointer, as the argument of a template or a macro.
    let fence = "__device__ void sync_all() { __threadfence(); }\n";
    let called = "template <class F> __device__ void apply(F f) { }\n";
    for (before, body) in [
        ("#define SYNC() sync_all()\n", "SYNC();"),
        ("#define SYNC sync_all();\n", "SYNC"),
        ("", "auto p = sync_all; p();"),
        (called, "apply(sync_all);"),
        (called, "apply<decltype(&sync_all)>(&sync_all);"),
        ("#define CALL(f) f()\n", "CALL(sync_all);"),
    ] {
        let (reached, told) = reach(&kernel(&format!("{fence}{before}"), body));
        assert!(reached.contains("fences"), "{body}: {reached}");
        assert_eq!(told, '2', "{body}");
    }
    let (reached, told) = reach(&kernel("#define CALL(f) f()\n", "CALL(__threadfence);"));
    assert!(reached.contains("fences") && told == '2', "{reached}");
}

/// An overload of a name of CUDA adds to what CUDA's function does.
#[test]
fn overloads() {
    let own = "__device__ double atomicAdd(double* a, double b) {\n\
               unsigned long long* p = (unsigned long long*)a, old = *p;\n\
               atomicCAS(p, old, __double_as_longlong(b)); return b; }";
    check(
        &kernel(own, "atomicAdd(a, 1);"),
        "atomics, atomic exchanges",
        '2',
    );
    let two = "struct A { __device__ int f() { return 1; } };\n\
               struct B { __device__ int f() { __threadfence(); return 1; } };";
    check(&kernel(two, "A x; a[0] = x.f();"), "fences", '2');
}

#[test]
fn functions_that_are_called_without_their_names() {
    for class in [
        "struct S { int* p; __device__ ~S() { __threadfence(); } };",
        "struct S { int* p; __device__ S(int* p); };\n__device__ S::S(int* p) { __threadfence(); }",
        "struct S { int v; __device__ S operator+(S b) { __threadfence(); return b; } };",
        "struct S { int v; __device__ operator int() { __threadfence(); return v; } };",
        "struct S { int v; __device__ int operator()(int x) { __threadfence(); return x; } };",
    ] {
        check(&kernel(class, "a[0] = 1;"), "fences", '2');
    }
    check(
        &kernel(
            "struct S { int v; __device__ S(int x) { v = x; } };",
            "S s(1); a[0] = s.v;",
        ),
        "",
        '0',
    );
    check(
        &kernel(
            "template <class F> void run(F f);\nvoid h(int* a) { run([=] __device__ (int i) { __threadfence(); }); }",
            "a[0] = 1;",
        ),
        "fences",
        '2',
    );
}

/// An object that is called may be a pointer to a function, if the address of one is somewhere.
#[test]
fn called_objects() {
    let template = "template <class Op> __global__ void k(int* a, Op op) { a[0] = op(1, 2); }";
    let fence = "__device__ int add(int x, int y) { __threadfence(); return x + y; }\n\
                 typedef int (*F)(int, int);";
    check(&format!("{fence}\n{template}"), "", '0');
    check(
        &format!("{fence}\n__device__ F pointer = add;\n{template}"),
        "fences",
        '2',
    );
    let pointer = "__global__ void k(int* a, F op) { a[0] = op(1, 2); }";
    check(&format!("{fence}\n{pointer}"), "unknown code", '2');
    let class = "struct Add { __device__ int operator()(int x) { return x + 1; } };";
    check(
        &kernel(class, "Add add; a[0] = add(n) + Add()(n);"),
        "",
        '0',
    );
}

/// Members with default values, default arguments, loops over ranges and structured bindings call functions.
#[test]
fn calls_that_the_kernel_does_not_show() {
    let fence = "__device__ int take() { __threadfence(); return 1; }\n";
    for before in [
        "struct Enter { int e = take(); };",
        "struct Enter { int e = [] { return take(); }(); };",
        "__device__ void enter(int how = take());\n__device__ void enter(int) {}",
        "struct R { __device__ int* begin() { take(); return 0; } __device__ int* end() { return 0; } };",
        "template <int N> __device__ int get(int x) { return take(); }",
        "constexpr int (*takers[])() = { take };",
        "struct Ops { static constexpr int (*op)() = take; };",
        "struct B { int (*run)() = take; };",
        "template <class T> constexpr auto taker = &take;",
        "using Taker = Constant<&take>;",
        "template <class F> __device__ void go(F f, int) {}\n__device__ void use(int) { go(take, 1); }\n\
         __device__ void use(float) { take(); }",
        "template <int (*F)()> __global__ void other(int* p) {}\nvoid h(int* p) { other<take><<<1, 1>>>(p); }",
    ] {
        let (reached, told) = reach(&kernel(&format!("{fence}{before}"), "a[0] = 1;"));
        assert!(
            reached.contains("fences") && told == '2',
            "{before}: {reached}"
        );
    }
    check(&kernel(fence, "a[0] = 1;"), "", '0');
    let host = "int main() { int* a; cudaMalloc(&a, 4); cudaMemset(a, 0, 4); cudaMemcpyAsync(a, a, 4, \
                cudaMemcpyDeviceToDevice); return cudaDeviceSynchronize(); }";
    check(&kernel(&format!("{fence}{host}"), "a[0] = 1;"), "", '0');
    // A call by a value of a template, whatever else has its name; a function whose body is elsewhere.
    let value = "using F = float;\ntemplate <void (*F)(int*)> __global__ void k(int* a) { F(a); }";
    check(value, "unknown code", '2');
    for (before, body) in [
        ("__device__ void get(int*);", "get(a);"),
        (
            "struct acquire {}; namespace t { __device__ void acquire(int); }",
            "t::acquire(1);",
        ),
        (
            "struct Guard { __device__ explicit Guard(int); __device__ ~Guard(); };",
            "Guard g(1); a[0] = 1;",
        ),
        (
            "struct S { int v; __device__ S operator+(S b); };",
            "a[0] = 1;",
        ),
        (
            "struct A { __device__ void run(int*) {} }; struct B { void (*run)(int*); };",
            "B b; b.run(a);",
        ),
    ] {
        check(&kernel(before, body), "unknown code", '2');
    }
    let defaulted = "struct S { int v; __device__ S() = default; __device__ S(int x) : v(x) {} };";
    check(&kernel(defaulted, "S s(1); a[0] = s.v;"), "", '0');
    let (reached, _) = reach(&kernel("#define WSYNC __syncwarp", "WSYNC(3);"));
    assert!(reached.contains("barriers of some lanes"), "{reached}");
    // Types that are volatile without the word, and macros of the command line.
    for (before, expected) in [
        (
            "template <class T> struct P { T* p; };\nstruct V : P<volatile int> {};",
            "volatile accesses",
        ),
        (
            "template <class T> using Vol = typename std::add_volatile<T>::type;",
            "volatile accesses",
        ),
    ] {
        check(&kernel(before, "a[0] = 1;"), expected, '2');
    }
    let given = ["-DTAKE=(__threadfence(), 1)"];
    let result = run(&kernel("", "a[0] = TAKE;"), Backend::Cpu, &given);
    assert!(
        result.described[0].contains("may reach fences"),
        "{}",
        result.described[0]
    );
}

#[test]
fn volatile_objects_may_be_named_anywhere() {
    for before in [
        "__device__ volatile int flag;",
        "struct S { volatile int flag; };",
        "typedef volatile int Flag;",
        "using Flag = volatile int;",
    ] {
        check(&kernel(before, "a[0] = 1;"), "volatile accesses", '2');
    }
    // A template may get the type from the host.
    let host = "void h(volatile int* p) { *p = 1; }\nvolatile bool stops;";
    check(&kernel(host, "a[0] = 1;"), "", '0');
    let template = "template <class T> __global__ void k(T* a) { a[0] = 1; }";
    check(&format!("{host}\n{template}"), "volatile accesses", '2');
    let elsewhere = "__device__ void other(volatile int* p) { *p = 1; }";
    check(&kernel(elsewhere, "a[0] = 1;"), "", '0');
}

#[test]
fn what_the_text_does_not_show() {
    for (before, body) in [
        ("__device__ int outside(int*);", "a[0] = outside(a);"),
        ("", "a[0] = library(a);"),
        (
            "",
            "a[0] = __nv_atomic_load_n(a, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);",
        ),
        ("", "cudaDeviceSynchronize();"),
        ("", "a[0] = ns::library<3>(a);"),
        ("", "Guard guard(a); a[0] = 1;"),
        ("", "ns::Guard guard(a); a[0] = 1;"),
        ("", "a[0] = 1; BARRIER;"),
        (
            "struct S { int (*f)(int); };\n__device__ S table[2];",
            "a[0] = table[n].f(1);",
        ),
        ("__device__ int (*table[2])(int);", "a[0] = table[n](1);"),
        (
            "#include <cooperative_groups.h>",
            "cooperative_groups::this_grid().sync();",
        ),
        (
            "struct S { __device__ void sync() {} };\ntemplate <class G> __device__ void all(G g) { g.sync(); }",
            "all(S());",
        ),
        ("#define PASTE(a, b) a##b\n", "PASTE(lib, rary)(a);"),
        ("#include <cuda/atomic>", "a[0] = 1;"),
    ] {
        let (reached, told) = reach(&kernel(before, body));
        assert!(reached.contains("unknown code"), "{body}: {reached}");
        assert_eq!(told, '2', "{body}");
    }
    let function = "template <int (*F)(int)> __global__ void k(int* a) { a[0] = F(1); }";
    check(function, "unknown code", '2');
    let number = "template <class T, int N> __global__ void k(T* a) { T x = T(0); a[N] = x; }";
    check(number, "", '0');
}

/// The line of the kernel `k` in the table of its file.
fn line(source: &str) -> String {
    let result = run(source, Backend::Cpu, &[]);
    let (_, rest) = result
        .text
        .split_once("\"1 k")
        .expect("a kernel with atomics");
    rest.split_once("\\012")
        .map_or("", |it| it.0)
        .trim()
        .to_owned()
}

/// Between atomic accesses to a shared variable and others, all threads pass a barrier.
#[test]
fn variables_that_are_atomic_for_a_time() {
    let histogram = "__shared__ int bins[64]; __shared__ int total;\n\
                     if (n < 64) bins[n] = 0;\n__syncthreads();\n\
                     for (int i = n; i < 100; i += 32) atomicAdd(&bins[a[i]], 1);\n\
                     __syncthreads();\n a[n] = bins[n];";
    let atomic = |body: &str| line(&kernel("", body));
    assert_eq!(atomic(histogram), "bins");
    let read = "a[i] = bins[i];";
    for (place, text) in [
        // A barrier is missing; one thread reads while others count; so in the next iteration.
        ("__syncthreads();\nfor", "for"),
        ("__syncthreads();\n a", "__syncwarp(); a"),
        (
            "atomicAdd(&bins[a[i]], 1);",
            &format!("{{ atomicAdd(&bins[a[i]], 1); {read} }}"),
        ),
        (
            "atomicAdd(&bins[a[i]], 1);",
            &format!("{{ atomicAdd(&bins[a[i]], 1); __syncthreads(); {read} }}"),
        ),
        // It is passed on; used in a lambda; named by text that is not understood.
        ("a[n] =", "int* p = bins; a[n] = *p +"),
        ("a[n] =", "auto f = [&] { bins[0] = 1; }; f(); a[n] ="),
        ("a[n] =", "LIBRARY(bins[0]); a[n] ="),
    ] {
        let changed = histogram.replace(place, text);
        assert_ne!(changed, histogram, "{place}");
        let result = run(&kernel("", &changed), Backend::Cpu, &[]);
        assert!(!result.text.contains("k bins"), "{changed}");
    }
    // Variables of dynamic size are at one address.
    let dynamic = histogram.replace("__shared__ int bins[64];", "extern __shared__ int bins[];");
    assert_eq!(atomic(&dynamic), "");
    // A barrier that is not evaluated is none.
    let size = histogram.replace(
        "__syncthreads();\nfor",
        "(void)sizeof((__syncthreads(), 1));\nfor",
    );
    assert_eq!(atomic(&size), "");
    // A variable of each: only one of them mixes.
    let two = histogram.replace("a[n] =", "atomicAdd(&total, 1); total = 2; a[n] =");
    assert_eq!(atomic(&two), "bins");
    // Only atomic accesses are no mixture, but the executor need not know.
    assert_eq!(atomic("__shared__ int s; atomicAdd(&s, 1);"), "s");
    // Another kernel of the same name mixes them.
    let other = kernel("", &histogram.replace("__syncthreads();", ""));
    let namespaces = format!("namespace x {{ {other} }}\n{}", kernel("", histogram));
    let result = run(&namespaces, Backend::Cpu, &[]);
    assert!(!result.text.contains("k bins"), "{}", result.text);
}
