#define BINS 256

kernel void histogram(global const int* in, global int* total, int n) {
  local int s_bins[BINS];
  const int t = get_local_id(0);
  s_bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_add(&s_bins[in[i] % BINS], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&total[t], s_bins[t]);
}
