#pragma once

// Device variables of a header, beside those of the file that includes it.
__device__ int hits[2];
__device__ float weight;
