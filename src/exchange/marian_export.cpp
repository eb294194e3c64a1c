#include "nn/torch.h"

#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/example.h"
#include "exchange/exports.h"
#include "exchange/layer_inputs.h"
#include "exchange/marian_file.h"
#include "exchange/marian_settings.h"
#include "exchange/marian_vocabulary.h"
#include "exchange/search_export.h"
#include "exchange/standard_transformer.h"
#include "inference/engine_shape.h"
#include "model/decoders/rnn_config.h"
#include "text/sentencepiece.h"
#include "text/sentencepiece_pieces.h"

namespace heed {

namespace {

constexpr const char* kMarian = "Marian";
constexpr float kNeverGenerated = -10000;
// intgemm reads vectors of 64 numbers, and writes 8.
constexpr int64_t kIntgemmInputs = 64, kIntgemmOutputs = 8;

MarianMemory memory_of(const StackShape& decoder) {
  const SelfAttentionShape& first = decoder.self_attention.front();
  if (std::holds_alternative<SsruShape>(first)) return MarianMemory::kSsru;
  return std::holds_alternative<AverageShape>(first) ? MarianMemory::kAverage
                                                     : MarianMemory::kSelfAttention;
}

MarianShape marian_shape(const TransformerShape& shape) {
  MarianShape marian;
  marian.width = shape.decoder.width;
  marian.encoder_layers = shape.encoder.stack().layers();
  for (int64_t i = 1; i <= shape.decoder.layers(); ++i) marian.decoder_layers.push_back(i);
  marian.memory = memory_of(shape.decoder);
  marian.pre_norm = marian.final_norm = !shape.decoder.post_norm();
  const bool source = shape.vocabulary.source_is_tied, output = shape.vocabulary.output_is_tied;
  marian.tie = source && output ? "all" : output ? "target" : source ? "inputs" : "none";
  return marian;
}

std::vector<std::string> missing_in_marian(const TransformerShape& shape, MarianFormat format) {
  std::vector<std::string> reasons = mixed_dimensions(shape);
  if (memory_of(shape.decoder) != MarianMemory::kSelfAttention)
    std::erase_if(reasons, [](const std::string& reason) {
      return reason.find("heads of self-attention") != std::string::npos;
    });
  const StackShape &encoder = shape.encoder.stack(), &decoder = shape.decoder;
  for (const StackShape* stack : {&encoder, &decoder}) {
    const char* name = stack == &encoder ? "encoder" : "decoder";
    const bool has_positions = stack->positions.kind != PositionKind::kNone;
    if (has_positions && (stack->positions.kind != PositionKind::kSinusoidal ||
                          stack->positions.layout != SinusoidLayout::kMarian))
      reasons.push_back(
          fmt::format("model.{}.positions: expected {{type: sinusoidal, layout: marian}}", name));
    if (stack->scale_embedding != has_positions)
      reasons.push_back(fmt::format("model.{}.scale_embedding: expected {}", name, has_positions));
    if (stack->activation != Activation::kRelu && stack->activation != Activation::kSilu)
      reasons.push_back(fmt::format("model.{}.activation: expected relu or silu", name));
  }
  if (encoder.activation != decoder.activation || !(encoder.positions == decoder.positions))
    reasons.emplace_back("activation and positions have to be the same in encoder and decoder");
  if (self_heads(encoder) != cross_heads(shape))
    reasons.emplace_back("encoder and decoder have different numbers of heads");
  if (!shape.vocabulary.source_end) reasons.emplace_back("model.source_end is false");
  if (memory_of(decoder) == MarianMemory::kAverage && !decoder.post_norm())
    reasons.emplace_back("model.decoder.self_attention: average, with norm: pre");
  if (format != MarianFormat::kIntgemm) return reasons;
  if (!shape.vocabulary.output_is_tied)
    reasons.emplace_back("model.embedding.tie: in 8 bits expected target or all");
  for (const int64_t width : {encoder.width, encoder.feed_forward, decoder.feed_forward}) {
    if (width % kIntgemmInputs != 0)
      reasons.push_back(
          fmt::format("a width of {}: in 8 bits a multiple of {}", width, kIntgemmInputs));
  }
  return reasons;
}

void add_missing_text(const LoadedModel& model, std::vector<std::string>& reasons) {
  for (const std::string& name : {model.config.sources.front(), std::string(kTargetSide)}) {
    const Tokenizer& tokenizer = model.codecs.at(name)->tokenizer();
    const TokenizerConfig& config =
        *model.config.text.at(owner_of(model.config.text, name)).tokenizer;
    const auto* pieces = dynamic_cast<const SentencePieceConfig*>(&config);
    if (config.unit() != std::string("words") && pieces == nullptr)
      reasons.push_back(fmt::format("text.{}: expected sentencepiece or words", name));
    if (config.lower) reasons.push_back(fmt::format("text.{}.lower", name));
    if (!tokenizer.opening().empty() || (pieces != nullptr && pieces->language_code))
      reasons.push_back(fmt::format("text.{}: tokens of languages", name));
  }
}

using SettingsLines = std::vector<std::pair<std::string, std::string>>;

const char* word_of(bool value) { return value ? "true" : "false"; }

// Writes a model: embeddings, output layer and files. Its layers are those of a kind of models.
class MarianWriter {
 public:
  MarianWriter(const LoadedModel& model, const MarianTables& tables, MarianFormat format)
      : model_(model),
        tables_(tables),
        own_(tensors_of(*model.network)),
        source_(*model.codecs.at(source_name())),
        target_(*model.codecs.at(kTargetSide)) {
    if (!own(names::kTargetEmbedding)[kBegin].eq(0).all().item<bool>())
      refuse_model({"a target begins with the embedding of <s>, which is not zeros; train with "
                    "model.embedding.zero_begin: true"},
                   kMarian);
    if (format != MarianFormat::kIntgemm) return;
    source_.round_up(kIntgemmOutputs);
    target_.round_up(kIntgemmOutputs);
  }

  virtual ~MarianWriter() = default;
  MarianWriter(const MarianWriter&) = delete;
  MarianWriter& operator=(const MarianWriter&) = delete;

  MarianSizes write(const fs::path& folder, MarianFormat format,
                    const std::vector<std::string>& lines) {
    add_layers();
    add_tables();
    to_.settings = settings();
    const std::string name = format == MarianFormat::kNpz      ? "model.npz"
                             : format == MarianFormat::kBinary ? "model.bin"
                                                               : "model.intgemm.alphas.bin";
    if (format == MarianFormat::kIntgemm) {
      add_input_scales(lines);
      quantize_weights();
    }
    if (format == MarianFormat::kNpz)
      write_marian_npz(folder / name, to_);
    else
      write_marian_bin(folder / name, to_);
    write_decoder(folder, name, format);
    return {std::ssize(source_.ids), std::ssize(target_.ids)};
  }

 protected:
  // Adds to the parameters.
  virtual void add_layers() = 0;
  // Lines of special:model.yml, which are those of these models alone.
  virtual SettingsLines own_settings() const = 0;

  const NamedTensors& parameters() const { return own_; }
  void add(const std::string& name, const Tensor& tensor) { to_.tensors[name] = tensor; }
  Tensor own(const std::string& name) const { return own_.at(name).detach().cpu(); }
  void add_matrix(const std::string& name, const std::string& own_weight, const Tensor& weight) {
    to_.tensors[name] = weight.t().contiguous();
    weights_[name] = own_weight;
  }

 private:
  const std::string& source_name() const { return model_.config.sources.front(); }
  static Tensor rows(const Tensor& table, const MarianVocabulary& vocabulary) {
    return table.index_select(0, torch::tensor(vocabulary.ids, torch::kInt));
  }
  void add_tables() {
    to_.tensors[tables_.target_embedding()] = rows(own(names::kTargetEmbedding), target_);
    if (!tables_.shares_inputs())
      to_.tensors[tables_.source_embedding()] =
          rows(own(names::source_embedding(source_name())), source_);
    const std::string& output = tables_.output;
    if (!tables_.ties_output())
      to_.tensors[output + "_Wt"] = rows(own(names::weight(names::kOutputLayer)), target_);
    const std::string own_bias = names::bias(names::kOutputLayer);
    Tensor bias = own_.contains(own_bias) ? rows(own(own_bias), target_)
                                          : torch::zeros({std::ssize(target_.ids)});
    bias.narrow(0, target_.generated, bias.size(0) - target_.generated).fill_(kNeverGenerated);
    to_.tensors[output + "_b"] = bias.unsqueeze(0);
  }

  std::string settings() const {
    SettingsLines lines = own_settings();
    for (const auto& line : SettingsLines{
             {"dim-vocabs", fmt::format("[{}, {}]", source_.ids.size(), target_.ids.size())},
             {"tied-embeddings", word_of(tables_.tie == "target")},
             {"tied-embeddings-src", word_of(tables_.tie == "inputs")},
             {"tied-embeddings-all", word_of(tables_.tie == "all")},
             {"right-left", "false"},
             {"input-types", "[]"},
             {"special-vocab", "[]"},
             {"ulr", "false"},
             {"ulr-trainable-transformation", "false"},
             {"ulr-dim-emb", "0"},
             {"lemma-dim-emb", "0"},
             {"output-omit-bias", "false"},
             {"version", "v1.9.0"}})
      lines.push_back(line);
    std::string text;
    for (const auto& [key, value] : lines) text += fmt::format("{}: {}\n", key, value);
    return text;
  }

  // 127 divided by the mean of the largest inputs and 1.1 standard deviations, as Marian's script for
  // these scales computes them.
  void add_input_scales(const std::vector<std::string>& lines) {
    constexpr double kDeviations = 1.1, kLargest = 127;
    const auto measured = measure_inputs(model_, source_name(), lines);
    const auto add = [&](const std::string& name, const std::string& weight) {
      const auto found = measured.find(weight);
      HEED_CHECK(found != measured.end(), "no input of {} was measured", weight);
      const double bound = found->second.mean + kDeviations * found->second.deviation;
      to_.tensors[name] = torch::full({1, 1}, bound > 0 ? kLargest / bound : kLargest);
    };
    for (const auto& [name, weight] : weights_) add(name + kMarianScale, weight);
    add(kMarianOutputScale, names::kTargetEmbedding);
    add(tables_.target_embedding() + std::string(kMarianScale), names::kTargetEmbedding);
  }
  void quantize_weights() {
    constexpr float kLargest = 127;
    for (auto& [name, tensor] : to_.tensors) {
      if (!weights_.contains(name) && (!is_marian_embedding(name) || name.ends_with(kMarianScale)))
        continue;
      const float largest = tensor.abs().max().item<float>();
      const float scale = largest > 0 ? kLargest / largest : kLargest;
      tensor = (tensor * scale).round().clamp(-kLargest, kLargest).to(torch::kChar);
      to_.scales[name] = scale;
    }
  }

  void write_decoder(const fs::path& folder, const std::string& name, MarianFormat format) const {
    const bool is_shared = source_.tokens == target_.tokens;
    const std::string source = source_.save(folder, is_shared ? "" : "src"),
                      target = is_shared ? source : target_.save(folder, "trg");
    const SearchConfig& search = model_.config.search;
    std::string text = fmt::format(
        "relative-paths: true\nmodels:\n  - {}\nvocabs:\n  - {}\n  - {}\nbeam-size: {}\n"
        "normalize: {}\nword-penalty: 0\nmax-length-factor: {}\nallow-unk: {}\n",
        name, source, target, search.beam, search.length_penalty,
        search.max_length_ratio > 0 ? search.max_length_ratio : 3.0, search.allow_unknown);
    if (format == MarianFormat::kIntgemm) text += "gemm-precision: int8shiftAlphaAll\n";
    write_file(folder / (name + ".decoder.yml"), text);
    const std::vector<std::string> left_out = search_left_out(
        search,
        {"beam", "length_penalty", "max_length_ratio", "max_length_extra", "allow_unknown"});
    if (!left_out.empty())
      spdlog::warn("{} has no such settings, so that its translations can differ: {}", kMarian,
                   fmt::join(left_out, ", "));
  }

  const LoadedModel& model_;
  const MarianTables& tables_;
  const NamedTensors own_;
  MarianVocabulary source_, target_;
  MarianTensors to_;
  std::map<std::string, std::string> weights_;  // matrices, with the names of heed's
};

class TransformerWriter final : public MarianWriter {
 public:
  TransformerWriter(const LoadedModel& model, const TransformerShape& shape,
                    const MarianShape& marian, MarianFormat format)
      : MarianWriter(model, marian, format), shape_(shape), marian_(marian) {}

 private:
  void add_layers() override {
    for (const MarianLayer& layer : marian_layers(marian_)) add_layer(layer);
    for (const MarianGates& gates : marian_gates(marian_)) add_gates(gates);
  }
  void add_layer(const MarianLayer& layer) {
    const std::string weight = names::weight(layer.own);
    if (layer.is_linear)
      add_matrix(layer.weight, weight, own(weight));
    else
      add(layer.weight, own(weight).unsqueeze(0));
    if (!layer.bias.empty()) add(layer.bias, own(names::bias(layer.own)).unsqueeze(0));
  }
  void add_gates(const MarianGates& gates) {
    const Tensor weight = own(names::weight(gates.own)), bias = own(names::bias(gates.own));
    const int64_t width = marian_.width;
    const auto block = [&](int64_t row, int64_t column) {
      return weight.narrow(0, row * width, width).narrow(1, column * width, width);
    };
    if (block(0, 1).any().item<bool>() || block(1, 0).any().item<bool>())
      refuse_model({fmt::format("{} reads token and average for each gate, in {} one of them",
                                gates.own, kMarian)},
                   kMarian);
    int64_t i = 0;
    for (const std::string& gate : {gates.token, gates.average}) {
      add_matrix(fmt::format(fmt::runtime(gate), "W"), names::weight(gates.own), block(i, i));
      add(fmt::format(fmt::runtime(gate), "b"), bias.narrow(0, i * width, width).unsqueeze(0));
      ++i;
    }
  }

  SettingsLines own_settings() const override {
    const StackShape &encoder = shape_.encoder.stack(), &decoder = shape_.decoder;
    const bool is_ssru = marian_.memory == MarianMemory::kSsru,
               is_average = marian_.memory == MarianMemory::kAverage,
               has_positions = encoder.positions.kind != PositionKind::kNone;
    SettingsLines lines = {
        {"type", "transformer"},
        {"dim-emb", std::to_string(marian_.width)},
        {"enc-depth", std::to_string(encoder.layers())},
        {"dec-depth", std::to_string(decoder.layers())},
        {"dec-cell", is_ssru ? "ssru" : "gru"},
        {"enc-cell", "gru"},
        {"enc-type", "bidirectional"},
        {"enc-cell-depth", "1"},
        {"dec-cell-base-depth", "2"},
        {"dec-cell-high-depth", "1"},
        {"dim-rnn", "1024"},
        {"skip", "false"},
        {"layer-normalization", "false"},
        {"transformer-heads", std::to_string(self_heads(encoder))},
        {"transformer-no-projection", "false"},
        {"transformer-rnn-projection", "false"},
        {"transformer-pool", "false"},
        {"transformer-dim-ffn", std::to_string(encoder.feed_forward)},
        {"transformer-decoder-dim-ffn", std::to_string(decoder.feed_forward)},
        {"transformer-ffn-depth", "2"},
        {"transformer-decoder-ffn-depth", "2"},
        {"transformer-ffn-activation", encoder.activation == Activation::kRelu ? "relu" : "swish"},
        {"transformer-dim-aan", std::to_string(average_width())},
        {"transformer-aan-depth", "2"},
        {"transformer-aan-activation", "relu"},
        {"transformer-aan-nogate", "false"},
        {"transformer-preprocess", marian_.pre_norm ? "n" : "\"\""},
        {"transformer-postprocess", marian_.pre_norm ? "da" : "dan"},
        {"transformer-postprocess-emb", "d"},
        {"transformer-postprocess-top", marian_.pre_norm ? "n" : "\"\""},
        {"transformer-decoder-autoreg", is_ssru      ? "rnn"
                                        : is_average ? "average-attention"
                                                     : "self-attention"},
        {"transformer-tied-layers", "[]"},
        {"transformer-guided-alignment-layer", "last"},
        {"transformer-train-position-embeddings", "false"}};
    if (!has_positions) lines.emplace_back("transformer-disable-position-embeddings", "true");
    return lines;
  }
  int64_t average_width() const {
    const auto* average = std::get_if<AverageShape>(&shape_.decoder.self_attention.front());
    return average == nullptr ? 2048 : average->feed_forward;
  }

  const TransformerShape& shape_;
  const MarianShape& marian_;
};

class RecurrentModelWriter final : public MarianWriter {
 public:
  RecurrentModelWriter(const LoadedModel& model, const MarianRecurrentShape& shape,
                       MarianFormat format)
      : MarianWriter(model, shape, format), shape_(shape) {}

 private:
  void add_layers() override {
    for (const auto& [name, tensor] : write_marian_recurrent(shape_, parameters()))
      add(name, tensor);
  }
  SettingsLines own_settings() const override { return marian_settings_of(shape_); }

  const MarianRecurrentShape& shape_;
};

// Warns of subwords that one reader of such files takes for others, without a word.
void warn_of_merges(const LoadedModel& model) {
  for (const auto& [side, codec] : model.codecs) {
    const auto* subwords = sentencepiece_of(codec->tokenizer());
    if (subwords == nullptr || !merges_pairs(subwords->model())) continue;
    spdlog::warn(
        "{}: the SentencePiece model is one of BPE. Marian reads it; fxtranslate takes every model "
        "for one of unigrams and segments lines wrongly: train with model_type: unigram for it",
        side);
    return;
  }
}

// Warns of a Transformer that Marian runs in 8 bits, and fxtranslate does not.
void warn_of_pre_norm(const MarianShape& shape) {
  if (shape.pre_norm)
    spdlog::warn(
        "model.decoder.norm is pre. Marian runs such a model in 8 bits; fxtranslate cannot: train "
        "with norm: post in encoder and decoder for it");
}

bool is_recurrent(const ModelConfig& model) {
  return dynamic_cast<const RnnDecoderConfig*>(model.decoder.get()) != nullptr;
}

MarianSizes export_recurrent(const LoadedModel& model, const fs::path& folder,
                             MarianFormat format) {
  const MarianRecurrentShape shape = marian_recurrent_shape(model.config);
  std::vector<std::string> reasons;
  add_missing_text(model, reasons);
  if (format == MarianFormat::kIntgemm)
    reasons.emplace_back("--format int8 is of a Transformer, expected npz or bin");
  refuse_model(reasons, kMarian);
  return RecurrentModelWriter(model, shape, format).write(folder, format, {});
}

}  // namespace

MarianSizes export_marian(const LoadedModel& model, const fs::path& folder, MarianFormat format,
                          const std::vector<std::string>& lines) {
  if (is_recurrent(model.config.model)) return export_recurrent(model, folder, format);
  const TransformerShape shape =
      standard_transformer(model.config, kMarian, /*with_light_memory=*/true);
  std::vector<std::string> reasons = missing_in_marian(shape, format);
  add_missing_text(model, reasons);
  refuse_model(reasons, kMarian);
  if (format == MarianFormat::kIntgemm && lines.empty())
    throw_error(ErrorKind::kUsage,
                "--calibrate: 8 bits need source lines, from which the scales of activations are "
                "measured; 200 lines are enough");
  if (format == MarianFormat::kIntgemm) warn_of_merges(model);
  const MarianShape marian = marian_shape(shape);
  if (format == MarianFormat::kIntgemm) warn_of_pre_norm(marian);
  return TransformerWriter(model, shape, marian, format).write(folder, format, lines);
}

}  // namespace heed
