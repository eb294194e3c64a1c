#include "nn/torch.h"

#include "base/log.h"
#include "data/example.h"
#include "exchange/imports.h"
#include "exchange/marian_file.h"
#include "exchange/marian_settings.h"
#include "exchange/token_rows.h"
#include "exchange/toolkit_model.h"
#include "model/parameter_names_spec.h"
#include "model/safetensors.h"

namespace heed {

namespace {

constexpr int64_t kOwnTokens = 2;  // <pad> and <s>
constexpr double kGeluSlope = 1.702;

// The layers of a Transformer.
class MarianReader {
 public:
  MarianReader(const MarianShape& shape, ToolkitParameters& from) : shape_(shape), from_(from) {}

  NamedTensors read() {
    for (const MarianLayer& layer : marian_layers(shape_)) read_layer(layer);
    for (const MarianGates& gates : marian_gates(shape_)) read_gates(gates);
    if (!shape_.projection) add_projections();
    if (shape_.gelu) scale_feed_forward();
    return std::move(to_);
  }

 private:
  void read_layer(const MarianLayer& layer) {
    to_[names::weight(layer.own)] =
        layer.is_linear
            ? marian_matrix(from_, layer.weight, layer.inputs, layer.outputs).t().contiguous()
            : marian_row(from_, layer.weight, layer.outputs);
    if (!layer.bias.empty())
      to_[names::bias(layer.own)] = marian_row(from_, layer.bias, layer.outputs);
  }

  void read_gates(const MarianGates& gates) {
    std::vector<Tensor> weights, biases;
    for (const std::string& gate : {gates.token, gates.average}) {
      const int64_t width = shape_.width;
      weights.push_back(
          marian_matrix(from_, fmt::format(fmt::runtime(gate), "W"), width, width).t());
      biases.push_back(marian_row(from_, fmt::format(fmt::runtime(gate), "b"), width));
    }
    to_[names::weight(gates.own)] = torch::block_diag(weights);
    to_[names::bias(gates.own)] = torch::cat(biases);
  }

  std::vector<names::AttentionNames> attentions() const {
    std::vector<names::AttentionNames> found;
    for (int64_t i = 0; i < shape_.encoder_layers; ++i)
      found.push_back(names::TransformerLayerNames(names::layer(names::encoder(kSourceSide), i))
                          .self_attention);
    for (int64_t i = 0; i < std::ssize(shape_.decoder_layers); ++i) {
      const names::TransformerLayerNames own(names::layer(names::kDecoder, i));
      found.push_back(own.cross_attention);
      if (shape_.memory == MarianMemory::kSelfAttention) found.push_back(own.self_attention);
    }
    return found;
  }
  void add_projections() {
    for (const names::AttentionNames& own : attentions()) {
      const int64_t width = to_.at(names::weight(own.value)).size(0);
      to_[names::weight(own.output)] = torch::eye(width);
      to_[names::bias(own.output)] = torch::zeros({width});
    }
  }

  // x·σ(a x) = silu(a x) / a
  void scale_feed_forward() {
    const auto scale = [this](const std::string& stack, int64_t layers) {
      for (int64_t i = 0; i < layers; ++i) {
        const names::TransformerLayerNames own(names::layer(stack, i));
        to_[names::weight(own.inner)] *= kGeluSlope;
        to_[names::bias(own.inner)] *= kGeluSlope;
        to_[names::weight(own.outer)] /= kGeluSlope;
      }
    };
    scale(names::encoder(kSourceSide), shape_.encoder_layers);
    scale(names::kDecoder, std::ssize(shape_.decoder_layers));
  }

  const MarianShape& shape_;
  ToolkitParameters& from_;
  NamedTensors to_;
};

// Embeddings and output layer.
class MarianTableReader {
 public:
  MarianTableReader(const MarianTables& shape, ToolkitParameters& from)
      : shape_(shape), from_(from) {}

  NamedTensors read(const ToolkitModel& model) {
    to_[names::kTargetEmbedding] = table(shape_.target_embedding(), model.target);
    if (!shape_.shares_inputs())
      to_[names::source_embedding(kSourceSide)] = table(shape_.source_embedding(), model.source);
    read_output(model.target);
    return std::move(to_);
  }

 private:
  // In heed's order, with rows of zeros for heed's own tokens: in Marian a target begins with zeros.
  static Tensor ordered(const Tensor& table, const ToolkitSide& side) {
    std::vector<int64_t> sizes = table.sizes().vec();
    sizes[0] = kOwnTokens;
    return torch::cat({table, torch::zeros(sizes)}).index_select(0, torch::tensor(side.rows()));
  }
  // Without heed's own tokens.
  static int64_t rows(const ToolkitSide& side) { return std::ssize(side.tokens) - kOwnTokens; }
  Tensor table(const std::string& name, const ToolkitSide& side) {
    return ordered(marian_matrix(from_, name, rows(side), shape_.width), side);
  }

  void read_output(const ToolkitSide& side) {
    const std::string& name = shape_.output;
    if (!shape_.ties_output()) {
      const bool is_old = from_.has(name + "_W");
      to_[names::weight(names::kOutputLayer)] =
          is_old ? ordered(marian_matrix(from_, name + "_W", shape_.width, rows(side)).t(), side)
                 : table(name + "_Wt", side);
    }
    Tensor bias = torch::zeros({rows(side)});
    if (shape_.bias) bias = marian_row(from_, name + "_b", rows(side));
    bias = ordered(bias, side);
    for (const int32_t never : {kPad, kBegin}) bias[never] = kNeverBias;
    to_[names::bias(names::kOutputLayer)] = bias;
  }

  const MarianTables& shape_;
  ToolkitParameters& from_;
  NamedTensors to_;
};

// Number of tokens of an embedding, by its shape alone.
int64_t rows_of_table(const ToolkitParameters& from, const MarianTables& tables,
                      const std::string& name) {
  const std::vector<int64_t> shape = from.shape(name);
  if (shape[1] != tables.width)
    refuse_model_of_toolkit(fmt::format("{} is {}, expected [N,{}], with a row for each token",
                                        name, shape_text(shape), tables.width));
  return shape[0];
}

NamedTensors read_layers(const MarianShape& shape, ToolkitParameters& from) {
  return MarianReader(shape, from).read();
}
NamedTensors read_layers(const MarianRecurrentShape& shape, ToolkitParameters& from) {
  return read_marian_recurrent(shape, from);
}

// Gives the parameters of a model of amun or nematus the names of s2s, as Marian does, and takes out what is
// none.
void rename_as_s2s(const MarianSettings& settings, MarianFile& file) {
  const auto* shape = std::get_if<MarianRecurrentShape>(&settings.shape);
  if (shape == nullptr || !shape->has_names_of_nematus) return;
  for (const char* name : {"decoder_c_tt", "uidx", "history_errs"}) file.remove(name);
  file.rename(names_of_nematus(*shape));
}

}  // namespace

Tensor marian_matrix(ToolkitParameters& from, const std::string& name, int64_t rows,
                     int64_t columns) {
  from.expect_shape(name, {{rows, columns}});
  return from.take(name);
}

Tensor marian_row(ToolkitParameters& from, const std::string& name, int64_t size) {
  from.expect_shape(name, {{1, size}, {size}});
  return from.take(name).flatten();
}

LoadedModel import_marian(const std::filesystem::path& path, const MarianTextOptions& options) {
  return import_toolkit_model(path, [&] {
    const MarianFiles files = find_marian_files(path, options);
    auto file = std::make_unique<MarianFile>(files.model);
    const MarianSettings settings =
        read_marian_settings(parse_yaml_json(file->settings(), files.model.string()));
    const MarianTables& tables = settings.tables();
    rename_as_s2s(settings, *file);
    if (file->is_quantized())
      spdlog::info(
          "{}: matrices in 8 or 16 bits become float32; heed translate --precision int8 rounds "
          "again",
          files.model.string());
    ToolkitModel model;
    model.model = settings.model;
    model.search = marian_search(files.decoder, file->is_quantized());
    ToolkitParameters parameters(std::move(file));
    model.source = read_marian_side(files.source_vocabulary, options.source_spm, kSourceSide,
                                    rows_of_table(parameters, tables, tables.source_embedding()));
    model.target = read_marian_side(files.target_vocabulary, options.target_spm, kTargetSide,
                                    rows_of_table(parameters, tables, tables.target_embedding()));
    if (tables.shares_inputs() && model.source.tokens != model.target.tokens)
      refuse_model_of_toolkit(
          fmt::format("source and target have one embedding, but different vocabularies: {}, {}",
                      files.source_vocabulary.string(), files.target_vocabulary.string()));
    model.tensors = std::visit([&](const auto& shape) { return read_layers(shape, parameters); },
                               settings.shape);
    model.tensors.merge(MarianTableReader(tables, parameters).read(model));
    parameters.refuse_rest();
    return model_of_toolkit(model);
  });
}

}  // namespace heed
