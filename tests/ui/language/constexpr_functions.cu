// verdict: race
// race: lines 19 and 19, variable x, global
// race: lines 20 and 20, variable y, global
// repaired: clean
// Vectors whose operators are constexpr, in constants as well as in device memory.
// Each thread adds into its neighbour's vector while the neighbour adds into its own.
// Repaired: a barrier comes between adding into the own vector and into the neighbour's.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <class T>
struct Vec2 {
    T x, y;
    __host__ __device__ constexpr Vec2(T a, T b) : x(a), y(b) {}
    __host__ __device__ constexpr T dot(const Vec2& o) const { return x * o.x + y * o.y; }
    __host__ __device__ constexpr Vec2& operator+=(const Vec2& o)
    {
        x += o.x;
        y += o.y;
        return *this;
    }
};

template <class T, int N>
__host__ __device__ constexpr T total(const T (&values)[N])
{
    T sum = T();
    for (int i = 0; i < N; ++i) sum += values[i];
    return sum;
}

constexpr int weights[3] = {1, 2, 3};
static_assert(total(weights) == 6, "computed by the compiler");
constexpr Vec2<int> unit(1, 1);
static_assert(unit.dot(unit) == 2, "computed by the compiler");

__global__ void shift(Vec2<int>* v, int n)
{
    const int i = threadIdx.x;
    const Vec2<int> one = unit;
    v[i] += one;
#ifdef REPAIRED
    __syncthreads();
#endif
    v[(i + 1) % n] += one;
}

int main()
{
    const int n = 64;
    Vec2<int>* d;
    cudaMalloc(&d, n * sizeof(Vec2<int>));
    std::vector<Vec2<int>> v(n, Vec2<int>(0, total(weights)));
    cudaMemcpy(d, v.data(), n * sizeof(Vec2<int>), cudaMemcpyHostToDevice);
    shift<<<1, n>>>(d, n);
    cudaMemcpy(v.data(), d, n * sizeof(Vec2<int>), cudaMemcpyDeviceToHost);
    printf("dot: %d\n", v[0].dot(unit));
    cudaFree(d);
    return 0;
}
