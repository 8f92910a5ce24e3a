//! Libraries for device code: cuRAND, CUB, libcu++ and cooperative groups.

use super::{Home, Meaning, Object, Rows};
use crate::words::Words;

/// First parts of names of methods of CUB's primitives.
pub(super) const COLLECTIVES: Words = Words::of(
    "Inclusive Exclusive HeadSegmented TailSegmented Sort StripedTo BlockedTo WarpStripedTo ScatterTo Flag \
     Subtract Offset Rotate Up Down Broadcast RunLength",
);

pub(super) const ROWS: &[Rows] = &[
    (
        Home::Global,
        &[
            (
                Meaning::RandomNumber {
                    state_is_last: true,
                },
                "curand_init skipahead skipahead_sequence skipahead_subsequence",
            ),
            (
                Meaning::RandomNumber {
                    state_is_last: false,
                },
                "curand curand4 curand_uniform curand_uniform4 curand_uniform_double curand_uniform2_double \
             curand_uniform4_double curand_normal curand_normal2 curand_normal4 curand_normal_double \
             curand_normal2_double curand_normal4_double curand_log_normal curand_log_normal2 \
             curand_log_normal4 curand_log_normal_double curand_log_normal2_double curand_log_normal4_double \
             curand_poisson curand_poisson4 curand_discrete curand_discrete4",
            ),
        ],
    ),
    (
        Home::CubPrimitive,
        &[(
            Meaning::Collective,
            "Sum Reduce Min Max Load Store StableSort InitHistogram Histogram Composite Scan",
        )],
    ),
    (
        Home::CudaObject,
        &[
            (
                Meaning::AtomicMethod,
                "load store exchange compare_exchange_weak compare_exchange_strong fetch_add fetch_sub fetch_and \
             fetch_or fetch_xor fetch_min fetch_max wait test test_and_set clear",
            ),
            (
                Meaning::Synchronisation(Object::Barrier),
                "arrive arrive_and_wait arrive_and_drop wait_parity try_wait_parity try_wait_parity_for \
             try_wait_parity_until",
            ),
            (Meaning::Synchronisation(Object::Latch), "count_down"),
            (
                Meaning::Synchronisation(Object::Semaphore),
                "try_acquire try_acquire_for try_acquire_until",
            ),
            (
                Meaning::Synchronisation(Object::Pipeline),
                "producer_acquire producer_commit consumer_wait consumer_release",
            ),
            (
                Meaning::Waiting,
                "try_wait test_wait try_wait_for try_wait_until",
            ),
        ],
    ),
    (
        Home::Group,
        &[
            (
                Meaning::SameInLaunch,
                "block_dim cluster_dim dim_blocks dim_threads grid_dim group_dim meta_group_size num_blocks num_threads \
             size",
            ),
            (
                Meaning::SameInBlock,
                "block_index block_rank cluster_index group_index",
            ),
            (Meaning::SameInGroup, "all any ballot meta_group_rank"),
        ],
    ),
    (
        Home::CudaPtx,
        &[(
            Meaning::Ordering,
            "barrier_cluster_arrive barrier_cluster_wait cp_async_bulk cp_async_mbarrier_arrive \
             cp_async_mbarrier_arrive_noinc cp_reduce_async_bulk cp_reduce_async_bulk_tensor elect_sync \
             fence_mbarrier_init fence_sync_restrict mbarrier_arrive mbarrier_arrive_drop \
             mbarrier_arrive_expect_tx mbarrier_arrive_no_complete mbarrier_complete_tx mbarrier_expect_tx \
             mbarrier_init mbarrier_test_wait mbarrier_test_wait_parity mbarrier_try_wait \
             mbarrier_try_wait_parity red_async st_async tensormap_cp_fenceproxy tensormap_replace_box_dim \
             tensormap_replace_element_size tensormap_replace_element_stride tensormap_replace_elemtype \
             tensormap_replace_fill_mode tensormap_replace_global_address tensormap_replace_global_dim \
             tensormap_replace_global_stride tensormap_replace_interleave_layout tensormap_replace_rank \
             tensormap_replace_swizzle_mode",
        )],
    ),
    (
        Home::Cuda,
        &[(
            Meaning::Ordering,
            "pipeline counting_semaphore binary_semaphore latch make_pipeline atomic_thread_fence atomic \
             atomic_ref atomic_flag barrier",
        )],
    ),
];
