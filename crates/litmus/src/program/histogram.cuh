// Counts final states, and writes them for `hirace litmus run`: a line "cut N" with the number of
// results that do not count because a loop was left, then a line for each state, "N VALUE VALUE ...".

static void failed(const char *what, const char *why) {
  fprintf(stderr, "litmus: %s: %s\n", what, why);
  exit(3);
}

#define CUDA(call)                                                      \
  do {                                                                  \
    const cudaError_t error = (call);                                   \
    if (error != cudaSuccess) failed(#call, cudaGetErrorString(error)); \
  } while (0)

struct Histogram {
  std::map<std::vector<long long>, unsigned long long> states;
  unsigned long long cut = 0, seen = 0;

  // `results` has the registers of each instance, `memory` its locations, as they are on the device from `base` on,
  // `cuts` whether a thread of it gave up.
  void add(long long instances, const std::vector<long long> &results, const std::vector<long long> &memory,
           const long long *base, int stride, const std::vector<int> &cuts) {
    std::vector<long long> state(values);
    for (long long instance = 0; instance < instances; ++instance, ++seen) {
      if (cuts[instance]) {
        ++cut;
        continue;
      }
      for (int value = 0; value < values; ++value) {
        const int location = location_of_value[value];
        state[value] = location < 0 ? results[instance * values + value]
                                    : value_of(location, memory[(instance * locations + location) * stride]);
        state[value] = as_in_model(state[value], base + instance * locations * stride, stride);
      }
      ++states[state];
    }
  }

  // An address of a location of this instance as the model numbers it; other values as they are.
  static long long as_in_model(long long value, const long long *first, int stride) {
    for (int location = 0; location < locations; ++location) {
      if (value == (long long)(first + location * stride)) return first_address + location;
    }
    return value;
  }

  void write(const char *path) const {
    FILE *const file = fopen(path, "w");
    if (file == nullptr) failed("cannot write the states", path);
    fprintf(file, "cut %llu\n", cut);
    for (const auto &state : states) {
      fprintf(file, "%llu", state.second);
      for (const long long value : state.first) fprintf(file, " %lld", value);
      fputc('\n', file);
    }
    if (fclose(file) != 0) failed("cannot write the states", path);
  }
};

// splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
struct Random {
  unsigned long long state;

  unsigned long long next() {
    unsigned long long mixed = state += 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    return mixed ^ (mixed >> 31);
  }

  void shuffle(std::vector<int> &order) {
    for (size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[next() % left]);
  }
};
