// Opens modules: has the `hirace` command translate and compile them to libraries, which use the executor of the
// program that opens them.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "../../executor/environment.h"
#include "../../executor/loaded_module.h"

// A static program has neither.
#pragma weak dlopen
#pragma weak dlerror

namespace hirace::cpu::driver {

// A file that lives as long as the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* suffix) : name_(directory() + "/hirace-module-XXXXXX" + suffix) {
    const int file = mkostemps(name_.data(), static_cast<int>(std::strlen(suffix)), O_CLOEXEC);
    if (file < 0) name_.clear();
    else close(file);
  }
  ~TemporaryFile() {
    if (!name_.empty()) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& name() const { return name_; }

  bool write(const std::string& text) const {
    std::FILE* const file = std::fopen(name_.c_str(), "wbe");
    if (file == nullptr) return false;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && written;
  }

 private:
  static std::string directory() {
    const char* const chosen = environment_text("TMPDIR");
    return chosen != nullptr ? chosen : "/tmp";
  }

  std::string name_;
};

inline bool read_file(const std::string& name, std::string& text) {
  std::FILE* const file = std::fopen(name.c_str(), "rbe");
  if (file == nullptr) return false;
  char part[1 << 16];
  for (std::size_t bytes; (bytes = std::fread(part, 1, sizeof part, file)) != 0;) text.append(part, bytes);
  const bool read = std::ferror(file) == 0;
  std::fclose(file);
  return read;
}

// A word for the shell.
inline std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char it : word) {
    if (it == '\'') out += "'\\''";
    else out += it;
  }
  return out + "'";
}

// What the `hirace` command says to some arguments, and whether it succeeds. HIRACE_COMMAND names it where it is
// not on the path.
struct Answer {
  bool succeeded = false;
  std::string text, messages;
};
inline Answer ask_command(const std::string& arguments) {
  Answer answer;
  const TemporaryFile messages(".txt");
  const char* const command = environment_text("HIRACE_COMMAND");
  const std::string line = quoted(command != nullptr ? command : "hirace") + " " + arguments + " 2>" + quoted(messages.name());
  std::FILE* const pipe = popen(line.c_str(), "re");
  if (pipe == nullptr) return answer;
  char part[4096];
  for (std::size_t bytes; (bytes = std::fread(part, 1, sizeof part, pipe)) != 0;) answer.text.append(part, bytes);
  const int status = pclose(pipe);
  answer.succeeded = status == 0;
  static_cast<void>(read_file(messages.name(), answer.messages));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    answer.messages += "hirace: a module cannot be loaded without the `hirace` command: put it on the path, or set HIRACE_COMMAND\n";
  }
  while (!answer.text.empty() && answer.text.back() == '\n') answer.text.pop_back();
  return answer;
}

// Opens a library, whose kernels and variables `module` gets. Each module has its own variables, so a library that
// is open already is copied.
inline void* open_library(const std::string& name, loaded::Module& module) {
  if (dlopen == nullptr) {
    std::fprintf(stderr, "hirace: a module cannot be loaded into a program that is linked with -static\n");
    return nullptr;
  }
  static std::mutex mutex;
  static auto* const opened = new std::map<std::string, unsigned>;
  const std::lock_guard<std::mutex> lock(mutex);
  const bool again = (*opened)[name]++ != 0;
  const TemporaryFile copy(".so");
  std::string bytes;
  if (again && !(read_file(name, bytes) && copy.write(bytes))) return nullptr;
  loaded::loading = &module;
  void* const library = dlopen(again ? copy.name().c_str() : name.c_str(), RTLD_NOW | RTLD_LOCAL);
  loaded::loading = nullptr;
  if (library == nullptr) std::fprintf(stderr, "hirace: a module cannot be loaded: %s\n", dlerror());
  return library;
}

}  // namespace hirace::cpu::driver
