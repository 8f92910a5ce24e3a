//! Expressions that are casts or products, depending on what names mean; macros with the names of hooks, or
//! that stand for parts of syntax; shared variables of a file.

use expect_test::expect;

use crate::{body, check};

#[test]
fn products_that_look_like_casts() {
    body(
        "a[0] = (n * (i)) * (b[1]); a[1] = (n * (i)) & (idx[1]); a[2] = (n)*(b[2]); a[3] = (idx[n])*(b[3])*b[4];",
        expect![
            "W0(a[0]) = (n * (i)) * (R1(b[1])); W2(a[1]) = (n * (i)) & (R3(idx[1])); W4(a[2]) = (n)*(R5(b[2])); W6(a[3]) = (R7(idx[n]))*(R8(b[3]))*R9(b[4]);"
        ],
    );
}

#[test]
fn casts_that_look_like_products() {
    body(
        "a[0] = (T)*b; a[1] = (V*)&b[1] != 0; a[2] = (T)(b[2]); a[3] = (int)*(b + 3); a[4] = (size_t)&b[4];",
        expect![
            "W0(a[0]) = (T)R1(*b); W2(a[1]) = (V*)&b[1] != 0; W3(a[2]) = (T)(R4(b[2])); W5(a[3]) = (int)R6(*(b + 3)); W7(a[4]) = (size_t)&b[4];"
        ],
    );
}

#[test]
fn either() {
    body(
        "a[0] = (Unknown)*b; a[1] = (UNKNOWN)*(b[1]); a[2] = (UNKNOWN)&idx[2]; a[3] = (UNKNOWN)-b[3]; a[4] = (unknown)(b[4]);",
        expect![[r#"
            W0(a[0]) = (Unknown)*read_pointee1(b); W2(a[1]) = (UNKNOWN)*read_pointee3((R4(b[1]))); W5(a[2]) = (UNKNOWN)&idx[2]; W6(a[3]) = (UNKNOWN)-R7(b[3]); W8(a[4]) = (unknown)(R9(b[4]));
            not monitored, line 8: `idx[2]` after `)&`, which may be an address or an operand"#]],
    );
}

#[test]
fn names_that_macros_decide() {
    check(
        "#define REAL double\n#define TWO 2\n#define BOTH (1 + TWO)\n__global__ void k(double* a) {\n  a[0] = (REAL)*a + (TWO)*(a[1]) + (BOTH)*a[2] + (REAL)(a[3]);\n}\n",
        expect![[r#"
            #define REAL double
            #define TWO 2
            #define BOTH (1 + TWO)
            __global__ void k(double* a) {
              W0(a[0]) = (REAL)R1(*a) + (TWO)*(R2(a[1])) + (BOTH)*R3(a[2]) + (REAL)(R4(a[3]));
            }
        "#]],
    );
}

#[test]
fn variables_of_a_file() {
    check(
        "#define AT(i) tile[i]\n__shared__ float tile[8], *last;\nstatic __shared__ struct { int n; } one;\nnamespace s { __shared__ int m; }\n__device__ float f(int i) { return AT(i); }\n__device__ float g(float* tile) { return tile[0]; }\n__global__ void k(float* a) { tile[1] = a[0]; one.n = s::m; }\n",
        expect![[r#"
            #define AT(i) tile[i]
            typedef float hirace_shared_tile[8], *hirace_shared_last; [[maybe_unused]] static inline hirace_shared_tile& hirace_block_tile() { return cpu::shared<hirace_shared_tile, 0x00100000u>(); } [[maybe_unused]] static inline hirace_shared_last& hirace_block_last() { return cpu::shared<hirace_shared_last, 0x00100001u>(); }
            typedef  struct { int n; } hirace_shared_one; [[maybe_unused]] static inline hirace_shared_one& hirace_block_one() { return cpu::shared<hirace_shared_one, 0x00100002u>(); }
            namespace s { typedef int hirace_shared_m; [[maybe_unused]] static inline hirace_shared_m& hirace_block_m() { return cpu::shared<hirace_shared_m, 0x00100003u>(); } }
            __device__ float f(int i) { [[maybe_unused]] auto& tile = hirace_block_tile(); { return R0(AT(i)); }}
            __device__ float g(float* tile) { return R1(tile[0]); }
            __global__ void k(float* a) { [[maybe_unused]] auto& one = hirace_block_one(); [[maybe_unused]] auto& tile = hirace_block_tile(); { W2(tile[1]) = R3(a[0]); W4(one.n) = R5(s::hirace_block_m()); }}
        "#]],
    );
}

#[test]
fn macros_with_names_of_hooks() {
    check(
        "#define read(x) x\n#define write 1\n#define cpu 0\n__global__ void k(int* a) {\n  __shared__ int s[4];\n  s[0] = a[1];\n}\n",
        expect![[r##"
            #define read(x) x
            #define write 1
            #define cpu 0
            __global__ void k(int* a) { hirace_cpu::name_parameters<1, 0x00100001u>(a);
              typedef int hirace_shared_0[4]; hirace_shared_0& s = hirace_cpu::shared<hirace_shared_0, 0x00100000u>();
              hirace_write0(s[0]) = (R)(0x00100001u, a[1]);
            }

            #pragma push_macro("read")
            #undef read
            #pragma push_macro("write")
            #undef write"##]],
    );
}

#[test]
fn macros_for_parts_of_syntax() {
    check(
        "#define BEGIN {\n#define END }\n#define NEXT + 1\n#define OWN [threadIdx.x]\n#define IF_FIRST if (threadIdx.x == 0)\n__global__ void k(int* a, int i) BEGIN\n  a OWN = a[i NEXT];\n  IF_FIRST a[2] = 1;\nEND\n",
        expect![[r#"
            #define BEGIN {
            #define END }
            #define NEXT + 1
            #define OWN [threadIdx.x]
            #define IF_FIRST if (threadIdx.x == 0)
            __global__ void k(int* a, int i) BEGIN
              W0(a OWN) = R1(a[i NEXT]);
              IF_FIRST W2(a[2]) = 1;
            END
        "#]],
    );
}

#[test]
fn macros_that_choose_between_places_and_values() {
    check(
        "#define PICK(c, x, y) ((c) ? (x) : (y))\n\
         __global__ void k(int* a, int i) { int v = PICK(i, a[0], 0); v = PICK(i, a[1], a[2]); PICK(i, a[3], a[4]) = PICK(i, 1, v); }\n",
        expect![[r#"
            #define PICK(c, x, y) ((c) ? (x) : (y))
            __global__ void k(int* a, int i) { int v = PICK(i, R0(a[0]), 0); v = R1(PICK(i, a[1], a[2])); W2(PICK(i, a[3], a[4])) = PICK(i, 1, v); }
        "#]],
    );
}
