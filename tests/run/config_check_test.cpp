// Mistakes in configs, and warnings of configs and their data.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>

#include "config/reference.h"
#include "config/writer.h"
#include "holds.h"
#include "run/checked_config.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using ConfigMistakes = CheckedConfig;

TEST_F(ConfigMistakes, HaveTheirPlaceAndAHint) {
  holds({"model.embedding.tie"});
  write("c.yaml",
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
  ConfigFile config;
  Texts problems;
  for (const Problem& problem : find_config_problems("c.yaml", {}, false, config))
    problems.push_back(problem.text());
  ASSERT_EQ(problems.size(), 10u);
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

TEST_F(ConfigMistakes, HeadsThatDoNotDivideTheWidthAreOne) {
  write("c.yaml", std::string(kSmallConfig) +
                      "model:\n"
                      "  encoder: {type: transformer, width: 30, self_attention: {heads: 4}}\n");
  EXPECT_EQ(mistakes(),
            "c.yaml:9:67: model.encoder.self_attention.heads: 4 does not divide the width 30 "
            "of queries and keys, nor the width 30 of values\n");
}

TEST_F(ConfigMistakes, OfPartsThatDoNotFitAreFoundBesideOthers) {
  const auto beside = [](Texts set) {
    set.emplace_back("seed=x");
    return mistakes(set);
  };
  EXPECT_THAT(beside({"model.encoder=hierarchical", "model.decoder.width=x"}),
              AllOf(HasSubstr("has no `marker`"), HasSubstr("model.decoder.width")));
  EXPECT_THAT(beside({"text.target=characters", "model.output=pointer_generator"}),
              HasSubstr("pointer_generator copies tokens as they are"));
  EXPECT_THAT(beside({"model.decoder.attention=none", "model.embedding.tie=all",
                      "text.target=words", "train.coverage.weight=1"}),
              AllOf(HasSubstr("needs one joint vocabulary"),
                    HasSubstr("train.coverage.weight: needs attention weights")));
  const std::string transformer = "model.decoder={type: transformer, layers: 4, ";
  EXPECT_THAT(beside({transformer +
                      "self_attention_by_layer: {1-2: {heads: 4}, 2-9: {heads: 4}, top: none}}"}),
              AllOf(HasSubstr("self_attention_by_layer.2-9: is not a layer of 4"),
                    HasSubstr("self_attention_by_layer.top: is not a layer of 4")));
  EXPECT_THAT(beside({transformer + "attention_by_layer: {1-2: {heads: 4}, 2: {heads: 7}}}"}),
              HasSubstr("attention_by_layer.2: layer 2 is in 1-2 already"));
  EXPECT_THAT(beside({"train.subword_regularization={}"}),
              HasSubstr("the source is tokenized into words, which have no other segmentation"));
  EXPECT_THAT(beside({"train.subword_regularization={sides: [sauce]}"}),
              HasSubstr("unknown source or target 'sauce'; there are source, target"));
  EXPECT_THAT(beside({"data=3", "model.encoder=none"}), Not(HasSubstr("model.encoder: `none`")));
}

TEST_F(ConfigMistakes, OfAugmentationAreFoundTogether) {
  EXPECT_THAT(mistakes({"data.augment={upper_case: 2, joins: {}}"}),
              AllOf(HasSubstr("data.augment.upper_case: found '2', expected a number, from 0 to 1"),
                    HasSubstr("data.augment.joins: unknown key; did you mean 'join'")));
  EXPECT_THAT(mistakes({"data.augment={title_case: 0.1, tags: 0.1}", "text.source.marker=SEP",
                        "text.source.lower=true"}),
              AllOf(HasSubstr("data.augment.tags: needs `alignment`"),
                    HasSubstr("text.source.marker: data.augment cannot change lines"),
                    HasSubstr("data.augment.title_case: writes capital letters, but text.source "
                              "is lower-cased")));
  EXPECT_THAT(
      mistakes({"data.augment={drop: {}, typos: {}}", "data.train=[{target: train.tgt}]",
                "model.encoder=none", "model.decoder.attention=none", "text={target: words}"}),
      AllOf(HasSubstr("data.augment.drop: changes sources, which a language model lacks"),
            HasSubstr("data.augment.typos: changes sources")));
  write("factors", toy_lines(3, 1000));
  EXPECT_THAT(mistakes({"data.augment={urls: 0.1}",
                        "data.train=[{source: train.src, target: train.tgt, factors: {pos: "
                        "factors}}]",
                        "model.embedding.source_factors={pos: {width: 4}}"}),
              HasSubstr("data.train[0].factors: data.augment cannot change sentences"));
  EXPECT_EQ(mistakes({"data.augment={title_case: 0.1, typos: {rate: 0.2}, urls: 0.1}"}), "");
}

TEST_F(ConfigMistakes, OfDeviceAndOfMisspeltSections) {
  EXPECT_THAT(mistakes({"device=gpu"}), HasSubstr("auto, cpu or cuda:N"));
  write("c.yaml",
        "run: r\ndata: {train: [{source: train.src, target: train.tgt}]}\n"
        "text: {source: words, traget: words}\n");
  EXPECT_THAT(mistakes(), HasSubstr("did you mean 'target'?"));
}

TEST_F(ConfigMistakes, SayWhatKeysOfOtherToolkitsAreHere) {
  EXPECT_THAT(mistakes({"train.loss=crossentropy", "train.normalization=tokens",
                        "model.encoder.hidden_size=256",
                        "data.test={source: train.src, target: train.tgt}"}),
              AllOf(HasSubstr("train.loss: unknown key; the loss is cross-entropy, with "
                              "train.label_smoothing; one by a metric is train.sequence_loss: "
                              "{loss: …}"),
                    HasSubstr("train.normalization: unknown key; the loss is a mean over target "
                              "tokens; Unicode normalization is text.NAME."),
                    HasSubstr("'width'? (of a bidirectional encoder it counts both"),
                    HasSubstr("data.test: found settings without a name, expected {NAME: "
                              "{source: …, target: …}}")));
}

TEST_F(ConfigMistakes, NameTheToolkitOfAConfig) {
  for (const auto& [text, toolkit] :
       {std::pair{"save_data: run\nsrc_vocab: v\ndata: {corpus_1: {path_src: a, path_tgt: b}, "
                  "valid: {path_src: c, path_tgt: d}}\n",
                  "OpenNMT-py"},
        {"name: m\ndata: {train: a, src: {lang: de}, trg: {lang: en}}\ntraining: {epochs: 3}\n",
         "JoeyNMT"},
        {"train-sets: [a, b]\nvocabs: [v, w]\ndim-emb: 512\n", "Marian"}}) {
    write("c.yaml", text);
    EXPECT_THAT(
        findings(),
        AllOf(HasSubstr(fmt::format("error 2: c.yaml is a config of {}, which has other keys; "
                                    "docs/migration.md has those of heed",
                                    toolkit)),
              Not(HasSubstr("train[0]"))));
  }
}

TEST_F(ConfigMistakes, OfATableWithoutColumns) {
  write("t.tsv", "a\tb\n");
  write("a", "a\n");
  const auto of_data = [](const std::string& data) {
    write("c.yaml", "run: r\ntrain: {max_updates: 1}\ndata: " + data + "\n");
    return mistakes();
  };
  EXPECT_EQ(of_data("{train: [{tsv: t.tsv}]}"),
            "c.yaml:3:16: data.train[0]: lacks `source` and `target`: name the columns, by number "
            "from 1 or by the first line, such as `source: 1, target: 2`\n");
  EXPECT_THAT(of_data("{train: [{jsonl: t.tsv, source: a}]}"),
              HasSubstr("data.train[0]: lacks `target`: name the keys"));
  EXPECT_EQ(of_data("{train: [{tsv: t.tsv, target: 2}]}"),
            "c.yaml:3:16: data.train[0]: has no `source`: give its column or key, or for a "
            "language model write `encoder: none`\n");
  EXPECT_EQ(of_data("{train: [t.tsv], valid: {source: a, target: a}}"),
            "c.yaml:3:16: data.train[0]: found 't.tsv', expected a map of settings, such as "
            "{source: FILE, target: FILE} or {tsv: FILE, source: 1, target: 2}\n");
  EXPECT_EQ(of_data("{valid: {source: train.src, target: train.tgt, tag: a}}"),
            "c.yaml:3:1: data.train: is missing (training corpora)\n");
}

TEST_F(ConfigMistakes, ACorpusIsNoConfig) {
  const std::string table = "Hello there.\tHallo du.\nHow are you?\tWie geht es?\n";
  std::string large;
  while (large.size() <= (1 << 20)) large += table;
  for (const auto& [text, command] :
       {std::pair{table, "heed config new deu.txt -o deu.yaml"},
        {large, "heed config new deu.txt -o deu.yaml"},
        {std::string("{\"en\": \"one\"}\n{\"en\": \"two\"}\n"), "heed config new deu.txt"},
        {std::string("Hello there.\n\xe4\n"), "heed config new --source FILE --target FILE"}}) {
    write("deu.txt", text);
    EXPECT_THAT(findings({}, "deu.txt"),
                AllOf(HasSubstr("error 2: deu.txt: this is not a config, expected YAML with lines "
                                "such as `run: runs/first`"),
                      HasSubstr(command)));
  }
  write("c.yaml", "");
  EXPECT_THAT(mistakes(), HasSubstr("the file is empty"));
}

TEST_F(ConfigMistakes, NothingEndsTheTraining) {
  write("valid.src", "a b\n");
  const std::string endless = "train.max_updates=~", patience = "train.validate={patience: 2}",
                    valid = "data.valid={source: valid.src, target: valid.src}";
  EXPECT_THAT(mistakes({endless, valid}),
              HasSubstr("nothing ends the training; give at least one of max_updates, max_epochs, "
                        "max_time and validate.patience"));
  EXPECT_THAT(
      mistakes({endless, patience}),
      HasSubstr("has no effect without a validation set, so nothing ends the training; give "
                "data.valid, or one of train.max_updates"));
  EXPECT_EQ(mistakes({endless, valid, patience}), "");
}

// Data start from data.dir, also on the command line.
TEST_F(ConfigMistakes, AMinimumLengthAboveTheMaximumIsOne) {
  EXPECT_THAT(mistakes({"search={min_length: 50, max_length_ratio: 0, max_length_extra: 5}"}),
              HasSubstr("search.min_length: found 50, but with search.max_length_ratio: 0 a "
                        "translation has at most search.max_length_extra, 5, tokens"));
  EXPECT_THAT(mistakes({"search={min_new_tokens: 6, max_length_ratio: 0, max_length_extra: 5}"}),
              HasSubstr("search.min_new_tokens: found 6"));
}

TEST_F(ConfigMistakes, PathsOfTheCommandLineStartFromTheCurrentFolder) {
  std::filesystem::create_directory("configs");
  write("configs/c.yaml", kSmallConfig);
  for (const char* file : {"words", "subwords"}) write(file, "a\n");
  const std::string shown =
      write_config(read_whole_config("configs/c.yaml",
                                     {"run=here", "data.dir=.", "text.source.vocabulary.file=words",
                                      "text.target={type: sentencepiece, model: subwords}",
                                      "init.embeddings=vectors", "data.train[0].source=train.src"})
                       .run);
  const std::string here = std::filesystem::current_path().string();
  for (const std::string& line :
       {"run: " + here + "/here\n", "dir: " + here + "/\n", "file: " + here + "/words,",
        "model: " + here + "/subwords\n", "embeddings: " + here + "/vectors\n",
        std::string("source: train.src\n")})
    EXPECT_THAT(shown, HasSubstr(line));
}

using ConfigWarnings = CheckedConfig;

TEST_F(ConfigWarnings, OfSettingsWithoutAValidationSet) {
  holds({"train.validate.patience", "train.keep.best", "train.schedule=plateau"});
  const std::string valid = "data.valid={source: valid.src, target: valid.tgt}";
  for (const auto& [set, keys] : std::vector<std::pair<Texts, std::string>>{
           {{"train.validate={patience: 3}"}, "train.validate.patience: no effect"},
           {{"train.schedule=plateau"},
            "train.schedule: plateau (the learning rate never falls): no effect"},
           {{"train.phases=[{after: 5, train: {schedule: plateau}}]"},
            "train.phases[0].train.schedule: plateau: no effect"},
           {{"train.validate={metric: bleu, every: 7}", "train.keep.best=2"},
            "train.validate.every, train.validate.metric, train.keep.best: no effect"}}) {
    EXPECT_THAT(findings(set),
                HasSubstr(keys + " without a validation set; give data.valid, or leave "));
    Texts with_valid = set;
    with_valid.push_back(valid);
    EXPECT_THAT(findings(with_valid), Not(HasSubstr("no effect")));
  }
  // Test sets are scored with the metrics of validation.
  EXPECT_THAT(findings({"train.validate={metric: chrf, metrics: [ter]}",
                        "data.test={t: {source: valid.src, target: valid.tgt}}"}),
              Not(HasSubstr("no effect")));
  EXPECT_THAT(findings({valid, "train.validate={metric: loss, samples: 0, beam: 2}"}),
              HasSubstr("train.validate.beam: no effect where validation translates nothing; leave "
                        "it out\n"));
  EXPECT_THAT(findings({valid, "train.validate={metric: loss, samples: 1, beam: 2}"}),
              Not(HasSubstr("no effect")));
}

TEST_F(ConfigWarnings, OfMetricsOfWordsWhereThereAreNoSpaces) {
  std::string target;
  for (int i = 0; i < 1000; ++i) target += "我们今天去学校看书\n";
  write("train.tgt", target);
  const std::string of_bleu =
      "bleu of the targets of train.src + train.tgt: its words are what stands between spaces, and "
      "200 of 200 references have none between words: use the tokenizer zh, char or ja-mecab";
  EXPECT_THAT(findings({"train.validate.metric=bleu"}), HasSubstr("train.validate, " + of_bleu));
  for (const char* other : {"train.validate={metric: bleu, tokenize: zh}",
                            "train.validate={metric: chrf}", "train.validate={metric: loss}"})
    EXPECT_THAT(findings({other}), Not(HasSubstr("no spaces"))) << other;
  EXPECT_THAT(findings({"train.sequence_loss={metric: bleu}"}),
              HasSubstr("train.sequence_loss, " + of_bleu));
  EXPECT_THAT(findings({"train.validate={metric: rougeL, metrics: [wer]}"}),
              AllOf(HasSubstr("train.validate, rougeL of the targets of train.src + train.tgt: it "
                              "counts words of a-z and 0-9"),
                    HasSubstr("train.validate, wer of the targets of train.src + train.tgt: its "
                              "words are what stands between spaces")));
  EXPECT_THAT(findings({"train.validate={metric: rougeL-unicode}"}),
              Not(HasSubstr("counts words")));
}

TEST_F(ConfigWarnings, OfTargetsThatSearchWouldCutOff) {
  holds({"search.max_length_ratio", "search.max_length_extra"});
  std::string source, target;
  for (int i = 0; i < 1000; ++i) {
    source += i < 100 ? "a\n" : "a b c d e\n";
    target += i < 100 ? "f g h i j\n" : "f g\n";
  }
  write("train.src", source);
  write("train.tgt", target);
  // One source token has 5 target tokens: ratio · 1 + 1 is 5 with ratio 4.
  EXPECT_THAT(findings({"search.max_length_extra=1"}),
              HasSubstr("search.max_length_ratio: 2 and search.max_length_extra: 1 are too low for "
                        "10% of the training pairs: translations as long as their targets are cut "
                        "off; max_length_ratio: 4 suits 99.9% of the pairs"));
  EXPECT_THAT(findings({"search.max_length_extra=1", "search.max_length_ratio=4"}),
              Not(HasSubstr("cut off")));
}

using CheckedData = CheckedConfig;

TEST_F(CheckedData, WithoutEnoughUsablePairsAreRefused) {
  std::string target;
  for (int i = 0; i < 1000; ++i) target += i % 5 < 3 ? "\xe4\n" : "a\n";
  write("train.tgt", target);
  EXPECT_THAT(
      findings(),
      AllOf(HasSubstr("train.tgt: 600 of 1,000 lines are malformed UTF-8; the file looks "
                      "like "),
            HasSubstr("error 3: "), HasSubstr("400 kept; left out: 600 malformed: only 40.0 %")));
  EXPECT_THAT(findings({"data.min_kept=0.3"}), Not(HasSubstr("error")));
  write("train.tgt", std::string(1000, '\n'));
  EXPECT_THAT(findings(), HasSubstr("0 kept; left out: 1,000 empty: only 0.0 %"));
}

TEST_F(CheckedData, ThatLeaveNoTokensOrPairsAreRefused) {
  std::string upper = toy_lines(3, 1000);
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  write("upper", upper);
  // The lines have 1, 3, … 11 characters.
  EXPECT_THAT(findings({"text.source=characters", "data.max_length=3"}),
              HasSubstr("of the training pairs are left"));
  EXPECT_THAT(findings({"text={source: words, target: words}",
                        "data.train=[{source: train.src, target: upper}]", "model.output=pointer"}),
              HasSubstr("error 3: no training pair is left"));
  EXPECT_THAT(findings({"text.source.vocabulary.min_count=100000"}),
              HasSubstr("the vocabulary is empty"));
}

TEST_F(CheckedData, OfValidationAndTestsHaveLinesThatBelongTogether) {
  write("ten", toy_lines(4, 10));
  const std::string ten = "{source: ten, target: valid.tgt}";
  for (const std::string& set : {"data.valid=" + ten, "data.test={one: " + ten + "}"})
    EXPECT_THAT(findings({set}), HasSubstr("line N of one must belong to line N of the other"));
}

TEST_F(CheckedData, ThatAreCopiesOfEachOtherAreWarnedOf) {
  EXPECT_THAT(
      findings({"data.train=[{source: train.src, target: train.src}]",
                "data.valid={source: train.src, target: train.src}"}),
      AllOf(HasSubstr("source and target are the same line in 1,000 of 1,000"),
            HasSubstr("data.valid: has 1,000 pairs; 1,000 pairs, 1,000 sources, 1,000 targets are "
                      "in the training data too")));
  write("train.src", std::string("\xFF\xFE"
                                 "a\0\n\0",
                                 6));
  EXPECT_THAT(findings(), HasSubstr("error 3: train.src: UTF-16, expected UTF-8"));
}

TEST_F(CheckedData, ThatAugmentationWritesAreInTheVocabularyOrWarnedOf) {
  EXPECT_THAT(findings({"data.augment={upper_case: 0.2, drop: {probability: 0.5}}"}),
              AllOf(HasSubstr("data.augment, upper_case: tokens of its lines are outside the "
                              "vocabulary (100% of the source, 0% without it; 100% of the target, "
                              "0% without it)"),
                    Not(HasSubstr("drop"))));
  EXPECT_THAT(findings({"data.augment={upper_case: 0.2}",
                        "text.source={type: sentencepiece, size: 290, byte_fallback: true}"}),
              Not(HasSubstr("data.augment")));
}

TEST_F(CheckedData, OfJoinedLinesMakeTheLongestSource) {
  const auto longest = [](const Texts& set) {
    StepsWithoutNetwork steps;
    const CapturedLog log;
    RunSpec spec = find_run({.config = "c.yaml", .set = set});
    return prepare_data(spec, steps).model.max_length.value();
  };
  EXPECT_EQ(longest({}), 6);
  EXPECT_EQ(longest({"data.augment={join: {probability: 0.5}}"}), 12);
}

TEST_F(CheckedData, AreKeptOrLeftOutByPolicy) {
  holds({"data.empty", "data.min_kept", "data.too_long", "data.malformed"});
  write("train.src", toy_lines(1, 1000) + "a\xff\n\na b c d e f g\n");
  write("train.tgt", toy_lines(3, 1000) + "a\nb\na\n");
  const auto expect = [](const char* policy, const char* message) {
    EXPECT_THAT(findings({"data.max_length=6", std::string("data.") + policy}), HasSubstr(message))
        << policy;
  };
  expect("too_long=drop", "1,000 kept; left out: 1 malformed, 1 empty, 1 too long\n");
  expect("too_long=truncate", "1,001 kept; left out: 1 malformed, 1 empty; changed: 1 truncated");
  expect("min_kept=0.1", "1,000 kept; left out: 1 malformed, 1 empty, 1 too long\n");
  expect("too_long=error", "error 3: train.src:1003: more than 6 tokens");
  expect("malformed=replace", "changed: 1 repaired");
  expect("malformed=error", "error 3: train.src:1001: malformed UTF-8");
  expect("empty=error", "error 3: train.src:1002: empty line");
  EXPECT_THAT(findings({"data.max_length=2"}),
              AllOf(HasSubstr("error 3: "), HasSubstr("train.src + train.tgt: 1,003 pairs"),
                    HasSubstr("data.min_kept")));
}

using VocabularyFiles = CheckedConfig;

TEST_F(VocabularyFiles, OfOtherWordsAreWarnedOfForEachCorpus) {
  std::string upper = toy_lines(1, 1000);
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  write("upper.src", upper);
  write("letters", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
  const std::string letters = "text.source={type: words, vocabulary: {file: letters}}";
  EXPECT_THAT(findings({letters, "data.train=[{source: upper.src, target: train.tgt}]"}),
              AllOf(HasSubstr("text.source: the vocabulary lacks 100% of the tokens"),
                    Not(HasSubstr("text.target: the vocabulary lacks"))));
  EXPECT_THAT(findings({letters,
                        "data.train=[{source: train.src, target: train.tgt}, {source: upper.src, "
                        "target: train.tgt}]"}),
              HasSubstr("lacks 100% of the tokens at the beginning of upper.src"));
}

TEST_F(VocabularyFiles, WithCountsAreRefused) {
  write("counts", "a 12\nb 9\nc 7\n");
  EXPECT_THAT(findings({"text.source={type: words, vocabulary: {file: counts}}"}),
              HasSubstr("counts:1: found 'a 12', a token with a number, expected a token alone"));
}

// Words of JoeyNMT, OpenNMT-py, Marian and papers, and the key that the hint names.
TEST(ExplainedKey, IsNamedForAWordOfOtherToolkits) {
  const ConfigFile defaults;
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
    EXPECT_ERROR(explain_key(defaults, word), ErrorKind::kUsage, "; here it is ");
    EXPECT_ERROR(explain_key(defaults, word), ErrorKind::kUsage, key);
  }
}

TEST(ExplainedKey, IsCompletedOrCorrected) {
  const ConfigFile defaults;
  EXPECT_ERROR(explain_key(defaults, "train.lable_smoothing"), ErrorKind::kUsage,
               "label_smoothing");
  EXPECT_ERROR(explain_key(defaults, "train.log"), ErrorKind::kUsage,
               "'train.log'; keys that begin with it: train.log_every");
  try {
    explain_key(defaults, "train.tga");
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), Not(HasSubstr("train.tag"))) << "which is data.train.tag";
  }
}

TEST(ExplainedKey, OfPresetsListsTheirKeys) {
  const std::string text = explain_key(ConfigFile(), "model.preset");
  for (const char* part : {"bahdanau: Bahdanau, Cho and Bengio 2015", "output_width: 500",
                           "luong: Luong, Pham and Manning 2015", "vaswani: Vaswani et al. 2017"})
    EXPECT_THAT(text, HasSubstr(part));
}

}  // namespace
}  // namespace heed
