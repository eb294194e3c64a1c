#include "exchange/ctranslate2_layers.h"

#include "nn/torch.h"

#include <cmath>

#include "base/error.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

// Numbered as in python/ctranslate2/specs/common_spec.py.
constexpr int kRelu = 0, kSilu = 2, kGelu = 3, kGeluSigmoid = 4;
constexpr const char* kActivationNames[] = {
    "relu", "gelu by tanh", "swish", "gelu", "gelu by sigmoid", "tanh", "sigmoid"};
// gelu by a sigmoid: x·σ(1.702 x), which is silu(1.702 x) / 1.702.
constexpr double kSigmoidFactor = 1.702;

std::string activation_name(double number) {
  const bool is_known = number >= 0 && number < static_cast<double>(std::size(kActivationNames));
  return is_known ? kActivationNames[static_cast<size_t>(number)] : "unknown";
}

void read_activation(CTranslate2Weights& weights, CTranslate2Stack& stack,
                     std::vector<std::string>& problems) {
  const std::string name = stack.scope + "/activation";
  const double number = weights.number(name).value_or(kRelu);
  const bool is_gated = weights.has(stack.layer(0) + "/ffn/linear_0_noact/weight");
  if (is_gated) {
    stack.activation = number == kGelu ? "gated_gelu" : "gated";
    if (number != kSilu && number != kGelu)
      problems.push_back(
          fmt::format("{} is {} ({}) in gated layers, expected {} (swish) or {} "
                      "(gelu)",
                      name, number, activation_name(number), kSilu, kGelu));
  } else if (number == kRelu) {
    stack.activation = "relu";
  } else if (number == kGelu) {
    stack.activation = "gelu";
  } else if (number == kSilu || number == kGeluSigmoid) {
    stack.activation = "silu";
    if (number == kGeluSigmoid) stack.inner_factor = kSigmoidFactor;
  } else {
    problems.push_back(fmt::format("{} is {} ({}), expected relu, swish, gelu or gelu by sigmoid",
                                   name, number, activation_name(number)));
  }
}

// A flag, or the factor itself.
void read_scale(CTranslate2Weights& weights, CTranslate2Stack& stack,
                std::vector<std::string>& problems) {
  std::string name = stack.scope + "/scale_embeddings";
  if (!weights.has(name)) name = embeddings_of(weights, stack.scope) + "/multiply_by_sqrt_depth";
  const double root = std::sqrt(static_cast<double>(stack.width));
  const bool is_flag = weights.has(name) && weights.type(name) == torch::kChar;
  const double value = weights.number(name).value_or(root);
  if (!std::isfinite(value))
    problems.push_back(fmt::format("{} is {}, expected a number", name, value));
  constexpr double kRounding = 1e-6;
  stack.is_scaled_by_root = is_flag ? value != 0 : std::abs(value - root) < kRounding * root;
  if (!is_flag && !stack.is_scaled_by_root) stack.embedding_factor = value;
}

}  // namespace

std::string CTranslate2Stack::layer(int64_t i) const {
  return fmt::format("{}/layer_{}", scope, i);
}
std::string CTranslate2Stack::own_layer(int64_t i) const { return names::layer(own, i); }

std::string CTranslate2Stack::config() const {
  const std::string score =
      clip ? fmt::format("{{type: relative, clip: {}}}", *clip) : "scaled_dot";
  return fmt::format(
      "type: transformer, layers: {}, width: {}, feed_forward: {}, activation: {}, norm: {}, "
      "final_norm: {}, positions: {}, scale_embedding: {}, self_attention: {{score: {}, heads: "
      "{}}}",
      layers, width, hidden, activation, pre_norm ? "pre" : "post", final_norm || !pre_norm,
      positions, is_scaled_by_root, score, heads);
}

std::string embeddings_of(const CTranslate2Weights& weights, const std::string& scope) {
  const std::string first = scope + "/embeddings_0";
  return weights.has(first + "/weight") ? first : scope + "/embeddings";
}

CTranslate2Stack read_ctranslate2_stack(CTranslate2Weights& weights, const std::string& scope,
                                        const std::string& own,
                                        std::vector<std::string>& problems) {
  CTranslate2Stack stack{.scope = scope, .own = own};
  while (weights.has_below(stack.layer(stack.layers) + "/")) ++stack.layers;
  if (stack.layers == 0)
    throw_error(ErrorKind::kModel, "{}: the {} has no layers", weights.path().string(), scope);
  constexpr int64_t kDefaultHeads = 8;
  stack.width = weights.columns(embeddings_of(weights, scope) + "/weight");
  stack.hidden = weights.rows(stack.layer(0) + "/ffn/linear_0/weight");
  stack.heads = weights.whole(scope + "/num_heads", kDefaultHeads);
  stack.pre_norm = weights.number(scope + "/pre_norm").value_or(1) != 0;
  stack.final_norm = stack.pre_norm && weights.has(scope + "/layer_norm/gamma");
  if (stack.width % stack.heads != 0)
    problems.push_back(
        fmt::format("the {} has {} heads, but a width of {}", scope, stack.heads, stack.width));
  read_activation(weights, stack, problems);
  read_scale(weights, stack, problems);
  return stack;
}

}  // namespace heed
