// Outputs that copy equal the equations of their papers: See et al. 2017, Gu et al. 2016, Vinyals
// et al. 2015.
#include "reference/outputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "config/reader.h"
#include "holds.h"
#include "model/builders.h"
#include "model/outputs/copying.h"
#include "model/outputs/pointer_generator_config.h"
#include "nn/compare.h"
#include "read_kind.h"
#include "reference/normalizers.h"

namespace heed {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr int64_t kRows = 2, kPlaces = 4, kTokens = 3, kHeads = 2, kBehindIds = 2;
constexpr int64_t kOutputInput = 4, kHidden = 5, kState = 3, kContext = 3, kKey = 6,
                  kOutputWords = 7;
constexpr int64_t kVocabularySize = 11;
constexpr double kNever = -std::numeric_limits<double>::infinity();

// Replaces -∞ by -1000, so that tensors can be compared.
Tensor finite(const Tensor& log_probs) { return log_probs.masked_fill(log_probs == kNever, -1000); }

class Outputs : public testing::Test {
 protected:
  std::shared_ptr<Output> output_of(const std::string& text, bool source_end = true) {
    auto embedding = std::make_shared<Embedding>(kVocabularySize, kOutputWords, 0);
    fill(*embedding);
    auto output = build(*read_kind(outputs(), text),
                        {.input = kOutputInput,
                         .hidden = kHidden,
                         .state = kState,
                         .attention = {.heads = kHeads, .context = kContext, .source = ""},
                         .source = {.key = kKey, .value = kKey},
                         .source_end = source_end},
                        embedding);
    fill(*output);
    parameters_ = parameters_of(*output);
    embedded_ = embedding->weight();
    return output;
  }

  // Two sentences, the second one position shorter than the first. The ids 11 and 12 are beyond the
  // vocabulary; the second sentence has one of them.
  State start(Output& output) {
    EncoderOutput encoded;
    EncodedSource& source = encoded.sources["source"];
    source.source = make_source(states_, torch::tensor(lengths_, torch::kLong));
    source.copies = ids_;
    State state(output.layout(), kRows, Pass(), torch::kCPU);
    output.start(encoded, state.view());
    return state;
  }

  Step step() const {
    Step step;
    step.input = input_;
    step.hidden = hidden_;
    step.state = state_;
    Attended attended;
    attended.context = context_;
    attended.weights = weights_;
    step.take({.place = Place::kCross}, attended);
    return step;
  }

  static reference::Ids ids_of(const Tensor& ids, int64_t length) {
    reference::Ids result;
    for (int64_t j = 0; j < length; ++j) result.push_back(ids[j].item<int>());
    return result;
  }
  reference::Ids ids(int64_t r) const { return ids_of(ids_[r], lengths_[static_cast<size_t>(r)]); }
  // Positions of row r without padding.
  Tensor without_padding(const Tensor& x, int64_t r) const {
    return x[r].narrow(0, 0, lengths_[static_cast<size_t>(r)]);
  }
  Vector vocabulary_scores(int64_t r, int64_t t) const {
    return reference::sum(
        reference::product(matrix_of(parameters_.at("weight")), vector_of(hidden_[r][t])),
        vector_of(parameters_.at("bias")));
  }

  Tensor log_probs(Output& output) {
    State state = start(output);
    return output.log_probs(step(), state.view());  // [R,T,V+X]
  }

  // Compares every row and token of the output's log-probabilities with `expected`.
  template <class Expected>
  void expect_log_probs(Output& output, const Expected& expected) {
    expect_log_probs(log_probs(output), expected);
  }
  template <class Expected>
  void expect_log_probs(const Tensor& found, const Expected& expected) {
    ASSERT_EQ(found.size(2), kVocabularySize + kBehindIds);
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t t = 0; t < kTokens; ++t) {
        expect_close(finite(found[r][t]), finite(tensor_of(expected(r, t))), kExact,
                     fmt::format("row {}, token {}", r, t));
      }
    }
    const Tensor sums = found.exp().sum(2);
    expect_close(sums, torch::ones_like(sums), kExact, "sums");
  }

  // A loss with its figures, and the gradient by everything that it depends on.
  std::map<std::string, Tensor> gradients(Output& output,
                                          const std::function<TokenLoss(State&)>& loss) {
    const Leaves leaves = with_leaves(output, {{"hidden", hidden_},
                                               {"state", state_},
                                               {"input", input_},
                                               {"context", context_},
                                               {"states", states_},
                                               {"weights", weights_}});
    for (auto [name, leaf] : leaves) leaf.requires_grad_(true).mutable_grad() = Tensor();
    State state = start(output);
    const TokenLoss result = loss(state);
    result.loss.backward();
    std::map<std::string, Tensor> found = {
        {"loss", result.loss.detach()},
        {"figures",
         torch::tensor({result.negative_log_probability.item<double>(),
                        static_cast<double>(result.tokens), result.correct.item<double>()})}};
    for (const auto& [name, leaf] : leaves) {
      if (leaf.grad().defined()) found["gradient of " + name] = leaf.grad().clone();
    }
    return found;
  }

  // Distribution of the pointer-generator; state: what its gate reads.
  Vector mixture(int64_t r, int64_t t, std::optional<size_t> head) const {
    return mixture(r, t, head, hidden_);
  }
  Vector mixture(int64_t r, int64_t t, std::optional<size_t> head, const Tensor& state) const {
    const double gate = reference::generation_logit(
        vector_of(parameters_.at("gate.weight")), parameters_.at("gate.bias").item<double>(),
        vector_of(context_[r][t]), vector_of(state[r][t]), vector_of(input_[r][t]));
    // The words without </s>.
    const int64_t words = lengths_[static_cast<size_t>(r)] - 1;
    const Tensor read = weights_[r].select(1, t).narrow(1, 0, words);
    return reference::pointer_generator(vocabulary_scores(r, t), matrix_of(read), head, gate,
                                        ids_of(ids_[r], words), kBehindIds);
  }
  // CopyNet's scores of the positions.
  Vector psi(int64_t r, int64_t t) const { return psi(r, t, hidden_); }
  Vector psi(int64_t r, int64_t t, const Tensor& state) const {
    return reference::copy_scores(matrix_of(without_padding(states_, r)),
                                  matrix_of(parameters_.at("copy.weight")), vector_of(state[r][t]));
  }
  // The pointer network's scores of the positions.
  Vector pointed(int64_t r, int64_t t, const Tensor& state) const {
    return reference::pointer_scores(matrix_of(without_padding(states_, r)),
                                     matrix_of(parameters_.at("source.weight")),
                                     matrix_of(parameters_.at("state.weight")),
                                     vector_of(parameters_.at("score")), vector_of(state[r][t]));
  }

  std::vector<int64_t> lengths_ = {4, 3};
  Tensor ids_ = torch::tensor({11, 5, 12, kEnd, 11, 11, kEnd, kPad}, torch::kLong).view({2, 4});
  Tensor states_ = uniform({kRows, kPlaces, kKey}, "states", 1.5);
  Tensor input_ = uniform({kRows, kTokens, kOutputInput}, "input");
  Tensor hidden_ = uniform({kRows, kTokens, kHidden}, "hidden");
  Tensor state_ = uniform({kRows, kTokens, kState}, "state");
  Tensor context_ = uniform({kRows, kTokens, kContext}, "context");
  Tensor weights_ = torch::softmax(uniform({kRows, kHeads, kTokens, kPlaces}, "weights", 2)
                                       .masked_fill((ids_ == kPad).view({2, 1, 1, 4}), -1e9),
                                   -1);
  std::map<std::string, Tensor> parameters_;
  Tensor embedded_;
};

// Wu et al. 2018, Wu and Cotterell 2019: the sum over all alignments of a sentence.
TEST_F(Outputs, HardMonotonicSumsOverAllAlignments) {
  holds("reference", {"output: hard_monotonic"});
  const Tensor tokens = torch::tensor({kBegin, 5, 9, kBegin, 7, 4}, torch::kLong).view({2, 3});
  struct Setting {
    const char* text;
    bool monotonic;
    size_t window;
  };
  for (const Setting& setting :
       {Setting{"{type: hard_monotonic, order: 0, monotonic: false}", false, 0},
        {"{type: hard_monotonic, order: 0}", true, 0},
        {"{type: hard_monotonic, window: 2}", true, 2},
        {"{type: hard_monotonic, monotonic: false, window: 1}", false, 1}}) {
    SCOPED_TRACE(setting.text);
    const auto output = output_of(setting.text);
    State state = start(*output);
    state.pass.keep_weights = true;
    state.positions = torch::full({kRows}, kTokens, torch::kLong);
    Step step;
    step.input = input_;
    step.hidden = hidden_;
    output->observe(tokens, step, state.view());
    const Tensor found = output->log_probs(step, state.view());
    const Tensor targets = torch::tensor({5, 9, kEnd, 7, kPad, kPad}, torch::kLong).view({2, 3});
    const Tensor picked = output->target_log_probs(step, targets, state.view());
    ASSERT_EQ(step.attended.size(), 1U);
    const auto parameter = [this](const char* name) { return matrix_of(parameters_.at(name)); };
    for (int64_t r = 0; r < kRows; ++r) {
      const Matrix h = matrix_of(without_padding(states_, r));
      const auto emission = [&](size_t t, size_t i) {
        return reference::hard_emission(
            vector_of(hidden_[r][static_cast<int64_t>(t)]), h.row(i), parameter("state.weight"),
            vector_of(parameters_.at("state.bias")), parameter("source.weight"),
            parameter("weight"), vector_of(parameters_.at("bias")));
      };
      const auto transition = [&](size_t t, size_t before) {
        const Vector s = vector_of(hidden_[r][static_cast<int64_t>(t)]);
        if (setting.window == 0)
          return reference::aligned_by_state(s, h, parameter("key.weight"), before,
                                             setting.monotonic);
        return reference::aligned_by_jump(s, h.row(before), parameter("jump_of_state.weight"),
                                          vector_of(parameters_.at("jump_of_state.bias")),
                                          parameter("jump_of_source.weight"), before, h.rows,
                                          setting.monotonic, setting.window);
      };
      for (int64_t t = 0; t < kTokens; ++t) {
        const reference::Ids written = ids_of(tokens[r].narrow(0, 1, t), t);
        const Vector alpha = reference::aligned_after(written, h.rows, emission, transition);
        const Tensor weights = step.attended[0].weights[r][0][t];
        expect_close(weights.narrow(0, 0, static_cast<int64_t>(h.rows)), tensor_of(alpha), kExact,
                     "weights");
        EXPECT_EQ(weights.sum().item<double>(),
                  weights.narrow(0, 0, std::ssize(alpha)).sum().item<double>());
        Vector p(kVocabularySize, 0.0);
        for (size_t i = 0; i < alpha.size(); ++i) {
          const Vector own = emission(static_cast<size_t>(t), i);
          for (size_t v = 0; v < p.size(); ++v) p[v] += alpha[i] * own[v];
        }
        expect_close(found[r][t].exp(), tensor_of(p), kExact,
                     fmt::format("row {}, token {}", r, t));
        const auto target = targets[r][t].item<int64_t>();
        EXPECT_NEAR(picked[r][t].exp().item<double>(),
                    target == kPad ? 1 : p[static_cast<size_t>(target)], 1e-10);
      }
    }
  }
}

// Peters et al. 2019, equation 11: the distribution, and its loss, the difference between the
// maximum of p·z + H(p) and that of the target.
TEST_F(Outputs, EntmaxIsTheProjectionWithItsLoss) {
  holds("reference", {"output: entmax"});
  for (const double alpha : {1.5, 2.0}) {
    const auto output = output_of(fmt::format("{{type: entmax, alpha: {}}}", alpha));
    const auto project = [alpha](const Vector& z) {
      return alpha == 2 ? reference::sparsemax(z) : reference::entmax15(z);
    };
    const auto objective = [alpha](const Vector& p, const Vector& z) {
      double sum = 0, powers = 0;
      for (size_t v = 0; v < z.size(); ++v) sum += p[v] * z[v], powers += std::pow(p[v], alpha);
      return sum + (1 - powers) / (alpha * (alpha - 1));
    };
    State state = start(*output);
    const Tensor log_probs = output->log_probs(step(), state.view());
    const Tensor targets = torch::tensor({5, 6, kEnd, 7, kEnd, kPad}, torch::kLong).view({2, 3});
    double loss = 0, smoothed = 0;
    int64_t zeros = 0;
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t t = 0; t < kTokens; ++t) {
        const Vector z = vocabulary_scores(r, t), p = project(z);
        expect_close(log_probs[r][t].exp(), tensor_of(p), kExact, "probabilities");
        zeros += std::ranges::count(p, 0);
        const auto target = targets[r][t].item<int64_t>();
        if (target == kPad) continue;
        Vector one(z.size(), 0.0), most(z.size(), 0.2 / kVocabularySize);
        one[static_cast<size_t>(target)] = 1;
        most[static_cast<size_t>(target)] += 0.8;
        loss += objective(p, z) - objective(one, z);
        smoothed += objective(p, z) - objective(most, z);
      }
    }
    EXPECT_GT(zeros, 0);
    EXPECT_NEAR(output->loss(step(), targets, 0, state.view()).loss.item<double>(), loss, 1e-9);
    EXPECT_NEAR(output->loss(step(), targets, 0.2, state.view()).loss.item<double>(), smoothed,
                1e-9);
    EXPECT_GT(loss, 0);
  }
}

// Kadlec et al. 2016, section 3.2: the sum of the weights at a word's positions, here without </s>
// and normalized; then </s>.
TEST_F(Outputs, PointerSumAddsUpWhatIsReadAndEnds) {
  holds("reference", {"output: pointer_sum"});
  const auto output = output_of("pointer_sum");
  State state = start(*output);
  state.positions = torch::full({kRows}, kTokens, torch::kLong);  // after the tokens of step()
  expect_log_probs(output->log_probs(step(), state.view()), [this](int64_t r, int64_t t) {
    Vector mass(kVocabularySize + kBehindIds, 0.0);
    if (t > 0) {
      mass[kEnd] = 1;
    } else {
      double all = 0;
      for (size_t position = 0; position + 1 < ids(r).size(); ++position) {
        const double read =
            weights_[r].select(1, t).select(1, static_cast<int64_t>(position)).sum().item<double>();
        mass[static_cast<size_t>(ids(r)[position])] += read;
        all += read;
      }
      for (double& p : mass) p /= all;
    }
    for (double& p : mass) p = p > 0 ? std::log(p) : kNever;
    return mass;
  });
}

TEST_F(Outputs, PointerGeneratorMixesTheMeanOfTheHeads) {
  holds("reference", {"output: pointer_generator"});
  const auto output = output_of("pointer_generator");
  expect_log_probs(*output, [this](int64_t r, int64_t t) { return mixture(r, t, std::nullopt); });
}

TEST_F(Outputs, PointerGeneratorMixesOneHead) {
  holds("reference", {"output: pointer_generator"});
  const auto output = output_of("{type: pointer_generator, head: 2}");
  expect_log_probs(*output, [this](int64_t r, int64_t t) { return mixture(r, t, 1); });
}

TEST_F(Outputs, PointerGeneratorMakesWeightsADistribution) {
  weights_ = uniform({kRows, kHeads, kTokens, kPlaces}, "any weights", 2)
                 .masked_fill((ids_ == kPad).view({2, 1, 1, 4}), 0);
  const auto output = output_of("{type: pointer_generator, head: 1}");
  expect_log_probs(*output, [this](int64_t r, int64_t t) { return mixture(r, t, 0); });
}

TEST_F(Outputs, PointerGeneratorCopiesTheEndIfItIsTold) {
  EXPECT_FALSE(PointerGeneratorConfig().copy_end);
  weights_ = torch::zeros_like(weights_);
  weights_.select(3, 3)[0].fill_(1);  // on the end of the first sentence
  const auto output = output_of("{type: pointer_generator, copy_end: true}");
  const Tensor found = log_probs(*output).exp();
  const Tensor generated = torch::sigmoid(torch::linear(torch::cat({context_, hidden_, input_}, -1),
                                                        parameters_.at("gate.weight"),
                                                        parameters_.at("gate.bias")));  // [R,T,1]
  const Tensor words =
      torch::softmax(torch::linear(hidden_, parameters_.at("weight"), parameters_.at("bias")), -1);
  expect_close(found[0].select(1, kEnd),
               (generated[0] * words[0]).select(1, kEnd) + 1 - generated[0].squeeze(1), kExact,
               "generated and copied");
}

TEST_F(Outputs, PointerGeneratorGeneratesWhereNothingIsRead) {
  weights_ = torch::zeros_like(weights_);
  const auto output = output_of("pointer_generator");
  const Tensor found = log_probs(*output);
  const Tensor scores = torch::linear(hidden_, parameters_.at("weight"), parameters_.at("bias"));
  expect_close(found.narrow(2, 0, kVocabularySize), torch::log_softmax(scores, -1), kExact,
               "words");
  EXPECT_TRUE((found.narrow(2, kVocabularySize, kBehindIds) == kNever).all().item<bool>());
}

TEST_F(Outputs, CopyNetSharesOneSoftmax) {
  holds("reference", {"output: copynet"});
  const auto output = output_of("copynet");
  expect_log_probs(*output, [this](int64_t r, int64_t t) {
    return reference::copynet(vocabulary_scores(r, t), psi(r, t), ids(r), kBehindIds, kEnd);
  });
}

TEST_F(Outputs, CopyNetCopiesTheEndIfItIsTold) {
  const auto output = output_of("{type: copynet, copy_end: true}");
  expect_log_probs(*output, [this](int64_t r, int64_t t) {
    return reference::copynet(vocabulary_scores(r, t), psi(r, t), ids(r), kBehindIds, std::nullopt);
  });
}

// A source of </s> alone has nothing to copy.
TEST_F(Outputs, CopyNetGeneratesWhereTheSourceIsItsEnd) {
  ids_ = torch::tensor({kEnd, kPad, kPad, kPad, 11, 11, kEnd, kPad}, torch::kLong).view({2, 4});
  const auto output = output_of("copynet");
  const Tensor scores = torch::linear(hidden_, parameters_.at("weight"), parameters_.at("bias"));
  expect_close(log_probs(*output)[0].narrow(1, 0, kVocabularySize),
               torch::log_softmax(scores[0], -1), kExact, "words");
  const auto found = gradients(*output, [&](State& state) {
    return output->loss(step(), torch::tensor({5, 5, kEnd, 11, kEnd, kPad}).view({2, 3}), 0,
                        state.view());
  });
  for (const auto& [name, value] : found) EXPECT_TRUE(value.isfinite().all().item<bool>()) << name;
}

TEST_F(Outputs, CopyNetReadsWhereATokenWasCopiedFrom) {
  holds("reference", {"output: copynet"});
  const auto output = output_of("copynet");
  State state = start(*output);
  const auto embedded = [&](const std::vector<int64_t>& tokens) {
    return output->embed(torch::tensor(tokens, torch::kLong).view({kRows, 1}), state.view())
        .squeeze(1)
        .narrow(1, kOutputWords, kKey);
  };
  const auto expected = [&](int64_t r, std::optional<int64_t> before, int id) {
    std::optional<Vector> scores;
    if (before) scores = psi(r, *before);
    return tensor_of(
        reference::selective_read(scores, ids(r), matrix_of(without_padding(states_, r)), id));
  };
  const Tensor first = embedded({kBegin, kBegin});
  for (int64_t r = 0; r < kRows; ++r)
    expect_close(first[r], expected(r, std::nullopt, kBegin), kExact, "before the first token");
  for (int64_t t = 0; t < kTokens; ++t) {
    Step one = step();
    one.hidden = hidden_.narrow(1, t, 1);
    output->observe(torch::empty({kRows, 1}), one, state.view());
    for (const std::vector<int64_t>& fed : {std::vector<int64_t>{12, 11}, {5, 6}, {11, kEnd}}) {
      const Tensor read = embedded(fed);
      for (int64_t r = 0; r < kRows; ++r) {
        expect_close(read[r], expected(r, t, static_cast<int>(fed[static_cast<size_t>(r)])), kExact,
                     fmt::format("row {}, token {}", r, t));
      }
    }
  }
}

TEST_F(Outputs, IdsBehindTheVocabularyAreEmbeddedAsUnknown) {
  const auto output = output_of("pointer_generator");
  State state = start(*output);
  const Tensor tokens = torch::tensor({5, 12}, torch::kLong).view({1, 2});
  const Tensor found = output->embed(tokens, state.view())[0];
  expect_close(found, torch::stack({embedded_[5], embedded_[kUnknown]}), kExact, "embeddings");
}

TEST_F(Outputs, PointerNetworkPointsAtPlaces) {
  holds("reference", {"output: pointer"});
  const auto output = output_of("{type: pointer, hidden: 5}");
  expect_log_probs(*output, [this](int64_t r, int64_t t) {
    return reference::pointer_network(pointed(r, t, hidden_), ids(r), kVocabularySize + kBehindIds);
  });
}

// An end that is not in the source: W_1 e of it is a parameter.
TEST_F(Outputs, PointerNetworkPointsAtItsOwnEnd) {
  holds("reference", {"output: pointer"});
  ids_ = ids_.masked_fill(ids_ == kEnd, kPad);
  lengths_ = {3, 2};
  const auto output = output_of("{type: pointer, hidden: 5}", false);
  const auto expected = [this](int64_t r, int64_t t) {
    Vector u = pointed(r, t, hidden_);
    const Vector d =
        reference::product(matrix_of(parameters_.at("state.weight")), vector_of(hidden_[r][t]));
    double end = 0;
    for (size_t k = 0; k < d.size(); ++k)
      end += vector_of(parameters_.at("score"))[k] *
             std::tanh(vector_of(parameters_.at("end"))[k] + d[k]);
    u.push_back(end);
    reference::Ids with_end = ids(r);
    with_end.push_back(kEnd);
    return reference::pointer_network(u, with_end, kVocabularySize + kBehindIds);
  };
  expect_log_probs(*output, expected);
  ids_[1].fill_(kPad);
  lengths_[1] = 0;
  expect_log_probs(*output, expected);
  EXPECT_NEAR(log_probs(*output)[1][0][kEnd].item<double>(), 0, kExact);
  const auto found = gradients(*output, [&](State& state) {
    return output->loss(step(), torch::tensor({12, 5, kEnd, kEnd, kPad, kPad}).view({2, 3}), 0,
                        state.view());
  });
  for (const auto& [name, value] : found) EXPECT_TRUE(value.isfinite().all().item<bool>()) << name;
}

// The state of the decoder in the place of what its output layer makes of it.
TEST_F(Outputs, CopyByTheStateOfTheDecoder) {
  const auto generator = output_of("{type: pointer_generator, state: decoder}");
  expect_log_probs(*generator,
                   [this](int64_t r, int64_t t) { return mixture(r, t, std::nullopt, state_); });
  const auto copynet = output_of("{type: copynet, state: decoder}");
  expect_log_probs(*copynet, [this](int64_t r, int64_t t) {
    return reference::copynet(vocabulary_scores(r, t), psi(r, t, state_), ids(r), kBehindIds, kEnd);
  });
  const auto pointer = output_of("{type: pointer, hidden: 5, state: decoder}");
  expect_log_probs(*pointer, [this](int64_t r, int64_t t) {
    return reference::pointer_network(pointed(r, t, state_), ids(r), kVocabularySize + kBehindIds);
  });
}

// Yang et al. 2016, equation 11, over the vocabulary without the tokens that pad, begin and end;
// then </s>.
TEST_F(Outputs, LabelIsOneTokenOfTheVocabulary) {
  holds("reference", {"output: label"});
  const auto output = output_of("label");
  State state = start(*output);
  state.positions = torch::full({kRows}, kTokens, torch::kLong);  // after the tokens of step()
  const Tensor found = output->log_probs(step(), state.view());
  for (int64_t r = 0; r < kRows; ++r) {
    Vector scores = vocabulary_scores(r, 0);
    for (const size_t id : {kPad, kBegin, kEnd}) scores[id] = -INFINITY;
    const double log_z = reference::log_sum_exp(scores);
    for (double& score : scores) score -= log_z;
    expect_close(finite(found[r][0]), finite(tensor_of(scores)), kExact, "label");
    for (int64_t t = 1; t < kTokens; ++t)
      EXPECT_EQ(found[r][t].argmax().item<int64_t>(), kEnd) << "token " << t;
  }
  expect_close(found.exp().sum(2), torch::ones({kRows, kTokens}), kExact, "sums");
}

// One of several sources may be empty.
TEST_F(Outputs, PointerNetworkEndsWhereTheSourceIsEmpty) {
  const auto output = output_of("{type: pointer, hidden: 5}");
  const Tensor before = log_probs(*output);
  ids_ = ids_.clone();
  ids_[1].fill_(kPad);
  State state = start(*output);
  const Tensor found = output->log_probs(step(), state.view());
  Tensor end = torch::full_like(found[1], kNever);
  end.select(1, kEnd).fill_(0);
  EXPECT_TRUE(torch::equal(found[1], end));
  expect_close(finite(found[0]), finite(before[0]), kExact, "the other sentence");
  const Tensor targets = torch::tensor({12, 5, kEnd, kEnd, kPad, kPad}, torch::kLong).view({2, 3});
  hidden_.requires_grad_(true);
  output->loss(step(), targets, 0, state.view()).loss.backward();
  EXPECT_TRUE(hidden_.grad().isfinite().all().item<bool>());
}

TEST_F(Outputs, LossIsSmoothedOverWhatASentenceCanGive) {
  const auto output = output_of("copynet");
  State state = start(*output);
  const Tensor targets = torch::tensor({12, 5, kEnd, 11, kEnd, kPad}, torch::kLong).view({2, 3});
  const TokenLoss loss = output->loss(step(), targets, 0.2, state.view());
  double expected = 0, plain = 0;
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t t = 0; t < kTokens - r; ++t) {
      const Vector p =
          reference::copynet(vocabulary_scores(r, t), psi(r, t), ids(r), kBehindIds, kEnd);
      expected += reference::smoothed_loss(p, targets[r][t].item<int>(), 0.2);
      plain += reference::smoothed_loss(p, targets[r][t].item<int>(), 0);
    }
  }
  EXPECT_NEAR(loss.loss.item<double>(), expected, 1e-9);
  EXPECT_NEAR(loss.negative_log_probability.item<double>(), plain, 1e-9);
  EXPECT_EQ(loss.tokens, 5);
}

// The loss that is computed for the targets alone equals that of the whole mixture, and so do all
// gradients.
TEST_F(Outputs, LossOfTheTargetsAloneIsThatOfTheMixture) {
  const Tensor targets = torch::tensor({12, 5, kEnd, 11, 6, kPad}, torch::kLong).view({2, 3});
  const Tensor read = weights_,
               partly = weights_ * torch::tensor({1, 0, 1, 0, 0, 1, 0, 0}).view({2, 1, 1, 4});
  for (const auto& output : {output_of("pointer_generator"),
                             output_of("{type: pointer_generator, head: 2, bias: false}"),
                             output_of("copynet"), output_of("{type: copynet, bias: false}")}) {
    for (const Tensor& weights : {read, partly}) {
      weights_ = weights.clone();
      const auto found = gradients(
          *output, [&](State& state) { return output->loss(step(), targets, 0, state.view()); });
      const auto expected = gradients(*output, [&](State& state) {
        return output->Output::loss(step(), targets, 0, state.view());
      });
      EXPECT_GE(found.size(), 6U);
      for (const auto& [name, value] : expected) expect_close(found.at(name), value, 1e-9, name);
    }
  }
}

TEST_F(Outputs, NothingReadGivesTheGradientOfGeneratingAlone) {
  weights_ = torch::zeros_like(weights_);
  const auto output = output_of("pointer_generator");
  const Tensor targets = torch::tensor({4, 5, kEnd, 6, 6, kPad}, torch::kLong).view({2, 3});
  const auto found = gradients(
      *output, [&](State& state) { return output->loss(step(), targets, 0, state.view()); });
  const Tensor scores = torch::linear(hidden_, parameters_.at("weight"), parameters_.at("bias"));
  const Tensor cost = torch::nll_loss(torch::log_softmax(scores, -1).flatten(0, 1),
                                      targets.flatten(), {}, at::Reduction::Sum, kPad);
  hidden_.mutable_grad() = Tensor();
  cost.backward();
  expect_close(found.at("gradient of hidden"), hidden_.grad(), kExact, "hidden");
  EXPECT_TRUE(found.at("gradient of weights").isfinite().all().item<bool>());
}

// Sparse attention may read nothing that could be copied.
TEST_F(Outputs, LossIsFiniteWhereNothingGivesTheTarget) {
  const auto of = [](int64_t target) {
    return torch::tensor({target, int64_t{5}, int64_t{kEnd}, int64_t{6}, int64_t{6}, int64_t{kPad}})
        .view({2, 3});
  };
  weights_ = torch::zeros_like(weights_);
  const auto output = output_of("pointer_generator");
  for (const bool of_mixture : {false, true}) {
    const auto found = [&](int64_t target) {
      return gradients(*output, [&](State& state) {
        return of_mixture ? output->Output::loss(step(), of(target), 0, state.view())
                          : output->loss(step(), of(target), 0, state.view());
      });
    };
    const auto none = found(12), without = found(kPad);
    EXPECT_NEAR((none.at("loss") - without.at("loss")).item<double>(), -std::log(1e-10), 1e-9);
    for (const auto& [name, value] : without) {
      if (name.starts_with("gradient")) expect_close(none.at(name), value, kExact, name);
    }
  }
  State state = start(*output);
  const Tensor log_probs = output->target_log_probs(step(), of(12), state.view());
  EXPECT_NEAR(log_probs[0][0].item<double>(), std::log(1e-10), 1e-9);
}

// Scores of ±1e4, weights of exactly 0 and a closed gate give finite losses and gradients.
TEST_F(Outputs, ExtremesAreFiniteWithTheirGradients) {
  for (const double scale : {1e4, -1e4}) {
    for (const auto& output : {output_of("pointer_generator"), output_of("copynet"),
                               output_of("{type: pointer, hidden: 5}")}) {
      hidden_ = (uniform({kRows, kTokens, kHidden}, "hidden") * scale).requires_grad_(true);
      weights_ = torch::zeros({kRows, kHeads, kTokens, kPlaces}, torch::kDouble);
      weights_.select(3, 0).fill_(1);
      weights_.requires_grad_(true);
      State state = start(*output);
      const Tensor targets = torch::tensor({11, 11, kEnd, 11, 11, kPad}, torch::kLong).view({2, 3});
      for (const double smoothing : {0.0, 0.1}) {
        const Tensor loss = output->loss(step(), targets, smoothing, state.view()).loss;
        EXPECT_TRUE(loss.isfinite().item<bool>());
        loss.backward({}, true);
      }
      EXPECT_FALSE(output->log_probs(step(), state.view()).isnan().any().item<bool>());
      EXPECT_TRUE(hidden_.grad().isfinite().all().item<bool>());
      if (weights_.grad().defined()) {
        EXPECT_TRUE(weights_.grad().isfinite().all().item<bool>());
      }
    }
  }
}

}  // namespace
}  // namespace heed
