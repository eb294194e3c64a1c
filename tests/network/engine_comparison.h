// Engines of inference/ beside ModelEngine, of the same models.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "config/reader.h"
#include "inference/engine_shape.h"
#include "kernels/kernels.h"
#include "model/model_spec.h"
#include "model/saved_model.h"
#include "network/random_models.h"
#include "nn/numbers.h"

namespace heed {

inline constexpr int64_t kPieces =
    70;  // more than a block of the output, and no multiple of a panel

inline ModelConfig config_from(const std::string& text) {
  ModelConfig config;
  read_config_text(text, "model", config);
  return config;
}

inline SavedModelConfig saved(const ModelConfig& model) {
  SavedModelConfig config;
  config.model = model;
  config.sources = model.sources();
  config.text = {{"target", {}}};
  for (const std::string& source : config.sources) config.text[source] = {};
  return config;
}

inline Weights weights_of(const Seq2Seq& model) {
  return [parameters = model.named_parameters()](const std::string& name) -> Array {
    const Tensor* found = parameters.find(name);
    if (found == nullptr) return {};
    return {found->sizes().vec(), numbers_of<float>(*found)};
  };
}

// nullptr if no engine of inference/ computes the model.
inline std::unique_ptr<const Engine> engine_of(const Seq2Seq& model, const ModelConfig& config,
                                               Precision precision = Precision::kFloat,
                                               const Kernels& set = kernels()) {
  auto shape = engine_shape(saved(config));
  if (shape) set_markers(*shape, sizes_of(config, kPieces).markers);
  return shape ? build_engine(*shape, weights_of(model), precision, set) : nullptr;
}

// Largest number of ids behind the vocabulary.
inline constexpr int64_t kBehind = 25;

// Every third piece that can be copied is not in the vocabulary of the target.
inline Copyable copies_of(const Ids& source) {
  Copyable copies{source, {}};
  for (int32_t& id : copies.ids) {
    if (id % 3 != 0) continue;
    const std::string piece = std::to_string(id);
    const auto found = std::ranges::find(copies.behind, piece);
    id = static_cast<int32_t>(kPieces + (found - copies.behind.begin()));
    if (found == copies.behind.end()) copies.behind.push_back(piece);
  }
  return copies;
}

// Sentences of one source. In models with several sources others are added, which some sentences lack.
struct SourcesOfModel {
  SourcesOfModel() = default;
  explicit SourcesOfModel(const ModelConfig& config)
      : count(config.sources().size()),
        copied(plan_of(config).attended),
        has_markers(needs_of(config).marker) {}
  size_t count = 1, copied = 0;
  bool has_markers = false;  // behind a word or two, in places
};
inline Ids with_markers(const Ids& ids) {
  Ids marked;
  for (const int32_t id : ids) {
    marked.push_back(id);
    if (id % 2 == 0) marked.push_back(kMarker);
  }
  return marked;
}
inline std::vector<Example> examples_of(const std::vector<Ids>& sentences,
                                        const SourcesOfModel& sources = {}) {
  std::vector<Example> examples;
  for (const Ids& ids : sentences) {
    Example example{.sources = {ids}, .copied = sources.copied, .target = {}};
    RandomStream random(examples.size() + 50);
    while (example.sources.size() < sources.count)
      example.sources.push_back(
          examples.size() % 3 == 1 ? Ids() : random_sentence(random, 3 + random.below(7), kPieces));
    example.sources.resize(sources.count);
    for (Ids& source : example.sources) {
      if (sources.has_markers) source = with_markers(source);
    }
    if (sources.count > 0) example.copyable = copies_of(example.sources[sources.copied]);
    examples.push_back(std::move(example));
  }
  return examples;
}
inline std::vector<const Example*> pointers_to(const std::vector<Example>& examples) {
  std::vector<const Example*> pointers;
  for (const Example& example : examples) pointers.push_back(&example);
  return pointers;
}

// Log-probabilities of all tokens by id, and of those that can be copied.  [R·(V+X)]
inline constexpr int64_t kIds = kPieces + kBehind;
inline std::vector<double> all_log_probs(Decoding& decoding) {
  const TopK best = decoding.best(kIds, {});
  const auto count = static_cast<size_t>(best.count);
  std::vector<double> by_id(best.id.size() / count * kIds, -INFINITY);
  for (size_t i = 0; i < best.id.size(); ++i) {
    if (best.id[i] >= 0) by_id[i / count * kIds + best.id[i]] = best.log_probability[i];
  }
  return by_id;
}

inline void expect_same_step(Decoding& own, Decoding& expected, const std::vector<int32_t>& tokens,
                             double tolerance) {
  own.step(tokens);
  expected.step(tokens);
  EXPECT_THAT(all_log_probs(own),
              testing::Pointwise(testing::DoubleNear(tolerance), all_log_probs(expected)));
  for (size_t row = 0; row < tokens.size(); ++row) {
    const auto weights = expected.attention(row), found = own.attention(row);
    ASSERT_EQ(found.has_value(), weights.has_value());
    if (!weights) continue;
    const std::vector<double> wanted(weights->begin(), weights->end());
    constexpr double kRounding = 3e-5;  // sets without FMA round each product
    EXPECT_THAT(std::vector<double>(found->begin(), found->end()),
                testing::Pointwise(testing::DoubleNear(kRounding), wanted));
  }
}

// All that search does with sentences that are decoded: they step, are spread to hypotheses, change
// places, leave, and others come.
// last: a token that is read in the end.
inline void expect_same_decoding(const Engine& own, const Engine& expected, double tolerance,
                                 int32_t last = 27, const SourcesOfModel& sources = {}) {
  const auto first = examples_of(random_sentences(3, 9, kPieces, 5), sources),
             later = examples_of({random_sentences(1, 20, kPieces, 6)[0], {}},  // an empty line
                                 sources);
  auto decoding = own.start(pointers_to(first), true);
  auto reference = expected.start(pointers_to(first), true);
  const auto gather = [&](const std::vector<int64_t>& rows, int64_t hypotheses) {
    decoding->gather(rows, hypotheses);
    reference->gather(rows, hypotheses);
  };
  const auto step = [&](const std::vector<int32_t>& tokens) {
    expect_same_step(*decoding, *reference, tokens, tolerance);
  };
  step({kBegin, kBegin, kBegin});
  gather({0, 0, 1, 1, 2, 2}, 2);
  step({4, 5, 6, 7, 8, 9});
  gather({1, 0, 3, 3, 4, 5}, 2);
  step({10, 11, 12, 13, 14, 15});
  gather({0, 1, 5, 4}, 2);
  auto more = own.start(pointers_to(later), true);
  auto more_reference = expected.start(pointers_to(later), true);
  more->gather({0, 0, 1, 1}, 2);
  more_reference->gather({0, 0, 1, 1}, 2);
  decoding->join(std::move(more));
  reference->join(std::move(more_reference));
  step({16, 17, 18, 19, kBegin, kBegin, kBegin, kBegin});
  gather({1, 0, 2, 3, 5, 4, 6, 7}, 2);
  step({20, 21, last, 23, 24, last, 26, 27});
}

// Adds noise to parameters whose initial values are all equal, such as gains and biases, so that it
// matters where each of them is used.
inline void vary_constants(Seq2Seq& model, double deviation = 0.05) {
  const torch::NoGradGuard no_grad;
  auto generator = at::make_generator<at::CPUGeneratorImpl>(11);
  for (const Tensor& parameter : model.parameters()) {
    if (parameter.min().equal(parameter.max()))
      parameter.add_(torch::randn(parameter.sizes(), generator, parameter.options()), deviation);
  }
}

// In each set of kernels.
inline void expect_engine_equals_model(const std::string& text, double times = 2.5) {
  const ModelConfig config = config_from(text);
  const auto model = random_model(config, kPieces, 3, torch::kFloat, times);
  vary_constants(*model);
  const ModelEngine expected({model}, config.sources());
  for (const Kernels* set : all_kernels()) {
    SCOPED_TRACE(set->name);
    const auto own = engine_of(*model, config, Precision::kFloat, *set);
    ASSERT_NE(own, nullptr);
    // The first token behind the vocabulary, where it can be copied.
    expect_same_decoding(*own, expected, 2e-4, config.output->copies() ? kPieces : 27,
                         SourcesOfModel(config));
  }
}

// In a model whose weights are drawn as for training, so that its scores are as small.
inline void expect_fewer_bits_are_near(const std::string& text) {
  for (const auto& [precision, most] :
       {std::pair{Precision::kBFloat16, 0.02}, {Precision::kInt8, 0.05}}) {
    const ModelConfig config = config_from(text);
    const auto model = std::make_shared<Seq2Seq>(config, sizes_of(config, kPieces), 3);
    const auto own = engine_of(*model, config, precision),
               exact = engine_of(*model, config, Precision::kFloat);
    const auto examples = examples_of(random_sentences(4, 9, kPieces, 5), SourcesOfModel(config));
    const auto decoding = own->start(pointers_to(examples), false),
               reference = exact->start(pointers_to(examples), false);
    double error = 0, spread = 0;
    for (const int32_t token : {1, 5, 30}) {
      decoding->step(std::vector<int32_t>(4, token));
      reference->step(std::vector<int32_t>(4, token));
      const auto found = all_log_probs(*decoding), wanted = all_log_probs(*reference);
      const double mean = std::log(1.0 / kPieces);
      for (size_t i = 0; i < wanted.size(); ++i) {
        if (!std::isfinite(wanted[i])) continue;
        error += std::pow(found[i] - wanted[i], 2);
        spread += std::pow(wanted[i] - mean, 2);
      }
    }
    EXPECT_GT(error, 0);  // it computes with other numbers
    EXPECT_LT(std::sqrt(error / spread), most);
  }
}

// In 8 bits, bit for bit, by each set that fuses multiplication and addition: all but the plain one.
inline void expect_equal_scores_in_each_set(const std::string& text) {
  const ModelConfig config = config_from(text);
  const auto model = random_model(config, kPieces, 3, torch::kFloat);
  vary_constants(*model);
  std::vector<std::unique_ptr<const Engine>> engines;
  for (const Kernels* set : all_kernels()) {
    if (set->name != std::string("plain"))
      engines.push_back(engine_of(*model, config, Precision::kInt8, *set));
  }
  for (size_t i = 1; i < engines.size(); ++i)
    expect_same_decoding(*engines[i], *engines[0], 0, config.output->copies() ? kPieces : 27,
                         SourcesOfModel(config));
}

inline void expect_search_finds_the_same(const std::string& text) {
  const ModelConfig config = config_from(text);
  const auto model = random_model(config, kPieces, 8, torch::kFloat);
  const auto own = engine_of(*model, config);
  const ModelEngine expected({model}, config.sources());
  const auto examples = examples_of(random_sentences(40, 12, kPieces, 9), SourcesOfModel(config));
  for (const int64_t beam : {1, 4}) {
    SearchConfig wanted;
    wanted.beam = beam;
    wanted.nbest = beam;
    wanted.no_repeat_ngram = 3;
    wanted.allow_unknown = false;
    wanted.min_length = 3;
    wanted.repetition_penalty = beam == 1 ? 1 : 1.2;
    // Fewer places than sentences, so that they enter and leave.
    const auto found = search(*own, requests_of(examples, wanted, true), 9),
               alone = search(expected, requests_of(examples, wanted, true), 9);
    auto without_scores = requests_of(examples, wanted);
    for (Request& request : without_scores) request.scores = false;
    const auto unscored = search(*own, without_scores, 9);
    for (size_t i = 0; i < examples.size(); ++i) {
      EXPECT_EQ(unscored[i][0].ids, alone[i][0].ids) << i;
      ASSERT_EQ(found[i].size(), alone[i].size());
      for (size_t k = 0; k < found[i].size(); ++k) {
        EXPECT_NEAR(found[i][k].score, alone[i][k].score, 1e-4);
        EXPECT_EQ(found[i][k].ids, alone[i][k].ids) << i << " " << k;
        EXPECT_EQ(found[i][k].attention.size(), alone[i][k].attention.size());
      }
    }
  }
}

// With a NaN in the parameter `name`.
inline void expect_refuses_no_number(const std::string& text, const std::string& name) {
  SCOPED_TRACE(name);
  const ModelConfig config = config_from(text);
  const auto model = random_model(config, kPieces, 8, torch::kFloat);
  {
    const torch::NoGradGuard no_grad;
    model->named_parameters()[name].view(-1)[3] = NAN;
  }
  EXPECT_ERROR(engine_of(*model, config), ErrorKind::kModel, "not finite");
}

inline void expect_parameters_of_the_model(const std::string& text) {
  const ModelConfig config = config_from(text);
  const auto model = random_model(config, kPieces, 3, torch::kFloat);
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const auto& [name, tensor] : tensors_of(*model)) shapes[name] = tensor.sizes().vec();
  EXPECT_EQ(parameter_shapes(*engine_shape(saved(config)),
                             {.sources = sizes_of(config, kPieces).sources, .target = kPieces}),
            shapes);
}

}  // namespace heed
