// What the files of a program have registered before main().
#pragma once

#include <vector>

#include "host.h"

namespace hirace::gpu {

struct ProgramParts {
  std::vector<SetDeviceState> units;
  std::vector<VisitSymbol> symbols;
  bool use_shared_size = false;
};

inline ProgramParts& program_parts() {
  static ProgramParts parts;
  return parts;
}

}  // namespace hirace::gpu
