#define BLOCK_SIZE 256

kernel void grid_sum(global const int* in, global int* sum, int n) {
  local int s_sum[BLOCK_SIZE];
  const int t = get_local_id(0);
  int mine = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) mine += in[i];
  s_sum[t] = mine;
  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < stride) s_sum[t] += s_sum[t + stride];
  }
  if (t == 0) atomic_add(sum, s_sum[0]);
}
