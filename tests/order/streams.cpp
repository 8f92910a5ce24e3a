// Runs random host programs on the executor: kernels, copies and fills in streams, events, and what the host
// accesses and waits for. It reads them from standard input, one on a line, and prints 1 for each in which work
// races, otherwise 0. See `streams.rs` for the form.

#include "records.h"

#include <iostream>

// What a compiler calls where host code accesses memory.
#if HIRACE_LIBRARY
extern "C" {
void __tsan_init();
void __tsan_read4(void*);
void __tsan_write4(void*);
}
#else
#include <hirace/executor/host/host_reports.h>
#endif

using namespace hirace;

namespace {

constexpr unsigned stream_count = 5, event_count = 3, variables = 3;

void check_call(cudaError_t error) {
  if (error != cudaSuccess) std::exit(1);
}

class Host {
 public:
  Host() {
    // The first one is the default stream.
    for (unsigned stream = 1; stream < stream_count; ++stream) {
      check_call(cudaStreamCreateWithFlags(&streams_[stream], stream < 3 ? cudaStreamDefault : cudaStreamNonBlocking));
    }
    for (cudaEvent_t& event : events_) check_call(cudaEventCreate(&event));
    check_call(cudaMallocManaged(reinterpret_cast<void**>(&memory_), bytes));
    __tsan_init();
  }

  // Runs one program.
  void run() {
    place_ = (place_ + variables) % (bytes / sizeof(int) - variables);
    char what;
    for (SiteId site = 1; std::cin >> what && what != '.'; ++site) follow(what, site);
    // What follows comes after all of it.
    check_call(cudaDeviceSynchronize());
  }

 private:
  // So much that programs do not share variables.
  static constexpr std::size_t bytes = std::size_t{1} << 24;

  static unsigned number() {
    unsigned number;
    std::cin >> number;
    return number;
  }
  cudaStream_t stream() { return streams_[number()]; }
  cudaEvent_t event() { return events_[number()]; }
  int* variable() { return memory_ + place_ + number(); }

  void follow(char what, SiteId site) {
    switch (what) {
      case 'k': {
        const cudaStream_t in = stream();
        int* const at = variable();
        return launch(in, at, number(), site);
      }
      case 'c': {
        const cudaStream_t in = stream();
        int* const to = variable();
        return check_call(cudaMemcpyAsync(to, variable(), sizeof(int), cudaMemcpyDefault, in));
      }
      case 'm': {
        const cudaStream_t in = stream();
        return check_call(cudaMemsetAsync(variable(), 0, sizeof(int), in));
      }
      case 'r': {
        const cudaStream_t in = stream();
        return check_call(cudaEventRecord(event(), in));
      }
      case 'x': {
        const cudaStream_t in = stream();
        return check_call(cudaStreamWaitEvent(in, event(), 0));
      }
      case 's': return check_call(cudaStreamSynchronize(stream()));
      case 'e': return check_call(cudaEventSynchronize(event()));
      case 'd': return check_call(cudaDeviceSynchronize());
      case 'h': {
        int* const at = variable();
        return number() != 0 ? __tsan_write4(at) : __tsan_read4(at);
      }
      default: std::exit(1);
    }
  }

  // Reads, writes or updates atomically: 0, 1 or 2.
  static void launch(cudaStream_t in, int* at, unsigned how, SiteId site) {
    const auto body = [at, how, site] {
      if (how == 2) {
        hirace::atomicAdd(site, at, 1);
      } else {
        cpu::check(how == 1 ? AccessKind::write : AccessKind::read, at, sizeof *at, site, alignof(int), false);
      }
    };
    cpu::launch({"work", site, true, 3, 0u, ~0u}, dim3(1), dim3(1), 0, in, body);
    check_call(cudaGetLastError());
  }

  cudaStream_t streams_[stream_count] = {};
  cudaEvent_t events_[event_count] = {};
  int* memory_ = nullptr;
  std::size_t place_ = 0;
};

}  // namespace

int main(int, char** arguments) {
  Records records(arguments);
  std::ios::sync_with_stdio(false);
  Host host;
  while (std::cin >> std::ws && std::cin.good()) {
    host.run();
    bool races = false;
    records.take([&](const Record&) { races = true; });
    std::cout.put(races ? '1' : records.take_limits() ? '2' : '0');
  }
  std::cout.put('\n');
  return 0;
}
