// Findings reach the host when the program waits, and survive the loss of the device and the end
// of the process.
//
//! run waits -> 0: 3 times
//! run late -> 7
//! run aborts -> SIGABRT: data race in global memory
//! run lost -> 3: data race in global memory
//! run lost -> 3: trap in kernel traps
//! run lost_unseen -> 0: trap in kernel traps
//! run full -> 0: were dropped: the record table is full
#include <csignal>

#include "check.h"

namespace {

int* memory = nullptr;

void race(hirace::SiteId site = 1) {
  launch("racy", 2, 1, [&] { write(site, *memory) = 1; });
}

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  EXPECT(gpu::cudaMalloc(&memory, 64) == cudaSuccess);
  race();
  EXPECT(races() == 0);
  if (what == "waits") {
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(races() == 1 && header().records == 1 && header().accesses == 2);
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(header().accesses == 2);
    // For example, a kernel captured into a graph.
    run_grid(2, 1, [] {});
    race();
    EXPECT(header().launches == 3 && header().unmonitored_launches == 1 && header().accesses == 2);
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(races() == 2 && header().accesses == 4);
    race();
    return 0;
  }
  if (what == "late") {
    // Other ways to wait fetch the races, but not how often they occurred.
    int value = 0;
    race();
    EXPECT(races() == 1);
    race(2);
    EXPECT(gpu::cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(races() == 2 + 1 && value == 1);
    race(3);
    EXPECT(gpu::cudaStreamSynchronize(nullptr) == cudaSuccess && races() == 4);
    race(4);
    EXPECT(gpu::cudaEventSynchronize(nullptr) == cudaSuccess && races() == 5);
    std::_Exit(7);
  }
  if (what == "full") {
    for (hirace::SiteId site = 1; site <= gpu::recorder().capacity() + 1; ++site) race(site);
    return 0;
  }
  race(2);
  launch("traps", 2, 1, [&] { write(3, *memory) = 1; });
  made_up::machine().lose(cudaErrorLaunchFailure);
  if (what == "lost") {
    EXPECT(gpu::cudaMemcpy(&memory, memory, 4, cudaMemcpyDeviceToHost) == cudaErrorLaunchFailure);
    EXPECT(races() == 3 && header().accesses == 2 + 2 + 1);
    std::_Exit(3);
  }
  if (what == "aborts") {
    EXPECT(gpu::cudaDeviceSynchronize() != cudaSuccess);
    std::abort();
  }
  return 0;
}
