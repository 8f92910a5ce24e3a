// verdict: race
// race: lines 19 and 24, variable sensor, global
// repaired: clean
// A sensor's reading is written through a volatile pointer, and read through a plain one.
// The write is strong, the read is weak: the pair is not morally strong, and nothing orders it.
// Repaired: the read is volatile, too. Two strong accesses with scopes that include each other do not
// race, whatever their order; the reader gets the old reading or the new one.
#include <cstdio>
#include <cuda_runtime.h>

struct Sensor {
    int reading;
    int padding;
};

__global__ void sample(Sensor* sensor, int* seen)
{
    if (blockIdx.x == 0) {
        ((volatile Sensor*)sensor)->reading = 21;
    } else {
#ifdef REPAIRED
        seen[blockIdx.x] = ((volatile Sensor*)sensor)->reading;
#else
        seen[blockIdx.x] = sensor->reading;
#endif
    }
}

int main()
{
    constexpr int blocks = 4;
    Sensor* sensor;
    int *seen, result[blocks];
    cudaMalloc(&sensor, sizeof(Sensor));
    cudaMalloc(&seen, sizeof result);
    cudaMemset(sensor, 0, sizeof(Sensor));
    sample<<<blocks, 1>>>(sensor, seen);
    cudaMemcpy(result, seen, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(sensor);
    cudaFree(seen);
    for (int b = 1; b < blocks; b++) {
        if (result[b] != 0 && result[b] != 21) return 1;
    }
    printf("sampled\n");
    return 0;
}
