//! run many_launches -> 0: limits reached
//! run touched_memory -> 0
//! run many_allocations -> 0
//! run threads -> 0
//! run forks -> 0
//! run mapped_file -> 0
//! run pinned_memory -> 0
//! run handler_before -> 0
//! run handler_after -> 0
//! run handler_jumps -> 0
//! run handler_passes_on -> SIGSEGV
//! run sent_signals -> 0
//! run host_reads -> 0: host access to device memory
//! run host_reads_anywhere -> 0: host access to device memory
//! run host_reads_after_many -> 0: host access to device memory
//! run threads_read -> 0: host access to device memory
//! run alarms_read -> 0: host access to device memory
//! run system_call -> 0: host access to device memory
//! run large_fread -> 0: host access to device memory
//! run handler_and_host_reads -> 0: host access to device memory
// The guard that keeps the host away from device memory (host_guard.h) breaks no correct program, and
// notices accesses of the host.
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20, page = 4096;

int* device_memory(std::size_t bytes) {
  int* memory = nullptr;
  CHECK(cudaMalloc(&memory, bytes) == cudaSuccess);
  return memory;
}

// Only the beginning is touched.
int* zeros_in_device_memory(std::size_t bytes) {
  int* const memory = device_memory(bytes);
  CHECK(cudaMemset(memory, 0, 128) == cudaSuccess);
  return memory;
}

void add_one(int* data) {
  launch("add_one", dim3(1), dim3(32), 0, [data] { hirace::write(0, data[threadIdx.x]) = hirace::read(0, data[threadIdx.x]) + 1; });
}

int first_of(const int* data) {
  int value = 0;
  CHECK(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  return value;
}

// Memory of which little is touched.
void many_launches() {
  int* const first = zeros_in_device_memory(1024 * mebi);
  int* const second = zeros_in_device_memory(1024 * mebi);
  constexpr int launches = 30000;
  for (int i = 0; i < launches; ++i) add_one(i % 2 == 0 ? first : second);
  CHECK(first_of(first) == launches / 2 && first_of(second) == launches / 2);
}

void touched_memory() {
  constexpr std::size_t bytes = 64 * mebi;
  int* const data = device_memory(bytes);
  CHECK(cudaMemset(data, 0, bytes) == cudaSuccess);
  constexpr int launches = 2000;
  for (int i = 0; i < launches; ++i) add_one(data);
  CHECK(first_of(data) == launches);
}

// Allocations come and go in an order of their own, and share pages.
void many_allocations() {
  std::vector<int*> live;
  std::uint32_t random = 1;
  for (int i = 0; i < 6000; ++i) {
    random = random * 1664525 + 1013904223;
    if (live.size() < 200 || random >> 31 != 0) {
      const std::size_t bytes = random % 16 == 0 ? 512 * 1024 : 128 + random % 5000;
      live.push_back(device_memory(bytes));
      CHECK(cudaMemset(live.back(), 0, 128) == cudaSuccess);
    } else {
      std::swap(live[random / 7 % live.size()], live.back());
      CHECK(cudaFree(live.back()) == cudaSuccess);
      live.pop_back();
    }
    if (i % 8 == 0) add_one(live[random / 3 % live.size()]);
  }
  for (int* const data : live) CHECK(cudaFree(data) == cudaSuccess);
}

void in_threads(const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

void threads() {
  int* const common = zeros_in_device_memory(1024 * mebi);
  constexpr int launches = 300;
  in_threads([&](int) {
    for (int i = 0; i < launches; ++i) {
      int* const own = zeros_in_device_memory(i % 3 == 0 ? 200 : 512 * 1024);
      add_one(own);
      add_one(common);
      CHECK(first_of(own) == 1 && cudaFree(own) == cudaSuccess);
    }
  });
  CHECK(first_of(common) == 4 * launches);
}

// Child processes are started while other threads launch, copy, allocate and free.
void forks() {
  int* const data = zeros_in_device_memory(1024 * mebi);
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) {
      int* const own = zeros_in_device_memory(4096);
      add_one(own);
      CHECK(cudaFree(own) == cudaSuccess);
    }
  });
  for (int i = 0; i < 60; ++i) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      // Memory of the child, as far as its own thread is concerned.
      int* const own = device_memory(i % 2 == 0 ? 4096 : mebi);
      const bool good = cudaMemset(own, 0, 128) == cudaSuccess && first_of(own) == 0 && cudaFree(own) == cudaSuccess;
      _exit(good ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    add_one(data);
  }
  done = true;
  other.join();
  CHECK(first_of(data) == 60);
  // Without other threads, a child can launch kernels as well.
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 50; ++i) add_one(data);
    _exit(first_of(data) == 110 ? 0 : 1);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

void mapped_file() {
  char name[] = "/tmp/hirace-host-guard-XXXXXX";
  const int file = mkstemp(name);
  CHECK(file >= 0 && unlink(name) == 0 && ftruncate(file, page) == 0);
  void* const mapped = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(mapped != MAP_FAILED);
  auto* const numbers = static_cast<int*>(mapped);
  int* const data = device_memory(1024 * mebi);
  for (int i = 0; i < 500; ++i) {
    numbers[0] = i;
    CHECK(cudaMemcpy(data, numbers, page, cudaMemcpyHostToDevice) == cudaSuccess);
    add_one(data);
    CHECK(cudaMemcpy(numbers, data, page, cudaMemcpyDeviceToHost) == cudaSuccess && numbers[0] == i + 1);
  }
}

// System calls may be given memory of both sides.
void pinned_memory() {
  int* const data = device_memory(1024 * mebi);
  int* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, mebi) == cudaSuccess);
  const int zeros = open("/dev/zero", O_RDONLY);
  for (int i = 0; i < 500; ++i) {
    pinned[0] = 7;
    CHECK(read(zeros, pinned, mebi) == static_cast<ssize_t>(mebi) && pinned[0] == 0);
    CHECK(cudaMemcpy(data, pinned, page, cudaMemcpyHostToDevice) == cudaSuccess);
    add_one(data);
  }
}

// A handler of the program, which makes a page of its own accessible.
char* lazy_page;
int handled = 0;

void give_page(int, siginfo_t* info, void*) {
  if (info->si_addr != lazy_page || mprotect(lazy_page, page, PROT_READ | PROT_WRITE) != 0) _exit(9);
  ++handled;
}

void install(void (*handler)(int, siginfo_t*, void*), struct sigaction* earlier = nullptr) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  CHECK(sigaction(SIGSEGV, &action, earlier) == 0);
}

void reserve_page() {
  void* const memory = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  lazy_page = static_cast<char*>(memory);
}

void use_page_between_launches() {
  int* const data = zeros_in_device_memory(1024 * mebi);
  constexpr int launches = 200;
  for (int i = 0; i < launches; ++i) {
    add_one(data);
    *static_cast<volatile char*>(lazy_page) = 1;
    CHECK(mprotect(lazy_page, page, PROT_NONE) == 0);
    *static_cast<volatile char*>(lazy_page) = 2;
    CHECK(mprotect(lazy_page, page, PROT_NONE) == 0);
  }
  CHECK(first_of(data) == launches && handled == 2 * launches);
}

void handler_before() {
  reserve_page();
  install(&give_page);
  use_page_between_launches();
}

void handler_after() {
  reserve_page();
  add_one(zeros_in_device_memory(4096));
  install(&give_page);
  use_page_between_launches();
}

sigjmp_buf before_fault;
void jump(int, siginfo_t*, void*) { siglongjmp(before_fault, 1); }

void handler_jumps() {
  reserve_page();
  add_one(zeros_in_device_memory(4096));
  install(&jump);
  int* const data = zeros_in_device_memory(1024 * mebi);
  static volatile int jumps = 0;
  for (static volatile int i = 0; i < 100; i = i + 1) {
    add_one(data);
    if (sigsetjmp(before_fault, 1) == 0) {
      *static_cast<volatile char*>(lazy_page) = 1;
    } else {
      jumps = jumps + 1;
    }
  }
  CHECK(jumps == 100 && first_of(data) == 100);
}

// A crash reporter: it prints, and calls the handler that it has replaced.
struct sigaction replaced;
int passed_on = 0;
void pass_on(int signal, siginfo_t* info, void* context) {
  if (++passed_on > 10) _exit(9);
  if ((replaced.sa_flags & SA_SIGINFO) != 0) replaced.sa_sigaction(signal, info, context);
}

void handler_passes_on() {
  reserve_page();
  int* const data = zeros_in_device_memory(1024 * mebi);
  add_one(data);
  install(&pass_on, &replaced);
  add_one(data);
  *static_cast<volatile char*>(lazy_page) = 1;
}

volatile sig_atomic_t received = 0;
void count(int) { received = received + 1; }

void sent_signals() {
  signal(SIGSEGV, &count);
  add_one(zeros_in_device_memory(1024 * mebi));
  raise(SIGSEGV);
  CHECK(received == 1);
  signal(SIGABRT, &count);
  add_one(zeros_in_device_memory(4096));
  raise(SIGABRT);
  CHECK(received == 2);
}

int read_by_host(const int* data) { return *static_cast<const volatile int*>(data); }

void host_reads() {
  int* const data = zeros_in_device_memory(1024 * mebi);
  add_one(data);
  CHECK(read_by_host(data) == 1);
  add_one(data);
  CHECK(read_by_host(data) == 2);
}

// While the guard has time, it guards all of an allocation.
void host_reads_anywhere() {
  int* const data = zeros_in_device_memory(64 * mebi);
  add_one(data);
  static_cast<void>(read_by_host(data + 8 * mebi));
}

void host_reads_after_many() {
  int* const data = zeros_in_device_memory(1024 * mebi);
  for (int i = 0; i < 1000; ++i) add_one(data);
  CHECK(read_by_host(data) == 1000);
}

// All of them go on.
void threads_read() {
  int* const data = zeros_in_device_memory(1024 * mebi);
  add_one(data);
  std::atomic<int> ready{0};
  in_threads([&](int) {
    ++ready;
    while (ready < 4) {
    }
    CHECK(read_by_host(data) == 1);
  });
}

void system_call() {
  int* const data = zeros_in_device_memory(1024 * mebi);
  add_one(data);
  const int zeros = open("/dev/zero", O_RDONLY);
  CHECK(read(zeros, data, page) == static_cast<ssize_t>(page) && first_of(data) == 0);
}

// Large items are read into the caller's memory at once.
void large_fread() {
  int* const data = zeros_in_device_memory(1024 * mebi);
  add_one(data);
  std::FILE* const zeros = std::fopen("/dev/zero", "rb");
  CHECK(zeros != nullptr && std::fread(data, mebi, 1, zeros) == 1 && first_of(data) == 0);
}

// A wrong program: its handler accesses device memory whatever it has interrupted.
const int* seen_by_alarm;
void look(int) { read_by_host(seen_by_alarm); }

void alarms_read() {
  int* const data = zeros_in_device_memory(1024 * mebi);
  seen_by_alarm = data;
  signal(SIGALRM, &look);
  const itimerval soon{{0, 50}, {0, 50}};
  CHECK(setitimer(ITIMER_REAL, &soon, nullptr) == 0);
  for (int i = 0; i < 1000; ++i) {
    add_one(data);
    CHECK(cudaFree(zeros_in_device_memory(4096)) == cudaSuccess);
  }
  CHECK(first_of(data) == 1000);
}

void handler_and_host_reads() {
  reserve_page();
  install(&give_page);
  use_page_between_launches();
  handled = 0;
  host_reads();
  CHECK(handled == 0);
}

}  // namespace

int main(int, char** arguments) {
  const std::string name = arguments[1];
  const struct {
    const char* name;
    void (*run)();
  } all[] = {{"many_launches", many_launches},
             {"touched_memory", touched_memory},
             {"many_allocations", many_allocations},
             {"threads", threads},
             {"forks", forks},
             {"mapped_file", mapped_file},
             {"pinned_memory", pinned_memory},
             {"handler_before", handler_before},
             {"handler_after", handler_after},
             {"handler_jumps", handler_jumps},
             {"handler_passes_on", handler_passes_on},
             {"sent_signals", sent_signals},
             {"host_reads", host_reads},
             {"host_reads_anywhere", host_reads_anywhere},
             {"host_reads_after_many", host_reads_after_many},
             {"threads_read", threads_read},
             {"alarms_read", alarms_read},
             {"system_call", system_call},
             {"large_fread", large_fread},
             {"handler_and_host_reads", handler_and_host_reads}};
  for (const auto& each : all) {
    if (name == each.name) return each.run(), 0;
  }
  return 3;
}
