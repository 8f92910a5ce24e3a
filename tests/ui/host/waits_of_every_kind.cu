// verdict: clean
// Each of these makes the host wait for the kernel, so that it may read the result: a query that
// succeeds, an event, a copy that waits, a host function, a stream that waits for another one.
constexpr int n = 32;

__global__ void add(int* data) {
  data[threadIdx.x] += 1;
}

struct Seen {
  const int* data;
  int value;
};

void look(void* seen) {
  auto* const it = static_cast<Seen*>(seen);
  it->value = it->data[3];
}

int main() {
  int *data, copy[n];
  cudaMallocManaged(&data, n * sizeof(int));
  cudaMemset(data, 0, n * sizeof(int));
  bool right = data[3] == 0;
  cudaStream_t stream, other;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreate(&event);

  add<<<1, n, 0, stream>>>(data);
  while (cudaStreamQuery(stream) != cudaSuccess) {
  }
  right = right && data[3] == 1;

  add<<<1, n, 0, stream>>>(data);
  cudaEventRecord(event, stream);
  cudaEventSynchronize(event);
  right = right && data[3] == 2;

  add<<<1, n>>>(data);
  cudaMemcpy(copy, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  right = right && data[3] == 3;

  add<<<1, n, 0, stream>>>(data);
  Seen seen{data, 0};
  cudaLaunchHostFunc(stream, look, &seen);
  cudaStreamSynchronize(stream);
  right = right && seen.value == 4;

  add<<<1, n, 0, stream>>>(data);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(other, event, 0);
  cudaStreamSynchronize(other);
  right = right && data[3] == 5;
  return right ? 0 : 1;
}
