// The section that holds __device__ and __managed__ variables, so that an address
// tells whether it belongs to one.
#pragma once

// `used` keeps a variable that only the host's symbol functions name.
#define HIRACE_DEVICE_VARIABLE __attribute__((section("hirace_device"), used))

// The linker defines these where the section exists.
extern "C" __attribute__((weak)) char __start_hirace_device[];
extern "C" __attribute__((weak)) char __stop_hirace_device[];

// Where the program, or the library that this is compiled into, begins and ends.
extern "C" __attribute__((visibility("hidden"))) char __executable_start[];
extern "C" __attribute__((visibility("hidden"))) char _end[];

namespace hirace::cpu {

inline char* device_section_begin() { return __start_hirace_device; }
inline char* device_section_end() { return __stop_hirace_device; }

}  // namespace hirace::cpu
