// k-means clustering (Lloyd's algorithm) of points with integer coordinates. The centres are in
// constant memory; sums are collected in shared memory first.
//
//   k_means [POINTS [SEED]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#define DIMENSIONS 3
#define CLUSTERS 8
#define THREADS 128
#define MAX_ITERATIONS 50

#define cuda_try(call)                                                              \
  {                                                                                 \
    cudaError_t err = call;                                                         \
    if (err != cudaSuccess) {                                                       \
      fprintf(stderr, "CUDA error %d in line %d: %s\n", err, __LINE__, cudaGetErrorString(err)); \
      exit(EXIT_FAILURE);                                                           \
    }                                                                               \
  }

typedef struct {
  unsigned long long sum[DIMENSIONS];
  unsigned count;
} cluster_t;

__constant__ int centres[CLUSTERS][DIMENSIONS];
__device__ unsigned changed;

static __host__ __device__ long long square_distance(const int *a, const int *b, int stride) {
  long long sum = 0;
  for (int d = 0; d < DIMENSIONS; d++) {
    long long difference = a[d * stride] - b[d];
    sum += difference * difference;
  }
  return sum;
}

/* points[dimension][point] */
__global__ void assign(const int *points, int count, int *membership, cluster_t *clusters) {
  __shared__ unsigned long long sums[CLUSTERS][DIMENSIONS];
  __shared__ unsigned counts[CLUSTERS];
  __shared__ unsigned block_changed;

  int t = threadIdx.x;
  for (int i = t; i < CLUSTERS * DIMENSIONS; i += blockDim.x) (&sums[0][0])[i] = 0;
  if (t < CLUSTERS) counts[t] = 0;
  if (t == 0) block_changed = 0;
#ifndef RACE
  __syncthreads();
#endif

  int i = blockIdx.x * blockDim.x + t;
  if (i < count) {
    int best = 0;
    long long least = square_distance(points + i, centres[0], count);
    for (int c = 1; c < CLUSTERS; c++) {
      long long distance = square_distance(points + i, centres[c], count);
      if (distance < least) {
        least = distance;
        best = c;
      }
    }
    if (membership[i] != best) {
      membership[i] = best;
      atomicInc(&block_changed, THREADS);
    }
    for (int d = 0; d < DIMENSIONS; d++) atomicAdd(&sums[best][d], (unsigned long long)points[d * count + i]);
    atomicAdd_block(&counts[best], 1u);
  }
  __syncthreads();

  if (t < CLUSTERS && counts[t] > 0) {
    for (int d = 0; d < DIMENSIONS; d++) atomicAdd(&clusters[t].sum[d], sums[t][d]);
    atomicAdd(&clusters[t].count, counts[t]);
  }
  if (t == 0 && block_changed > 0) atomicAdd(&changed, block_changed);
}

static void move_centres(int table[CLUSTERS][DIMENSIONS], const cluster_t *clusters) {
  for (int c = 0; c < CLUSTERS; c++) {
    if (clusters[c].count == 0) continue;
    for (int d = 0; d < DIMENSIONS; d++) table[c][d] = (int)(clusters[c].sum[d] / clusters[c].count);
  }
}

/* The same on the host; returns the number of iterations. */
static int on_host(const int *points, int count, int *membership, int table[CLUSTERS][DIMENSIONS]) {
  int iteration = 0;
  while (iteration < MAX_ITERATIONS) {
    cluster_t clusters[CLUSTERS];
    unsigned moved = 0;
    memset(clusters, 0, sizeof clusters);
    for (int i = 0; i < count; i++) {
      int best = 0;
      for (int c = 1; c < CLUSTERS; c++)
        if (square_distance(points + i, table[c], count) < square_distance(points + i, table[best], count)) best = c;
      if (membership[i] != best) moved++;
      membership[i] = best;
      clusters[best].count++;
      for (int d = 0; d < DIMENSIONS; d++) clusters[best].sum[d] += points[d * count + i];
    }
    iteration++;
    if (moved == 0) break;
    move_centres(table, clusters);
  }
  return iteration;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 2000;
  unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 5;
  if (count < CLUSTERS) {
    fprintf(stderr, "at least %d points are needed\n", CLUSTERS);
    return 2;
  }

  int *points = (int *)malloc(sizeof(int) * DIMENSIONS * count);
  for (int i = 0; i < count; i++) {
    for (int d = 0; d < DIMENSIONS; d++) {
      seed = seed * 1664525u + 1013904223u;
      points[d * count + i] = (int)(seed >> 20) + 3000 * ((i >> d) & 1);
    }
  }
  int table[CLUSTERS][DIMENSIONS], expected_table[CLUSTERS][DIMENSIONS];
  for (int c = 0; c < CLUSTERS; c++)
    for (int d = 0; d < DIMENSIONS; d++) table[c][d] = points[d * count + c];
  memcpy(expected_table, table, sizeof table);
  int *expected = (int *)malloc(sizeof(int) * count);
  memset(expected, -1, sizeof(int) * count);
  int expected_iterations = on_host(points, count, expected, expected_table);

  int *d_points, *d_membership;
  cluster_t *d_clusters;
  cuda_try(cudaMalloc((void **)&d_points, sizeof(int) * DIMENSIONS * count));
  cuda_try(cudaMalloc((void **)&d_membership, sizeof(int) * count));
  cuda_try(cudaMalloc((void **)&d_clusters, sizeof(cluster_t) * CLUSTERS));
  cuda_try(cudaMemcpy(d_points, points, sizeof(int) * DIMENSIONS * count, cudaMemcpyHostToDevice));
  cuda_try(cudaMemset(d_membership, -1, sizeof(int) * count));

  int iterations = 0;
  while (iterations < MAX_ITERATIONS) {
    unsigned moved = 0;
    cluster_t clusters[CLUSTERS];
    cuda_try(cudaMemcpyToSymbol(centres, table, sizeof table));
    cuda_try(cudaMemcpyToSymbol(changed, &moved, sizeof moved));
    cuda_try(cudaMemset(d_clusters, 0, sizeof clusters));
    assign<<<(count + THREADS - 1) / THREADS, THREADS>>>(d_points, count, d_membership, d_clusters);
    cuda_try(cudaPeekAtLastError());
    cuda_try(cudaMemcpyFromSymbol(&moved, changed, sizeof moved));
    cuda_try(cudaMemcpy(clusters, d_clusters, sizeof clusters, cudaMemcpyDeviceToHost));
    iterations++;
    if (moved == 0) break;
    move_centres(table, clusters);
  }

  int *membership = (int *)malloc(sizeof(int) * count);
  cuda_try(cudaMemcpy(membership, d_membership, sizeof(int) * count, cudaMemcpyDeviceToHost));
  cudaFree(d_points);
  cudaFree(d_membership);
  cudaFree(d_clusters);

  int wrong = iterations != expected_iterations || memcmp(table, expected_table, sizeof table) != 0 ||
              memcmp(membership, expected, sizeof(int) * count) != 0;
  free(points);
  free(membership);
  free(expected);
  if (wrong) {
    printf("k_means: other clusters than on the host, FAILED\n");
    return 1;
  }
  printf("k_means: %d points, %d iterations, passed\n", count, iterations);
  return 0;
}
