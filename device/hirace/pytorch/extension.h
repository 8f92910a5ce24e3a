// Included before every file of a PyTorch extension: its tensors are on the CPU, in memory that kernels may use, and
// count as tensors of a GPU. The folders beside this file stand in for the headers of PyTorch that need the CUDA
// toolkit's libraries; a compiler searches them before PyTorch's own.
#pragma once
#pragma GCC system_header

#include <ATen/core/DeprecatedTypePropertiesRegistry.h>
#include <ATen/core/Generator.h>
#include <c10/core/Backend.h>
#include <c10/core/Layout.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorOptions.h>

// What extensions ask of their arguments, and where they create tensors. Of the classes with `is_cuda`, only this one
// lacks `is_cpu`, so it gets the new name; the others have both.
#define is_cuda is_cpu
#define kCUDA kCPU
#include <ATen/core/DeprecatedTypeProperties.h>
#undef is_cuda
#undef kCUDA

#include <torch/types.h>

#define is_cuda is_cpu
#define kCUDA kCPU
