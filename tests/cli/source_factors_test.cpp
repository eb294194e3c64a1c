// Source factors beside the text, from training to translation.
#include <gmock/gmock.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

// A label for each word of one letter, drawn at random: whether it is to be written as a capital.
std::string forms_of(const std::string& text, uint64_t seed) {
  RandomStream random(stream_key(seed, "forms"));
  std::string forms;
  for (const std::string& line : lines_of(text)) {
    for (size_t i = 0; i < line.size(); i += 2)
      forms += fmt::format("{}{}", i > 0 ? " " : "", random.below(2) == 0 ? "small" : "capital");
    forms += "\n";
  }
  return forms;
}

std::string written(const std::string& text, const std::string& forms) {
  std::string result;
  const auto lines = lines_of(text), labels = lines_of(forms);
  for (size_t n = 0; n < lines.size(); ++n) {
    std::string line = lines[n];
    std::istringstream own(labels[n]);
    std::string label;
    for (size_t i = 0; own >> label; i += 2) {
      if (label == "capital") line[i] = static_cast<char>(std::toupper(line[i]));
    }
    result += line + "\n";
  }
  return result;
}

const char* const kFactorsConfig = R"(
run: runs/factors
data:
  train: [{source: train.src, target: train.tgt, factors: {form: train.form}}]
  valid: {source: valid.src, target: valid.tgt, factors: {form: valid.form}}
  test: {again: {source: valid.src, target: valid.tgt, factors: {form: valid.form}}}
text: {source: words, target: words}
model:
  embedding: {width: 32, source_factors: {form: {width: 8}}}
  encoder: {type: rnn, cell: gru, width: 64}
  decoder:
    type: rnn
    cell: gru
    width: 64
    attend: after
    attention: {score: {type: additive, hidden: 32}}
train:
  batch: {sentences: 32}
  optimizer: {type: adam, rate: 0.005}
  schedule: {type: inverse_sqrt, warmup: 50}
  max_updates: 30
  validate: {every: 15, metric: bleu}
)";
const Arguments kFactorInputs = {"-i", "source=valid.src", "-i", "form=valid.form"};

class FactorsOfTheProgram : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    for (const std::string part : {"train", "valid"}) {
      const std::string source = workshop_.read(part + ".src"),
                        forms = forms_of(source, part.size());
      write_plainly(workshop_ / (part + ".form"), forms);
      write_plainly(workshop_ / (part + ".tgt"), written(source, forms));
    }
    write_plainly(workshop_ / "factors.yaml", kFactorsConfig);
  }
  Outcome train(const Arguments& more = {}) const {
    return workshop_.run(joined({"train", "factors.yaml"}, more));
  }
  int right_lines(const Arguments& translate) const {
    const Outcome outcome = workshop_.run(translate);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto found = lines_of(outcome.out), right = lines_of(workshop_.read("valid.tgt"));
    int equal = 0;
    for (size_t i = 0; i < right.size() && i < found.size(); ++i) equal += found[i] == right[i];
    return equal;
  }
  ToyWorkshop workshop_;
};

// Half of all words are capitals, by nothing but their labels.
TEST_F(FactorsOfTheProgram, SayWhatIsToBeWritten) {
  holds({"data.train[].factors", "model.embedding.source_factors.NAME.combine"});
  const Outcome trained = train({"--set", "train.max_updates=400", "--set",
                                 "model.embedding.source_factors={form: {combine: sum}}"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_GE(right_lines(joined({"translate", "runs/factors"}, kFactorInputs)), 40) << "of 50";
}

TEST_F(FactorsOfTheProgram, GoFromTrainingToTranslation) {
  holds({"data.train[].factors", "data.valid.factors", "data.test.NAME.factors"});
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("form 6 labels"));
  EXPECT_THAT(trained.err, HasSubstr("test again, checkpoint"));
  EXPECT_THAT(workshop_.run({"inspect", "runs/factors"}).out,
              HasSubstr("labels, form         6\n"));
  EXPECT_THAT(workshop_.run({"train", "factors.yaml", "--dry-run", "--overwrite"}).out,
              HasSubstr("\nform: "));

  const auto run = [&](const Arguments& words, const std::string& input = "") {
    const Outcome outcome = workshop_.run(words, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string from_files = run(joined({"translate", "runs/factors"}, kFactorInputs));
  EXPECT_EQ(lines_of(from_files).size(), 50U);
  std::string objects;
  const auto texts = lines_of(workshop_.read("valid.src")),
             forms = lines_of(workshop_.read("valid.form"));
  for (size_t i = 0; i < texts.size(); ++i)
    objects += nlohmann::json{{"source", texts[i]}, {"form", forms[i]}}.dump() + "\n";
  EXPECT_EQ(run({"translate", "runs/factors"}, objects), from_files);
  // With unknown labels, on an empty line without any, and by other commands.
  EXPECT_EQ(lines_of(run({"translate", "runs/factors"},
                         "\n{\"source\": \"a b\", \"form\": \"X small\"}\n"))
                .at(0),
            "");
  EXPECT_NE(run(joined({"summarize", "runs/factors"}, kFactorInputs)), "");
  EXPECT_NE(run({"evaluate", "--model", "runs/factors", "-s", "source=valid.src", "-s",
                 "form=valid.form", "-r", "valid.tgt"}),
            "");
  const auto score = [&](const std::string& file) {
    return run({"score", "runs/factors", "-s", "source=valid.src", "-s", "form=" + file, "-t",
                "valid.tgt"});
  };
  write_plainly(workshop_ / "other.form", forms_of(workshop_.read("valid.src"), 99));
  EXPECT_NE(score("valid.form"), score("other.form")) << "the labels are read";
  EXPECT_NE(run({"plot", "attention", "runs/factors", "-i", "source=valid.src", "-i",
                 "form=valid.form", "--line", "3"}),
            "");
  EXPECT_EQ(run(joined({"translate", "runs/factors", "runs/factors"}, kFactorInputs)), from_files);
  run({"average", "-o", "mean", "runs/factors", "runs/factors"});
  EXPECT_EQ(run(joined({"translate", "mean"}, kFactorInputs)), from_files);
}

TEST_F(FactorsOfTheProgram, AreRefusedWhereTheyDoNotFitTheWords) {
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  for (const auto& [line, message] :
       {std::pair{"{\"source\": \"a b\", \"form\": \"small\"}",
                  "line 1 of the factor form: 1 label, but the source has 2 words; give one label "
                  "for each word"},
        std::pair{"{\"source\": \"\", \"form\": \"small\"}", "1 label, but the source has 0 words"},
        std::pair{"{\"source\": \"a\"}", "'form' is missing"}})
    EXPECT_FAILS(workshop_.run({"translate", "runs/factors"}, std::string(line) + "\n"), 3,
                 message);
  EXPECT_FAILS(workshop_.run({"translate", "runs/factors", "-i", "valid.src"}), 2, "form=FILE");
  std::string forms = workshop_.read("valid.form");
  write_plainly(workshop_ / "valid.form", "small " + forms);
  EXPECT_FAILS(workshop_.run(joined({"translate", "runs/factors"}, kFactorInputs)), 3,
               "line 1 of the factor form: ");
  const Outcome invalid = train({"--overwrite"});
  EXPECT_EQ(invalid.exit_code, 3);
  EXPECT_THAT(invalid.err, HasSubstr("valid.form, line 1: "));
}

TEST_F(FactorsOfTheProgram, ArePartOfTheDataThatARunGoesOnWith) {
  holds({"data.train[].factors", "--resume"});
  const Arguments dropout = {"--set", "model.embedding.dropout=0.3",
                             "--set", "model.embedding.source_word_dropout=0.1",
                             "--set", "train.validate={every: 5, metric: loss}"};
  const auto run = [&](const std::string& folder, int updates, const Arguments& more) {
    const Outcome outcome =
        train(joined(joined(dropout, more),
                     {"--run", folder, "--set", fmt::format("train.max_updates={}", updates)}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  run("whole", 40, {});
  run("parts", 15, {});
  run("parts", 40, {"--resume"});
  const std::string file = "/latest/model/model.safetensors";
  EXPECT_TRUE(workshop_.read("whole" + file) == workshop_.read("parts" + file));
  std::string forms = workshop_.read("train.form");
  forms.replace(0, forms.find_first_of(" \n"), "X");
  write_plainly(workshop_ / "train.form", forms);
  EXPECT_FAILS(train(joined(dropout, {"--run", "parts", "--resume"})), 3, "train.form");
}

TEST_F(FactorsOfTheProgram, KeepTheirLabelsInFineTuning) {
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  std::string forms = workshop_.read("train.form");
  forms.replace(0, forms.find_first_of(" \n"), "italic");
  write_plainly(workshop_ / "train.form", forms);
  std::string config = kFactorsConfig;
  config.erase(config.find("text:"), config.find("model:") - config.find("text:"));
  write_plainly(workshop_ / "tuned.yaml", config);
  const auto tuned = [&](const Arguments& more) {
    const Outcome outcome =
        workshop_.run(joined({"train", "tuned.yaml", "--run", "runs/tuned", "--overwrite", "--set",
                              "init.model=runs/factors", "--set", "train.max_updates=1"},
                             more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(tuned({}), HasSubstr("form 6 labels"));
  const std::string extended = tuned({"--set", "init.extend_vocabulary=true"});
  EXPECT_THAT(extended, HasSubstr("form 7 labels"));
  EXPECT_THAT(extended, HasSubstr("form: 1 of 7 tokens are new"));
}

TEST_F(FactorsOfTheProgram, GoWithSubwordsAndSeveralSources) {
  const Outcome subwords =
      train({"--set", "train.max_updates=3", "--set",
             "text={source: {type: sentencepiece, size: 16, model_type: unigram}, target: words}",
             "--set", "train.subword_regularization={sides: [source]}"});
  EXPECT_EQ(subwords.exit_code, 0) << subwords.err;
  const Outcome several = train(
      {"--overwrite", "--set", "train.max_updates=3", "--set",
       "data={train: [{source: {a: train.src, b: train.src}, target: train.tgt, factors: {form: "
       "train.form}}], valid: {source: {a: valid.src, b: valid.src}, target: valid.tgt, factors: "
       "{form: valid.form}}}",
       "--set", "text={a: words, b: {share: a}, target: words}", "--set",
       "model={embedding: {width: 16, source_factors: {form: {source: b, width: 4}}}, encoders: "
       "{a: "
       "{type: rnn, width: 16}, b: {type: rnn, width: 16}}, decoder: {type: rnn, width: 16, "
       "attention: multi_source}}"});
  EXPECT_EQ(several.exit_code, 0) << several.err;
  const Outcome translated = workshop_.run({"translate", "runs/factors", "-i", "a=valid.src", "-i",
                                            "b=valid.src", "-i", "form=valid.form"});
  EXPECT_EQ(translated.exit_code, 0) << translated.err;
  EXPECT_EQ(lines_of(translated.out).size(), 50U);
}

}  // namespace
}  // namespace heed
