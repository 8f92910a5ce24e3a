//! Accesses that repeat an earlier one of the same thread, and twins that do not.

use hirace::model::Backend;
use hirace::rewrite::Skip;

use crate::run_skipping;

/// The code around the statements of a kernel.
const FRAME: &str = "\
#define TILE 16
#define NEXT (t + 1)
#define STEP t++
#define LEAK p = &t
#define KEEP(x) (x)
constexpr int width = 8;
__device__ int counter, grid[64];
__device__ int* slot;
__device__ int plain(int i);
__device__ void bump(int& i);
typedef int& uint8_t;
struct V { int x, y; int& r; };
";

/// The repeated accesses among `statements`, as hook and text: `read a[i]`.
fn repeated_with(declarations: &str, statements: &str) -> Vec<String> {
    let source = format!(
        "{FRAME}{declarations}template <typename T, int N> __global__ void k(int* a, int* b, T* v, V* w, int** pp,\n\
         int n, int t) {{\n{statements}\n}}\n"
    );
    let found = |backend| {
        let result = run_skipping(Skip::default(), &source, backend, &[]);
        assert!(result.errors.is_empty(), "{:?}", result.errors);
        let mut found = Vec::new();
        for (at, _) in result.text.match_indices("_repeated(") {
            let (before, rest) = result.text.split_at(at);
            let name = before.rsplit("::").next().expect("a hook's name");
            let rest = &rest["_repeated(0x00000000u, ".len()..];
            let mut depth = 0;
            let end = rest.find(|it: char| {
                depth += i32::from(it == '(') - i32::from(it == ')');
                depth < 0
            });
            found.push(format!(
                "{name} {}",
                &rest[..end.expect("the hook is closed")]
            ));
        }
        found
    };
    let on_cpu = found(Backend::Cpu);
    assert_eq!(on_cpu, found(Backend::Gpu), "both backends skip the same");
    on_cpu
}

fn repeated(statements: &str) -> Vec<String> {
    repeated_with("", statements)
}

#[track_caller]
fn skipped(statements: &str, expected: &[&str]) {
    assert_eq!(repeated(statements), expected, "{statements}");
}

#[track_caller]
fn kept(statements: &str) {
    skipped(statements, &[]);
}

#[test]
fn one_after_the_other() {
    skipped("int x = a[t]; x += a[t];", &["read a[t]"]);
    skipped("int x = a[ t ]; x += a[t];", &["read a[t]"]);
    skipped("auto x = v[t]; auto y = v[t];", &["copy v[t]"]);
    kept("int x = a[t]; x += a[t + 1]; x += b[t];");
    // Within one expression, either may run first.
    kept("int x = a[t] * a[t];");
    kept("a[t] = a[t] + 1;");
}

#[test]
fn kinds_of_accesses() {
    skipped("a[t] = 1; int x = a[t];", &["read a[t]"]);
    skipped("a[t] = 1; a[t] = 2;", &["write a[t]"]);
    skipped(
        "a[t] = 1; a[t] += 2; a[t]++;",
        &["update a[t]", "update a[t]"],
    );
    skipped(
        "a[t] += 1; a[t] = 2; int x = a[t];",
        &["write a[t]", "read a[t]"],
    );
    // A store conflicts with more accesses than a read does.
    skipped("int x = a[t]; a[t] = 2; x = a[t];", &["read a[t]"]);
    kept("int x = a[t]; a[t] += 2;");
    // Atomics conflict with fewer accesses.
    kept("atomicAdd(&a[t], 1); int x = a[t];");
    skipped(
        "int x = a[t]; atomicAdd(&a[t], 1); x = a[t];",
        &["read a[t]"],
    );
}

#[test]
fn barriers_and_calls() {
    for between in [
        "__syncthreads();",
        "__syncwarp();",
        "x = __syncthreads_or(t);",
        "x = __shfl_down_sync(~0u, x, 1);",
        "x = plain(n);",
        "x = KEEP(__syncthreads_or(t));",
        "x = KEEP(n);",
        "unknown(n);",
        "UNKNOWN_WORD;",
        "x = UNKNOWN_WORD;",
        "Unknown y;",
        "if (n) { __syncthreads(); }",
        "while (x--) __syncthreads();",
        "for (int i = 0; i < n; ++i) __syncwarp();",
        "x = n ? __syncthreads_or(t) : 0;",
        "b[plain(n)] = 2;",
    ] {
        kept(&format!("int x = a[t]; {between} x = a[t];"));
    }
    for between in [
        "x = max(n, 3) + int(sqrtf(2.0f));",
        "x = b[n] + TILE * NEXT;",
        "atomicAdd(&b[n], 1);",
        "if (n) { x = 3; }",
        "for (int i = 0; i < n; ++i) x += i;",
        "float4 f; x = __popc(n);",
        "return;",
    ] {
        let text = format!("int x = a[t]; {between} x = a[t];");
        assert_eq!(
            repeated(&text).is_empty(),
            between == "return;" || between.contains("NEXT"),
            "{text}"
        );
    }
}

#[test]
fn operands() {
    for between in [
        "t = 3;",
        "t++;",
        "b[t++] = 1;",
        "for (; t < n; ++t) x += 1;",
        "if (n) t -= 1;",
        "a = b;",
        "a++;",
        "STEP;",
        "{ int t = 3; x = b[t]; }",
    ] {
        kept(&format!("int x = a[t]; {between} x = a[t];"));
    }
    // Variables that may be changed through another name.
    for statement in [
        "int& r = t;",
        "int* p = &t;",
        "bump(t);",
        "auto& r = t;",
        "LEAK;",
        "unknown(t);",
        "int*& r = a;",
        "int& r = ++t;",
        "V view{1, 2, t};",
        "auto f = [&] { t = 1; };",
        "KEEP(t) = 2;",
        "sizeof(t);",
        "(n ? t : n) = 2;",
        "asm(\"\" : \"+r\"(t));",
        "{ using int32_t = int&; int32_t r = t; }",
        "{ typedef int& int32_t; int32_t r = t; }",
        "uint8_t r = t;",
    ] {
        kept(&format!("{statement} int x = a[t]; x = a[t];"));
    }
    for (lvalue, fixed) in [
        ("a[TILE * N + width]", true),
        ("a[threadIdx.x + blockIdx.y * blockDim.x]", true),
        ("*a", true),
        ("*(a + t)", true),
        ("v[t]", true),
        ("w->x", true),
        ("w[t].y", true),
        ("a[(int)t % static_cast<int>(n)]", true),
        ("grid[t]", true),
        ("pp[t]", true),
        ("w[t].r", false),
        ("pp[t][0]", false),
        ("a[b[t]]", false),
        ("slot[t]", false),
        ("a[counter]", false),
        ("a[NEXT]", false),
        ("a[plain(t)]", false),
        ("a[unknown]", false),
        ("a[t++]", false),
    ] {
        let found = repeated(&format!("auto x = {lvalue}; auto y = {lvalue};"));
        let all = found.iter().any(|it| it.ends_with(&format!(" {lvalue}")));
        assert_eq!(all, fixed, "{lvalue}: {found:?}");
    }
}

/// Names that mean other objects in an inner scope.
#[test]
fn scopes() {
    kept("int x = a[t]; { int t = 3, y = a[t]; x = y; }");
    kept("{ int t = n; b[0] = a[t]; } b[1] = a[t];");
    kept("if (int t = n; a[t]) b[0] = 1; b[1] = a[t];");
    kept("if (int t = a[0]) b[0] = a[t]; b[1] = a[t];");
    kept("switch (int t = n; a[t]) { case 1: b[0] = 1; } b[1] = a[t];");
    kept("for (int t = 0; t < 3; ++t) b[0] = a[t]; b[1] = a[t];");
    kept("for (int t = 0, x = a[t]; t < 3; ++t) b[0] = x; b[1] = a[t];");
    skipped("{ int u = n; b[0] = a[t]; } b[1] = a[t];", &["read a[t]"]);
}

#[test]
fn shared_memory() {
    let with = |statements: &str| format!("__shared__ int s[64], m[4][8], one; {statements}");
    skipped(&with("s[t] = 1; s[t] += 2;"), &["update s[t]"]);
    skipped(&with("m[t][n] = 1; int x = m[t][n];"), &["read m[t][n]"]);
    skipped(&with("one = 1; int x = one;"), &["read one"]);
    // Other threads may change it.
    skipped(&with("a[one] = 1; int x = a[one];"), &["read one"]);
    kept("__shared__ int* p; p[t] = 1; int x = p[t];");
    kept("int local[4] = {}; a[local[0]] = 1; local[0] = 2; int x = a[local[0]];");
}

#[test]
fn branches() {
    skipped("if (a[t] < n) a[t] = n; b[t] = a[t];", &["read a[t]"]);
    skipped("if (a[t] < n) b[0] = a[t];", &["read a[t]"]);
    skipped(
        "if (n) b[0] = a[t]; else b[1] = a[t]; b[2] = a[t];",
        &["read a[t]"],
    );
    kept("if (n) b[0] = a[t]; b[2] = a[t];");
    kept("if (n) b[0] = a[t]; else b[1] = a[t];");
    skipped(
        "if (n) { return; } else b[1] = a[t]; b[2] = a[t];",
        &["read a[t]"],
    );
    skipped(
        "if (n && a[t] > 0 && a[t] < 3) b[0] = a[t];",
        &["read a[t]", "read a[t]"],
    );
    kept("if (n || a[t] > 0) b[0] = a[t];");
    skipped(
        "if (a[t] > 0 || n) b[0] = a[t]; else b[1] = a[t];",
        &["read a[t]", "read a[t]"],
    );
    skipped(
        "if (n || !a[t]) b[0] = 1; else b[1] = a[t];",
        &["read a[t]"],
    );
    kept("int x = n ? a[t] : 0; x = a[t];");
    skipped("int x = a[t] ? 1 : 0; x = n ? a[t] : 0;", &["read a[t]"]);
    skipped(
        "switch (a[t]) { case 1: b[0] = a[t]; break; default: b[1] = a[t]; }",
        &["read a[t]", "read a[t]"],
    );
    kept("switch (n) { case 1: b[0] = a[t]; break; case 2: b[1] = a[t]; }");
    kept("switch (n) { case 1: b[0] = a[t]; case 2: b[1] = a[t]; } b[2] = a[t];");
    kept("again: b[0] = a[t]; b[1] = a[t]; goto again;");
}

#[test]
fn loops() {
    let counted = |body: &str| format!("int x = a[t]; for (int i = 0; i < n; ++i) {{ {body} }}");
    skipped(&counted("x += a[t];"), &["read a[t]"]);
    skipped(
        &counted("x += a[t]; if (x) break; x += a[t];"),
        &["read a[t]", "read a[t]"],
    );
    kept(&counted("x += a[t]; __syncthreads();"));
    kept(&counted("x += a[t]; t += 1;"));
    // Only within one iteration.
    skipped(&counted("x += a[i]; x += a[i];"), &["read a[i]"]);
    skipped("for (int i = 0; i < n; ++i) b[i] = a[t]; b[0] = a[t];", &[]);
    skipped(
        "do { b[0] = a[t]; b[1] = a[t]; } while (n--);",
        &["read a[t]"],
    );
    // hirace recognises a polling thread by its checks.
    for poll in [
        "while (a[t]) {}",
        "do {} while (a[t]);",
        "for (;;) { int y = a[t]; if (y) break; }",
        "for (int i = 0; a[t] == 0; ++i) {}",
        "for (int i = 0; i < 3; ++i) { if (!a[t]) i = 0; }",
        "for (int i = 0; i != n; ++i) { x += a[t]; }",
    ] {
        kept(&format!("int x = a[t]; {poll}"));
    }
}

/// Reads in a loop's condition are checked once, after the initialiser.
#[test]
fn conditions_of_loops() {
    let ahead = |statements: &str| {
        let source = format!(
            "{FRAME}__global__ void k(int* a, int* b, int n, int t) {{ int i = 0, x = 0;\n{statements}\n}}\n"
        );
        let text = run_skipping(Skip::default(), &source, Backend::Cpu, &[]).text;
        let line = text
            .lines()
            .find(|it| it.contains("for ("))
            .unwrap_or_default();
        let line = line.replace("::hirace::", "");
        (0..16).fold(line, |line, site| {
            line.replace(&format!("0x0010000{site:x}u, "), "")
        })
    };
    for (head, expected) in [
        (
            "for (int e = a[t]; e < a[t + 1]; ++e) x += b[e];",
            "for (int e = read_ahead(a [ t + 1 ], read(a[t])); e < read_repeated(a[t + 1]); ++e) x += read(b[e]);",
        ),
        (
            "for (i = 0; a[t] > i; i += 2) x += a[t];",
            "for (i = 0, read_ahead(a [ t ]); read_repeated(a[t]) > i; i += 2) x += read_repeated(a[t]);",
        ),
        (
            "for (; i < a[t]; ++i) x += 1;",
            "for (read_ahead(a [ t ]); i < read_repeated(a[t]); ++i) x += 1;",
        ),
        (
            "for (int e = 0, f = n; e < a[t]; ++e) x += f;",
            "for (int e = 0, f = read_ahead(a [ t ], n); e < read_repeated(a[t]); ++e) x += f;",
        ),
    ] {
        assert_eq!(ahead(head), expected, "{head}");
    }
    assert!(!ahead("x = a[t]; \nfor (; i < a[t]; ++i) x += 1;").contains("ahead"));
    for kept in [
        "for (int e = 0; e < a[e]; ++e) x += 1;",
        "for (int e = 0; e < a[t]; ++e) t = x;",
        "for (int e = 0; e < a[t]; ++e) __syncthreads();",
        "for (int e = 0; e < a[t]; ++e) x = plain(x);",
        "for (int e = 0; e < a[t];) ++e;",
        "for (int e = 0; e != a[t]; ++e) x += 1;",
        "for (int e = 0; e < (n ? a[t] : 3); ++e) x += 1;",
        "for (int e{0}; e < a[t]; ++e) x += 1;",
        "for (auto e = 0; e < a[t]; ++e) x += 1;",
        "for (int e = 0; n && e < a[t]; ++e) x += 1;",
        "for (int e = 0; a[t] < 3; ++e) x += 1;",
    ] {
        assert!(!ahead(kept).contains("ahead"), "{kept}");
    }
}

/// If operators or constructors may be called invisibly, only numbers are followed.
#[test]
fn hidden_calls() {
    let numbers = "int x = a[t]; x = b[n]; x = a[t];";
    let objects = "int x = a[t]; v[n] = v[t] + v[t]; x = a[t];";
    assert_eq!(repeated(objects), ["read a[t]"]);
    for declarations in [
        "struct S { int x; }; __device__ S operator+(S one, S two);\n",
        "struct S { __device__ ~S(); };\n",
        "struct S { __device__ S(const S& it) { __syncthreads(); } };\n",
    ] {
        assert_eq!(repeated_with(declarations, numbers), ["read a[t]"]);
        assert!(
            repeated_with(declarations, objects).is_empty(),
            "{declarations}"
        );
        let declared = "int x = a[t]; { S guard; } x = a[t];";
        assert!(
            repeated_with(declarations, declared).is_empty(),
            "{declarations}"
        );
    }
}

#[test]
fn what_the_tree_does_not_show() {
    kept("int x = a[t];\n#if N\n__syncthreads();\n#endif\nx = a[t];");
    kept("try { int x = a[t]; x = a[t]; } catch (...) {}");
    let off = Skip {
        repeated_accesses: false,
        ..Skip::default()
    };
    let source = "__global__ void k(int* a, int t) { a[t] = 1; a[t] = 2; }\n";
    let text = run_skipping(off, source, Backend::Cpu, &[]).text;
    assert!(!text.contains("_repeated"), "{text}");
}

#[test]
fn in_all_functions_on_the_device() {
    let body = "{ a[t] = 1; a[t] = 2; }";
    for (head, expected) in [
        ("__global__ void", true),
        ("__device__ void", true),
        ("template <class T> __device__ void", true),
        ("void", false),
    ] {
        let source = format!("{head} f(float* a, int t) {body}\n");
        let text = run_skipping(Skip::default(), &source, Backend::Cpu, &[]).text;
        assert_eq!(text.contains("write_repeated("), expected, "{head}");
    }
}
