//! References, initialisers, range-for, lambdas, classes.

use expect_test::expect;

use crate::{body, check};

#[test]
fn references() {
    body(
        "T& r = a[idx[i]]; r = r + 1; T* p = &r;",
        expect!["T& r = a[R0(idx[i])]; W1(r) = R2(r) + 1; T* p = &r;"],
    );
    body(
        "auto& r = g->pos; r.x = r.y; V v = r;",
        expect!["auto& r = g->pos; W0(r.x) = R1(r.y); V v = copy2(r);"],
    );
    body(
        "const T& c = a[i]; x = c; const float& d = n + 1; x = d;",
        expect!["const T& c = a[i]; x = copy0(c); const float& d = n + 1; x = d;"],
    );
    body(
        "float l; float& r = l; r = 1; float m[2]; auto& s = m; s[0] = 1;",
        expect!["float l; float& r = l; r = 1; float m[2]; auto& s = m; s[0] = 1;"],
    );
    body(
        "auto&& r = rows[i]; r[n] = 1; auto& q = *g; q.count = 1;",
        expect!["auto&& r = rows[i]; W0(R1(r)[n]) = 1; auto& q = *g; W2(q.count) = 1;"],
    );
    body(
        "T& r{a[i]}; r = 1; T& s(a[1]); s = 2;",
        expect!["T& r{a[i]}; W0(r) = 1; T& s(a[1]); W1(s) = 2;"],
    );
    body(
        "auto& r = i ? a[0] : a[1]; r = 1;",
        expect!["auto& r = i ? a[0] : a[1]; W0(r) = 1;"],
    );
}

#[test]
fn structured_bindings() {
    body(
        "auto [x, y] = g->pos; x = y;",
        expect!["auto [x, y] = copy0(g->pos); x = y;"],
    );
    body(
        "auto& [x, y] = g[i].pos; x = y;",
        expect!["auto& [x, y] = g[i].pos; W0(x) = copy1(y);"],
    );
}

#[test]
fn initialisers() {
    body(
        "T v(a[i]); T w(*b); T u{a[1]}; T t(a[0], b[1]);",
        expect![
            "T v(read_into<T, 0, 1>(0x00100000u, a[i])); T w(read_into<T, 0, 1>(0x00100001u, *b)); T u{read_into<T, 0, 1>(0x00100002u, a[1])}; T t(read_into<T, 0, 2>(0x00100003u, a[0]), read_into<T, 1, 2>(0x00100004u, b[1]));"
        ],
    );
    body(
        "T q(a[i] * 2), z = a[3], *p(a), *r(&a[idx[0]]);",
        expect![[r#"
            T q(a[i] * 2), z = a[3], *p(a), *r(&a[idx[0]]);
            not monitored, line 6: kernel `k` contains syntax that hirace cannot parse (line 8, column 36)"#]],
    );
    body(
        "constexpr int c = N * 2; const int d = idx[0]; static const float e[2] = {1, 2};",
        expect![
            "constexpr int c = N * 2; const int d = R0(idx[0]); static const float e[2] = {1, 2};"
        ],
    );
    body(
        "float m[2] = {a[0], a[1]}; x = m[0]; int s[N + sizeof(a[0])];",
        expect!["float m[2] = {R0(a[0]), R1(a[1])}; x = m[0]; int s[N + sizeof(a[0])];"],
    );
    body(
        "float (*m)[4] = (float (*)[4])a; m[i][1] = 2; T (&r)[2] = *(T (*)[2])a; r[0] = 1;",
        expect![
            "float (*m)[4] = (float (*)[4])a; W0(P1(m[i])[1]) = 2; T (&r)[2] = *(T (*)[2])a; W2(r[0]) = 1;"
        ],
    );
    body(
        "float (*m)[4] = (float (*)[4])a, (*n)[2] = m2, *q = b, v = b[i], w; m[i][1] = n[0][1] + *q + v;",
        expect![
            "float (*m)[4] = (float (*)[4])a, (*n)[2] = m2, *q = b, v = R0(b[i]), w; W1(P2(m[i])[1]) = R3(P4(n[0])[1]) + R5(*q) + v;"
        ],
    );
    body(
        "for (float (*m)[4] = m0, (*n)[4] = m1; m != n; ++m) m[0][0] = n[0][1];",
        expect![
            "for (float (*m)[4] = m0, (*n)[4] = m1; m != n; ++m) W0(P1(m[0])[0]) = copy2(P3(n[0])[1]);"
        ],
    );
    body(
        "float f(float); float g2();",
        expect!["float f(float); float g2();"],
    );
}

#[test]
fn range_loops() {
    body(
        "__shared__ float s[4]; for (auto& x : s) x = 1; for (float x : s) a[i] += x;",
        expect![
            "typedef float hirace_shared_0[4]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); for (auto& x : s) W0(x) = 1; for (auto&& hirace_element_0 : s) { float x = R1(hirace_element_0); U2(a[i]) += x; }"
        ],
    );
    body(
        "float l[4]; for (auto& x : l) x = 1; for (float x : l) a[i] += x;",
        expect!["float l[4]; for (auto& x : l) x = 1; for (float x : l) U0(a[i]) += x;"],
    );
    body(
        "for (float x : g->vals) { a[i] += x; }",
        expect![
            "for (auto&& hirace_element_0 : g->vals) { float x = R0(hirace_element_0); { U1(a[i]) += x; } }"
        ],
    );
    body(
        "for (int x : {1, 2, 3}) a[x] = x;",
        expect!["for (int x : {1, 2, 3}) W0(a[x]) = x;"],
    );
    body(
        "if (i) for (const auto x : g->vals) a[i] = x; else a[0] = 1;",
        expect![
            "if (i) for (auto&& hirace_element_0 : g->vals) { const auto x = copy0(hirace_element_0); W1(a[i]) = x; } else W2(a[0]) = 1;"
        ],
    );
}

#[test]
fn lambdas() {
    body(
        "auto f = [&](int j) { return a[j]; }; a[i] = f(idx[0]);",
        expect!["auto f = [&](int j) { return copy0(a[j]); }; W1(a[i]) = f(R2(idx[0]));"],
    );
    body(
        "auto f = [=](T& r, T v) { r = v; }; f(a[0], a[1]);",
        expect!["auto f = [=](T& r, T v) { W0(r) = v; }; f(a[0], copy1(a[1]));"],
    );
    body(
        "T& r = a[0]; auto f = [&r, c = a[1]]() -> T& { return r; };",
        expect!["T& r = a[0]; auto f = [&r, c = copy0(a[1])]() -> T& { return r; };"],
    );
    body(
        "__shared__ int s[8]; auto f = [p = s, &r = s, q = a, o = &a[1]](int j) { p[j] = r[j]; *q = *o; };",
        expect![
            "typedef int hirace_shared_0[8]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); auto f = [p = s, &r = s, q = a, o = &a[1]](int j) { W0(p[j]) = R1(r[j]); W2(*q) = copy3(*o); };"
        ],
    );
    check(
        "void h(float* p, int n) {\n  each(n, [=] __device__ (int i) { p[i] = 1; });\n  \
         each(n, [=](int i) { p[i] = 1; });\n}\n",
        expect![[r#"
            void h(float* p, int n) {
              each(n, [=] __device__ (int i) { W0(p[i]) = 1; });
              each(n, [=](int i) { p[i] = 1; });
            }
        "#]],
    );
}

#[test]
fn methods() {
    check(
        "struct Base { int* data; };
template <class T> struct S : Base {
  T* p; int n; T small[4]; static constexpr int K = 4; int bits : 2; T& ref;
  enum { E = 3 };
  __device__ S(T* q, T& r) : p(q), n(q[0]), ref(r) {}
  __device__ T& operator[](int i) { return p[i]; }
  __device__ T operator[](int i) const { return p[i]; }
  __device__ T operator()(int i, T& out) const { out = p[i * K + E]; return n; }
  __device__ int get() const { return this->n + data[K] + small[0]; }
  __device__ void set(int n) { this->n = n; bits = 1; ref = 2; small[n] = 3; }
  __device__ S& self() { return *this; }
  void host(int i) { p[i] = n; }
};
template <class T> __device__ void f(S<T> s, S<T>& t, int i) {
  s[i] = t[i]; t.n = s.n; t.set(s.get()); s(i, t.p[i]);
}
",
        expect![[r#"
            struct Base { int* data; };
            template <class T> struct S : Base {
              T* p; int n; T small[4]; static constexpr int K = 4; int bits : 2; T& ref;
              enum { E = 3 };
              __device__ S(T* q, T& r) : p(q), n(R0(q[0])), ref(r) {}
              __device__ T& operator[](int i) { return R1(p)[i]; }
              __device__ T operator[](int i) const { return copy2(R3(p)[i]); }
              __device__ T operator()(int i, T& out) const { W4(out) = copy5(R6(p)[i * K + E]); return R7(n); }
              __device__ int get() const { return R8(this->n) + R9(R10(data)[K]) + R11(small[0]); }
              __device__ void set(int n) { W12(this->n) = n; write_bits13(*this, [](auto& hirace_object) { HIRACE_FILL(bits) }).bits = 1; W14(ref) = 2; W15(small[n]) = 3; }
              __device__ S& self() { return *this; }
              void host(int i) { p[i] = n; }
            };
            template <class T> __device__ void f(S<T> s, S<T>& t, int i) {
              W16(s[i]) = copy17(t[i]); W18(t.n) = s.n; t.set(s.get()); s(i, read_called<decltype(s), 1, true>(0x00100013u, R20(t.p)[i]));
            }
        "#]],
    );
}

#[test]
fn file_scope_variables() {
    check(
        "__device__ int counter, limits[4]; static __device__ float* ptr;
__constant__ float coef[4]; __device__ const int fixed = 3; __managed__ float shared_value;
extern __device__ int other; __device__ constexpr int size = 4; int host_only;
namespace ns { __device__ int inner; }
__global__ void k(int i) {
  counter++; limits[i] = counter; ptr[i] = coef[i] + fixed + size; shared_value = ns::inner;
  int* p = &counter; int counter = 1; counter = 2; other = *p;
}
",
        expect![[r#"
            HIRACE_DEVICE_VARIABLE __device__ int counter, limits[4]; HIRACE_NAME_VARIABLE(counter, 0x00100000) HIRACE_NAME_VARIABLE(limits, 0x00100001) HIRACE_DEVICE_VARIABLE static __device__ float* ptr; HIRACE_NAME_VARIABLE(ptr, 0x00100002)
            __constant__ float coef[4]; __device__ const int fixed = 3; HIRACE_DEVICE_VARIABLE __managed__ float shared_value; HIRACE_NAME_MANAGED_VARIABLE(shared_value, 0x00100003)
            extern __device__ int other; __device__ constexpr int size = 4; int host_only;
            namespace ns { HIRACE_DEVICE_VARIABLE __device__ int inner; HIRACE_NAME_VARIABLE(inner, 0x00100004) }
            __global__ void k(int i) {
              U0(counter)++; W1(limits[i]) = R2(counter); W3(R4(ptr)[i]) = cpu::element_of(0x00100005u, 0x00100005u, coef, coef[i]) + fixed + size; W6(shared_value) = R7(ns::inner);
              int* p = &counter; int counter = 1; counter = 2; W8(other) = R9(*p);
            }
        "#]],
    );
}

#[test]
fn objects_made_of_references() {
    check(
        "struct Temp { float part[4]; };
template <class T> struct Red { Temp& s; __device__ explicit Red(Temp& t) : s(t) {} };
template <class T> using Alias = Red<T>;
struct Plain { float x; Temp t; };
struct Own { Alias<float> r; float x; __device__ Own(Temp& t, float x) : r(t), x(x) {} };
template <class U> __global__ void k(float* a, U* u) {
  __shared__ Temp t;
  Alias<float> r(t); Alias<float> q{t}; auto p = Red<float>(t);
  Plain one{a[0], t}; Own o(t, a[1]); lib::View<float> v(t, a[2]);
  typename U::type w = u[0]; U many[2] = {u[1], u[2]};
  std::pair both(a[3], u[3]); unknown(t, a[4]); U copy = U(u[4]);
}
",
        expect![[r#"
            struct Temp { float part[4]; };
            template <class T> struct Red { Temp& s; __device__ explicit Red(Temp& t) : s(t) {} };
            template <class T> using Alias = Red<T>;
            struct Plain { float x; Temp t; };
            struct Own { Alias<float> r; float x; __device__ Own(Temp& t, float x) : r(read_into<decltype(this->r), 0, 1>(0x00100000u, t)), x(x) {} };
            template <class U> __global__ void k(float* a, U* u) {
              typedef Temp hirace_shared_0; hirace_shared_0& t = cpu::shared<hirace_shared_0, 0x00100000u>();
              Alias<float> r(read_into<Alias<float>, 0, 1>(0x00100001u, t)); Alias<float> q{read_into<Alias<float>, 0, 1>(0x00100002u, t)}; auto p = Red<float>(t);
              Plain one{R3(a[0]), copy4(t)}; Own o(t, R5(a[1])); lib::View<float> v(read_into<typename lib::View<float>, 0, 2>(0x00100006u, t), read_into<typename lib::View<float>, 1, 2>(0x00100007u, a[2]));
              typename U::type w = read_into<typename U::type, 0, 1>(0x00100008u, u[0]); U many[2] = {read_into<U, 0, 1>(0x00100009u, u[1]), read_into<U, 0, 1>(0x0010000au, u[2])};
              std::pair both(R11(a[3]), read_argument12(u[3])); unknown(read_argument13(t), R14(a[4])); U copy = U(read_into<U, 0, 1>(0x0010000fu, u[4]));
            }
        "#]],
    );
}

/// The type of a function's result, if the grammar recognises neither macros nor `typename`.
#[test]
fn types_of_results() {
    check(
        "#define FI __forceinline__
template <class T> struct V { int n; __device__ V(const T& x) : n(x) {} };
template <class T> __device__ FI V<typename T::type> f(const T* p) { return p[0]; }
",
        expect![[r#"
            #define FI __forceinline__
            template <class T> struct V { int n; __device__ V(const T& x) : n(R0(x)) {} };
            template <class T> __device__ FI V<typename T::type> f(const T* p) { return read_into<V<typename T::type>, 0, 1>(0x00100001u, p[0]); }
        "#]],
    );
}
