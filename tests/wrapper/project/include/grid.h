#pragma once

constexpr int block_size = 128;

// The sum of `n` numbers, a multiple of block_size, in device memory.
float sum(const float* values, int n);

// One step of smoothing, from one device array to another.
void smooth(const float* from, float* to, int n);
