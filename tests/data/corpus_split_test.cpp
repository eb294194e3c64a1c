#include "data/corpus_split.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/random.h"
#include "base/temporary_folder.h"
#include "captured_log.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// 2,000 pairs of 3,000 distinct sentences each; line 1 of the target is empty.
class CorpusSplit : public testing::Test {
 protected:
  using Names = std::vector<std::string>;

  CorpusSplit() {
    RandomStream random(11);
    std::string source, target, rows = "en\tnote\tde\n", objects;
    for (int i = 0; i < 2000; ++i) {
      const auto s = fmt::format("the source {}", random.below(3000));
      const auto t = i == 0 ? "" : fmt::format("das Ziel {}", random.below(3000));
      source += s + "\n";
      target += t + "\n";
      rows += fmt::format("{}\tnote {}\t{}\n", s, i, t);
      objects += fmt::format(R"({{"n": {}, "x": {{"en": "{}", "de": "{}"}}}})", i, s, t) + "\n";
    }
    write("all.en", source);
    write("all.de", target);
    write("all.tsv", rows);
    write("all.jsonl", objects);
  }
  void write(const std::string& name, const std::string& text) const {
    write_plainly(folder_ / name, text);
  }
  SplitOptions of_two(const std::string& source = "all.en",
                      const std::string& target = "all.de") const {
    SplitOptions options;
    options.corpus.source = folder_ / source;
    options.corpus.target = folder_ / target;
    options.output = folder_ / "out";
    return options;
  }
  SplitOptions of_table(const std::string& file, std::optional<std::string> source = {},
                        std::optional<std::string> target = {}) const {
    SplitOptions options;
    options.corpus = {
        .file = folder_ / file, .source = std::move(source), .target = std::move(target)};
    options.output = folder_ / "table";
    return options;
  }
  static std::string split(const SplitOptions& options) {
    CapturedLog log;
    split_corpus(options);
    return log.end();
  }
  static std::string split(SplitOptions options, int64_t valid, int64_t test) {
    options.valid = valid;
    options.test = test;
    return split(options);
  }
  Names lines(const std::string& name) const {
    std::istringstream text(read_plainly(folder_ / name));
    Names lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  TemporaryFolder folder_;
};

TEST_F(CorpusSplit, LeavesNoSentenceInTwoParts) {
  EXPECT_THAT(
      split(of_two(), 100, 50),
      AllOf(HasSubstr("2,000 pairs, 1,999 kept; left out: 1 empty; the first is "),
            HasSubstr("all.de:1"), HasSubstr("1,849 pairs in train, 100 in valid, 50 in test")));
  for (const std::string side : {".en", ".de"}) {
    std::set<std::string> all;
    size_t distinct = 0;
    for (const auto& [part, size] : {std::pair{"train", 1849U}, {"valid", 100U}, {"test", 50U}}) {
      const Names own = lines(std::string("out/") + part + side);
      EXPECT_EQ(own.size(), size);
      distinct += std::set<std::string>(own.begin(), own.end()).size();
      all.insert(own.begin(), own.end());
    }
    EXPECT_EQ(all.size(), distinct);
  }
}

// Every pair is in one part, and each part keeps the order of its pairs.
TEST_F(CorpusSplit, LosesNoPair) {
  split(of_two());
  Names before, after;
  const Names sources = lines("all.en"), targets = lines("all.de");
  for (size_t i = 1; i < sources.size(); ++i) before.push_back(sources[i] + "\t" + targets[i]);
  for (const std::string part : {"train", "valid", "test"}) {
    const Names s = lines("out/" + part + ".en"), t = lines("out/" + part + ".de");
    ASSERT_EQ(s.size(), t.size());
    auto at = before.begin();
    for (size_t i = 0; i < s.size(); ++i) {
      after.push_back(s[i] + "\t" + t[i]);
      at = std::find(at, before.end(), after.back());
    }
    EXPECT_NE(at, before.end()) << part;
  }
  std::ranges::sort(before);
  std::ranges::sort(after);
  EXPECT_EQ(after, before);
  EXPECT_EQ(lines("out/valid.en").size(), 99U);  // a twentieth
}

TEST_F(CorpusSplit, WritesTheFormThatItReads) {
  split(of_two(), 100, 50);
  split(of_table("all.tsv", "en", "de"), 100, 50);
  split(of_table("all.jsonl"), 100, 50);
  for (const std::string part : {"train", "valid", "test"}) {
    const Names rows = lines("table/" + part + ".tsv"), objects = lines("table/" + part + ".jsonl"),
                s = lines("out/" + part + ".en"), t = lines("out/" + part + ".de");
    ASSERT_EQ(rows.size(), s.size() + 1);
    ASSERT_EQ(objects.size(), s.size());
    EXPECT_EQ(rows[0], "en\tnote\tde");
    for (size_t i = 0; i < s.size(); ++i) {
      EXPECT_THAT(rows[i + 1],
                  AllOf(testing::StartsWith(s[i] + "\t"), testing::EndsWith("\t" + t[i])));
      EXPECT_THAT(objects[i], HasSubstr(fmt::format(R"("en": "{}", "de": "{}")", s[i], t[i])));
    }
  }
}

TEST_F(CorpusSplit, IsAFunctionOfTheSeedAndReplacesFilesOnlyByForce) {
  SplitOptions options = of_two();
  split(options);
  const Names before = lines("out/valid.en");
  EXPECT_ERROR(split_corpus(options), ErrorKind::kUsage, "out/train.en: already exists");
  options.force = true;
  split(options);
  EXPECT_EQ(lines("out/valid.en"), before);
  options.seed = 2;
  split(options);
  EXPECT_NE(lines("out/valid.en"), before);
  write("train.en", read_plainly(folder_ / "all.en"));
  options = of_two("train.en");
  options.output = folder_.path();
  options.force = true;
  EXPECT_ERROR(split_corpus(options), ErrorKind::kUsage, "train.en");
}

TEST_F(CorpusSplit, TakesParallelFilesAlong) {
  std::string numbers;
  for (int i = 0; i < 2000; ++i) numbers += std::to_string(i) + "\n";
  write("all.align", numbers);
  SplitOptions options = of_two();
  options.with = {folder_ / "all.align"};
  split(options);
  const Names sources = lines("all.en");
  for (const std::string part : {"train", "valid", "test"}) {
    const Names own = lines("out/" + part + ".en"), numbered = lines("out/" + part + ".align");
    ASSERT_EQ(own.size(), numbered.size());
    for (size_t i = 0; i < own.size(); ++i) EXPECT_EQ(sources[std::stoul(numbered[i])], own[i]);
  }
  SplitOptions table = of_table("all.jsonl");
  table.with = options.with;
  EXPECT_ERROR(split_corpus(table), ErrorKind::kUsage, "--with: belongs to two files");
}

TEST_F(CorpusSplit, WritesNothingWhereItFails) {
  write("short", "one line\n");
  EXPECT_ERROR(split_corpus(of_two("all.en", "short")), ErrorKind::kData,
               "all.en: has more lines than ");
  EXPECT_ERROR(split(of_two(), 1500, 499), ErrorKind::kUsage,
               "has 1,999 usable pairs, and some are to stay in training");
  EXPECT_ERROR(split(of_two(), 0, 0), ErrorKind::kUsage, "no pair");
  EXPECT_ERROR(split_corpus(of_table("all.en")), ErrorKind::kUsage, "not a table of two sides");
  EXPECT_ERROR(split_corpus(of_table("nowhere.tsv")), ErrorKind::kIo, "nowhere.tsv");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  split(of_two(), 0, 99);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/valid.en"));
  EXPECT_EQ(lines("out/test.en").size(), 99U);
}

// Text in an encoding of Windows: without the error, lines with umlauts would be lost.
TEST_F(CorpusSplit, RefusesAnotherEncodingThanUtf8) {
  std::string source, target, rows;
  for (int i = 0; i < 1000; ++i) {
    const std::string s = fmt::format("the source {}", i),
                      t = i % 50 ? fmt::format("das Ziel {}", i)
                                 : fmt::format("gr\xfcne T\xfcr {}", i);
    source += s + "\n";
    target += t + "\n";
    rows += s + "\t" + t + "\n";
  }
  write("l.en", source);
  write("l.de", target);
  write("l.txt", rows);
  const std::string looks =
      ": 20 of 1,000 lines are malformed UTF-8; the file looks like ISO 8859-1";
  EXPECT_ERROR(split_corpus(of_two("l.en", "l.de")), ErrorKind::kData, "l.de" + looks);
  EXPECT_ERROR(split_corpus(of_table("l.txt", "1", "2")), ErrorKind::kData, "l.txt (2)" + looks);
  EXPECT_ERROR(split_corpus(of_table("l.txt", "1", "2")), ErrorKind::kData, "l.utf8.txt");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "table"));
}

TEST_F(CorpusSplit, TakesNamesOfLanguagesForThoseOfColumns) {
  std::string rows = "english\tgerman\n";
  for (int i = 0; i < 100; ++i) rows += fmt::format("the source {}\tdas Ziel {}\n", i, i);
  write("named.tsv", rows);
  EXPECT_THAT(split(of_table("named.tsv")),
              AllOf(HasSubstr("source is column 'english', target 'german', named by the first "
                              "line"),
                    HasSubstr("100 pairs, 100 kept")));
  EXPECT_EQ(lines("table/test.tsv").front(), "english\tgerman");
  SplitOptions numbered = of_table("named.tsv", "2", "1");
  numbered.output = folder_ / "numbered";
  EXPECT_THAT(split(numbered),
              HasSubstr("named.tsv:1: 'german', 'english' look like names of columns, and are read "
                        "as a pair; if they are names: --source german --target english"));
}

// All pairs have the same target but for ten.
TEST_F(CorpusSplit, SaysWhatItCannotHoldOut) {
  std::string source, target;
  for (int i = 0; i < 100; ++i) {
    source += fmt::format("source {}\n", i);
    target += i < 10 ? fmt::format("target {}\n", i) : "same\n";
  }
  write("all.en", source);
  write("all.de", target);
  EXPECT_THAT(split(of_two(), 15, 0),
              AllOf(HasSubstr("11 groups of pairs"), HasSubstr("the largest of 90"),
                    HasSubstr("warning: valid: 10 pairs, not 15")));
  EXPECT_EQ(lines("out/valid.de").size(), 10U);
}

}  // namespace
}  // namespace heed
