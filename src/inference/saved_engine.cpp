#include "inference/saved_engine.h"

#include <algorithm>

#include "base/file.h"
#include "base/folder.h"
#include "base/model_folder.h"
#include "base/safetensors_file.h"
#include "data/example.h"

namespace heed {

namespace {

bool fits(const EngineConfig& config, const Codecs& codecs, const TensorEntries& entries) {
  const VocabularySize size{.source = codecs.at(config.source)->vocabulary().size(),
                            .target = codecs.at(kTargetSide)->vocabulary().size()};
  const bool is_tied =
      std::visit([](const auto& shape) { return shape.vocabulary.source_is_tied; }, config.shape);
  if (is_tied && size.source != size.target) return false;
  const auto shapes = parameter_shapes(config.shape, size);
  return std::ranges::equal(shapes, entries, [](const auto& expected, const auto& entry) {
    return entry.first == expected.first && entry.second.shape == expected.second &&
           entry.second.type == ElementType::kFloat32;
  });
}

// The text of the config; nullopt if it cannot be read, which the loader of libtorch reports.
std::optional<std::string> config_text(const fs::path& folder) try {
  const fs::path path = folder / kModelConfig;
  if (!is_plain_file(path)) return std::nullopt;
  return read_file(path);
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace

std::optional<SavedEngine> load_engine(const fs::path& folder, Precision precision) {
  const auto text = config_text(folder);
  auto config = text ? read_engine_config(*text) : std::nullopt;
  if (!config) return std::nullopt;
  check_manifest(folder);
  SavedEngine model{std::move(*config), {}, nullptr};
  model.codecs = load_codecs(folder, model.config.text);
  const SafetensorsFile file(folder / kModelTensors);
  if (!fits(model.config, model.codecs, file.entries())) return std::nullopt;
  const Weights weights = [&file](const std::string& name) -> Array {
    const auto found = file.entries().find(name);
    if (found == file.entries().end()) return {};
    Array array{found->second.shape, {}};
    array.values.resize((found->second.end - found->second.begin) / sizeof(float));
    file.read(name, array.values.data());
    return array;
  };
  model.engine = build_engine(model.config.shape, weights, precision);
  return model;
}

}  // namespace heed
