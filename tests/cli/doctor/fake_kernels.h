// The kernels of the self-test (crates/doctor/src/self_test/gpu.cu) as C++, for words of one size.
#pragma once

#include "hirace/cuda/qualifiers.h"
#include "hirace/gpu/self_test.h"

#include <cstdlib>
#include <cstring>

namespace fake {

using Kernel = void (*)(void** arguments);

}  // namespace fake

namespace {

using namespace hirace;

template <class T>
T argument(void** arguments, int number) {
  T value;
  std::memcpy(&value, arguments[number], sizeof value);
  return value;
}

void table(void** arguments) {
  auto* next = argument<std::uint32_t*>(arguments, 0);
  for (unsigned index = 0; index < transition_count; ++index) next[index] = gpu::transition_at(index);
}

void traces(void** arguments) {
  auto* words = argument<std::uint64_t*>(arguments, 0);
  auto* steps = argument<const SelfTestStep*>(arguments, 2);
  auto* answers = argument<SelfTestAnswer*>(arguments, 3);
  const auto count = argument<std::uint32_t>(arguments, 4), each = argument<std::uint32_t>(arguments, 5);
  const auto step_word = [](auto layout, auto& word, auto me, AccessKind kind) {
    const auto next = gpu::next_word<decltype(layout)>(word, me, kind);
    word = next.word;
    return next.race;
  };
  for (std::size_t trace = 0; trace < count; ++trace) {
    gpu::run_trace(words[trace], steps + trace * each, answers + trace * each, each, step_word);
  }
  if (std::getenv("FAKE_WRONG")) answers[17].race ^= 1;
}

fake::Kernel kernel_named(const char* name) {
  return !std::strcmp(name, "hirace_table") ? table : !std::strcmp(name, "hirace_traces") ? traces : nullptr;
}

}  // namespace
