//! The basic blocks of functions, as `hirace instrument --show ir` prints them.

use expect_test::{Expect, expect};
use hirace::model::Backend;

use crate::run;

#[track_caller]
fn check(source: &str, expected: &Expect) {
    let result = run(source, Backend::Cpu, &[]);
    assert!(result.errors.is_empty(), "{:?}", result.errors);
    expected.assert_eq(&result.described.join("\n"));
}

/// A tile that is filled, read and written again: only the reads between the barriers are stable.
#[test]
fn loops_with_barriers() {
    check(
        "__global__ void tiled(float* out, const float* in, int n) {\n\
         \x20 __shared__ float tile[32];\n\
         \x20 float sum = 0;\n\
         \x20 for (int i = 0; i < n; ++i) {\n\
         \x20   tile[threadIdx.x] = in[i];\n\
         \x20   __syncthreads();\n\
         \x20   for (int k = 0; k < 32; ++k) sum += tile[k];\n\
         \x20   __syncthreads();\n\
         \x20   if (sum > 9) break;\n\
         \x20 }\n\
         \x20 out[threadIdx.x] = sum;\n\
         }\n",
        &expect![[r#"
            tiled
              may reach block barriers (`__syncthreads`)
              b0:
                → b1
              b1:
                if `i < n` → b2 else b6
              b2:
                5:5 write `tile[threadIdx.x]`, shared `tile`
                5:25 read `in[i]`, parameter `in`
                → b3
              b3:
                6:5 block barrier `__syncthreads()`
                → b4
              b4:
                if `k < 32` → b7 else b5
              b5:
                8:5 block barrier `__syncthreads()`
                if `(sum > 9)` → b6 else b1
              b6:
                11:3 write `out[threadIdx.x]`, parameter `out`
                → exit
              b7:
                7:41 read `tile[k]`, shared `tile`, stable
                → b4
        "#]],
    );
}

#[test]
fn operands_that_may_be_skipped() {
    check(
        "__device__ int f(int* a, int* b, int n) {\n\
         \x20 if (n && a[0] || b[0]) return n ? a[1] : b[1];\n\
         \x20 return (a[2], b[2]);\n\
         }\n",
        &expect![[r#"
            f
              b0:
                if `n` → b1 else b2
              b1:
                2:12 read `a[0]`, parameter `a`
                → b2
              b2:
                if `n && a[0]` → b4 else b3
              b3:
                2:20 read `b[0]`, parameter `b`
                → b4
              b4:
                if `(n && a[0] || b[0])` → b6 else b5
              b5:
                3:11 escape `a`, parameter `a`
                3:17 escape `b`, parameter `b`
                3:17 read `b[2]`, parameter `b`
                → exit
              b6:
                if `n` → b8 else b7
              b7:
                2:44 read `b[1]`, parameter `b`
                → exit
              b8:
                2:37 read `a[1]`, parameter `a`
                → exit
        "#]],
    );
}

/// What is beside a barrier stands on both sides of it, its arguments before it.
#[test]
fn barriers_in_expressions() {
    check(
        "__global__ void k(int* a, int n) {\n\
         \x20 __shared__ int s[64];\n\
         \x20 s[n] = a[0] + __syncthreads_count(s[1]);\n\
         \x20 if (__syncthreads_or(n) && s[2]) __syncwarp();\n\
         }\n",
        &expect![[r#"
            k
              may reach block barriers (`__syncthreads_count`), warp barriers (`__syncwarp`)
              b0:
                3:3 write `s[n]`, shared `s`
                3:10 read `a[0]`, parameter `a`
                3:37 read `s[1]`, shared `s`
                → b1
              b1:
                3:17 block barrier `__syncthreads_count(s[1])`
                3:3 write `s[n]`, shared `s`
                3:10 read `a[0]`, parameter `a`
                → b2
              b2:
                4:7 block barrier `__syncthreads_or(n)`
                if `__syncthreads_or(n)` → b3 else b4
              b3:
                4:30 read `s[2]`, shared `s`, stable
                → b4
              b4:
                if `(__syncthreads_or(n) && s[2])` → b5 else exit
              b5:
                4:36 warp barrier `__syncwarp()`
                → exit
        "#]],
    );
}

#[test]
fn jumps() {
    check(
        "__global__ void k(int* a, int n) {\n\
         \x20 switch (n) {\n\
         \x20 case 5: case 1: a[1] = 1;\n\
         \x20 case 2: do { a[2] = 2; case 3: a[3]++; } while (--n);\n\
         \x20   break;\n\
         \x20 default: goto out;\n\
         \x20 }\n\
         \x20 while (true) { if (a[4]) continue; if (a[5]) goto out; }\n\
         out:\n\
         \x20 __threadfence();\n\
         }\n",
        &expect![[r#"
            k
              may reach fences (`__threadfence`)
              b0:
                switch `(n)` → b4, b1, b2, b3, b7
              b1:
                3:19 write `a[1]`, parameter `a`
                → b2
              b2:
                4:16 write `a[2]`, parameter `a`
                → b3
              b3:
                4:34 update `a[3]`, parameter `a`
                if `(--n)` → b2 else b4
              b4:
                if `(true)` → b5 else b7
              b5:
                8:22 read `a[4]`, parameter `a`
                if `(a[4])` → b4 else b6
              b6:
                8:42 read `a[5]`, parameter `a`
                if `(a[5])` → b7 else b4
              b7:
                10:3 fence `__threadfence()`
                → exit
        "#]],
    );
}

/// Text whose meaning is not known may jump; what lambdas and classes do happens when they are called.
#[test]
fn what_is_not_understood() {
    check(
        "#include <unseen.h>\n\
         #define LEAVE_IF(x) if (x) return\n\
         __global__ void k(int* a, int n) {\n\
         \x20 __shared__ int s[64];\n\
         \x20 for (int i = 0; i < n; ++i) { LEAVE_IF(a[i]); UNSEEN(i); s[i] = 1; }\n\
         \x20 auto later = [&] { s[0] = a[0]; };\n\
         \x20 struct Own { int at(int* p) { return p[0]; } };\n\
         \x20 asm volatile(\"membar.gl;\" ::: \"memory\");\n\
         \x20 later();\n\
         \x20 int* p = s;\n\
         }\n\
         __global__ void hidden(int* a) {\n\
         #if defined(UNSEEN)\n\
         \x20 a[0] = 1;\n\
         #endif\n\
         \x20 a[1] = 2;\n\
         }\n",
        &expect![[r#"
            k
              may reach assembly (`k`), unknown code (`UNSEEN`)
              b0:
                → b1
              b1:
                if `i < n` → b2 else b4
              b2:
                5:42 escape `a`, parameter `a`
                5:42 read `a[i]`, parameter `a`
                5:33 call `LEAVE_IF(a[i])`
                → b4, b1, exit, b3
              b3:
                5:49 unknown `UNSEEN(i)`
                5:60 write `s[i]`, shared `s`
                → b4, b1, exit, b1
              b4:
                8:3 call `asm volatile("membar.gl;" ::: "memory")`
                9:3 call `later()`
                10:12 escape `s`, shared `s`
                → exit
              in lambdas and classes:
                6:22 write `s[0]`, shared `s`
                6:29 read `a[0]`, parameter `a`

            hidden
              not analysed: 13:1 a directive
              b0:
                14:3 write `a[0]`, parameter `a`
                16:3 write `a[1]`, parameter `a`
                → exit
        "#]],
    );
}
