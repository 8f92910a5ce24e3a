//! What callees do with their arguments.

use expect_test::expect;

use crate::{body, check, check_gpu};

#[test]
fn known_functions() {
    body(
        "at(a, i) = at(a, idx[i]); x = pass(a[0], a[1]);",
        expect![
            "W0(at(a, i)) = copy1(at(a, R2(idx[i]))); x = pass(R3(a[0]), read_argument4(a[1]));"
        ],
    );
    body(
        "bump(a[i]); bump(g->pos.x); bump(at(a, i));",
        expect!["bump(a[i]); bump(g->pos.x); bump(at(a, i));"],
    );
    body(
        "x = unknown(a[i], &a[1], a); printf(\"%f\", a[2]);",
        expect![[r#"
            x = unknown(read_argument0(a[i]), &a[1], a); printf("%f", read_argument1(a[2]));
            not monitored, line 8: `unknown` is not part of the project, so its accesses are not checked"#]],
    );
    body(
        "x = min(a[0], b[0]); y = sqrtf(a[1]);",
        expect!["x = min(read_argument0(a[0]), R1(b[0])); y = sqrtf(read_argument2(a[1]));"],
    );
}

/// The objects that other arguments point to are plain accesses.
#[test]
fn atomic_functions_with_order_and_scope() {
    body(
        "x = __nv_atomic_load_n(&a[i], __NV_ATOMIC_ACQUIRE); __nv_atomic_store(a + i, &b[0], __NV_ATOMIC_RELEASE);",
        expect![
            "x = nv_atomic_load_n0(&a[i], __NV_ATOMIC_ACQUIRE); nv_atomic_store1(a + i, &R2(b[0]), __NV_ATOMIC_RELEASE);"
        ],
    );
    body(
        "__nv_atomic_compare_exchange_n(&a[0], &b[1], x, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);",
        expect![
            "nv_atomic_compare_exchange_n0(&a[0], &U1(b[1]), x, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);"
        ],
    );
    body(
        "__nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);",
        expect!["nv_atomic_thread_fence0(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);"],
    );
}

#[test]
fn warp_functions_without_a_mask() {
    body(
        "x = __shfl_down(a[i], 1) + __ballot(x > 0);",
        expect!["x = converged_shfl_down1(read_argument0(a[i]), 1) + converged_ballot2(x > 0);"],
    );
}

#[test]
fn a_pointer_to_a_function_in_a_device_variable() {
    check(
        "typedef void (*Fn)(int*, int);
__device__ void op(int* p, int i) { p[i] = i; }
__device__ Fn chosen = op;
__global__ void k(int* p) { chosen(p, 1); }
",
        expect![[r#"
            typedef void (*Fn)(int*, int);
            __device__ void op(int* p, int i) { W0(p[i]) = i; }
            HIRACE_DEVICE_VARIABLE __device__ Fn chosen = op; HIRACE_NAME_VARIABLE(chosen, 0x00100000)
            __global__ void k(int* p) { chosen(p, 1); }
        "#]],
    );
}

/// A member of a vector is a number, even if a class has a pointer of that name.
#[test]
fn members_of_vectors() {
    check(
        "struct Points { float* x; };
__device__ float f(float4 v, const float4* p, Points points) {
  return sqrtf(v.x) + sqrtf(p[1].x) + sqrtf(p->x) + outside(points.x);
}
",
        expect![[r#"
            struct Points { float* x; };
            __device__ float f(float4 v, const float4* p, Points points) {
              return sqrtf(v.x) + sqrtf(read_argument0(p[1].x)) + sqrtf(read_argument1(p->x)) + outside(points.x);
            }

            not monitored, line 3: `outside` is not part of the project, so its accesses are not checked"#]],
    );
}

/// Functions that construct vectors take numbers, even if the syntax does not show it.
#[test]
fn made_vectors() {
    check(
        "struct Points { float* x; };
typedef float2 complex;
__device__ complex f(complex a, complex b) { return make_float2(a.x + b.x, make_float(a.x)); }
",
        expect![[r#"
            struct Points { float* x; };
            typedef float2 complex;
            __device__ complex f(complex a, complex b) { return make_float2(a.x + b.x, make_float(a.x)); }

            not monitored, line 3: `make_float` is not part of the project, so its accesses are not checked"#]],
    );
}

#[test]
fn by_reference_parameters() {
    check(
        "__device__ void f(float& x, const float& y, float z, float (&arr)[4], float*& p) {
  x = y + z; arr[1] = arr[0]; p[0] = 1; p = nullptr;
}
__device__ void f(int n);
template <class... A> __device__ void g(A&&... args) { h(args...); h(std::forward<A>(args)...); }
",
        expect![[r#"
            __device__ void f(float& x, const float& y, float z, float (&arr)[4], float*& p) {
              W0(x) = R1(y) + z; W2(arr[1]) = R3(arr[0]); W4(R5(p)[0]) = 1; W6(p) = nullptr;
            }
            __device__ void f(int n);
            template <class... A> __device__ void g(A&&... args) { h(args...); h(std::forward<A>(args)...); }
        "#]],
    );
}

#[test]
fn atomics() {
    body(
        "atomicAdd(&a[idx[i]], b[i]); atomicAdd(a + i, 1);",
        expect!["atomicAdd0(&a[R1(idx[i])], R2(b[i])); atomicAdd3(a + i, 1);"],
    );
    body(
        "x = atomicCAS_block(&g->count, g->count, 1); atomicMax_system(g->row, 2);",
        expect![
            "x = atomicCAS_block0(&g->count, R1(g->count), 1); atomicMax_system2(R3(g->row), 2);"
        ],
    );
    body(
        "::atomicExch(&g->next->count, 3); old = atomicInc((unsigned*)idx, 4u);",
        expect!["atomicExch0(&R1(g->next)->count, 3); old = atomicInc2((unsigned*)idx, 4u);"],
    );
    check(
        "__device__ float atomicMax(float* p, float v) { return atomicCAS((int*)p, 0, (int)v); }
__device__ int top;
__global__ void k(float* a, int* b, unsigned* c) {
  atomicMax(a, 1.f); atomicMax(b, 2); atomicMax((int*)c, 3); atomicMax(&top, 4); atomicMin(b, 5);
}
",
        expect![[r#"
            __device__ float atomicMax(float* p, float v) { return atomicCAS0((int*)p, 0, (int)v); }
            HIRACE_DEVICE_VARIABLE __device__ int top; HIRACE_NAME_VARIABLE(top, 0x00100000)
            __global__ void k(float* a, int* b, unsigned* c) {
              atomicMax(a, 1.f); atomicMax1(b, 2); atomicMax2((int*)c, 3); atomicMax3(&top, 4); atomicMin4(b, 5);
            }
        "#]],
    );
}

#[test]
fn barriers() {
    body(
        "__syncthreads(); if (__syncthreads_or(a[i] > 0)) return;",
        expect!["syncthreads1(); if (syncthreads_or2(R0(a[i]) > 0)) return;"],
    );
    body(
        "__syncwarp(); __syncwarp(0xffu); __threadfence(); __threadfence_block();",
        expect!["syncwarp0(); syncwarp1(0xffu); threadfence2(); threadfence_block3();"],
    );
    body(
        "x = __shfl_down_sync(~0u, a[i], 1); m = __ballot_sync(~0u, 1) | __any_sync(~0u, 0);",
        expect![
            "x = shfl_down_sync1(~0u, read_argument0(a[i]), 1); m = ballot_sync2(~0u, 1) | any_sync3(~0u, 0);"
        ],
    );
    body(
        "::__syncthreads(); my.__syncthreads(); auto p = __syncthreads;",
        expect!["syncthreads0(); my.__syncthreads(); auto p = __syncthreads;"],
    );
}

#[test]
fn what_is_not_modelled() {
    body(
        "asm volatile(\"tcgen05.wait::ld.sync.aligned;\"); a[0] = 1;",
        expect![[
            r#"__extension__({ void hirace_no_ptx_0x00100000() __attribute__((error("inline PTX `tcgen05.wait::ld.sync.aligned` has no counterpart on the CPU; build for a GPU to check this code"))); hirace_no_ptx_0x00100000(); }); W1(a[0]) = 1;"#
        ]],
    );
    body(
        "asm volatile(\"bar.sync 1;\"); if (i) asm(\"fence.proxy.async;\"); else a[0] = 1;",
        expect![
            "__extension__({ { cpu::ptx::barrier_sync(0x00100000u, static_cast<cpu::ptx::u32>(1), cpu::ptx::ntid_x() * cpu::ptx::ntid_y() * cpu::ptx::ntid_z()); } }); if (i) __extension__({ { ; } }); else W1(a[0]) = 1;"
        ],
    );
    body(
        "asm(\"ld.global.f32 %0, [%1];\" : \"=f\"(x) : \"l\"(a));",
        expect![
            "__extension__({ [[maybe_unused]] auto&& hirace_0 = (x); [[maybe_unused]] auto hirace_1 = (a); { void* const hirace_at = ptx_read0(4, cpu::ptx::generic_pointer(ptx_value<cpu::ptx::u64>(hirace_1))); cpu::ptx::put<cpu::ptx::f32>(hirace_0, cpu::ptx::load<cpu::ptx::f32>(hirace_at, 0)); } });"
        ],
    );
    body(
        "asm(\"mov.f32 %0, %1;\" : \"=f\"(a[0]), \"+f\"(a[1]) : \"f\"(b[0]));",
        expect![
            "__extension__({ [[maybe_unused]] auto&& hirace_0 = (W0(a[0])); [[maybe_unused]] auto&& hirace_1 = (U1(a[1])); [[maybe_unused]] auto hirace_2 = (R2(b[0])); { cpu::ptx::put<cpu::ptx::f32>(hirace_0, ptx_value<cpu::ptx::f32>(hirace_1)); } });"
        ],
    );
    body(
        "__shared__ cuda::latch<S> done; done.arrive_and_wait();",
        expect![
            "typedef cuda::latch<S> hirace_shared_0; hirace_shared_0& done = cpu::shared<hirace_shared_0, 0x00100000u>(); done.arrive_and_wait();"
        ],
    );
    body(
        "memcpy(a, b, 4);",
        expect!["memcpy0(0x00100001u, a, b, 4);"],
    );
}

#[test]
fn objects_that_the_executor_checks() {
    body(
        "__shared__ cuda::barrier<S> bar; bar.arrive_and_wait(); (&bar)->arrive();",
        expect![
            "typedef cuda::barrier<S> hirace_shared_0; hirace_shared_0& bar = cpu::shared<hirace_shared_0, 0x00100000u>(); at_site0(bar).arrive_and_wait(); at_site1(*((&bar))).arrive();"
        ],
    );
    body(
        "cuda::atomic_ref<int> r(idx[0]); r.fetch_add(a[1]); int old = cuda::atomic_ref(idx[1]).load();",
        expect![
            "cuda::atomic_ref<int> r(idx[0]); at_site0(r).fetch_add(read_argument1(a[1])); int old = at_site2(cuda::atomic_ref(idx[1])).load();"
        ],
    );
    body(
        "cuda::std::atomic_ref r{idx[0]}; r.store(1); __pipeline_memcpy_async(&b[i], &a[i], 4);",
        expect![
            "cuda::std::atomic_ref r{idx[0]}; at_site0(r).store(1); __pipeline_memcpy_async(sited_copy1(0x00100002u, &b[i]), &a[i], 4);"
        ],
    );
}

#[test]
fn what_printf_returns() {
    body(
        "printf(\"a\"); int n = printf(\"%d\", a[0]); if (printf(\"b\") == 0) i++;",
        expect![[
            r#"printf("a"); int n = cpu::kernel_printf("%d", read_argument0(a[0])); if (cpu::kernel_printf("b") == 0) i++;"#
        ]],
    );
}

/// A GPU runs the library itself, whose barriers hirace does not see.
#[test]
fn aliases_of_synchronising_classes() {
    check_gpu(
        CUB,
        expect![[r#"
        template <class T> struct Traits { using Load = cub::BlockLoad<T, 128>; };
        __global__ void k(int* a) { KernelScope hirace_kernel_scope;
          typedef cub::BlockReduce<int, 128> Reduce;
          __shared__ typename Reduce::TempStorage temp;
          not_modelled0(); W1(a[0]) = Reduce(read_into<Reduce, 0, 1>(0x00100002u, temp)).Sum(R3(a[1]));
          not_modelled4(); typename Traits<int>::Load(read_argument5(temp)).Load(a, b);
          if (R6(a[2])) { not_modelled7(); typename Traits<int>::Load(read_argument8(temp)).Load(a, b); }
          not_modelled9(); Reduce kept(read_into<Reduce, 0, 1>(0x0010000au, temp));
          not_modelled11(); W12(a[4]) = cub::ThreadLoad<cub::LOAD_CG>(a + 5) + kept.Reduce(R13(a[6]), larger);
          W14(a[3]) = R15(typename Traits<int>::View(a).at(1));
        }

        not monitored, line 9: `ThreadLoad` is not part of the project, so its accesses are not checked
        not monitored, line 10: `View` is not part of the project, so its accesses are not checked
        not modelled, line 5: barriers inside CUB
        not modelled, line 6: barriers inside CUB
        not modelled, line 7: barriers inside CUB
        not modelled, line 8: barriers inside CUB
        not modelled, line 9: barriers inside CUB"#]],
    );
}

/// Calls of the CPU executor's own CUB get a site.
#[test]
fn calls_of_cub() {
    check(
        CUB,
        expect![[r#"
        template <class T> struct Traits { using Load = cub::BlockLoad<T, 128>; };
        __global__ void k(int* a) {
          typedef cub::BlockReduce<int, 128> Reduce;
          typedef typename Reduce::TempStorage hirace_shared_0; hirace_shared_0& temp = cpu::shared<hirace_shared_0, 0x00100000u>();
          W0(a[0]) = at_site1(Reduce(read_into<Reduce, 0, 1>(0x00100002u, temp))).Sum(R3(a[1]));
          at_site4(typename Traits<int>::Load(read_argument5(temp))).Load(a, b);
          if (R6(a[2])) at_site7(typename Traits<int>::Load(read_argument8(temp))).Load(a, b);
          Reduce kept(read_into<Reduce, 0, 1>(0x00100009u, temp));
          W10(a[4]) = cub::ThreadLoad<cub::LOAD_CG>(sited11(a + 5)) + at_site12(kept).Reduce(R13(a[6]), larger);
          W14(a[3]) = R15(typename Traits<int>::View(a).at(1));
        }

        not monitored, line 10: `View` is not part of the project, so its accesses are not checked"#]],
    );
}

/// So do algorithms of thrust that run in a thread.
#[test]
fn calls_of_thrust() {
    check(
        "__global__ void k(int* a, int* b) {
  thrust::sort(thrust::seq, a, a + 8);
  b[0] = thrust::reduce(thrust::device, a, a + b[1], 0);
  thrust::swap(a[0], b[0]);
}
",
        expect![[r#"
            __global__ void k(int* a, int* b) {
              thrust::sort(at_site0(thrust::seq), a, a + 8);
              W1(b[0]) = thrust::reduce(at_site2(thrust::device), a, a + R3(b[1]), 0);
              thrust::swap(exchange4(a[0]), exchange5(b[0]));
            }
        "#]],
    );
}

const CUB: &str = "\
template <class T> struct Traits { using Load = cub::BlockLoad<T, 128>; };
__global__ void k(int* a) {
  typedef cub::BlockReduce<int, 128> Reduce;
  __shared__ typename Reduce::TempStorage temp;
  a[0] = Reduce(temp).Sum(a[1]);
  typename Traits<int>::Load(temp).Load(a, b);
  if (a[2]) typename Traits<int>::Load(temp).Load(a, b);
  Reduce kept(temp);
  a[4] = cub::ThreadLoad<cub::LOAD_CG>(a + 5) + kept.Reduce(a[6], larger);
  a[3] = typename Traits<int>::View(a).at(1);
}
";

#[test]
fn barriers_in_inline_assembly() {
    body(
        "asm volatile(\"bar.sync 0;\" ::: \"memory\"); if (i) __asm__(\"membar.gl;\\n\\t\");",
        expect!["syncthreads0(); if (i) threadfence1();"],
    );
}

#[test]
fn cache_hints() {
    body(
        "x = __ldg(&b[i]) + __ldg(b + idx[i]); __stcg(&a[i], b[0]); __stcs(a, 1);",
        expect![
            "x = __ldg(&R0(b[i])) + __ldg(&copy1(*(b + R2(idx[i])))); __stcg(&W3(a[i]), R4(b[0])); __stcs(&W5(*(a)), 1);"
        ],
    );
}

#[test]
fn standard_functions() {
    body(
        "std::swap(a[0], a[1]); x = std::move(a[2]); p = std::addressof(a[3]);",
        expect![
            "std::swap(exchange0(a[0]), exchange1(a[1])); x = std::move(copy2(a[2])); p = std::addressof(a[3]);"
        ],
    );
    body(
        "auto r = std::ref(a[0]); y = std::exchange(a[1], a[2]); z = std::max(a[3], a[4]);",
        expect![
            "auto r = std::ref(a[0]); y = std::exchange(exchange0(a[1]), R1(a[2])); z = std::max(read_argument2(a[3]), read_argument3(a[4]));"
        ],
    );
}

#[test]
fn group_sync() {
    let source = "__global__ void k(int* a) { cg::thread_block b = cg::this_thread_block(); b.sync(); \
                  auto* p = &b; p->sync(); a[0] = 1; }\n";
    check(
        source,
        expect![[r#"
            __global__ void k(int* a) { cg::thread_block b = cg::this_thread_block(); group_sync0(b); auto* p = &b; group_sync1(*p); W2(a[0]) = 1; }
        "#]],
    );
    check_gpu(
        source,
        expect![[r#"
        __global__ void k(int* a) { KernelScope hirace_kernel_scope; cg::thread_block b = cg::this_thread_block(); group_sync0(b); auto* p = &b; group_sync1(*p); W2(a[0]) = 1; }
    "#]],
    );
}

#[test]
fn group_sync_as_a_function() {
    check_gpu(
        "namespace cg = cooperative_groups;
__global__ void k(int* a) { auto b = cg::this_thread_block(); cg::sync(b); cooperative_groups::sync(cg::tiled_partition<32>(b)); }
",
        expect![[r#"
            namespace cg = cooperative_groups;
            __global__ void k(int* a) { KernelScope hirace_kernel_scope; auto b = cg::this_thread_block(); group_sync0(b); group_sync1(cg::tiled_partition<32>(b)); }
        "#]],
    );
}

#[test]
fn what_a_gpu_does_not_model() {
    check_gpu(
        "#include <cuda/barrier>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
struct Lock { __device__ void acquire(); __device__ bool try_acquire(); };
__device__ void meet(Barrier& b, int* a) { b.arrive_and_wait(); a[0] = 1; }
__device__ void post(cuda::std::latch* l, Lock& own) { l->count_down(); own.try_acquire(); own.acquire(); }
__global__ void k(int* a, cuda::barrier<cuda::thread_scope_device>* b) {
  auto g = cg::this_grid();
  auto token = g.barrier_arrive();
  a[0] = 1;
  g.barrier_wait(std::move(token));
  __barrier_sync(1);
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  __threadfence_cluster();
  ptx::fence_proxy_async();
  cuda::ptx::mbarrier_arrive(a);
  ptx::get_sreg_tid_x();
  b->arrive_and_wait();
  cuda::device::barrier_expect_tx(*b, 4);
}
",
        expect![[r#"
            #include <cuda/barrier>
            namespace cg = cooperative_groups;
            namespace ptx = cuda::ptx;
            using Barrier = cuda::barrier<cuda::thread_scope_block>;
            struct Lock { __device__ void acquire(); __device__ bool try_acquire(); };
            __device__ void meet(Barrier& b, int* a) { not_modelled2(); not_modelled0(); b.arrive_and_wait(); W1(a[0]) = 1; }
            __device__ void post(cuda::std::latch* l, Lock& own) { not_modelled4(); not_modelled3(); l->count_down(); own.try_acquire(); own.acquire(); }
            __global__ void k(int* a, cuda::barrier<cuda::thread_scope_device>* b) { KernelScope hirace_kernel_scope; not_modelled16();
              auto g = cg::this_grid();
              not_modelled5(); auto token = g.barrier_arrive();
              W6(a[0]) = 1;
              not_modelled7(); g.barrier_wait(std::move(token));
              not_modelled8(); __barrier_sync(1);
              not_modelled9(); __cluster_barrier_arrive();
              not_modelled10(); __cluster_barrier_wait();
              threadfence_cluster17();
              not_modelled11(); ptx::fence_proxy_async();
              not_modelled12(); cuda::ptx::mbarrier_arrive(a);
              ptx::get_sreg_tid_x();
              not_modelled13(); b->arrive_and_wait();
              not_modelled14(); cuda::device::barrier_expect_tx(read_argument15(*b), 4);
            }

            not monitored, line 18: `mbarrier_arrive` is not part of the project, so its accesses are not checked
            not modelled, line 6: `cuda::barrier`
            not modelled, line 7: `cuda::std::latch`
            not modelled, line 7: `cuda::latch`
            not modelled, line 8: `cuda::barrier`
            not modelled, line 10: `barrier_arrive` of a group
            not modelled, line 12: `barrier_wait` of a group
            not modelled, line 13: `__barrier_sync`
            not modelled, line 14: `__cluster_barrier_arrive`
            not modelled, line 15: `__cluster_barrier_wait`
            not modelled, line 17: `cuda::ptx::fence_proxy_async`
            not modelled, line 18: `cuda::ptx::mbarrier_arrive`
            not modelled, line 20: `cuda::barrier`
            not modelled, line 21: `barrier_expect_tx`"#]],
    );
}

/// A functor captured on the host, whose `operator()` may return a reference.
#[test]
fn captured_functors() {
    check(
        "template <class T> struct View { __device__ T& operator()(int i) const; };\n\
         void f(View<float> v, int n) {\n  View<float> w = v;\n  \
         run([=] __device__(int i) { w(i) = v(i + 1); n = plain(i); });\n}\n",
        expect![[r#"
            template <class T> struct View { __device__ T& operator()(int i) const; };
            void f(View<float> v, int n) {
              View<float> w = v;
              run([=] __device__(int i) { W0(w(i)) = copy1(v(i + 1)); n = plain(i); });
            }
        "#]],
    );
}

#[test]
fn functions_on_bytes() {
    body(
        "memcpy(&a[i], b + i, 4); memset(a, 0, idx[0]); x = memcmp(a, b, 4) + std::memcpy(&val, g, 8);",
        expect![
            "memcpy0(0x00100001u, &a[i], b + i, 4); memset2(a, 0, R3(idx[0])); x = memcmp4(0x00100005u, a, b, 4) + memcpy6(0x00100007u, &val, g, 8);"
        ],
    );
}

#[test]
fn matches_and_reductions_of_warps() {
    body(
        "m = __match_any_sync(~0u, idx[i]); n = __reduce_add_sync(m, 1u) + __reduce_or_sync(m, i);",
        expect![
            "m = match_any_sync1(~0u, R0(idx[i])); n = reduce_add_sync2(m, 1u) + reduce_or_sync3(m, i);"
        ],
    );
}

/// An operator defined in the project shows what it reads.
#[test]
fn operators_on_objects() {
    check(
        "struct C { float v; int m; __device__ C& operator=(float x); __device__ operator float() const; };
__device__ bool operator<(const C& a, const C& b) { return a.v < b.v; }
__device__ float operator+(C a, C b) { return a.v + b.v; }
__device__ C load(C* c) { return c[0]; }
__global__ void k(C* c, float* x) {
  c[0] = c[1]; c[2] = x[0]; x[1] = c[3] + c[4]; C d = c[5]; float f = c[6];
  if (c[0] < c[1]) x[2] = c[7]; auto e = c[8]; c[9] += 1;
}
",
        expect![[r#"
            struct C { float v; int m; __device__ C& operator=(float x); __device__ operator float() const; };
            __device__ bool operator<(const C& a, const C& b) { return R0(a.v) < R1(b.v); }
            __device__ float operator+(C a, C b) { return a.v + b.v; }
            __device__ C load(C* c) { return read_into<C, 0, 1>(0x00100002u, c[0]); }
            __global__ void k(C* c, float* x) {
              write_from<decltype(c[1])>(0x00100003u, c[0]) = read_assigned<decltype(c[0])>(0x00100004u, c[1]); write_from<decltype(x[0])>(0x00100005u, c[2]) = R6(x[0]); W7(x[1]) = copy8(c[3]) + copy9(c[4]); C d = read_into<C, 0, 1>(0x0010000au, c[5]); float f = R11(c[6]);
              if (R12(c[0]) < R13(c[1])) W14(x[2]) = R15(c[7]); auto e = copy16(c[8]); U17(c[9]) += 1;
            }
        "#]],
    );
}

/// The heap of kernels, which the CPU executor implements itself.
#[test]
fn allocations_in_kernels() {
    let source = "__global__ void k(T** a, int n) {
  int* p = (int*)malloc(n * sizeof(int)); free(p); delete a[0]; delete[] a[1]; ::delete a[2];
  a[0] = new T(n); a[1] = new T[n]{}; new (a[2]) T;
}
void host() { free(malloc(1)); delete new T; }
";
    check(
        source,
        expect![[r#"
        __global__ void k(T** a, int n) {
          int* p = (int*)cpu::kernel_malloc(n * sizeof(int)); cpu::kernel_free(p); cpu::kernel_delete(R0(a[0])); cpu::kernel_delete_array(R1(a[1])); cpu::kernel_delete(R2(a[2]));
          W3(a[0]) = new (cpu::kernel_heap) T(n); W4(a[1]) = new (cpu::kernel_heap) T[n]{}; new (R5(a[2])) T;
        }
        void host() { free(malloc(1)); delete new T; }
    "#]],
    );
    check_gpu(
        source,
        expect![[r#"
        __global__ void k(T** a, int n) { KernelScope hirace_kernel_scope;
          int* p = (int*)malloc(n * sizeof(int)); free(p); delete R0(a[0]); delete[] R1(a[1]); ::delete R2(a[2]);
          W3(a[0]) = new T(n); W4(a[1]) = new T[n]{}; new (R5(a[2])) T;
        }
        void host() { free(malloc(1)); delete new T; }
    "#]],
    );
}

#[test]
fn functions_of_cuda_with_names_of_methods() {
    check(
        "struct A { __device__ void abs(int& v); static __device__ int atomicAdd(int* a, int v); __device__ void memcpy(int* a, int* b, int n); };\n\
         __global__ void k(int* a, int* b, int n) { a[0] = abs(a[1]); atomicAdd(&a[2], 1); memcpy(a, b, 4); A::atomicAdd(&a[3], 1); }\n",
        expect![[r#"
            struct A { __device__ void abs(int& v); static __device__ int atomicAdd(int* a, int v); __device__ void memcpy(int* a, int* b, int n); };
            __global__ void k(int* a, int* b, int n) { W0(a[0]) = abs(R1(a[1])); atomicAdd2(&a[2], 1); memcpy3(0x00100004u, a, b, 4); A::atomicAdd(&a[3], 1); }

            not monitored, line 2: `atomicAdd` is not part of the project, so its accesses are not checked"#]],
    );
}
