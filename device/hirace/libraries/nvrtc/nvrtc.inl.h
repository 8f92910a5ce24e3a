// The definitions of nvrtc.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../driver/modules.inl.h"
#include "nvrtc.h"

struct _nvrtcProgram {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers;  // names and texts
  std::vector<std::string> expressions;
  bool compiled = false;
  std::string log, ptx;
  hirace::cpu::loaded::Module content;
};

namespace hirace::cpu::nvrtc {

inline nvrtcResult copy(const std::string& text, char* out) {
  if (out == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

// The arguments of the command for a program whose source is in one file, and its headers in others.
inline std::string arguments_for(const _nvrtcProgram& program, const std::string& source, int count, const char* const* options) {
  std::string arguments = "--source --name " + driver::quoted(program.name);
  for (const std::string& it : program.expressions) arguments += " --expression " + driver::quoted(it);
  arguments += " " + driver::quoted(source) + " --";
  for (int number = 0; number < count; ++number) arguments += " " + driver::quoted(options[number]);
  return arguments;
}

// Compiles the program, and opens what comes of it for its names.
inline nvrtcResult compile(_nvrtcProgram& program, int count, const char* const* options) {
  const driver::TemporaryFile source(".cu");
  // The texts of headers follow that of the source: each after a line with its name and its size.
  std::string text = std::to_string(program.source.size()) + "\n" + program.source;
  for (const auto& [name, header] : program.headers) text += std::to_string(header.size()) + " " + name + "\n" + header;
  if (!source.write(text)) return NVRTC_ERROR_INTERNAL_ERROR;
  const driver::Answer answer = driver::ask_command("module " + arguments_for(program, source.name(), count, options));
  program.log = answer.messages;
  if (!answer.succeeded) return NVRTC_ERROR_COMPILATION;
  if (driver::open_library(answer.text, program.content) == nullptr) return NVRTC_ERROR_INTERNAL_ERROR;
  program.ptx = driver::compiled_source + answer.text + "\n";
  return NVRTC_SUCCESS;
}

}  // namespace hirace::cpu::nvrtc

HIRACE_RUNTIME const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define HIRACE_CASE(name) \
  case name: return #name;
    HIRACE_CASE(NVRTC_SUCCESS)
    HIRACE_CASE(NVRTC_ERROR_OUT_OF_MEMORY)
    HIRACE_CASE(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    HIRACE_CASE(NVRTC_ERROR_INVALID_INPUT)
    HIRACE_CASE(NVRTC_ERROR_INVALID_PROGRAM)
    HIRACE_CASE(NVRTC_ERROR_INVALID_OPTION)
    HIRACE_CASE(NVRTC_ERROR_COMPILATION)
    HIRACE_CASE(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    HIRACE_CASE(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    HIRACE_CASE(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    HIRACE_CASE(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    HIRACE_CASE(NVRTC_ERROR_INTERNAL_ERROR)
    HIRACE_CASE(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
#undef HIRACE_CASE
  }
  return "NVRTC_ERROR unknown";
}
HIRACE_RUNTIME nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  int version = 0;
  static_cast<void>(cudaRuntimeGetVersion(&version));
  *major = version / 1000;
  *minor = version % 1000 / 10;
  return NVRTC_SUCCESS;
}
HIRACE_RUNTIME nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *count = 2;
  return NVRTC_SUCCESS;
}
HIRACE_RUNTIME nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (architectures == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  architectures[0] = 80;
  architectures[1] = 90;
  return NVRTC_SUCCESS;
}

HIRACE_RUNTIME nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int count,
                                              const char* const* headers, const char* const* include_names) {
  if (program == nullptr || source == nullptr || count < 0) return NVRTC_ERROR_INVALID_INPUT;
  if (count > 0 && (headers == nullptr || include_names == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
  auto* const made = new _nvrtcProgram;
  made->source = source;
  made->name = name != nullptr && name[0] != '\0' ? name : "default_program";
  for (int number = 0; number < count; ++number) made->headers.emplace_back(include_names[number], headers[number]);
  *program = made;
  return NVRTC_SUCCESS;
}
HIRACE_RUNTIME nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (program == nullptr || *program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}
HIRACE_RUNTIME nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->expressions.emplace_back(expression);
  return NVRTC_SUCCESS;
}
HIRACE_RUNTIME nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count > 0 && options == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
  const nvrtcResult result = hirace::cpu::nvrtc::compile(*program, count, options);
  program->compiled = result == NVRTC_SUCCESS;
  return result;
}
HIRACE_RUNTIME nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr || name == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto found = program->content.names.find(expression);
  if (found == program->content.names.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = found->second.c_str();
  return NVRTC_SUCCESS;
}

HIRACE_RUNTIME nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t* bytes) {
  if (program == nullptr || !program->compiled) return NVRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = program->ptx.size() + 1;
  return NVRTC_SUCCESS;
}
HIRACE_RUNTIME nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx) {
  return program != nullptr && program->compiled ? hirace::cpu::nvrtc::copy(program->ptx, ptx) : NVRTC_ERROR_INVALID_PROGRAM;
}
HIRACE_RUNTIME nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t* bytes) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = program->log.size() + 1;
  return NVRTC_SUCCESS;
}
HIRACE_RUNTIME nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return program != nullptr ? hirace::cpu::nvrtc::copy(program->log, log) : NVRTC_ERROR_INVALID_PROGRAM;
}
