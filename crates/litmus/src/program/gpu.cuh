// Runs a litmus test on a GPU. Arguments: results wanted, seed, incantations, file for the states.
//
// A launch runs many instances of the test, each with memory of its own. A team of `blocks` blocks
// runs `instances_per_block` of them, one warp of a block for each warp of the test. The
// incantations are those of Alglave et al., "GPU Concurrency", ASPLOS 2015.

enum Incantation {
  memory_stress = 1,    // warps and blocks without a thread of the test access other memory
  bank_conflicts = 2,   // warps without a thread of the test access one bank of shared memory
  synchronization = 4,  // the threads of an instance wait for each other before they start
  randomization = 8,    // which blocks and warps run which threads changes from launch to launch
};

constexpr int warp_size = 32;
constexpr int test_warps = warps * instances_per_block;
constexpr int stress_warps = 2;
constexpr int stride = 32;  // slots between locations: a cache line of its own for each
constexpr int scratch_words = 1 << 16;
constexpr int stress_rounds = 512;
constexpr int most_waits = 4096;

struct Launch {
  long long *memory;    // [instance][location][stride]
  long long *results;   // [instance][value]
  int *cuts;            // [instance]
  unsigned *gates;      // [instance]
  const int *block_order;
  const int *warp_order;
  int *scratch;
  int teams;
  int incantations;
  long long zero;
};

// All threads of the block meet. Tests use other barriers.
static __device__ void meet() { asm volatile("barrier.cta.sync %0;" ::"n"(free_barrier) : "memory"); }

static __device__ void stress(const Launch &launch, int *banks) {
  const int lane = threadIdx.x % warp_size;
  if (launch.incantations & memory_stress) {
    int at = (blockIdx.x * blockDim.x + threadIdx.x) * 17;
    for (int round = 0; round < stress_rounds; ++round, at += 4099) {
      volatile int *const word = &launch.scratch[at & (scratch_words - 1)];
      *word = *word + round;
    }
  }
  if (launch.incantations & bank_conflicts) {
    for (int round = 0; round < stress_rounds; ++round) {
      volatile int *const word = &banks[lane * warp_size];
      *word = *word + round;
    }
  }
}

static __global__ void litmus(Launch launch) {
  __shared__ long long shared_locations[instances_per_block * locations];
  __shared__ int banks[warp_size * warp_size];
  for (int at = threadIdx.x; at < instances_per_block * locations; at += blockDim.x) {
    shared_locations[at] = initial(at % locations);
  }
  meet();

  const int block = launch.block_order[blockIdx.x];
  const int warp = launch.warp_order[threadIdx.x / warp_size];
  const int lane = threadIdx.x % warp_size;
  const int team = block / blocks;
  const int slot = warp / warps;
  const long long instance = (long long)team * instances_per_block + slot;
  if (team < launch.teams && warp < test_warps) {
    const int role = role_of(block % blocks, warp % warps, lane);
    if (role >= 0) {
      long long *location[locations + 1];
      for (int id = 0; id < locations; ++id) {
        location[id] = is_shared(id) ? &shared_locations[slot * locations + id]
                                     : &launch.memory[(instance * locations + id) * stride];
      }
      if (launch.incantations & synchronization) {
        atomicAdd(&launch.gates[instance], 1);
        volatile unsigned *const gate = &launch.gates[instance];
        for (int waits = 0; *gate < threads && waits < most_waits; ++waits) {
        }
      }
      int cut = 0;
      run(role, location, launch.zero, &launch.results[instance * values], cut);
      if (cut) launch.cuts[instance] = 1;
    }
  } else {
    stress(launch, banks);
  }

  meet();
  if (team < launch.teams) {
    for (int at = threadIdx.x; at < instances_per_block * locations; at += blockDim.x) {
      const long long owner = (long long)team * instances_per_block + at / locations;
      if (is_shared(at % locations)) {
        launch.memory[(owner * locations + at % locations) * stride] = shared_locations[at];
      }
    }
  }
}

template <typename T>
static T *on_device(const std::vector<T> &host) {
  T *device = nullptr;
  CUDA(cudaMalloc(&device, host.size() * sizeof(T)));
  CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <typename T>
static void copy_to(T *device, const std::vector<T> &host) {
  CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
}

template <typename T>
static void copy_from(std::vector<T> &host, const T *device) {
  CUDA(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
}

static std::vector<int> counted(int length) {
  std::vector<int> numbers(length);
  for (int at = 0; at < length; ++at) numbers[at] = at;
  return numbers;
}

int main(int argc, char **argv) {
  if (argc != 5) failed("arguments", "RESULTS SEED INCANTATIONS FILE");
  const unsigned long long wanted = strtoull(argv[1], nullptr, 10);
  Random random{strtoull(argv[2], nullptr, 10)};
  const int incantations = atoi(argv[3]);

  int device = 0, processors = 0, resident = 0;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const bool stressed = (incantations & (memory_stress | bank_conflicts)) != 0;
  const int width = (test_warps + (stressed ? stress_warps : 0)) * warp_size;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, litmus, width, 0));
  // Blocks of a team run at the same time only if all blocks of the grid do.
  const int grid = processors * (resident < 4 ? resident : 4);
  const int stress_blocks = (incantations & memory_stress) ? grid / 2 : 0;
  const int teams = (grid - stress_blocks) / blocks;
  if (teams == 0) failed("the device", "it has fewer resident blocks than the test needs");
  const long long instances = (long long)teams * instances_per_block;

  std::vector<long long> memory(instances * locations * stride), fresh(memory.size());
  std::vector<int> cuts(instances);
  for (long long instance = 0; instance < instances; ++instance) {
    for (int id = 0; id < locations; ++id) fresh[(instance * locations + id) * stride] = initial(id);
  }
  std::vector<long long> results(instances * values);
  std::vector<unsigned> gates(instances);
  std::vector<int> block_order = counted(grid), warp_order = counted(width / warp_size);
  Launch launch{};
  launch.memory = on_device(fresh);
  launch.results = on_device(results);
  launch.cuts = on_device(cuts);
  launch.gates = on_device(gates);
  int *const blocks_on_device = on_device(block_order);
  int *const warps_on_device = on_device(warp_order);
  launch.block_order = blocks_on_device;
  launch.warp_order = warps_on_device;
  launch.scratch = on_device(std::vector<int>(scratch_words));
  launch.teams = teams;
  launch.incantations = incantations;

  Histogram histogram;
  while (histogram.seen < wanted) {
    if (incantations & randomization) {
      random.shuffle(block_order);
      random.shuffle(warp_order);
      copy_to(blocks_on_device, block_order);
      copy_to(warps_on_device, warp_order);
    }
    copy_to(launch.memory, fresh);
    CUDA(cudaMemset(launch.results, 0, results.size() * sizeof(long long)));
    CUDA(cudaMemset(launch.cuts, 0, cuts.size() * sizeof(int)));
    CUDA(cudaMemset(launch.gates, 0, gates.size() * sizeof(unsigned)));
    litmus<<<grid, width>>>(launch);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    copy_from(results, launch.results);
    copy_from(memory, launch.memory);
    copy_from(cuts, launch.cuts);
    const unsigned long long left = wanted - histogram.seen;
    histogram.add(left < (unsigned long long)instances ? (long long)left : instances, results, memory,
                  launch.memory, stride, cuts);
  }
  histogram.write(argv[4]);
  return 0;
}
