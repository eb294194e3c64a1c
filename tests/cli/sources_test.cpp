// Several sources, from training to translation: `source: {a: …, b: …}` and `model.encoders`.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/kinds_of_run.h"
#include "cli/opened_libraries.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr const char* kTwoSourcesConfig = R"(
run: runs/two
data:
  train: [{source: {text: train.src, hint: train.hint}, target: train.tgt}]
  valid: {source: {text: valid.src, hint: valid.hint}, target: valid.tgt}
text:
  text: {type: words}
  hint: {type: words}
  target: {share: text}
model:
  embedding: {width: 16}
  encoders:
    text: {type: rnn, cell: gru, width: 16}
    hint: {type: rnn, cell: gru, width: 16}
  join: basic
  decoder: {type: rnn, cell: gru, width: 16, attention: {type: multi_source, combine: hierarchical}}
train:
  batch: {sentences: 32}
  optimizer: {type: adam, rate: 0.01}
  max_updates: 40
  validate: {every: 20, metric: loss}
)";

// One word for each line; every third line is empty.
std::string hints(const std::string& text) {
  std::string hints;
  size_t number = 0;
  for (const std::string& line : lines_of(text))
    hints += (++number % 3 == 0 ? "" : line.size() > 8 ? "long" : "short") + std::string("\n");
  return hints;
}

class SourcesOfTheProgram : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    for (const std::string part : {"train", "valid"})
      write_plainly(workshop_ / (part + ".hint"), hints(workshop_.read(part + ".src")));
    write_plainly(workshop_ / "two.yaml", kTwoSourcesConfig);
  }
  Outcome train(Arguments more = {}) const {
    return workshop_.run(joined({"train", "two.yaml"}, more));
  }
  // Draws the attention of the run into maps.html.
  Outcome draw(const Arguments& more = {}) const {
    return workshop_.run(joined({"plot", "attention", "runs/two", "-i", "text=valid.src", "-i",
                                 "hint=valid.hint", "--html", "maps.html"},
                                more));
  }
  ToyWorkshop workshop_;
};

TEST_F(SourcesOfTheProgram, GoFromTrainingToTranslation) {
  holds({"data.train[].source", "model.encoders"});
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;

  const Outcome from_files =
      workshop_.run({"translate", "runs/two", "-i", "hint=valid.hint", "-i", "text=valid.src"});
  ASSERT_EQ(from_files.exit_code, 0) << from_files.err;
  EXPECT_EQ(lines_of(from_files.out).size(), 50U);

  std::string objects;
  const auto texts = lines_of(workshop_.read("valid.src")),
             words = lines_of(workshop_.read("valid.hint"));
  for (size_t i = 0; i < texts.size(); ++i)
    objects += nlohmann::json{{"text", texts[i]}, {"hint", words[i]}}.dump() + "\n";
  const Outcome from_objects = workshop_.run({"translate", "runs/two"}, objects);
  EXPECT_EQ(from_objects.exit_code, 0) << from_objects.err;
  EXPECT_EQ(from_objects.out, from_files.out);

  // Without libtorch the translations, and with a packed model too.
  const Arguments with_scores{"translate", "runs/two",       "-i",      "hint=valid.hint",
                              "-i",        "text=valid.src", "--nbest", "2"};
  EXPECT_THAT(opened_libraries(joined(with_scores, {"--device", "cpu"}), "", workshop_.path()),
              testing::Not(HasSubstr("libtorch")));
  const Outcome plain =
      run_heed({"translate", "runs/two", "-i", "hint=valid.hint", "-i", "text=valid.src"},
               {.environment = {{"HEED_PLAIN", "1"}}, .folder = workshop_.path()});
  EXPECT_EQ(plain.out, from_files.out) << plain.err;
  ASSERT_EQ(workshop_.run({"pack", "runs/two", "-o", "two.heed", "--precision", "fp32"}).exit_code,
            0);
  const Outcome packed =
      workshop_.run({"translate", "two.heed", "-i", "hint=valid.hint", "-i", "text=valid.src"});
  EXPECT_EQ(packed.out, from_files.out) << packed.err;

  // A line with one missing source is translated; a line without any source stays empty.
  const Outcome lacking =
      workshop_.run({"translate", "runs/two"},
                    "{\"text\": \"\", \"hint\": \"long\"}\n{\"text\": \"\", \"hint\": \"\"}\n"
                    "{\"text\": \"a b\", \"hint\": \"\"}\n");
  ASSERT_EQ(lacking.exit_code, 0) << lacking.err;
  ASSERT_EQ(lines_of(lacking.out).size(), 3U);
  EXPECT_NE(lines_of(lacking.out)[0], "");
  EXPECT_EQ(lines_of(lacking.out)[1], "");
  EXPECT_NE(lines_of(lacking.out)[2], "");

  EXPECT_FAILS(workshop_.run({"translate", "runs/two", "-i", "valid.src"}), 2,
               "the model reads hint, text");
}

TEST_F(SourcesOfTheProgram, AreDividedIntoShardsAtTheSameLines) {
  holds({"--shard"});
  ASSERT_EQ(train().exit_code, 0);
  const Arguments command{"translate", "runs/two",       "-i",      "hint=valid.hint",
                          "-i",        "text=valid.src", "--batch", "1"};
  const Outcome whole = workshop_.run(command);
  for (const char* which : {"1/3", "2/3", "3/3"})
    ASSERT_EQ(workshop_.run(joined(command, {"-o", "out", "--shard", which})).exit_code, 0);
  ASSERT_EQ(workshop_.run({"join", "out"}).exit_code, 0);
  EXPECT_EQ(workshop_.read("out"), whole.out);

  write_plainly(workshop_ / "valid.hint", workshop_.read("valid.hint") + "long\n");
  const Arguments longer = joined(command, {"-o", "longer", "--shard"});
  EXPECT_EQ(workshop_.run(joined(longer, {"1/3"})).exit_code, 0);
  const Outcome last = workshop_.run(joined(longer, {"3/3"}));
  EXPECT_EQ(last.exit_code, 3);
  EXPECT_THAT(last.err, HasSubstr("ends after 50 lines, the other inputs have more"));
}

TEST_F(SourcesOfTheProgram, AreScoredEvaluatedAndDrawn) {
  holds({"data.train[].source"});
  ASSERT_EQ(train().exit_code, 0);
  const auto score = [&](const std::string& hint) {
    return workshop_.run(
        {"score", "runs/two", "-s", "text=valid.src", "-s", "hint=" + hint, "-t", "valid.tgt"});
  };
  write_plainly(workshop_ / "none.hint", std::string(50, '\n'));
  EXPECT_EQ(score("valid.hint").exit_code, 0);
  EXPECT_NE(score("valid.hint").out, score("none.hint").out) << "both sources are read";

  const Outcome evaluated =
      workshop_.run({"evaluate", "--model", "runs/two", "-s", "text=valid.src", "-s",
                     "hint=valid.hint", "-r", "valid.tgt"});
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;

  const Outcome plot = draw({"--line", "3"});
  ASSERT_EQ(plot.exit_code, 0) << plot.err;
  holds("plot", kinds_of_run(workshop_, "runs/two"));
  EXPECT_THAT(workshop_.read("maps.html"),
              HasSubstr("decoder layer 1, attention over the source, text"));
  EXPECT_THAT(workshop_.read("maps.html"),
              HasSubstr("decoder layer 1, attention over the source, sources"));
}

TEST_F(SourcesOfTheProgram, ThatReadEachOtherAreDrawn) {
  ASSERT_EQ(train({"--set", "model.join=co_attention"}).exit_code, 0);
  const Outcome plot = draw();
  ASSERT_EQ(plot.exit_code, 0) << plot.err;
  holds("plot", kinds_of_run(workshop_, "runs/two"));
  for (const char* place : {"encoder, co-attention of text", "encoder, co-attention of hint"})
    EXPECT_THAT(workshop_.read("maps.html"), HasSubstr(place));
}

TEST_F(SourcesOfTheProgram, ThatFlowIntoEachOtherAreDrawn) {
  ASSERT_EQ(train({"--set",
                   "model.join={type: attention_flow, context: text, modeling: {type: rnn, "
                   "width: 8}}"})
                .exit_code,
            0);
  const Outcome plot = draw();
  ASSERT_EQ(plot.exit_code, 0) << plot.err;
  holds("plot", kinds_of_run(workshop_, "runs/two"));
  for (const char* place : {"encoder, co-attention of text", "encoder, pooling of text"})
    EXPECT_THAT(workshop_.read("maps.html"), HasSubstr(place));
}

TEST_F(SourcesOfTheProgram, AreToldApartWhereTheirEncodersAreDrawn) {
  ASSERT_EQ(train({"--set", "model.join=self_attentive"}).exit_code, 0);
  const Arguments plot = {"plot",           "attention", "runs/two",       "-i",
                          "text=valid.src", "-i",        "hint=valid.hint"};
  const Outcome drawn = workshop_.run(joined(plot, {"--html", "maps.html"}));
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  for (const char* place : {"encoder, pooling of text", "encoder, pooling of hint"})
    EXPECT_THAT(workshop_.read("maps.html"), HasSubstr(place));
  const auto layer = [&](const char* name) {
    return workshop_.run(joined(plot, {"--layer", name}));
  };
  EXPECT_NE(layer("encoder.pool.text").out, layer("encoder.pool.hint").out);
  EXPECT_FAILS(layer("encoder.pool"), 2, "encoder.pool.hint");
}

TEST_F(SourcesOfTheProgram, AreDrawnHoweverTheyAreCombined) {
  holds_not("plot", {{"join: child_sum", "no weights"}});
  std::set<std::string> kinds;
  for (const char* setting :
       {"model.decoder.attention.combine=concat", "model.decoder.attention.combine=parallel",
        "model.decoder.attention.combine=serial", "model.decoder.attention.combine=flat",
        "model.decoder.attention={type: one_source, source: text}",
        "model.encoders={text: {type: rnn, width: 16}, hint: {type: shared, with: text}}",
        "model.join={type: alternating_co_attention, hidden: 8}",
        "model.join={type: parallel_co_attention, hidden: 8}", "model.join=attentive_pooling"}) {
    SCOPED_TRACE(setting);
    const Outcome trained =
        train({"--overwrite", "--set", "train.max_updates=1", "--set", setting});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const Outcome plot = draw();
    ASSERT_EQ(plot.exit_code, 0) << plot.err;
    EXPECT_THAT(workshop_.read("maps.html"),
                HasSubstr("decoder layer 1, attention over the source"));
    kinds.merge(kinds_of_run(workshop_, "runs/two"));
  }
  holds("plot", kinds);
}

TEST_F(SourcesOfTheProgram, ThatAskAboutADocumentAreDrawn) {
  ASSERT_EQ(train({"--set", "model.join=~", "--set",
                   "model.decoder.attention={type: attention_over_attention, document: text, "
                   "query: hint}"})
                .exit_code,
            0);
  const Outcome plot = draw();
  ASSERT_EQ(plot.exit_code, 0) << plot.err;
  holds("plot", kinds_of_run(workshop_, "runs/two"));
  EXPECT_THAT(workshop_.read("maps.html"), HasSubstr("decoder layer 1, attention over the source"));
}

}  // namespace
}  // namespace heed
