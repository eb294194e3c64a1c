#include "cli/tensors/training_codecs.h"

namespace heed {

Codecs learn_codecs(const RunConfig& config, const TrainingText& text, const Codecs& former) {
  const std::vector<std::string> sides = config.data.sides();
  std::map<std::string, LineSource> lines;
  for (size_t side = 0; side < sides.size(); ++side)
    lines[sides[side]] = text.side_lines(side, config.data.cleaning);
  return build_codecs(config.text, lines, static_cast<uint64_t>(config.seed), former);
}

}  // namespace heed
