#pragma once

// In src/weights.cu.
__device__ float weight(int distance);

// In src/stencil.cu.
__device__ float stencil(const float* values, int at, int n);

template <class T>
__device__ void add_to(T& place, const T& value) {
  place += value;
}
