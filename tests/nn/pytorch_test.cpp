// Layers against the modules of PyTorch run from Python, outputs and gradients, with their weights
// (scripts/fixtures/torch_modules.py wrote the numbers).
#include <gtest/gtest.h>

#include "holds.h"
#include "nn/attention/builders.h"
#include "nn/attention/staged_config.h"
#include "nn/compare.h"
#include "nn/feed_forward.h"
#include "nn/residual.h"
#include "nn/rms_norm.h"
#include "nn/torch.h"
#include "nn/transition.h"
#include "nn/vocabulary_loss.h"
#include "tensor_lines.h"

namespace heed {
namespace {

// The tensors of one case of the file.
class ModuleCase {
 public:
  explicit ModuleCase(std::string name) : name_(std::move(name)) {}
  Tensor get(const std::string& name) const {
    static const auto numbers = read_tensor_lines("tests/nn/fixtures/torch_modules.txt");
    return numbers.at(name_ + "/" + name);
  }
  Tensor input(const std::string& name) {
    inputs_[name] = get("in/" + name).clone().requires_grad_(true);
    return inputs_[name];
  }
  // Our parameter is theirs, or `count` rows of it from `begin` on; shapes may differ.
  void link(torch::nn::Module& module, const std::string& ours, const std::string& theirs,
            int64_t begin = 0, int64_t count = -1) {
    module.to(torch::kDouble);
    const Link link{parameters_of(module).at(ours), theirs, begin, count};
    const torch::NoGradGuard no_grad;
    link.parameter.copy_(taken(get("weight/" + theirs), link));
    links_.push_back(link);
  }
  void link_linear(torch::nn::Module& module, const std::string& ours, const std::string& theirs) {
    link(module, ours + ".weight", theirs + ".weight");
    link(module, ours + ".bias", theirs + ".bias");
  }
  // The outputs are theirs, and so are the gradients of Σ output · probe.
  void expect_equal(const std::map<std::string, Tensor>& outputs) const {
    Tensor loss = torch::zeros({}, torch::kDouble);
    for (const auto& [name, output] : outputs) {
      expect_close(output, get("out/" + name), kExact, name_ + " " + name);
      loss = loss + (output * get("probe/" + name)).sum();
    }
    loss.backward();
    for (const auto& [name, input] : inputs_) {
      expect_close(input.grad(), get("grad/" + name), kExact, name_ + " gradient of " + name);
    }
    for (const Link& link : links_) {
      expect_close(link.parameter.grad(), taken(get("grad/" + link.theirs), link), kExact,
                   name_ + " gradient of " + link.theirs);
    }
  }

 private:
  struct Link {
    Tensor parameter;
    std::string theirs;
    int64_t begin, count;
  };
  static Tensor taken(const Tensor& theirs, const Link& link) {
    const Tensor part = link.count < 0 ? theirs : theirs.narrow(0, link.begin, link.count);
    return part.reshape(link.parameter.sizes());
  }
  std::string name_;
  std::map<std::string, Tensor> inputs_;
  std::vector<Link> links_;
};

Tensor lengths() { return torch::tensor({5, 3, 1}, torch::kLong); }

class RecurrentModules : public testing::TestWithParam<std::tuple<CellKind, bool>> {};

TEST_P(RecurrentModules, EqualPyTorch) {
  holds("reference", {"encoder: rnn"});
  const auto [kind, both] = GetParam();
  ModuleCase c(std::string(cell_name(kind)) + (both ? "_2_both" : "_1_one"));
  Tensor x = c.input("x");
  std::vector<Tensor> hidden, cell;
  std::vector<std::shared_ptr<RecurrentCell>> cells;
  for (int layer = 0; layer < (both ? 2 : 1); ++layer) {
    std::vector<Tensor> outputs;
    for (const bool backwards : {false, true}) {
      if (backwards && !both) continue;
      const std::string end = "_l" + std::to_string(layer) + (backwards ? "_reverse" : "");
      cells.push_back(std::make_shared<RecurrentCell>(kind, x.size(2), 3, CellNorm::kNone));
      c.link(*cells.back(), "weight_input", "weight_ih" + end);
      c.link(*cells.back(), "weight_hidden", "weight_hh" + end);
      c.link(*cells.back(), "bias_input", "bias_ih" + end);
      c.link(*cells.back(), "bias_hidden", "bias_hh" + end);
      const CellRun run =
          run_transition(Transition(cells.back()), x, lengths(), {.backwards = backwards}, Pass());
      outputs.push_back(run.outputs);
      hidden.push_back(run.final_state.hidden);
      if (kind == CellKind::kLstm) cell.push_back(run.final_state.cell);
    }
    x = torch::cat(outputs, 2);
  }
  std::map<std::string, Tensor> outputs{{"outputs", x}, {"hidden", torch::stack(hidden)}};
  if (!cell.empty()) outputs["cell"] = torch::stack(cell);
  c.expect_equal(outputs);
}

INSTANTIATE_TEST_SUITE_P(All, RecurrentModules,
                         testing::Combine(testing::Values(CellKind::kRnn, CellKind::kLstm,
                                                          CellKind::kGru),
                                          testing::Bool()),
                         [](const auto& variant) {
                           return std::string(cell_name(std::get<0>(variant.param))) +
                                  (std::get<1>(variant.param) ? "_two_layers_both_ways"
                                                              : "_one_layer");
                         });

// Attention of two heads inside a block of width 6, over another sequence or over itself.
struct BlockAttention {
  explicit BlockAttention(Place place, int64_t key, int64_t value)
      : module(build(
            *StagedConfig::with("scaled_dot", 2),
            {.place = place, .query = 6, .source = {.key = key, .value = value}, .block = 6})) {
    Pass pass;
    pass.keep_weights = true;
    state = State(module->layout(), 3, pass, torch::kCPU);
  }
  void link(ModuleCase& c, const std::string& prefix, bool together) {
    const char* ours[] = {"score.query", "score.key", "read.value"};
    const char* theirs[] = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
    for (int64_t i = 0; i < 3; ++i) {
      const std::string weight = std::string(ours[i]) + ".weight";
      if (together) c.link(*module, weight, prefix + "in_proj_weight", 6 * i, 6);
      if (!together) c.link(*module, weight, prefix + theirs[i]);
      c.link(*module, std::string(ours[i]) + ".bias", prefix + "in_proj_bias", 6 * i, 6);
    }
    c.link_linear(*module, "read.output", prefix + "out_proj");
  }
  Attended read(const Tensor& query, const Tensor& key, const Tensor& value) {
    Source source = make_source(key, lengths());
    source.values = value;
    module->start({{"source", source}}, state.view());
    return module->attend(query, positions(query), state.view());
  }
  static Tensor positions(const Tensor& x) {
    return torch::arange(x.size(1), torch::kLong).expand({x.size(0), x.size(1)});
  }
  std::shared_ptr<Attention> module;
  State state;
};

TEST(MultiHeadAttention, EqualsPyTorch) {
  holds("reference", {"attention: staged", "score: scaled_dot", "normalizer: softmax",
                      "read: weighted_sum", "head_combination: concat"});
  ModuleCase c("multi_head");
  BlockAttention attention(Place::kCross, 5, 4);
  attention.link(c, "", false);
  const Attended attended = attention.read(c.input("query"), c.input("key"), c.input("value"));
  c.expect_equal({{"context", attended.context}, {"weights", attended.weights}});
}

TEST(MultiHeadAttention, OverTheOwnPastEqualsPyTorchWithACausalMask) {
  ModuleCase c("causal");
  BlockAttention attention(Place::kDecoderSelf, 6, 6);
  attention.link(c, "", true);
  const Tensor x = c.input("x"), positions = BlockAttention::positions(x);
  const StateView view = attention.state.view();
  c.expect_equal({{"context", attention.module->attend_past(x, x, x, positions, view).context}});
}

TEST(GroupedQueries, EqualPyTorch) {
  ModuleCase c("grouped_queries");
  const auto config = StagedConfig::with("scaled_dot", 4);
  config->key_value_heads = 2;
  const auto attention = build(*config, {.query = 8, .source = {.key = 8, .value = 8}, .block = 8});
  for (const auto& [ours, theirs] : {std::pair{"score.query", "query"},
                                     {"score.key", "key"},
                                     {"read.value", "value"},
                                     {"read.output", "out"}})
    c.link_linear(*attention, ours, theirs);
  State state(attention->layout(), 3, Pass(), torch::kCPU);
  const Tensor query = c.input("query");
  attention->start({{"source", make_source(c.input("key"), lengths())}}, state.view());
  const Tensor positions = BlockAttention::positions(query);
  c.expect_equal({{"context", attention->attend(query, positions, state.view()).context}});
}

TEST(RmsNorm, EqualsPyTorch) {
  ModuleCase c("rms_norm");
  RmsNorm norm(6);
  c.link(norm, "weight", "weight");
  c.expect_equal({{"normed", norm(c.input("x"))}});
}

class TransformerBlocks : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(TransformerBlocks, EqualPyTorch) {
  holds("reference", {"encoder: transformer", "decoder: transformer"});
  const auto& [place, activation] = GetParam();
  ModuleCase c("block_" + place + "_" + activation);
  const NormPlace norm = place == "pre" ? NormPlace::kPre : NormPlace::kPost;
  BlockAttention attention(Place::kEncoderSelf, 6, 6);
  attention.link(c, "self_attn.", true);
  FeedForward feed_forward(6, 7, activation == "relu" ? Activation::kRelu : Activation::kGelu, 0);
  c.link_linear(feed_forward, "inner", "linear1");
  c.link_linear(feed_forward, "outer", "linear2");
  Residual first(6, norm, 0), second(6, norm, 0);
  c.link_linear(first, "norm", "norm1");
  c.link_linear(second, "norm", "norm2");
  const Tensor between = first.forward(
      c.input("x"), Pass(), [&](const Tensor& x) { return attention.read(x, x, x).context; });
  const Tensor states = second.forward(
      between, Pass(), [&](const Tensor& x) { return feed_forward.forward(x, Pass()); });
  const Tensor kept = length_mask(lengths(), 5).unsqueeze(2).to(torch::kDouble);
  c.expect_equal({{"states", states * kept}});
}

INSTANTIATE_TEST_SUITE_P(All, TransformerBlocks,
                         testing::Combine(testing::Values("pre", "post"),
                                          testing::Values("relu", "gelu")),
                         [](const auto& variant) {
                           return std::get<0>(variant.param) + "_" + std::get<1>(variant.param);
                         });

TEST(CrossEntropy, EqualsPyTorch) {
  holds("reference", {"output: vocabulary"});
  holds({"train.label_smoothing"});
  for (const double smoothing : {0.0, 0.1}) {
    ModuleCase c(smoothing > 0 ? "cross_entropy_smoothed" : "cross_entropy_plain");
    const auto loss = vocabulary_loss(c.input("hidden"), c.input("vocabulary"), c.input("bias"),
                                      c.get("targets").to(torch::kLong), smoothing);
    c.expect_equal({{"loss", loss.loss.view({1})}});
  }
}

}  // namespace
}  // namespace heed
