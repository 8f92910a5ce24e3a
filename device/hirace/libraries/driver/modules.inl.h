// The definitions of modules.h that load modules and find what is in them.
#pragma once

#include <memory>
#include <vector>

#include "../../executor/runtime/kernel_registry.inl.h"
#include "loader.h"
#include "modules.h"

// A kernel of a module. A CUkernel is one, too.
struct CUfunc_st {
  CUmodule module;
  std::string name;
  const hirace::cpu::loaded::Kernel* kernel;
  int dynamic_shared = 48 << 10;               // how much a launch may ask for, in bytes
};

// What a CUlibrary stands for, too.
struct CUmod_st {
  hirace::cpu::loaded::Module content;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
};

struct CUlinkState_st {
  std::string text;
};

namespace hirace::cpu::driver {

inline CUmodule module_of(CUlibrary library) { return reinterpret_cast<CUmodule>(library); }
inline CUfunction function_of(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

// The options for just-in-time compilation that have a result.
class JitLog {
 public:
  JitLog(unsigned int count, const CUjit_option* options, void** values) {
    for (unsigned int number = 0; number < count && options != nullptr && values != nullptr; ++number) {
      switch (options[number]) {
        case CU_JIT_INFO_LOG_BUFFER: info_.text = static_cast<char*>(values[number]); break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: info_.bytes = &values[number]; break;
        case CU_JIT_ERROR_LOG_BUFFER: errors_.text = static_cast<char*>(values[number]); break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: errors_.bytes = &values[number]; break;
        default: break;
      }
    }
  }

  void write(const std::string& errors) const {
    info_.write("");
    errors_.write(errors);
  }

 private:
  // The size is that of the buffer before, and that of the text after.
  struct Buffer {
    char* text = nullptr;
    void** bytes = nullptr;

    void write(const std::string& message) const {
      if (bytes == nullptr) return;
      const auto room = reinterpret_cast<std::uintptr_t>(*bytes);
      std::size_t length = 0;
      if (text != nullptr && room != 0) {
        length = message.size() < room ? message.size() : room - 1;
        std::memcpy(text, message.data(), length);
        text[length] = '\0';
      }
      *bytes = reinterpret_cast<void*>(length);
    }
  };
  Buffer info_, errors_;
};

// What PTX from NVRTC begins with here: the library that the source was compiled to.
constexpr char compiled_source[] = "// hirace: compiled by NVRTC to ";

// Whether an image is text, rather than a cubin or a fat binary.
inline bool is_text(const void* image) {
  const auto first = *static_cast<const unsigned char*>(image);
  return (first >= ' ' && first < 0x7f) || first == '\n' || first == '\r' || first == '\t';
}

inline CUresult refuse_binary() {
  std::fprintf(stderr, "hirace: the CPU executor loads PTX, not cubins or fat binaries: compile with `nvcc -ptx`\n");
  return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

inline CUresult load_library(CUmodule* module, const std::string& library) {
  auto loaded = std::make_unique<CUmod_st>();
  if (open_library(library, loaded->content) == nullptr) return CUDA_ERROR_OPERATING_SYSTEM;
  *module = loaded.release();
  return CUDA_SUCCESS;
}

// Loads what the command makes of `arguments`.
inline CUresult load(CUmodule* module, const std::string& arguments, const JitLog& log) {
  const Answer answer = ask_command("module " + arguments);
  std::fwrite(answer.messages.data(), 1, answer.messages.size(), stderr);
  log.write(answer.messages);
  return answer.succeeded ? load_library(module, answer.text) : CUDA_ERROR_INVALID_PTX;
}

inline CUresult load_image(CUmodule* module, const void* image, const JitLog& log) {
  if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_text(image)) return refuse_binary();
  const std::string text = static_cast<const char*>(image);
  if (text.compare(0, sizeof compiled_source - 1, compiled_source) == 0) {
    return load_library(module, text.substr(sizeof compiled_source - 1, text.find('\n') - (sizeof compiled_source - 1)));
  }
  const TemporaryFile file(".ptx");
  if (!file.write(text)) return CUDA_ERROR_OPERATING_SYSTEM;
  return load(module, "--keep " + quoted(file.name()), log);
}

inline CUresult load_file(CUmodule* module, const char* name, const JitLog& log) {
  if (module == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string text;
  if (!read_file(name, text)) return CUDA_ERROR_FILE_NOT_FOUND;
  if (text.empty() || !is_text(text.data())) return refuse_binary();
  return load(module, quoted(name), log);
}

}  // namespace hirace::cpu::driver

HIRACE_RUNTIME CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return hirace::cpu::driver::load_file(module, file, {0, nullptr, nullptr});
}
HIRACE_RUNTIME CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options, void** values) {
  return hirace::cpu::driver::load_image(module, image, {count, options, values});
}
HIRACE_RUNTIME CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
HIRACE_RUNTIME CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) { return cuModuleLoadData(module, image); }
// The code stays, because reports refer to it.
HIRACE_RUNTIME CUresult cuModuleUnload(CUmodule module) {
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const CUresult result = hirace::cpu::driver_result(cudaDeviceSynchronize());
  delete module;
  return result;
}

HIRACE_RUNTIME CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const auto kernel = module->content.kernels.find(name);
  if (kernel == module->content.kernels.end()) return CUDA_ERROR_NOT_FOUND;
  auto& known = module->functions[name];
  if (known == nullptr) known = std::make_unique<CUfunc_st>(CUfunc_st{module, name, &kernel->second});
  *function = known.get();
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
  if (count == nullptr || module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = static_cast<unsigned int>(module->content.kernels.size());
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule module) {
  if (functions == nullptr || module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (const auto& [name, kernel] : module->content.kernels) {
    if (count-- == 0) break;
    static_cast<void>(cuModuleGetFunction(functions++, module, name.c_str()));
  }
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto found = module->content.variables.find(name);
  if (found == module->content.variables.end()) return CUDA_ERROR_NOT_FOUND;
  const hirace::cpu::loaded::Variable& variable = found->second;
  // The host may copy to it and from it from now on.
  hirace::cpu::symbol_ranges().remove(variable.address);
  hirace::cpu::symbol_ranges().add(variable.address, variable.bytes);
  if (address != nullptr) *address = reinterpret_cast<std::uintptr_t>(variable.address);
  if (bytes != nullptr) *bytes = variable.bytes;
  return CUDA_SUCCESS;
}

HIRACE_RUNTIME CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values, unsigned int count,
                                          CUlibraryOption*, void**, unsigned int) {
  return cuModuleLoadDataEx(reinterpret_cast<CUmodule*>(library), code, count, options, values);
}
HIRACE_RUNTIME CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options, void** values,
                                              unsigned int count, CUlibraryOption*, void**, unsigned int) {
  return hirace::cpu::driver::load_file(reinterpret_cast<CUmodule*>(library), file, {count, options, values});
}
HIRACE_RUNTIME CUresult cuLibraryUnload(CUlibrary library) { return cuModuleUnload(hirace::cpu::driver::module_of(library)); }
HIRACE_RUNTIME CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return cuModuleGetFunction(reinterpret_cast<CUfunction*>(kernel), hirace::cpu::driver::module_of(library), name);
}
HIRACE_RUNTIME CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
  return cuModuleGetFunctionCount(count, hirace::cpu::driver::module_of(library));
}
HIRACE_RUNTIME CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary library) {
  return cuModuleEnumerateFunctions(reinterpret_cast<CUfunction*>(kernels), count, hirace::cpu::driver::module_of(library));
}
HIRACE_RUNTIME CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *module = hirace::cpu::driver::module_of(library);
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
  return cuModuleGetGlobal(address, bytes, hirace::cpu::driver::module_of(library), name);
}

HIRACE_RUNTIME CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState* state) {
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *state = new CUlinkState_st;
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, std::size_t bytes, const char*, unsigned int,
                                      CUjit_option*, void**) {
  if (state == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (data == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_JIT_INPUT_PTX) return hirace::cpu::driver::refuse_binary();
  if (!state->text.empty()) {
    std::fprintf(stderr, "hirace: the CPU executor links one PTX file, not several: join them with `nvcc -rdc=false -ptx`\n");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  const char* const text = static_cast<const char*>(data);
  state->text.assign(text, strnlen(text, bytes));
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* file, unsigned int count,
                                      CUjit_option* options, void** values) {
  std::string text;
  if (file == nullptr || !hirace::cpu::driver::read_file(file, text)) return CUDA_ERROR_FILE_NOT_FOUND;
  return cuLinkAddData(state, type, text.data(), text.size(), file, count, options, values);
}
HIRACE_RUNTIME CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  if (state == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *image = state->text.data();
  if (bytes != nullptr) *bytes = state->text.size() + 1;
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuLinkDestroy(CUlinkState state) {
  delete state;
  return state != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
