#include "train/parameter_pattern.h"

#include <fnmatch.h>

#include "base/error.h"

namespace heed {

bool selects(std::string_view pattern, const std::string& parameter) {
  if (pattern.find('*') != std::string_view::npos)
    return fnmatch(std::string(pattern).c_str(), parameter.c_str(), FNM_NOESCAPE) == 0;
  if (parameter == pattern || parameter.ends_with("." + std::string(pattern))) return true;
  return parameter.starts_with(pattern) &&
         (parameter[pattern.size()] == '.' || parameter[pattern.size()] == '_');
}

namespace {

// The parts of a network, "decoder", as a hint.
std::set<std::string> parts_of(const std::vector<std::string>& parameters) {
  std::set<std::string> parts;
  for (const std::string& name : parameters) parts.insert(name.substr(0, name.find('.')));
  return parts;
}

}  // namespace

std::set<std::string> selected(const std::vector<std::string>& patterns,
                               const std::vector<std::string>& parameters, const char* key) {
  std::set<std::string> names;
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (const std::string& name : parameters) {
      if (!selects(pattern, name)) continue;
      any = true;
      names.insert(name);
    }
    if (!any)
      throw_error(ErrorKind::kUsage,
                  "{}: '{}' selects no parameter; the network has {}; `heed inspect` lists them",
                  key, pattern, fmt::join(parts_of(parameters), ", "));
  }
  return names;
}

}  // namespace heed
