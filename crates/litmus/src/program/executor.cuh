// Runs a litmus test on the CPU executor. Arguments: results wanted, seed, incantations, file for
// the states. The incantations are for GPUs: there is nothing to stress here.

constexpr int stride = 1;
constexpr int instances_of_launch = 256;
constexpr int barriers_of_block = 16 * barrier_words;

// One block for each instance, one thread for each thread of the test.
static __global__ void litmus(long long *memory, long long *results, int *cuts, int *arrived, unsigned seed) {
  const long long instance = blockIdx.x;
  long long *location[locations + 1];
  for (int id = 0; id < locations; ++id) location[id] = &memory[instance * locations + id];
  unsigned noise = (seed + (unsigned)instance * threads + threadIdx.x) * 2654435761u;
  int cut = 0;
  run(threadIdx.x, location, &results[instance * values], &arrived[instance * blocks * barriers_of_block], noise, cut);
  if (cut) cuts[instance] = 1;
}

int main(int argc, char **argv) {
  if (argc != 5) failed("arguments", "RESULTS SEED INCANTATIONS FILE");
  const unsigned long long wanted = strtoull(argv[1], nullptr, 10);
  Random random{strtoull(argv[2], nullptr, 10)};
  std::vector<long long> memory(instances_of_launch * locations), fresh(memory.size());
  std::vector<int> cuts(instances_of_launch);
  for (size_t at = 0; at < fresh.size(); ++at) fresh[at] = initial(at % locations);
  std::vector<long long> results(instances_of_launch * values);
  const size_t barriers = instances_of_launch * blocks * barriers_of_block * sizeof(int);
  int *device_cuts, *device_barriers;
  long long *device_memory, *device_results;
  CUDA(cudaMalloc(&device_memory, memory.size() * sizeof(long long)));
  CUDA(cudaMalloc(&device_cuts, cuts.size() * sizeof(int)));
  CUDA(cudaMalloc(&device_results, results.size() * sizeof(long long)));
  CUDA(cudaMalloc(&device_barriers, barriers));
  Histogram histogram;
  while (histogram.seen < wanted) {
    CUDA(cudaMemcpy(device_memory, fresh.data(), fresh.size() * sizeof(long long), cudaMemcpyHostToDevice));
    CUDA(cudaMemset(device_cuts, 0, cuts.size() * sizeof(int)));
    CUDA(cudaMemset(device_results, 0, results.size() * sizeof(long long)));
    CUDA(cudaMemset(device_barriers, 0, barriers));
    litmus<<<instances_of_launch, threads>>>(device_memory, device_results, device_cuts, device_barriers,
                                             (unsigned)random.next());
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(results.data(), device_results, results.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(memory.data(), device_memory, memory.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(cuts.data(), device_cuts, cuts.size() * sizeof(int), cudaMemcpyDeviceToHost));
    const unsigned long long left = wanted - histogram.seen;
    const long long counted = left < instances_of_launch ? (long long)left : instances_of_launch;
    histogram.add(counted, results, memory, device_memory, stride, cuts);
  }
  histogram.write(argv[4]);
  return 0;
}
