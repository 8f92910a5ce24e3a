//! Functions of host code.

use super::{Home, Meaning, Rows};

pub(super) const ROWS: &[Rows] = &[
    (
        Home::Global,
        &[
            (
                Meaning::StreamWork,
                "cudaMemcpy cudaMemcpyAsync cudaMemcpyPeer cudaMemcpyPeerAsync cudaMemcpy2D cudaMemcpy2DAsync \
             cudaMemcpy3D cudaMemcpy3DAsync cudaMemcpy3DPeer cudaMemcpy3DPeerAsync cudaMemset cudaMemsetAsync \
             cudaMemset2D cudaMemset2DAsync cudaMemset3D cudaMemset3DAsync cudaMemcpy2DToArray \
             cudaMemcpy2DToArrayAsync cudaMemcpy2DFromArray cudaMemcpy2DFromArrayAsync \
             cudaMemcpy2DArrayToArray cudaMemcpyToArray cudaMemcpyToArrayAsync cudaMemcpyFromArray \
             cudaMemcpyFromArrayAsync cudaMemcpyToSymbol cudaMemcpyToSymbolAsync cudaMemcpyFromSymbol \
             cudaMemcpyFromSymbolAsync cudaMallocAsync cudaMallocFromPoolAsync cudaFreeAsync \
             cudaGraphAddKernelNode cudaGraphKernelNodeSetParams cudaGraphExecKernelNodeSetParams \
             cudaGraphAddMemcpyNode cudaGraphAddMemcpyNode1D cudaGraphAddMemsetNode \
             cudaGraphExecMemcpyNodeSetParams cudaGraphExecMemcpyNodeSetParams1D \
             cudaGraphExecMemsetNodeSetParams curandGenerate curandGenerateLongLong curandGenerateUniform \
             curandGenerateUniformDouble curandGenerateNormal curandGenerateNormalDouble \
             curandGenerateLogNormal curandGenerateLogNormalDouble curandGeneratePoisson cufftExecC2C \
             cufftExecR2C cufftExecC2R cufftExecZ2Z cufftExecD2Z cufftXtExec cufftExecZ2D cuMemcpy \
             cuMemcpyAsync cuMemcpyHtoD cuMemcpyHtoDAsync cuMemcpyDtoH cuMemcpyDtoHAsync cuMemcpyDtoD \
             cuMemcpyDtoDAsync cuMemcpy2D cuMemcpy2DAsync cuMemcpy2DUnaligned cuMemsetD8 cuMemsetD8Async \
             cuMemsetD16 cuMemsetD16Async cuMemsetD32 cuMemsetD32Async cuMemsetD2D8 cuMemsetD2D8Async \
             cuMemsetD2D16 cuMemsetD2D16Async cuMemsetD2D32 cuMemsetD2D32Async cuMemAllocAsync cuMemFreeAsync \
             cuLaunchKernel cuLaunchKernelEx cuLaunchCooperativeKernel",
            ),
            (
                Meaning::Launch,
                "cudaLaunchKernel cudaLaunchCooperativeKernel cudaLaunchKernelEx cudaLaunchKernelExC",
            ),
        ],
    ),
    (
        Home::Thrust,
        &[(
            Meaning::Algorithm,
            "reduce transform_reduce inner_product reduce_by_key inclusive_scan exclusive_scan \
             transform_inclusive_scan transform_exclusive_scan inclusive_scan_by_key exclusive_scan_by_key \
             count count_if find find_if find_if_not all_of any_of none_of min_element max_element \
             minmax_element mismatch equal is_sorted is_sorted_until partition_point lower_bound upper_bound \
             binary_search equal_range sort stable_sort sort_by_key stable_sort_by_key copy_if remove \
             remove_if remove_copy remove_copy_if unique unique_copy unique_count unique_by_key \
             unique_by_key_copy partition partition_copy stable_partition stable_partition_copy \
             is_partitioned merge merge_by_key set_union set_intersection set_difference \
             set_symmetric_difference transform transform_if for_each for_each_n copy copy_n \
             uninitialized_copy fill fill_n uninitialized_fill generate generate_n tabulate sequence gather \
             gather_if scatter scatter_if replace replace_if replace_copy replace_copy_if reverse \
             reverse_copy swap_ranges adjacent_difference",
        )],
    ),
];
