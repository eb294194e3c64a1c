#include "run/new_config.h"

#include <gmock/gmock.h>

#include <map>

#include "base/random.h"
#include "holds.h"
#include "run/checked_config.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string words_in_a_line(const std::string& word, int times) {
  std::string line;
  for (int i = 0; i < times; ++i) line += (i > 0 ? " " : "") + word;
  return line;
}

// Sides of a corpus.
struct ParallelText {
  std::string source, target;
};

class NewConfig : public CheckedConfig {
 protected:
  static NewConfigOptions of(const std::string& source, const std::string& target) {
    NewConfigOptions options;
    options.corpus.source = source;
    options.corpus.target = target;
    options.output = "new.yaml";
    return options;
  }
  static std::string written(const NewConfigOptions& options) {
    std::filesystem::remove("new.yaml");
    write_new_config(options);
    return read_plainly("new.yaml");
  }
  // The same with the corpus as its validation set.
  static std::string with_valid(const std::string& source, const std::string& target) {
    NewConfigOptions options = of(source, target);
    options.valid_source = source;
    options.valid_target = target;
    return written(options);
  }
  static std::string of(const ParallelText& text) {
    write("a", text.source);
    write("b", text.target);
    return written(of("a", "b"));
  }
};

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
  write("a", source);
  for (const auto& [target, metric] :
       {std::pair{labels, "exact"}, {phones, "wer"}, {sentences, "bleu"}}) {
    write("b", target);
    CapturedLog log;
    const std::string text = with_valid("a", "b");
    EXPECT_THAT(text, HasSubstr(fmt::format("every: 100, metric: {}, patience", metric)));
    const bool expects = target == sentences;
    EXPECT_EQ(text.find("# Expect correct translations of frequent words") != std::string::npos,
              expects);
    EXPECT_EQ(log.end().find("400 pairs: expect correct translations of frequent words") !=
                  std::string::npos,
              expects);
  }
}

TEST_F(NewConfig, NamesItselfAndItsFilesFromItsOwnFolder) {
  std::filesystem::create_directory("configs");
  NewConfigOptions options = of("train.src", (folder_ / "train.tgt").string());
  options.output = "configs/a b: c.yaml";
  CapturedLog log;
  write_new_config(options);
  EXPECT_THAT(log.end(), HasSubstr("then: heed train 'configs/a b: c.yaml'\n"));
  EXPECT_THAT(read_plainly(options.output),
              AllOf(StartsWith("# heed train 'configs/a b: c.yaml'\n"),
                    HasSubstr("source: \"../train.src\"\n"),
                    HasSubstr("target: " + (folder_ / "train.tgt").string() + "\n")));
  EXPECT_THAT(findings({}, options.output), Not(HasSubstr("error")));
  EXPECT_ERROR(write_new_config(options), ErrorKind::kUsage, "already exists");
}

// The corpus has two languages with many words, large enough for a Transformer.
TEST_F(NewConfig, ChoosesPiecesAndTransformerForLargeCorpora) {
  std::string source, target;
  for (int i = 0; i < 25'000; ++i) {
    source += fmt::format("the great word{} here is said {}\n", i % 5'000, i);
    target += fmt::format("wort{} hier wird gesagt {}\n", i % 5'000, i);
  }
  write("a.en", source);
  write("a.de", target);
  EXPECT_THAT(written(of("a.en", "a.de")),
              AllOf(HasSubstr("run: runs/en-de"), HasSubstr("type: transformer"),
                    HasSubstr("size: 8000"), HasSubstr("{share: source}"), HasSubstr("tie: all")));
  ConfigFile config;
  EXPECT_THAT(find_config_problems("new.yaml", {}, false, config), testing::IsEmpty());
}

// The sentences have twelve characters (私 は 本 を 読み ます 。 and similar ones) or nine (他 喜欢 读书 。).
TEST_F(NewConfig, CountsTheWordsOfLanguagesWithoutSpaces) {
  std::string english, japanese, chinese;
  const Texts who{"私", "彼女", "先生"}, what{"本", "新聞", "手紙"};
  for (size_t i = 0; i < 300; ++i) {
    english += fmt::format("someone reads thing {} of {}\n", i % 3, i);
    japanese += who[i % 3] + "は" + what[i / 3 % 3] + "を読みます。\n";
    chinese += std::string(i % 2 ? "他" : "她") + "喜欢读书。\n";
  }
  write("a.en", english);
  write("a.ja", japanese);
  write("a.zh", chinese);
  EXPECT_THAT(with_valid("a.en", "a.ja"), AllOf(HasSubstr("# Target: 2,100 words, 11 distinct; "),
                                                HasSubstr("type: sentencepiece"),
                                                HasSubstr("metric: bleu, tokenize: char, patie")));
  EXPECT_THAT(findings({}, "new.yaml"), Not(HasSubstr("error")));
  EXPECT_THAT(with_valid("a.en", "a.zh"), HasSubstr("metric: bleu, tokenize: zh, patience"));
  EXPECT_THAT(with_valid("a.ja", "a.en"), HasSubstr("metric: bleu, patience"));
}

TEST_F(NewConfig, HasAPieceForEachCharacter) {
  ParallelText text;
  for (int i = 0; i < 1'000; ++i) {
    text.source += fmt::format("sentence {} of all\n", i);
    for (const int code : {0x4E00 + i % 900, 0x4E00 + (i + 7) % 900}) {
      text.target +=
          {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
           static_cast<char>(0x80 | (code & 63))};
    }
    text.target += "\n";
  }
  EXPECT_THAT(of(text), HasSubstr("size: 1100"));
}

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
    if (i < 50) {
      texts["documents"].source += line(300 + random.below(900), 4);
      texts["documents"].target += line(100 + random.below(100), 4);
    }
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
    const std::string config = of(text);
    EXPECT_THAT(findings({}, "new.yaml"), AllOf(Not(HasSubstr("error")), Not(HasSubstr("cut off"))))
        << name << "\n"
        << config;
  }
}

TEST_F(NewConfig, ReadsTheBeginningOfLongDocuments) {
  EXPECT_THAT(of(unusual_texts().at("documents")),
              AllOf(HasSubstr("max_length: 1000 "), HasSubstr("too_long: truncate")));
}

// Each source word has 12 target words: 1.25 · (12 - 7), rounded up to a half.
TEST_F(NewConfig, DerivesTheLengthOfTranslations) {
  const ParallelText spelled = unusual_texts().at("spelled words");
  EXPECT_THAT(of(spelled), HasSubstr("  max_length_ratio: 6.5\n"));
  EXPECT_THAT(of({spelled.source, spelled.source}), Not(HasSubstr("max_length_ratio")));
}

TEST_F(NewConfig, RefusesDataThatTrainingRefuses) {
  EXPECT_ERROR(of({"a\n\n\n\nb\n", "a\nb\nc\nd\ne\n"}), ErrorKind::kData,
               "3 of 5 pairs have an empty source or target");
  EXPECT_ERROR(of({"one\n", "one\ntwo\n"}), ErrorKind::kData, "a has 1 lines, but b has 2");
}

// The toy corpus in one file, with source and target as columns or keys.
class NewConfigOfATable : public NewConfig {
 protected:
  NewConfigOfATable() {
    std::string rows = "source\tid\ttarget\n", objects;
    for (int i = 0; i < 60; ++i) {
      rows += fmt::format("a {0}\t{0}\tb {0}\n", i);
      objects +=
          fmt::format(R"({{"id": {0}, "translation": {{"en": "a {0}", "de": "b {0}"}}}})", i) +
          "\n";
    }
    write("train.tsv", rows);
    write("valid.tsv", rows);
    write("train.jsonl", objects);
  }
  static NewConfigOptions of_table(const std::string& file,
                                   const std::optional<std::string>& source = {},
                                   const std::optional<std::string>& target = {}) {
    NewConfigOptions options;
    options.corpus = {.file = file, .source = source, .target = target};
    options.output = "new.yaml";
    return options;
  }
};

TEST_F(NewConfigOfATable, NamesTheTwoSides) {
  EXPECT_ERROR(written(of_table("train.tsv")), ErrorKind::kUsage,
               "train.tsv: found 3 columns: source, id, target; name the two sides: heed config "
               "new train.tsv --source source --target id");
  NewConfigOptions named = of_table("train.tsv", "source", "target");
  named.valid = "valid.tsv";
  EXPECT_THAT(written(named),
              AllOf(HasSubstr("# 60 sentence pairs."), HasSubstr("run: runs/source-target"),
                    HasSubstr("    - tsv: train.tsv\n      source: source\n      target: target\n"),
                    HasSubstr("    tsv: valid.tsv\n    source: source\n    target: target\n")));
  EXPECT_THAT(findings({}, "new.yaml"), Not(HasSubstr("error")));
  CapturedLog log;
  EXPECT_THAT(written(of_table("train.jsonl")),
              AllOf(HasSubstr("run: runs/en-de"), HasSubstr("source: translation.en\n")));
  EXPECT_THAT(log.end(), HasSubstr("source is key 'translation.en', target 'translation.de'"));
  EXPECT_THAT(findings({}, "new.yaml"), Not(HasSubstr("error")));
}

TEST_F(NewConfigOfATable, NeedsNoNamesForTwoColumns) {
  write("two.tsv", "a b\tc d\ne f\tg h\n");
  EXPECT_THAT(written(of_table("two.tsv")),
              AllOf(HasSubstr("source: 1\n      target: 2\n"), HasSubstr("# 2 sentence pairs")));
  write("named.tsv", "en\tde\ne f\tg h\n");
  CapturedLog log;
  EXPECT_THAT(written(of_table("named.tsv")),
              AllOf(HasSubstr("source: en\n      target: de\n"), HasSubstr("# 1 sentence pairs"),
                    HasSubstr("run: runs/en-de")));
  EXPECT_THAT(log.end(), HasSubstr("named by the first line"));
  EXPECT_THAT(written(of_table("named.tsv", "de")), HasSubstr("source: de\n      target: en\n"));
}

TEST_F(NewConfigOfATable, HasTestSets) {
  NewConfigOptions table = of_table("train.tsv", "source", "target");
  table.test = {"valid.tsv", "train.tsv"};
  EXPECT_THAT(written(table),
              AllOf(HasSubstr("    valid:\n      tsv: valid.tsv\n      source: source\n"),
                    HasSubstr("    train:\n      tsv: train.tsv\n")));
  EXPECT_THAT(findings({}, "new.yaml"), Not(HasSubstr("error")));
  NewConfigOptions pairs = of("train.src", "train.tgt");
  pairs.test = {"valid.src", "valid.tgt", "valid.src", "valid.tgt"};
  EXPECT_THAT(written(pairs),
              AllOf(HasSubstr("    valid:\n      source: valid.src\n      target: valid.tgt\n"),
                    HasSubstr("    valid_2:\n      source: valid.src\n")));
  EXPECT_THAT(findings({}, "new.yaml"), Not(HasSubstr("error")));
  pairs.test = {"valid.src"};
  EXPECT_ERROR(written(pairs), ErrorKind::kUsage,
               "--test: found 1 file, expected pairs of a source and a target file");
}

TEST_F(NewConfigOfATable, NamesBadRows) {
  write("bad.tsv", "a b\tc d\ne f\ng\th\n");
  CapturedLog log;
  EXPECT_THAT(written(of_table("bad.tsv")),
              HasSubstr("# 3 sentence pairs, 1 without a column or key."));
  EXPECT_THAT(log.end(), HasSubstr("bad.tsv:2: has 1 column, expected column 2; such rows are left "
                                   "out, 1 of 3"));
  EXPECT_ERROR(written(of_table("train.jsonl", "en", "translation.de")), ErrorKind::kData,
               "train.jsonl:1: has no key 'en', found: translation.de, translation.en");
  NewConfigOptions other_form = of_table("train.jsonl");
  other_form.valid = "bad.tsv";
  EXPECT_ERROR(written(other_form), ErrorKind::kData, "bad.tsv:1: is not valid JSON");
  EXPECT_ERROR(written(of_table("train.src")), ErrorKind::kUsage, "not a table of two sides");
  write("a.csv", "one,two\n");
  EXPECT_ERROR(written(of_table("a.csv")), ErrorKind::kData, "comma-separated values");
}

}  // namespace
}  // namespace heed
