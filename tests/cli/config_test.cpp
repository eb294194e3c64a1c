#include <gmock/gmock.h>

#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/random.h"
#include "cli/program.h"
#include "cli/toy_corpus.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Config : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    write_toy_corpus(folder_.path());
  }
  // A check finds what a dry run does, which builds the network.
  Outcome config(Arguments arguments) const {
    arguments.insert(arguments.begin(), "config");
    Outcome outcome = run_heed(arguments, {.folder = folder_.path()});
    if (arguments[1] == "check") expect_same(outcome, {arguments.begin() + 2, arguments.end()});
    return outcome;
  }
  void expect_same(const Outcome& check, const Arguments& arguments) const {
    const Outcome run =
        run_heed(joined({"train"}, joined(arguments, {"--dry-run"})), {.folder = folder_.path()});
    EXPECT_EQ(check.exit_code, run.exit_code) << check.err << run.err;
    EXPECT_EQ(complaints(check), complaints(run));
  }
  // Warnings, without their time, and the lines of errors, without the name of the command.
  static std::vector<std::string> complaints(const Outcome& outcome) {
    static const std::regex time("[0-9]{2}:[0-9]{2}:[0-9]{2} "), warning("warning: .*");
    std::vector<std::string> found;
    for (const std::string& whole : lines_of(outcome.err)) {
      const std::string line = whole.substr(0, whole.find("; see `heed "));
      std::smatch told;
      if (std::regex_search(line, told, warning))
        found.push_back(told.str());
      else if (!std::regex_search(line, time, std::regex_constants::match_continuous))
        found.push_back(line);
    }
    return found;
  }
  void write(const std::string& text) const { write_plainly(folder_ / "c.yaml", text); }
  TemporaryFolder folder_;
};

std::string words_in_a_line(const std::string& word, int times) {
  std::string line;
  for (int i = 0; i < times; ++i) line += (i > 0 ? " " : "") + word;
  return line;
}

constexpr const char* kSmall =
    "run: runs/toy\n"
    "data:\n"
    "  train: [{source: train.src, target: train.tgt}]\n"
    "text:\n"
    "  source: {type: words}\n"
    "  target: {share: source}\n"
    "train: {max_updates: 10}\n";

TEST_F(Config, CheckAcceptsAGoodOne) {
  holds({"heed config check"});
  write(kSmall);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "c.yaml: no mistakes\n");
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("train.src + train.tgt: 1,000 pairs, 1,000 kept\n"));
}

// Source and target of the toy corpus are the same, which gives a warning.
TEST_F(Config, CheckCountsItsWarnings) {
  write(kSmall);
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "c.yaml: can be trained, with 1 warning above\n");
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: train.src + train.tgt: source and target are the same"));
}

// The mistakes show only in the tokens, the vocabularies or the network.
TEST_F(Config, CheckRefusesWhatTrainingRefuses) {
  struct Row {
    std::vector<std::string> settings;
    int code;
    std::string part;
  };
  write(kSmall);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  write_plainly(folder_ / "upper", [] {
    std::string text = toy_lines(3, 1000);
    for (char& c : text) c = static_cast<char>(std::toupper(c));
    return text;
  }());
  write_plainly(folder_ / "vectors", "x 1 2 3 4 5 6 7 8\n");
  for (const auto& [settings, code, part] : std::vector<Row>{
           // The lines have 1, 3, … 11 characters.
           {{"text.source=characters", "data.max_length=3"}, 3, "of the training pairs are left"},
           {{"text={source: words, target: words}",
             "data.train=[{source: train.src, target: upper}]", "model.output=pointer"},
            3,
            "no training pair is left"},
           {{"text.source.vocabulary.min_count=100000"}, 3, "the vocabulary is empty"},
           {{"model.embedding.width=8", "init.embeddings.source=vectors"},
            3,
            "has a vector for none of the"},
           {{"train.freeze=['*']"}, 2, "matches all parameters"},
           {{"train.freeze=[nothing]"}, 2, "train.freeze"},
           {{"data.too_long=error", "data.max_length=3"}, 3, "more than 3 tokens"}}) {
    Arguments set;
    for (const std::string& setting : settings) set = joined(set, {"--set", setting});
    SCOPED_TRACE(part);
    const Outcome check = config(joined({"check", "c.yaml"}, set)),
                  train = run_heed(joined({"train", "c.yaml"}, set), {.folder = folder_.path()});
    EXPECT_EQ(check.exit_code, code) << check.err;
    EXPECT_EQ(train.exit_code, code) << train.err;
    EXPECT_THAT(check.err, HasSubstr(part));
    EXPECT_EQ(lines_of(check.err).back(), lines_of(train.err).back());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
  }
}

TEST_F(Config, CheckAndTrainingTellOfTargetsThatSearchWouldCutOff) {
  holds({"search.max_length_ratio", "search.max_length_extra"});
  write(std::string(kSmall) + "search: {max_length_extra: 1}\n");
  std::string source, target;
  for (int i = 0; i < 1000; ++i) {
    source += i < 100 ? "a\n" : "a b c d e\n";
    target += i < 100 ? "f g h i j\n" : "f g\n";
  }
  write_plainly(folder_ / "train.src", source);
  write_plainly(folder_ / "train.tgt", target);
  // One source token has 5 target tokens: ratio · 1 + 1 is 5 with ratio 4.
  const std::string expected =
      "search.max_length_ratio: 2 and search.max_length_extra: 1 are too low for 10% of the "
      "training pairs: translations as long as their targets are cut off; max_length_ratio: 4 "
      "suits "
      "99.9% of the pairs";
  EXPECT_THAT(config({"check", "c.yaml"}).err, HasSubstr(expected));
  EXPECT_THAT(run_heed({"train", "c.yaml", "--dry-run"}, {.folder = folder_.path()}).err,
              HasSubstr(expected));
  EXPECT_THAT(config({"check", "c.yaml", "--set", "search.max_length_ratio=4"}).err,
              Not(HasSubstr("cut off")));
}

// Training refuses this only after its vocabularies are made.
TEST_F(Config, CheckRefusesPairsOfWhichMostAreLeftOut) {
  write(kSmall);
  std::string target;
  for (int i = 0; i < 1000; ++i) target += i % 5 < 3 ? "\xe4\n" : "a\n";
  write_plainly(folder_ / "train.tgt", target);
  const Outcome refused = config({"check", "c.yaml"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("train.tgt: 600 of 1,000 lines are malformed UTF-8; the file looks "
                              "like "),
                    HasSubstr("400 kept; left out: 600 malformed: only 40.0 %")));
  EXPECT_EQ(config({"check", "c.yaml", "--set", "data.min_kept=0.3"}).exit_code, 0);
  write_plainly(folder_ / "train.tgt", std::string(1000, '\n'));
  EXPECT_FAILS(run_heed({"train", "c.yaml"}, {.folder = folder_.path()}), 3,
               "0 kept; left out: 1,000 empty: only 0.0 %");
}

TEST_F(Config, CheckCountsPairsThatAreLeftOut) {
  write(kSmall);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 999) + "\xe4\n");
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("1,000 pairs, 999 kept; left out: 1 malformed"));
}

TEST_F(Config, CheckReadsTheValidationAndTestSets) {
  write(kSmall);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  write_plainly(folder_ / "ten", toy_lines(4, 10));
  const std::string ten = "{source: ten, target: valid.tgt}";
  for (const std::string& set : {"data.valid=" + ten, "data.test={one: " + ten + "}"}) {
    const Outcome outcome = config({"check", "c.yaml", "--set", set});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("line N of one must belong to line N of the other"));
  }
}

TEST_F(Config, CheckReadsWhatTheParametersStartWith) {
  write(kSmall);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  EXPECT_FAILS(config({"check", "c.yaml", "--set", "init.model=nowhere"}), 4, "nowhere");
  EXPECT_FAILS(config({"check", "c.yaml", "--set", "init.embeddings.source=nothing"}), 5,
               "nothing");
}

TEST_F(Config, CheckTellsOfAMetricOfWordsWhereThereAreNoSpaces) {
  write(kSmall);
  std::string target;
  for (int i = 0; i < 1000; ++i) target += "我们今天去学校看书\n";
  write_plainly(folder_ / "train.tgt", target);
  const std::string of_bleu =
      "bleu of the targets of train.src + train.tgt: its words are what stands between spaces, and "
      "200 of 200 references have none between words: use the tokenizer zh, char or ja-mecab";
  EXPECT_THAT(config({"check", "c.yaml", "--set", "train.validate.metric=bleu"}).err,
              HasSubstr("train.validate, " + of_bleu));
  for (const char* other : {"train.validate={metric: bleu, tokenize: zh}",
                            "train.validate={metric: chrf}", "train.validate={metric: loss}"})
    EXPECT_THAT(config({"check", "c.yaml", "--set", other}).err, Not(HasSubstr("no spaces")));
  EXPECT_THAT(config({"check", "c.yaml", "--set", "train.sequence_loss={metric: bleu}"}).err,
              HasSubstr("train.sequence_loss, " + of_bleu));
  EXPECT_THAT(
      config({"check", "c.yaml", "--set", "train.validate={metric: rougeL, metrics: [wer]}"}).err,
      AllOf(HasSubstr("train.validate, rougeL of the targets of train.src + train.tgt: it "
                      "counts words of a-z and 0-9"),
            HasSubstr("train.validate, wer of the targets of train.src + train.tgt: its "
                      "words are what stands between spaces")));
  EXPECT_THAT(config({"check", "c.yaml", "--set", "train.validate={metric: rougeL-unicode}"}).err,
              Not(HasSubstr("counts words")));
}

// kSmall has no `valid` section.
TEST_F(Config, CheckTellsWhatHasNoEffectWithoutAValidationSet) {
  holds({"train.validate.patience", "train.keep.best", "train.schedule=plateau"});
  write(kSmall);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  const auto told = [&](const Arguments& settings) {
    Arguments arguments{"check", "c.yaml"};
    for (const std::string& setting : settings) {
      arguments.emplace_back("--set");
      arguments.push_back(setting);
    }
    const Outcome outcome = config(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  const std::string valid = "data.valid={source: valid.src, target: valid.tgt}";
  write_plainly(folder_ / "valid.src", "a b\n");
  write_plainly(folder_ / "valid.tgt", "a b\n");
  for (const auto& [settings, keys] : std::vector<std::pair<Arguments, std::string>>{
           {{"train.validate={patience: 3}"}, "train.validate.patience: no effect"},
           {{"train.schedule=plateau"},
            "train.schedule: plateau (the learning rate never falls): no effect"},
           {{"train.phases=[{after: 5, train: {schedule: plateau}}]"},
            "train.phases[0].train.schedule: plateau: no effect"},
           {{"train.validate={metric: bleu, every: 7}", "train.keep.best=2"},
            "train.validate.every, train.validate.metric, train.keep.best: no effect"}}) {
    EXPECT_THAT(told(settings), HasSubstr(keys + " without a validation set; give data.valid, or "
                                                 "leave "));
    EXPECT_THAT(told(joined(settings, {valid})), Not(HasSubstr("no effect")));
  }
  // Test sets are scored with the metrics of validation.
  EXPECT_THAT(told({"train.validate={metric: chrf, metrics: [ter]}",
                    "data.test={t: {source: valid.src, target: valid.tgt}}"}),
              Not(HasSubstr("no effect")));
  EXPECT_THAT(told({valid, "train.validate={metric: loss, samples: 0, beam: 2}"}),
              HasSubstr("train.validate.beam: no effect where validation translates nothing; leave "
                        "it out\n"));
  EXPECT_THAT(told({valid, "train.validate={metric: loss, samples: 1, beam: 2}"}),
              Not(HasSubstr("no effect")));
}

TEST_F(Config, PatienceEndsATrainingThatHasAValidationSet) {
  write(kSmall);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  write_plainly(folder_ / "valid.src", "a b\n");
  const std::string valid = "data.valid={source: valid.src, target: valid.src}";
  const Arguments endless{"check", "c.yaml", "--set", "train.max_updates=~"};
  const std::string patience = "train.validate={patience: 2}";
  EXPECT_FAILS(config(joined(endless, {"--set", valid})), 2,
               "nothing ends the training; give at least one of max_updates, max_epochs, max_time "
               "and validate.patience");
  EXPECT_FAILS(config(joined(endless, {"--set", patience})), 2,
               "has no effect without a validation set, so nothing ends the training; give "
               "data.valid, or one of train.max_updates");
  EXPECT_EQ(config(joined(endless, {"--set", valid, "--set", patience})).exit_code, 0);
}

TEST_F(Config, AMinimumLengthIsNoMoreThanTheMaximum) {
  write(kSmall);
  const auto check = [&](const std::string& search) {
    return config({"check", "c.yaml", "--set", "search=" + search});
  };
  EXPECT_FAILS(check("{min_length: 50, max_length_ratio: 0, max_length_extra: 5}"), 2,
               "search.min_length: found 50, but with search.max_length_ratio: 0 a translation has "
               "at most search.max_length_extra, 5, tokens");
  EXPECT_FAILS(check("{min_new_tokens: 6, max_length_ratio: 0, max_length_extra: 5}"), 2,
               "search.min_new_tokens: found 6");
}

TEST_F(Config, TenMistakesGiveTenMessagesWithPlaceAndHint) {
  holds({"heed config check", "model.embedding.tie"});
  write(
      "run: runs/toy\n"                                 // 1
      "seed: 010\n"                                     // 2
      "data:\n"                                         // 3
      "  train:\n"                                      // 4
      "    - {source: trian.src, target: train.tgt}\n"  // 5
      "    - {source: train.src}\n"                     // 6
      "text:\n"                                         // 7
      "  source: {type: words}\n"                       // 8
      "  target: {type: words}\n"                       // 9
      "model:\n"                                        // 10
      "  embeding: {width: 8}\n"                        // 11
      "  embedding: {tie: all}\n"                       // 12
      "  encoder: {type: rnn, cell: lstmm}\n"           // 13
      "  decoder:\n"                                    // 14
      "    type: rnn\n"                                 // 15
      "    attention:\n"                                // 16
      "      {score: {hidden: 100}, heads: 8}\n"        // 17
      "train:\n"                                        // 18
      "  label_smoothing: 1.5\n"                        // 19
      "  batch: {tokens: many}\n"                       // 20
      "  log_every: 50\n"                               // 21
      "  log_every: 60\n");                             // 22
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  std::vector<std::string> problems;
  for (const std::string& line : lines_of(outcome.err)) {
    if (line.find("c.yaml:") != std::string::npos)
      problems.push_back(line.substr(line.find("c.yaml:")));
  }
  ASSERT_EQ(problems.size(), 10u) << outcome.err;
  EXPECT_THAT(problems[0], AllOf(StartsWith("c.yaml:2:7: seed:"), HasSubstr("010")));
  EXPECT_THAT(problems[1],
              AllOf(StartsWith("c.yaml:5:8: data.train[0].source"), HasSubstr("trian.src")));
  EXPECT_THAT(problems[2], AllOf(StartsWith("c.yaml:6:"), HasSubstr("target")));
  EXPECT_THAT(problems[3], AllOf(StartsWith("c.yaml:11:3: model.embeding"),
                                 HasSubstr("did you mean 'embedding'")));
  EXPECT_THAT(problems[4],
              AllOf(StartsWith("c.yaml:12:20: model.embedding.tie"), HasSubstr("share: source")));
  EXPECT_THAT(problems[5], AllOf(StartsWith("c.yaml:13:30: model.encoder.cell"),
                                 HasSubstr("did you mean 'lstm'")));
  EXPECT_THAT(problems[6], AllOf(StartsWith("c.yaml:17:37: model.decoder.attention.heads"),
                                 HasSubstr("8 does not divide the width 100")));
  EXPECT_THAT(problems[7],
              AllOf(StartsWith("c.yaml:19:20: train.label_smoothing"), HasSubstr("1.5")));
  EXPECT_THAT(problems[8],
              AllOf(StartsWith("c.yaml:20:19: train.batch.tokens"), HasSubstr("many")));
  EXPECT_THAT(problems[9], AllOf(StartsWith("c.yaml:22:3: train.log_every"), HasSubstr("21")));
}

TEST_F(Config, HeadsThatDoNotDivideTheWidthAreOneMistake) {
  write(std::string(kSmall) +
        "model:\n"
        "  encoder: {type: transformer, width: 30, self_attention: {heads: 4}}\n");
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 2);
  const size_t place =
      outcome.err.find("c.yaml:9:67: model.encoder.self_attention.heads: 4 does not");
  EXPECT_NE(place, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("divide", outcome.err.find("divide") + 1), std::string::npos)
      << outcome.err;
}

TEST_F(Config, PartsThatDoNotFitAreFoundBesideOtherMistakes) {
  write(std::string(kSmall));
  const auto mistakes = [&](const Arguments& settings) {
    return config(joined({"check", "c.yaml", "--set", "seed=x", "--set"}, settings)).err;
  };
  EXPECT_THAT(mistakes({"model.encoder=hierarchical", "--set", "model.decoder.width=x"}),
              AllOf(HasSubstr("has no `marker`"), HasSubstr("model.decoder.width")));
  EXPECT_THAT(mistakes({"text.target=characters", "--set", "model.output=pointer_generator"}),
              HasSubstr("pointer_generator copies tokens as they are"));
  EXPECT_THAT(mistakes({"model.decoder.attention=none", "--set", "model.embedding.tie=all", "--set",
                        "text.target=words", "--set", "train.coverage.weight=1"}),
              AllOf(HasSubstr("needs one joint vocabulary"),
                    HasSubstr("train.coverage.weight: needs attention weights")));
  const std::string transformer = "model.decoder={type: transformer, layers: 4, ";
  EXPECT_THAT(mistakes({transformer +
                        "self_attention_by_layer: {1-2: {heads: 4}, 2-9: {heads: 4}, top: none}}"}),
              AllOf(HasSubstr("self_attention_by_layer.2-9: is not a layer of 4"),
                    HasSubstr("self_attention_by_layer.top: is not a layer of 4")));
  EXPECT_THAT(mistakes({transformer + "attention_by_layer: {1-2: {heads: 4}, 2: {heads: 7}}}"}),
              AllOf(HasSubstr("attention_by_layer.2: layer 2 is in 1-2 already")));
  EXPECT_THAT(mistakes({"train.subword_regularization={}"}),
              HasSubstr("the source is tokenized into words, which have no other segmentation"));
  EXPECT_THAT(mistakes({"train.subword_regularization={sides: [sauce]}"}),
              HasSubstr("unknown source or target 'sauce'; there are source, target"));
  EXPECT_THAT(mistakes({"data=3", "--set", "model.encoder=none"}),
              Not(HasSubstr("model.encoder: `none`")));
}

TEST_F(Config, MissingConfigIsCode2) {
  EXPECT_FAILS(config({"check", "nowhere.yaml"}), 2, "nowhere.yaml");
}

TEST_F(Config, SetChangesWhatIsChecked) {
  holds({"--set"});
  write(kSmall);
  const Outcome outcome = config({"check", "c.yaml", "--set", "model.embedding.width=0"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("model.embedding.width"));
  EXPECT_FAILS(config({"check", "c.yaml", "--set", "model.embedding.width"}), 2,
               "model.embedding.width");
}

TEST_F(Config, CrossChecksNeedSourceAndTarget) {
  write(
      "run: r\ndata: {train: [{source: train.src, target: train.tgt}]}\ntext: {source: words, "
      "traget: words}\n");
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean 'target'?"));
}

TEST_F(Config, DeviceIsChecked) {
  write(kSmall);
  const Outcome outcome = config({"check", "c.yaml", "--set", "device=gpu"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("auto, cpu or cuda:N"));
}

TEST_F(Config, ShowWritesEveryDefaultAndReadsItsOwnOutput) {
  holds({"heed config show"});
  write(kSmall);
  const Outcome shown = config({"show", "c.yaml", "--set", "seed=7"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("seed: 7"), HasSubstr("label_smoothing: 0"),
                               HasSubstr("beam: 5"), HasSubstr(folder_.path().string())));
  TemporaryFolder elsewhere;
  write_plainly(elsewhere / "again.yaml", shown.out);
  const Outcome again = run_heed({"config", "show", elsewhere / "again.yaml"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, shown.out);
}

// Data start from data.dir, also on the command line.
TEST_F(Config, PathsOfTheCommandLineStartFromTheCurrentFolder) {
  namespace fs = std::filesystem;
  fs::create_directory(folder_ / "configs");
  write_plainly(folder_ / "configs/c.yaml", kSmall);
  for (const char* file : {"words", "subwords"}) write_plainly(folder_ / file, "a\n");
  const Outcome outcome =
      config({"show", "configs/c.yaml", "--set", "run=here", "--set", "data.dir=.", "--set",
              "text.source.vocabulary.file=words", "--set",
              "text.target={type: sentencepiece, model: subwords}", "--set",
              "init.embeddings=vectors", "--set", "data.train[0].source=train.src"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string folder = fs::canonical(folder_.path()).string();
  for (const std::string& line :
       {"run: " + folder + "/here\n", "dir: " + folder + "/\n", "file: " + folder + "/words,",
        "model: " + folder + "/subwords\n", "embeddings: " + folder + "/vectors\n",
        std::string("source: train.src\n")})
    EXPECT_THAT(outcome.out, HasSubstr(line));
}

TEST_F(Config, SaysWhatKeysOfOtherToolkitsAreHere) {
  write(kSmall);
  const Outcome outcome =
      config({"check", "c.yaml", "--set", "train.loss=crossentropy", "--set",
              "train.normalization=tokens", "--set", "model.encoder.hidden_size=256", "--set",
              "data.test={source: train.src, target: train.tgt}"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("train.loss: unknown key; the loss is cross-entropy, with "
                "train.label_smoothing; one by a metric is train.sequence_loss: {loss: …}"));
  EXPECT_THAT(outcome.err, HasSubstr("train.normalization: unknown key; the loss is a mean over "
                                     "target tokens; Unicode normalization is text.NAME."));
  EXPECT_THAT(outcome.err, HasSubstr("'width'? (of a bidirectional encoder it counts both"));
  EXPECT_THAT(outcome.err, HasSubstr("data.test: found settings without a name, expected {NAME: "
                                     "{source: …, target: …}}"));
}

// Words of JoeyNMT, OpenNMT-py, Marian and papers, and the key that the hint names.
TEST_F(Config, ExplainNamesTheKeyOfAWordOfOtherToolkits) {
  for (const auto& [word, key] : std::initializer_list<std::pair<const char*, const char*>>{
           {"lr", "train.optimizer.rate (learning rate)"},
           {"learn-rate", "train.optimizer.rate (learning rate)"},
           {"adam_betas", "train.optimizer.beta1 or train.optimizer.beta2"},
           {"optim", "train.optimizer (optimizer)"},
           {"decay_method", "train.schedule (learning rate schedule)"},
           {"lr-decay-inv-sqrt", "train.schedule: {type: inverse_sqrt, warmup}"},
           {"warmup_steps", "train.schedule.warmup (warm-up)"},
           {"epochs", "train.max_epochs (maximum number of epochs)"},
           {"batch_size", "train.batch.sentences or train.batch.tokens"},
           {"mini-batch-words", "train.batch.tokens (tokens per batch)"},
           {"accum_count", "train.accumulate (gradient accumulation)"},
           {"clip-norm", "train.clip (gradient clipping)"},
           {"early_stopping_metric", "train.validate.metric"},
           {"keep_best_ckpts", "train.keep.best (number of best checkpoints kept)"},
           {"model_dir", "run (folder of the run)"},
           {"path_src", "data.train.source (source sentences"},
           {"dev", "data.valid (validation set)"},
           {"src_vocab_size", "text.NAME.size or text.NAME.vocabulary.max_size"},
           {"voc_min_freq", "text.NAME.vocabulary.min_count"},
           {"level", "text.NAME.type"},
           {"share_vocab", "text.NAME.share: source"},
           {"hidden_size", "model.encoder.width or model.decoder.width"},
           {"dim-rnn", "twice the hidden_size of JoeyNMT and the dim-rnn of Marian"},
           {"enc_layers", "model.encoder.layers (number of layers)"},
           {"dec-cell-base-depth", "model.decoder.base_transition_depth"},
           {"transformer-heads", "model.encoder.self_attention.heads"},
           {"global_attention", "model.decoder.attention.score"},
           {"share_decoder_embeddings", "model.embedding.tie (weight tying)"},
           {"copy_attn", "model.output (output layer)"},
           {"dec_deep_context", "model.decoder.deep_context"},
           {"factors-combine", "model.embedding.source_factors.NAME.combine"},
           {"beam_alpha", "search.length_penalty"},
           {"validation", "train.validate (validation; the validation set is data.valid)"},
           {"use_cuda", "device (auto, cpu or cuda:N)"},
           {"block_ngram_repeat", "search.no_repeat_ngram (n-gram blocking)"},
           {"training", "train (training)"},
           {"n_best", "`heed translate --nbest N`"},
           {"replace_unk", "`heed translate --replace-unknown`"}}) {
    const Outcome outcome = config({"explain", word});
    EXPECT_EQ(outcome.exit_code, 2) << word;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("; here it is "), HasSubstr(key))) << word;
  }
}

TEST_F(Config, ExplainSaysWhatAKeyMeans) {
  holds({"heed config explain"});
  const Outcome outcome = config({"explain", "train.label_smoothing"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("label_smoothing"));
  EXPECT_FAILS(config({"explain", "train.lable_smoothing"}), 2, "label_smoothing");
  EXPECT_FAILS(config({"explain", "lr"}), 2, "here it is train.optimizer.rate (learning rate)");
  EXPECT_FAILS(config({"explain", "train.log"}), 2,
               "'train.log'; keys that begin with it: train.log_every");
  const Outcome misspelt = config({"explain", "train.tga"});
  EXPECT_THAT(misspelt.err, Not(HasSubstr("train.tag"))) << "which is data.train.tag";
}

TEST_F(Config, ExplainListsPresetsWithTheirKeys) {
  const Outcome outcome = config({"explain", "model.preset"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* part : {"bahdanau: Bahdanau, Cho and Bengio 2015", "output_width: 500",
                           "luong: Luong, Pham and Manning 2015", "vaswani: Vaswani et al. 2017"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST_F(Config, ReferencePageIsNotStale) {
  holds({"heed config reference"});
  const Outcome outcome = config({"reference"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out ==
              read_plainly(std::filesystem::path(source_folder()) / "docs/config.md"))
      << "docs/config.md is stale; write it anew: heed config reference > docs/config.md";
}

TEST_F(Config, MigrationPageIsNotStale) {
  holds({"heed config migration"});
  const Outcome outcome = config({"migration"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out ==
              read_plainly(std::filesystem::path(source_folder()) / "docs/migration.md"))
      << "docs/migration.md is stale; write it anew: heed config migration > docs/migration.md";
}

// Warnings about the data are given when the config is checked, before training.
TEST_F(Config, CheckWarnsOfWhatTheDataShow) {
  write(
      "run: runs/toy\n"
      "data:\n"
      "  train: [{source: train.src, target: train.src}]\n"
      "  valid: {source: train.src, target: train.src}\n"
      "text:\n"
      "  source: {type: words}\n"
      "  target: {share: source}\n"
      "train: {max_updates: 10, validate: {every: 10}}\n");
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(
      outcome.err,
      AllOf(
          HasSubstr("source and target are the same line in 1,000 of 1,000"),
          HasSubstr("data.valid: has 1,000 pairs; 1,000 pairs, 1,000 sources, 1,000 targets are in "
                    "the training data too")));
  write_plainly(folder_ / "train.src", std::string("\xFF\xFE"
                                                   "a\0\n\0",
                                                   6));
  EXPECT_FAILS(config({"check", "c.yaml"}), 3, "train.src: UTF-16, expected UTF-8");
}

// Self-attention over 200,000 tokens takes 160 GB for one head.
TEST_F(Config, CheckAndTrainingRefuseALineThatMemoryIsTooSmallFor) {
  write(std::string(kSmall) +
        "model:\n"
        "  embedding: {width: 8}\n"
        "  encoder: {type: transformer, width: 8, layers: 1, feed_forward: 8, self_attention: "
        "{heads: "
        "2}}\n"
        "  decoder: {type: rnn, width: 8}\n");
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  write_plainly(folder_ / "long", "a b\n" + words_in_a_line("a", 200'000) + "\nc\n");
  write_plainly(folder_ / "short", "a b\nb\nc\n");
  for (const char* key : {"data.valid={", "data.test={news: {"}) {
    const std::string set =
        std::string(key) + "source: long, target: short}" + (key[5] == 't' ? "}" : "");
    for (const Arguments& command : {Arguments{"config", "check"}, Arguments{"train"}}) {
      const Outcome outcome =
          run_heed(joined(command, {"c.yaml", "--set", set}), {.folder = folder_.path()});
      EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
      EXPECT_THAT(outcome.err,
                  AllOf(HasSubstr("1 of 3 pairs are longer than data.max_length: 100 allows in "
                                  "training; the longest, "),
                        HasSubstr("long:2 has 200,000 tokens, which need more memory than there is "
                                  "("),
                        HasSubstr("the longest source of the training has 6")));
      EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
    }
  }
}

TEST_F(Config, ATableWithoutColumnsIsNoLanguageModel) {
  const auto refusal = [&](const std::string& data) {
    write("run: r\ntrain: {max_updates: 1}\ndata: " + data + "\n");
    write_plainly(folder_ / "t.tsv", "a\tb\n");
    write_plainly(folder_ / "a", "a\n");
    const Outcome outcome = config({"check", "c.yaml"});
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(refusal("{train: [{tsv: t.tsv}]}"),
            "heed: c.yaml:3:16: data.train[0]: lacks `source` and `target`: name the columns, by "
            "number from 1 or by the first line, such as `source: 1, target: 2`\n");
  EXPECT_THAT(refusal("{train: [{jsonl: t.tsv, source: a}]}"),
              HasSubstr("data.train[0]: lacks `target`: name the keys"));
  EXPECT_EQ(refusal("{train: [{tsv: t.tsv, target: 2}]}"),
            "heed: c.yaml:3:16: data.train[0]: has no `source`: give its column or key, or for a "
            "language model write `encoder: none`\n");
  EXPECT_EQ(refusal("{train: [t.tsv], valid: {source: a, target: a}}"),
            "heed: c.yaml:3:16: data.train[0]: found 't.tsv', expected a map of settings, such as "
            "{source: FILE, target: FILE} or {tsv: FILE, source: 1, target: 2}\n");
  EXPECT_EQ(refusal("{valid: {source: train.src, target: train.tgt, tag: a}}"),
            "heed: c.yaml:3:1: data.train: is missing (training corpora)\n");
}

TEST_F(Config, NamesTheToolkitOfAConfig) {
  for (const auto& [text, toolkit] :
       {std::pair{"save_data: run\nsrc_vocab: v\ndata: {corpus_1: {path_src: a, path_tgt: b}, "
                  "valid: {path_src: c, path_tgt: d}}\n",
                  "OpenNMT-py"},
        {"name: m\ndata: {train: a, src: {lang: de}, trg: {lang: en}}\ntraining: {epochs: 3}\n",
         "JoeyNMT"},
        {"train-sets: [a, b]\nvocabs: [v, w]\ndim-emb: 512\n", "Marian"}}) {
    write(text);
    const Outcome outcome = config({"check", "c.yaml"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(lines_of(outcome.err).front(),
                HasSubstr(fmt::format("c.yaml is a config of {}, which has other keys; "
                                      "docs/migration.md has those of heed",
                                      toolkit)));
    EXPECT_THAT(outcome.err, Not(HasSubstr("train[0]")));
  }
}

TEST_F(Config, ACorpusIsNoConfig) {
  const std::string table = "Hello there.\tHallo du.\nHow are you?\tWie geht es?\n";
  std::string large;
  while (large.size() <= (1 << 20)) large += table;
  for (const auto& [text, command] :
       {std::pair{table, "heed config new deu.txt -o deu.yaml"},
        {large, "heed config new deu.txt -o deu.yaml"},
        {std::string("{\"en\": \"one\"}\n{\"en\": \"two\"}\n"), "heed config new deu.txt"},
        {std::string("Hello there.\n\xe4\n"), "heed config new --source FILE --target FILE"}}) {
    write_plainly(folder_ / "deu.txt", text);
    EXPECT_FAILS(
        run_heed({"train", "deu.txt"}, {.folder = folder_.path()}), 2,
        "deu.txt: this is not a config, expected YAML with lines such as `run: runs/first`");
    EXPECT_FAILS(config({"check", "deu.txt"}), 2, command);
  }
  write("");
  EXPECT_FAILS(config({"check", "c.yaml"}), 2, "the file is empty");
}

class NewConfig : public Config {};

TEST_F(NewConfig, IsAConfigWithoutMistakes) {
  holds({"--source", "--target", "--valid-source", "--valid-target", "heed config new"});
  const Outcome outcome =
      config({"new", "--source", "train.src", "--target", "train.tgt", "--valid-source",
              "valid.src", "--valid-target", "valid.tgt", "-o", "new.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(read_plainly(folder_ / "new.yaml"),
              AllOf(StartsWith("# heed train new.yaml\n"), HasSubstr("# 1,000 sentence pairs."),
                    HasSubstr("type: words"), HasSubstr("type: rnn"),
                    HasSubstr("validate: {every: 100, metric: wer, patience: 6}")));
  const Outcome check = config({"check", "new.yaml"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
}

// The targets are labels, phones and sentences.
TEST_F(NewConfig, ChoosesTheMetricThatFitsTheTargets) {
  RandomStream random(3);
  std::string source, labels, phones, sentences;
  for (int i = 0; i < 400; ++i) {
    source += fmt::format("text {} of {}\n", i, random.below(100'000));
    labels += i % 3 ? "positive\n" : "negative\n";
    for (int phone = 0; phone < 6; ++phone) {
      phones +=
          (phone ? " " : "") + std::string(1, static_cast<char>('A' + random.below(20))) + "1";
      sentences += (phone ? " " : "") + fmt::format("word{}", random.below(900));
    }
    phones += '\n';
    sentences += '\n';
  }
  write_plainly(folder_ / "a", source);
  for (const auto& [target, metric] :
       {std::pair{labels, "exact"}, {phones, "wer"}, {sentences, "bleu"}}) {
    write_plainly(folder_ / "b", target);
    const Outcome outcome = config(
        {"new", "--source", "a", "--target", "b", "--valid-source", "a", "--valid-target", "b"});
    EXPECT_THAT(outcome.out, HasSubstr(fmt::format("every: 100, metric: {}, patience", metric)));
    const bool expects = target == sentences;
    EXPECT_EQ(
        outcome.out.find("# Expect correct translations of frequent words") != std::string::npos,
        expects);
    EXPECT_EQ(outcome.err.find("400 pairs: expect correct translations of frequent words") !=
                  std::string::npos,
              expects);
    write(outcome.out);
    EXPECT_EQ(config({"check", "c.yaml"}).exit_code, 0);
  }
}

TEST_F(NewConfig, QuotesItsNameInTheNextCommand) {
  const Outcome outcome =
      config({"new", "--source", "train.src", "--target", "train.tgt", "-o", "a b: c.yaml"});
  EXPECT_THAT(outcome.err, HasSubstr("then: heed train 'a b: c.yaml'\n"));
  EXPECT_THAT(read_plainly(folder_ / "a b: c.yaml"), StartsWith("# heed train 'a b: c.yaml'\n"));
}

TEST_F(NewConfig, NamesFilesFromItsOwnFolder) {
  std::filesystem::create_directory(folder_ / "configs");
  ASSERT_EQ(config({"new", "--source", "train.src", "--target", (folder_ / "train.tgt").string(),
                    "-o", "configs/new.yaml"})
                .exit_code,
            0);
  EXPECT_THAT(read_plainly(folder_ / "configs/new.yaml"),
              AllOf(HasSubstr("source: \"../train.src\"\n"),
                    HasSubstr("target: " + (folder_ / "train.tgt").string() + "\n")));
  EXPECT_EQ(config({"check", "configs/new.yaml"}).exit_code, 0);
}

// The corpus has two languages with many words, large enough for a Transformer.
TEST_F(NewConfig, ChoosesPiecesAndTransformerForLargeCorpora) {
  holds({"--source", "--target"});
  std::string source, target;
  for (int i = 0; i < 25'000; ++i) {
    source +=
        "the great word" + std::to_string(i % 5'000) + " here is said " + std::to_string(i) + "\n";
    target += "wort" + std::to_string(i % 5'000) + " hier wird gesagt " + std::to_string(i) + "\n";
  }
  write_plainly(folder_ / "a.en", source);
  write_plainly(folder_ / "a.de", target);
  const Outcome outcome = config({"new", "--source", "a.en", "--target", "a.de"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("run: runs/en-de"), HasSubstr("type: transformer"),
                    HasSubstr("size: 8000"), HasSubstr("{share: source}"), HasSubstr("tie: all")));
  write(outcome.out);
  const Outcome check = config({"check", "c.yaml"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
}

// The sentences have twelve characters (私 は 本 を 読み ます 。 and similar ones) or nine (他 喜欢 读书 。).
TEST_F(NewConfig, CountsTheWordsOfLanguagesWithoutSpaces) {
  std::string english, japanese, chinese;
  const std::vector<std::string> who{"私", "彼女", "先生"}, what{"本", "新聞", "手紙"};
  for (int i = 0; i < 300; ++i) {
    english += fmt::format("someone reads thing {} of {}\n", i % 3, i);
    japanese += who[i % 3] + "は" + what[i / 3 % 3] + "を読みます。\n";
    chinese += std::string(i % 2 ? "他" : "她") + "喜欢读书。\n";
  }
  write_plainly(folder_ / "a.en", english);
  write_plainly(folder_ / "a.ja", japanese);
  write_plainly(folder_ / "a.zh", chinese);
  const Outcome into_japanese = config({"new", "--source", "a.en", "--target", "a.ja",
                                        "--valid-source", "a.en", "--valid-target", "a.ja"});
  ASSERT_EQ(into_japanese.exit_code, 0) << into_japanese.err;
  EXPECT_THAT(into_japanese.out, AllOf(HasSubstr("# Target: 2,100 words, 11 distinct; "),
                                       HasSubstr("type: sentencepiece"),
                                       HasSubstr("metric: bleu, tokenize: char, patience")));
  write(into_japanese.out);
  const Outcome check = config({"check", "c.yaml"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(config({"new", "--source", "a.en", "--target", "a.zh", "--valid-source", "a.en",
                      "--valid-target", "a.zh"})
                  .out,
              HasSubstr("metric: bleu, tokenize: zh, patience"));
  EXPECT_THAT(config({"new", "--source", "a.ja", "--target", "a.en", "--valid-source", "a.ja",
                      "--valid-target", "a.en"})
                  .out,
              HasSubstr("metric: bleu, patience"));
}

TEST_F(NewConfig, HasAPieceForEachCharacter) {
  std::string english, chinese;
  for (int i = 0; i < 1'000; ++i) {
    english += fmt::format("sentence {} of all\n", i);
    for (const int code : {0x4E00 + i % 900, 0x4E00 + (i + 7) % 900}) {
      chinese += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
                  static_cast<char>(0x80 | (code & 63))};
    }
    chinese += "\n";
  }
  write_plainly(folder_ / "a.en", english);
  write_plainly(folder_ / "a.zh", chinese);
  EXPECT_THAT(config({"new", "--source", "a.en", "--target", "a.zh"}).out, HasSubstr("size: 1100"));
}

// Lines of a corpus for `heed config new`.
struct ParallelText {
  std::string source, target;
};

std::map<std::string, ParallelText> unusual_texts() {
  std::map<std::string, ParallelText> texts;
  RandomStream random(7);
  const auto word = [&](uint64_t letters) {
    std::string text;
    for (uint64_t i = 0; i < letters; ++i) text += static_cast<char>('a' + random.below(26));
    return text;
  };
  const auto line = [&](uint64_t words, uint64_t letters) {
    std::string text;
    for (uint64_t i = 0; i < words; ++i) text += (i > 0 ? " " : "") + word(letters);
    return text + "\n";
  };
  for (int i = 0; i < 300; ++i) {
    texts["documents"].source += line(300 + random.below(900), 4);
    texts["documents"].target += line(100 + random.below(100), 4);
    // Words that no subword vocabulary has: each is many pieces, in lines of one length.
    texts["long words"].source += line(8, 30);
    texts["long words"].target += line(8, 30);
    texts["spelled words"].source += line(1, 12);
    texts["spelled words"].target += words_in_a_line("x", 12) + "\n";
    // A fifth of the pairs is empty, and half of the others are long.
    texts["half of it long"].source += i % 5 == 0 ? "\n" : line(i % 2 ? 2 : 40, 10);
    texts["half of it long"].target += line(i % 2 ? 2 : 40, 10);
    texts["two lengths"].source += words_in_a_line("a", i % 2 ? 1 : 90) + "\n";
    texts["two lengths"].target += words_in_a_line("b", i % 2 ? 90 : 1) + "\n";
  }
  texts["one pair"] = {"hello world\n", "hallo welt\n"};
  return texts;
}

TEST_F(NewConfig, AlwaysTrains) {
  for (const auto& [name, text] : unusual_texts()) {
    SCOPED_TRACE(name);
    write_plainly(folder_ / "a", text.source);
    write_plainly(folder_ / "b", text.target);
    const Outcome created = config({"new", "--source", "a", "--target", "b"});
    ASSERT_EQ(created.exit_code, 0) << created.err;
    write(created.out);
    const Outcome check = config({"check", "c.yaml"});
    EXPECT_EQ(check.exit_code, 0) << check.err << created.out;
    EXPECT_THAT(check.err, Not(HasSubstr("cut off"))) << created.out;
  }
}

TEST_F(NewConfig, ReadsTheBeginningOfLongDocuments) {
  const ParallelText documents = unusual_texts().at("documents");
  write_plainly(folder_ / "a", documents.source);
  write_plainly(folder_ / "b", documents.target);
  EXPECT_THAT(config({"new", "--source", "a", "--target", "b"}).out,
              AllOf(HasSubstr("max_length: 1000 "), HasSubstr("too_long: truncate")));
}

// Each source word has 12 target words: 1.25 · (12 - 7), rounded up to a half.
TEST_F(NewConfig, DerivesTheLengthOfTranslations) {
  const ParallelText spelled = unusual_texts().at("spelled words");
  write_plainly(folder_ / "a", spelled.source);
  write_plainly(folder_ / "b", spelled.target);
  EXPECT_THAT(config({"new", "--source", "a", "--target", "b"}).out,
              HasSubstr("  max_length_ratio: 6.5\n"));
  EXPECT_THAT(config({"new", "--source", "a", "--target", "a"}).out,
              Not(HasSubstr("max_length_ratio")));
}

TEST_F(NewConfig, RefusesDataThatTrainingRefuses) {
  write_plainly(folder_ / "a", "a\n\n\n\nb\n");
  write_plainly(folder_ / "b", "a\nb\nc\nd\ne\n");
  EXPECT_FAILS(config({"new", "--source", "a", "--target", "b"}), 3,
               "3 of 5 pairs have an empty source or target");
}

TEST_F(NewConfig, RefusesUnequalFilesWithBothCounts) {
  write_plainly(folder_ / "short.tgt", "one\ntwo\n");
  const Outcome outcome =
      config({"new", "--source", "train.src", "--target", "short.tgt", "-o", "new.yaml"});
  EXPECT_FAILS(outcome, 3, "train.src has 1,000 lines, but short.tgt has 2");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new.yaml"));
}

TEST_F(NewConfig, RefusesToReplaceAFile) {
  write("mine");
  EXPECT_FAILS(config({"new", "--source", "train.src", "--target", "train.tgt", "-o", "c.yaml"}), 2,
               "already exists");
  EXPECT_EQ(read_plainly(folder_ / "c.yaml"), "mine");
}

TEST_F(NewConfig, MissingFileIsCode5) {
  EXPECT_FAILS(config({"new", "--source", "nowhere", "--target", "train.tgt"}), 5, "nowhere");
}

}  // namespace
}  // namespace heed
