// verdict: clean
// A structure whose padding is never written, a vector of which one member is set, and bytes
// of one word: none of these reads counts as a read of unwritten memory.
struct Padded {
  char tag;
  double value;
};

__global__ void fill(Padded* objects, float4* vectors, char* bytes) {
  objects[threadIdx.x].tag = 1;
  objects[threadIdx.x].value = 2;
  vectors[threadIdx.x].x = 3;
  if (threadIdx.x == 0) bytes[0] = 1;
}

__global__ void copy(Padded* objects, float4* vectors, char* bytes) {
  objects[threadIdx.x + 32] = objects[threadIdx.x];
  vectors[threadIdx.x + 32] = vectors[threadIdx.x];
  bytes[threadIdx.x + 4] = bytes[threadIdx.x % 4];
}

int main() {
  Padded* objects;
  float4* vectors;
  char* bytes;
  cudaMalloc(&objects, 64 * sizeof(Padded));
  cudaMalloc(&vectors, 64 * sizeof(float4));
  cudaMalloc(&bytes, 64);
  fill<<<1, 32>>>(objects, vectors, bytes);
  copy<<<1, 32>>>(objects, vectors, bytes);
  return cudaDeviceSynchronize();
}
