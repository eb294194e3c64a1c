// The recurrent encoder and decoder equal their equations: plain loops over the cells and the
// attention of tests/reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "config/reader.h"
#include "config/writer.h"
#include "holds.h"
#include "model/builders.h"
#include "model/decoders/rnn_config.h"
#include "model/reference_parts.h"
#include "model/seq2seq.h"
#include "nn/attention/staged_config.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "reference/attention.h"

namespace heed {
namespace {

using reference::Vector;
constexpr int64_t kWords = 5, kInput = 3, kCellWidth = 4;

struct Case {
  const char* name;
  std::string kind, settings;
  bool has(const char* part) const { return settings.find(part) != std::string::npos; }
  Pass pass() const { return has("dropout") ? Pass::for_training(3, 5) : Pass(); }
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.settings; }

reference::Cell cell_of(const Parameters& p, const std::string& name, const Case& c) {
  reference::Cell cell = heed::cell_of(p, name, c.kind);
  cell.reset_before = c.has("reset: before");
  return cell;
}
std::vector<reference::Cell> cells_of(const Parameters& p, const std::string& name, const Case& c,
                                      int from = 1) {
  std::vector<reference::Cell> cells = heed::cells_of(p, name, c.kind, from);
  for (reference::Cell& cell : cells) cell.reset_before = c.has("reset: before");
  return cells;
}

Rows rows_of(const Tensor& x, int64_t count) {
  Rows rows;
  for (int64_t i = 0; i < count; ++i) rows.push_back(vector_of(x[i]));
  return rows;
}
// mask: empty where there is none
Vector times_mask(const Vector& x, const Vector& mask) {
  return mask.empty() ? x : reference::times(x, mask);
}
// Bahdanau et al. 2015, appendix A.2.2: t_j = max(t~_{2j-1}, t~_{2j}).
Vector maxout_of(const Vector& x) {
  Vector y;
  for (size_t j = 0; j + 1 < x.size(); j += 2) y.push_back(std::max(x[j], x[j + 1]));
  return y;
}

// Two layers of width 4; a decoder gets an encoder whose last state fits.
ModelConfig config_of(const std::string& part, const Case& c) {
  const std::string rnn = ": {type: rnn, width: 4, layers: 2, cell: " + c.kind;
  const std::string encoder = part == "decoder" ? "encoder" + rnn + "}, " : "";
  ModelConfig config;
  read_config_text("{embedding: {width: 3}, " + encoder + part + rnn + ", " + c.settings + "}}",
                   c.name, config);
  return config;
}

class RecurrentEncoders : public testing::TestWithParam<Case> {
 protected:
  // outputs: those of the last layer; last: the final state of each layer.
  struct Encoded {
    Rows outputs;
    std::vector<reference::CellState> last;
  };
  // masks: of the outputs of each layer, for all positions
  static Encoded expected(const Parameters& p, Rows x, const Rows& masks) {
    const bool both = !GetParam().has("bidirectional: false");
    Encoded result;
    if (GetParam().has("reverse: true")) std::reverse(x.begin(), x.end());
    for (size_t layer = 0; layer < 2; ++layer) {
      std::vector<reference::Run> runs;
      for (const char* direction : {"_forward", "_backward"}) {
        if (!both && !runs.empty()) break;
        const std::string name = "layer_" + std::to_string(layer) + direction;
        runs.push_back(reference::run(cells_of(p, name, GetParam()), matrix_of_rows(x), x.size(),
                                      !runs.empty()));
      }
      result.last.emplace_back();
      for (const reference::Run& run : runs) {
        result.last.back().h = joined({result.last.back().h, run.last.h});
        result.last.back().c = joined({result.last.back().c, run.last.c});
      }
      for (size_t s = 0; s < x.size(); ++s) {
        Vector output = runs[0].outputs.row(s);
        if (both) output = joined({output, runs[1].outputs.row(s)});
        const bool residual = layer > 0 && GetParam().has("residual: true");
        x[s] = times_mask(residual ? reference::sum(output, x[s]) : output, masks[layer]);
      }
    }
    if (GetParam().has("reverse: true")) std::reverse(x.begin(), x.end());
    result.outputs = x;
    return result;
  }
};

TEST_P(RecurrentEncoders, EqualTheEquations) {
  holds_not("reference", {{"encoder: embeddings", "the embeddings as they are"},
                          {"encoder: none", "no network"},
                          {"encoder: shared", "no network of its own"}});
  holds("reference", {"encoder: rnn"});
  const auto encoder = build(*config_of("encoder", GetParam()).encoder, kInput, 0);
  fill(*encoder);
  const Tensor x = uniform({3, kWords, kInput}, "x");
  SourceBatch source;
  source.lengths = torch::tensor({5, 3, 1}, torch::kLong);
  source.mask = length_mask(source.lengths, kWords);
  EncoderOutput output;
  const EncodedSource encoded = encoder->encode(x, source, GetParam().pass(), output);
  const Pass same = GetParam().pass();
  std::vector<Tensor> masks;  // [R,W]
  for (int layer = 0; layer < 2; ++layer)
    masks.push_back(same.training ? dropout_mask({3, kCellWidth}, 0.5, x, same)
                                  : torch::ones({3, kCellWidth}));
  for (int64_t r = 0; r < 3; ++r) {
    const int64_t length = source.lengths[r].item<int64_t>();
    const Encoded row = expected(parameters_of(*encoder), rows_of(x[r], length),
                                 {vector_of(masks[0][r]), vector_of(masks[1][r])});
    expect_close(encoded.source.keys[r].narrow(0, 0, length),
                 tensor_of(matrix_of_rows(row.outputs)), kExact, "states");
    for (size_t layer = 0; layer < 2; ++layer) {
      expect_close(encoded.final_state.hidden[layer][r], tensor_of(row.last[layer].h), kExact,
                   "last state");
      if (GetParam().kind != "lstm") continue;
      expect_close(encoded.final_state.cell[layer][r], tensor_of(row.last[layer].c), kExact,
                   "last cell");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, RecurrentEncoders,
    testing::Values(
        Case{"rnn", "rnn", "bidirectional: true"}, Case{"lstm", "lstm", "bidirectional: true"},
        Case{"gru", "gru", "bidirectional: true"}, Case{"one_way", "lstm", "bidirectional: false"},
        Case{"residual", "lstm", "residual: true"}, Case{"layer_norm", "lstm", "layer_norm: true"},
        Case{"deep_gru", "gru", "transition_depth: 3"},
        Case{"deep_lstm", "lstm", "transition_depth: 2, layer_norm: true"},
        Case{"reset_before", "gru", "reset: before"},
        Case{"reset_before_layer_norm", "gru", "reset: before, layer_norm: true"},
        Case{"reset_before_deep", "gru", "reset: before, transition_depth: 2"},
        Case{"dropout", "lstm", "dropout: 0.5, dropout_mask: sequence"},
        Case{"reverse", "gru", "reverse: true"},
        Case{"reverse_one_way", "lstm", "bidirectional: false, reverse: true"}),
    [](const auto& variant) { return variant.param.name; });

// One sentence of the decoder, token by token.
class DecoderByEquations {
 public:
  DecoderByEquations(const Case& c, Parameters p, const Rows& source, const Rows& last_hidden,
                     const Rows& last_cell, std::map<std::string, Vector> masks)
      : case_(c), p_(std::move(p)), source_(matrix_of_rows(source)), masks_(std::move(masks)) {
    for (size_t layer = 0; layer < 2; ++layer) {
      const bool is_lstm = case_.kind == "lstm";
      if (case_.has("bridge: shared")) {
        const Vector first = tanh_of(linear("bridge", last_hidden[1]));
        layers_.push_back({first, is_lstm ? first : Vector()});
        continue;
      }
      layers_.push_back({bridged(last_hidden[layer], 2 * layer),
                         is_lstm ? bridged(last_cell[layer], 2 * layer + 1) : Vector()});
    }
    fed_ = Vector(case_.has("output_width: 3") ? 3 : kCellWidth, 0.0);
    fed_context_ = Vector(kCellWidth, 0.0);
  }

  // Input of the output layer after the token `e`.
  Vector step(const Vector& e) {
    const bool conditional = case_.has("attend: conditional");
    const bool after = case_.has("attend: after");
    const bool deep = case_.has("deep_context: true");
    Vector context = after || conditional ? Vector() : attended(read(layers_[deep ? 0 : 1]));
    const bool merges = case_.has("context_feeding: true");
    input_ = merges ? linear("merge", joined({e, fed_context_})) : e;
    Vector x = joined({input_, context});
    const Vector before = layers_[1].h;
    if (case_.has("input_feeding: true")) x = joined({x, fed_});
    for (size_t layer = 0; layer < 2; ++layer) {
      if (conditional && layer == 0) {
        const Vector masks = masks_["state_mask_0"];
        const auto of_cells = [&](size_t from, size_t to) {
          return masks.empty() ? masks : reference::part(masks, from * kCellWidth, to * kCellWidth);
        };
        layers_[0] = reference::step(cell_of(p_, "layer_0", case_), x, layers_[0], of_cells(0, 1));
        context = attended(read(layers_[0]));
        layers_[0] = reference::step(cells(0, 2), context, layers_[0],
                                     of_cells(1, masks.size() / kCellWidth));
      } else {
        x = times_mask(x, masks_[fmt::format("input_mask_{}", layer)]);
        const Vector input = deep && layer > 0 ? joined({x, context}) : x;
        layers_[layer] = reference::step(cells(layer), input, layers_[layer],
                                         masks_[fmt::format("state_mask_{}", layer)]);
      }
      const bool residual = layer > 0 && case_.has("residual: true");
      x = residual ? reference::sum(layers_[layer].h, x) : layers_[layer].h;
      if (after && layer == (deep ? 0 : 1)) context = attended(read({x, layers_[layer].c}));
    }
    fed_context_ = context;
    state_ = read({x, layers_[1].c});
    if (case_.has("output_activation: none")) return fed_ = times_mask(x, masks_["output_mask"]);
    Vector parts = joined({case_.has("output_state: previous") ? before : x, context});
    if (!case_.has("deep_output: false")) parts = joined({parts, e});
    const Vector output = linear("output", parts);
    if (case_.has("output_activation: linear"))
      return fed_ = times_mask(output, masks_["output_mask"]);
    const bool tanh = case_.has("output_activation: tanh");
    return fed_ = times_mask(tanh ? tanh_of(output) : maxout_of(output), masks_["output_mask"]);
  }
  // x_t and s_t of the last step.
  const Vector& input() const { return input_; }
  const Vector& state() const { return state_; }

 private:
  std::vector<reference::Cell> cells(size_t layer, int from = 1) const {
    return cells_of(p_, fmt::format("layer_{}", layer), case_, from);
  }
  Vector linear(const std::string& name, const Vector& x) const { return linear_of(p_, name, x); }
  // What the attention reads of a state.
  Vector read(const reference::CellState& state) const {
    return case_.has("read_state: hidden_and_cell") ? joined({state.h, state.c}) : state.h;
  }
  Vector bridged(const Vector& last, size_t part) const {
    if (case_.has("bridge: none")) return Vector(kCellWidth, 0.0);
    if (case_.has("bridge: last")) return last;
    const bool backward = case_.has("bridge: backward");  // the second half
    Vector projected = linear("bridge_" + std::to_string(part),
                              reference::part(last, backward ? kCellWidth / 2 : 0, kCellWidth));
    if (!case_.has("bridge: relu")) return tanh_of(projected);
    for (double& v : projected) v = std::max(v, 0.0);
    return projected;
  }
  Vector attended(const Vector& query) const {
    if (case_.has("attention: none")) return {};
    const auto scores = reference::scores(
        matrix_of_rows({query}), source_, [this](const Vector& q, const Vector& k) {
          return reference::additive_score(q, k, matrix_of(p_.at("attention.score.query.weight")),
                                           matrix_of(p_.at("attention.score.key.weight")),
                                           vector_of(p_.at("attention.score.query.bias")),
                                           vector_of(p_.at("attention.score.v")));
        });
    const reference::Mask open(1, std::vector<bool>(source_.rows, true));
    return reference::weighted_sum(reference::softmax(scores, open), source_).row(0);
  }

  Case case_;
  Parameters p_;
  reference::Matrix source_;
  std::map<std::string, Vector> masks_;  // by state entry
  std::vector<reference::CellState> layers_;
  Vector fed_, fed_context_, input_, state_;
};

class RecurrentDecoders : public testing::TestWithParam<Case> {
 protected:
  // Dropout masks of row r, by state entry.
  static std::map<std::string, Vector> masks_of(const State& state, int64_t r) {
    std::map<std::string, Vector> masks;
    for (const auto& [name, tensor] : state.contents()) {
      if (name.find("_mask") == std::string::npos || !tensor.defined()) continue;
      EXPECT_TRUE((tensor.eq(0) | tensor.eq(2)).all().item<bool>()) << name;
      EXPECT_FALSE(tensor.eq(tensor.flatten()[0]).all().item<bool>()) << name;
      masks[name] = vector_of(tensor[r]);
    }
    EXPECT_EQ(masks.size(), GetParam().has("dropout") ? 4U : 0U);
    return masks;
  }
};

TEST_P(RecurrentDecoders, EqualTheEquations) {
  holds("reference", {"decoder: rnn"});
  const ModelConfig config = config_of("decoder", GetParam());
  const SourceDims dims{.source = {.key = kCellWidth, .value = kCellWidth},
                        .cell = GetParam().kind,
                        .layers = 2,
                        .final_width = kCellWidth,
                        .backward_width = kCellWidth / 2};
  const auto decoder = build(*config.decoder, {.input = kInput, .sources = {{"source", dims}}});
  fill(*decoder);
  const Tensor lengths = torch::tensor({5, 3}, torch::kLong);
  EncodedSource encoded;
  encoded.source = make_source(uniform({2, kWords, kCellWidth}, "source"), lengths);
  for (const char* layer : {"lower", "upper"}) {
    encoded.final_state.hidden.push_back(uniform({2, kCellWidth}, layer));
    if (GetParam().kind != "lstm") continue;
    encoded.final_state.cell.push_back(uniform({2, kCellWidth}, std::string(layer) + " cell"));
  }
  EncoderOutput source;
  source.sources["source"] = encoded;
  State state(decoder->layout(), 2, GetParam().pass(), torch::kCPU),
      steps(decoder->layout(), 2, GetParam().pass(), torch::kCPU);
  decoder->start(source, state.view());
  decoder->start(source, steps.view());
  const Tensor inputs = uniform({2, 3, kInput}, "inputs");
  const Step whole = decoder->advance(inputs, state.view());
  const Tensor& hidden = whole.hidden;  // [R,T,W]
  for (int64_t r = 0; r < 2; ++r) {
    Rows last_hidden, last_cell;
    for (const Tensor& layer : encoded.final_state.hidden)
      last_hidden.push_back(vector_of(layer[r]));
    for (const Tensor& layer : encoded.final_state.cell) last_cell.push_back(vector_of(layer[r]));
    DecoderByEquations expected(GetParam(), parameters_of(*decoder),
                                rows_of(encoded.source.keys[r], lengths[r].item<int64_t>()),
                                last_hidden, last_cell, masks_of(state, r));
    for (int64_t t = 0; t < 3; ++t) {
      expect_close(hidden[r][t], tensor_of(expected.step(vector_of(inputs[r][t]))), kExact,
                   "token " + std::to_string(t));
      expect_close(whole.input[r][t], tensor_of(expected.input()), kExact, "input");
      expect_close(whole.state[r][t], tensor_of(expected.state()), kExact, "state");
    }
  }
  for (int64_t t = 0; t < 3; ++t) {
    const Step one = decoder->advance(inputs.narrow(1, t, 1), steps.view());
    expect_close(one.hidden.squeeze(1), hidden.select(1, t), kExact, "one step");
    expect_close(one.state.squeeze(1), whole.state.select(1, t), kExact, "state of one step");
  }
}

const std::string kAdditive = ", attention: {score: {type: additive, hidden: 6}}";
const std::string kLuong = ", attend: after, output_activation: tanh, deep_output: false";
const std::string kDropout = ", dropout: 0.5, dropout_mask: sequence, variational_dropout: 0.5";
INSTANTIATE_TEST_SUITE_P(
    All, RecurrentDecoders,
    testing::Values(
        Case{"maxout_gru", "gru", "attend: before" + kAdditive},
        Case{"luong", "lstm", "input_feeding: true" + kLuong + kAdditive},
        Case{"luong_without_input_feeding", "lstm", "input_feeding: false" + kLuong + kAdditive},
        Case{"before", "lstm", "attend: before" + kAdditive},
        Case{"before_gru", "gru",
             "attend: before, output_activation: tanh, input_feeding: true" + kAdditive},
        Case{"before_rnn", "rnn", "attend: before" + kAdditive},
        Case{"reset_before", "gru", "reset: before" + kAdditive},
        Case{"reset_before_dropout", "gru",
             "reset: before, layer_norm: true" + kDropout + kAdditive},
        Case{"reset_before_conditional", "gru", "reset: before, attend: conditional" + kAdditive},
        Case{"previous", "lstm", "output_state: previous" + kAdditive},
        Case{"previous_with_input_feeding", "gru",
             "output_state: previous, input_feeding: true" + kAdditive},
        Case{"previous_without_attention", "gru", "output_state: previous, attention: none"},
        Case{"output_width", "lstm", "output_width: 3, input_feeding: true" + kDropout + kAdditive},
        Case{"bridge_backward", "lstm", "bridge: backward" + kAdditive},
        Case{"bridge_backward_gru", "gru", "bridge: backward" + kAdditive},
        Case{"before_with_input_feeding", "lstm", "input_feeding: true" + kAdditive},
        Case{"after", "lstm", "attend: after, input_feeding: true" + kAdditive},
        Case{"after_without_input_feeding", "lstm",
             "attend: after, output_activation: tanh" + kAdditive},
        Case{"conditional_gru", "gru", "attend: conditional" + kAdditive},
        Case{"conditional_lstm", "lstm", "attend: conditional, layer_norm: true" + kAdditive},
        Case{"conditional_rnn", "rnn",
             "attend: conditional, residual: true, input_feeding: true" + kAdditive},
        Case{"deep", "gru", "transition_depth: 3" + kAdditive},
        Case{"deep_after", "lstm", "attend: after, transition_depth: 2" + kAdditive},
        Case{"deep_base", "rnn", "base_transition_depth: 3" + kAdditive},
        Case{"deep_conditional", "gru",
             "attend: conditional, transition_depth: 3, base_transition_depth: 4" + kAdditive},
        Case{"dropout", "gru", "input_feeding: true" + kDropout + kAdditive},
        Case{"dropout_after", "lstm", "attend: after, residual: true" + kDropout + kAdditive},
        Case{"dropout_conditional", "gru",
             "attend: conditional, transition_depth: 3" + kDropout + kAdditive},
        Case{"deep_context", "lstm", "deep_context: true, residual: true" + kAdditive},
        Case{"deep_context_after", "gru",
             "attend: after, deep_context: true, transition_depth: 2" + kDropout + kAdditive},
        Case{"deep_context_after_with_input_feeding", "lstm",
             "attend: after, deep_context: true, input_feeding: true" + kAdditive},
        Case{"deep_context_conditional", "gru",
             "attend: conditional, deep_context: true, layer_norm: true" + kAdditive},
        Case{"no_deep_output", "lstm", "deep_output: false, input_feeding: true" + kAdditive},
        Case{"bridge_none", "lstm", "bridge: none" + kAdditive},
        Case{"bridge_last", "lstm", "bridge: last" + kAdditive},
        Case{"bridge_last_gru", "gru", "bridge: last" + kAdditive},
        Case{"bridge_shared", "lstm", "bridge: shared" + kAdditive},
        Case{"bridge_shared_gru", "gru", "bridge: shared" + kAdditive},
        Case{"linear", "lstm",
             "attend: after, input_feeding: true, deep_output: false, output_activation: linear" +
                 kAdditive},
        Case{"linear_without_input_feeding", "gru", "output_activation: linear" + kAdditive},
        Case{"no_output_layer", "gru", "output_activation: none" + kAdditive},
        Case{"no_output_layer_all_at_once", "lstm",
             "attend: after, output_activation: none, residual: true" + kDropout + kAdditive},
        Case{"bridge_relu", "lstm", "bridge: relu" + kAdditive},
        Case{"context_feeding", "lstm",
             "attend: after, context_feeding: true, output_activation: linear, deep_output: false" +
                 kDropout + kAdditive},
        Case{"context_feeding_before", "gru",
             "context_feeding: true, input_feeding: true" + kAdditive},
        Case{"context_feeding_conditional", "lstm",
             "attend: conditional, context_feeding: true" + kAdditive},
        Case{"hidden_and_cell_before", "lstm", "read_state: hidden_and_cell" + kAdditive},
        Case{"hidden_and_cell_after", "lstm",
             "attend: after, read_state: hidden_and_cell, residual: true" + kAdditive},
        Case{"hidden_and_cell_after_with_input_feeding", "lstm",
             "attend: after, read_state: hidden_and_cell, input_feeding: true" + kAdditive},
        Case{"hidden_and_cell_conditional", "lstm",
             "attend: conditional, read_state: hidden_and_cell, transition_depth: 3" + kAdditive},
        Case{"residual", "lstm", "residual: true, input_feeding: true" + kAdditive},
        Case{"residual_after", "gru", "attend: after, residual: true" + kAdditive},
        Case{"layer_norm", "lstm", "layer_norm: true" + kAdditive},
        Case{"no_attention", "lstm", "attention: none, input_feeding: true"}),
    [](const auto& variant) { return variant.param.name; });

RnnDecoderConfig decoder_of(const std::string& text) {
  RnnDecoderConfig config;
  read_config_text(text, "decoder", config);
  return config;
}

std::string problem_of(const std::string& decoder) {
  ModelConfig config;
  const auto found = find_problems(
      "{embedding: {width: 4}, encoder: {type: rnn, width: 4}, "
      "decoder: {type: rnn, width: 4, " +
          decoder + "}}",
      "test", config);
  return found.size() == 1 ? found[0].text() : fmt::format("{} problems", found.size());
}

TEST(DeepContext, NeedsAnAttentionAndALayerForItsContext) {
  EXPECT_THAT(problem_of("deep_context: true"),
              testing::HasSubstr("decoder.deep_context: makes the context vector an input of the "
                                 "layers above the first, and there is no such layer"));
  EXPECT_THAT(problem_of("deep_context: true, layers: 2, attention: none"),
              testing::HasSubstr("there is no attention"));
}

TEST(ContextFeeding, NeedsAnAttention) {
  EXPECT_THAT(problem_of("context_feeding: true, attention: none"),
              testing::HasSubstr("decoder.context_feeding: needs a context vector"));
}

TEST(ReadState, IsThatOfACellWithTwo) {
  EXPECT_THAT(problem_of("cell: gru, read_state: hidden_and_cell"),
              testing::HasSubstr("decoder.read_state: hidden_and_cell needs `cell: lstm`, and a "
                                 "gru has no memory cell"));
}

TEST(OutputActivation, OfAPastIsNotLeftOut) {
  EXPECT_THAT(problem_of("output_activation: none, past: {parts: whole}"),
              testing::HasSubstr("decoder.output_activation: none leaves out the layer"));
}

TEST(ConditionalDecoder, NeedsAnAttention) {
  EXPECT_THAT(problem_of("attend: conditional, attention: none"),
              testing::HasSubstr("decoder.attend: conditional needs a context vector"));
}

TEST(ConditionalDecoder, HasTwoCellsOrMore) {
  EXPECT_THAT(problem_of("attend: conditional, base_transition_depth: 1"),
              testing::HasSubstr("decoder.base_transition_depth: is 1, but `attend: conditional`"));
  for (const auto& [keys, depth] : {std::pair<std::string, int64_t>{"attend: conditional", 2},
                                    {"attend: conditional, transition_depth: 3", 3},
                                    {"transition_depth: 3", 3},
                                    {"transition_depth: 3, layers: 2, base_transition_depth: 1", 1},
                                    {"attend: before", 1}}) {
    EXPECT_EQ(decoder_of("{" + keys + "}").base_depth(), depth) << keys;
  }
  EXPECT_THAT(problem_of("transition_depth: 3, base_transition_depth: 1"),
              testing::HasSubstr("transition_depth: has no effect with one layer"));
}

}  // namespace
}  // namespace heed
