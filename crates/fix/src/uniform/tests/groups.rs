//! Objects of cooperative groups.

use super::*;

#[test]
fn conditions_of_cooperative_groups() {
    for (block, warp, condition) in [
        (true, true, "n < tile.size()"),
        (true, true, "n < tile.meta_group_size()"),
        (true, true, "n < block.num_threads()"),
        (true, true, "n < half.size()"),
        (true, true, "n < plain.group_index().x"),
        (false, true, "n < tile.meta_group_rank()"),
        (
            false,
            true,
            "(block.thread_rank() - tile.thread_rank()) == n",
        ),
        (false, true, "block.thread_rank() < 64"),
        (false, true, "tile.any(t == 3)"),
        (false, false, "tile.shfl(t, 0) < n"),
        (false, false, "n < half.meta_group_rank()"),
        (false, false, "n < tile.thread_rank()"),
        (false, false, "n < some.size()"),
        (false, false, "n < unknown.size()"),
    ] {
        let text = format!(
            "__device__ void inner(cg::thread_block_tile<32>& tile, const cg::thread_block& plain, int n) {{\n\
             auto block = cg::this_thread_block(); int t = threadIdx.x;\n\
             auto half = cg::tiled_partition<16>(block); auto some = cg::coalesced_threads();\n\
             if ({condition}) {{ /**/f(); }} }}\n\
             __global__ void k(int n) {{ inner(cg::tiled_partition<32>(cg::this_thread_block()), \
             cg::this_thread_block(), n); }}\n"
        );
        check(Group::Block, block, &text);
        check(Group::Warp, warp, &text);
    }
}

/// The type of a group may be a parameter of a template.
#[test]
fn groups_of_any_type() {
    for (passed, call) in [
        (true, "inner(cg::this_thread_block());"),
        (
            true,
            "auto tile = cg::tiled_partition<8>(cg::this_thread_block()); inner(tile);",
        ),
        (false, "inner(cg::coalesced_threads());"),
        (
            false,
            "inner(cg::tiled_partition(cg::coalesced_threads(), 4));",
        ),
    ] {
        let text = format!(
            "template <class G> __device__ void inner(G group) {{\n\
             for (int i = group.size() / 2; i > 0; i /= 2) {{ /**/f(); }} if (group.size() > 32) inner(group); }}\n\
             __global__ void k() {{ {call} }}\n"
        );
        check(Group::Block, passed, &text);
    }
}

/// The rank is unsigned: a difference below 0 is a large number.
#[test]
fn differences_of_ranks() {
    for (passed, condition) in [
        (false, "tile.thread_rank() - 1 >= 0"),
        (false, "(tile.thread_rank() - 1) < 3"),
        (false, "-tile.thread_rank() < 3"),
        (true, "(tile.thread_rank() + 1) < 33"),
    ] {
        let text = format!(
            "__global__ void k() {{ auto tile = cg::tiled_partition<32>(cg::this_thread_block()); \
             if ({condition}) {{ /**/f(); }} }}"
        );
        check(Group::Warp, passed, &text);
    }
}

#[test]
fn shared_memory_outside_of_functions() {
    for declaration in ["__shared__ int flag;", "extern __shared__ int flag;"] {
        for (passed, barrier) in [
            (true, "__syncthreads();"),
            (true, "cg::sync(block);"),
            (false, ""),
        ] {
            let text = format!(
                "{declaration}\n__global__ void k() {{ auto block = cg::this_thread_block();\n\
                 if (threadIdx.x == 0) flag = g(); {barrier} if (flag) {{ /**/f(); }} }}"
            );
            check(Group::Block, passed, &text);
            check(Group::Grid, false, &text);
        }
    }
    let text = "extern __shared__ int all[];\n__global__ void k() { if (all[0]) { /**/f(); } }";
    check(Group::Block, true, text);
    check(Group::Grid, false, text);
}

#[test]
fn widths_that_template_parameters_hide() {
    for (passed, parameter) in [
        (false, "template <int WIDTH>"),
        (true, "template <int OTHER>"),
    ] {
        let text = format!(
            "constexpr int WIDTH = 32;\n{parameter} __global__ void k(int* s) {{\n\
             auto t = cg::tiled_partition<WIDTH>(cg::this_thread_block()); if (t.any(s[threadIdx.x])) {{ /**/f(); }} }}"
        );
        check(Group::Warp, passed, &text);
    }
}
