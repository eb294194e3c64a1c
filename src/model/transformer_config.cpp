#include "model/transformer_config.h"

#include <set>

#include "base/error.h"
#include "config/kinds_in.h"
#include "config/sizes.h"

namespace heed {

void TransformerSettings::common_fields(Fields& f) {
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths, "width of the model");
  f.field("feed_forward", feed_forward, kWidths, "width of the position-wise feed-forward layers");
  f.choice(
      "activation", activation, activation_words(),
      "activation of the feed-forward layers; silu: x·σ(x), also called swish; gated, gated_gelu: "
      "gated linear units with silu (SwiGLU) and gelu (GEGLU; Shazeer 2020); gated_gelu_tanh: with "
      "the approximation of gelu by tanh (T5 1.1, MADLAD-400)");
  f.choice(
      "norm", norm, norm_place_words(),
      "normalization before each sublayer or after its residual connection; for deep models "
      "also after it: deep, DeepNorm, norm(α x + f(x)) and smaller initial weights (Wang 2022); "
      "admin, norm(ω ∘ x + f(x)), where the first batch initializes ω (Liu 2020)");
  f.choice("norm_type", norm_type, norm_type_words(),
           "layer normalization, or RMSNorm, without mean and bias (Zhang 2019)");
  f.field("final_norm", final_norm, "with norm: pre, normalization behind the last layer");
  position_fields(f);
  f.field("scale_embedding", scale_embedding,
          "multiply embeddings by the square root of their width");
  f.field("embedding_norm", embedding_norm,
          "normalize the embeddings with their positions (BART, mBART)");
  f.field("dropout", dropout, kDropout,
          "dropout probability after embeddings, attention and feed-forward layers");
  f.field("activation_dropout", activation_dropout, kDropout,
          "dropout probability inside the feed-forward layers");
  f.field("layer_dropout", layer_dropout, kDropout,
          "LayerDrop (Fan 2020): probability that a layer is left out of an update; the layer "
          "of a decoder whose weights over the source are used for alignments and copying never "
          "is");
  f.one_of("self_attention", self_attention, attentions(), "self-attention");
  f.map("self_attention_by_layer", self_attention_by_layer,
        "self-attention of some layers, by number or range: {1-2: {…}, 6: {…}}");
  f.may_change(ChangeAt::kPhase, {"dropout", "activation_dropout", "layer_dropout"});
  f.peers("width", {.joeynmt = "hidden_size",
                    .opennmt = "hidden_size",
                    .marian = "dim-emb",
                    .also = "hid_dim, rnn_size, d_model"});
  f.peers("feed_forward", {.joeynmt = "ff_size",
                           .opennmt = "transformer_ff",
                           .marian = "transformer-dim-ffn",
                           .also = "d_ff"});
  f.peers("norm",
          {.joeynmt = "layer_norm", .marian = "transformer-preprocess, transformer-postprocess"});
  f.peers("norm_type: rms", {.opennmt = "layer_norm: rms"});
  f.peers("final_norm",
          {.joeynmt = "layer_norm", .marian = "transformer-preprocess, transformer-postprocess"});
  f.peers("positions", {.opennmt = "position_encoding"});
  f.peers("dropout", {.joeynmt = "dropout", .opennmt = "dropout", .marian = "transformer-dropout"});
  f.peers("layer_dropout", {});
  f.peers("self_attention.heads", kHeadPeers);
  f.peers("self_attention.dropout", kWeightDropoutPeers);
}

void TransformerSettings::check_self_attention(const AttentionDims& dims,
                                               Problems& problems) const {
  ProblemsAt at_all(problems, "self_attention"), at_layers(problems, "self_attention_by_layer");
  self_attention->check(dims, at_all);
  check_each(self_attention_by_layer, layers, at_layers,
             [&dims](const AttentionConfig& own, Problems& at) { own.check(dims, at); });
}

// Notes each score, term or read-out that encodes positions itself.
std::vector<std::string> TransformerSettings::notes() const {
  if (positions->kind == PositionKind::kNone) return {};
  std::set<std::string> kinds;
  const auto add_kind = [&kinds](const std::string&, const Settings& kind) {
    const auto* stage = dynamic_cast<const StageConfig*>(&kind);
    if (stage != nullptr && stage->encodes_positions()) kinds.insert(stage->type);
  };
  visit_kinds(*self_attention, add_kind);
  for (const auto& [layers, own] : self_attention_by_layer) visit_kinds(*own.attention, add_kind);
  std::vector<std::string> notes;
  const char* added = positions->kind == PositionKind::kLearned ? "learned" : "sinusoidal";
  for (const std::string& kind : kinds) {
    notes.push_back(fmt::format(
        "positions: {} positions are added to the embeddings beside {}, whose paper adds none: "
        "positions: none",
        added, kind));
  }
  return notes;
}

AttentionDims TransformerSettings::self_dims(Place place) const {
  return {.place = place, .query = width, .source = {.key = width, .value = width}, .block = width};
}

}  // namespace heed
