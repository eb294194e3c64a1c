// Documents of marked sentences, from training to a picture of what counted.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/kinds_of_run.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

// Lines of three sentences of letters, one of which has an x or a y: that is the label.
constexpr const char* kDocumentsConfig = R"(
run: runs/documents
data:
  train: [{source: train.docs, target: train.label}]
  valid: {source: train.docs, target: train.label}
text:
  source: {type: words, marker: "|"}
  target: {type: words}
model:
  embedding: {width: 16, tie: none}
  encoder:
    type: hierarchical
    word_encoder: {type: rnn, cell: gru, width: 16}
    sentence_encoder: {type: rnn, cell: gru, width: 16}
    pool: {type: attention, hidden: 16}
  decoder: {type: rnn, cell: gru, width: 16, attention: {score: {type: additive, hidden: 16}}}
train:
  batch: {sentences: 32}
  optimizer: {type: adam, rate: 0.01}
  max_updates: 60
  validate: {every: 60, metric: exact}
)";

class Documents : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    std::string documents, labels;
    RandomStream random(stream_key(1, "documents"));
    for (int line = 0; line < 300; ++line) {
      const std::string label = random.below(2) == 0 ? "x" : "y";
      const uint64_t marked = random.below(3);
      for (uint64_t sentence = 0; sentence < 3; ++sentence) {
        documents += sentence > 0 ? " | " : "";
        documents += sentence == marked ? "a " + label + " b" : "a c b";
      }
      documents += '\n';
      labels += label + '\n';
    }
    write_plainly(workshop_ / "train.docs", documents);
    write_plainly(workshop_ / "train.label", labels);
    write_plainly(workshop_ / "documents.yaml", kDocumentsConfig);
    write_plainly(workshop_ / "one.docs", "a c b | a x b | b c a\n");
  }
  ToyWorkshop workshop_;
};

TEST_F(Documents, AreDrawnHoweverTheyArePooled) {
  std::set<std::string> kinds;
  for (const Arguments& settings :
       {Arguments{"--set", "model.encoder.pool=mean", "--set",
                  "model.encoder.last={type: attention, hidden: 8}"},
        Arguments{"--set", "model.encoder.pool=position"},
        Arguments{"--set", "model.encoder.states=words", "--set",
                  "model.decoder.attention={score: dot, terms: [{type: chunks, hidden: 8}]}"},
        Arguments{"--set", "model.encoder=embeddings"}}) {
    SCOPED_TRACE(settings.back());
    const Outcome trained =
        workshop_.run(joined({"train", "documents.yaml", "--overwrite", "--set",
                              "train.max_updates=1", "--set", "train.validate.metric=loss"},
                             settings));
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const Outcome drawn = workshop_.run(
        {"plot", "attention", "runs/documents", "-i", "one.docs", "--html", "one.html"});
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_THAT(workshop_.read("one.html"), HasSubstr("attention over the source"));
    kinds.merge(kinds_of_run(workshop_, "runs/documents"));
  }
  holds("plot", kinds);
}

// Attention over words and sentences, and a softmax of the document vector.
TEST_F(Documents, BecomeALabelWithoutADecoder) {
  write_plainly(workshop_ / "odd.label", "x y\n" + workshop_.read("train.label").substr(2));
  const Outcome trained = workshop_.run(
      {"train", "documents.yaml", "--set", "model.encoder.last={type: attention, hidden: 16}",
       "--set", "model.decoder=none", "--set", "model.output=label", "--set",
       "data.train=[{source: train.docs, target: odd.label}]"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("1 with a target that the model cannot write"));
  const Outcome translated =
      workshop_.run({"translate", "runs/documents"}, "a y b | a c b\na c b | b c a | a x b\n");
  ASSERT_EQ(translated.exit_code, 0) << translated.err;
  EXPECT_EQ(translated.out, "y\nx\n");
  const Outcome drawn = workshop_.run(
      {"plot", "attention", "runs/documents", "-i", "one.docs", "--html", "one.html"});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(workshop_.read("one.html"), HasSubstr("encoder, pooling of the document"));
  holds("plot", kinds_of_run(workshop_, "runs/documents"));
}

TEST_F(Documents, WithoutADecoderAreALabel) {
  for (const auto& [settings, message] :
       {std::pair{Arguments{"model.decoder=none"},
                  "model.output: vocabulary writes one token after the other, but `decoder: none` "
                  "has the same state for all of them: use label, or another decoder"},
        {Arguments{"model.decoder=none", "model.output=label", "model.encoder=none",
                   "data={train: [{target: train.label}], valid: {target: train.label}}",
                   "text={target: {type: words}}"},
         "model.decoder: none reads the last state of a source, and there is none: use rnn"}}) {
    Arguments arguments = {"train", "documents.yaml", "--dry-run"};
    for (const std::string& setting : settings)
      arguments.insert(arguments.end(), {"--set", setting});
    const Outcome refused = workshop_.run(arguments);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr(message));
  }
}

// An empty line has no parts.
TEST_F(Documents, TellOfEmptyParts) {
  write_plainly(workshop_ / "odd.docs", "a c b || a x b\n| a c b\n\na y b | a c b\n");
  write_plainly(workshop_ / "odd.label", "x\nx\nx\ny\n");
  const Outcome trained = workshop_.run(
      {"train", "documents.yaml", "--set", "train.max_updates=1", "--set",
       "train.validate.metric=loss", "--set",
       "data={train: [{source: train.docs, target: train.label}, {source: odd.docs, target: "
       "odd.label}], valid: {source: odd.docs, target: odd.label}}"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err,
              HasSubstr("odd.docs: 2 of 4 lines have empty parts between markers, which are left"));
  const Outcome translated = workshop_.run({"translate", "runs/documents", "-i", "odd.docs"});
  ASSERT_EQ(translated.exit_code, 0) << translated.err;
  EXPECT_THAT(translated.err, HasSubstr("empty parts between markers, which are left out: line 1 "
                                        "(1 parts), line 2 (1 parts)"));
}

// A row a sentence, with its text; its weight is that of its words, which --attention writes.
TEST_F(Documents, AreDrawnByTheirSentences) {
  holds({"heed plot attention"});
  const Outcome trained = workshop_.run({"train", "documents.yaml"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Outcome translated =
      workshop_.run({"translate", "runs/documents", "-i", "one.docs", "--attention", "one.json"});
  ASSERT_EQ(translated.exit_code, 0) << translated.err;
  const auto read = nlohmann::json::parse(workshop_.read("one.json"));
  // Pieces of each sentence with the mark or the end behind it: 4, 4 and 4.
  const auto sum = [&read](size_t target, size_t sentence) {
    double weight = 0;
    for (size_t i = 4 * sentence; i < 4 * sentence + 4; ++i)
      weight += read["weights"][target][i].get<double>();
    return weight;
  };
  const Outcome drawn = workshop_.run({"plot", "attention", "runs/documents", "-i", "one.docs"});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  holds("plot", kinds_of_run(workshop_, "runs/documents"));
  const std::vector<std::string> texts = {"a c b", "a x b", "b c a"};
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto lines = lines_of(drawn.out);
    const auto line = std::find_if(lines.begin() + 1, lines.end(), [&](const std::string& one) {
      return one.starts_with(texts[i] + " ");
    });
    ASSERT_NE(line, lines.end()) << drawn.out;
    EXPECT_THAT(*line, HasSubstr(fmt::format("{:.2f}", std::max(sum(0, i), sum(1, i)))));
  }
  const Outcome page = workshop_.run(
      {"plot", "attention", "runs/documents", "-i", "one.docs", "--html", "one.html"});
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(workshop_.read("one.html"), HasSubstr("rows: sentences, columns: target tokens"));
  EXPECT_THAT(workshop_.read("one.html"),
              HasSubstr("decoder layer 1, attention over the source, by sentences"));
}

}  // namespace
}  // namespace heed
