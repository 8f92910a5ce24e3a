//! Accesses inside macros.

use expect_test::expect;

use crate::{check, check_gpu};

#[test]
fn macros_that_stand_for_lvalues() {
    check(
        "#define A(i, j) a[(i) * n + idx[j]]
#define HEAD queue->head
#define VEC(p) (*(float4*)(p))
#define TX threadIdx.x
__global__ void k(float* a, int* idx, int n, Q* queue) {
  A(TX, 2) = A(idx[1], 3); A(1, 1) += 2; float* p = &A(3, 4); HEAD = HEAD + 1;
  VEC(&a[4]) = VEC(a); p = &HEAD;
}
",
        expect![[r#"
            #define A(i, j) a[(i) * n + R8(idx[j])]
            #define HEAD queue->head
            #define VEC(p) (*(float4*)(p))
            #define TX threadIdx.x
            __global__ void k(float* a, int* idx, int n, Q* queue) {
              W0(A(TX, 2)) = copy1(A(R2(idx[1]), 3)); U3(A(1, 1)) += 2; float* p = &A(3, 4); W4(HEAD) = R5(HEAD) + 1;
              W6(VEC(&a[4])) = copy7(VEC(a)); p = &HEAD;
            }
        "#]],
    );
}

#[test]
fn macros_that_stand_for_objects_of_the_function() {
    check(
        "#define AS(i, j) t.a[i][j]
#define N sum
#define MORE N
#define SAME(x) (x)
#define CAT(a, b) a##b
#define S(x) CAT(s_, x)
#define BITS(q) (q)->bits
struct Tiles { float a[4][4]; };
struct Flags { int bits : 3; };
__device__ int sum;
__global__ void k(Flags* flags) {
  __shared__ Tiles t; __shared__ int s_x; int local = 0;
  AS(0, 1) = AS(1, 0); N++; MORE = 2; SAME(sum) += SAME(local); SAME(local) = 1;
  atomicAdd(&SAME(sum), 1); S(x) = 3; BITS(flags) = 1;
}
__global__ void other() { int sum = 0; N = 1; }
",
        expect![[r#"
            #define AS(i, j) t.a[i][j]
            #define N sum
            #define MORE N
            #define SAME(x) (x)
            #define CAT(a, b) a##b
            #define S(x) CAT(s_, x)
            #define BITS(q) (q)->bits
            struct Tiles { float a[4][4]; };
            struct Flags { int bits : 3; };
            HIRACE_DEVICE_VARIABLE __device__ int sum; HIRACE_NAME_VARIABLE(sum, 0x00100000)
            __global__ void k(Flags* flags) {
              typedef Tiles hirace_shared_1; hirace_shared_1& t = cpu::shared<hirace_shared_1, 0x00100001u>(); typedef int hirace_shared_2; hirace_shared_2& s_x = cpu::shared<hirace_shared_2, 0x00100002u>(); int local = 0;
              W0(AS(0, 1)) = copy1(AS(1, 0)); U2(N)++; W3(MORE) = 2; U4(SAME(sum)) += SAME(local); SAME(local) = 1;
              atomicAdd5(&SAME(sum), 1); W6(S(x)) = 3; BITS(flags) = 1;
            }
            __global__ void other() { int sum = 0; N = 1; }

            not monitored, line 14: bit-field that the macro `BITS` stands for"#]],
    );
}

#[test]
fn macros_that_differ_between_branches() {
    check(
        "#ifdef ATOMIC
#define ST(v, e) atomicExch(&v, e)
#define AT(i) tile[i]
#else
#define ST(v, e) v = e
#define AT(i) (a[i] + 1)
#endif
__device__ int x;
__global__ void k(int* a, int* tile) { ST(x, a[0]); a[1] = AT(2); }
",
        expect![[r#"
            #ifdef ATOMIC
            #define ST(v, e) atomicExch3(&v, e)
            #define AT(i) tile[i]
            #else
            #define ST(v, e) W4(v) = e
            #define AT(i) (R5(a[i]) + 1)
            #endif
            HIRACE_DEVICE_VARIABLE __device__ int x; HIRACE_NAME_VARIABLE(x, 0x00100000)
            __global__ void k(int* a, int* tile) { ST(x, R0(a[0])); W1(a[1]) = R2(AT(2)); }
        "#]],
    );
}

#[test]
fn macros_that_are_given_functions() {
    check(
        "#define FOLD(NAME, OP) __global__ void NAME(int* p) { p[0] = OP(p[0], p[1]); }
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
FOLD(largest, LARGER)
FOLD(smallest, min)
",
        expect![[r#"
            #define FOLD(NAME, OP) __global__ void NAME(int* p) { W0(p[0]) = R1(OP(R2(p[0]), R3(p[1]))); }
            #define LARGER(a, b) ((a) > (b) ? (a) : (b))
            FOLD(largest, LARGER)
            FOLD(smallest, min)
        "#]],
    );
}

#[test]
fn macros_that_stand_for_values() {
    check(
        "#define SQ(x) ((x) * (x))
#define SUM(p) ((p)[0] + (p)[1])
#define GET(i) (a[i] + 1)
#define TWICE(i) (GET(i) + GET(i))
__global__ void k(float* a, V* v) {
  a[0] = SQ(a[1]) + SUM(a) + SUM(v->arr) + GET(2) + TWICE(3);
}
",
        expect![[r#"
            #define SQ(x) ((x) * (x))
            #define SUM(p) (R3((p)[0]) + R4((p)[1]))
            #define GET(i) (R5(a[i]) + 1)
            #define TWICE(i) (GET(i) + GET(i))
            __global__ void k(float* a, V* v) {
              W0(a[0]) = SQ(R1(a[1])) + SUM(a) + SUM(P2(v->arr)) + GET(2) + TWICE(3);
            }
        "#]],
    );
}

#[test]
fn macros_with_statements() {
    check(
        "#define SWAP(x, y) { float t = x; x = y; y = t; }
#define INC(x) (x)++
#define MAXEQ(a, b) if ((b) > (a)) (a) = (b)
#define STEP(i) do { \\
    s[i] += s[i + 1]; \\
    __syncthreads(); \\
  } while (0)
#define LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)
__global__ void k(float* a, float* s, int n) {
  SWAP(a[0], a[1])
  INC(a[2]);
  MAXEQ(a[3], s[4]);
  STEP(n);
  LOOP(i, n) { a[i] = 0; }
  LOOP(i, n) a[i] = 0;
}
",
        expect![[r#"
            #define SWAP(x, y) { float t = R3(x); W4(x) = copy5(y); W6(y) = t; }
            #define INC(x) (U7(x))++
            #define MAXEQ(a, b) if ((b) > (R8(a))) (W9(a)) = (b)
            #define STEP(i) do { \
                U10(s[i]) += R11(s[i + 1]); \
                syncthreads12(); \
              } while (0)
            #define LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)
            __global__ void k(float* a, float* s, int n) {
              SWAP(a[0], a[1])
              INC(a[2]);
              MAXEQ(a[3], R0(s[4]));
              STEP(n);
              LOOP(i, n) { W1(a[i]) = 0; }
              LOOP(i, n) W2(a[i]) = 0;
            }
        "#]],
    );
}

#[test]
fn quoted_and_pasted_parameters() {
    check(
        "#define SHOW(x) printf(\"%s %f\", #x, x)
#define FIELD(n) g->field_##n
__global__ void k(float* a, G* g) { SHOW(a[0]); FIELD(x) = a[1]; }
",
        expect![[r##"
            #define SHOW(hirace_text_x, x) cpu::kernel_printf("%s %f", #hirace_text_x, x)
            #define FIELD(n) g->field_##n
            __global__ void k(float* a, G* g) { SHOW(a[0], R0(a[0])); W1(FIELD(x)) = R2(a[1]); }
        "##]],
    );
}

#[test]
fn qualifier_macros() {
    check(
        "#define DI __device__ __forceinline__
#define HD __host__ DI
#define KERNEL extern \"C\" __global__ void
#define BOUNDS(n) __launch_bounds__(n)
#define DEFINE(name) __global__ void name
DI void f(int* a) { a[0] = 1; }
struct S { int* p; HD int get() const { return p[0]; } };
KERNEL k(int* a) { a[1] = 2; }
__global__ void BOUNDS(128) l(int* a) { a[2] = 3; }
DEFINE(m)(int* a) { a[3] = 4; }
EXPORT_API __global__ void n(int* a) { a[4] = 5; }
template <class T> LIB_HOST_DEVICE T o(T* a) { return a[5]; }
",
        expect![[r##"
            #define DI __device__ __forceinline__
            #define HD __host__ DI
            #define KERNEL extern "C" __global__ void
            #define BOUNDS(n) __launch_bounds__(n)
            #define DEFINE(name) __global__ void name
            DI void f(int* a) { W0(a[0]) = 1; }
            struct S { int* p; HD int get() const { return R1(R2(p)[0]); } };
            KERNEL k(int* a) { W3(a[1]) = 2; }
            __global__ void BOUNDS(128) l(int* a) { W4(a[2]) = 3; }
            DEFINE(m)(int* a) { W5(a[3]) = 4; }
            EXPORT_API __global__ void n(int* a) { W6(a[4]) = 5; }
            template <class T> LIB_HOST_DEVICE T o(T* a) { return copy7(a[5]); }
        "##]],
    );
}

#[test]
fn type_arguments_and_missing_semicolons() {
    check(
        "__global__ void k(float* a) {
  DECLARE(float, 4, x);
  DECLARE(const float*, y)
  a[0] = 1;
  TRACE(a[1])
  if (a[2]) CHECK_THAT(a[3])
  a[4] = 1;
}
",
        expect![[r#"
            __global__ void k(float* a) {
              DECLARE(float, 4, x);
              DECLARE(const float*, y)
              W0(a[0]) = 1;
              TRACE(R1(a[1]))
              if (R2(a[2])) CHECK_THAT(R3(a[3]))
              W4(a[4]) = 1;
            }
        "#]],
    );
}

#[test]
fn statements_without_semicolons_and_casts_in_arguments() {
    check(
        "#define WAIT __syncthreads();
#define HALF(x) ((x) / 2)
__global__ void k(float* a, int i) {
  WAIT a[i] = 1;
  if (i == 0) WAIT
  a[i + 1] = HALF(max((int)(a[1]), 2));
}
",
        expect![[r#"
            #define WAIT syncthreads3();
            #define HALF(x) ((x) / 2)
            __global__ void k(float* a, int i) {
              WAIT W0(a[i]) = 1;
              if (i == 0) WAIT
              W1(a[i + 1]) = HALF(max((int)(R2(a[1])), 2));
            }
        "#]],
    );
}

#[test]
fn lambdas_begun_by_macros() {
    check(
        "#define DEVICE_LAMBDA [=] __device__
#define HD_LAMBDA [ = ] __host__ __device__
#define MY_LAMBDA HD_LAMBDA
void host(int* p) {
  forall(8, DEVICE_LAMBDA(int i) { p[i] = p[i + 1]; });
  forall(8, MY_LAMBDA (int) { p[0] = 1; });
  auto f = HD_LAMBDA(int& x) { x = p[2]; };
}
",
        expect![[r#"
            #define DEVICE_LAMBDA [=] __device__
            #define HD_LAMBDA [ = ] __host__ __device__
            #define MY_LAMBDA HD_LAMBDA
            void host(int* p) {
              forall(8, DEVICE_LAMBDA(int i) { W0(p[i]) = copy1(p[i + 1]); });
              forall(8, MY_LAMBDA (int) { W2(p[0]) = 1; });
              auto f = HD_LAMBDA(int& x) { W3(x) = R4(p[2]); };
            }
        "#]],
    );
}

#[test]
fn pasted_names() {
    let source = "#define PUT(dst, v) s_##dst[i] = (v); s_ ## dst [0] += 1
__global__ void k(float* s_a, int i) { PUT(a, 1.f); }
";
    let result = crate::run(source, hirace::model::Backend::Cpu, &[]);
    let sites: Vec<_> = result
        .sites
        .iter()
        .map(|it| format!("{} of {}", it.text, it.variable))
        .collect();
    expect![[r#"
        s_dst[i] of s_dst
        s_dst [0] of s_dst"#]]
    .assert_eq(&sites.join("\n"));
}

#[test]
fn functions_that_macros_define() {
    check(
        "#define SCALED(name, k) __device__ float name(float* p, int i) { return p[i] * k; }
#define BUMP(name) __device__ inline void name(int& x) { x += 1; }
#define KERNEL(name, T) \\
  __global__ void name(T* a) { \\
    a[0] = a[1]; \\
  }
SCALED(twice, 2)
BUMP(bump)
KERNEL(k, float)
__global__ void m(float* a, int* b) { a[0] = twice(a, b[0]); bump(b[1]); }
",
        expect![[r#"
            #define SCALED(name, k) __device__ float name(float* p, int i) { return R2(p[i]) * k; }
            #define BUMP(name) __device__ inline void name(int& x) { U3(x) += 1; }
            #define KERNEL(name, T) \
              __global__ void name(T* a) { \
                W4(a[0]) = copy5(a[1]); \
              }
            SCALED(twice, 2)
            BUMP(bump)
            KERNEL(k, float)
            __global__ void m(float* a, int* b) { W0(a[0]) = twice(a, R1(b[0])); bump(b[1]); }
        "#]],
    );
}

#[test]
fn shared_variables_that_macros_declare() {
    check(
        "#define TILE(T, name, n) __shared__ T name[n]
#define ONE __shared__ int one
#define RAW(T, name) extern __shared__ T name[]
__global__ void k(float* a, int i) {
  TILE(float, left, 64);
  TILE(float, right, 64);
  RAW(float, raw);
  ONE;
  one = 1; left[i] = right[i] + raw[i];
}
",
        expect![[r#"
            #define TILE(T, name, n) typedef T hirace_shared_2_##name[n]; hirace_shared_2_##name& name = cpu::shared<hirace_shared_2_##name, 0x00100002u ^ (__COUNTER__ + 1) * 0x9e3779b97f4a7c15u>()
            #define ONE typedef int hirace_shared_3; hirace_shared_3& one = cpu::shared<hirace_shared_3, 0x00100003u>()
            #define RAW(T, name)   T * name = cpu::dynamic_shared<T>()
            __global__ void k(float* a, int i) {
              TILE(float, left, 64);
              TILE(float, right, 64);
              RAW(float, raw);
              ONE;
              W0(one) = 1; W1(P2(left)[i]) = R3(P4(right)[i]) + R5(P6(raw)[i]);
            }
        "#]],
    );
}

#[test]
fn macros_that_make_lambdas_of_their_arguments() {
    check(
        "#define FOR_ALL(n, i, body) forall(n, [=] __device__(int i) { body; })
#define EACH [=] __device__(int i)
void host(float* a) {
  FOR_ALL(8, i, a[0] = a[i]);
  forall(8, EACH { a[1] = a[2]; });
}
",
        expect![[r#"
            #define FOR_ALL(n, i, body) forall(n, [=] __device__(int i) { body; })
            #define EACH [=] __device__(int i)
            void host(float* a) {
              FOR_ALL(8, i, W0(a[0]) = copy1(a[i]));
              forall(8, EACH { W2(a[1]) = copy3(a[2]); });
            }
        "#]],
    );
}

#[test]
fn gnu_variadic_launches() {
    check(
        "#define RUN(k, g, b, args...) k<<<g, b>>>(args)
__global__ void k(float* a, int n) {}
void host(float* a) { RUN(k, 1, 2, a, 3); }
",
        expect![[r#"
            #define RUN(k, g, b, args...) cpu::counted_launch(cpu::in_macro(LaunchInfo{#k, 0x00100000u, true, 3, 0u, 0xffffffffu}), [=](const auto&... hirace_a) -> decltype(k(hirace_a...)) { k(hirace_a...); }, [&] { k(args); }, cpu::Configuration(g, b))(args)
            __global__ void k(float* a, int n) {}
            void host(float* a) { RUN(k, 1, 2, a, 3); }
        "#]],
    );
}

#[test]
fn macros_that_turn_arguments_into_text() {
    check(
        "#define SHOW(v) printf(\"%s = %d\\n\", #v, v)
#define PASS(v) SHOW(v)
#define STR(x) #x
#define XSTR(x) STR(x)
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__)
#define OF(q) CHECK(k<<<1, 32>>>(q), 0)
#define UNUSED(v) f(#v, v)
__global__ void k(int* p) {
  SHOW(p[1] /* one */ + p[2]); PASS(p[3]); puts(STR(p[4])); puts(XSTR(p[5])); SHOW(XSTR(p[6])[0]);
}
int main() { CHECK(k<<<1, 32>>>(p), cudaMemset(p, 0, 4)); OF(p); UNUSED(1); puts(STR(cudaMemset(p, 0, 4))); }
",
        expect![[r##"
            #define SHOW(hirace_text_v, v) cpu::kernel_printf("%s = %d\n", #hirace_text_v, v)
            #define PASS(hirace_text_v, v) SHOW(hirace_text_v, v)
            #define STR(x) #x
            #define XSTR(x) STR(x)
            #define CHECK(hirace_text_rest, ...) check((__VA_ARGS__), hirace_text_rest)
            #define OF(q) CHECK("k<<<1, 32>>>(" #q "), 0", cpu::launch(cpu::in_macro(LaunchInfo{"k", 0x00100005u, true, 3, 0u, 0xffffffffu}), dim3(1), dim3(32), 0, 0, [=, hirace_a0 = (q)] { k(hirace_a0); }), 0)
            #define UNUSED(v) f(#v, v)
            __global__ void k(int* p) {
              SHOW(p[1] + p[2], R0(p[1]) /* one */ + R1(p[2])); PASS(p[3], R2(p[3])); puts(STR(p[4])); puts(XSTR(p[5])); SHOW(XSTR(p[6])[0], read_argument3(XSTR(p[6])[0]));
            }
            int main() { CHECK("k<<<1, 32>>>(p), cudaMemset(p, 0, 4)", cpu::launch(LaunchInfo{"k", 0x00100004u, true, 3, 0u, 0xffffffffu}, dim3(1), dim3(32), 0, 0, [=, hirace_a0 = (p)] { k(hirace_a0); }), (HostCall6(), cudaMemset(p, 0, 4))); OF(p); UNUSED(1); puts(STR(cudaMemset(p, 0, 4))); }
        "##]],
    );
}

#[test]
fn assertions_for_a_gpu() {
    let source = "__global__ void k(int* p) { assert(p[0] /* one */ == f(1, 2)); assert((p[1])); assert(g<1, 2>(p[3])); x.assert(p[2]); }\n";
    check_gpu(
        source,
        expect![[r#"
        __global__ void k(int* p) { KernelScope hirace_kernel_scope; HIRACE_ASSERT(p[0] == f(1, 2), R0(p[0]) /* one */ == f(1, 2)); HIRACE_ASSERT((p[1]), (R1(p[1]))); assert(g<1, 2>(R2(p[3]))); x.assert(R3(p[2])); }
    "#]],
    );
    check_gpu(
        &source.replace("void", "/* NDEBUG */ void"),
        expect![[r#"
            __global__ /* NDEBUG */ void k(int* p) { KernelScope hirace_kernel_scope; assert(R0(p[0]) /* one */ == f(1, 2)); assert((R1(p[1]))); assert(g<1, 2>(R2(p[3]))); x.assert(R3(p[2])); }
        "#]],
    );
}

#[test]
fn macros_that_turn_arguments_into_text_and_have_uses_that_cannot_be_changed() {
    check(
        "#define SHOW(v) printf(\"%s = %d\\n\", #v, v)
#define EACH(what, p) what(p[0]); what(p[1])
#define FIRST(v) f(#v, v)
__global__ void k(int* p) { SHOW(p[1]); EACH(SHOW, p); FIRST(p[2], 3); }
",
        expect![[r##"
            #define SHOW(v) cpu::kernel_printf("%s = %d\n", #v, v)
            #define EACH(what, p) what(read_argument2(p[0])); what(read_argument3(p[1]))
            #define FIRST(v) f(#v, v)
            __global__ void k(int* p) { SHOW(R0(p[1])); EACH(SHOW, p); FIRST(R1(p[2]), 3); }
        "##]],
    );
}

#[test]
fn macros_with_the_names_of_functions_that_get_hooks() {
    check(
        "#define memcpy(d, s, n) copy_bytes((char*)(d), (const char*)(s), (n))
#define memset(d, v, n) __builtin_memset(d, v, n)
#define memmove(d, s, n) memmove((void*)(d), s, n)
#define atomicAdd(p, v) atomicAdd((unsigned*)(p), v)
#define __ldg(p) (*(p))
#define FILL(p) __builtin_memset(p, 0, 4)
__device__ void copy_bytes(char* d, const char* s, int n) { d[n] = s[n]; }
__global__ void k(int* a, int* b) {
  memcpy(a + 1, b, a[2]); memset(a, 0, 4); memmove(a, b, 4); atomicAdd(a, 1); b[1] = __ldg(a + b[2]); std::memcpy(a, b, 4); FILL(b);
}
",
        expect![[r#"
            #define memcpy(d, s, n) copy_bytes((char*)(d), (const char*)(s), (n))
            #define memset(d, v, n) (memset)(0x00100006u, d, v, n)
            #define memmove(d, s, n) (memmove)(0x00100007u, 0x00100008u, (void*)(d), s, n)
            #define atomicAdd(p, v) (atomicAdd)(0x00100009u, (unsigned*)(p), v)
            #define __ldg(p) (*(p))
            #define FILL(p) (memset)(0x0010000au, p, 0, 4)
            __device__ void copy_bytes(char* d, const char* s, int n) { W0(d[n]) = R1(s[n]); }
            __global__ void k(int* a, int* b) {
              memcpy(a + 1, b, R2(a[2])); memset(a, 0, 4); memmove(a, b, 4); atomicAdd(a, 1); W3(b[1]) = R4(__ldg(a + R5(b[2]))); std::memcpy(a, b, 4); FILL(b);
            }
        "#]],
    );
}

#[test]
fn heads_that_macros_produce() {
    check(
        "#define GLOBAL __global__
#define KERNEL(name, T) template <class T> GLOBAL void name(T* a, int n)
#define KERNEL_OF(name, ...) extern \"C\" __global__ void name##_kernel(__VA_ARGS__)
#define INNER(name) KERNEL_OF(name, int* a)
#define PLAIN_HEAD __device__ int first(const int* p)
#define BOUNDED(name, n) __global__ __launch_bounds__(n) void name
KERNEL(add, T) { __shared__ T s[4]; s[0] = a[n]; }
KERNEL_OF(sum, float* a, dim3 (*f)(int, int)) { n++; a[0] += 1; }
INNER(other) { a[0] = 1; }
PLAIN_HEAD { return p[0]; }
static KERNEL_OF(last, int* a)
{
  a[0] = 1;
}
BOUNDED(bounded, 64)(int* a) { a[0] = 1; }
int main() { add<int><<<1, 1>>>(a, first(a)); }
",
        expect![[r##"
            #define GLOBAL __global__
            #define KERNEL(name, T) template <class T> GLOBAL void name(T* a, int n)
            #define KERNEL_OF(name, ...) extern "C" __global__ void name##_kernel(__VA_ARGS__)
            #define INNER(name) KERNEL_OF(name, int* a)
            #define PLAIN_HEAD __device__ int first(const int* p)
            #define BOUNDED(name, n) __global__ __launch_bounds__(n) void name
            KERNEL(add, T) { typedef T hirace_shared_0[4]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); W0(s[0]) = copy1(a[n]); }
            KERNEL_OF(sum, float* a, dim3 (*f)(int, int)) { n++; U2(a[0]) += 1; }
            INNER(other) { W3(a[0]) = 1; }
            PLAIN_HEAD { return R4(p[0]); }
            static KERNEL_OF(last, int* a)
            {
              W5(a[0]) = 1;
            }
            BOUNDED(bounded, 64)(int* a) { W6(a[0]) = 1; }
            int main() { cpu::launch(LaunchInfo{"add", 0x00100007u, true, 3, 0u, 0xffffffffu}, dim3(1), dim3(1), 0, 0, [=, hirace_a0 = (a) , hirace_a1 = (first(a))] { add<int>(hirace_a0, hirace_a1); }); }
        "##]],
    );
}
