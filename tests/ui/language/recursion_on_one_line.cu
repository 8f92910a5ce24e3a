// verdict: race
// repaired: clean
// race: lines 14 and 14, variable cells, global
//
// A device function that calls itself, on the line of its only statement: the calls of the finding are those that the
// source has, however often they were made and inlined.
// Repaired: each thread has its own element.
#ifdef REPAIRED
#define OWN(i) (i)
#else
#define OWN(i) ((i) / 2)
#endif

__device__ void store(int* cells, int i) { cells[OWN(i)] = i; }
__device__ void descend(int* cells, int i, int depth) { if (depth > 0) descend(cells, i, depth - 1); else store(cells, i); }

__global__ void visit(int* nodes) {
    descend(nodes, threadIdx.x, 3);
}

int main() {
    int* nodes;
    cudaMalloc(&nodes, 32 * sizeof(int));
    visit<<<1, 32>>>(nodes);
    cudaDeviceSynchronize();
}
