// Restores the text of an expression as its author wrote it.
//
// assert() turns its argument into text, and the argument contains hooks.
#pragma once

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../../hooks/site.h"

namespace hirace::cpu {

struct PlainText {
  std::string text;
  SiteId first_site = unknown_site;  // of the first hook
};

inline PlainText without_hooks(const char* instrumented) {
  constexpr char prefix[] = "::hirace::";
  PlainText plain;
  std::vector<bool> dropped;  // for each open parenthesis, whether it belongs to a hook
  for (const char* at = instrumented; *at != '\0';) {
    if (std::strncmp(at, prefix, sizeof prefix - 1) == 0) {
      const char* const name = at + sizeof prefix - 1;
      const char* const open = std::strstr(name, "(0x");
      if (open == nullptr) break;
      char* rest = nullptr;
      const auto site = static_cast<SiteId>(std::strtoul(open + 1, &rest, 16));
      if (plain.first_site == unknown_site) plain.first_site = site;
      // A hook around an lvalue has no counterpart in the source; a hook that replaces a function
      // has that function's name.
      const bool around = std::strncmp(name, "read", 4) == 0 || std::strncmp(name, "write", 5) == 0 || std::strncmp(name, "update", 6) == 0;
      if (!around) plain.text.append(name, open + 1);
      dropped.push_back(around);
      at = rest + std::strspn(rest, "u, ");
      continue;
    }
    if (*at == '(') dropped.push_back(false);
    if (*at == ')' && !dropped.empty()) {
      const bool drop = dropped.back();
      dropped.pop_back();
      if (drop) {
        ++at;
        continue;
      }
    }
    plain.text += *at++;
  }
  return plain;
}

}  // namespace hirace::cpu
