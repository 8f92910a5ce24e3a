// A kernel as the instrumenter writes one with barriers of its own, and a function of the host.
#include <hirace/hirace.cuh>

__global__ void kernel(int* a, int n) {
  HIRACE_BEGIN_REGIONS(int* a, int n)
  int x[4] = {n, n};
  HIRACE_REGION_BARRIER(1);
  a[x[n & 3]] = 3;
  HIRACE_REGION_BARRIER(2);
  a[n] = x[1];
  HIRACE_END_REGIONS(a, n)
}

int on_host(const int* a) { return *a; }
