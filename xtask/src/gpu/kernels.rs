//! The kernels to measure on a GPU.

/// A program of `bench/` with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The program's name, and that of its kernel.
    pub name: &'static str,
    /// A size at which sequential code can check the result.
    pub small: &'static str,
    /// A size that keeps a GPU busy. Its grid has at most 2^18 blocks, the limit of the shadow
    /// word.
    pub large: &'static str,
}

const fn kernel(name: &'static str, small: &'static str, large: &'static str) -> Kernel {
    Kernel { name, small, large }
}

/// On a graph of 1 Mi vertices and 16 million edges.
const fn graph_kernel(name: &'static str) -> Kernel {
    kernel(name, "rmat:12:65536", "rmat:20:16000000")
}

/// All of them.
pub const KERNELS: [Kernel; 15] = [
    kernel("block_sum", "256", "262144"),
    kernel("block_scan", "256", "262144"),
    kernel("grid_sum", "262144", "134217728"),
    kernel("histogram", "131072", "134217728"),
    kernel("matrix_product", "128", "2048"),
    kernel("n_body", "512", "65536"),
    kernel("stencil", "256", "8192"),
    kernel("stream_triad", "65536", "67108864"),
    graph_kernel("sparse_product"),
    graph_kernel("graph_push"),
    graph_kernel("graph_pull"),
    graph_kernel("graph_vertex_conditional"),
    graph_kernel("graph_edge_conditional"),
    graph_kernel("graph_worklist"),
    graph_kernel("path_compression"),
];
