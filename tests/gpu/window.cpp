// Shadow in the window, and behind the page table if there is no window.
//
//! run window -> 0
//! run table -> 0
//! run small_window -> 0
//! run foreign -> 0
//! run HIRACE_SHADOW=full refill -> 0
#include "check.h"

namespace {

constexpr std::size_t page = gpu::page_bytes;
int symbol[8];
const gpu::DeviceSymbol symbol_monitor{[](auto monitor) { monitor(symbol); }};

// Two blocks write the same element, and each its own.
void race_on(int* shared, int* own) {
  const std::uint64_t before = races();
  launch("racy", 2, 1, [&] {
    write(1, *shared) = 1;
    write(2, own[blockIdx.x]) = 1;
  });
  EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
  launch("next", 1, 1, [] {});
  EXPECT(races() == before + 1);
}

void check_memory() {
  const std::size_t sizes[] = {4, 100, page, 3 * page + 4, 70 * page, 8};
  for (const std::size_t bytes : sizes) {
    char* memory = nullptr;
    EXPECT(gpu::cudaMalloc(&memory, bytes) == cudaSuccess);
    const auto outside = header().outside;
    launch("ends", 1, 1, [&] {
      write(1, *reinterpret_cast<int*>(memory)) = 1;
      write(2, *reinterpret_cast<int*>(memory + bytes - 4)) = 1;
    });
    launch("next", 1, 1, [] {});
    EXPECT(header().outside == outside);
    if (bytes >= 100) race_on(reinterpret_cast<int*>(memory), reinterpret_cast<int*>(memory) + 4);
    EXPECT(gpu::cudaFree(memory) == cudaSuccess);
  }
  race_on(symbol, symbol + 4);
}

}  // namespace

int main(int, char** arguments) {
  made_up::Machine& machine = made_up::machine();
  const std::string what = arguments[1];
  if (what == "table") machine.has_virtual_memory = false;
  if (what == "small_window") machine.max_reserved = std::size_t{1} << 38;
  int* memory = nullptr;
  EXPECT(gpu::cudaMalloc(&memory, 4 * page) == cudaSuccess);
  EXPECT(machine.reservations == (what == "table" ? 0 : 1));
  EXPECT(header().limits == 0);

  if (what == "foreign") {
    // A library allocates between our allocations and beyond them.
    int *foreign = nullptr, *ours = nullptr, *beyond = nullptr;
    EXPECT(cudaMalloc(reinterpret_cast<void**>(&foreign), 40 * page) == cudaSuccess);
    EXPECT(gpu::cudaMalloc(&ours, page) == cudaSuccess);
    EXPECT(cudaMalloc(reinterpret_cast<void**>(&beyond), page) == cudaSuccess);
    launch("foreign", 2, 1, [&] {
      write(1, *foreign) = 1;
      write(1, foreign[39 * page / 4]) = 1;
      write(1, *beyond) = 1;
    });
    launch("next", 1, 1, [] {});
    EXPECT(header().outside == 6 && races() == 0);
    race_on(ours, ours + 4);
  } else if (what == "refill") {
    // Allocations below the window, and shadow that is released and mapped again.
    int* high = memory + 200 * page / 4;
    machine.skip(300 * page);
    int* more = nullptr;
    EXPECT(gpu::cudaMalloc(&more, page) == cudaSuccess);
    gpu::Monitor::instance().map(high, 8 * page);
    const std::size_t before = machine.free_bytes;
    gpu::Monitor::instance().unmap(high);
    EXPECT(gpu::Monitor::instance().reclaim());
    EXPECT(machine.free_bytes > before);
    EXPECT(!gpu::Monitor::instance().reclaim());
    gpu::Monitor::instance().map(high - 4 * page / 4, 16 * page);
    EXPECT(header().limits == 0);
    EXPECT(gpu::cudaDeviceReset() == cudaSuccess);
    EXPECT(machine.reservations == 0 && machine.mappings() == 0);
    EXPECT(gpu::cudaMalloc(&memory, 4 * page) == cudaSuccess);
  }
  check_memory();
  return 0;
}
