#define TILE 16

kernel void matrix_product(global const float* a, global const float* b, global float* c, int size) {
  local float a_tile[TILE][TILE];
  local float b_tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < size; t += TILE) {
    a_tile[y][x] = a[row * size + t + x];
    b_tile[y][x] = b[(t + y) * size + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += a_tile[y][k] * b_tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * size + column] = sum;
}
