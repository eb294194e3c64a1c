// A language model, from training to perplexity: no `source` and `encoder: none`.
#include <gmock/gmock.h>

#include <cmath>

#include "cli/kinds_of_run.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kLanguageModelConfig = R"(
run: runs/alone
data:
  train: [{target: train.tgt}]
  valid: {target: valid.tgt}
  test: {again: {target: valid.tgt}}
text:
  target: {type: words}
model:
  embedding: {width: 16}
  encoder: none
  decoder: {type: rnn, width: 24, attention: none, past: {attention: {score: dot}}}
train:
  batch: {sentences: 32}
  optimizer: {type: adam, rate: 0.01}
  max_updates: 40
  validate: {every: 20, metric: loss}
)";

class LanguageModel : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    write_plainly(workshop_ / "alone.yaml", kLanguageModelConfig);
  }
  Outcome train(Arguments more = {}) const {
    return workshop_.run(joined({"train", "alone.yaml"}, more));
  }
  std::string refusal(const Arguments& settings) const {
    Arguments arguments{"--dry-run"};
    for (const std::string& setting : settings) {
      arguments.emplace_back("--set");
      arguments.push_back(setting);
    }
    const Outcome refused = train(arguments);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    return refused.err;
  }
  ToyWorkshop workshop_;
};

TEST_F(LanguageModel, GivesProbabilitiesToTexts) {
  holds({"--target"});
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("train.tgt: 1,000 pairs, 1,000 kept"));

  // The perplexity of the test set is that of the scores of its lines, each with its end.
  const Outcome scored = workshop_.run({"score", "runs/alone", "-t", "valid.tgt"});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  const auto scores = lines_of(scored.out), texts = lines_of(workshop_.read("valid.tgt"));
  ASSERT_EQ(scores.size(), texts.size());
  double sum = 0, tokens = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    sum += std::stod(scores[i]);
    tokens += static_cast<double>(std::count(texts[i].begin(), texts[i].end(), ' ')) + 2;
  }
  const std::string perplexity = fmt::format("perplexity {:.2f}", std::exp(-sum / tokens));
  EXPECT_THAT(trained.err, HasSubstr("test again, checkpoint of update 40: " + perplexity));
  EXPECT_THAT(scored.err, HasSubstr(perplexity));
  EXPECT_THAT(workshop_.read("runs/alone/metrics.jsonl"), HasSubstr("\"perplexity\":"));

  // What it read of its own past is drawn.
  write_plainly(workshop_ / "one.txt", "a b c d\n");
  const Outcome drawn = workshop_.run({"plot", "attention", "runs/alone", "--target", "one.txt"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  holds("plot", kinds_of_run(workshop_, "runs/alone"));
  EXPECT_THAT(drawn.out, HasSubstr("d"));
  const Outcome piped =
      workshop_.run({"plot", "attention", "runs/alone", "--target", "-"}, "a b c d\n");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(piped.out, drawn.out);
}

TEST_F(LanguageModel, TranslatesNothing) {
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  for (const Arguments& arguments :
       {Arguments{"translate", "runs/alone"},
        Arguments{"translate", "runs/alone", "-i", "valid.src"},
        Arguments{"score", "runs/alone", "-s", "valid.src", "-t", "valid.tgt"},
        Arguments{"plot", "attention", "runs/alone"},
        Arguments{"plot", "attention", "runs/alone", "--target", "valid.tgt", "-i", "valid.src"},
        Arguments{"evaluate", "--model", "runs/alone", "-s", "valid.src", "-r", "valid.tgt"}}) {
    const Outcome refused = workshop_.run(arguments, "a b\n");
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("a language model has no")) << arguments[0];
  }
}

TEST_F(LanguageModel, HasNoTags) {
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  for (const Arguments& arguments :
       {Arguments{"score", "runs/alone", "-t", "valid.tgt", "--tag", "de"},
        Arguments{"plot", "attention", "runs/alone", "--target", "valid.tgt", "--tag", "de"}}) {
    const Outcome refused = workshop_.run(arguments);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("--tag de: the model has no tags; leave it out"));
  }
}

TEST_F(LanguageModel, HasToBeSaidOnBothSides) {
  EXPECT_THAT(refusal({"model.encoder=rnn"}),
              HasSubstr("data.train[0]: has no `source`: give its file, or for a language model "
                        "write `encoder: none`"));
  EXPECT_THAT(refusal({"data.train=[{source: train.src, target: train.tgt}]",
                       "data.valid={source: valid.src, target: valid.tgt}", "data.test={}",
                       "text={source: words, target: words}"}),
              HasSubstr("model.encoder: `none` has no source, but data.train has source"));
  EXPECT_THAT(refusal({"data.valid={source: valid.src, target: valid.tgt}"}),
              HasSubstr("data.valid.source: has source, but train[0] has nothing"));
  EXPECT_THAT(
      refusal({"text={source: words, target: words}"}),
      HasSubstr("text.source: a language model has no source: write `text: {target: {type"));
}

TEST_F(LanguageModel, HasNothingThatReadsASource) {
  EXPECT_THAT(refusal({"model.decoder.attention={score: dot}"}),
              HasSubstr("needs a source, and there is none: write `attention: none`"));
  for (const std::string output : {"pointer_generator", "copynet", "pointer", "pointer_sum"})
    EXPECT_THAT(refusal({"model.output=" + output}), HasSubstr("copies from the source")) << output;
  EXPECT_THAT(refusal({"data.train=[{target: train.tgt, tag: a}]", "data.valid=~", "data.test={}"}),
              HasSubstr("data.train[0].tag: needs a source"));
  EXPECT_THAT(refusal({"model.join=self_attentive"}),
              HasSubstr("needs a source, and there is none"));
  EXPECT_THAT(refusal({"model.embedding.tie=all"}), HasSubstr("'all' needs a source"));
  EXPECT_THAT(refusal({"model.decoder.bridge_from=source"}), HasSubstr("needs a source"));
  EXPECT_THAT(refusal({"model.decoder.past={attention: none}"}),
              HasSubstr("has no effect with `none`: leave `past` out"));
  EXPECT_THAT(refusal({"train.validate.metric=bleu"}),
              HasSubstr("bleu needs translations, and a language model has none"));
  EXPECT_THAT(refusal({"model.encoders={a: none}"}), HasSubstr("`encoder: none` has none"));
  for (const std::string attention :
       {"one_source", "multi_source", "attention_over_attention", "hops", "linear"})
    EXPECT_THAT(refusal({"model.decoder.attention=" + attention}), Not(HasSubstr("unexpected")))
        << attention;
}

}  // namespace
}  // namespace heed
