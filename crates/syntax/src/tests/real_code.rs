//! Forms that real projects use and that the grammar does not know.

use expect_test::expect;

use super::super::qualifier::Qualifiers;
use super::super::tree::{Kind, Tree};
use super::{check, readable, run};

#[test]
fn macros_that_make_types() {
    check(
        "template <class T> T f(const ELEMENT(T)* p, int n) { ALIGNED ELEMENT(T) a[4]; ELEMENT(T) b; g(const_cast<ELEMENT(T)*>(p)); }",
        &[],
        expect![
            "template <class T> T f(const ELEMENT   * p, int n) {         ELEMENT    a[4]; ELEMENT    b; g(const_cast<ELEMENT   *>(p)); }"
        ],
    );
    readable("union { P p; ELEMENT(T) n[8]; } u;");
    // Nothing but a call.
    readable("void f() { CHECK(x); a[4] = 1; CHECK(x)\n b[0] = 1; }");
}

#[test]
fn macros_that_make_declarations() {
    readable("static CONSTANT(zero, 0);\nint a;");
    readable("void f() { static CONSTANT(zero, 0.5f); const CONSTANT(one, 1); }");
    readable("void f() { if (x) {\n PLUGIN(int size = n * m)\n} PLUGIN(int k = 1)\n g(k); }");
    readable("void f() { PLUGIN\n View<T>(p, n) = x; PLUGIN\n View(p, n) = x; }");
    readable("void f() { CHECK(A, int(B::c))\n *this = r.g(); }");
}

#[test]
fn concepts_by_macros() {
    readable(
        "template <class T> CONCEPT c = REQUIRES((T), T a, const T b)(requires(d<T>), _Same(T&) a += b);\ntemplate <class, class = void> struct S {};",
    );
    readable("template <::a::b T, ::c::d U> struct S {};");
    readable(
        "struct S { template <class T> friend bool operator==(S a, T b) noexcept(noexcept(n<T>)) { return a < b; } };",
    );
}

#[test]
fn packs_of_pointers() {
    let source = "template <class... T> void f(int n, const T*... p) { g([&](auto*... q) { h(q[n]...); }, p...); }";
    readable(source);
    let tree = Tree::of(&run(source, &[]));
    let packs = tree.root().descendants();
    let packs: Vec<&str> = packs
        .filter(|it| it.is(Kind::VariadicParameterDeclaration))
        .map(|it| it.text(source))
        .collect();
    assert_eq!(packs, ["const T*... p", "auto*... q"]);
    // A fold is none.
    check(
        "bool v = (A<T>::value && ...);",
        &[],
        expect!["bool v = (A<T>::value && ...);"],
    );
}

#[test]
fn types_and_comparisons() {
    readable(
        "template <class T> void f() { using U = If<sizeof(T) >= sizeof(int), A<T>, long>; U x; }",
    );
    readable("int f() { return get<a::b<N, c::d<T...>> const&, N>(s); }");
    readable(
        "void f() { RUN_ON(DEVICE, (using U = If<sizeof(T) <= sizeof(int), int, long>; return g<U>(x);)) }",
    );
    readable(
        "inline Reshaped<CONST Derived, N, 1> f() CONST { return Reshaped<CONST Derived, N, 1>(x); }",
    );
    readable("const P p = { true, &typeid(void) };");
}

#[test]
fn statements_in_arguments_of_calls() {
    readable(
        "int f() { return run([&](auto x) -> T { ON_SIDE(HOST, ({ S s; s << x; LOG(\"\", a.b()); }))\n const auto t = x(); return t; }); }",
    );
    readable("auto f(T&&... t) { return g(h<T>(t)... REPEAT(2, GET)); }");
    readable("void f() { asm volatile(\"a\" : : \"r\"(x)  \"l\"(y)); }");
    readable(
        "struct S { int load(int m = 1) CONST VOLATILE noexcept CHECK_ORDER(m) { return m; } };",
    );
}

/// Constructors whose initialisers depend on a condition: all alternatives are read.
#[test]
fn initialisers_by_condition() {
    check(
        "struct P { P(int a)\n#ifdef X\n: x(a), y(1)\n#else\n: y(a), x(1)\n#endif\n{} };",
        &[],
        expect![[r"
            struct P { P(int a)

            : x(a), y(1)

            , y(a), x(1)

            {} };"]],
    );
}

#[test]
fn branches_with_else_and_macros() {
    readable("void f() { if (a) { x(); }\n#if A\nelse { y(); }\n#else\nelse { z(); }\n#endif\n}");
    // The call of a macro is a whole statement.
    let source = "void f() {\n#if A\n ON_SIDE(HOST, (return a;))\n#else\n ::b::c();\n#endif\n}";
    readable(source);
    assert!(run(source, &[]).directives.unchosen.is_empty());
}

/// What stands before `friend` is about the function after it.
#[test]
fn qualifiers_before_friend() {
    let source = "struct S { __device__ inline friend constexpr bool operator==(S a, S b) { return true; } };";
    readable(source);
    let at = source.find("bool").expect("it is there");
    let found = run(source, &[]).qualifiers(at, at + 5);
    assert!(found.has(Qualifiers::DEVICE));
}
