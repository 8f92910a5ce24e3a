// The built-in variables of a CUDA thread, and the identity of the running thread.
#pragma once

#include "../records/record.h"
#include "../checker/shadow.h"
#include "../cuda/vector_types.h"

// Thread-local, because every OS thread runs its own block; the scheduler keeps them up to date
// across fiber switches. Host code sees one thread of one block. They are not const, so that the
// compiler does not treat their initial values as constants.
inline thread_local uint3 threadIdx = {0, 0, 0};
inline thread_local uint3 blockIdx = {0, 0, 0};
inline thread_local dim3 blockDim = dim3(1, 1, 1);
inline thread_local dim3 gridDim = dim3(1, 1, 1);
constexpr int warpSize = hirace::warp_lanes;

namespace hirace::cpu {

inline Coordinates coordinates(const uint3& v) { return {v.x, v.y, v.z}; }

inline Coordinates current_thread() { return coordinates(threadIdx); }
inline Coordinates current_block() { return coordinates(blockIdx); }
inline Coordinates block_dimensions() { return coordinates(blockDim); }
inline Coordinates grid_dimensions() { return coordinates(gridDim); }
// As records have it.
inline GridDimensions dimensions_of_grid(const Coordinates& grid) {
  return {grid.x, static_cast<std::uint16_t>(grid.y), static_cast<std::uint16_t>(grid.z)};
}

inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned linear_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

}  // namespace hirace::cpu
