//! Inline PTX: hooks around operands for the GPU, C++ for the CPU.

use expect_test::expect;

use crate::{body, check, check_gpu};

#[test]
fn accesses_on_the_gpu() {
    check_gpu(
        r#"__global__ void k(int* a, const float* b, unsigned s, int n, float2 w) {
  float x; int y; unsigned* p = (unsigned*)a;
  if (n) asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2+8];" : "=f"(x), "=f"(w.x) : "l"(b + n));
  else asm volatile("st.shared.u8 [%0], %1;" :: "r"(s), "r"(a[n]) : "memory");
  asm("ld.relaxed.cta.u32 %0, [%1]; red.release.gpu.add.u32 [%2], 1;" : "=r"(y) : "l"(a), "l"(p++));
  asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(y), "=r"(n) : "r"(s));
  asm("ld.volatile.shared::cta.f64 %0, [%1]; ld.const.u32 %0, [%1]; mov.u32 %0, %%laneid;" : "=d"(x) : "r"(s));
  asm volatile("bar.warp.sync %0;" : : "r"(p[1]));
}
"#,
        expect![[r#"
            __global__ void k(int* a, const float* b, unsigned s, int n, float2 w) { KernelScope hirace_kernel_scope;
              float x; int y; unsigned* p = (unsigned*)a;
              if (n) asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2+8];" : "=f"(x), "=f"(w.x) : "l"(ptx_read0(8, 8, b + n)));
              else asm volatile("st.shared.u8 [%0], %1;" :: "r"(ptx_shared_write1(1, s)), "r"(R2(a[n])) : "memory");
              asm("ld.relaxed.cta.u32 %0, [%1]; red.release.gpu.add.u32 [%2], 1;" : "=r"(y) : "l"(ptx_strong_read<Order::relaxed, Scope::block>(0x00100003u, 4, a)), "l"(ptx_reduction<Order::release, Scope::device>(0x00100004u, 4, p++)));
              asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(y), "=r"(n) : "r"(ptx_shared_read_rows5(16, s)));
              asm("ld.volatile.shared::cta.f64 %0, [%1]; ld.const.u32 %0, [%1]; mov.u32 %0, %%laneid;" : "=d"(x) : "r"(ptx_shared_volatile_read6(8, s)));
              syncwarp7(R8(p[1]));
            }

            not modelled, line 5: block scope of a strong load in inline PTX"#]],
    );
}

#[test]
fn predicates_and_computed_addresses() {
    check_gpu(
        r#"__global__ void k(int* a, unsigned s, int n) {
  asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, 3; @!p st.u32 [%0], 0; }" :: "l"(a), "r"((int)(n & 7)));
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %1, 0; @p st.u32 [%0], 0; }" :: "l"(a), "r"(n++));
  asm volatile("{ .reg .u32 q; add.u32 q, %0, %1; st.shared.v4.b32 [q+16], {%1, %1, %1, %1}; }" :: "r"(s), "r"(n));
  asm volatile("{ .reg .u64 q; cvta.to.shared.u64 q, %0; red.shared.add.u32 [q], 1; }" :: "l"(a));
  asm volatile("{ .reg .u64 q; mul.lo.u64 q, %0, 2; st.u32 [q], 1; }" :: "l"(a));
  asm volatile("st.shared::cluster.u32 [%0], 1; st.async.b32 [%0], 1;" :: "r"(s));
  asm volatile("again: ld.u32 %0, [%1]; bra again;" : "=r"(n) : "l"(a));
}
"#,
        expect![[r#"
            __global__ void k(int* a, unsigned s, int n) { KernelScope hirace_kernel_scope;
              asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, 3; @!p st.u32 [%0], 0; }" :: "l"(ptx_write0(4, 0, !(ptx_value<std::int32_t>((int)(n & 7)) >= ptx_value<std::int32_t>(3)), a)), "r"((int)(n & 7)));
              asm volatile("{ .reg .pred p; setp.ne.b32 p, %1, 0; @p st.u32 [%0], 0; }" :: "l"(a), "r"(n++));
              asm volatile("{ .reg .u32 q; add.u32 q, %0, %1; st.shared.v4.b32 [q+16], {%1, %1, %1, %1}; }" :: "r"(ptx_shared_write1(16, ptx_value<std::int32_t>(n) + 16, s)), "r"(n));
              asm volatile("{ .reg .u64 q; cvta.to.shared.u64 q, %0; red.shared.add.u32 [q], 1; }" :: "l"(ptx_reduction<Order::relaxed, Scope::device>(0x00100002u, 4, a)));
              asm volatile("{ .reg .u64 q; mul.lo.u64 q, %0, 2; st.u32 [q], 1; }" :: "l"(a));
              asm volatile("st.shared::cluster.u32 [%0], 1; st.async.b32 [%0], 1;" :: "r"(s));
              asm volatile("again: ld.u32 %0, [%1]; bra again;" : "=r"(n) : "l"(a));
            }

            not monitored, line 3: inline PTX `st` accesses memory without hooks: its predicate is computed in the assembly
            not monitored, line 6: inline PTX `st` accesses memory without hooks: its address is computed in the assembly
            not monitored, line 7: inline PTX `st` accesses memory without hooks: it is asynchronous
            not monitored, line 7: inline PTX `st` accesses memory without hooks: it may access another block's shared memory
            not monitored, line 8: inline PTX `ld` accesses memory without hooks: the assembly contains branches or calls"#]],
    );
}

#[test]
fn code_for_the_cpu() {
    body(
        r#"int x; asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0;\n" // why
"@p ld.global.u32 %0, [%1]; }" : "=r"(x) : "l"(a), "r"(idx[i]));"#,
        expect![[r#"
            int x; __extension__({ [[maybe_unused]] auto&& hirace_0 = (
            x); [[maybe_unused]] auto hirace_1 = (a); [[maybe_unused]] auto hirace_2 = (R1(idx[i])); [[maybe_unused]] cpu::ptx::pred hirace_r_p{}; { const bool hirace_compared = cpu::ptx::compare_ne<cpu::ptx::b32>(ptx_value<cpu::ptx::b32>(hirace_2), static_cast<cpu::ptx::b32>(0)); cpu::ptx::put<cpu::ptx::pred>(hirace_r_p, hirace_compared); } if (hirace_r_p) { void* const hirace_at = ptx_read0(4, cpu::ptx::generic_pointer(ptx_value<cpu::ptx::u64>(hirace_1))); cpu::ptx::put<cpu::ptx::u32>(hirace_0, cpu::ptx::load<cpu::ptx::u32>(hirace_at, 0)); } });"#]],
    );
    body(
        r#"asm("{ fence.sc.gpu; bar.sync 0; }"); asm("" ::: "memory"); asm("pause");"#,
        expect![[
            r#"__extension__({ { threadfence0(); } { syncthreads1(); } }); asm("" ::: "memory"); asm("pause");"#
        ]],
    );
    body(
        r#"asm("ex2.approx.f32 %0, [%1]; st.f32 [%1], %0;" : "=f"(x) : "l"(a));"#,
        expect![[r#"
            __extension__({ void hirace_no_ptx_0x00100000() __attribute__((error("inline PTX `ex2.approx.f32` has no counterpart on the CPU; build for a GPU to check this code"))); hirace_no_ptx_0x00100000(); });
            not monitored, line 8: inline PTX `st` accesses memory without hooks: `ex2.approx.f32` has no counterpart on the CPU"#]],
    );
}

#[test]
fn branches_and_calls_on_the_cpu() {
    body(
        r#"asm("ts: .branchtargets one, two; brx.idx %1, ts; one: mov.u32 %0, 5; bra done; two: mov.u32 %0, 6; done:" : "=r"(x) : "r"(n));"#,
        expect![
            "__extension__({ [[maybe_unused]] auto&& hirace_0 = (x); [[maybe_unused]] auto hirace_1 = (n); { __label__ hirace_label_one; __label__ hirace_label_two; __label__ hirace_label_done; { switch (ptx_value<cpu::ptx::u32>(hirace_1)) { case 0: goto hirace_label_one; case 1: goto hirace_label_two; } } hirace_label_one: ; { cpu::ptx::put<cpu::ptx::u32>(hirace_0, static_cast<cpu::ptx::u32>(5)); } { goto hirace_label_done; } hirace_label_two: ; { cpu::ptx::put<cpu::ptx::u32>(hirace_0, static_cast<cpu::ptx::u32>(6)); } hirace_label_done: ; } });"
        ],
    );
    body(
        r#"asm("call.uni (%0), twice, (%1);" : "=r"(x) : "r"(n)); asm("brx.idx %0, none;" : : "r"(n)); asm("call %0, (%1), proto;" : : "l"(a), "r"(n));"#,
        expect![[
            r#"__extension__({ [[maybe_unused]] auto&& hirace_0 = (x); [[maybe_unused]] auto hirace_1 = (n); { cpu::ptx::call(::twice, hirace_0, hirace_1); } }); __extension__({ void hirace_no_ptx_0x00100000() __attribute__((error("inline PTX `brx.idx` has no counterpart on the CPU; build for a GPU to check this code"))); hirace_no_ptx_0x00100000(); }); __extension__({ void hirace_no_ptx_0x00100001() __attribute__((error("inline PTX `call` has no counterpart on the CPU; build for a GPU to check this code"))); hirace_no_ptx_0x00100001(); });"#
        ]],
    );
}

#[test]
fn asynchronous_operations_on_the_cpu() {
    body(
        r#"asm("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, 3}, [%2];" : : "r"(n), "r"(x), "r"(y));
asm("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.and.b32 [%0], %1, [%2];" : : "r"(n), "r"(x), "r"(y));"#,
        expect![[r#"
            __extension__({ [[maybe_unused]] auto hirace_0 = (n); [[maybe_unused]] auto hirace_1 = (x); [[maybe_unused]] auto hirace_2 = (y); { const cpu::ptx::b32 hirace_values[] = {ptx_value<cpu::ptx::b32>(hirace_1), static_cast<cpu::ptx::b32>(3)}; cpu::ptx::store_async(0x00100000u, cpu::ptx::shared_pointer(ptx_value<cpu::ptx::u64>(hirace_0)), hirace_values, cpu::ptx::shared_pointer(ptx_value<cpu::ptx::u64>(hirace_2))); } });
            __extension__({ [[maybe_unused]] auto hirace_0 = (n); [[maybe_unused]] auto hirace_1 = (x); [[maybe_unused]] auto hirace_2 = (y); { cpu::ptx::reduce_async<cpu::ptx::Reduction_and, cpu::ptx::b32>(0x00100001u, cpu::ptx::shared_pointer(ptx_value<cpu::ptx::u64>(hirace_0)), ptx_value<cpu::ptx::b32>(hirace_1), cpu::ptx::shared_pointer(ptx_value<cpu::ptx::u64>(hirace_2))); } });"#]],
    );
    body(
        r#"asm("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2}], [%3], %4;"
: : "r"(n), "l"(a), "r"(x), "r"(y), "h"(mask));
asm("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %1}], [%2];" : : "l"(a), "r"(x), "r"(y));"#,
        expect![[r#"
            __extension__({ [[maybe_unused]] auto hirace_0 = (
            n); [[maybe_unused]] auto hirace_1 = (a); [[maybe_unused]] auto hirace_2 = (x); [[maybe_unused]] auto hirace_3 = (y); [[maybe_unused]] auto hirace_4 = (mask); { cpu::ptx::multicast_tensor_load(0x00100000u, ptx_value<cpu::ptx::u64>(hirace_0), cpu::ptx::generic_pointer(ptx_value<cpu::ptx::u64>(hirace_1)), {ptx_value<cpu::ptx::s32>(hirace_2)}, ptx_value<cpu::ptx::u64>(hirace_3), ptx_value<cpu::ptx::u16>(hirace_4)); } });
            __extension__({ [[maybe_unused]] auto hirace_0 = (a); [[maybe_unused]] auto hirace_1 = (x); [[maybe_unused]] auto hirace_2 = (y); { cpu::ptx::tensor_reduce<cpu::ptx::Reduction_add>(0x00100001u, cpu::ptx::generic_pointer(ptx_value<cpu::ptx::u64>(hirace_0)), {ptx_value<cpu::ptx::s32>(hirace_1), ptx_value<cpu::ptx::s32>(hirace_1)}, ptx_value<cpu::ptx::u64>(hirace_2)); } });"#]],
    );
}

#[test]
fn votes_and_halves_on_the_cpu() {
    body(
        r#"asm("{ .reg .pred p, q; bar.cta.red.and.pred p, 3, 64, !q; match.all.sync.b64 %0|q, %1, -1; lop3.or.b32 _|p, %0, %0, %0, 0x80, q; }" : "=r"(x) : "l"(a));
asm("fence.release.cluster; fence.acquire.sync_restrict::shared::cluster.cluster;");
asm("discard.global.L2 [%0], 128; movmatrix.sync.aligned.m8n8.trans.b16 %1, %1;" : : "l"(a), "r"(x));"#,
        expect![[r#"
            __extension__({ [[maybe_unused]] auto&& hirace_0 = (x); [[maybe_unused]] auto hirace_1 = (a); [[maybe_unused]] cpu::ptx::pred hirace_r_p{}; [[maybe_unused]] cpu::ptx::pred hirace_r_q{}; { cpu::ptx::put<cpu::ptx::pred>(hirace_r_p, cpu::ptx::barrier_and(0x00100000u, static_cast<cpu::ptx::u32>(3), static_cast<cpu::ptx::u32>(64), !ptx_value<cpu::ptx::pred>(hirace_r_q))); } { int hirace_matches = 0; const auto hirace_lanes = match_all_sync1(static_cast<cpu::ptx::u32>(-1), ptx_value<cpu::ptx::b64>(hirace_1), &hirace_matches); cpu::ptx::put<cpu::ptx::pred>(hirace_r_q, hirace_matches != 0);cpu::ptx::put<cpu::ptx::b32>(hirace_0, hirace_lanes); } { const auto hirace_bits = cpu::ptx::lop3<cpu::ptx::b32>(ptx_value<cpu::ptx::b32>(hirace_0), ptx_value<cpu::ptx::b32>(hirace_0), ptx_value<cpu::ptx::b32>(hirace_0), static_cast<cpu::ptx::b32>(0x80)); cpu::ptx::put<cpu::ptx::pred>(hirace_r_p, cpu::ptx::bit_or<bool>(hirace_bits != 0, ptx_value<cpu::ptx::pred>(hirace_r_q)));static_cast<void>(hirace_bits); } });
            __extension__({ { cpu::ptx::half_fence(0x00100002u, Scope::cluster, false); } { cpu::ptx::half_fence(0x00100003u, Scope::cluster, true); } });
            __extension__({ [[maybe_unused]] auto hirace_0 = (a); [[maybe_unused]] auto hirace_1 = (x); { cpu::ptx::discard(0x00100004u, cpu::ptx::generic_pointer(ptx_value<cpu::ptx::u64>(hirace_0)), static_cast<cpu::ptx::u32>(128)); } { cpu::ptx::put<cpu::ptx::b32>(hirace_1, cpu::ptx::transposed_matrix(0x00100005u, ptx_value<cpu::ptx::b32>(hirace_1))); } });"#]],
    );
}

#[test]
fn text_from_macros() {
    check(
        r#"#define SCOPE ".gpu"
#define LOAD "ld.acquire" SCOPE ".u32 %0, [%1];"
#define QUOTED(order) "ld." #order ".gpu.u32 %0, [%1];"
#define TEXT(x) #x
#define VALUE(x) TEXT(x)
#define COUNT THREADS
#define THREADS 64
#define SYNC(text) asm volatile("bar.sync " TEXT(text) ", " VALUE(COUNT) ";")
#define WAIT(both) asm volatile("bar.sync " TEXT(1, both) ";")
#ifdef ONE
#define KIND ".cg"
#else
#define KIND ".ca"
#endif
__global__ void k(int* a) {
  SYNC(2); WAIT(64); asm volatile("bar.sync " VALUE(THREADS 1) ";");
  asm volatile("ld.global" KIND ".u32 %0, [%1];" : "=r"(x) : "l"(a));
  int x; asm volatile(LOAD : "=r"(x) : "l"(a)); asm volatile("fence.acq_rel" SCOPE ";" : : : "memory");
  asm volatile(QUOTED(acquire) : "=r"(x) : "l"(a));
}
"#,
        expect![[r##"
            #define SCOPE ".gpu"
            #define LOAD "ld.acquire" SCOPE ".u32 %0, [%1];"
            #define QUOTED(order) "ld." #order ".gpu.u32 %0, [%1];"
            #define TEXT(x) #x
            #define VALUE(x) TEXT(x)
            #define COUNT THREADS
            #define THREADS 64
            #define SYNC(text) __extension__({ { cpu::ptx::barrier_sync(0x00100006u, static_cast<cpu::ptx::u32>((text)), static_cast<cpu::ptx::u32>(64)); } })
            #define WAIT(both) __extension__({ void hirace_no_ptx_0x00100007() __attribute__((error("inline PTX, of whose text a macro supplies a part, has no counterpart on the CPU; build for a GPU to check this code"))); hirace_no_ptx_0x00100007(); })
            #ifdef ONE
            #define KIND ".cg"
            #else
            #define KIND ".ca"
            #endif
            __global__ void k(int* a) {
              SYNC(2); WAIT(64); not_modelled0(); __extension__({ void hirace_no_ptx_0x00100001() __attribute__((error("inline PTX, of whose text a macro supplies a part, has no counterpart on the CPU; build for a GPU to check this code"))); hirace_no_ptx_0x00100001(); });
              __extension__({ void hirace_no_ptx_0x00100002() __attribute__((error("inline PTX, of whose text a macro supplies a part, has no counterpart on the CPU; build for a GPU to check this code"))); hirace_no_ptx_0x00100002(); });
              int x; __extension__({ [[maybe_unused]] auto&& hirace_0 = (x); [[maybe_unused]] auto hirace_1 = (a); { void* const hirace_at = ptx_strong_read<Order::acquire, Scope::device>(0x00100003u, 4, cpu::ptx::generic_pointer(ptx_value<cpu::ptx::u64>(hirace_1))); cpu::ptx::put<cpu::ptx::u32>(hirace_0, cpu::ptx::load_strong<cpu::ptx::u32>(hirace_at, 0)); } }); acq_rel_fence4();
              __extension__({ [[maybe_unused]] auto&& hirace_0 = (x); [[maybe_unused]] auto hirace_1 = (a); { void* const hirace_at = ptx_strong_read<Order::acquire, Scope::device>(0x00100005u, 4, cpu::ptx::generic_pointer(ptx_value<cpu::ptx::u64>(hirace_1))); cpu::ptx::put<cpu::ptx::u32>(hirace_0, cpu::ptx::load_strong<cpu::ptx::u32>(hirace_at, 0)); } });
            }

            not monitored, line 17: inline PTX `ld` accesses memory without hooks: a macro supplies a part of the text
            not modelled, line 16: inline PTX `bar`"##]],
    );
}

#[test]
fn what_the_preprocessor_supplies() {
    check_gpu(
        r#"#define LOAD(order) asm volatile("ld." #order ".u32 %0, [%1];" : "=r"(x) : "l"(a))
#define STORE(v) asm volatile("st.global.u32 [%0], %1;" : : "l"(a), "r"(v))
__global__ void k(int* a) {
  int x; LOAD(acquire); STORE(a[1]);
  asm volatile(
#if ONE
      "ld.global.L2::128B.u32 %0, [%1];"
#else
      "ld.global.u32 %0, [%1];"
#endif
      : "=r"(x) : "l"(a));
  asm volatile(
#if ONE
      "ld.global.u32 %0, [%1];"
#else
      "ld.global.u64 %0, [%1];"
#endif
      : "=r"(x) : "l"(a));
}
"#,
        expect![[r##"
            #define LOAD(order) asm volatile("ld." #order ".u32 %0, [%1];" : "=r"(x) : "l"(a))
            #define STORE(v) asm volatile("st.global.u32 [%0], %1;" : : "l"(ptx_write2(4, a)), "r"(v))
            __global__ void k(int* a) { KernelScope hirace_kernel_scope;
              int x; LOAD(acquire); STORE(R0(a[1]));
              asm volatile(
            #if ONE
                  "ld.global.L2::128B.u32 %0, [%1];"
            #else
                  "ld.global.u32 %0, [%1];"
            #endif
                  : "=r"(x) : "l"(ptx_read1(4, a)));
              asm volatile(
            #if ONE
                  "ld.global.u32 %0, [%1];"
            #else
                  "ld.global.u64 %0, [%1];"
            #endif
                  : "=r"(x) : "l"(a));
            }

            not monitored, line 1: inline PTX `ld` accesses memory without hooks: a macro supplies a part of the text
            not monitored, line 9: `#if` branch that cannot be combined with the other branches
            not monitored, line 12: inline PTX `ld` accesses memory without hooks: an `#if` changes the text
            not monitored, line 16: `#if` branch that cannot be combined with the other branches"##]],
    );
    check(
        r#"#define LANE(x) asm("mov.u32 %0, %%laneid;" : "=r"(x))
__device__ unsigned lane() { unsigned x; LANE(x); return x; }
"#,
        expect![[r#"
            #define LANE(x) __extension__({ [[maybe_unused]] auto&& hirace_0 = (W0(x)); { cpu::ptx::put<cpu::ptx::u32>(hirace_0, ptx_value<cpu::ptx::u32>(cpu::ptx::laneid())); } })
            __device__ unsigned lane() { unsigned x; LANE(x); return x; }
        "#]],
    );
}
