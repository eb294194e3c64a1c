#include "model/saved_model.h"

#include "nn/torch.h"

#include <algorithm>
#include <set>

#include "base/descriptor.h"
#include "base/file.h"
#include "config/reader.h"
#include "config/sizes.h"
#include "config/writer.h"
#include "model/model_size.h"

namespace heed {

namespace {

// Converts the network to the type of the file's floating-point tensors if they all have one type.
void take_type(Seq2Seq& network, const SafetensorsReader& reader) {
  std::set<torch::ScalarType> types;
  for (const auto& [name, entry] : reader.entries()) {
    const torch::ScalarType type = scalar_type(entry.type);
    if (c10::isFloatingType(type)) types.insert(type);
  }
  if (types.size() == 1) network.to(*types.begin());
}

// Builds the network with tensors that have shapes but no memory. Errors about its size name the
// model.
std::shared_ptr<Seq2Seq> make_outline(const fs::path& folder, const ModelConfig& config,
                                      const VocabularySizes& sizes) try {
  auto outline = model_without_memory(config, sizes);
  check_memory(size_of_model(*outline), 1, "to be loaded", ErrorKind::kModel);
  return outline;
} catch (const Error& error) {
  throw_error(ErrorKind::kModel, "{}: {}", folder.string(), error.what());
}

enum class Compared { kShapes, kShapesAndTypes };

// Throws unless the tensors of a network and of a file have the same names and shapes.
void expect_tensors(const NamedTensors& tensors, const TensorEntries& entries, const fs::path& path,
                    Compared compared) {
  for (const auto& [name, tensor] : tensors) {
    const auto found = entries.find(name);
    if (found == entries.end()) {
      throw_error(ErrorKind::kModel, "{}: {} is missing; the file belongs to another config",
                  path.string(), name);
    }
    const TensorEntry& entry = found->second;
    const bool has_type =
        compared == Compared::kShapes || tensor.scalar_type() == scalar_type(entry.type);
    if (tensor.sizes() != entry.shape || !has_type) {
      throw_error(
          ErrorKind::kModel, "{}: {} is {} {}, expected {} {}; the file belongs to another config",
          path.string(), name, c10::toString(scalar_type(entry.type)), shape_text(entry.shape),
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
}

// Tensors of a network with the names and shapes that a file of an earlier version has for them.
NamedTensors as_in_file(Seq2Seq& network, const TensorEntries& entries) {
  NamedTensors tensors = tensors_of(network);
  for (const auto& [name, former] : former_names(network)) {
    const auto found = entries.find(former);
    const auto own = tensors.find(name);
    if (entries.contains(name) || found == entries.end() || own == tensors.end()) continue;
    const Tensor tensor = own->second.detach();
    tensors.erase(own);
    tensors[former] = c10::multiply_integers(found->second.shape) == tensor.numel()
                          ? tensor.reshape(found->second.shape)
                          : tensor;  // expect_tensors() reports it
  }
  return tensors;
}

}  // namespace

void SavedModelConfig::fields(Fields& f) const {
  f.list("sources", sources, "names of the sources, in order");
  f.list("tags", tags, "tags of the data, in order");
  f.map("text", text, "tokenizer and vocabulary of the source and of the target");
  f.section("model", model, "neural network");
  f.section("search", search, "beam search");
  f.field("max_length", max_length, kLengths,
          "tokens of the longest sentence of the training data");
  f.field("target_words", target_words,
          "frequent words of the training targets that its sources hardly have");
  f.field("source_language", source_language, "language of the source, if it is known");
  f.field("target_language", target_language, "language of the target, if it is known");
  f.section("source_lines", source_lines, "what the source lines of the training are like");
}

void SavedModelConfig::validate(Problems& problems) const {
  for (const std::string& source : sources) {
    if (!text.contains(source)) problems.add("text", "nothing for the source '" + source + "'");
  }
  if (sources != model.sources())
    problems.add("sources",
                 fmt::format("are {}, but the model has encoders for {}", fmt::join(sources, ", "),
                             fmt::join(model.sources(), ", ")));
  if (!tags.empty() && sources.empty()) problems.add("tags", "need a source, and there is none");
  if (tags.empty() && needs_of(model).tag)
    problems.add("tags", "are missing, but an attention has parameters for each tag");
  if (!std::ranges::is_sorted(tags)) problems.add("tags", "are not sorted");
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
  for (const auto& [name, unused] : config.model.embedding.source_factors)
    sizes.factors[name] = codecs.at(name)->vocabulary().size();
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
  write_safetensors(folder / kModelTensors, tensors_of(network));
  write_file(folder / kModelConfig, write_config(config));
  save_codecs(folder, config.text, codecs);
  save_label_codecs(folder, names_of(config.model.embedding.source_factors), codecs);
  write_manifest(folder, fmt::format("{{\"heed\":\"{}\"}}", HEED_VERSION));
}

void read_tensors_into(const NamedTensors& tensors, SafetensorsReader& reader,
                       const fs::path& path) {
  expect_tensors(tensors, reader.entries(), path, Compared::kShapesAndTypes);
  for (const auto& [name, tensor] : tensors) reader.read_into(name, tensor);
}

SavedModelConfig read_model_config(const fs::path& folder) {
  SavedModelConfig config;
  try {
    read_config_file((folder / kModelConfig).string(), config, {.overrides = {}, .saved = true});
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    throw_error(ErrorKind::kModel, "{}; this model was written by another version of heed",
                error.what());
  }
  return config;
}

LoadedModel load_model(const fs::path& folder, torch::Device device) {
  check_manifest(folder);
  LoadedModel loaded;
  loaded.config = read_model_config(folder);
  loaded.codecs = load_codecs(folder, loaded.config.text);
  loaded.codecs.merge(
      load_label_codecs(folder, names_of(loaded.config.model.embedding.source_factors)));
  SafetensorsReader reader(folder / kModelTensors);
  const VocabularySizes sizes = vocabulary_sizes(loaded.config, loaded.codecs);
  // Checks the file before any memory for tensors is allocated.
  const auto outline = make_outline(folder, loaded.config.model, sizes);
  expect_tensors(as_in_file(*outline, reader.entries()), reader.entries(), folder / kModelTensors,
                 Compared::kShapes);
  loaded.network = std::make_shared<Seq2Seq>(loaded.config.model, sizes, 0);
  take_type(*loaded.network, reader);
  loaded.network->to(device);
  read_tensors_into(as_in_file(*loaded.network, reader.entries()), reader, folder / kModelTensors);
  loaded.network->eval();
  return loaded;
}

}  // namespace heed
