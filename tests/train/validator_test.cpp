#include "train/validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "holds.h"
#include "metric/registry.h"
#include "network/model_engine.h"
#include "nn/torch.h"
#include "search/search.h"
#include "train/tiny_run.h"
#include "train/translated_text.h"

namespace heed {
namespace {

class ModelValidatorTest : public testing::Test {
 protected:
  ModelValidatorTest() {
    network_ = std::make_shared<Seq2Seq>(tiny_rnn(0.2), tiny_sizes(), 3);
    const torch::NoGradGuard no_grad;
    for (const Tensor& parameter : network_->parameters()) parameter.mul_(3);  // clear peaks
  }
  ValidationReport validate(int64_t update = 7) const {
    NetworkModel model;
    model.networks = {network_};
    model.sources = model.inputs = {"source"};
    model.codecs = {{"source", tiny_codec()}, {"target", tiny_codec()}};
    model.max_length = 30;
    OneProcess alone;
    return ModelValidator(model, set_, config_, search_, {2, alone}).validate(update);
  }
  SourceBatches source_of(const Example& example) const {
    return {{{"source", source_batch({example.sources[0]}, torch::kCPU)}}};
  }
  Ids best_of(const Example& example) const {
    return search(ModelEngine({network_}, {"source"}), requests_of({example}, search_))[0][0].ids;
  }
  // Translation of this sentence by a separate search.
  std::string translation_of(const Example& example) const {
    return tiny_codec()->decode(best_of(example));
  }

  std::shared_ptr<Seq2Seq> network_;
  EvaluationSet set_ = tiny_set("valid", 11);
  ValidateConfig config_;
  SearchConfig search_;
};

// Expected figures are computed sentence by sentence from the log-probabilities; some targets are
// the model's own output.
TEST_F(ModelValidatorTest, LossAndAccuracyAreThoseOfTheTokens) {
  holds({"train.validate.metric"});
  search_.beam = 1;
  for (size_t i = 0; i < 3; ++i) {
    set_.examples[i].target = best_of(set_.examples[i]);
  }
  double loss = 0;
  int64_t tokens = 0, correct = 0;
  const torch::NoGradGuard no_grad;
  for (const Example& example : set_.examples) {
    const TargetBatch target = target_batch({example.target}, torch::kCPU);
    State state = network_->start(source_of(example), Pass());
    const Tensor log_probs =
        network_->log_probs(network_->advance(target.inputs, state), state)[0];  // [T,V]
    for (int64_t t = 0; t < log_probs.size(0); ++t) {
      const int64_t right = target.outputs[0][t].item<int64_t>();
      loss -= log_probs[t][right].item<double>();
      correct += log_probs[t].argmax().item<int64_t>() == right ? 1 : 0;
      ++tokens;
    }
  }
  const Validation scores = validate().scores;
  EXPECT_EQ(scores.update, 7);
  EXPECT_NEAR(scores.loss, loss / static_cast<double>(tokens), 1e-5);
  EXPECT_NEAR(scores.accuracy, static_cast<double>(correct) / static_cast<double>(tokens), 1e-12);
  EXPECT_GT(correct, 0);
  EXPECT_LT(correct, tokens);
  EXPECT_TRUE(scores.translated.empty());
}

TEST_F(ModelValidatorTest, TextIsScoredByItsTranslations) {
  holds({"train.validate.metric"});
  search_.min_length = 3;
  for (const int64_t beam : {1, 6}) {
    search_.beam = beam;
    std::vector<std::string> translations;
    for (size_t i = 0; i < set_.examples.size(); ++i) {
      translations.push_back(translation_of(set_.examples[i]));
      set_.references[i] = translations[i] + (i % 2 == 0 ? " and more" : "");
    }
    for (const auto& [name, metric] : validation_metrics()) {
      if (!metric.translates) continue;
      config_.metric = metric;
      const double expected = make_metric(name)->score(translations, {set_.references}).value;
      EXPECT_GT(expected, 5) << name;
      EXPECT_EQ(validate().scores.translated, (std::map<std::string, double>{{name, expected}}));
    }
  }
}

TEST_F(ModelValidatorTest, BleuIsOfTheTokenizerOfTheConfig) {
  holds({"train.validate.tokenize"});
  search_.min_length = 3;
  config_.metric = validation_metric("bleu");
  std::vector<std::string> translations;
  for (size_t i = 0; i < set_.examples.size(); ++i) {
    translations.push_back(translation_of(set_.examples[i]));
    set_.references[i] = translations[i] + (i % 2 == 0 ? " and more" : "");
  }
  std::set<double> different;
  for (const char* tokenizer : {"13a", "char"}) {
    config_.tokenize = tokenizer;
    const double value = validate().scores.translated.at("bleu");
    EXPECT_EQ(value, make_metric("bleu", {.bleu = {.tokenizer = tokenizer}})
                         ->score(translations, {set_.references})
                         .value);
    different.insert(value);
  }
  EXPECT_EQ(different.size(), 2);
}

TEST_F(ModelValidatorTest, SamplesAreTranslationsOfItsLines) {
  holds({"train.validate.samples"});
  for (const char* metric : {"loss", "bleu", "rougeL"}) {
    config_.metric = validation_metric(metric);
    for (const int64_t count : {0, 2, 100}) {
      config_.samples = count;
      const std::vector<Sample> samples = validate().samples;
      EXPECT_EQ(samples.size(), std::min<size_t>(count, set_.size()));
      for (const Sample& sample : samples) {
        const auto found = std::find(set_.sources[0].begin(), set_.sources[0].end(), sample.source);
        ASSERT_NE(found, set_.sources[0].end());
        const auto line = static_cast<size_t>(found - set_.sources[0].begin());
        EXPECT_EQ(sample.reference, set_.references[line]);
        EXPECT_EQ(sample.translation, translation_of(set_.examples[line]));
      }
    }
  }
}

TEST_F(ModelValidatorTest, SamplesAreOfTheSameLinesEachTime) {
  config_.metric = validation_metric("loss");
  config_.samples = 3;
  const auto sources = [this](int64_t update) {
    std::vector<std::string> texts;
    for (const Sample& sample : validate(update).samples) texts.push_back(sample.source);
    return texts;
  };
  for (const int64_t update : {8, 500, 1000}) EXPECT_EQ(sources(update), sources(7));
}

TEST_F(ModelValidatorTest, LogsFurtherMetricsOfSentencesAllOverTheSet) {
  holds({"train.validate.metrics", "train.validate.max_sentences", "train.validate.beam"});
  config_.metric = validation_metric("chrf");
  config_.metrics = {"bleu", "exact"};
  config_.max_sentences = 4;
  config_.samples = 9;
  config_.beam = 1;
  const ValidationReport report = validate();
  EXPECT_EQ(report.samples.size(), 4u);
  search_.beam = 1;
  std::vector<std::string> translations, references;
  for (const size_t i : {0, 2, 4, 6}) {  // the set has 9
    translations.push_back(translation_of(set_.examples[i]));
    references.push_back(set_.references[i]);
  }
  ASSERT_EQ(report.scores.translated.size(), 3u);
  for (const auto& [metric, value] : report.scores.translated)
    EXPECT_EQ(value, make_metric(metric)->score(translations, {references}).value) << metric;
}

// All sentences are translated, or only the samples if the metric does not need translations.
TEST_F(ModelValidatorTest, CountsTranslationsThatAreCut) {
  search_.max_length_ratio = 1;
  search_.max_length_extra = 1;
  const auto is_cut = [this](const Example& example) {
    const Hypothesis best =
        search(ModelEngine({network_}, {"source"}), requests_of({example}, search_))[0][0];
    return !best.finished || best.limited;
  };
  const auto expected = std::ranges::count_if(set_.examples, is_cut);
  EXPECT_GT(expected, 0);
  config_.metric = validation_metric("bleu");
  const CutLines cut = validate().scores.cut;
  EXPECT_EQ(cut.translated, std::ssize(set_.references));
  EXPECT_EQ(cut.targets, expected);
  EXPECT_EQ(cut.sources, 0);
  search_.max_source_length = 1;
  EXPECT_EQ(validate().scores.cut.sources,
            std::ranges::count_if(set_.examples,
                                  [](const auto& one) { return one.sources[0].size() > 1; }));
  config_.metric = validation_metric("loss");
  config_.samples = 2;
  EXPECT_EQ(validate().scores.cut.translated, 2);
  config_.samples = 0;
  EXPECT_EQ(validate().scores.cut.translated, 0);
}

// Each change affects the scores of translations; the loss changes only with the text.
TEST_F(ModelValidatorTest, ScoresHaveAnIdentity) {
  config_.metric = validation_metric("bleu");
  config_.metrics = {"exact"};
  const ScoreIdentity usual = identity_of_validation(set_, config_, search_);
  EXPECT_EQ(validate().scores.identity, usual);
  const auto loss = validation_metric("loss");
  const auto bleu = validation_metric("bleu");
  const auto exact = validation_metric("exact");
  const auto fits = [&](const ScoreIdentity& other) {
    return std::vector<bool>{usual.fits(other, loss), usual.fits(other, bleu),
                             usual.fits(other, exact)};
  };
  using Fits = std::vector<bool>;
  EXPECT_EQ(fits(identity_of_validation(set_, config_, search_)), (Fits{true, true, true}));
  SearchConfig search = search_;
  search.beam += 1;
  EXPECT_EQ(fits(identity_of_validation(set_, config_, search)), (Fits{true, false, false}));
  ValidateConfig config = config_;
  config.beam = search_.beam;
  EXPECT_EQ(fits(identity_of_validation(set_, config, search)), (Fits{true, true, true}));
  config = config_;
  config.max_sentences = 3;
  EXPECT_EQ(fits(identity_of_validation(set_, config, search_)), (Fits{true, false, false}));
  config = config_;
  config.tokenize = "char";
  EXPECT_EQ(fits(identity_of_validation(set_, config, search_)), (Fits{true, false, true}));
  config = config_;
  config.every += 1;
  config.patience = 3;
  EXPECT_EQ(fits(identity_of_validation(set_, config, search_)), (Fits{true, true, true}));
  EvaluationSet set = set_;
  set.references[2] += " more";
  EXPECT_EQ(fits(identity_of_validation(set, config_, search_)), (Fits{false, false, false}));
  set = set_;
  std::swap(set.sources[0][0], set.sources[0][1]);
  EXPECT_EQ(fits(identity_of_validation(set, config_, search_)), (Fits{false, false, false}));
}

TEST(ScoreText, SaysThatItComparesInLowerCase) {
  EvaluationSet set;
  set.references = {"ein hund läuft hier"};
  for (const char* metric : {"bleu", "chrf"}) {
    EXPECT_THAT(score_text({}, metric, set.references, set).signature,
                testing::HasSubstr("case:mixed"));
    set.lower_case = true;
    EXPECT_THAT(score_text({}, metric, set.references, set).signature,
                testing::HasSubstr("case:lc"));
    set.lower_case = false;
  }
}

}  // namespace
}  // namespace heed
