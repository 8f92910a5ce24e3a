__global__ void k(int* p) {
  p[0] = (p[1] = 2, 3);
}
