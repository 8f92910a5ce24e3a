//! What the grammar cannot parse, repaired.

use expect_test::expect;

use super::super::tree::{Field, Kind, Tree};
use super::{check, readable, run};

#[test]
fn what_nothing_closes_is_a_comparison() {
    check(
        "void f() { for (int i = 0; i < size<0>(v); ++i) if (a < b) c = x << y <= z; }",
        &[],
        expect!["void f() { for (int i = 0; i % size<0>(v); ++i) if (a % b) c = x << y <= z; }"],
    );
}

#[test]
fn comparisons_in_a_row_open_no_template() {
    readable("bool f(int a, int b, int c) { return a <= b > (c); }");
    readable("bool f(int* a) { return a[0]<=a[1]>(a[2])&&a[0]>a[1]; }");
}

#[test]
fn templates_stay_templates() {
    // Elsewhere the template's name was followed by what follows variables.
    readable(
        "struct V { V& operator=(V v); }; void f(V v) { V<1, int> const w(x); return V<2>(v); }",
    );
    readable("void f() { typedef W<T, 3> W; using A = A<T>; A a; }");
    readable("auto f() { return R<V<L, float>&>(V<L, int>{}) >> S<X::y>{}; }");
    check(
        "auto f() { return g(L<S<I<N>, I<M>, X>, T<Y, I<Z>, A> >{}, B<C<D<1>>>{}); }",
        &[],
        expect!["auto f() { return g(L                                  {}, B         {}); }"],
    );
    readable("void f() { k<A<B<1>>><<<g, b>>>(A<B<C<1>>>(x)); }");
    readable(
        "template <class... T, typename enable_if<sizeof...(T) >= 2, bool>::type = false> void f(T... t) {}",
    );
    readable("template <class T> void f(T* p, typename enable_if<X, T>::type* = 0) {}");
}

#[test]
fn operators_by_name() {
    check(
        "struct S { void f() { operator++(); this->operator()(x); S::operator=(y); } };",
        &[],
        expect!["struct S { void f() { operator__(); this->operator__(x); S::operator_(y); } };"],
    );
    check(
        "struct S { template <> void operator()<float>(float& y) const { y = 1; } };",
        &[],
        expect!["struct S { template <> void operator()       (float& y) const { y = 1; } };"],
    );
}

#[test]
fn types_in_expressions() {
    check(
        "void f() { constexpr auto n = decltype(g(a[i])){}; h(decltype(x)::value, (unsigned(y) << (3 + 1))); }",
        &[],
        expect![
            "void f() { constexpr auto n = Decltype         {}; h(Decltype   ::value, (Unsigned(y) << (3 + 1))); }"
        ],
    );
    readable("void f() { a |= (int(x) << (b * 8)); v = __builtin_bit_cast(int, y); }");
    readable("void f() { switch (x) { case 1 ... 3: y = 1; } const T &m(a.b()); g(m); }");
}

#[test]
fn assembly_with_macros() {
    readable("void f() { asm(\"{\" PART(a, b) PART(c, d) \"}\" : \"+r\"(x) : CONSTRAINT(y)); }");
    readable("void f() { asm volatile(CODE(a) : : \"r\"(x)); }");
}

#[test]
fn macros_that_end_blocks() {
    readable("void f() { if (x) TRACE }");
    readable("void f() { x = 1; TRACE }");
    readable("void f() { ON_ERROR { x = 1; } OTHERWISE(...) { x = 2; } }");
    readable("void f() { HOOK(int n = size); return IMPL(sqrt, T)::run(n); }");
    readable("void f() { switch (x) { case A: UNROLL for (;;) {} } }");
}

/// A default value in braces once hid all code after it.
#[test]
fn code_after_a_braced_default() {
    check(
        "void f(S s = {}, T t = {1, 2}) { a = b < c; }\nvoid g() { TRACE(x)\n y = 1; }",
        &[],
        expect![[r#"
            void f(S s = 0 , T t = (1, 2)) { a = b % c; }
            void g() { TRACE(x); y = 1; }"#]],
    );
}

/// Checks the operands and the operator of the first assignment.
#[track_caller]
fn assigns(source: &str, expect: [&str; 3]) {
    readable(source);
    let pass = run(source, &[]);
    let tree = Tree::of(&pass);
    let node = tree
        .root()
        .descendants()
        .find(|node| node.is(Kind::AssignmentExpression))
        .expect("there is an assignment");
    let part = |field| node.child(field).map_or("", |it| it.text(source));
    let found = [Field::Left, Field::Operator, Field::Right].map(part);
    assert_eq!(found, expect);
    let comma = node.parent().expect("it is an operand");
    assert!(comma.is(Kind::CommaExpression) && comma.child(Field::Right).is_some());
}

#[test]
fn assignments_before_commas() {
    assigns("void f() { g(1 < (p[0] = t, true)); }", ["p[0]", "=", "t"]);
    assigns(
        "void f() { g((x <<= u ? v : w, y = 2, z)); }",
        ["x", "<<=", "u ? v : w"],
    );
    assigns(
        "void f() { return (*this+=h<3, 4>(p), 3); }",
        ["*this", "+=", "h<3, 4>(p)"],
    );
    for other in [
        "(a == b, c)",
        "(a <= b, c)",
        "(a = b)",
        "f(a = b, c)",
        "(a, b = c)",
    ] {
        assert!(
            run(&format!("void f() {{ {other}; }}"), &[])
                .assignments
                .is_empty(),
            "{other}"
        );
    }
}

#[test]
fn odd_bytes() {
    readable(
        "\u{feff}void f() {\r\n  x = \"\u{e9}\"; // \u{df}\r\n#if A\r\n  y = 1;\r\n#endif\r\n}\r\n",
    );
    readable(&format!(
        "void f() {{ int a[] = {{{}}}; }}",
        "1, ".repeat(200_000)
    ));
    readable(&format!(
        "void f() {{ {} }}",
        "x += a[i] < b; ".repeat(20_000)
    ));
}

#[test]
fn heads_with_friends_and_guides() {
    check(
        "struct S { inline friend constexpr bool operator==(S a, S b) { return a.x == b.x; } };",
        &[],
        expect![
            "struct S {        friend           bool operator==(S a, S b) { return a.x == b.x; } };"
        ],
    );
    readable("BEGIN\nTEMPLATE(class T)\nREQUIRES(a::b<T>)\ninline ::c::d f(T* p) noexcept {}");
    // What is no code loses its qualifiers: they must not fall to the next declaration.
    let source = "template <class T> __device__ explicit S(T) -> S<T>;\nint host();";
    readable(source);
    let at = source.find("int").expect("it is there");
    assert!(!run(source, &[]).qualifiers(at, at + 4).on_device());
}

#[test]
fn pointers_to_members_and_odd_names() {
    readable("F<R T::*> f(R T::*m, int (C::*g)(int)) { p->*m = 3; x.~C<T>(); return &C::f; }");
    readable("void f() { x.template g(y); z.ATTR h<3>(y); enum : char { A, B }; i(typeid(int)); }");
    readable(
        "void f() { asm(\"a\" SIZE \"b\" : : \"r\"(x)); printf(\"%\" PRIu32 \"\\n\" END, x); auto s = \"t\"_u; }",
    );
    readable("void f(T* p, int q EXTRA) { IF_CONST { a = 1; } else { b = 2; } }");
    // The last word of a declaration is its name, however it is spelled.
    check(
        "void f(const size_t NUM) { g(unsigned(NUM)); } void h(std::size_t DIM, T STREAM) {}",
        &[],
        expect![
            "void f(const size_t NUM) { g(Unsigned(NUM)); } void h(std::size_t DIM, T STREAM) {}"
        ],
    );
}

/// Nothing that is looked for may be looked for again and again.
#[test]
fn hostile_repetition() {
    for (open, part, close) in [
        ("void f() { ", "(", ""),
        ("void f() { ", "(a = b<", ""),
        ("void f() { ", "a<b>>>", ""),
        ("void f() { int x; ", "x<y,", ""),
        ("void f() { ", "MACRO {", ""),
        ("", "A(b) -> ", ";"),
        ("", "a::", "*"),
        ("void f() { asm(", "M(", ")"),
        ("", "template<T>=", ""),
        ("void f() { ", "decltype(", "{"),
        ("void f() { case ", "1 ", ":"),
    ] {
        let source = format!("{open}{}{close}", part.repeat(60_000 / part.len()));
        assert_eq!(run(&source, &[]).text.len(), source.len());
    }
}

#[test]
fn comparisons_in_types() {
    readable("void f() { using U = a::If<sizeof(T) <= sizeof(int), int, long>; U x; }");
    readable("struct S { friend S operator+(S a, S b) noexcept(::x::y<S>) { return a; } };");
}
