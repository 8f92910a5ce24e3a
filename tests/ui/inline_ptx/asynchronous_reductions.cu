// verdict: clean
// nvcc: -arch=compute_90a -code=sm_90a
// st.async, red.async, copies to both blocks of a cluster and reductions in bulk, plain and of a tensor: those who read
// the results wait for their bytes. The results are compared.
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned n = 32;

__device__ unsigned in_shared(const void* object) { return static_cast<unsigned>(__cvta_generic_to_shared(object)); }
__device__ unsigned in_block(unsigned address, unsigned rank)
{
    unsigned other;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(address), "r"(rank));
    return other;
}
__device__ void begin(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(barrier) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" : : "r"(barrier), "r"(bytes) : "memory");
}
__device__ void wait(unsigned barrier)
{
    unsigned over = 0;
    while (over == 0) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(barrier) : "memory");
    }
}
__device__ void meet() { asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" : : : "memory"); }

// Each block stores to the other one and adds to both blocks' sums.
__global__ void __cluster_dims__(2) send(unsigned* out)
{
    __shared__ alignas(16) unsigned received[4];
    __shared__ alignas(8) unsigned long long object;
    __shared__ unsigned sum, last;
    const unsigned rank = blockIdx.x, barrier = in_shared(&object);
    if (threadIdx.x == 0) {
        sum = 100;
        last = 3;
        begin(barrier, 16 + 2 * 4 + 4);
    }
    meet();
    if (threadIdx.x == 0) {
        const unsigned other = rank ^ 1, theirs = in_block(barrier, other);
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, 2, 3, %2}, [%3];"
                     : : "r"(in_block(in_shared(received), other)), "r"(rank), "r"(rank + 4), "r"(theirs) : "memory");
        for (unsigned block = 0; block < 2; block++) {
            asm volatile("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [%0], %1, [%2];"
                         : : "r"(in_block(in_shared(&sum), block)), "r"(rank + 1), "r"(in_block(barrier, block)) : "memory");
        }
        asm volatile("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.inc.u32 [%0], %1, [%2];"
                     : : "r"(in_block(in_shared(&last), other)), "r"(3), "r"(theirs) : "memory");
        wait(barrier);
        unsigned* const mine = out + 6 * rank;
        for (int i = 0; i < 4; i++) mine[i] = received[i];
        mine[4] = sum;
        mine[5] = last;
    }
    meet();
}

// The first block copies numbers to both, and adds them to the second block's once more.
__global__ void __cluster_dims__(2) share(const unsigned* in, unsigned* out)
{
    __shared__ alignas(128) unsigned numbers[n];
    __shared__ alignas(128) unsigned more[n];
    __shared__ alignas(8) unsigned long long objects[2];
    const unsigned rank = blockIdx.x, first = in_shared(objects), second = first + 8;
    if (threadIdx.x == 0) {
        begin(first, sizeof numbers);
        begin(second, rank == 1 ? sizeof more : 0);
    }
    more[threadIdx.x] = 1000;
    meet();
    if (rank == 0 && threadIdx.x == 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                     : : "r"(in_shared(numbers)), "l"(in), "r"((unsigned)sizeof numbers), "r"(first), "h"((unsigned short)3) : "memory");
        wait(first);
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];"
                     : : "r"(in_block(in_shared(more), 1)), "r"(in_shared(numbers)), "r"((unsigned)sizeof numbers), "r"(in_block(second, 1))
                     : "memory");
    }
    wait(first);
    wait(second);
    out[rank * n + threadIdx.x] = numbers[threadIdx.x] + more[threadIdx.x];
    meet();
}

// Both blocks add to the same floats.
__global__ void add(float* sums, unsigned long long* least)
{
    __shared__ alignas(128) float mine[n];
    __shared__ alignas(128) unsigned long long few[n];
    mine[threadIdx.x] = threadIdx.x + blockIdx.x;
    few[threadIdx.x] = 40 - threadIdx.x + blockIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    __syncwarp();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;"
                     : : "l"(sums), "r"(in_shared(mine)), "r"((unsigned)sizeof mine) : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64 [%0], [%1], %2;"
                     : : "l"(least), "r"(in_shared(few)), "r"((unsigned)sizeof few) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" : : : "memory");
    }
}

// A tensor of 4 x 6 numbers, to a box of 4 x 2 of which 8 is added, from row 3 on.
__global__ void add_box(unsigned* tensor, unsigned* map)
{
    __shared__ alignas(128) unsigned box[8];
    __shared__ alignas(128) unsigned fields[32];
    fields[threadIdx.x] = 0;
    if (threadIdx.x < 8) box[threadIdx.x] = 8 + threadIdx.x;
    __syncwarp();
    const unsigned at = in_shared(fields);
    if (threadIdx.x == 0) {
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" : : "r"(at), "l"(tensor) : "memory");
        asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], 1;" : : "r"(at) : "memory");
        asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 2;" : : "r"(at) : "memory");
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" : : "r"(at), "r"(4) : "memory");
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" : : "r"(at), "r"(6) : "memory");
        asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" : : "r"(at), "l"(16ll) : "memory");
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0, %1;" : : "r"(at), "r"(4) : "memory");
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 1, %1;" : : "r"(at), "r"(2) : "memory");
        asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 0, %1;" : : "r"(at), "r"(1) : "memory");
        asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 1, %1;" : : "r"(at), "r"(1) : "memory");
    }
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"
                 : : "l"(map), "r"(at) : "memory");
    if (threadIdx.x == 0) {
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" : : "l"(map) : "memory");
        asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" : : "l"(map), "r"(0), "r"(3) : "memory");
        asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%1, %2}], [%3];"
                     : : "l"(map), "r"(0), "r"(3), "r"(in_shared(box)) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" : : : "memory");
    }
}

int main()
{
    unsigned *out, *in, *tensor, *map;
    float* sums;
    unsigned long long* least;
    cudaMallocManaged(&out, 2 * n * sizeof *out);
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&tensor, 24 * sizeof *tensor);
    cudaMalloc(&map, 128);
    cudaMallocManaged(&sums, n * sizeof *sums);
    cudaMallocManaged(&least, n * sizeof *least);
    send<<<2, 32>>>(out);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (unsigned rank = 0; rank < 2; rank++) {
        const unsigned wanted[] = {rank ^ 1, 2, 3, (rank ^ 1) + 4, 103, 0};
        for (int i = 0; i < 6; i++) {
            if (out[6 * rank + i] != wanted[i]) wrong++, printf("block %u, %d: %u\n", rank, i, out[6 * rank + i]);
        }
    }
    for (unsigned i = 0; i < n; i++) in[i] = i * i, sums[i] = 0.5f, least[i] = 20;
    share<<<2, n>>>(in, out);
    add<<<2, n>>>(sums, least);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < n; i++) {
        if (out[i] != i * i + 1000 || out[n + i] != 2 * i * i + 1000) wrong++, printf("%u: %u %u\n", i, out[i], out[n + i]);
        if (sums[i] != 2 * i + 1.5f) wrong++, printf("sum %u: %g\n", i, sums[i]);
        if (least[i] != (40 - i < 20 ? 40 - i : 20)) wrong++, printf("least %u: %llu\n", i, least[i]);
    }
    for (unsigned i = 0; i < 24; i++) tensor[i] = i < 16 ? 0 : 11;
    add_box<<<1, 32>>>(tensor, map);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 24; i++) {
        const unsigned before = i < 16 ? 0 : 11, added = i >= 12 && i < 20 ? i - 4 : 0;
        if (tensor[i] != (added > before ? added : before)) wrong++, printf("tensor %u: %u\n", i, tensor[i]);
    }
    return wrong;
}
