// verdict: race
// race: lines 16 and 16, variable cell, global
// repaired: clean
// Cells that point to their value. A friend function, defined in their class with its qualifiers
// before the word `friend`, adds to the value. All threads add to one value.
// Repaired: each thread adds to a value of its own.
#include <cstdio>
#include <cuda_runtime.h>

class Cell {
public:
    __host__ __device__ explicit Cell(int* value) : value_(value) {}

    __host__ __device__ inline friend Cell operator+=(Cell cell, int more)
    {
        cell.value_[0] += more;
        return cell;
    }

private:
    int* value_;
};

__global__ void add(int* values)
{
#ifdef REPAIRED
    Cell cell(values + blockIdx.x * blockDim.x + threadIdx.x);
#else
    Cell cell(values + 0);
#endif
    cell += 1;
}

int main()
{
    const int n = 256;
    int* values;
    cudaMalloc(&values, n * sizeof(int));
    cudaMemset(values, 0, n * sizeof(int));
    add<<<2, 128>>>(values);
    int first = 0;
    cudaMemcpy(&first, values, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    cudaFree(values);
}
