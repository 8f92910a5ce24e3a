//! Reads of shared memory that need no check, and twins that do.

use hirace::model::Backend;

use crate::run;

/// The code around the statements of a kernel.
const FRAME: &str = "\
struct V { float x, y; V& operator+=(float); };
__device__ float half_of(const float& x);
__device__ void bump(float& x);
__device__ void wait_and_use(int i);
__device__ float plain(float x);
#define GIVE_UP return
#define LEFT(x) ((x) - 1)
#define WAIT __syncthreads()
#define WAIT_IF(x) if (x) __syncthreads()
#define MAYBE(x) if (x) { plain(x); }
#define CASES case 1: case 2:
#define SKIP_ODD(i) if ((i) & 1) continue
";

/// The kernel with `statements`, instrumented.
fn instrumented(statements: &str, backend: Backend) -> String {
    let source = format!(
        "{FRAME}template <typename T> __global__ void k(T* a, const float* b, int n, int t) {{\n{statements}\n}}\n"
    );
    let result = run(&source, backend, &[]);
    assert!(result.errors.is_empty(), "{:?}", result.errors);
    result.text
}

/// The lvalues that are read without a check.
fn stable(statements: &str) -> Vec<String> {
    let found = |backend| {
        let text = instrumented(statements, backend);
        let hooks = text.split("_stable(").skip(1);
        let lvalue = |rest: &str| {
            let (arguments, _) = rest.split_once(')').expect("the hook is closed");
            let lvalue = arguments.splitn(3, ", ").nth(2).expect("three arguments");
            lvalue.to_owned()
        };
        hooks.map(lvalue).collect::<Vec<_>>()
    };
    let on_cpu = found(Backend::Cpu);
    assert_eq!(on_cpu, found(Backend::Gpu), "both backends skip the same");
    on_cpu
}

/// The stable reads in `statements` are `expected`.
#[track_caller]
fn skipped(statements: &str, expected: &[&str]) {
    assert_eq!(stable(statements), expected, "{statements}");
}

/// No read in `statements` is stable.
#[track_caller]
fn kept(statements: &str) {
    skipped(statements, &[]);
}

/// The same for statements between two barriers, with writes to `s` before the first and after the
/// second.
#[track_caller]
fn kept_between(statements: &str) {
    kept(&between(statements));
}

#[track_caller]
fn skipped_between(statements: &str, expected: &[&str]) {
    skipped(&between(statements), expected);
}

fn between(statements: &str) -> String {
    format!(
        "__shared__ float s[64], one; __shared__ float4 f[64]; float x = 0; s[t] = b[t];\n\
         __syncthreads();\n{statements}\n__syncthreads();\ns[t] = x; one = 1; f[t].x = 2;"
    )
}

#[test]
fn between_barriers() {
    let head = "__shared__ float s[64]; s[t] = b[t];";
    skipped(&format!("{head} __syncthreads(); a[t] = s[n];"), &["s[n]"]);
    kept(&format!("{head} a[t] = s[n];"));
    kept(&format!("{head} __syncwarp(); a[t] = s[n];"));
    kept(&format!("{head} __syncthreads(); a[t] = s[n]; s[t] = 0;"));
    kept(&format!("{head} __syncthreads(); a[t] = s[n]; s[t] += 1;"));
    kept(&format!("{head} __syncthreads(); a[t] = s[n]; s[t]++;"));
    kept(&format!(
        "{head} __syncthreads(); a[t] = s[n]; atomicAdd(&s[t], 1.0f);"
    ));
    skipped(
        &format!("{head} __syncthreads(); a[t] = s[n]; __syncthreads(); atomicAdd(&s[t], 1.0f);"),
        &["s[n]"],
    );
    // Only some of several intervals.
    skipped(
        &format!("{head} __syncthreads(); a[0] = s[1]; __syncthreads(); a[0] = s[2]; s[3] = 1;"),
        &["s[1]"],
    );
}

#[test]
fn forms_of_barriers() {
    let around =
        |barrier: &str| format!("__shared__ float s[64]; s[t] = 1; int c; {barrier} a[t] = s[n];");
    for barrier in [
        "__syncthreads();",
        "__syncthreads_count(t);",
        "c = __syncthreads_and(t);",
        "int d = __syncthreads_or(t > 3);",
        "if (__syncthreads_or(t)) { c = 1; }",
        "c = 1 + __syncthreads_count(t);",
        "while (__syncthreads_and(t)) c = 1;",
        "c = (__syncthreads_and(t), 2);",
        "c = __syncthreads_and(t) ? 1 : 2;",
        "if (__syncthreads_or(t) && n) c = 1;",
    ] {
        skipped(&around(barrier), &["s[n]"]);
    }
    for barrier in [
        // These may be skipped.
        "for (int i = 0; i < n; __syncthreads()) ++i;",
        "if (n && __syncthreads_or(t)) c = 1;",
        "c = n ? __syncthreads_and(t) : 2;",
        "c = 1 + (n || __syncthreads_and(t));",
        // Their calls may be anywhere in the text.
        "wait_and_use(t);",
        "WAIT;",
        "WAIT_IF(t);",
    ] {
        kept(&around(barrier));
    }
    // What is beside a barrier in an expression may come before or after it.
    kept("__shared__ int s[64]; s[t] = 1; int c = s[n] + __syncthreads_count(t);");
    kept("__shared__ int s[64]; int c = s[n] + __syncthreads_count(t); s[t] = 1;");
    kept(
        "__shared__ int s[64]; int c = __syncthreads_count(t) + __syncthreads_or(s[n]); s[t] = 1;",
    );
    skipped(
        "__shared__ int s[64]; int c = s[n] + __syncthreads_count(t); __syncthreads(); s[t] = 1;",
        &["s[n]"],
    );
    // What comes before and after it is known for these.
    skipped(
        "__shared__ int s[64]; s[t] = 1; int c = (__syncthreads(), s[n]);",
        &["s[n]"],
    );
    skipped(
        "__shared__ int s[64]; s[t] = 1; int c = __syncthreads_or(t) && s[n];",
        &["s[n]"],
    );
    kept("__shared__ int s[64]; s[t] = 1; int c = s[n] && __syncthreads_or(t);");
    // A barrier's argument is read before it, and its result stored after it.
    kept("__shared__ int s[64]; s[t] = 1; __syncthreads_count(s[n]);");
    kept("__shared__ int s[64]; s[t] = 1; s[t] = __syncthreads_count(n); a[t] = s[n];");
    skipped(
        "__shared__ int s[64]; s[t] = 1; __syncthreads(); int c = __syncthreads_count(s[n]); s[t] = c;",
        &["s[n]"],
    );
}

#[test]
fn loops() {
    let tiled = |rest: &str| {
        format!(
            "__shared__ float s[64]; float x = 0;\n\
             for (int i = 0; i < n; ++i) {{ s[t] = b[i]; __syncthreads(); x += s[n]; {rest} }}\na[t] = x;"
        )
    };
    skipped(&tiled("__syncthreads();"), &["s[n]"]);
    // The next iteration's store is in the same interval.
    kept(&tiled(""));
    kept(&tiled("if (t) continue; __syncthreads();"));
    kept(&tiled("if (t) __syncthreads();"));
    skipped(&tiled("if (t) break; __syncthreads();"), &["s[n]"]);
    skipped(&tiled("if (t) return; __syncthreads();"), &["s[n]"]);
    kept(&format!(
        "{} s[t] = x;",
        tiled("if (t) break; __syncthreads();")
    ));
    for (head, tail) in [
        ("while (n--) {", "}"),
        ("do {", "} while (n--);"),
        ("for (;;) {", "if (t) break; }"),
        ("for (int i : {1, 2}) {", "}"),
    ] {
        let start = "__shared__ float s[64]; float x = 0; ";
        let round = "s[t] = 1; __syncthreads(); x += s[n];";
        skipped(
            &format!("{start}{head} {round} __syncthreads(); {tail}"),
            &["s[n]"],
        );
        kept(&format!("{start}{head} {round} {tail}"));
    }
    // The condition is read after the last barrier of the body.
    kept("__shared__ int s[4]; while (s[0]) { __syncthreads(); s[0] = n; }");
    skipped(
        "__shared__ int s[4]; s[0] = n; __syncthreads(); do { __syncthreads(); } while (s[0]);",
        &["s[0]"],
    );
    kept("__shared__ int s[4]; do { __syncthreads(); if (t) continue; s[0] = n; } while (s[0]);");
}

#[test]
fn branches() {
    skipped_between("if (t) x = s[n]; else x = s[1];", &["s[n]", "s[1]"]);
    skipped_between("atomicAdd(&a[t], s[n]);", &["s[n]"]);
    kept_between("atomicAdd(&s[t], s[n]);");
    kept_between("if (t) x = s[n]; else s[t] = 1;");
    kept_between("if (t) { x = s[n]; __syncthreads(); } else { s[t] = 1; }");
    kept_between("if (s[n] > 0) s[t] = 1;");
    skipped_between("if (s[n] > 0) x = 1;", &["s[n]"]);
    kept("__shared__ float s[64]; s[t] = 1; if (n) __syncthreads(); a[t] = s[n];");
    skipped(
        "__shared__ float s[64]; s[t] = 1; if (n) __syncthreads(); else { __syncthreads(); } a[t] = s[n];",
        &["s[n]"],
    );
    skipped_between(
        "switch (n) { case 1: x = s[1]; break; default: x = s[2]; }",
        &["s[1]", "s[2]"],
    );
    kept_between("switch (n) { case 1: x = s[1]; break; default: s[2] = x; }");
    // The first case falls through.
    kept(
        "__shared__ int s[4]; switch (n) { case 1: s[0] = 1; case 2: __syncthreads(); } a[t] = s[n];",
    );
    kept("__shared__ int s[4]; s[0] = 1; switch (n) { case 1: __syncthreads(); } a[t] = s[n];");
    // A thread that has returned was in the interval, too.
    kept_between("if (t) { s[t] = 1; return; } x = s[n];");
    skipped_between("if (t) return; x = s[n];", &["s[n]"]);
}

#[test]
fn what_control_cannot_be_followed_through() {
    for statement in [
        "UNKNOWN_MACRO(t);",
        "UNKNOWN_WORD;",
        "x = UNKNOWN_MACRO(t);",
        "switch (n) { CASES x = 1; }",
        "x = n ? GIVE_UP : 1;",
        "asm volatile(\"st.shared.u32 [0], %0;\" :: \"r\"(t));",
        "\n#if N\nx = 1;\n#endif\n",
        "\n#define N 1\n",
        "try { x = 1; } catch (...) {}",
    ] {
        kept_between(&format!("{statement} x = s[n];"));
    }
    for statement in [
        "\n#pragma unroll\nfor (int i = 0; i < 4; ++i) x += i;",
        "x = LEFT(n); x = sqrtf(x); x = plain(x); wait_and_use(n);",
        "auto twice = [](float y) { return 2 * y; }; x = twice(x);",
        "/* s[0] = 1 */ // s[1]\n",
        "again: if (t) goto again;",
        "asm volatile(\"bar.sync 0;\");",
        "asm volatile(\"membar.gl;\" ::: \"memory\");",
        "GIVE_UP;",
        "MAYBE(t);",
        "for (int i = 0; i < n; ++i) { SKIP_ODD(i); x += 1; }",
        "switch (n) { case 1: if (t) { case 2: x = 1; } }",
        "x = ({ int y = 1; y; });",
        "if (n) goto over; x = 1; over: x += 1;",
        "[[maybe_unused]] int y = 1;",
        "struct Own { int a; }; Own own{n}; x = own.a;",
    ] {
        skipped_between(&format!("{statement} x = s[n];"), &["s[n]"]);
    }
}

/// `goto` and labels give the same paths as loops and branches.
#[test]
fn jumps() {
    let looped = |rest: &str| {
        format!(
            "__shared__ float s[64]; float x = 0; int i = 0;\n\
             again: s[t] = b[i]; __syncthreads(); x += s[n]; {rest}\n\
             if (++i < n) goto again;\na[t] = x;"
        )
    };
    skipped(&looped("__syncthreads();"), &["s[n]"]);
    kept(&looped(""));
    kept(&looped("if (t) goto over; __syncthreads(); over: ;"));
    skipped(
        &looped("if (t) goto over; __syncthreads(); goto on; over: return; on: ;"),
        &["s[n]"],
    );
    // Into a loop, past the barrier at its beginning.
    let into = |jump: &str| {
        format!(
            "__shared__ float s[64]; float x = 0; s[t] = 1; {jump}\n\
             while (n--) {{ __syncthreads(); inside: x += s[n]; __syncthreads(); }} a[t] = x;"
        )
    };
    skipped(&into(""), &["s[n]"]);
    kept(&into("if (t) goto inside;"));
    // A case in a nested block, as in Duff's device.
    let device = |first: &str| {
        format!(
            "__shared__ float s[64]; float x = 0; s[t] = 1;\n\
             switch (n) {{ case 0: {first} do {{ x += s[n]; case 1: __syncthreads(); }} while (--n); }} a[t] = x;"
        )
    };
    skipped(&device("__syncthreads();"), &["s[n]"]);
    kept(&device(""));
    // A macro that leaves the loop skips the barrier after it.
    kept(
        "__shared__ float s[64]; float x = 0;\n\
          for (int i = 0; i < n; ++i) { s[t] = 1; __syncthreads(); x += s[n]; SKIP_ODD(i); __syncthreads(); }",
    );
    // A loop made by `goto` may poll, too.
    kept_between("poll: if (s[n] == 0) goto poll;");
    kept_between("poll: x += 1; if (s[n]) goto out; if (x > 3) goto out; goto poll; out: x = 1;");
}

/// A lambda runs when it is called, which may be anywhere.
#[test]
fn lambdas() {
    skipped_between("auto run = [&] { x = s[n]; }; run(); x += s[1];", &["s[1]"]);
    kept_between("auto run = [&] { s[n] = 1; }; x = s[1];");
    kept_between("auto run = [&] { return &s[n]; }; x = s[1];");
    kept_between("auto run = [&] { UNKNOWN(t); }; x = s[1];");
    skipped_between(
        "auto run = [&] { __syncthreads(); }; x = s[1]; run();",
        &["s[1]"],
    );
}

#[test]
fn uses_of_values() {
    for (statement, lvalue) in [
        ("x = s[n];", "s[n]"),
        ("x += -s[n] * (s[n]);", "s[n]"),
        ("float y = s[n]; x = y;", "s[n]"),
        ("auto y = s[n]; x = y;", "s[n]"),
        ("const float y = n ? s[n] : 0; x = y;", "s[n]"),
        ("x = a[(int)s[n]];", "s[n]"),
        ("x = static_cast<int>(s[n]) + int(s[n]);", "s[n]"),
        ("x = one;", "one"),
        ("float4 q = f[n]; x = q.x;", "f[n]"),
        ("x = f[n].y;", "f[n].y"),
        ("if (s[n] < 3 && !s[n]) x = 1;", "s[n]"),
        ("for (int i = 0; i < s[n]; ++i) x += i;", "s[n]"),
        ("x = sizeof(s) + sizeof s[0] + s[n];", "s[n]"),
    ] {
        let found = stable(&between(statement));
        assert!(
            !found.is_empty() && found.iter().all(|it| it == lvalue),
            "{statement} {found:?}"
        );
    }
}

#[test]
fn other_uses() {
    for statement in [
        "float& r = s[n]; r = 1;",
        "auto& r = s[n]; x = r;",
        "decltype(auto) r = (s[n]); x = s[1];",
        "Alias r = s[n];",
        "float* p = &s[n]; x = s[1];",
        "float* p = s; x = s[1];",
        "x = *s + s[1];",
        "x = half_of(s[n]) + s[1];",
        "bump(s[n]); x = s[1];",
        "x = unknown(s[n]);",
        "x = LEFT(s[n]);",
        "x = UNKNOWN(1 + s[n]);",
        "for (float y : s) x += y;",
        "auto f = [&] { s[n] = 1; }; x = s[1]; f();",
        "struct L { __device__ static float get() { return s[0]; } }; x = s[1];",
        "float& r = (s[n] = 1); x = s[1];",
        "float& r = ++s[n]; x = s[1];",
        "auto& [u, v, w, z] = f[n]; x = s[1];",
        "f[n].x = 1; x = s[1];",
        "float* p = &f[n].x; x = s[1];",
        "float s = 1; x = s;",
        "std::swap(s[0], s[1]); x = s[2];",
        "x = n[s];",
        "a[t] = s[n] << s[n];",
    ] {
        kept_between(statement);
    }
}

#[test]
fn kinds_of_variables() {
    let head =
        |declaration: &str| format!("{declaration} s[t] = b[t]; __syncthreads(); a[t] = s[n];");
    for declaration in [
        "__shared__ T s[64];",
        "static __shared__ unsigned s[64];",
        "__shared__ __align__(16) double s[64];",
        "__shared__ float other, s[64];",
    ] {
        skipped(&head(declaration), &["s[n]"]);
    }
    for declaration in [
        "extern __shared__ float s[];",
        "__shared__ volatile float s[64];",
        "volatile __shared__ float s[64];",
        "__shared__ float* s[64];",
        "__shared__ float *p; float* s = p;",
        "float s[64];",
    ] {
        kept(&head(declaration));
    }
    skipped(
        "__shared__ float s[4][8]; s[t][0] = 1; __syncthreads(); a[t] = s[n][t];",
        &["s[n][t]"],
    );
    kept(
        "__shared__ float s[4][8]; s[t][0] = 1; __syncthreads(); float* p = s[n]; a[t] = s[n][t];",
    );
}

/// An index out of the bounds of one variable may lead into another.
#[test]
fn neighbours() {
    let with = |rest: &str| {
        format!("__shared__ float s[64]; s[t] = 1; __syncthreads(); a[t] = s[n]; {rest}")
    };
    kept(&with("__shared__ float u[64]; u[t] = 1;"));
    kept(&with("extern __shared__ float u[]; u[t] = 1;"));
    kept(&with("extern __shared__ float u[]; float* p = u; *p = 1;"));
    skipped(
        &with("__shared__ float u[64]; __syncthreads(); u[t] = 1;"),
        &["s[n]"],
    );
    skipped(
        &with("extern __shared__ float u[]; a[t] = u[t];"),
        &["s[n]"],
    );
}

/// Declarations and statements that make another load look like one from shared memory.
#[test]
fn names_that_mean_something_else() {
    let kept_with = |declarations: &str, statements: &str| {
        let kernel = format!(
            "{declarations}\n__global__ void k(int* a, int n, int t) {{ __shared__ int s[64]; s[t] = 1;\n\
             __syncthreads(); a[t] = s[n]; {statements} __syncthreads(); s[t] = 2; }}\n"
        );
        let text = run(&kernel, Backend::Cpu, &[]).text;
        text.matches("_stable(").count()
    };
    assert_eq!(kept_with("", "int r = s[t]; r = 5;"), 2);
    for (declarations, statements) in [
        (
            "struct F { int operator()(int& x) const; }; __device__ F fma;",
            "int y = fma(s[t]);",
        ),
        (
            "struct O {}; int operator+(O, int& x);",
            "int y = O{} + s[t];",
        ),
        (
            "typedef int& R; struct O {}; int operator*(O, R x);",
            "O o; int y = o * s[t];",
        ),
        (
            "struct O {};\n#define OF(sign) __device__ int operator sign(O, int& x) { return x = 7; }\nOF(%)",
            "O o; int y = o % s[t];",
        ),
        ("#define r &other\n", "int r = s[t]; other = 5;"),
        ("#define r (&other)\n", "int r = s[t]; other = 5;"),
        ("", "{ using int32_t = int&; int32_t r = s[t]; r = 5; }"),
        ("", "{ typedef int& int32_t; int32_t r = s[t]; r = 5; }"),
        ("#define break\n", "for (;;) { break; s[t] = 5; }"),
        ("#define return\n", "if (t) { return; s[t] = 5; }"),
    ] {
        assert_eq!(
            kept_with(declarations, statements),
            0,
            "{declarations} {statements}"
        );
    }
}

/// hirace recognises a polling thread by its checks.
#[test]
fn loops_that_may_poll() {
    for poll in [
        "while (s[n] == 0) {}",
        "while (n && !(s[n] > 3)) x += 1;",
        "do { x += 1; } while (s[n] == 0);",
        "for (; s[n] == 0;) {}",
        "for (;;) { if (s[n]) break; }",
        "while (true) { if (s[n] > 2) { x = 1; return; } }",
    ] {
        kept_between(poll);
    }
    skipped_between(
        "for (int i = 0; i < s[n]; ++i) x += s[i];",
        &["s[n]", "s[i]"],
    );
    skipped_between("while (n--) { if (s[n] > x) x = s[n]; }", &["s[n]", "s[n]"]);
}

#[test]
fn only_in_kernels() {
    let body = "{ __shared__ float s[64]; s[t] = 1; __syncthreads(); *a = s[t]; }";
    for (head, expected) in [("__global__", true), ("__device__", false)] {
        let source = format!("{head} void f(float* a, int t) {body}\n");
        let text = run(&source, Backend::Cpu, &[]).text;
        assert_eq!(text.contains("_stable("), expected, "{head}");
    }
}

/// A macro that names the variable may be used anywhere.
#[test]
fn variables_named_in_macros() {
    let kernel = "__global__ void f(float* a, int t) { __shared__ float s[64]; s[t] = 1;\n\
                  __syncthreads(); *a = s[t]; }\n";
    for (line, expected) in [
        ("#define M tt\n", true),
        ("#define M s[0] = 1\n", false),
        ("#define s r\n", false),
    ] {
        let text = run(&format!("{line}{kernel}"), Backend::Cpu, &[]).text;
        assert_eq!(text.contains("_stable("), expected, "{line}");
    }
}

/// A macro on the command line may contain anything.
#[test]
fn macros_of_the_command_line() {
    let source = "__global__ void f(float* a, int t) { __shared__ float s[64]; s[t] = 1;\n\
                  __syncthreads(); *a = s[t]; int e = EXTRA; __syncthreads(); s[t] = 2; }\n";
    for (argument, expected) in [
        ("-DEXTRA=t++", true),
        ("-DEXTRA=s[t]=1", false),
        ("-DEXTRA=({return;1;})", false),
    ] {
        let text = run(source, Backend::Cpu, &[argument]).text;
        assert_eq!(text.contains("_stable("), expected, "{argument}");
    }
}
