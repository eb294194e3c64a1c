// The recurrent encoder and decoder equal their equations: plain loops over the cells and the
// attention of tests/reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
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

const std::string kAdaptive = ", adaptive: {most: 4, epsilon: 0.3, ponder: 0.25}";
const std::string kIntraAttention =
    ", intra_attention: {attention: {score: {type: additive, hidden: 6}}}";

struct Case {
  const char* name;
  std::string kind, settings;
  bool has(const std::string& part) const { return settings.find(part) != std::string::npos; }
  Pass pass() const {
    Pass pass = has("dropout") ? Pass::for_training(3, 5) : Pass();
    pass.keep_weights = has("intra_attention");
    return pass;
  }
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.settings; }

reference::Cell cell_of(const Parameters& p, const std::string& name, const Case& c) {
  reference::Cell cell = heed::cell_of(p, name, c.kind);
  cell.reset_before = c.has("reset: before");
  cell.norm_together = c.has("layer_norm_form: marian");
  return cell;
}
std::vector<reference::Cell> cells_of(const Parameters& p, const std::string& name, const Case& c,
                                      int from = 1) {
  std::vector<reference::Cell> cells = heed::cells_of(p, name, c.kind, from);
  for (reference::Cell& cell : cells) {
    cell.reset_before = c.has("reset: before");
    cell.norm_together = c.has("layer_norm_form: marian");
  }
  return cells;
}

// A layer in one direction, with its halting unit and its tapes, where it has them.
reference::Layer layer_of(const Parameters& p, const std::string& name, const Case& c) {
  reference::Layer layer{cells_of(p, name, c)};
  if (p.contains(name + "_halt.weight"))
    layer.halting = {.weight = matrix_of(p.at(name + "_halt.weight")).row(0),
                     .bias = p.at(name + "_halt.bias").item<double>(),
                     .most = 4,
                     .epsilon = 0.3};
  const std::string score = name + "_intra.attention.score.";
  if (p.contains(score + "v"))
    layer.tapes = {.by_query = matrix_of(p.at(score + "query.weight")),
                   .by_key = matrix_of(p.at(score + "key.weight")),
                   .bias = vector_of(p.at(score + "query.bias")),
                   .v = vector_of(p.at(score + "v"))};
  return layer;
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
  const std::string tape = c.has("deep_fusion") ? ", memory_tape: true" : "";
  const std::string encoder = part == "decoder" ? "encoder" + rnn + tape + "}, " : "";
  ModelConfig config;
  read_config_text("{embedding: {width: 3}, " + encoder + part + rnn + ", " + c.settings + "}}",
                   c.name, config);
  return config;
}

class RecurrentEncoders : public testing::TestWithParam<Case> {
 protected:
  // outputs: those of the last layer; last: the final state of each layer.
  struct Encoded {
    Rows outputs, memories;
    std::vector<reference::CellState> last;
    std::vector<Vector> ponder;              // of each layer
    std::vector<reference::Matrix> weights;  // of each layer and direction
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
        const bool second = !runs.empty(), turned = GetParam().has("alternating") && layer == 1;
        Rows read = x;
        if (GetParam().has("stacks") && layer > 0) {
          for (Vector& row : read) row = reference::part(row, second ? 2 : 0, second ? 4 : 2);
        }
        runs.push_back(reference::run(layer_of(p, name, GetParam()), matrix_of_rows(read), x.size(),
                                      second != turned));
        result.weights.push_back(runs.back().weights);
      }
      result.ponder.push_back(both ? reference::sum(runs[0].ponder, runs[1].ponder)
                                   : runs[0].ponder);
      result.memories.clear();
      result.last.emplace_back();
      const auto combined = [&](const auto& part) {
        if (!both) return part(runs[0]);
        const Vector forward = part(runs[0]), backward = part(runs[1]);
        return GetParam().has("directions: sum") ? reference::sum(forward, backward)
                                                 : joined({forward, backward});
      };
      result.last.back().h = combined([](const reference::Run& run) { return run.last.h; });
      result.last.back().c = combined([](const reference::Run& run) { return run.last.c; });
      for (size_t s = 0; s < x.size(); ++s) {
        const Vector output =
            combined([s](const reference::Run& run) { return run.outputs.row(s); });
        result.memories.push_back(
            combined([s](const reference::Run& run) { return run.cells.row(s); }));
        const bool residual = layer > 0 && GetParam().has("residual: true");
        x[s] = times_mask(residual ? reference::sum(output, x[s]) : output, masks[layer]);
      }
    }
    result.outputs = x;
    if (GetParam().has("reverse: true")) reverse(result);
    return result;
  }

  static void reverse(Encoded& encoded) {
    std::reverse(encoded.outputs.begin(), encoded.outputs.end());
    std::reverse(encoded.memories.begin(), encoded.memories.end());
    for (Vector& ponder : encoded.ponder) std::reverse(ponder.begin(), ponder.end());
    for (reference::Matrix& weights : encoded.weights) {
      const reference::Matrix forwards = weights;
      const size_t size = weights.rows;
      for (size_t i = 0; i < size; ++i) {
        for (size_t j = 0; j < size; ++j) weights(i, j) = forwards(size - 1 - i, size - 1 - j);
      }
    }
  }

  // Results besides the states, of row r.
  static void expect_findings(const EncoderOutput& output, const Encoded& row, int64_t r,
                              int64_t length) {
    ASSERT_EQ(output.losses.size(), GetParam().has("adaptive") ? 2U : 0U);
    for (size_t layer = 0; layer < output.losses.size(); ++layer) {
      EXPECT_EQ(output.losses[layer].name, "ponder");
      EXPECT_EQ(output.losses[layer].weight, 0.25);
      expect_close(output.losses[layer].value[r].narrow(0, 0, length), tensor_of(row.ponder[layer]),
                   kExact, "ponder cost");
    }
    ASSERT_EQ(output.attended.size(),
              GetParam().has("intra_attention") ? row.weights.size() : size_t{0});
    for (size_t i = 0; i < output.attended.size(); ++i) {
      const Tensor weights = output.attended[i].weights[r][0];  // [S,S]
      expect_close(weights.narrow(0, 0, length).narrow(1, 0, length), tensor_of(row.weights[i]),
                   kExact, "weights");
      EXPECT_EQ(weights.narrow(1, length, kWords - length).abs().sum().item<double>(), 0);
    }
  }
};

TEST_P(RecurrentEncoders, EqualTheEquations) {
  holds_not("reference", {{"encoder: embeddings", "the embeddings as they are"},
                          {"encoder: none", "no network"},
                          {"encoder: shared", "no network of its own"}});
  std::set<std::string> held = {"encoder: rnn"};
  for (const std::string section : {"intra_attention", "adaptive", "reverse"}) {
    if (GetParam().has(section)) held.insert("encoder: rnn " + section);
  }
  holds("reference", held);
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
    expect_findings(output, row, r, length);
    if (GetParam().has("memory_tape: true"))
      expect_close(encoded.source.values[r].narrow(0, 0, length).narrow(1, kCellWidth, kCellWidth),
                   tensor_of(matrix_of_rows(row.memories)), kExact, "memories");
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
        Case{"reverse_one_way", "lstm", "bidirectional: false, reverse: true"},
        Case{"adaptive_rnn", "rnn", "bidirectional: true" + kAdaptive},
        Case{"adaptive_lstm", "lstm", "bidirectional: false, layer_norm: true" + kAdaptive},
        Case{"adaptive_gru", "gru", "reverse: true, transition_depth: 2" + kAdaptive},
        Case{"lstmn", "lstm", "bidirectional: false" + kIntraAttention},
        Case{"lstmn_both_ways", "lstm",
             "layer_norm: true, transition_depth: 2, memory_tape: true" + kIntraAttention},
        Case{"lstmn_reverse", "lstm", "reverse: true, memory_tape: true" + kIntraAttention},
        Case{"intra_attention_gru", "gru", "residual: true" + kIntraAttention},
        Case{"intra_attention_rnn", "rnn", "bidirectional: false" + kIntraAttention},
        Case{"adaptive_lstmn", "lstm", "bidirectional: true" + kIntraAttention + kAdaptive},
        Case{"memory_tape", "lstm", "residual: true, memory_tape: true"},
        Case{"sum", "gru", "directions: sum"}, Case{"separate", "gru", "stacks: separate"},
        Case{"separate_deep", "lstm",
             "stacks: separate, residual: true, transition_depth: 2, memory_tape: true"},
        Case{"alternating", "lstm", "stacks: alternating, residual: true, memory_tape: true"},
        Case{"alternating_lstmn", "gru", "stacks: alternating, reverse: true" + kIntraAttention},
        Case{"marian_norm", "gru", "layer_norm: true, layer_norm_form: marian, stacks: separate"},
        Case{"marian_norm_lstm", "lstm",
             "layer_norm: true, layer_norm_form: marian, transition_depth: 2"},
        Case{"lstmn_sum", "lstm", "directions: sum, memory_tape: true" + kIntraAttention},
        Case{"adaptive_sum", "lstm", "directions: sum, reverse: true" + kAdaptive},
        Case{"adaptive_reset_before", "gru", "reset: before, layer_norm: true" + kAdaptive},
        Case{"intra_attention_reset_before", "gru", "reset: before" + kIntraAttention}),
    [](const auto& variant) { return variant.param.name; });

// One sentence of the decoder, token by token.
class DecoderByEquations {
 public:
  DecoderByEquations(const Case& c, Parameters p, const Rows& source, const Rows& last_hidden,
                     const Rows& last_cell, std::map<std::string, Vector> masks)
      : case_(c), p_(std::move(p)), source_(matrix_of_rows(source)), masks_(std::move(masks)) {
    for (size_t layer = 0; layer < 2; ++layer)
      networks_.push_back(layer_of(p_, fmt::format("layer_{}", layer), c));
    for (size_t layer = 0; layer < 2; ++layer) {
      const bool is_lstm = case_.kind == "lstm";
      if (case_.has("bridge: shared") || case_.has("bridge: mean")) {
        const Vector first = tanh_of(
            normed("bridge", case_.has("bridge: mean") ? mean_of_source() : last_hidden[1]));
        layers_.push_back({first, is_lstm ? first : Vector()});
        continue;
      }
      layers_.push_back({bridged(last_hidden[layer], 2 * layer),
                         is_lstm ? bridged(last_cell[layer], 2 * layer + 1) : Vector()});
    }
    fed_ = Vector(case_.has("output_width: 3") ? 3 : kCellWidth, 0.0);
    fed_context_ = Vector(source_.columns, 0.0);
  }

  // Input of the output layer after the token `e`.
  Vector step(const Vector& e) {
    const bool conditional = case_.has("attend: conditional");
    const bool after = case_.has("attend: after");
    const bool deep = case_.has("deep_context: true"), fusion = case_.has("deep_fusion");
    Vector context =
        after || conditional || fusion ? Vector() : attended(read(layers_[deep ? 0 : 1]));
    const bool merges = case_.has("context_feeding: true");
    input_ = merges ? linear("merge", joined({e, fed_context_})) : e;
    Vector x = joined({input_, context});
    const Vector before = layers_[1].h;
    if (case_.has("input_feeding: true")) x = joined({x, fed_});
    ponder.assign(2, 0);
    Vector added;
    if (fusion) {
      context = attended(joined({x, read_}));
      read_ = reference::part(context, 0, kCellWidth);
      const Vector gate = linear("fusion.gate", joined({read_, x}));
      for (size_t d = 0; d < kCellWidth; ++d)
        added.push_back(reference::sigmoid(gate[d]) * context[kCellWidth + d]);
    }
    for (size_t layer = 0; layer < 2; ++layer) {
      if (conditional && layer == 0) {
        const Vector masks = masks_["state_mask_0"];
        const auto of_cells = [&](size_t from, size_t to) {
          return masks.empty() ? masks : reference::part(masks, from * kCellWidth, to * kCellWidth);
        };
        if (networks_[0].tapes) layers_[0] = networks_[0].tapes->next(x, layers_[0]);
        layers_[0] = reference::step(cell_of(p_, "layer_0", case_), x, layers_[0], of_cells(0, 1));
        context = attended(read(layers_[0]));
        layers_[0] = reference::step(cells(0, 2), context, layers_[0],
                                     of_cells(1, masks.size() / kCellWidth));
      } else {
        x = times_mask(x, masks_[fmt::format("input_mask_{}", layer)]);
        const Vector input = deep && layer > 0 ? joined({x, context}) : x;
        const reference::AdaptiveStep now = networks_[layer].step(
            input, layers_[layer], masks_[fmt::format("state_mask_{}", layer)],
            layer == 0 ? added : Vector());
        layers_[layer] = now.state;
        ponder[layer] = now.ponder;
      }
      const bool residual = layer > 0 && case_.has("residual: true");
      x = residual ? reference::sum(layers_[layer].h, x) : layers_[layer].h;
      if (after && layer == (deep ? 0 : 1)) context = attended(read({x, layers_[layer].c}));
    }
    fed_context_ = context;
    state_ = read({x, layers_[1].c});
    if (case_.has("output_activation: none")) return fed_ = times_mask(x, masks_["output_mask"]);
    Vector parts = case_.has("output_state: previous") ? before : x;
    if (!fusion) parts = joined({parts, context});
    if (!case_.has("deep_output: false")) parts = joined({parts, e});
    const Vector output = case_.has("layer_norm_form: marian")
                              ? normed_output({parts_of(before, x), context, e})
                              : linear("output", parts);
    if (case_.has("output_activation: linear"))
      return fed_ = times_mask(output, masks_["output_mask"]);
    const bool tanh = case_.has("output_activation: tanh");
    return fed_ = times_mask(tanh ? tanh_of(output) : maxout_of(output), masks_["output_mask"]);
  }
  // x_t and s_t of the last step.
  const Vector& input() const { return input_; }
  const Vector& state() const { return state_; }

  std::vector<double> ponder;  // of the last step, of each layer
  // Weights over the tokens before the last one, and 0 for itself.
  Vector weights(size_t layer) const {
    Vector last = networks_[layer].tapes->weights.back();
    last.erase(last.begin());
    last.push_back(0);
    return last;
  }

 private:
  std::vector<reference::Cell> cells(size_t layer, int from = 1) const {
    return cells_of(p_, fmt::format("layer_{}", layer), case_, from);
  }
  Vector linear(const std::string& name, const Vector& x) const { return linear_of(p_, name, x); }
  // Marian's layers/generic.h: a dense layer of several inputs, each product with its own norm.
  static Vector marian_norm(const Vector& x, const Tensor& gain) {
    return reference::layer_norm(x, vector_of(gain), {}, 1e-9);
  }
  Vector normed(const std::string& name, const Vector& x) const {
    if (!p_.contains(name + "_norm")) return linear(name, x);
    return reference::sum(marian_norm(reference::product(matrix_of(p_.at(name + ".weight")), x),
                                      p_.at(name + "_norm")),
                          vector_of(p_.at(name + ".bias")));
  }
  // Parts of the state, the context vector and the token; the read-out may lack some.
  Vector normed_output(const Rows& parts) const {
    const char* names[] = {"state", "context", "token"};
    Vector sum = vector_of(p_.at("output.bias"));
    const Tensor weight = p_.at("output.weight");
    int64_t begin = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::string gain = fmt::format("output_norm_{}", names[i]);
      if (!p_.contains(gain)) continue;
      const auto width = std::ssize(parts[i]);
      const reference::Matrix own = matrix_of(weight.narrow(1, begin, width).contiguous());
      sum = reference::sum(sum, marian_norm(reference::product(own, parts[i]), p_.at(gain)));
      begin += width;
    }
    return sum;
  }
  Vector mean_of_source() const {
    Vector mean(kCellWidth, 0.0);
    for (size_t s = 0; s < source_.rows; ++s) {
      for (size_t j = 0; j < kCellWidth; ++j)
        mean[j] += source_.row(s)[j] / static_cast<double>(source_.rows);
    }
    return mean;
  }
  Vector parts_of(const Vector& before, const Vector& now) const {
    return case_.has("output_state: previous") ? before : now;
  }
  // The part of a state that the attention reads.
  Vector read(const reference::CellState& state) const {
    return case_.has("read_state: hidden_and_cell") ? joined({state.h, state.c}) : state.h;
  }
  Vector bridged(const Vector& last, size_t part) const {
    if (case_.has("bridge: none")) return Vector(kCellWidth, 0.0);
    if (case_.has("bridge: last")) return last;
    const bool backward = case_.has("bridge: backward");  // the second half
    Vector projected = normed("bridge_" + std::to_string(part),
                              reference::part(last, backward ? kCellWidth / 2 : 0, kCellWidth));
    if (!case_.has("bridge: relu")) return tanh_of(projected);
    for (double& v : projected) v = std::max(v, 0.0);
    return projected;
  }
  Vector attended(const Vector& query) const {
    if (case_.has("attention: none")) return {};
    // With a memory tape the first half of the values are the keys.
    reference::Matrix keys(source_.rows, kCellWidth);
    for (size_t s = 0; s < source_.rows; ++s)
      keys.set_row(s, reference::part(source_.row(s), 0, kCellWidth));
    const auto scores =
        reference::scores(matrix_of_rows({query}), keys, [this](const Vector& q, const Vector& k) {
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
  std::vector<reference::Layer> networks_;
  Vector read_ = Vector(kCellWidth, 0.0);  // γ~ of the step before
  std::map<std::string, Vector> masks_;    // by state entry
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
  std::set<std::string> held = {"decoder: rnn"};
  for (const std::string section : {"intra_attention", "adaptive", "reverse"}) {
    if (GetParam().has(section)) held.insert("decoder: rnn " + section);
  }
  holds("reference", held);
  const ModelConfig config = config_of("decoder", GetParam());
  const int64_t memory = GetParam().has("deep_fusion") ? kCellWidth : 0;
  const SourceDims dims{.source = {.key = kCellWidth, .value = kCellWidth + memory},
                        .cell = GetParam().kind,
                        .layers = 2,
                        .final_width = kCellWidth,
                        .backward_width = kCellWidth / 2,
                        .memory = memory};
  const auto decoder = build(*config.decoder, {.input = kInput, .sources = {{"source", dims}}});
  fill(*decoder);
  const Tensor lengths = torch::tensor({5, 3}, torch::kLong);
  EncodedSource encoded;
  encoded.source = make_source(uniform({2, kWords, kCellWidth}, "source"), lengths);
  if (memory > 0)
    encoded.source.values =
        torch::cat({encoded.source.keys, uniform({2, kWords, kCellWidth}, "memories")}, 2);
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
  const bool adaptive = GetParam().has("adaptive"), intra = GetParam().has("intra_attention");
  ASSERT_EQ(whole.losses.size(), adaptive ? 2U : 0U);
  for (const SideLoss& loss : whole.losses) EXPECT_EQ(loss.weight, 0.25);
  ASSERT_EQ(whole.attended.size(), intra ? 3U : 1U);
  for (int64_t r = 0; r < 2; ++r) {
    Rows last_hidden, last_cell;
    for (const Tensor& layer : encoded.final_state.hidden)
      last_hidden.push_back(vector_of(layer[r]));
    for (const Tensor& layer : encoded.final_state.cell) last_cell.push_back(vector_of(layer[r]));
    DecoderByEquations expected(GetParam(), parameters_of(*decoder),
                                rows_of(encoded.source.values[r], lengths[r].item<int64_t>()),
                                last_hidden, last_cell, masks_of(state, r));
    for (int64_t t = 0; t < 3; ++t) {
      expect_close(hidden[r][t], tensor_of(expected.step(vector_of(inputs[r][t]))), kExact,
                   "token " + std::to_string(t));
      expect_close(whole.input[r][t], tensor_of(expected.input()), kExact, "input");
      expect_close(whole.state[r][t], tensor_of(expected.state()), kExact, "state");
      for (size_t layer = 0; layer < whole.losses.size(); ++layer)
        EXPECT_NEAR(whole.losses[layer].value[r][t].item<double>(), expected.ponder[layer], 1e-12);
      for (size_t layer = 0; intra && layer < 2; ++layer)
        expect_close(whole.attended[1 + layer].weights[r][0][t].narrow(0, 0, t + 1),
                     tensor_of(expected.weights(layer)), kExact, "weights");
    }
  }
  for (int64_t t = 0; t < 3; ++t) {
    const Step one = decoder->advance(inputs.narrow(1, t, 1), steps.view());
    expect_close(one.hidden.squeeze(1), hidden.select(1, t), kExact, "one step");
    expect_close(one.state.squeeze(1), whole.state.select(1, t), kExact, "state of one step");
  }
}

const std::string kAdditive = ", attention: {score: {type: additive, hidden: 6}}";
const std::string kMarianNorm = ", layer_norm: true, layer_norm_form: marian";
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
        Case{"bridge_mean", "lstm", "bridge: mean" + kAdditive},
        Case{"bridge_mean_gru", "gru", "attend: conditional, bridge: mean" + kAdditive},
        Case{"marian_norm", "gru", "attend: conditional, bridge: mean" + kMarianNorm + kAdditive},
        Case{"marian_norm_tanh", "lstm",
             "attend: after, output_activation: tanh, output_width: 3, residual: true" +
                 kMarianNorm + kAdditive},
        Case{"marian_norm_input_feeding", "gru",
             "input_feeding: true, deep_output: false, bridge: relu" + kMarianNorm + kAdditive},
        Case{"marian_norm_without_attention", "rnn",
             "attention: none, output_activation: linear, bridge: shared" + kMarianNorm},
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
        Case{"no_attention", "lstm", "attention: none, input_feeding: true"},
        Case{"adaptive_lstm", "lstm", "attend: before" + kAdaptive + kAdditive},
        Case{"adaptive_gru", "gru",
             "attend: after, transition_depth: 2, layer_norm: true" + kAdaptive + kAdditive},
        Case{"adaptive_rnn", "rnn", "input_feeding: true, residual: true" + kAdaptive + kAdditive},
        Case{"adaptive_alone", "gru", "attention: none" + kAdaptive},
        Case{"adaptive_dropout", "lstm", "deep_context: true" + kDropout + kAdaptive + kAdditive},
        Case{"lstmn_shallow_fusion", "lstm", "attend: before" + kIntraAttention + kAdditive},
        Case{"lstmn_after", "lstm",
             "attend: after, layer_norm: true" + kIntraAttention + kAdditive},
        Case{"lstmn_alone", "lstm", "attention: none" + kIntraAttention},
        Case{"lstmn_conditional", "lstm",
             "attend: conditional, input_feeding: true" + kIntraAttention + kAdditive},
        Case{"lstmn_dropout", "lstm", "residual: true" + kDropout + kIntraAttention + kAdditive},
        Case{"adaptive_lstmn", "lstm", "attend: after" + kIntraAttention + kAdaptive + kAdditive},
        Case{"intra_attention_gru", "gru", "deep_context: true" + kIntraAttention + kAdditive},
        Case{"intra_attention_rnn", "rnn", "transition_depth: 2" + kIntraAttention + kAdditive},
        Case{"lstmn_deep_fusion", "lstm", "attend: deep_fusion" + kIntraAttention + kAdditive},
        Case{"deep_fusion", "lstm",
             "attend: deep_fusion, input_feeding: true, layer_norm: true, deep_output: false" +
                 kAdditive},
        Case{"deep_fusion_with_deep_transition", "lstm",
             "attend: deep_fusion, transition_depth: 2, output_activation: linear" + kDropout +
                 kAdditive},
        Case{"deep_fusion_with_context_feeding", "lstm",
             "attend: deep_fusion, context_feeding: true, input_feeding: true, output_width: 3" +
                 kIntraAttention + kAdditive},
        Case{"deep_fusion_without_output_layer", "lstm",
             "attend: deep_fusion, output_activation: none, read_state: hidden_and_cell" +
                 kAdditive},
        Case{"adaptive_reset_before", "gru",
             "reset: before, context_feeding: true" + kDropout + kAdaptive + kAdditive},
        Case{"adaptive_previous", "lstm",
             "output_state: previous, read_state: hidden_and_cell" + kAdaptive + kAdditive},
        Case{"lstmn_previous", "lstm", "output_state: previous" + kIntraAttention + kAdditive},
        Case{"lstmn_context_feeding", "lstm",
             "attend: after, context_feeding: true, read_state: hidden_and_cell" + kIntraAttention +
                 kAdditive},
        Case{"lstmn_conditional_context_feeding", "lstm",
             "attend: conditional, context_feeding: true, read_state: hidden_and_cell" +
                 kIntraAttention + kAdditive},
        Case{
            "intra_attention_reset_before", "gru",
            "reset: before, attend: after, output_activation: none" + kIntraAttention + kAdditive}),
    [](const auto& variant) { return variant.param.name; });

RnnDecoderConfig decoder_of(const std::string& text) {
  RnnDecoderConfig config;
  read_config_text(text, "decoder", config);
  return config;
}

std::string problem_of(const std::string& decoder,
                       const std::string& encoder = "{type: rnn, width: 4}") {
  ModelConfig config;
  const auto found = find_problems("{embedding: {width: 4}, encoder: " + encoder +
                                       ", decoder: {type: rnn, width: 4, " + decoder + "}}",
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

TEST(DeepFusion, NeedsTheMemoriesOfAnEncoder) {
  EXPECT_THAT(problem_of("attend: deep_fusion"),
              testing::HasSubstr("decoder.attend: deep_fusion reads the memories of the encoder"));
  const std::string tape = "{type: rnn, width: 4, memory_tape: true}";
  EXPECT_EQ(problem_of("attend: deep_fusion", tape), "0 problems");
  EXPECT_THAT(problem_of("attend: deep_fusion", "{type: rnn, width: 6, memory_tape: true}"),
              testing::HasSubstr("memories of the encoder, of width 6"));
  EXPECT_THAT(problem_of("attend: deep_fusion, cell: gru, bridge: none", tape),
              testing::HasSubstr("the cell is gru: use `cell: lstm`"));
  EXPECT_THAT(problem_of("attend: deep_fusion, attention: none", tape),
              testing::HasSubstr("there is `attention: none`"));
  EXPECT_THAT(
      problem_of("attend: deep_fusion, attention: {type: hops}", tape),
      testing::HasSubstr("decoder.attend: deep_fusion reads hidden states and memories of "
                         "one encoder, together of width 8, but the context vector of hops"));
  EXPECT_THAT(problem_of("attend: deep_fusion, adaptive: {}", tape),
              testing::HasSubstr("decoder.adaptive: repeats the cell"));
  EXPECT_THAT(problem_of("attend: deep_fusion, output_state: previous", tape),
              testing::HasSubstr("the output layer reads the source through s_t alone"));
  EXPECT_THAT(problem_of("attend: before", "{type: rnn, cell: gru, width: 4, memory_tape: true}"),
              testing::HasSubstr("encoder.memory_tape: has the cell states of an LSTM"));
}

TEST(AdaptiveDecoder, AttendsOnceInATimeStep) {
  EXPECT_THAT(problem_of("attend: conditional, adaptive: {}"),
              testing::HasSubstr("decoder.adaptive: repeats the cells of a time step"));
  EXPECT_EQ(problem_of("adaptive: {}"), "0 problems");
}

TEST(IntraAttention, TakesThePlaceOfAState) {
  EXPECT_EQ(problem_of("intra_attention: {}"), "0 problems");
  EXPECT_THAT(problem_of("intra_attention: {attention: none}"),
              testing::HasSubstr("decoder.intra_attention.attention: has no effect"));
  for (const char* attention : {"hops", "average"})
    EXPECT_THAT(
        problem_of(fmt::format("attention: none, intra_attention: {{attention: {}}}", attention)),
        testing::HasSubstr(fmt::format("the context vector of {}", attention)));
  EXPECT_THAT(problem_of("intra_attention: {attention: {score: graph}}"),
              testing::HasSubstr("graph has one matrix for queries and keys"));
  EXPECT_THAT(
      problem_of("bridge: none", "{type: rnn, width: 4, intra_attention: {attention: none}}"),
      testing::HasSubstr("encoder.intra_attention.attention: has no effect"));
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
