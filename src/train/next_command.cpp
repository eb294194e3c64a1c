#include "train/next_command.h"

#include "base/error.h"
#include "base/shell.h"
#include "model/pair_encoder_spec.h"

namespace heed {

std::string next_command(const std::filesystem::path& model, const SavedModelConfig& config) {
  const std::string name = shell_word(model.string());
  if (config.sources.empty()) return fmt::format("heed generate {} --sample", name);
  const std::vector<std::string> inputs = inputs_of(config);
  if (inputs.size() == 1) return fmt::format("heed translate {} -i FILE", name);
  return fmt::format("heed translate {} -i {}=FILE", name, fmt::join(inputs, "=FILE -i "));
}

}  // namespace heed
