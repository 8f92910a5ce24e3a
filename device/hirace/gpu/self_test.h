// The code of `hirace doctor --self-test`: shadow words stepped through given accesses.
//
// A trace is one word and a sequence of accesses to it. Both sides of the test use this: the
// kernels of crates/doctor/src/self_test/gpu.cu step words in device memory, with compare-and-swap;
// crates/doctor/src/self_test/cpu.cpp steps variables. The `hirace` command generates the traces
// and derives the expected results from the specification.
#pragma once

#include "../generated/wire.h"
#include "next_word.h"

namespace hirace::gpu {

// Steps a word `count` times. `step_word` does one step: it gets the step, modifies the layout and
// the word, and returns whether it races.
template <class Layout, class StepWord>
HIRACE_DEVICE_HOOK SelfTestAnswer run_step(std::uint64_t& memory, const SelfTestStep& step, StepWord step_word) {
  // Both processors are little-endian, so a smaller word is in the low bits.
  auto& word = reinterpret_cast<typename Layout::Word&>(memory);
  const auto kind = static_cast<AccessKind>(step.kind);
  const auto me = static_cast<typename Layout::Word>(step.me);
  const bool said_all = says_it_all<Layout>(word, me, fsm_unchanged(folded(kind)));
  const bool race = step_word(Layout{}, word, me, kind);
  return {word, race, said_all};
}

template <class StepWord>
HIRACE_DEVICE_HOOK void run_trace(std::uint64_t& word, const SelfTestStep* steps, SelfTestAnswer* answers, std::uint32_t count,
                                  StepWord step_word) {
  for (std::uint32_t i = 0; i < count; ++i) {
    answers[i] = steps[i].shared != 0 ? run_step<SharedLayout>(word, steps[i], step_word)
                                      : run_step<GlobalLayout>(word, steps[i], step_word);
  }
}

// The table entry for a transition, whose four parts form its index.
HIRACE_DEVICE_HOOK unsigned transition_at(unsigned index) {
  const unsigned relation = index % relation_count, sync = index / relation_count % sync_count;
  const unsigned access = index / (relation_count * sync_count) % access_count, state = index / input_count;
  return fsm_next(fsm_index(static_cast<State>(state), static_cast<Access>(access), static_cast<Sync>(sync),
                            static_cast<Relation>(relation)));
}

}  // namespace hirace::gpu
