// Runs at the start of a kernel: finds memory that it can only read (read_only_memory.h), and by which parameters it
// reaches memory, so that reports can name them (launch_arguments.h).
#pragma once

#include <cstring>

#include "../../hooks/parameters.h"
#include "thread.h"

namespace hirace::cpu {

// A pointer that a kernel gets as a parameter, or as a part of one. Any word of an object may be one.
struct KernelPointer {
  const volatile void* address;
  bool constant;
  std::uint32_t parameter;  // from 0
};

struct KernelPointers {
  const KernelPointer* list;
  std::size_t count;
  // So many parameters have a name in reports. The key of the first one's; those of the following ones come after it.
  std::size_t named;
  std::uint64_t names;
  // Whether the kernel gets no other pointers from memory that these lead to.
  bool complete;
  // Whether some of them show what it can only read.
  bool may_only_read;
};

void enter_kernel_slowly(const KernelPointers& given);

// The pointers that a parameter is or may have.
template <class Parameter>
struct PointersOf {
  using T = hirace::detail::Unrestricted<std::remove_cv_t<Parameter>>;
  static constexpr bool is_one = std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>;
  // Larger objects are searched in part.
  static constexpr std::size_t max_words = 16;
  static constexpr bool is_object = (std::is_class_v<T> || std::is_union_v<T>)&&std::is_trivially_copyable_v<T> && alignof(T) >= alignof(void*);
  static constexpr std::size_t words = is_object ? sizeof(T) / sizeof(void*) : 0;
  static constexpr std::size_t count = is_one ? 1 : words < max_words ? words : max_words;
  static constexpr bool complete = hirace::detail::leads_no_further<T>() || (is_object && words <= max_words);

  static HIRACE_HOOK void list(KernelPointer*& end, std::uint32_t number, const Parameter& parameter) {
    if constexpr (is_one) {
      *end++ = {parameter, hirace::detail::points_to_constant<T>, number};
    } else {
      // Its class may have an operator&.
      const char* const bytes = &reinterpret_cast<const char&>(parameter);
      for (std::size_t i = 0; i < count; ++i) {
        const void* word;
        std::memcpy(&word, bytes + i * sizeof word, sizeof word);
        *end++ = {word, false, number};
      }
    }
  }
};

template <bool MayOnlyRead, class... Parameters>
HIRACE_HOOK void note_parameters(std::size_t named, std::uint64_t names, const Parameters&... parameters) {
  constexpr std::size_t count = (PointersOf<Parameters>::count + ... + 0);
  if constexpr (count != 0) {
    if (__builtin_expect(monitor.at_kernel_entry, 0)) {
      KernelPointer pointers[count];
      KernelPointer* end = pointers;
      std::uint32_t number = 0;
      (PointersOf<Parameters>::list(end, number++, parameters), ...);
      enter_kernel_slowly({pointers, count, named, names, (PointersOf<Parameters>::complete && ...), MayOnlyRead});
    }
  }
}

// The first statement of a kernel, with the kernel's parameters.
template <std::size_t Named = 0, std::uint64_t Names = 0, class... Parameters>
HIRACE_HOOK void enter_kernel(const Parameters&... parameters) {
  note_parameters<hirace::detail::may_only_read<Parameters...>>(Named, Names, parameters...);
}

// The same where the kernel may write through pointers to constants.
template <std::size_t Named, std::uint64_t Names, class... Parameters>
HIRACE_HOOK void name_parameters(const Parameters&... parameters) {
  note_parameters<false>(Named, Names, parameters...);
}

}  // namespace hirace::cpu
