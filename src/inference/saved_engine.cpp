#include "inference/saved_engine.h"

#include <algorithm>

#include "base/file.h"
#include "base/folder.h"
#include "base/model_folder.h"
#include "base/safetensors_file.h"
#include "data/example.h"

namespace heed {

namespace {

bool fits(const SavedEngine& model, const TensorEntries& entries) {
  const VocabularyShape& vocabulary = vocabulary_of(model.shape);
  const Codecs& codecs = model.text.codecs;
  const VocabularySize size{.source = codecs.at(vocabulary.source)->vocabulary().size(),
                            .target = codecs.at(kTargetSide)->vocabulary().size()};
  if (vocabulary.source_is_tied && size.source != size.target) return false;
  const auto shapes = parameter_shapes(model.shape, size);
  return std::ranges::equal(shapes, entries, [](const auto& expected, const auto& entry) {
    return entry.first == expected.first && entry.second.shape == expected.second &&
           entry.second.type == ElementType::kFloat32;
  });
}

// The hashes say better what is wrong with a config that cannot be read.
SavedModelConfig config_in(const fs::path& folder) try {
  return read_model_config(folder);
} catch (const Error&) {
  check_manifest(folder);
  throw;
}

}  // namespace

std::optional<SavedEngine> load_engine(const fs::path& folder, Precision precision) {
  SavedModelConfig config = config_in(folder);
  auto shape = engine_shape(config);
  if (!shape) return std::nullopt;
  check_manifest(folder);
  Codecs codecs = load_codecs(folder, config.text);
  SavedEngine model{{folder, std::move(config), std::move(codecs)}, std::move(*shape), nullptr};
  const SafetensorsFile file(folder / kModelTensors);
  if (!fits(model, file.entries())) return std::nullopt;
  const Weights weights = [&file](const std::string& name) -> Array {
    const auto found = file.entries().find(name);
    if (found == file.entries().end()) return {};
    Array array{found->second.shape, {}};
    array.values.resize((found->second.end - found->second.begin) / sizeof(float));
    file.read(name, array.values.data());
    return array;
  };
  model.engine = build_engine(model.shape, weights, precision);
  return model;
}

}  // namespace heed
