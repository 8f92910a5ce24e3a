//! run 500 address -> 0
//! run 4000 address -> 0
//! run 12000 address -> 0
//! run 4000 data -> 0
//! run 300 address -> 2: failed to reserve
//! run groups -> 0
// Limits of the process and of its control groups: device memory is what fits, with its shadow.
#include "check.h"

#include <hirace/executor/memory/process_limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

constexpr std::size_t mebi = std::size_t{1} << 20;

__global__ void fill(unsigned char* bytes, std::size_t count, std::size_t stride) {
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * stride;
  if (first < count) hirace::write(1, bytes[first]) = 1;
}

// What the program is told is what it gets, and no more.
void use_all_memory() {
  std::size_t available = 0, total = 0;
  CHECK(cudaMemGetInfo(&available, &total) == cudaSuccess && available == total && total >= 16 * mebi);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.totalGlobalMem == total);
  void *all = nullptr, *more = nullptr;
  CHECK(cudaMalloc(&all, available) == cudaSuccess);
  CHECK(cudaMalloc(&more, 1) == cudaErrorMemoryAllocation && cudaGetLastError() == cudaErrorMemoryAllocation);
  constexpr std::size_t stride = 65536 - 1;
  const unsigned blocks = static_cast<unsigned>(available / stride / 256 + 1);
  launch("fill", blocks, 256, 0, [=] { fill(static_cast<unsigned char*>(all), available, stride); });
  CHECK(cudaFree(all) == cudaSuccess);
  // In pieces, and from several streams, whose order needs shadow of its own.
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  std::size_t allocated = 0;
  while (cudaMalloc(&more, mebi) == cudaSuccess) {
    allocated += mebi;
    const hirace::LaunchInfo info{"fill", 0, true, 3, 0u, 0xffffffffu};
    hirace::cpu::launch(info, 1, 256, 0, streams[allocated / mebi % 2], [=] { fill(static_cast<unsigned char*>(more), mebi, 64); });
  }
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && allocated >= total / 2);
}

// Starts the program again, with a limit.
int limit(const char* program, const char* mebibytes, const char* kind) {
  const auto resource = std::strcmp(kind, "data") == 0 ? RLIMIT_DATA : RLIMIT_AS;
  const rlim_t bytes = std::strtoul(mebibytes, nullptr, 10) * mebi;
  const rlimit limits{bytes, bytes};
  CHECK(setrlimit(resource, &limits) == 0);
  execl(program, program, "limited", static_cast<char*>(nullptr));
  return 3;
}

class Tree {
 public:
  Tree() { CHECK(mkdtemp(root_) != nullptr); }
  const char* root() const { return root_; }

  void write(const std::string& path, const std::string& text) {
    for (std::size_t at = 0; (at = path.find('/', at + 1)) != std::string::npos;) mkdir((root_ + path.substr(0, at)).c_str(), 0755);
    files_.push_back(root_ + path);
    std::ofstream(files_.back()) << text;
  }
  std::size_t group_bytes() const { return hirace::cpu::ProcessLimits(root_).group_bytes(); }

 private:
  char root_[32] = "/tmp/hirace_groups_XXXXXX";
  std::vector<std::string> files_;
};

void read_groups() {
  using hirace::cpu::no_limit;
  CHECK(Tree().group_bytes() == no_limit);
  {
    // The group itself has no limit, the one around it has, and its file cache does not count.
    Tree tree;
    tree.write("/proc/self/cgroup", "0::/outer/inner\n");
    tree.write("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
    tree.write("/sys/fs/cgroup/outer/inner/memory.current", "500\n");
    CHECK(tree.group_bytes() == no_limit);
    tree.write("/sys/fs/cgroup/outer/memory.max", "10000\n");
    tree.write("/sys/fs/cgroup/outer/memory.current", "4000\n");
    CHECK(tree.group_bytes() == 6000);
    tree.write("/sys/fs/cgroup/outer/memory.stat", "anon 1000\ninactive_file 3000\nactive_file 9\n");
    CHECK(tree.group_bytes() == 9000);
  }
  {
    // Version 1, in a container, which does not see the path.
    Tree tree;
    tree.write("/proc/self/cgroup", "9:cpuset:/\n4:cpu,memory:/docker/1234\n0::/\n");
    tree.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n");
    tree.write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "9000\n");
    CHECK(tree.group_bytes() == 0);
    tree.write("/sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 2000\n");
    CHECK(tree.group_bytes() == 1000);
  }
}

int main(int count, char** arguments) {
  if (count == 3) return limit(arguments[0], arguments[1], arguments[2]);
  const bool limited = std::strcmp(arguments[1], "limited") == 0;
  limited ? use_all_memory() : read_groups();
}
