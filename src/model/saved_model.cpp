#include "model/saved_model.h"

#include "nn/torch.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "config/reader.h"
#include "config/writer.h"

namespace heed {

namespace {

constexpr const char* kConfig = "config.yaml";
constexpr const char* kTensors = "model.safetensors";

std::string shape_text(c10::IntArrayRef shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

SavedModelConfig read_model_config(const fs::path& path) {
  SavedModelConfig config;
  try {
    read_config_file(path.string(), config);
  } catch (const Error& error) {
    throw_error(ErrorKind::kModel, "{}; this model was written by another version of heed",
                error.what());
  }
  return config;
}

// If all floating-point tensors of the file have one type, the network takes it.
void take_type(Seq2Seq& network, const SafetensorsReader& reader) {
  std::set<torch::ScalarType> types;
  for (const auto& [name, entry] : reader.entries()) {
    if (c10::isFloatingType(entry.type)) types.insert(entry.type);
  }
  if (types.size() == 1) network.to(*types.begin());
}

bool is_model(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kTensors, ignored);
}

}  // namespace

void SavedModelConfig::fields(Fields& f) {
  f.list("sources", sources, "names of the sources, in their order");
  f.list("tags", tags, "the tags of the data, in their order");
  f.map("text", text, "how the text of each side becomes pieces");
  f.section("model", model, "the network");
  f.section("search", search, "how translations are searched for");
  f.field("max_length", max_length, kPositive,
          "pieces of the longest sentence the model was trained with");
}

void SavedModelConfig::validate(Problems& problems) const {
  for (const std::string& source : sources) {
    if (!text.contains(source)) problems.add("text", "nothing for the source '" + source + "'");
  }
  if (sources != model.sources())
    problems.add("sources",
                 fmt::format("are {}, but the model has encoders of {}", fmt::join(sources, ", "),
                             fmt::join(model.sources(), ", ")));
  if (!tags.empty() && sources.empty())
    problems.add("tags", "come with a source, and there is none");
  if (tags.empty() && attends_by_tag(model))
    problems.add("tags", "are none, but an attention goes by them");
  if (!std::ranges::is_sorted(tags)) problems.add("tags", "are not in their order");
  if (!text.contains(kTargetSide)) problems.add("text", "nothing for the target");
  validate_sharing(text, problems);
}

VocabularySizes vocabulary_sizes(const SavedModelConfig& config, const Codecs& codecs) {
  VocabularySizes sizes;
  for (const std::string& source : config.sources) {
    const Codec& codec = *codecs.at(source);
    sizes.sources[source] = codec.vocabulary().size();
    sizes.owners[source] = owner_of(config.text, source);
    if (const auto marker = codec.marker()) sizes.markers[source] = *marker;
  }
  sizes.target = codecs.at(kTargetSide)->vocabulary().size();
  sizes.tags = static_cast<int64_t>(config.tags.size());
  return sizes;
}

NamedTensors tensors_of(const torch::nn::Module& module) {
  NamedTensors tensors;
  std::set<const c10::TensorImpl*> known;
  const auto take = [&](const auto& items) {
    for (const auto& item : items) {
      if (known.insert(item.value().unsafeGetTensorImpl()).second)
        tensors[item.key()] = item.value();
    }
  };
  take(module.named_parameters());
  take(module.named_buffers());
  return tensors;
}

void save_model(const fs::path& folder, SavedModelConfig& config, const Codecs& codecs,
                const Seq2Seq& network) {
  write_safetensors(folder / kTensors, tensors_of(network));
  write_file(folder / kConfig, write_config(config));
  save_codecs(folder, config.text, codecs);
  write_manifest(folder, fmt::format("{{\"heed\":\"{}\"}}", HEED_VERSION));
}

void read_tensors_into(const NamedTensors& tensors, SafetensorsReader& reader,
                       const fs::path& path) {
  const auto& entries = reader.entries();
  for (const auto& [name, tensor] : tensors) {
    const auto found = entries.find(name);
    if (found == entries.end()) {
      throw_error(ErrorKind::kModel, "{}: {} is missing; the file belongs to another config",
                  path.string(), name);
    }
    const TensorEntry& entry = found->second;
    if (tensor.sizes() != entry.shape || tensor.scalar_type() != entry.type) {
      throw_error(ErrorKind::kModel,
                  "{}: {} is {} {}, expected {} {}; the file belongs to another config",
                  path.string(), name, c10::toString(entry.type), shape_text(entry.shape),
                  c10::toString(tensor.scalar_type()), shape_text(tensor.sizes()));
    }
  }
  for (const auto& [name, entry] : entries) {
    if (!tensors.contains(name)) {
      throw_error(ErrorKind::kModel,
                  "{}: {} is no tensor of this model; the file belongs to another config",
                  path.string(), name);
    }
  }
  for (const auto& [name, tensor] : tensors) reader.read_into(name, tensor);
}

LoadedModel load_model(const fs::path& folder, torch::Device device) {
  check_manifest(folder);
  LoadedModel loaded;
  loaded.config = read_model_config(folder / kConfig);
  loaded.codecs = load_codecs(folder, loaded.config.text);
  SafetensorsReader reader(folder / kTensors);
  loaded.network = std::make_shared<Seq2Seq>(loaded.config.model,
                                             vocabulary_sizes(loaded.config, loaded.codecs), 0);
  take_type(*loaded.network, reader);
  loaded.network->to(device);
  read_tensors_into(tensors_of(*loaded.network), reader, folder / kTensors);
  loaded.network->eval();
  return loaded;
}

fs::path find_model(const fs::path& path) {
  for (const fs::path& folder :
       {path, path / "model", path / "best" / "model", path / "latest" / "model"}) {
    if (is_model(folder)) return folder;
  }
  std::error_code ignored;
  const bool exists = fs::exists(path, ignored);
  const bool is_run = fs::exists(path / kConfig, ignored);
  const fs::path checkpoints = path / "checkpoints";
  const bool has_checkpoints =
      fs::exists(checkpoints, ignored) && !fs::is_empty(checkpoints, ignored);
  throw_error(ErrorKind::kModel, "{}: {}", fs::absolute(path).string(),
              !exists ? "there is no such folder; name a run, a checkpoint or a model"
              : has_checkpoints
                  ? "neither best nor latest names a checkpoint of this run; name one of its "
                    "checkpoints/, or `heed train … --resume` puts the names right"
              : is_run ? "this run has no checkpoint yet; train it further"
                       : "is no run, checkpoint or model: it holds no model.safetensors");
}

}  // namespace heed
