kernel void sparse_product(global const int* row, global const int* column, global const float* value, global const float* x,
                           global float* y, int rows) {
  const int r = get_global_id(0);
  if (r >= rows) return;
  float sum = 0;
  for (int e = row[r]; e < row[r + 1]; ++e) sum += value[e] * x[column[e]];
  y[r] = sum;
}
