// Models of papers on summarization, copying, several sources and documents, from their settings in
// src/model/presets: the log-probabilities of targets equal the equations, in plain loops from the
// embeddings on. One of them equals a public implementation too.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "config/reader.h"
#include "holds.h"
#include "model/reference_parts.h"
#include "model/seq2seq.h"
#include "nn/torch.h"
#include "reference/attention.h"
#include "reference/outputs.h"
#include "reference/scores.h"
#include "reference/terms.h"
#include "tensor_lines.h"

namespace heed {
namespace {

using reference::CellState;
using reference::Matrix;
using reference::Vector;

constexpr int64_t kVocabulary = 11, kBeyond = 2, kMarker = 10;

// Settings of a preset with a few keys of the user, such as widths.
ModelConfig preset(const std::string& name, const std::vector<std::string>& changes) {
  ReadOptions options;
  for (const std::string& change : changes) options.overrides.push_back(parse_override(change));
  ModelConfig config;
  read_config_text("{preset: " + name + "}", "test", config, options);
  return config;
}

// Softmax of scores.
Vector probabilities(const Vector& scores) {
  return reference::softmax(Matrix(1, scores.size(), scores),
                            {std::vector<bool>(scores.size(), true)})
      .row(0);
}

// Σ_i a_i x_i
Vector read(const Vector& a, const Rows& x) {
  Vector sum(x.at(0).size(), 0.0);
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += a[i] * x[i][k];
  return sum;
}

Vector relu_of(Vector x) {
  for (double& v : x) v = std::max(v, 0.0);
  return x;
}

// States of a bidirectional or one-way recurrent layer, and its last state.
struct Encoded {
  Rows states;
  CellState last;
};
Encoded encode(const Parameters& p, const std::string& layer, const std::string& cell,
               const Rows& x, bool both) {
  const auto forward =
      reference::run(cells_of(p, layer + "_forward", cell), matrix_of_rows(x), x.size(), false);
  Encoded encoded{{}, forward.last};
  for (size_t i = 0; i < x.size(); ++i) encoded.states.push_back(forward.outputs.row(i));
  if (!both) return encoded;
  const auto backward =
      reference::run(cells_of(p, layer + "_backward", cell), matrix_of_rows(x), x.size(), true);
  for (size_t i = 0; i < x.size(); ++i)
    encoded.states[i] = joined({encoded.states[i], backward.outputs.row(i)});
  encoded.last = {joined({forward.last.h, backward.last.h}),
                  joined({forward.last.c, backward.last.c})};
  return encoded;
}

// A source, its ids as they can be copied, and a target, by whose tokens the model is fed.
struct Pair {
  Ids source, copies, target;
};

class PublishedModels : public testing::Test {
 protected:
  // The ids 11 and 12 are words beyond the vocabulary; in the source they are unknown.
  const std::vector<Pair> pairs_ = {{{4, 1, 9, 1, 4}, {4, 11, 9, 12, 4}, {4, 12, 6}},
                                    {{7, 1, 5}, {7, 11, 5}, {11, 8, 5}}};

  void make(const ModelConfig& config, const std::map<std::string, int64_t>& sources,
            const std::map<std::string, int32_t>& markers = {}) {
    model_ = std::make_shared<Seq2Seq>(
        config, VocabularySizes{.sources = sources, .target = kVocabulary, .markers = markers}, 1);
    fill(*model_);
    p_ = parameters_of(*model_);
  }

  // [R,T,V+X] for the targets, each after kBegin. second: source of that name, of the same
  // sentences from the last word to the first.
  Tensor log_probs(const std::string& second = "") {
    std::vector<Ids> sources, backwards, targets;
    std::vector<Copyable> copies;
    for (const Pair& pair : pairs_) {
      sources.push_back(pair.source);
      backwards.emplace_back(pair.source.rbegin(), pair.source.rend());
      targets.push_back(pair.target);
      copies.push_back({.ids = pair.copies, .behind = {}});
    }
    SourceBatch batch = source_batch(sources, torch::kCPU);
    if (second.empty()) put_copyable(batch, copies);
    std::map<std::string, SourceBatch> named{{second.empty() ? "source" : "first", batch}};
    if (!second.empty()) named[second] = source_batch(backwards, torch::kCPU);
    Pass pass;
    pass.keep_weights = true;
    State state = model_->start(SourceBatches(named), pass);
    step_ = model_->advance(target_batch(targets, torch::kCPU).inputs, state);
    return model_->log_probs(step_, state);
  }

  // Log-probabilities of every token of a pair, by the tokens that are fed, from kBegin on.
  using ByEquations = std::function<std::vector<Vector>(const Pair& pair, const Ids& fed)>;

  void expect_equations(const Tensor& found, const ByEquations& equations) const {
    for (size_t r = 0; r < pairs_.size(); ++r) {
      Ids fed = pairs_[r].target;
      fed.insert(fed.begin(), kBegin);
      const std::vector<Vector> expected = equations(pairs_[r], fed);
      for (size_t t = 0; t < expected.size(); ++t) {
        Tensor one = found[static_cast<int64_t>(r)][static_cast<int64_t>(t)];
        EXPECT_TRUE(one.isneginf().equal(tensor_of(expected[t]).isneginf())) << r << ", " << t;
        expect_close(one.exp(), tensor_of(expected[t]).exp(), kExact,
                     fmt::format("row {}, token {}", r, t));
      }
    }
  }

  Vector linear(const std::string& name, const Vector& x) const { return linear_of(p_, name, x); }
  // Row of a table; ids beyond the vocabulary are unknown.
  Vector embedded(const std::string& table, int id) const {
    return vector_of(p_.at(table + ".embedding")[id < kVocabulary ? id : kUnknown]);
  }
  Rows embedded(const std::string& table, const Ids& ids) const {
    Rows rows;
    for (const int id : ids) rows.push_back(embedded(table, id));
    return rows;
  }
  CellState decoded(const std::string& layer, const std::string& cell, const Vector& x,
                    const CellState& state) const {
    return reference::step(cell_of(p_, "decoder." + layer, cell), x, state);
  }
  Vector additive_scores(const std::string& name, const Vector& q, const Rows& keys) const {
    Vector e;
    for (const Vector& key : keys)
      e.push_back(reference::additive_score(
          q, key, matrix_of(p_.at(name + ".query.weight")), matrix_of(p_.at(name + ".key.weight")),
          vector_of(p_.at(name + ".query.bias")), vector_of(p_.at(name + ".v"))));
    return e;
  }

  // See et al. 2017. cell: s_t is [h_t; c_t] where the authors' code reads it so.
  std::vector<Vector> see(const Pair& pair, const Ids& fed, bool cell) const {
    const Encoded source =
        encode(p_, "encoder_source.layer_0", "lstm", embedded("target", pair.source), true);
    const Matrix w_s = matrix_of(p_.at("decoder.attention.score.query.weight")),
                 w_h = matrix_of(p_.at("decoder.attention.score.key.weight"));
    const Vector b = vector_of(p_.at("decoder.attention.score.query.bias")),
                 w_c = vector_of(p_.at("decoder.attention.score.coverage")),
                 v = vector_of(p_.at("decoder.attention.score.v"));
    CellState state{relu_of(linear("decoder.bridge_0", source.last.h)),
                    relu_of(linear("decoder.bridge_1", source.last.c))};
    Vector context(source.states[0].size(), 0.0), coverage(source.states.size(), 0.0);
    std::vector<Vector> all;
    for (const int y : fed) {
      const Vector x = linear("decoder.merge", joined({embedded("target", y), context}));
      state = decoded("layer_0", "lstm", x, state);
      const Vector s = cell ? joined({state.h, state.c}) : state.h;
      Vector e;  // equation 11
      for (size_t i = 0; i < source.states.size(); ++i) {
        Vector hidden =
            reference::sum(reference::affine(w_s, b, s), reference::product(w_h, source.states[i]));
        for (size_t k = 0; k < hidden.size(); ++k) hidden[k] += w_c[k] * coverage[i];
        e.push_back(reference::dot(v, tanh_of(hidden)));
      }
      const Vector a = probabilities(e);
      coverage = reference::sum(coverage, a);  // equation 10
      context = read(a, source.states);
      const double gate = linear("output.gate", joined({context, s, x}))[0];
      const Vector scores =
          linear("output", linear("decoder.output", joined({state.h, context})));  // equation 4
      all.push_back(reference::pointer_generator(scores, Matrix(1, a.size(), a), std::nullopt, gate,
                                                 pair.copies, kBeyond));
    }
    return all;
  }

  std::shared_ptr<Seq2Seq> model_;
  Parameters p_;
  Step step_;
};

TEST_F(PublishedModels, SeeIsThePointerGeneratorWithCoverage) {
  const std::vector<std::string> narrow = {"embedding.width=3", "encoder.width=8",
                                           "decoder.width=4", "decoder.attention.score.hidden=5"};
  for (const bool cell : {true, false}) {
    std::vector<std::string> changes = narrow;
    if (!cell) changes.emplace_back("decoder.read_state=hidden");
    make(preset("see", changes), {{"source", kVocabulary}});
    EXPECT_FALSE(p_.contains("source_source.embedding"));
    expect_equations(log_probs(),
                     [&](const Pair& pair, const Ids& fed) { return see(pair, fed, cell); });
  }
}

// The decoder state of equation 8 has no dropout.
TEST_F(PublishedModels, SeeReadsTheStateWithoutDropout) {
  const ModelConfig config =
      preset("see", {"embedding.width=3", "encoder.width=8", "decoder.width=4",
                     "decoder.dropout=0.5", "decoder.attention.score.hidden=5"});
  make(config, {{"source", kVocabulary}});
  const SourceBatches source({{"source", source_batch({pairs_[0].source}, torch::kCPU)}});
  SourceBatches batch = source;
  put_copyable(batch.named.at("source"), {{.ids = pairs_[0].copies, .behind = {}}});
  const Tensor inputs = torch::tensor({{kBegin}}, torch::kLong);
  State plain = model_->start(batch, Pass()),
        dropped = model_->start(batch, Pass::for_training(1, 2));
  const Step first = model_->advance(inputs, plain), second = model_->advance(inputs, dropped);
  EXPECT_TRUE(first.state.equal(second.state));
  EXPECT_FALSE(first.hidden.equal(second.hidden));
}

TEST_F(PublishedModels, CopyNetSharesOneSoftmax) {
  make(preset("copynet", {"embedding={width: 3, tie: none}", "encoder.width=8", "decoder.width=4",
                          "decoder.attention.score={type: additive, hidden: 5}"}),
       {{"source", kVocabulary}});
  expect_equations(log_probs(), [&](const Pair& pair, const Ids& fed) {
    const Encoded source =
        encode(p_, "encoder_source.layer_0", "gru", embedded("source_source", pair.source), true);
    const Matrix h = matrix_of_rows(source.states);
    CellState state{tanh_of(linear("decoder.bridge_0", source.last.h)), {}};
    std::optional<Vector> psi;  // ψ_c of the step before
    std::vector<Vector> all;
    for (const int y : fed) {
      const Vector context =
          read(probabilities(additive_scores("decoder.attention.score", state.h, source.states)),
               source.states);
      const Vector zeta = reference::selective_read(psi, pair.copies, h, y);
      state = decoded("layer_0", "gru", joined({embedded("target", y), zeta, context}), state);
      psi = reference::copy_scores(h, matrix_of(p_.at("output.copy.weight")), state.h);
      all.push_back(
          reference::copynet(linear("output", state.h), *psi, pair.copies, kBeyond, std::nullopt));
    }
    return all;
  });
}

TEST_F(PublishedModels, PointerNetworkReadsNothingElse) {
  make(preset("pointer_network",
              {"embedding.width=3", "encoder.width=4", "decoder.width=4", "output.hidden=5"}),
       {{"source", kVocabulary}});
  EXPECT_FALSE(p_.contains("decoder.output.weight"));
  expect_equations(log_probs(), [&](const Pair& pair, const Ids& fed) {
    Ids source = pair.source, copies = pair.copies;
    source.push_back(kEnd), copies.push_back(kEnd);
    const Encoded encoded =
        encode(p_, "encoder_source.layer_0", "lstm", embedded("target", source), false);
    CellState state = encoded.last;
    std::vector<Vector> all;
    for (const int y : fed) {
      state = decoded("layer_0", "lstm", embedded("target", y), state);
      const Vector u = reference::pointer_scores(
          matrix_of_rows(encoded.states), matrix_of(p_.at("output.source.weight")),
          matrix_of(p_.at("output.state.weight")), vector_of(p_.at("output.score")), state.h);
      all.push_back(reference::pointer_network(u, copies, kVocabulary + kBeyond));
    }
    return all;
  });
}

// Zoph and Knight 2016: the states of two encoders, each layer combined, and attention over both.
class TwoSources : public PublishedModels {
 protected:
  static constexpr size_t kLayers = 2;
  CellState combined(bool child_sum, size_t layer, const CellState& a, const CellState& b) const {
    const std::string of = std::to_string(layer);
    const Vector both = joined({a.h, b.h});
    if (!child_sum) return {tanh_of(linear("join.hidden_" + of, both)), reference::sum(a.c, b.c)};
    const Vector gates = linear("join.gates_" + of, both),
                 f_1 = linear("join.forget_" + of + "_0", a.h),
                 f_2 = linear("join.forget_" + of + "_1", b.h);
    const size_t width = a.h.size();
    CellState state;
    for (size_t k = 0; k < width; ++k) {
      const double i = reference::sigmoid(gates[k]), o = reference::sigmoid(gates[width + k]),
                   u = std::tanh(gates[2 * width + k]);
      state.c.push_back(i * u + reference::sigmoid(f_1[k]) * a.c[k] +
                        reference::sigmoid(f_2[k]) * b.c[k]);
      state.h.push_back(o * std::tanh(state.c[k]));
    }
    return state;
  }
  // Luong et al. 2015, equations 8 to 10: local-p, a window of D = 2 around p.
  Vector local(const std::string& source, const Vector& h, const Rows& keys) const {
    const std::string name = "decoder.attention.source_" + source;
    constexpr double kRadius = 2;
    const double p = static_cast<double>(keys.size()) *
                     reference::sigmoid(linear(name + ".term_0.v",
                                               tanh_of(linear(name + ".term_0.hidden", h)))[0]);
    const Matrix w = matrix_of(p_.at(name + ".score.key.weight"));
    Vector scores, a(keys.size(), 0.0);
    std::vector<size_t> inside;
    for (size_t s = 0; s < keys.size(); ++s) {
      if (std::abs(static_cast<double>(s) - p) > kRadius) continue;
      inside.push_back(s);
      scores.push_back(reference::dot(h, reference::product(w, keys[s])));
    }
    const Vector weights = scores.empty() ? Vector() : probabilities(scores);
    for (size_t i = 0; i < inside.size(); ++i) {
      const double away = static_cast<double>(inside[i]) - p;
      a[inside[i]] = weights[i] * std::exp(-away * away / (2 * (kRadius / 2) * (kRadius / 2)));
    }
    return read(a, keys);
  }
};

TEST_F(TwoSources, HandTheirStatesOver) {
  for (const bool child_sum : {false, true}) {
    const std::string encoder =
        "{type: rnn, cell: lstm, layers: 2, width: 4, bidirectional: false}";
    make(preset("zoph",
                {"encoders.first=" + encoder, "encoders.second=" + encoder, "embedding.width=3",
                 "decoder.width=4", "decoder.layers=2",
                 "decoder.attention.attention.terms=[{type: window, kind: predictive, radius: 2}]",
                 child_sum ? "join=child_sum" : "join=basic"}),
         {{"first", kVocabulary}, {"second", kVocabulary}});
    expect_equations(log_probs("second"), [&](const Pair& pair, const Ids& fed) {
      Ids first = pair.source, second(pair.source.rbegin(), pair.source.rend());
      first.push_back(kEnd), second.push_back(kEnd);
      Rows x = embedded("source_first", first), y = embedded("source_second", second);
      std::vector<CellState> states;
      for (size_t layer = 0; layer < kLayers; ++layer) {
        const std::string of = ".layer_" + std::to_string(layer);
        const Encoded a = encode(p_, "encoder_first" + of, "lstm", x, false),
                      b = encode(p_, "encoder_second" + of, "lstm", y, false);
        states.push_back(combined(child_sum, layer, a.last, b.last));
        x = a.states, y = b.states;
      }
      Vector fed_back(4, 0.0);
      std::vector<Vector> all;
      for (const int token : fed) {
        Vector input = joined({embedded("target", token), fed_back});
        for (size_t layer = 0; layer < kLayers; ++layer) {
          states[layer] = decoded("layer_" + std::to_string(layer), "lstm", input, states[layer]);
          input = states[layer].h;
        }
        fed_back =
            tanh_of(linear("decoder.output",
                           joined({input, local("first", input, x), local("second", input, y)})));
        all.push_back(reference::log_probabilities(linear("output", fed_back)));
      }
      return all;
    });
  }
}

// Yang et al. 2016, equations 1 to 11.
TEST_F(PublishedModels, HierarchicalAttentionGivesTheLabel) {
  holds("reference", {"decoder: none", "output: label"});
  make(preset("han", {"embedding.width=3", "encoder.word_encoder.width=4",
                      "encoder.sentence_encoder.width=6", "encoder.pool.hidden=5",
                      "encoder.last.hidden=5"}),
       {{"source", kVocabulary}}, {{"source", kMarker}});
  const auto attended = [&](const std::string& prefix, const Rows& h) {
    Vector scores;
    for (const Vector& state : h)
      scores.push_back(linear("encoder_source." + prefix + "weigh",
                              tanh_of(linear("encoder_source." + prefix + "hidden", state)))[0]);
    return read(probabilities(scores), h);
  };
  const std::vector<std::vector<Ids>> documents = {{{4, 5, kMarker}, {9, 6, 6, 8}},
                                                   {{7, kMarker}, {5, kMarker}, {8}}};
  std::vector<Ids> texts;
  for (const std::vector<Ids>& document : documents) {
    texts.emplace_back();
    for (const Ids& sentence : document)
      texts.back().insert(texts.back().end(), sentence.begin(), sentence.end());
  }
  State state =
      model_->start(SourceBatches({{"source", source_batch(texts, torch::kCPU)}}), Pass());
  const Tensor inputs = torch::tensor({{kBegin, 5}, {kBegin, 6}}, torch::kLong);
  const Tensor found = model_->log_probs(model_->advance(inputs, state), state);
  for (size_t r = 0; r < documents.size(); ++r) {
    Rows sentences;
    for (const Ids& sentence : documents[r])
      sentences.push_back(attended("", encode(p_, "encoder_source.words.layer_0", "gru",
                                              embedded("source_source", sentence), true)
                                           .states));
    const Vector v = attended(
        "sentence_", encode(p_, "encoder_source.sentences.layer_0", "gru", sentences, true).states);
    Vector scores = linear("output", v);
    for (const size_t never : {kPad, kBegin, kEnd}) scores[never] = -INFINITY;
    Vector expected(scores.size(), 0.0);
    for (size_t y = 0; y < scores.size(); ++y)
      expected[y] = std::exp(scores[y] - reference::log_sum_exp(scores));
    const Tensor row = found[static_cast<int64_t>(r)].exp();
    expect_close(row[0], tensor_of(expected), kExact, "label");
    EXPECT_EQ(row[1][kEnd].item<double>(), 1);
  }
}

// The PyTorch version of the authors' code, with the same weights.
TEST_F(PublishedModels, SeeIsThatOfAPublicImplementation) {
  const auto theirs = read_tensor_lines("tests/model/fixtures/pointer_summarizer.txt");
  make(preset("see", {"embedding.width=3", "encoder.width=8", "decoder.width=4",
                      "decoder.attention.score.hidden=8"}),
       {{"source", kVocabulary}});
  std::set<std::string> unset;
  for (const auto& [name, unused] : p_) unset.insert(name);
  const torch::NoGradGuard no_grad;
  const auto copy = [&](const std::string& ours, const Tensor& value) {
    p_.at(ours).copy_(value.view(p_.at(ours).sizes()));
    EXPECT_EQ(unset.erase(ours), 1U) << ours;
  };
  const auto weight = [&](const std::string& name) { return theirs.at("weight/" + name); };
  const auto copy_linear = [&](const std::string& ours, const std::string& name, bool bias = true) {
    copy(ours + ".weight", weight(name + ".weight"));
    if (bias) copy(ours + ".bias", weight(name + ".bias"));
  };
  const auto copy_lstm = [&](const std::string& ours, const std::string& name,
                             const std::string& direction = "") {
    for (const auto& [part, their] : {std::pair{".weight_input", ".weight_ih_l0"},
                                      {".weight_hidden", ".weight_hh_l0"},
                                      {".bias_input", ".bias_ih_l0"},
                                      {".bias_hidden", ".bias_hh_l0"}})
      copy(ours + part, weight(name + their + direction));
  };
  copy("target.embedding", weight("encoder.embedding.weight"));
  copy_lstm("encoder_source.layer_0_forward", "encoder.lstm");
  copy_lstm("encoder_source.layer_0_backward", "encoder.lstm", "_reverse");
  copy_linear("decoder.bridge_0", "reduce_state.reduce_h");
  copy_linear("decoder.bridge_1", "reduce_state.reduce_c");
  copy_lstm("decoder.layer_0", "decoder.lstm");
  copy_linear("decoder.attention.score.key", "encoder.W_h", false);
  copy_linear("decoder.attention.score.query", "decoder.attention_network.decode_proj");
  copy("decoder.attention.score.v", weight("decoder.attention_network.v.weight"));
  copy("decoder.attention.score.coverage", weight("decoder.attention_network.W_c.weight"));
  // Theirs reads [h*; e].
  const Tensor merge = weight("decoder.x_context.weight");
  copy("decoder.merge.weight", torch::cat({merge.narrow(1, 8, 3), merge.narrow(1, 0, 8)}, 1));
  copy("decoder.merge.bias", weight("decoder.x_context.bias"));
  copy_linear("output.gate", "decoder.p_gen_linear");
  copy_linear("decoder.output", "decoder.out1");
  copy_linear("output", "decoder.out2");
  EXPECT_TRUE(unset.empty()) << testing::PrintToString(unset);
  const Tensor found = log_probs();
  expect_close(found.exp(), theirs.at("out/probabilities"), 1e-9, "probabilities");
  expect_close(step_.attended.at(0).weights.squeeze(1).narrow(2, 0, 5), theirs.at("out/attention"),
               1e-9, "attention");
}

}  // namespace
}  // namespace heed
