#define BLOCK_SIZE 256

kernel void block_sum(global const float* in, global float* out) {
  local float s_sum[BLOCK_SIZE];
  const int t = get_local_id(0);
  s_sum[t] = in[get_global_id(0)];
  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < stride) s_sum[t] += s_sum[t + stride];
  }
  if (t == 0) out[get_group_id(0)] = s_sum[0];
}
