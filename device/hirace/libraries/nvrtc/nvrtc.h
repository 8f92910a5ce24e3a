// NVRTC: CUDA C++ that a program has as text. The `hirace` command instruments and compiles it; the "PTX" that comes of
// it names the library, which cuModuleLoadData() opens.
#pragma once

#include <cstddef>

#include "../driver/modules.h"

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;
typedef struct _nvrtcProgram* nvrtcProgram;

const char* nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int* major, int* minor);
nvrtcResult nvrtcGetNumSupportedArchs(int* count);
nvrtcResult nvrtcGetSupportedArchs(int* architectures);

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int count, const char* const* headers,
                               const char* const* include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name);

// The sizes are in bytes and contain the final zero.
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t* bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t* bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log);
// What a GPU would load without another translation; here, it is the same as the PTX.
inline nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t* bytes) { return nvrtcGetPTXSize(program, bytes); }
inline nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image) { return nvrtcGetPTX(program, image); }
