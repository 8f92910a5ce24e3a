#define TILE 256

kernel void n_body(global const float4* body, global float4* force, int n) {
  local float4 s_body[TILE];
  const int i = get_global_id(0), t = get_local_id(0);
  const float4 mine = body[i];
  float x = 0, y = 0, z = 0;
  for (int begin = 0; begin < n; begin += TILE) {
    s_body[t] = body[begin + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) {
      const float4 other = s_body[k];
      const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const float d = dx * dx + dy * dy + dz * dz + 0.01f;
      const float f = other.w / (d * sqrt(d));
      x += dx * f;
      y += dy * f;
      z += dz * f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force[i] = (float4)(x, y, z, 0);
}
