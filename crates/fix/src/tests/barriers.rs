//! Places of barriers.

use super::*;

#[test]
fn no_barrier_stands_in_functions_that_hosts_call() {
    let text = "__host__ __device__ void k(int* s, int t) {\n«s[t]» = t;\nt = «s[t + 1]»;\n}\n";
    check("HR001", Relation::Block, text, &expect![[""]]);
}

#[test]
fn barriers_stand_where_people_put_them() {
    for (body, expected) in [
        (
            "  «s[t]» = t; // mine\n  n = «s[n - t]»;",
            expect![[r#"
            # `__syncthreads()` before line 3
            +  __syncthreads();
        "#]],
        ),
        (
            "«s[t]» = t; n = «s[n - t]»;",
            expect![[r#"
            # `__syncthreads()` before line 2
            -s[t] = t; n = s[n - t];
            +s[t] = t; __syncthreads(); n = s[n - t];
        "#]],
        ),
        (
            "  if (t < 4)\n    «s[t]» = t;\n  for (int i = 0; i < 9; i++)\n    n += «s[i]»;",
            expect![[r#"
                # `__syncthreads()` before line 4
                +  __syncthreads();
            "#]],
        ),
        (
            "  for (int i = 0; i < n; i++) // all\n    «s[t]» = «s[t + 1]»;\n",
            expect![[r#"
                # `__syncthreads()` at the end of the loop of line 2
                -  for (int i = 0; i < n; i++) // all
                +  for (int i = 0; i < n; i++) { // all
                +    __syncthreads();
                +  }
            "#]],
        ),
        (
            "  for (int i = 0; i < n; i++) { «s[t]» = «s[t + 1]»; }\n",
            expect![[r#"
                # `__syncthreads()` at the end of the loop of line 2
                -  for (int i = 0; i < n; i++) { s[t] = s[t + 1]; }
                +  for (int i = 0; i < n; i++) { s[t] = s[t + 1]; __syncthreads(); }
            "#]],
        ),
        (
            "  do {\n    n = «s[t + 1]»;\n    «s[t]» = n--;\n  } while (n);",
            expect![[r#"
                # `__syncthreads()` before line 4
                +    __syncthreads();
                # `__syncthreads()` at the end of the loop of line 2
                +    __syncthreads();
            "#]],
        ),
        (
            "  switch (n) {\n  case 1:\n    «s[t]» = t;\n    n = «s[n - t]»;\n  }",
            expect![[r#"
                # `__syncthreads()` before line 5
                +    __syncthreads();
            "#]],
        ),
        (
            "  «s[t]» = t;\nagain:\n  n = «s[n - t]»;\n  if (n) goto again;",
            expect![[r#"
                # `__syncthreads()` before line 3
                +__syncthreads();
            "#]],
        ),
        (
            "  «s[t]» = t;\n  __shared__ int more[4];\n  more[0] = «s[n - t]»;",
            expect![[r#"
                # `__syncthreads()` before line 4
                +  __syncthreads();
                # `__syncthreads()` after line 2
                +  __syncthreads();
            "#]],
        ),
    ] {
        check_barrier(body, &expected);
    }
}

#[test]
fn no_barrier_comes_between_a_pragma_and_its_loop() {
    for (body, expected) in [
        (
            "  «s[t]» = t;\n  // Sums up.\n#pragma unroll\n  for (int i = 0; i < 9; i++) n += «s[i]»;",
            expect![[r#"
                # `__syncthreads()` before line 4
                +  __syncthreads();
            "#]],
        ),
        (
            "  «s[t]» = t;\n#if BIG\n#pragma unroll 4\n#pragma nounroll\n#endif\n#pragma \\\n unroll\n  \
             for (int i = 0; i < 9; i++) n += «s[i]»;",
            expect![[r#"
                # `__syncthreads()` before line 7
                +  __syncthreads();
            "#]],
        ),
        (
            "  «s[t]» = t; _Pragma(\"unroll\") for (int i = 0; i < 9; i++) n += «s[i]»;",
            expect![[r##"
                # `__syncthreads()` before line 2
                -  s[t] = t; _Pragma("unroll") for (int i = 0; i < 9; i++) n += s[i];
                +  s[t] = t; __syncthreads(); _Pragma("unroll") for (int i = 0; i < 9; i++) n += s[i];
            "##]],
        ),
        (
            "  for (int j = 0; j < n; j++)\n#pragma unroll\n    for (int i = 0; i < 9; i++)\n      \
             «s[t]» += «s[i]»;",
            expect![[r#"
                # `__syncthreads()` at the end of the loop of line 4
                -    for (int i = 0; i < 9; i++)
                +    for (int i = 0; i < 9; i++) {
                +      __syncthreads();
                +    }
                # `__syncthreads()` at the end of the loop of line 2
                -  for (int j = 0; j < n; j++)
                +  for (int j = 0; j < n; j++) {
                +    __syncthreads();
                +  }
            "#]],
        ),
    ] {
        check_barrier(body, &expected);
    }
}

#[test]
fn barriers_stand_outside_code_that_not_all_threads_reach() {
    for (body, expected) in [
        (
            "const int i = threadIdx.x; if (i < n) { «s[i]» = 1; n = «s[i + 1]»; }",
            expect![[r#"
                # `__syncthreads()` before line 2
                -const int i = threadIdx.x; if (i < n) { s[i] = 1; n = s[i + 1]; }
                +const int i = threadIdx.x; __syncthreads(); if (i < n) { s[i] = 1; n = s[i + 1]; }
                # `__syncthreads()` before line 2
                +__syncthreads();
            "#]],
        ),
        (
            "if (threadIdx.x >= n) return; «s[t]» = 1; n = «s[t + 1]»;",
            expect![[r#"
                # `__syncthreads()` before line 2
                +__syncthreads();
            "#]],
        ),
        (
            "for (int i = threadIdx.x; i < n; i += 32) { «s[i]» = «s[i + 1]»; }",
            expect![[r#"
                # `__syncthreads()` before line 2
                +__syncthreads();
            "#]],
        ),
    ] {
        check_barrier(body, &expected);
    }
}

#[test]
fn barriers_in_other_texts() {
    for (text, expected) in [
        // Around the calls that lead to the accesses.
        (
            "struct S { __device__ void put(int t) { «s[t]» = t; }\n\
             __device__ int get(int t) { return «s[t]»; } int* s; };\n\
             template <class T>\n\
             __global__ void k(S a, int n) {\n  \
             const int t = threadIdx.x;\n  a.put(t);\n  n = a.get(n - t);\n}\n",
            expect![[r#"
                # `__syncthreads()` before line 7
                +  __syncthreads();
            "#]],
        ),
        // A statement from a macro cannot be edited.
        (
            "#define COPY(s, t) «s[t]» = «s[t + 1]»\n\
             __global__ void k(int* s, int t, int n) {\n  \
             for (int i = 0; i < n; i++) COPY(s, t);\n}\n",
            expect![[r#"
                # `__syncthreads()` before line 3
                +  __syncthreads();
            "#]],
        ),
        // The text may not be compiled.
        (
            "__global__ void k(int* s, int t, int n) {\n\
             #if UNKNOWN\n  «s[t]» = t;\n  n = «s[n - t]»;\n#endif\n}\n",
            expect![[""]],
        ),
        // New lines have the file's line ending.
        (
            "__global__ void k(int* s, int t, int n) {\r\n\t«s[t]» = t;\r\n\t\
             while (n--)\r\n\t\ts[n] = «s[n - t]»;\r\n}\r\n",
            expect![[r#"
                # `__syncthreads()` before line 3
                +→__syncthreads();␍
            "#]],
        ),
        // Another kernel has functions and variables of the same names.
        (
            "__global__ void other(int* s, int t) {\n  s[t] = t;\n}\n\
             __global__ void k(int* s, int t, int n) {\n  «s[t]» = t;\n  n = «s[n - t]»;\n}\n",
            expect![[r#"
                # `__syncthreads()` before line 6
                +  __syncthreads();
            "#]],
        ),
    ] {
        check("HR001", Relation::Block, text, &expected);
    }
}
