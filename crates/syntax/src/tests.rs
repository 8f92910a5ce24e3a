//! The pre-pass, seen from outside: what the grammar gets to read.

use expect_test::{Expect, expect};

use super::alias::{AliasSource, Aliases};
use super::defines::Defines;
use super::prepass::Prepass;
use super::qualifier::Qualifiers;
use super::tree::Tree;

/// Runs the pre-pass as for a project of this one file.
fn run(source: &str, arguments: &[&str]) -> Prepass {
    let defines = Defines::from_arguments(arguments);
    let plain = Prepass::run(source, &defines, &Aliases::default());
    let definitions = plain.directives.macros.iter().map(|it| AliasSource {
        name: &it.name,
        has_parameters: it.parameters.is_some(),
        body: &source[it.body.clone()],
    });
    Prepass::run(source, &defines, &Aliases::find(definitions))
}

/// Checks the masked text, which the grammar must be able to parse.
#[track_caller]
fn check(source: &str, arguments: &[&str], expect: Expect) {
    let pass = run(source, arguments);
    assert_eq!(pass.text.len(), source.len(), "the length changes");
    let text = String::from_utf8(pass.text).expect("the pre-pass keeps UTF-8");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    expect.assert_eq(&lines.join("\n"));
    assert!(
        !Tree::parse(text.as_bytes(), 0).root().has_error(),
        "the grammar fails"
    );
}

/// Checks that nothing is left that the grammar cannot parse, whatever it gets to read.
#[track_caller]
fn readable(source: &str) {
    let pass = run(source, &[]);
    assert_eq!(pass.text.len(), source.len(), "the length changes");
    let tree = Tree::of(&pass);
    if let Some(error) = tree.root().first_error() {
        let text = String::from_utf8_lossy(&pass.text);
        panic!("the grammar fails at {error:?} of\n{text}");
    }
}

#[test]
fn qualifiers_and_attributes() {
    check(
        "__global__ void __launch_bounds__(256, 2, 1) k(T* __restrict__ a, const __grid_constant__ P p) {}",
        &[],
        expect![
            "void                              k(T*              a, const                   P p) {}"
        ],
    );
    check(
        "template <class T> __device__ __forceinline__ T f(T* const __restrict p) {}",
        &[],
        expect!["template <class T>                            T f(T* const            p) {}"],
    );
    check(
        "struct __attribute__((packed)) __align__(8) S { alignas(16) int x; [[maybe_unused]] int y; };",
        &[],
        expect![
            "struct                                      S {             int x;                  int y; };"
        ],
    );
    check(
        "void f() { each([=] __device__ (int i) { __asm__ __volatile__(\"x\"); }); }",
        &[],
        expect![[r#"void f() { each([=]            (int i) { asm     volatile    ("x"); }); }"#]],
    );
}

#[test]
fn branches_of_known_conditions() {
    let source =
        "#if defined(A) && N > 3\nint a;\n#elif defined B\nint b;\n#else\nint c;\n#endif\n";
    check(
        source,
        &["-DA", "-DN=4"],
        expect![[r#"

        int a;




    "#]],
    );
    check(
        source,
        &["-DA", "-DN=3", "-DB"],
        expect![[r#"



        int b;


    "#]],
    );
    check(
        source,
        &["-UA", "-UB"],
        expect![[r#"





        int c;
    "#]],
    );
    check(
        "#if 0\nint a = ;\n#else\nint b;\n#endif\n",
        &[],
        expect![[r#"



            int b;
        "#]],
    );
    check(
        "#define N 4\n#if N == 4\nint a;\n#else\nint b = ;\n#endif\n",
        &[],
        expect![[r#"


            int a;


        "#]],
    );
}

#[test]
fn branches_of_unknown_conditions() {
    check(
        "#ifdef A\nint a;\n#else\nint b;\n#endif\n",
        &[],
        expect![[r#"

            int a;

            int b;
        "#]],
    );
    check(
        "void f(int a,\n#ifdef A\nint b\n#else\nlong b\n#endif\n);\n",
        &[],
        expect![[r#"
            void f(int a,

            int b



            );"#]],
    );
    check(
        "void f() {\n#ifdef A\nif (x) {\n#else\nif (y) {\n#endif\n}\n}\n",
        &[],
        expect![[r#"
            void f() {

            if (x) {



            }
            }"#]],
    );
    check(
        "void f() {\n#ifdef A\nif (x) {\n#endif\ng();\n#ifdef A\n}\n#endif\n}\n",
        &[],
        expect![[r#"
            void f() {

            if (x) {

            g();

            }

            }"#]],
    );
    check(
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid f();\n#ifdef __cplusplus\n}\n#endif\n",
        &[],
        expect![[r#"

            extern "C" {

            void f();

            }
        "#]],
    );
}

#[test]
fn include_guards_are_certain() {
    let pass = run(
        "#ifndef G\n#define G\n__device__ int x;\n#ifdef A\nint y;\n#endif\n#endif\n",
        &[],
    );
    assert!(!pass.is_uncertain(25));
    assert!(pass.is_uncertain(50));
}

#[test]
fn macros_in_heads_of_declarations() {
    check(
        "class EXPORT C : public B { API virtual void f() const NOEXCEPT; };",
        &[],
        expect!["class        C : public B {     virtual void f() const         ; };"],
    );
    check(
        "NAMESPACE_BEGIN\nSTRONG_INLINE const std::vector<int>& f(int x) {}\nNAMESPACE_END\n",
        &[],
        expect![[r#"

                          const std::vector<int>& f(int x) {}
        "#]],
    );
    check(
        "struct S { FORCE_INLINE explicit S(int x) : x(x) {} DECLARE_ALL(S)\n int x; };",
        &[],
        expect![[r#"
            struct S {              explicit S(int x) : x(x) {}
            int x; };"#]],
    );
    check(
        "template <class T> LIB_DEVICE typename T::type f() {}",
        &[],
        expect!["template <class T>                     T::type f() {}"],
    );
}

#[test]
fn launches() {
    check(
        "void f() { k<<<(n + 31) >> 5, 64 >> 1>>>(a); k<<<f<A<int>>(n), 1>>>(a); }",
        &[],
        expect!["void f() { k<<<(n + 31) << 5, 64 << 1>>>(a); k<<<f<A<int>>(n), 1>>>(a); }"],
    );
    check(
        "__global__ void k(int* a) {}\nvoid f() { k<<<2 >> 1, 64>>>(0); }",
        &[],
        expect![[r#"
            void k(int* a) {}
            void f() { k<<<2 << 1, 64>>>(0); }"#]],
    );
}

#[test]
fn macros_in_code() {
    check(
        "void f() {\n  TRACE(x)\n  y = 1;\n  LOOP(i, n) { z(); }\n}",
        &[],
        expect![[r#"
            void f() {
            TRACE(x);  y = 1;
            LOOP(i, n);{ z(); }
            }"#]],
    );
    check(
        "void f() { MAKE(float, int*, x); T* RESTRICT p = q; WRAP(return x;); }",
        &[],
        expect!["void f() { MAKE(Float, Int , x); T*          p = q;      return x; ; }"],
    );
    check(
        "void f() { asm(\"a\" : \"=r\"(x) : PTR(p)); y = x.operator float(); }",
        &[],
        expect![[r#"void f() { asm("a" : "=r"(x) : "" (p)); y = x.         float(); }"#]],
    );
}

#[test]
fn what_guessed_attributes_mean() {
    let pass = run("LIB_HOST_DEVICE void f() {}", &[]);
    let qualifiers = pass.qualifiers(16, 21);
    assert!(qualifiers.has(Qualifiers::DEVICE) && qualifiers.has(Qualifiers::HOST));
}

#[test]
fn comparisons_are_no_template_arguments() {
    check(
        "void f(int t, int n, int* p) { bool a = t < n && p[5] > -1; a = min(t < n, p[5] > (0)); }",
        &[],
        expect![
            "void f(int t, int n, int* p) { bool a = t % n && p[5] > -1; a = min(t % n, p[5] > (0)); }"
        ],
    );
    check(
        "void h(T k); int main() { k<<<1, 64>>>(p); }",
        &[],
        expect!["void h(T k); int main() { k<<<1, 64>>>(p); }"],
    );
    // Names that were never seen as variables, and types, stay as they are; what no
    // `>` follows compares in any case.
    check(
        "void f(int n) { int x = g<n, 2>(n); auto y = n % 3; T v = max<int>(x, 2); V<n> w(x); }",
        &[],
        expect![
            "void f(int n) { int x = g<n, 2>(n); auto y = n % 3; T v = max<int>(x, 2); V<n> w(x); }"
        ],
    );
}

mod real_code;
mod repairs;
