// verdict: clean
// nvcc: -arch=compute_90a -code=sm_90a
// Boxes of tensors of one to five dimensions are loaded, doubled and stored to other tensors; a part of each box is
// outside. Boxes of two and three dimensions are loaded by one block for both of a cluster.
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned threads = 32, largest = 5;

struct Shape {
    unsigned sizes[largest], box[largest];
    int first[largest];
};

__device__ unsigned in_shared(const void* object) { return static_cast<unsigned>(__cvta_generic_to_shared(object)); }

#define DIMENSION(number)                                                                                                 \
    if (rank > number) {                                                                                                  \
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], " #number ", %1;"                     \
                     : : "r"(at), "r"(shape.sizes[number]) : "memory");                                                   \
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], " #number ", %1;"                        \
                     : : "r"(at), "r"(shape.box[number]) : "memory");                                                     \
        asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], " #number ", %1;"                 \
                     : : "r"(at), "r"(1) : "memory");                                                                     \
    }
#define STRIDE(number)                                                                                                    \
    if (rank > number + 1) {                                                                                              \
        stride *= shape.sizes[number];                                                                                    \
        asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], " #number ", %1;"                  \
                     : : "r"(at), "l"(stride) : "memory");                                                                \
    }

// By one thread, in shared memory.
template <unsigned rank>
__device__ void describe(unsigned at, const unsigned* tensor, const Shape& shape)
{
    unsigned long long stride = sizeof *tensor;
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" : : "r"(at), "l"(tensor) : "memory");
    asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], %1;" : : "r"(at), "n"(rank - 1) : "memory");
    asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 2;" : : "r"(at) : "memory");
    asm volatile("tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%0], 0;" : : "r"(at) : "memory");
    asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 0;" : : "r"(at) : "memory");
    asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 0;" : : "r"(at) : "memory");
    DIMENSION(0) DIMENSION(1) DIMENSION(2) DIMENSION(3) DIMENSION(4)
    STRIDE(0) STRIDE(1) STRIDE(2) STRIDE(3)
}

// The warp publishes a map.
__device__ void publish(unsigned* map, unsigned at)
{
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"
                 : : "l"(map), "r"(at) : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" : : "l"(map) : "memory");
}

__device__ void begin(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(barrier) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" : : "r"(barrier), "r"(bytes) : "memory");
}
__device__ void wait(unsigned barrier)
{
    asm volatile(
        "{ .reg .pred over;\n"
        "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 over, [%0], 0;\n"
        "@!over bra again; }\n" : : "r"(barrier) : "memory");
}

template <unsigned rank>
__device__ void load(unsigned to, const unsigned* map, const int* c, unsigned barrier)
{
    if constexpr (rank == 1) {
        asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"
                     : : "r"(to), "l"(map), "r"(barrier), "r"(c[0]) : "memory");
    } else if constexpr (rank == 2) {
        asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     : : "r"(to), "l"(map), "r"(barrier), "r"(c[0]), "r"(c[1]) : "memory");
    } else if constexpr (rank == 3) {
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
                     : : "r"(to), "l"(map), "r"(barrier), "r"(c[0]), "r"(c[1]), "r"(c[2]) : "memory");
    } else if constexpr (rank == 4) {
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];"
                     : : "r"(to), "l"(map), "r"(barrier), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]) : "memory");
    } else {
        asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];"
                     : : "r"(to), "l"(map), "r"(barrier), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]) : "memory");
    }
}

template <unsigned rank>
__device__ void store(const unsigned* map, const int* c, unsigned from)
{
    if constexpr (rank == 1) {
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%2}], [%1];" : : "l"(map), "r"(from), "r"(c[0]) : "memory");
    } else if constexpr (rank == 2) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
                     : : "l"(map), "r"(from), "r"(c[0]), "r"(c[1]) : "memory");
    } else if constexpr (rank == 3) {
        asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];"
                     : : "l"(map), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]) : "memory");
    } else if constexpr (rank == 4) {
        asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];"
                     : : "l"(map), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]) : "memory");
    } else {
        asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];"
                     : : "l"(map), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]) : "memory");
    }
}

// A box has as many numbers as the warp has lanes.
template <unsigned rank>
__global__ void twice(const unsigned* from, unsigned* to, unsigned* maps, Shape shape, unsigned* loaded)
{
    __shared__ alignas(128) unsigned fields[2][32];
    __shared__ alignas(128) unsigned box[threads];
    __shared__ alignas(8) unsigned long long object;
    const unsigned t = threadIdx.x;
    fields[0][t] = fields[1][t] = 0;
    __syncwarp();
    if (t == 0) {
        describe<rank>(in_shared(fields[0]), from, shape);
        describe<rank>(in_shared(fields[1]), to, shape);
        begin(in_shared(&object), sizeof box);
    }
    publish(maps, in_shared(fields[0]));
    publish(maps + 32, in_shared(fields[1]));
    if (t == 0) load<rank>(in_shared(box), maps, shape.first, in_shared(&object));
    wait(in_shared(&object));
    loaded[t] = box[t];
    box[t] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    __syncwarp();
    if (t == 0) {
        store<rank>(maps + 32, shape.first, in_shared(box));
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" : : : "memory");
    }
}

// The first block loads a box for both.
template <unsigned rank>
__global__ void __cluster_dims__(2) share(const unsigned* from, unsigned* map, Shape shape, unsigned* loaded)
{
    __shared__ alignas(128) unsigned fields[32];
    __shared__ alignas(128) unsigned box[threads];
    __shared__ alignas(8) unsigned long long object;
    const unsigned t = threadIdx.x, barrier = in_shared(&object);
    fields[t] = 0;
    __syncwarp();
    if (t == 0) {
        describe<rank>(in_shared(fields), from, shape);
        begin(barrier, sizeof box);
    }
    if (blockIdx.x == 0) publish(map, in_shared(fields));
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : : : "memory");
    if (blockIdx.x == 0 && t == 0) {
        const int* const c = shape.first;
        if constexpr (rank == 2) {
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                         "[%0], [%1, {%2, %3}], [%4], %5;"
                         : : "r"(in_shared(box)), "l"(map), "r"(c[0]), "r"(c[1]), "r"(barrier), "h"((unsigned short)3) : "memory");
        } else {
            asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                         "[%0], [%1, {%2, %3, %4}], [%5], %6;"
                         : : "r"(in_shared(box)), "l"(map), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(barrier), "h"((unsigned short)3)
                         : "memory");
        }
    }
    wait(barrier);
    loaded[blockIdx.x * threads + t] = box[t];
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : : : "memory");
}

// The element of the tensor that is at a place of the box, or -1.
int element(const Shape& shape, unsigned rank, unsigned at)
{
    int index = 0, step = 1;
    for (unsigned i = 0; i < rank; at /= shape.box[i++]) {
        const int place = shape.first[i] + static_cast<int>(at % shape.box[i]), size = static_cast<int>(shape.sizes[i]);
        if (place < 0 || place >= size) return -1;
        index += place * step;
        step *= size;
    }
    return index;
}

unsigned *from, *to, *maps, *loaded;
constexpr unsigned most = 512;

template <unsigned rank>
int check(const Shape& shape)
{
    for (unsigned i = 0; i < most; i++) from[i] = i + 1, to[i] = 0;
    twice<rank><<<1, threads>>>(from, to, maps, shape, loaded);
    cudaDeviceSynchronize();
    int wrong = 0;
    unsigned wanted[most] = {};
    for (unsigned at = 0; at < threads; at++) {
        const int index = element(shape, rank, at);
        if (index >= 0) wanted[index] = 2 * from[index];
        if (loaded[at] != (index < 0 ? 0 : from[index])) wrong++, printf("%ud, loaded %u: %u\n", rank, at, loaded[at]);
    }
    for (unsigned i = 0; i < most; i++) {
        if (to[i] != wanted[i]) wrong++, printf("%ud, stored %u: %u\n", rank, i, to[i]);
    }
    if constexpr (rank == 2 || rank == 3) {
        share<rank><<<2, threads>>>(from, maps, shape, loaded);
        cudaDeviceSynchronize();
        for (unsigned at = 0; at < 2 * threads; at++) {
            const int index = element(shape, rank, at % threads);
            if (loaded[at] != (index < 0 ? 0 : from[index])) wrong++, printf("%ud, shared %u: %u\n", rank, at, loaded[at]);
        }
    }
    return wrong;
}

int main()
{
    cudaMallocManaged(&from, most * sizeof *from);
    cudaMallocManaged(&to, most * sizeof *to);
    cudaMallocManaged(&loaded, 2 * threads * sizeof *loaded);
    cudaMalloc(&maps, 256);
    return check<1>({{40}, {32}, {20}}) + check<2>({{12, 9}, {8, 4}, {-3, 6}}) + check<3>({{8, 5, 4}, {4, 4, 2}, {6, -1, 3}}) +
           check<4>({{4, 3, 5, 4}, {4, 2, 2, 2}, {0, 2, 3, -1}}) + check<5>({{4, 3, 2, 3, 4}, {4, 2, 1, 2, 2}, {0, 1, 1, 2, 3}});
}
