#include "cli/tensors/training_codecs.h"

namespace heed {

Codecs learn_codecs(const RunConfig& config, const TrainingText& text, const Codecs& former) {
  const std::vector<std::string> sides = config.data.sides();
  std::map<std::string, LineSource> lines;
  for (size_t side = 0; side < sides.size(); ++side)
    lines[sides[side]] = text.side_lines(side, config.data.cleaning);
  Codecs codecs = build_codecs(config.text, lines, static_cast<uint64_t>(config.seed), former);
  codecs.merge(learn_label_codecs(config, text, former));
  return codecs;
}

Codecs learn_label_codecs(const RunConfig& config, const TrainingText& text, const Codecs& former) {
  const std::vector<std::string> names = config.data.factors();
  Codecs codecs;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto found = former.find(names[i]);
    codecs[names[i]] = build_label_codec(text.factor_lines(i, config.data.cleaning),
                                         found == former.end() ? nullptr : found->second.get());
  }
  return codecs;
}

Codecs load_run_codecs(const std::filesystem::path& folder, const RunConfig& config) {
  Codecs codecs = load_codecs(folder, config.text);
  codecs.merge(load_label_codecs(folder, config.data.factors()));
  return codecs;
}

}  // namespace heed
