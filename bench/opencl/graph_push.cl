// OpenCL 1.2 has no atomic addition of floats: integers, which cost the same.
kernel void graph_push(global const int* row, global const int* neighbours, global const int* share, global int* next, int vertices) {
  const int v = get_global_id(0);
  if (v >= vertices) return;
  const int mine = share[v];
  for (int e = row[v]; e < row[v + 1]; ++e) atomic_add(&next[neighbours[e]], mine);
}
