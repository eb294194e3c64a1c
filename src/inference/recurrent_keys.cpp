#include "inference/recurrent_keys.h"

#include <string>

#include "config/older.h"
#include "config/sizes.h"

namespace heed {

namespace {

using Bridge = RecurrentDecoderShape::Bridge;
using ReadOut = RecurrentDecoderShape::ReadOut;
using Score = RecurrentAttentionShape::Score;

const Words<Cell>& cells() {
  static const Words<Cell> words = {
      {"rnn", Cell::kRnn}, {"lstm", Cell::kLstm}, {"gru", Cell::kGru}};
  return words;
}

struct RecurrentEncoderKeys final : PlainKeys {
  RecurrentEncoderShape shape;
  int64_t transition_depth = 1;
  bool layer_norm = false;
  double dropout = 0, variational_dropout = 0;  // used in training only, as is their mask
  std::string dropout_mask;
  void fields(Fields& f) const override {
    f.choice("cell", shape.cell, cells(), kNoHelp);
    f.field("layers", shape.layers, kLayers, kNoHelp);
    f.field("transition_depth", transition_depth, kRounds, kNoHelp);
    f.field("width", shape.width, kWidths, kNoHelp);
    f.field("bidirectional", shape.bidirectional, kNoHelp);
    f.field("residual", shape.residual, kNoHelp);
    f.field("layer_norm", layer_norm, kNoHelp);
    f.field("dropout", dropout, kDropout, kNoHelp);
    f.field("dropout_mask", dropout_mask, kNoHelp);
    f.field("variational_dropout", variational_dropout, kDropout, kNoHelp);
    f.field("reverse", shape.reverse, kNoHelp);
  }
};

struct RecurrentDecoderKeys final : PlainKeys {
  enum class Preset { kBahdanau, kLuong };  // its settings are written as well
  RecurrentDecoderShape shape;
  Preset preset = Preset::kBahdanau;
  std::optional<std::string> bridge_from;  // the only source
  int64_t transition_depth = 1;
  std::optional<int64_t> base_transition_depth;
  bool deep_context = false;
  bool layer_norm = false;
  double dropout = 0, variational_dropout = 0;
  std::string dropout_mask;
  std::shared_ptr<AttentionKeys> attention;
  std::shared_ptr<PlainKeys> past;
  void fields(Fields& f) const override {
    static const Words<Preset> presets = {{"bahdanau", Preset::kBahdanau},
                                          {"luong", Preset::kLuong}};
    static const Words<bool> attend = {{"before", true}, {"after", false}};
    static const Words<ReadOut> readouts = {
        {"tanh", ReadOut::kTanh}, {"maxout", ReadOut::kMaxout}, {"linear", ReadOut::kLinear}};
    static const Words<Bridge> bridges = {{"none", Bridge::kNone},
                                          {"last", Bridge::kLast},
                                          {"tanh", Bridge::kTanh},
                                          {"shared", Bridge::kShared}};
    f.choice("preset", preset, presets, kNoHelp);
    f.choice("cell", shape.cell, cells(), kNoHelp);
    f.field("layers", shape.layers, kLayers, kNoHelp);
    f.field("transition_depth", transition_depth, kRounds, kNoHelp);
    f.field("base_transition_depth", base_transition_depth, kRounds, kNoHelp);
    f.field("width", shape.width, kWidths, kNoHelp);
    f.choice("attend", shape.attends_before, attend, kNoHelp);
    f.field("deep_context", deep_context, kNoHelp);
    f.field("input_feeding", shape.input_feeding, kNoHelp);
    earlier(f, "readout", shape.readout, ReadOut::kTanh);
    f.choice("readout", shape.readout, readouts, kNoHelp);
    f.field("deep_output", shape.deep_output, kNoHelp);
    f.choice("bridge", shape.bridge, bridges, kNoHelp);
    f.field("bridge_from", bridge_from, kNoHelp);
    f.field("residual", shape.residual, kNoHelp);
    f.field("layer_norm", layer_norm, kNoHelp);
    f.field("dropout", dropout, kDropout, kNoHelp);
    f.field("dropout_mask", dropout_mask, kNoHelp);
    f.field("variational_dropout", variational_dropout, kDropout, kNoHelp);
    f.one_of("attention", attention, attention_key_kinds(), kNoHelp);
    f.one_of("past", past, no_kinds(), kNoHelp, true);
  }
};

bool is_supported(const RecurrentEncoderKeys& keys) {
  return !keys.layer_norm && keys.transition_depth == 1;
}
bool is_supported(const RecurrentDecoderKeys& keys) {
  return !keys.layer_norm && !keys.deep_context && keys.transition_depth == 1 &&
         keys.base_transition_depth.value_or(1) == 1;
}

void take_product(const ProductScoreKeys& keys, RecurrentAttentionShape& shape) {
  shape.score = Score::kDot;
  shape.projects = keys.project.value_or(shape.heads > 1);
  shape.scales = keys.type == "scaled_dot";
  if (shape.projects && keys.width > 0) shape.width = keys.width;
}

// query: width of the queries.
std::optional<RecurrentAttentionShape> attention_shape_of(const StagedKeys& keys, int64_t query) {
  RecurrentAttentionShape shape;
  shape.heads = keys.heads;
  shape.width = query;
  shape.projects_values =
      static_cast<const WeightedSumKeys&>(*keys.read).project.value_or(keys.heads > 1);
  if (const auto* product = dynamic_cast<const ProductScoreKeys*>(keys.score.get())) {
    take_product(*product, shape);
  } else if (const auto* additive = dynamic_cast<const AdditiveScoreKeys*>(keys.score.get())) {
    if (additive->normalize) return std::nullopt;
    shape.score = Score::kAdditive;
    shape.width = additive->hidden;
    shape.query_bias = additive->type == "additive";
  } else {
    shape.score = Score::kGeneral;
  }
  return shape;
}

// True if the widths fit one another, as in every model that can be trained.
bool is_consistent(const RecurrentShape& shape) {
  const RecurrentAttentionShape& attention = shape.attention;
  const bool copies = shape.decoder.bridge == Bridge::kLast;
  return (!shape.encoder.bidirectional || shape.encoder.width % 2 == 0) &&
         attention.width % attention.heads == 0 && shape.encoder.width % attention.heads == 0 &&
         (attention.score != Score::kDot || attention.projects ||
          shape.encoder.width == shape.decoder.width) &&
         (!copies ||
          (shape.encoder.width == shape.decoder.width && shape.encoder.cell == shape.decoder.cell &&
           shape.encoder.layers == shape.decoder.layers));
}

}  // namespace

Kind<PlainKeys> recurrent_encoder_keys() {
  return kind<RecurrentEncoderKeys, PlainKeys>("rnn", kNoHelp);
}

Kind<PlainKeys> recurrent_decoder_keys() {
  return kind<RecurrentDecoderKeys, PlainKeys>("rnn", kNoHelp);
}

std::optional<RecurrentShape> recurrent_shape_of(const VocabularyShape& vocabulary,
                                                 const PlainKeys& encoder_keys,
                                                 const PlainKeys& decoder_keys) {
  const auto* encoder = dynamic_cast<const RecurrentEncoderKeys*>(&encoder_keys);
  const auto* decoder = dynamic_cast<const RecurrentDecoderKeys*>(&decoder_keys);
  if (encoder == nullptr || decoder == nullptr || !is_supported(*encoder) ||
      !is_supported(*decoder))
    return std::nullopt;
  const auto attention =
      attention_shape_of(static_cast<const StagedKeys&>(*decoder->attention), decoder->shape.width);
  if (!attention) return std::nullopt;
  const RecurrentShape shape{vocabulary, encoder->shape, decoder->shape, *attention};
  return is_consistent(shape) ? std::optional(shape) : std::nullopt;
}

}  // namespace heed
