//! `__shared__` in all its forms.

use expect_test::expect;

use crate::{body, check, check_gpu};

#[test]
fn static_arrays() {
    body(
        "__shared__ float s[32]; s[i] = a[i]; __syncthreads(); a[i] = s[31 - i];",
        expect![
            "typedef float hirace_shared_0[32]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); W0(s[i]) = R1(a[i]); syncthreads4(); W2(a[i]) = read_stable3(s, s[31 - i]);"
        ],
    );
    body(
        "__shared__ T tile[N][N + 1], last, *ptr; tile[i][n] = last; *ptr = tile[0][0]; ptr = a;",
        expect![
            "typedef T hirace_shared_0[N][N + 1]; hirace_shared_0& tile = cpu::shared<hirace_shared_0, 0x00100000u>(); typedef T hirace_shared_1; hirace_shared_1& last = cpu::shared<hirace_shared_1, 0x00100001u>(); typedef T *hirace_shared_2; hirace_shared_2& ptr = cpu::shared<hirace_shared_2, 0x00100002u>(); W0(tile[i][n]) = copy1(last); W2(*R3(ptr)) = copy4(tile[0][0]); W5(ptr) = a;"
        ],
    );
    body(
        "__shared__ int s[4],t; s[0] = t;",
        expect![
            "typedef int hirace_shared_0[4]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); typedef int hirace_shared_1; hirace_shared_1& t = cpu::shared<hirace_shared_1, 0x00100001u>(); W0(s[0]) = R1(t);"
        ],
    );
    body(
        "__shared__ volatile int v[32]; static __shared__ int w; v[i] = w;",
        expect![
            "typedef volatile int hirace_shared_0[32]; hirace_shared_0& v = cpu::shared<hirace_shared_0, 0x00100000u>(); typedef  int hirace_shared_1; hirace_shared_1& w = cpu::shared<hirace_shared_1, 0x00100001u>(); W0(v[i]) = R1(w);"
        ],
    );
    body(
        "volatile __shared__ float4 q[2]; q[0].x = q[1].y; float4 c = q[0];",
        expect![
            "volatile typedef float4 hirace_shared_0[2]; hirace_shared_0& q = cpu::shared<hirace_shared_0, 0x00100000u>(); W0(q[0].x) = R1(q[1].y); float4 c = copy2(q[0]);"
        ],
    );
    body(
        "__shared__ int m[2][3][4]; m[0][1][2] = m[1][0][0];",
        expect![
            "typedef int hirace_shared_0[2][3][4]; hirace_shared_0& m = cpu::shared<hirace_shared_0, 0x00100000u>(); W0(m[0][1][2]) = R1(m[1][0][0]);"
        ],
    );
}

#[test]
fn structs() {
    body(
        "__shared__ Node s[4]; s[i].count = s[0].pos.x; s[i].row[1] = 2;",
        expect![
            "typedef Node hirace_shared_0[4]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); W0(s[i].count) = R1(s[0].pos.x); W2(R3(s[i].row)[1]) = 2;"
        ],
    );
    body(
        "__shared__ struct { int a; float b[2]; } s, t; s.a = t.b[1];",
        expect![
            "typedef struct { int a; float b[2]; } hirace_shared_0; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); typedef struct { int a; float b[2]; } hirace_shared_1; hirace_shared_1& t = cpu::shared<hirace_shared_1, 0x00100001u>(); W0(s.a) = R1(t.b[1]);"
        ],
    );
    body(
        "__shared__ union { int i; float f; } u; u.i = 1; x = u.f;",
        expect![
            "typedef union { int i; float f; } hirace_shared_0; hirace_shared_0& u = cpu::shared<hirace_shared_0, 0x00100000u>(); W0(u.i) = 1; x = R1(u.f);"
        ],
    );
    body(
        "__shared__ struct P { int a; } s, t; s.a = t.a;",
        expect![
            "typedef struct P { int a; } hirace_shared_0; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); typedef P hirace_shared_1; hirace_shared_1& t = cpu::shared<hirace_shared_1, 0x00100001u>(); W0(s.a) = R1(t.a);"
        ],
    );
    body(
        "__shared__ typename B::TempStorage tmp; x = B(tmp).Sum(a[i]);",
        expect![
            "typedef typename B::TempStorage hirace_shared_0; hirace_shared_0& tmp = cpu::shared<hirace_shared_0, 0x00100000u>(); x = B(read_argument0(tmp)).Sum(read_argument1(a[i]));"
        ],
    );
}

#[test]
fn alignment() {
    body(
        "__shared__ __align__(16) float s[4]; alignas(8) __shared__ char c[8]; s[0] = c[0];",
        expect![
            "typedef  float hirace_shared_0[4]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); typedef  char hirace_shared_1[8]; hirace_shared_1& c = cpu::shared<hirace_shared_1, 0x00100001u>(); W0(s[0]) = R1(c[0]);"
        ],
    );
}

#[test]
fn dynamic_arrays() {
    body(
        "extern __shared__ float s[]; s[i] = a[i];",
        expect!["  float * s = cpu::dynamic_shared<float, 0x00100000u>(); W0(s[i]) = R1(a[i]);"],
    );
    body(
        "extern __shared__ __align__(16) unsigned char raw[]; float* f = (float*)raw; f[i] = raw[0];",
        expect![
            "   unsigned char * raw = cpu::dynamic_shared<unsigned char, 0x00100000u>(); float* f = (float*)raw; W0(f[i]) = R1(raw[0]);"
        ],
    );
    body(
        "extern __shared__ char raw[]; auto& v = reinterpret_cast<V&>(raw); v.x = 1; ((V&)raw).y = 2;",
        expect![
            "  char * raw = cpu::dynamic_shared<char, 0x00100000u>(); auto& v = reinterpret_cast<V&>(*raw); W0(v.x) = 1; W1(((V&)*raw).y) = 2;"
        ],
    );
    body(
        "extern __shared__ double2 d[]; d[i].x = 1; extern __shared__ volatile int v[];",
        expect![
            "  double2 * d = cpu::dynamic_shared<double2, 0x00100000u>(); W0(d[i].x) = 1;   volatile int * v = cpu::dynamic_shared<volatile int, 0x00100001u>();"
        ],
    );
    body(
        "extern __shared__ float t[][32]; t[i][0] = 1; extern __shared__ T* ps[]; ps[0][i] = 2;",
        expect![
            "  float (*t)[32] = cpu::dynamic_shared<float[32], 0x00100000u>(); W0(P1(t[i])[0]) = 1;   T* * ps = cpu::dynamic_shared<T*, 0x00100001u>(); W2(R3(ps[0])[i]) = 2;"
        ],
    );
    check(
        "extern __shared__ float dyn[];\nextern __shared__ __align__(8) char raw[];
__global__ void k(int i) { dyn[i] = *(float*)raw; float* p = dyn; p = reinterpret_cast<float*>(raw) + 1; }\n",
        expect![[r#"
            static constexpr  cpu::DynamicShared<float, 0x00100000u> dyn{};
            static constexpr   cpu::DynamicShared<char, 0x00100001u> raw{};
            __global__ void k(int i) { W0(dyn[i]) = R1(*(float*)+raw); float* p = dyn; p = reinterpret_cast<float*>(+raw) + 1; }
        "#]],
    );
}

#[test]
fn over_several_lines() {
    body(
        "__shared__\n  float s[4],\n    t[2]; // two\n  s[0] = t[1];",
        expect![[r#"
        typedef
          float hirace_shared_0[4]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); typedef float
            hirace_shared_1[2]; hirace_shared_1& t = cpu::shared<hirace_shared_1, 0x00100001u>(); // two
          W0(s[0]) = R1(t[1]);"#]],
    );
}

#[test]
fn nvcc_knows_them() {
    check_gpu(
        "extern __shared__ float dyn[];\n__global__ void k(int i) {\n  __shared__ float s[4];\n  \
         extern __shared__ int d[];\n  s[i] = dyn[i] + d[0];\n}\n",
        expect![[r#"
            extern __shared__ float dyn[];
            __global__ void k(int i) { KernelScope hirace_kernel_scope;
              __shared__ float s[4];
              extern __shared__ int d[];
              W0(s[i]) = R1(dyn[i]) + R2(d[0]);
            }
        "#]],
    );
}

/// On the CPU, a shared variable's name refers to a reference.
#[test]
fn names_of_references() {
    check(
        "__global__ void k(float* a, int i) {
  __shared__ float s[64], one;
  decltype(one) x = 1; decltype(s)* p = &s;
  auto f = [=](int j) { return s[j]; }; auto g = [i]() { return one; }; auto h = [&]() { return s[0]; };
  auto e = []() { return s[1] + one; };
}
",
        expect![[r#"
            __global__ void k(float* a, int i) {
              typedef float hirace_shared_0[64]; hirace_shared_0& s = cpu::shared<hirace_shared_0, 0x00100000u>(); typedef float hirace_shared_1; hirace_shared_1& one = cpu::shared<hirace_shared_1, 0x00100001u>();
              ::std::remove_reference_t<decltype(one)> x = 1; ::std::remove_reference_t<decltype(s)>* p = &s;
              auto f = [=, &s](int j) { return R0(s[j]); }; auto g = [i, &one]() { return R1(one); }; auto h = [&]() { return R2(s[0]); };
              auto e = [&one, &s]() { return R3(s[1]) + R4(one); };
            }
        "#]],
    );
}
