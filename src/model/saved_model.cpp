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
                  "{}: {} is not a tensor of this model; the file belongs to another config",
                  path.string(), name);
    }
  }
}

}  // namespace

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

LoadedModel load_model(const fs::path& folder, torch::Device device) {
  LoadedModel loaded{read_model_text(folder), nullptr};
  SafetensorsReader reader(folder / kModelTensors);
  const VocabularySizes sizes = vocabulary_sizes(loaded.config, loaded.codecs);
  // Checks the file before any memory for tensors is allocated.
  const auto outline = make_outline(folder, loaded.config.model, sizes);
  expect_tensors(tensors_of(*outline), reader.entries(), folder / kModelTensors, Compared::kShapes);
  loaded.network = std::make_shared<Seq2Seq>(loaded.config.model, sizes, 0);
  take_type(*loaded.network, reader);
  loaded.network->to(device);
  read_tensors_into(tensors_of(*loaded.network), reader, folder / kModelTensors);
  loaded.network->eval();
  return loaded;
}

}  // namespace heed
