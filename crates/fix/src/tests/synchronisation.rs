//! Fences, orders, scopes and waits.

use super::*;

#[test]
fn flags_get_fences() {
    check_synchronisation(
        "HR010",
        "*«p» = 1;\nif (t == 0) *«flag» = 1;\nwhile (*«flag» == 0) {\n}\nv = *«p»;",
        &expect![[r#"
            # `__threadfence()` before line 3 and `__threadfence()` after line 5
            +__threadfence();
            +__threadfence();
            # `__threadfence()` before line 3
            +__threadfence();
        "#]],
    );
    check_synchronisation(
        "HR009",
        "*«p» = 1;\natomicExch(«flag», 0);\nif (atomicCAS(«flag», 0, 1) == 0) {\n  v = *«p»;\n}",
        &expect![[r#"
            # `__threadfence()` before line 5
            +  __threadfence();
            # `__threadfence()` before line 3 and `__threadfence()` before line 5
            +__threadfence();
            +  __threadfence();
        "#]],
    );
}

#[test]
fn relaxed_operations_get_an_order() {
    check_synchronisation(
        "HR010",
        "*«p» = 1;\n«flag».store(1, cuda::memory_order_relaxed);\n\
         while («flag».load(cuda::memory_order_relaxed) == 0);\nv = *«p»;",
        &expect![[r#"
            # `memory_order_release` on line 3 and `memory_order_acquire` on line 4
            -flag.store(1, cuda::memory_order_relaxed);
            -while (flag.load(cuda::memory_order_relaxed) == 0);
            +flag.store(1, cuda::memory_order_release);
            +while (flag.load(cuda::memory_order_acquire) == 0);
            # `memory_order_release` on line 3
            -flag.store(1, cuda::memory_order_relaxed);
            +flag.store(1, cuda::memory_order_release);
        "#]],
    );
}

#[test]
fn narrow_scopes_are_widened() {
    check_synchronisation(
        "HR011",
        "*«p» = 1;\n__threadfence_block();\natomicExch_block(«flag», 1);\n\
         while (*«flag» == 0);\n__threadfence();\nv = *«p»;",
        &expect![[r#"
            # `atomicExch` on line 4
            -atomicExch_block(flag, 1);
            +atomicExch(flag, 1);
            # `__threadfence` on line 3
            -__threadfence_block();
            +__threadfence();
            # `atomicExch` on line 4 and `__threadfence` on line 3
            -__threadfence_block();
            -atomicExch_block(flag, 1);
            +__threadfence();
            +atomicExch(flag, 1);
        "#]],
    );
}

#[test]
fn copies_are_waited_for() {
    for (copy, expected) in [
        (
            "«__pipeline_memcpy_async(&s[t], &p[t], 4)»;",
            expect![[r#"
                # `__pipeline_wait_prior(0)` before line 3
                +__pipeline_wait_prior(0);
                # `__pipeline_wait_prior(0)` and `__syncwarp()` before line 3
                +__pipeline_wait_prior(0); __syncwarp();
                # `__syncthreads()` before line 3
                +__syncthreads();
            "#]],
        ),
        (
            "«cuda::memcpy_async(&s[t], &p[t], 4, pipe)»;\npipe.producer_commit();",
            expect![[r#"
                # `pipe.consumer_wait()` before line 4
                +pipe.consumer_wait();
                # `pipe.consumer_wait()` and `__syncwarp()` before line 4
                +pipe.consumer_wait(); __syncwarp();
                # `__syncthreads()` before line 4
                +__syncthreads();
                # `__syncthreads()` after line 2
                +__syncthreads();
            "#]],
        ),
        (
            "«cg::memcpy_async(block, s, p, 64)»;",
            expect![[r#"
            # `cg::wait(block)` before line 3
            +cg::wait(block);
            # `cg::wait(block)` and `__syncwarp()` before line 3
            +cg::wait(block); __syncwarp();
            # `__syncthreads()` before line 3
            +__syncthreads();
        "#]],
        ),
    ] {
        let text =
            format!("__global__ void k(int* p, int* s, int t) {{\n{copy}\np[t] = «s[t]»;\n}}\n");
        check("HR012", Relation::Warp, &text, &expected);
    }
}

/// A stage is acquired, filled, committed, waited for, read and released.
#[test]
fn pipelines_are_waited_for_after_a_commit() {
    const DECLARED: &str =
        "auto block = cg::this_thread_block();\nauto pipe = cuda::make_pipeline();\n";
    for (body, expected) in [
        // The wait comes before the barrier that is there.
        (
            "pipe.producer_acquire();\n«cuda::memcpy_async(&s[t], &p[t], 4, pipe)»;\n\
             pipe.producer_commit();\nblock.sync();\np[t] = «s[t]»;",
            expect![[r#"
                # `pipe.consumer_wait()` before line 8
                +pipe.consumer_wait();
                # `pipe.consumer_wait()` before line 7
                +pipe.consumer_wait();
                # `pipe.consumer_wait()` and `__syncthreads()` before line 8
                +pipe.consumer_wait(); __syncthreads();
                # `__syncthreads()` before line 8
                +__syncthreads();
                # `__syncthreads()` after line 5
                +__syncthreads();
            "#]],
        ),
        // Not between acquiring a stage and filling it, nor twice.
        (
            "for (int i = 0; i < 4; i++) {\npipe.producer_acquire();\n\
             «cuda::memcpy_async(&s[t], &p[t], 4, pipe)»;\npipe.producer_commit();\n\
             pipe.consumer_wait();\n«s[t]» = 0;\npipe.consumer_release();\n}",
            expect![[r#"
                # `__syncthreads()` before line 9
                +__syncthreads();
                # `__syncthreads()` after line 6
                +__syncthreads();
                # `__syncthreads()` at the end of the loop of line 4
                +__syncthreads();
            "#]],
        ),
        (
            "«cuda::memcpy_async(&s[t], &p[t], 4, pipe)»;\npipe.producer_commit();\n\
             pipe.consumer_wait();\np[t] = «s[t + 1]»;",
            expect![[r#"
                # `__syncthreads()` before line 7
                +__syncthreads();
                # `__syncthreads()` after line 4
                +__syncthreads();
            "#]],
        ),
    ] {
        let text = format!("__global__ void k(int* p, int* s, int t) {{\n{DECLARED}{body}\n}}\n");
        check("HR012", Relation::Block, &text, &expected);
    }
}

/// A thread that has waited for its copy needs only a barrier.
#[test]
fn copies_that_are_waited_for_need_a_barrier() {
    let text = "__global__ void k(int* p, int* s, int t) {\n«__pipeline_memcpy_async(&s[t], &p[t], 4)»;\n\
                __pipeline_commit();\n__pipeline_wait_prior(1);\np[t] = «s[t + 1]»;\n}\n";
    check(
        "HR012",
        Relation::Block,
        text,
        &expect![[r#"
        # `__syncthreads()` before line 5
        +__syncthreads();
        # `__pipeline_wait_prior(0)` before line 5
        +__pipeline_wait_prior(0);
        # `__pipeline_wait_prior(0)` and `__syncthreads()` before line 5
        +__pipeline_wait_prior(0); __syncthreads();
        # `__syncthreads()` after line 2
        +__syncthreads();
    "#]],
    );
}

#[test]
fn scopes_of_members_are_widened() {
    for (text, expected) in [
        (
            "struct Other { cuda::atomic<int, cuda::thread_scope_block> flag; };\n\
             struct Own { cuda::atomic<int, cuda::thread_scope_block> flag;\n\
             __device__ void put() { «flag».store(1); }\n\
             __device__ int get() { return «flag».load(); } };\n",
            expect![[r#"
                # `thread_scope_device`
                -struct Own { cuda::atomic<int, cuda::thread_scope_block> flag;
                +struct Own { cuda::atomic<int, cuda::thread_scope_device> flag;
            "#]],
        ),
        (
            "using Flag = cuda::atomic<int, cuda::thread_scope_block>;\n\
             struct S { Flag flags[2]; };\n\
             __global__ void k(S* s) { «s->flags[0]» = 1; «s->flags[1]» = 1; }\n",
            expect![[r#"
                # `thread_scope_device`
                -using Flag = cuda::atomic<int, cuda::thread_scope_block>;
                +using Flag = cuda::atomic<int, cuda::thread_scope_device>;
            "#]],
        ),
        // Which of them is meant, the name does not show.
        (
            "struct A { cuda::atomic<int, cuda::thread_scope_block> flag; };\n\
             struct B { cuda::atomic<int, cuda::thread_scope_block> flag; };\n\
             __global__ void k(A* s) { «s->flag» = 1; «s->flag» = 1; }\n",
            expect![[""]],
        ),
    ] {
        check("HR005", Relation::Launch, text, &expected);
    }
}

#[test]
fn scopes_are_widened() {
    for (body, expected) in [
        (
            "atomicMax_block(&«p[v]», v);",
            expect![[r#"
            # `atomicMax`
            -atomicMax_block(&p[v], v);
            +atomicMax(&p[v], v);
        "#]],
        ),
        (
            "__nv_atomic_fetch_add(«&p[v]», v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);",
            expect![[r#"
                # `__NV_THREAD_SCOPE_DEVICE`
                -__nv_atomic_fetch_add(&p[v], v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
                +__nv_atomic_fetch_add(&p[v], v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
            "#]],
        ),
        (
            "cuda::atomic_ref<int, cuda::thread_scope_block> total(*p); «total».fetch_add(v);",
            expect![[r#"
                # `thread_scope_device`
                -cuda::atomic_ref<int, cuda::thread_scope_block> total(*p); total.fetch_add(v);
                +cuda::atomic_ref<int, cuda::thread_scope_device> total(*p); total.fetch_add(v);
            "#]],
        ),
        (
            "asm(\"red.cta.global.add.s32 [%0], %1;\" : : \"l\"(«p»), \"r\"(v));",
            expect![[r##"
                # `.gpu`
                -asm("red.cta.global.add.s32 [%0], %1;" : : "l"(p), "r"(v));
                +asm("red.gpu.global.add.s32 [%0], %1;" : : "l"(p), "r"(v));
            "##]],
        ),
    ] {
        let text = format!("__global__ void k(int* p, int v) {{\n{body}\n}}\n");
        check("HR005", Relation::Grid, &text, &expected);
    }
}
