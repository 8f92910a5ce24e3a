kernel void stream_triad(global float* a, global const float* b, global const float* c, float s, int n) {
  const int i = get_global_id(0);
  if (i < n) a[i] = b[i] + s * c[i];
}
