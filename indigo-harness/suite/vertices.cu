//@ if thread
const int unit = blockIdx.x * blockDim.x + threadIdx.x;
//@ elif warp
const int unit = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
const int lane = threadIdx.x % warpSize, lanes = warpSize;
//@ else
const int unit = blockIdx.x;
const int lane = threadIdx.x, lanes = blockDim.x;
//@ end
//@ if persistent & thread
for (int v = first + unit; v < vertices; v += gridDim.x * blockDim.x) {
//@ elif persistent & warp
for (int v = first + unit; v < vertices; v += gridDim.x * (blockDim.x / warpSize)) {
//@ elif persistent
for (int v = first + unit; v < vertices; v += gridDim.x) {
//@ else
const int v = first + unit;
if (v < vertices) {
//@ end
