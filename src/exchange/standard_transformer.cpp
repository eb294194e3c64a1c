#include "exchange/standard_transformer.h"

#include "base/error.h"
#include "config/writer.h"
#include "inference/engine_shape.h"

namespace heed {

namespace {

struct Expected {
  const char *key, *value;
};
// Settings of a standard Transformer. Keys that a model does not have are not compared.
constexpr Expected kStandard[] = {
    {"model.encoder.type", "transformer"},
    {"model.decoder.type", "transformer"},
    {"model.output.type", "vocabulary"},
    {"model.encoder.norm_type", "layer"},
    {"model.decoder.norm_type", "layer"},
    {"model.encoder.embedding_norm", "false"},
    {"model.decoder.embedding_norm", "false"},
    {"model.encoder.self_attention.type", "staged"},
    {"model.decoder.self_attention.type", "staged"},
    {"model.decoder.attention.type", "staged"},
    {"model.encoder.self_attention.score.type", "scaled_dot"},
    {"model.decoder.self_attention.score.type", "scaled_dot"},
    {"model.decoder.attention.score.type", "scaled_dot"},
    {"model.encoder.self_attention.score.query_key_norm.type", "none"},
    {"model.decoder.self_attention.score.query_key_norm.type", "none"},
    {"model.decoder.attention.score.query_key_norm.type", "none"},
    {"model.encoder.self_attention.normalizer.type", "softmax"},
    {"model.decoder.self_attention.normalizer.type", "softmax"},
    {"model.decoder.attention.normalizer.type", "softmax"},
};

constexpr const char* kInPlaceOfLightMemory =
    "; Marian's format has it (heed export marian), "
    "a packed model of heed runs it (heed pack), and "
    "a student for this format is trained with `self_attention: {heads: N}` in the decoder";

bool is_light_memory(const std::string& key, const std::string& type) {
  return key == "model.decoder.self_attention.type" && (type == "ssru" || type == "average");
}

std::vector<std::string> unusual_settings(const SavedModelConfig& config, bool with_light_memory) {
  const FlatConfig settings = flatten_config(config);
  std::vector<std::string> reasons;
  for (const auto& [key, expected] : kStandard) {
    const auto found = settings.find(key);
    if (found == settings.end() || (with_light_memory && is_light_memory(key, found->second)))
      continue;
    if (found->second == expected) continue;
    const bool is_light = is_light_memory(key, found->second);
    reasons.push_back(fmt::format("{} is {}, expected {}{}", key, found->second, expected,
                                  is_light ? kInPlaceOfLightMemory : ""));
  }
  for (const char* key : {"model.encoder.norm", "model.decoder.norm"}) {
    const auto norm = settings.find(key);
    if (norm != settings.end() && norm->second != "pre" && norm->second != "post")
      reasons.push_back(fmt::format("{} is {}, expected pre or post", key, norm->second));
  }
  if (config.sources.size() != 1)
    reasons.push_back(fmt::format("it has {} sources, expected one", config.sources.size()));
  if (!config.tags.empty()) reasons.emplace_back("its data have tags");
  if (!config.model.embedding.source_factors.empty())
    reasons.emplace_back("model.embedding.source_factors: it has source factors");
  return reasons;
}

// The heads of an attention; 0 if it is none.
int64_t heads_of(const SelfAttentionShape& attention) {
  const auto* heads = std::get_if<MultiHeadShape>(&attention);
  return heads == nullptr ? 0 : heads->heads;
}

// True if all layers have the attention of Vaswani et al. 2017 with the same number of heads, and
// alignments are those of the last layer.
bool has_standard_attention(const TransformerShape& shape, bool with_light_memory) {
  const auto is_standard = [&](const SelfAttentionShape& own, int64_t width, int64_t heads) {
    if (with_light_memory && !std::holds_alternative<MultiHeadShape>(own))
      return own == shape.decoder.self_attention.front();
    return heads > 0 && own == SelfAttentionShape(standard_attention(width, heads));
  };
  for (const StackShape* stack : {&shape.encoder.stack(), &shape.decoder}) {
    for (const SelfAttentionShape& own : stack->self_attention) {
      if (!is_standard(own, stack->width, self_heads(*stack))) return false;
    }
  }
  for (const auto& own : shape.cross_attention) {
    if (!own || !is_standard(*own, shape.decoder.width, cross_heads(shape))) return false;
  }
  if (with_light_memory) return true;
  return shape.aligned_layer + 1 == shape.decoder.layers() && shape.aligned_heads.empty();
}

}  // namespace

int64_t self_heads(const StackShape& stack) { return heads_of(stack.self_attention.front()); }

int64_t cross_heads(const TransformerShape& shape) {
  const auto& own = shape.cross_attention.front();
  return own ? own->heads : 0;
}

void refuse_model(const std::vector<std::string>& reasons, const std::string& format) {
  if (!reasons.empty())
    throw_error(ErrorKind::kUsage, "{} cannot hold this model: {}", format,
                fmt::format("{}", fmt::join(reasons, "; ")));
}

TransformerShape standard_transformer(const SavedModelConfig& config, const std::string& format,
                                      bool with_light_memory) {
  refuse_model(unusual_settings(config, with_light_memory), format);
  const auto engine = engine_shape(config);
  const auto* shape = engine ? std::get_if<TransformerShape>(&*engine) : nullptr;
  if (shape == nullptr || !has_standard_attention(*shape, with_light_memory))
    refuse_model({"its attention has terms, other projections, fewer heads of keys or further "
                  "layers, expected "
                  "multi-head scaled dot-product attention (heed inspect --config shows it)"},
                 format);
  for (const auto& [name, stack] :
       {std::pair("encoder", &shape->encoder.stack()), std::pair("decoder", &shape->decoder)}) {
    if (stack->post_norm() || stack->final_norm) continue;
    refuse_model({fmt::format("model.{}.final_norm is false", name)}, format);
  }
  return *shape;
}

std::vector<std::string> mixed_dimensions(const TransformerShape& shape) {
  std::vector<std::string> reasons;
  if (shape.vocabulary.embedding != shape.encoder.stack().width ||
      shape.encoder.stack().width != shape.decoder.width)
    reasons.push_back(
        fmt::format("embedding, encoder and decoder are {}, {} and {} wide, expected "
                    "one width",
                    shape.vocabulary.embedding, shape.encoder.stack().width, shape.decoder.width));
  if (self_heads(shape.decoder) != cross_heads(shape))
    reasons.push_back(
        fmt::format("the decoder has {} heads of self-attention and {} over the "
                    "source, expected one number",
                    self_heads(shape.decoder), cross_heads(shape)));
  if (shape.encoder.stack().post_norm() != shape.decoder.post_norm())
    reasons.emplace_back("model.encoder.norm and model.decoder.norm differ");
  return reasons;
}

}  // namespace heed
