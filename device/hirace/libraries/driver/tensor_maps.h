// The driver's tensor maps, which copies of tensors read (CUDA Driver API, "Tensor Map Object Management").
#pragma once

#include <cstdint>
#include <cstring>

#include "../../cuda/tensor_map.h"
#include "types.h"

typedef std::uint32_t cuuint32_t;
typedef std::uint64_t cuuint64_t;

typedef struct alignas(64) CUtensorMap_st {
  cuuint64_t opaque[16];
} CUtensorMap;
typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
  CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1,
  CU_TENSOR_MAP_DATA_TYPE_UINT32 = 2,
  CU_TENSOR_MAP_DATA_TYPE_INT32 = 3,
  CU_TENSOR_MAP_DATA_TYPE_UINT64 = 4,
  CU_TENSOR_MAP_DATA_TYPE_INT64 = 5,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64 = 8,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ = 10,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 = 11,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ = 12,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B = 13,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B = 14,
  CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B = 15
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
  CU_TENSOR_MAP_INTERLEAVE_16B = 1,
  CU_TENSOR_MAP_INTERLEAVE_32B = 2
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE = 0,
  CU_TENSOR_MAP_SWIZZLE_32B = 1,
  CU_TENSOR_MAP_SWIZZLE_64B = 2,
  CU_TENSOR_MAP_SWIZZLE_128B = 3,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B = 4,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B = 5,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B = 6
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B = 1,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA = 1
} CUtensorMapFloatOOBfill;

namespace hirace::cpu::driver {

// The number of a type in PTX (PTX ISA, "tensormap.replace", `.elemtype`); types of less than a byte have none here.
inline int element_type_of(CUtensorMapDataType type) {
  constexpr int numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 11, 12};
  constexpr int count = sizeof numbers / sizeof *numbers;
  return type >= 0 && type < count ? numbers[type] : -1;
}

inline CUresult refuse_tensor_map(const char* what, const char* advice) {
  static_cast<void>(not_supported(what, advice));
  return CUDA_ERROR_NOT_SUPPORTED;
}

inline bool is_multiple(std::uint64_t number, std::uint64_t of) { return number % of == 0; }

// Fills the fields of each dimension. Returns whether the driver would accept them.
inline bool set_dimensions(ptx::TensorMap& map, const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                           const cuuint32_t* steps) {
  constexpr std::uint64_t max_size = std::uint64_t{1} << 32, max_stride = std::uint64_t{1} << 40;
  constexpr std::uint32_t max_box = 256, max_step = 8;
  for (unsigned i = 0; i < map.dimensions; ++i) {
    if (sizes[i] == 0 || sizes[i] > max_size || box[i] == 0 || box[i] > max_box || steps[i] == 0 || steps[i] > max_step) return false;
    map.sizes[i] = sizes[i] == max_size ? ~std::uint32_t{0} : static_cast<std::uint32_t>(sizes[i]);
    map.box[i] = box[i];
    // There is no step in the first dimension.
    map.steps[i] = i == 0 ? 1 : steps[i];
    if (i == 0) continue;
    if (!is_multiple(strides[i - 1], 16) || strides[i - 1] >= max_stride) return false;
    map.strides[i - 1] = strides[i - 1];
  }
  return true;
}

}  // namespace hirace::cpu::driver

inline CUresult cuTensorMapEncodeTiled(CUtensorMap* result, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                       const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                       const cuuint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                       CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  namespace driver = hirace::cpu::driver;
  constexpr unsigned max_rank = 5;
  const bool is_given = result != nullptr && sizes != nullptr && box != nullptr && steps != nullptr && (strides != nullptr || rank == 1);
  if (!is_given || rank == 0 || rank > max_rank) return CUDA_ERROR_INVALID_VALUE;
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) {
    return driver::refuse_tensor_map("cuTensorMapEncodeTiled with an interleaved layout", "use CU_TENSOR_MAP_INTERLEAVE_NONE");
  }
  if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) {
    return driver::refuse_tensor_map("cuTensorMapEncodeTiled with an atom of more than 16 bytes", "use CU_TENSOR_MAP_SWIZZLE_128B");
  }
  const int element_type = driver::element_type_of(type);
  if (element_type < 0) {
    return driver::refuse_tensor_map("cuTensorMapEncodeTiled with elements of less than a byte", "use a larger type");
  }
  hirace::cpu::ptx::TensorMap map{};
  map.address = reinterpret_cast<std::uintptr_t>(address);
  map.dimensions = static_cast<std::uint8_t>(rank);
  map.element_type = static_cast<std::uint8_t>(element_type);
  map.swizzle = static_cast<std::uint8_t>(swizzle);
  map.fills_with_nan = fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  if (!driver::is_multiple(reinterpret_cast<std::uintptr_t>(result), 64) || !driver::is_multiple(map.address, 16) ||
      !driver::set_dimensions(map, sizes, strides, box, steps)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const std::uint32_t row = map.box[0] * map.element_bytes();
  const std::uint32_t span = 16u << swizzle;
  // From `.f16` on.
  constexpr int first_float = 6;
  const bool is_float = element_type >= first_float;
  if (!driver::is_multiple(row, 16) || (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && row > span) || (map.fills_with_nan && !is_float)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::memcpy(result, &map, sizeof map);
  return CUDA_SUCCESS;
}
