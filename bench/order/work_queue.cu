// A queue behind one lock, which one thread fills and all threads empty.
#include "../timing.h"

struct Queue {
  int lock, filled, head, tail;
};

__device__ void lock(Queue* queue) {
  while (atomicCAS(&queue->lock, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void unlock(Queue* queue) {
  __threadfence();
  atomicExch(&queue->lock, 0);
}

__global__ void work_queue(Queue* queue, int* items, int* results, int count) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    lock(queue);
    for (int i = 0; i < count; ++i) items[i] = i;
    queue->tail = count;
    queue->filled = 1;
    unlock(queue);
  }
  for (;;) {
    lock(queue);
    const bool is_filled = queue->filled != 0;
    const int item = queue->head < queue->tail ? items[queue->head++] : -1;
    unlock(queue);
    if (item >= 0) {
      results[item] = 2 * item;
    } else if (is_filled) {
      return;
    }
  }
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 11), count = 8 * threads;
  Queue* const queue = to_device(std::vector<Queue>(1));
  int* const items = to_device(std::vector<int>(count));
  int* const results = to_device(std::vector<int>(count));
  print_median_time([&] {
    cudaMemset(queue, 0, sizeof *queue);
    work_queue<<<threads / 64, 64>>>(queue, items, results, count);
  });
}
