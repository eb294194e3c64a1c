// Random models and sentences for the tests of search.
#pragma once

#include "nn/torch.h"

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/seq2seq.h"
#include "network/model_engine.h"
#include "nn/needs_spec.h"
#include "search/search.h"
#include "tiny_models.h"

namespace heed {

using Models = std::vector<std::shared_ptr<Seq2Seq>>;

inline constexpr int32_t kMarker = kSpecials;  // of models of documents

// Vocabularies of one size.
inline VocabularySizes sizes_of(const ModelConfig& config, int64_t vocabulary) {
  VocabularySizes sizes{.sources = {}, .target = vocabulary};
  for (const std::string& source : config.sources()) sizes.sources[source] = vocabulary;
  if (needs_of(config).marker) {
    for (const std::string& source : config.sources()) sizes.markers[source] = kMarker;
  }
  return sizes;
}

// Weights are drawn from a wider distribution than for training, so that the model's distributions
// have clear peaks. The gains of layer norms stay 1: a gain of 2.5 multiplies the scores of
// self-attention by 6. Such a model is so ill-conditioned that rounding its parameters to float
// moves log-probabilities by 7·10⁻⁴, even if everything else is computed in double precision.
// times: factor of the weights
inline std::shared_ptr<Seq2Seq> random_model(const ModelConfig& config, int64_t vocabulary,
                                             uint64_t seed, torch::ScalarType type = torch::kDouble,
                                             double times = 2.5) {
  auto model = std::make_shared<Seq2Seq>(config, sizes_of(config, vocabulary), seed);
  const torch::NoGradGuard no_grad;
  for (const Tensor& parameter : model->parameters()) {
    if (parameter.dim() > 1) parameter.mul_(times);
  }
  model->to(type);
  return model;
}

// Makes a token more likely at every step.
inline void prefer(Seq2Seq& model, int32_t id, double by) {
  const torch::NoGradGuard no_grad;
  model.named_parameters()["output.bias"].select(0, id).add_(by);
}

inline Ids random_sentence(RandomStream& random, int64_t length, int64_t vocabulary) {
  Ids ids;
  for (int64_t i = 0; i < length; ++i)
    ids.push_back(static_cast<int32_t>(kSpecials + random.below(vocabulary - kSpecials)));
  return ids;
}

// Draws sentences with lengths from 1 to `longest`.
inline std::vector<Ids> random_sentences(int64_t count, int64_t longest, int64_t vocabulary,
                                         uint64_t seed) {
  RandomStream random(seed);
  std::vector<Ids> sentences;
  for (int64_t i = 0; i < count; ++i) {
    const auto length = static_cast<int64_t>(1 + random.below(longest));
    sentences.push_back(random_sentence(random, length, vocabulary));
  }
  return sentences;
}

inline SourceBatches sources_of(const std::vector<Ids>& sentences) {
  return {{{"source", source_batch(sentences, torch::kCPU)}}};
}

inline std::vector<std::vector<Hypothesis>> search(
    const Models& models, const std::vector<Ids>& sentences, const SearchConfig& config,
    bool attention = false, int64_t room = std::numeric_limits<int64_t>::max()) {
  std::vector<Example> examples;
  for (const Ids& sentence : sentences) examples.push_back({.sources = {sentence}, .target = {}});
  return search(ModelEngine(models, {"source"}), requests_of(examples, config, attention), room);
}

}  // namespace heed
