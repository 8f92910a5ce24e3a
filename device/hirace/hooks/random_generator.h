// The hooks of cuRAND's device functions, around the arguments through which they access memory:
//
//   curand_uniform(&s[i])  →  curand_uniform(hirace::generator_state(SITE, &s[i]))
//   curand_init(v, 0, p)   →  curand_init(hirace::direction_vectors(SITE, v), 0, hirace::new_generator_state(SITE, p))
//
// A function that makes a number reads and writes the generator's state. Which words of it depends on the
// generator; the hook checks all of it, because threads that share any of it share the generator.
#pragma once

#include "access.h"
#include "bytes.h"

namespace hirace {

template <class State>
HIRACE_HOOK State* generator_state(SiteId site, State* state) {
  const backend::LaterStore later;
  detail::check_use<detail::Use::update>(site, *state);
  return state;
}

template <class State>
HIRACE_HOOK State* new_generator_state(SiteId site, State* state) {
  const backend::LaterStore later;
  detail::check_use<detail::Use::store>(site, *state);
  return state;
}

// The first argument of curand_init(): a seed, or for Sobol's sequences one vector for each bit of a number.
template <class First>
HIRACE_HOOK constexpr First&& direction_vectors(SiteId site, First&& first) {
  using Word = std::remove_cv_t<std::remove_pointer_t<std::decay_t<First>>>;
  if constexpr (std::is_pointer_v<std::decay_t<First>> && std::is_integral_v<Word>) {
    check_bytes(AccessKind::read, &first[0], sizeof(Word) * 8 * sizeof(Word), site);
  }
  return static_cast<First&&>(first);
}

// An argument that is no pointer to a state belongs to a function of the program's.
template <class Other>
HIRACE_HOOK constexpr Other&& generator_state(SiteId, Other&& other) {
  return static_cast<Other&&>(other);
}
template <class Other>
HIRACE_HOOK constexpr Other&& new_generator_state(SiteId, Other&& other) {
  return static_cast<Other&&>(other);
}

}  // namespace hirace
