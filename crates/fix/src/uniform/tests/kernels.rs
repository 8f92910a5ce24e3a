//! Kernels in many styles: conditions that may differ between threads, and conditions that cannot.

use super::*;

const DECLARATIONS: &str = "#define SETTID(m) int m = threadIdx.x\n#define DECL(m) auto m = s[threadIdx.x]\n\
            #define ASSIGN(a, b) a = b\n#define RET_IF(c) if (c) return\n#define laneid (threadIdx.x & 31)\n#define LOOP(i, n) for (int i = 0; i < n; i++)\n#define CHECK(c) if (!(c)) __trap()\n\
            struct P { int v; __device__ void set(int x) { v = x; } __device__ P& operator+=(int x) { v += x; return *this; } \
            __device__ P& operator<<(int x) { v += x; return *this; } __device__ P& operator++() { v += threadIdx.x; return *this; } \
            __device__ void operator()(int x) { v = x; } };\n\
            __device__ void byref(int& a) { a = threadIdx.x; }\n__device__ void byptr(int* a) { *a = threadIdx.x; }\n\
            __device__ int tid() { return threadIdx.x; }\n";

#[track_caller]
fn check_all(group: Group, passed: bool, bodies: &[&str]) {
    for body in bodies {
        let text = format!("{DECLARATIONS}__global__ void k(int* s, int n, int2 p) {{ {body} }}");
        check(group, passed, &text);
    }
}

#[test]
fn threads_may_differ() {
    check_all(
        Group::Block,
        false,
        &[
            "dim3 t = threadIdx; if (t.x < n) { /**/f(); }",
            "int a = n; int* q = &a; *q = threadIdx.x; if (a) { /**/f(); }",
            "int a = 0; (threadIdx.x ? a : n) = 3; if (a) { /**/f(); }",
            "int a, b; a = b = threadIdx.x; if (b) { /**/f(); }",
            "int a, b; a = b = threadIdx.x; if (a) { /**/f(); }",
            "switch (n) { case 1: if (threadIdx.x) return; case 2: /**/f(); }",
            "int a = n; switch (threadIdx.x) { case 1: a = 2; break; case 2: a = 3; } if (a) { /**/f(); }",
            "int a = n; for (int i = 0; i < 3; i++) { if (i == threadIdx.x) { a = 5; } } if (a == 5) { /**/f(); }",
            "static int c = 0; c += threadIdx.x; if (c) { /**/f(); }",
            "int v = __shfl_sync(~0u, n, threadIdx.x); if (v) { /**/f(); }",
            "float4 v = make_float4(0, 0, 0, threadIdx.x); if (v.w) { /**/f(); }",
            "int a[4] = {}; for (int i = 0; i < 4; i++) a[i] = threadIdx.x; if (a[2]) { /**/f(); }",
            "int a[4] = {}; int* e = a + 1; *e = threadIdx.x; if (a[1]) { /**/f(); }",
            "int a = n; { int& r = a; r = threadIdx.x; } if (a) { /**/f(); }",
            "int a = n; auto& r = a; r = threadIdx.x; if (a) { /**/f(); }",
            "int a = n; auto&& r = a; r = threadIdx.x; if (a) { /**/f(); }",
            "int a = n; auto l = [&a] { a++; }; if (threadIdx.x) l(); if (a) { /**/f(); }",
            "int a = n; if (threadIdx.x) goto skip; a = 7; skip: if (a) { /**/f(); }",
            "int a = n; do { if (threadIdx.x > a) continue; a = 3; } while (n--); if (a) { /**/f(); }",
            "int i = 0; while (s[threadIdx.x] > i) ++i; if (i) { /**/f(); }",
            "int i = 0; for (; i < n && s[threadIdx.x]; ++i); if (i) { /**/f(); }",
            "SETTID(m); if (m) { /**/f(); }",
            "DECL(m); if (m) { /**/f(); }",
            "int m = 0; ASSIGN(m, threadIdx.x); if (m) { /**/f(); }",
            "P p; p.set(threadIdx.x); if (p.v) { /**/f(); }",
            "P p{}; P* q = &p; q->v = threadIdx.x; if (p.v) { /**/f(); }",
            "P p{}, r{}; r.v = threadIdx.x; p = r; if (p.v) { /**/f(); }",
            "P p{}; p += threadIdx.x; if (p.v) { /**/f(); }",
            "P p{}; p << threadIdx.x; if (p.v) { /**/f(); }",
            "P p{}; ++p; if (p.v) { /**/f(); }",
            "P p{}; p(threadIdx.x); if (p.v) { /**/f(); }",
            "P ps[2]; ps[0].v = threadIdx.x; if (ps[0].v) { /**/f(); }",
            "int a = n; byref(a); if (a) { /**/f(); }",
            "int a = n; byptr(&a); if (a) { /**/f(); }",
            "int a = tid(); if (a) { /**/f(); }",
            "int a = n; a <<= threadIdx.x; if (a) { /**/f(); }",
            "int a = n; a = a > 3 ? threadIdx.x : 2; if (a) { /**/f(); }",
            "for (int i = threadIdx.x, j = 0; j < n; j++) { if (i) { /**/f(); } }",
            "for (int i = 0, j = threadIdx.x; i < n; i++, j++) { if (j) { /**/f(); } }",
            "int i = n, j; for (j = threadIdx.x; j < i; j++) {} if (j) { /**/f(); }",
            "unsigned m = __ballot_sync(~0u, threadIdx.x < n); if (m) { /**/f(); }",
            "if (__any_sync(~0u, threadIdx.x < n)) { /**/f(); }",
            "__shared__ int c; if (threadIdx.x == 0) c = n; __syncthreads(); if (c) { if (threadIdx.x) return; /**/f(); }",
            "__shared__ int c; c = threadIdx.x; if (c) { /**/f(); }",
            "__shared__ int c; if (threadIdx.x == 0) c = n; __syncwarp(); if (c) { /**/f(); }",
            "int a; a = laneid; if (a) { /**/f(); }",
            "int a = n; { if (threadIdx.x) { a = n; } } while (a--) { /**/f(); }",
            "struct L { int v; } l = {(int)threadIdx.x}; if (l.v) { /**/f(); }",
            "int x = 0, y = 0; for (int i = 0; i < n; i++) { y = x; x = threadIdx.x; } if (y) { /**/f(); }",
            "int x = 0, y = 0, z = 0; for (int i = 0; i < n; i++) { z = y; y = x; x = threadIdx.x; } if (z) { /**/f(); }",
            "bool go = true; while (go) { go = s[threadIdx.x] > 0; /**/f(); }",
            "int t; t = threadIdx.x; t = t; if (t) { /**/f(); }",
            "int t = threadIdx.x; if (n) { t = 0; } else if (n > 2) { t = 1; } if (t) { /**/f(); }",
            "try_return(threadIdx.x); RET_IF(threadIdx.x); /**/f();",
            "#pragma unroll\n for (int i = 0; i < threadIdx.x; i++) { /**/f(); }",
            "int id = threadIdx.y * 8; if (id) { /**/f(); }",
            "const auto [x, y] = pair(threadIdx.x); if (x) { /**/f(); }",
            "if (threadIdx.x == 0) { } else { /**/f(); }",
            "int a{static_cast<int>(threadIdx.x)}; if (a) { /**/f(); }",
            "int a(threadIdx.x); if (a) { /**/f(); }",
            "unsigned a(threadIdx.x * 2 + 1); if (a) { /**/f(); }",
            "int k = n; asm volatile(\"mov.u32 %0, %%tid.x;\" : \"+r\"(k)); if (k) { /**/f(); }",
            "int k; k = s[threadIdx.x]; if (!k) { /**/f(); }",
            "int k = n; (k) = threadIdx.x; if (k) { /**/f(); }",
            "int k = n; std::swap(k, s[threadIdx.x]); if (k) { /**/f(); }",
            "int k = n; memcpy(&k, s + threadIdx.x, 4); if (k) { /**/f(); }",
            "int a[2]; auto* q = a; q[0] = threadIdx.x; if (a[0]) { /**/f(); }",
            "P p{}; int* q = &p.v; *q = threadIdx.x; if (p.v) { /**/f(); }",
            "P p{}; auto& [v] = p; v = threadIdx.x; if (p.v) { /**/f(); }",
            "int k = 0; for (int x : {1, 2, (int)threadIdx.x}) k = x; if (k) { /**/f(); }",
            "int k = 0; if (n || (k = threadIdx.x)) g(); if (k) { /**/f(); }",
        ],
    );
}

#[test]
fn lanes_may_differ() {
    check_all(
        Group::Warp,
        false,
        &[
            "int t = threadIdx.x; t = t; int u = t; u -= 16; if (u < 32) { /**/f(); }",
            "int t = threadIdx.x, w = t % 48; if (w / 32) { /**/f(); }",
            "int t = threadIdx.x; if (t / 32 < t) { /**/f(); }",
            "unsigned t = threadIdx.x - 40; if (t / 32 == 0) { /**/f(); }",
            "int t = threadIdx.x + n; if (t / 32 == 0) { /**/f(); }",
            "int t = threadIdx.x; for (int i = t / 32; i < n; i += t) { /**/f(); }",
        ],
    );
}

#[test]
fn threads_agree() {
    check_all(
        Group::Block,
        true,
        &[
            "int gid = blockIdx.x; int stride = gridDim.x; for (int i = gid; i < n; i += stride) { /**/f(); }",
            "int tiles = (n + 31) / 32; for (int t = 0; t < tiles; ++t) { s[threadIdx.x] = 1; /**/f(); }",
            "unsigned d = 1; for (unsigned i = blockDim.x >> 1; i > 0; i >>= 1) { if (threadIdx.x < i) { s[0]++; } /**/f(); d <<= 1; }",
            "bool ping = false; for (int i = 0; i < n; ++i) { ping = !ping; if (ping) { /**/f(); } }",
            "int a = 0, b = 1; for (int i = 0; i < n; ++i) { int t = a; a = b; b = t; if (a) { /**/f(); } }",
            "auto nblk = gridDim.x; if (blockIdx.x < nblk - 1) { /**/f(); }",
            "const int m = min(n, 32); while (true) { if (m > n) break; /**/f(); n++; }",
            "float m = sqrtf((float)n); if (m > 3.0f) { /**/f(); }",
            "int2 q = p; q.x = n; if (q.x + q.y) { /**/f(); }",
            "int m = n; auto l = [=](int v) { return v + m; }; g(l); if (m) { /**/f(); }",
            "for (int i = 0; i < 4; ++i) { int acc = threadIdx.x; for (int j = 0; j < n; ++j) acc += j; s[acc] = 1; /**/f(); }",
            "int phase = 0; for (int i = 0; i < n; ++i) { phase ^= 1; if (phase) { /**/f(); } }",
            "int off = n; if (blockIdx.x == 0) off = 0; if (off) { /**/f(); }",
            "for (int i = 0; i < n; i++) { if (threadIdx.x < i) s[i] = i; else s[i] = 0; } /**/f();",
        ],
    );
}

#[test]
fn lanes_agree() {
    check_all(
        Group::Warp,
        true,
        &[
            "int w = threadIdx.x >> 5; if (w == 0) { /**/f(); }",
            "int w = threadIdx.x / 32, l = threadIdx.x & 31; s[l] = 1; if (w < n) { /**/f(); }",
            "int w = threadIdx.x / warpSize; for (int i = w; i < n; i += blockDim.x / 32) { /**/f(); }",
        ],
    );
}
