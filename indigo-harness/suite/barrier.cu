//@ if warp
__syncwarp();
//@ elif block
__syncthreads();
//@ end
