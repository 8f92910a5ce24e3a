//! Forms of functions, and syntax that stays unchanged.

use expect_test::expect;
use hirace::model::Backend;

use crate::{check, run, show};

#[test]
fn forms_of_functions() {
    check(
        "extern \"C\" __global__ void __launch_bounds__(128, 2, 1) a(int* p) { p[0] = 1; }
extern \"C\" { __device__ void b(int* p) { p[0] = 1; } }
namespace n { namespace { __device__ static inline void c(int* p) { p[0] = 1; } } }
template <> __global__ void d<int>(int* __restrict__ p, int* const __restrict q) { p[0] = q[0]; }
void __global__ e(int* p) { p[0] = 1; }
__host__ __device__ constexpr int f(int* p) { return p[0]; }
__host__ __device__ constexpr int g(int p) { return p; }
__device__ auto h(int* p) -> int& { return p[0]; }
__device__ decltype(auto) i(int* p) { return (p[0]); }
[[nodiscard]] __device__ int j(int* p) noexcept { return p[0]; }
__attribute__((noinline)) __device__ int l(int p[], int q[4]) { return p[0] + q[1]; }
__global__ void __cluster_dims__(2, 1, 1) m(const __grid_constant__ P par) { par.x[0] = par.n; }
void host(int* p) { p[0] = 1; }
constexpr int o(int* p) { return p[0]; }
",
        expect![[r#"
            extern "C" __global__ void __launch_bounds__(128, 2, 1) a(int* p) { W0(p[0]) = 1; }
            extern "C" { __device__ void b(int* p) { W1(p[0]) = 1; } }
            namespace n { namespace { __device__ static inline void c(int* p) { W2(p[0]) = 1; } } }
            template <> __global__ void d<int>(int* __restrict__ p, int* const __restrict q) { W3(p[0]) = R4(q[0]); }
            void __global__ e(int* p) { W5(p[0]) = 1; }
            __host__ __device__ constexpr int f(int* p) { return R6(p[0]); }
            __host__ __device__ constexpr int g(int p) { return p; }
            __device__ auto h(int* p) -> int& { return p[0]; }
            __device__ decltype(auto) i(int* p) { return (p[0]); }
            [[nodiscard]] __device__ int j(int* p) noexcept { return R7(p[0]); }
            __attribute__((noinline)) __device__ int l(int p[], int q[4]) { return R8(p[0]) + R9(q[1]); }
            __global__ void __cluster_dims__(2, 1, 1) m(const __grid_constant__ P par) { cpu::cluster_dimensions(2, 1, 1); W10(par.x[0]) = par.n; }
            void host(int* p) { p[0] = 1; }
            constexpr int o(int* p) { return p[0]; }
        "#]],
    );
}

#[test]
fn out_of_class_definitions() {
    check(
        "struct S { int* p; __device__ void f(int); void g(); };
__device__ void S::f(int i) { p[i] = 1; }
inline void S::f(int i) { p[i] = 1; }
void S::g() { p[0] = 1; }
",
        expect![[r#"
            struct S { int* p; __device__ void f(int); void g(); };
            __device__ void S::f(int i) { W0(R1(p)[i]) = 1; }
            inline void S::f(int i) { W2(R3(p)[i]) = 1; }
            void S::g() { p[0] = 1; }
        "#]],
    );
}

#[test]
fn templates() {
    check(
        "template <typename T, template <class> class C, int N = 4, typename... A>
__device__ typename C<T>::type f(typename C<T>::ref r, C<T>* c, T v[N]) {
  typename C<T>::type x = c->template get<N>(); using U = typename C<T>::item; U y = (U)*v;
  r = v[0]; return x + y;
}
",
        expect![[r#"
            template <typename T, template <class> class C, int N = 4, typename... A>
            __device__ typename C<T>::type f(typename C<T>::ref r, C<T>* c, T v[N]) {
              typename C<T>::type x = read_into<typename C<T>::type, 0, 1>(0x00100000u, c->template get<N>()); using U = typename C<T>::item; U y = (U)R1(*v);
              r = copy2(v[0]); return x + y;
            }
        "#]],
    );
}

#[test]
fn conditional_compilation() {
    let source = "__global__ void k(float* a\n#ifdef EXTRA\n, int n\n#else\n, long n\n#endif\n) {\n\
                  #if defined(FAST)\n  a[0] = 1;\n#else\n  a[1] = 2;\n#endif\n  a[2] =\n\
                  #ifdef FAST\n a[3]\n#else\n a[4]\n#endif\n;\n#if 0\n  a[5] = (;\n  __syncthreads();\n#endif\n}\n";
    expect![[r#"
        __global__ void k(float* a
        #ifdef EXTRA
        , int n
        #else
        , long n
        #endif
        ) {
        #if defined(FAST)
          W0(a[0]) = 1;
        #else
          a[1] = 2;
        #endif
          W1(a[2]) =
        #ifdef FAST
         R2(a[3])
        #else
         a[4]
        #endif
        ;
        #if 0
          a[5] = (;
          syncthreads3();
        #endif
        }
    "#]]
    .assert_eq(&show(&run(source, Backend::Cpu, &["-DFAST"])));
    expect![[r#"
        __global__ void k(float* a
        #ifdef EXTRA
        , int n
        #else
        , long n
        #endif
        ) {
        #if defined(FAST)
          W0(a[0]) = 1;
        #else
          W1(a[1]) = 2;
        #endif
          W2(a[2]) =
        #ifdef FAST
         R3(a[3])
        #else
         a[4]
        #endif
        ;
        #if 0
          a[5] = (;
          syncthreads4();
        #endif
        }

        not monitored, line 17: `#if` branch that cannot be combined with the other branches"#]]
    .assert_eq(&show(&run(source, Backend::Cpu, &[])));
}

#[test]
fn a_function_that_is_not_understood_is_left_alone() {
    check(
        "__global__ void k(int* a) {
  __shared__ int s[4];
  a[0] = 1;
  a[1] = $ % 3 ] ;
  __syncthreads();
}
__global__ void l(int* a) { a[0] = 1; }
",
        expect![[r#"
            __global__ void k(int* a) {
              typedef int hirace_shared_0[4]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>();
              a[0] = 1;
              a[1] = $ % 3 ] ;
              syncthreads1();
            }
            __global__ void l(int* a) { W0(a[0]) = 1; }

            not monitored, line 1: kernel `k` contains syntax that hirace cannot parse (line 4, column 16)"#]],
    );
}

#[test]
fn bit_fields_and_packed_members() {
    check(
        "struct B { int a : 3; int b; }; struct __attribute__((packed)) P { char c; int d; };
__global__ void k(B* x, P* y) { x->a = x->b; x->b = y->d; y->c++; P z = *y; }
",
        expect![[r#"
            struct B { int a : 3; int b; }; struct __attribute__((packed)) P { char c; int d; };
            __global__ void k(B* x, P* y) { write_bits0(*(x), [](auto& hirace_object) { HIRACE_FILL(a) }).a = R1(x->b); W2(x->b) = y->d; y->c++; P z = copy3(*y); }

            not monitored, line 2: member of a packed struct `y->d`
            not monitored, line 2: member of a packed struct `y->c`"#]],
    );
}

#[test]
fn what_separates_bit_fields_by_condition() {
    check(
        "struct B {
  int a : 3;
#ifdef X
  int : 0;
#endif
  int b : 3;
#ifdef Y
  int c : 3; int d;
#endif
  int e : 3;
};
__global__ void k(B* x) { x->a = 1; x->e = 2; }
",
        expect![[r#"
            struct B {
              int a : 3;
            #ifdef X
              int : 0; enum { hirace_separator_35 };
            #endif
              int b : 3;
            #ifdef Y
              int c : 3; int d;
            #endif
              int e : 3;
            };
            __global__ void k(B* x) { write_bits0(*(x), [](auto& hirace_object) { HIRACE_FILL(a) if (!HIRACE_HAS_MEMBER(hirace_separator_35)) { HIRACE_FILL(b) HIRACE_FILL_IF(c) if (!HIRACE_HAS_MEMBER(d)) { HIRACE_FILL(e) } } }).a = 1; write_bits1(*(x), [](auto& hirace_object) { if (!HIRACE_HAS_MEMBER(d)) { HIRACE_FILL_IF(c) HIRACE_FILL(b) if (!HIRACE_HAS_MEMBER(hirace_separator_35)) { HIRACE_FILL(a) } } HIRACE_FILL(e) }).e = 2; }
        "#]],
    );
}

#[test]
fn local_classes() {
    check(
        "__global__ void k(int* a) {
  struct Op { int* q; __device__ int operator()(int i) const { return q[i]; } };
  Op op{a}; a[0] = op(a[1]);
}
",
        expect![[r#"
            __global__ void k(int* a) {
              struct Op { int* q; __device__ int operator()(int i) const { return R0(R1(q)[i]); } };
              Op op{a}; W2(a[0]) = op(read_called<decltype(op), 0, false>(0x00100003u, a[1]));
            }
        "#]],
    );
}

#[test]
fn host_device_code() {
    check(
        "struct Plus { __host__ __device__ float operator()(const float& x, float& y) const { y = x; return x; } };
template <class Op> __global__ void k(float* a, Op op) { a[0] = op(a[1], a[2]); }
",
        expect![[r#"
            struct Plus { __host__ __device__ float operator()(const float& x, float& y) const { W0(y) = R1(x); return R2(x); } };
            template <class Op> __global__ void k(float* a, Op op) { W3(a[0]) = op(read_called<decltype(op), 0, false>(0x00100004u, a[1]), read_called<decltype(op), 1, true>(0x00100005u, a[2])); }
        "#]],
    );
}

/// A conversion's name contains its result type.
#[test]
fn conversions() {
    check(
        "struct S { int* p;
  __device__ operator int() const { return p[0]; }
  __device__ operator const int&() const { return p[0]; }
  __device__ operator int*() const;
  __device__ operator int&();
  __device__ operator H() const;
};
__device__ S::operator int*() const { return p; }
__device__ S::operator int&() { return p[0]; }
__device__ S::operator H() const { return p[0]; }
template <class A> template <class B> __device__ Q<A>::operator B&() const { return v.f[0]; }
",
        expect![[r#"
            struct S { int* p;
              __device__ operator int() const { return R0(R1(p)[0]); }
              __device__ operator const int&() const { return R2(p)[0]; }
              __device__ operator int*() const;
              __device__ operator int&();
              __device__ operator H() const;
            };
            __device__ S::operator int*() const { return R3(p); }
            __device__ S::operator int&() { return R4(p)[0]; }
            __device__ S::operator H() const { return read_into<H, 0, 1>(0x00100005u, R6(p)[0]); }
            template <class A> template <class B> __device__ Q<A>::operator B&() const { return v.f[0]; }
        "#]],
    );
}

/// The value of a statement expression is loaded where it is, whatever is done with it.
#[test]
fn values_of_statement_expressions() {
    check(
        "__device__ int use(const int& x);
__device__ void f(int* p, int i) {
  int v = ({ int j = p[1]; p[j]; }) + ({ p[2] + 1; });
  use(({ p[3]; }));
  ({ p[4]; });
}
",
        expect![[r#"
            __device__ int use(const int& x);
            __device__ void f(int* p, int i) {
              int v = ({ int j = R0(p[1]); R1(p[j]); }) + ({ R2(p[2]) + 1; });
              use(({ R3(p[3]); }));
              ({ p[4]; });
            }
        "#]],
    );
}
