// verdict: race
// race: lines 21 and 22, variable next, shared
// repaired: clean
// The game of life on a small board in shared memory. Two pointers to rows, in one declaration, are
// exchanged after each generation.
// Repaired: a barrier comes before the exchange.
#include <cstdio>

constexpr int size = 8;

__global__ void live(int* cells, int generations) {
  __shared__ int first[size][size], second[size][size];
  int (*now)[size] = first, (*next)[size] = second;
  const int x = threadIdx.x, y = threadIdx.y;
  now[y][x] = cells[y * size + x];
  __syncthreads();
  for (int generation = 0; generation < generations; ++generation) {
    int neighbours = -now[y][x];
    for (int dy = size - 1; dy <= size + 1; ++dy)
      for (int dx = size - 1; dx <= size + 1; ++dx)
        neighbours += now[(y + dy) % size][(x + dx) % size];
    next[y][x] = neighbours == 3 || (neighbours == 2 && now[y][x]);
#ifdef REPAIRED
    __syncthreads();
#endif
    int (*last)[size] = now;
    now = next;
    next = last;
  }
  cells[y * size + x] = now[y][x];
}

int main() {
  // A glider.
  int board[size][size] = {{0, 1}, {0, 0, 1}, {1, 1, 1}};
  int* cells;
  cudaMalloc(&cells, sizeof board);
  cudaMemcpy(cells, board, sizeof board, cudaMemcpyHostToDevice);
  live<<<1, dim3(size, size)>>>(cells, 4 * size);
  cudaMemcpy(board, cells, sizeof board, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  // It has been around the board once.
  const bool back = board[0][1] && board[1][2] && board[2][0] && board[2][1] && board[2][2];
  if (!back) return 1;
#endif
  std::printf("%d lives\n", board[1][2]);
}
