// The self-test as a CPU program: reads one file and writes another, both rows of numbers in
// the machine's byte order.

#include <hirace/cuda/qualifiers.h>
#include <hirace/gpu/self_test.h>

#include <cstdio>
#include <vector>

namespace {

template <class T>
std::vector<T> read(std::size_t count) {
  std::vector<T> values(count);
  if (std::fread(values.data(), sizeof(T), count, stdin) != count) values.clear();
  return values;
}

template <class T>
bool write(const std::vector<T>& values) {
  return std::fwrite(values.data(), sizeof(T), values.size(), stdout) == values.size();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace hirace;
  if (argc != 3 || !std::freopen(argv[1], "rb", stdin) || !std::freopen(argv[2], "wb", stdout)) return 1;
  std::vector<std::uint32_t> next(transition_count);
  for (std::uint32_t index = 0; index < transition_count; ++index) next[index] = gpu::transition_at(index);

  const auto counts = read<std::uint32_t>(2);
  if (counts.empty()) return 1;
  const std::size_t traces = counts[0], steps_each = counts[1];
  auto words = read<std::uint64_t>(traces);
  const auto steps = read<SelfTestStep>(traces * steps_each);
  if (words.size() != traces || steps.size() != traces * steps_each) return 1;
  std::vector<SelfTestAnswer> answers(steps.size());
  const auto step_word = [](auto layout, auto& word, auto me, AccessKind kind) {
    const auto next = gpu::next_word<decltype(layout)>(word, me, kind);
    word = next.word;
    return next.race;
  };
  for (std::size_t trace = 0; trace < traces; ++trace) {
    const std::size_t first = trace * steps_each;
    gpu::run_trace(words[trace], &steps[first], &answers[first], counts[1], step_word);
  }
  return write(next) && write(answers) && std::fflush(stdout) == 0 ? 0 : 1;
}
