// What the traced variant of a random program notes, in the order in which it happens.
#include <cstdint>
#include <cstdio>
#include <type_traits>

struct Event {
  std::uint64_t address;
  std::uint32_t line;
  std::uint16_t block, thread;
  std::uint8_t size, kind, in_shared_memory, unused[5];
};
static_assert(sizeof(Event) == 24, "tests/skips/oracle.rs reads this layout");

constexpr unsigned most_events = 1 << 23;
__device__ Event* trace_events;
__device__ unsigned trace_count;

__device__ inline void trace(char kind, const volatile void* at, std::size_t size, unsigned line) {
  const unsigned index = atomicAdd(&trace_count, 1u);
  if (index >= most_events) return;
  Event& event = trace_events[index];
  event = Event{};
  event.address = reinterpret_cast<std::uint64_t>(at);
  event.line = line;
  event.block = blockIdx.x;
  event.thread = threadIdx.x;
  event.size = size;
  event.kind = kind;
  event.in_shared_memory = at != nullptr && __isShared(const_cast<const void*>(at)) ? 1 : 0;
}

// The value is read at the same time, so nothing comes between it and the event.
template <class T> __device__ std::remove_cv_t<T> trace_read(T& place, unsigned line) {
  trace(std::is_volatile<T>::value ? 'v' : 'r', &place, sizeof place, line);
  return place;
}

template <class T> __device__ T& trace_change(char kind, T& place, unsigned line) {
  trace(kind, &place, sizeof place, line);
  return place;
}

__device__ inline void trace_barrier(char kind) { trace(kind, nullptr, 0, 0); }

__device__ inline int trace_vote(int result) {
  trace_barrier('b');
  return result;
}

// The launches that follow are of kernel k{NUMBER}.
__global__ void trace_launch(unsigned number) { trace('l', nullptr, 0, number); }

#define TRACE_READ(line, ...) trace_read(__VA_ARGS__, line)
#define TRACE_WRITE(line, ...) trace_change('w', __VA_ARGS__, line)
#define TRACE_UPDATE(line, ...) trace_change('u', __VA_ARGS__, line)
#define TRACE_ATOMIC(line, ...) trace_change('a', __VA_ARGS__, line)
#define TRACE_BARRIER(line, ...) ((void)(__VA_ARGS__), trace_barrier('b'))
#define TRACE_WARP_BARRIER(line, ...) ((void)(__VA_ARGS__), trace_barrier('y'))
#define TRACE_VOTE(line, ...) trace_vote(__VA_ARGS__)

inline void trace_begin() {
  Event* events;
  cudaMalloc(&events, most_events * sizeof(Event));
  cudaMemcpyToSymbol(trace_events, &events, sizeof events);
}

inline void trace_end(const char* path) {
  unsigned count = 0;
  Event* events;
  cudaMemcpyFromSymbol(&count, trace_count, sizeof count);
  cudaMemcpyFromSymbol(&events, trace_events, sizeof events);
  FILE* file = count <= most_events ? fopen(path, "wb") : nullptr;
  if (file == nullptr) return;
  Event* copy = new Event[count];
  cudaMemcpy(copy, events, count * sizeof(Event), cudaMemcpyDeviceToHost);
  fwrite(copy, sizeof(Event), count, file);
  delete[] copy;
  fclose(file);
}
