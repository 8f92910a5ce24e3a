kernel void stencil(global const float* in, global float* out, int size) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x >= size - 1 || y >= size - 1) return;
  const int i = y * size + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size]);
}
