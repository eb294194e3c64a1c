#include "run/chosen_folder.h"

#include "base/error.h"
#include "run/run_state.h"

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
  const fs::path folder =
      from_current_folder(option ? fs::absolute(*option).lexically_normal()
                                 : fs::path(in_config ? *in_config : run + ending));
  if (look_at(RunDirectory(folder)).was_trained())
    throw_error(ErrorKind::kUsage,
                "{}: is the run of a training, expected a folder that has the runs of this command "
                "in it; give another folder (--run FOLDER)",
                folder.string());
  return folder;
}

}  // namespace heed
