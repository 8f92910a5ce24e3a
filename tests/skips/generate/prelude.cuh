#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cstdio>
‹#include "trace.h"›
constexpr int n = 64;
struct Pair { int* out; const int* in; };
struct Sizes { int rows, columns; };
typedef int real;
#define SYNC «b:__syncthreads()»
#define HALF(x) ((x) / 2)
#define INTO(array, at) array[at]
#define PUT(place, value) «w:place» = (value)
#define SKIP_ODD(i) if ((i) & 1) continue
#define BUMP(x) (x) += 5
#define AIM(pointer, at) pointer = at
#define LEAVE return
#define LEAVE_IF(x) if (x) return
__device__ int* slot;
__device__ Pair pair;
__device__ void wait_all() { «b:__syncthreads()»; }
__device__ void set(int* p, int v) { «w:*p» = v; }
__device__ void set_by_reference(int& r, int v) { «w:r» = v; }
__device__ int get(const int& r) { return «r:r»; }
__device__ int get_from(const int* p, int i) { return «r:p[i]»; }
__device__ int twice(int v) { return 2 * v; }
__device__ int wait_and_double(int v) { «b:__syncthreads()»; return 2 * v; }
__device__ void bump(int& v) { v += 7; }
__device__ void bump_at(int* v) { *v ^= 2; }
__device__ void turn(int*& p, int* to) { p = to; }
template <class T> __device__ void turn_at(T* p, T to) { *p = to; }
template <class T> struct Span {
  T* at;
  __device__ T& operator[](int i) const { return at[i]; }
  __device__ T get(int i) const { return «r:at[i]»; }
  __device__ void aim(T* to) { at = to; }
};
template <class T> __device__ void put_at(T* p, int i, int v) { «w:p[i]» = v; }
template <class F> __device__ void call(F f, int i) { f(i); }
__device__ int aside(int v) { __shared__ int own[64]; «w:own[threadIdx.x]» = v; return «r:own[threadIdx.x]»; }
