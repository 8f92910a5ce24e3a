//! Whether a program uses CUDA at all.

use hirace_syntax::words::Words;

/// Beginnings of the names of libraries with kernels of their own.
const LIBRARIES: Words = Words::of(
    "thrust cub cooperative_groups cublas_v2 cublas cublasLt cufft cufftXt curand cusolverDn \
     cusolverSp cusparse cudnn nccl npp",
);

/// Whether any of `texts` names a function of CUDA or includes a header of its libraries, so that a
/// program without a kernel is not a mistake.
pub(crate) fn any<'a>(texts: impl IntoIterator<Item = &'a str>) -> bool {
    texts.into_iter().any(uses_cuda)
}

fn uses_cuda(text: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    text.split(|it| !is_part(it)).any(|word| {
        let api = word.strip_prefix("cuda").and_then(|it| it.chars().next());
        api.is_some_and(|it| it.is_uppercase() || it == '_')
            || matches!(word, "__global__" | "__device__" | "__host__" | "cuInit")
            || LIBRARIES.has(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_and_without_cuda() {
        let with = [
            "int main() { cudaDeviceSynchronize(); }",
            "#include <cuda_runtime.h>",
            "#include <thrust/sort.h>",
            "__device__ int f();",
            "#include <cuda.h>\nint main() { return cuInit(0); }",
        ];
        assert!(with.iter().all(|it| any([*it])));
        assert!(!any(["int main() {}", "int barracuda, cudas;"]));
    }
}
