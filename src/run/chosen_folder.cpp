#include "run/chosen_folder.h"

#include "base/error.h"

namespace heed {

namespace fs = std::filesystem;

fs::path from_current_folder(const fs::path& path) {
  const fs::path relative = path.lexically_proximate(fs::current_path());
  return relative == "." || *relative.begin() == ".." ? path : relative;
}

fs::path choose_folder(const std::optional<std::string>& option,
                       const std::optional<std::string>& in_config, const std::string& run,
                       const char* ending) {
  if (option && option->empty())
    throw_error(ErrorKind::kUsage, "--run: found '', expected a folder");
  if (option) return from_current_folder(fs::absolute(*option).lexically_normal());
  return from_current_folder(in_config ? *in_config : run + ending);
}

}  // namespace heed
