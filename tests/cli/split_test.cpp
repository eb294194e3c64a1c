// `heed split`.
#include <gmock/gmock.h>

#include <set>

#include "base/random.h"
#include "cli/program.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// 2,000 pairs of 3,000 distinct sentences each; line 1 of the target is empty.
class Split : public testing::Test {
 protected:
  void SetUp() override {
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
  std::vector<std::string> lines(const std::string& name) const {
    return lines_of(read_plainly(folder_ / name));
  }
  Outcome split(const Arguments& arguments) const {
    return run_heed(joined({"split"}, arguments), {.folder = folder_.path()});
  }
  Outcome split_two(const std::string& output, const Arguments& more = {}) const {
    return split(joined({"--source", "all.en", "--target", "all.de", "-o", output}, more));
  }
  // Number of lines of one file that are in the other.
  size_t shared(const std::string& a, const std::string& b) const {
    const auto known = lines(b);
    const std::set<std::string> all(known.begin(), known.end());
    return static_cast<size_t>(
        std::ranges::count_if(lines(a), [&](const auto& line) { return all.contains(line); }));
  }
  std::vector<std::string> sorted(std::vector<std::string> lines) const {
    std::ranges::sort(lines);
    return lines;
  }
  TemporaryFolder folder_;
};

TEST_F(Split, LeavesNoSentenceOnBothSides) {
  holds({"heed split", "--source", "--target", "--valid", "--test", "--output"});
  const Outcome outcome = split_two("out", {"--valid", "100", "--test", "50"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("2,000 pairs, 1,999 kept; left out: 1 empty; the first is all.de:1"),
                    HasSubstr("1,849 pairs in train, 100 in valid, 50 in test"),
                    HasSubstr("heed config new --source out/train.en --target out/train.de "
                              "--valid-source out/valid.en --valid-target out/valid.de --test "
                              "out/test.en out/test.de -o")));
  for (const char* side : {".en", ".de"}) {
    const std::string train = std::string("out/train") + side,
                      valid = std::string("out/valid") + side,
                      test = std::string("out/test") + side;
    EXPECT_EQ(lines(train).size(), 1849U);
    EXPECT_EQ(lines(valid).size(), 100U);
    EXPECT_EQ(lines(test).size(), 50U);
    EXPECT_EQ(shared(valid, train) + shared(test, train) + shared(test, valid), 0U);
  }
}

// Every pair is in one part, and each part keeps the order of its pairs.
TEST_F(Split, LosesNoPair) {
  ASSERT_EQ(split_two("out").exit_code, 0);
  std::vector<std::string> before, after;
  const auto sources = lines("all.en"), targets = lines("all.de");
  for (size_t i = 1; i < sources.size(); ++i) before.push_back(sources[i] + "\t" + targets[i]);
  for (const std::string part : {"train", "valid", "test"}) {
    const auto s = lines("out/" + part + ".en"), t = lines("out/" + part + ".de");
    ASSERT_EQ(s.size(), t.size());
    size_t at = 0;
    for (size_t i = 0; i < s.size(); ++i) {
      after.push_back(s[i] + "\t" + t[i]);
      while (at < before.size() && before[at] != after.back()) ++at;
    }
    EXPECT_LT(at, before.size()) << part;
  }
  EXPECT_EQ(sorted(after), sorted(before));
  EXPECT_EQ(lines("out/valid.en").size(), 99U);  // a twentieth
}

TEST_F(Split, WritesTheFormThatItReads) {
  const Arguments sizes{"--valid", "100", "--test", "50"};
  ASSERT_EQ(split_two("two", sizes).exit_code, 0);
  const Outcome tsv =
      split(joined({"all.tsv", "--source", "en", "--target", "de", "-o", "tsv"}, sizes));
  ASSERT_EQ(tsv.exit_code, 0) << tsv.err;
  EXPECT_THAT(tsv.err, HasSubstr("heed config new tsv/train.tsv --source en --target de --valid "
                                 "tsv/valid.tsv --test tsv/test.tsv -o"));
  const Outcome json = split(joined({"all.jsonl", "-o", "json"}, sizes));
  ASSERT_EQ(json.exit_code, 0) << json.err;
  for (const std::string part : {"train", "valid", "test"}) {
    const auto rows = lines("tsv/" + part + ".tsv"), objects = lines("json/" + part + ".jsonl");
    const auto s = lines("two/" + part + ".en"), t = lines("two/" + part + ".de");
    ASSERT_EQ(rows.size(), s.size() + 1);
    ASSERT_EQ(objects.size(), s.size());
    EXPECT_EQ(rows[0], "en\tnote\tde");
    for (size_t i = 0; i < s.size(); ++i) {
      EXPECT_THAT(rows[i + 1], testing::StartsWith(s[i] + "\t"));
      EXPECT_THAT(rows[i + 1], testing::EndsWith("\t" + t[i]));
      EXPECT_THAT(objects[i], HasSubstr(fmt::format(R"("en": "{}", "de": "{}")", s[i], t[i])));
    }
  }
}

TEST_F(Split, IsAFunctionOfTheSeed) {
  holds({"--seed"});
  ASSERT_EQ(split_two("a").exit_code, 0);
  ASSERT_EQ(split_two("b", {"--seed", "1"}).exit_code, 0);
  ASSERT_EQ(split_two("c", {"--seed", "2"}).exit_code, 0);
  EXPECT_EQ(lines("a/valid.en"), lines("b/valid.en"));
  EXPECT_NE(lines("a/valid.en"), lines("c/valid.en"));
}

TEST_F(Split, ReplacesFilesOnlyByForce) {
  holds({"--force"});
  ASSERT_EQ(split_two("out").exit_code, 0);
  const auto before = lines("out/test.de");
  EXPECT_FAILS(split_two("out", {"--seed", "2"}), 2, "out/train.en: already exists");
  EXPECT_EQ(lines("out/test.de"), before);
  ASSERT_EQ(split_two("out", {"--seed", "2", "--force"}).exit_code, 0);
  EXPECT_NE(lines("out/test.de"), before);
  write("train.en", read_plainly(folder_ / "all.en"));
  EXPECT_FAILS(split({"--source", "train.en", "--target", "all.de", "-o", ".", "--force"}), 2,
               "train.en");
}

TEST_F(Split, TakesParallelFilesAlong) {
  holds({"--with"});
  std::string numbers;
  for (int i = 0; i < 2000; ++i) numbers += std::to_string(i) + "\n";
  write("all.align", numbers);
  ASSERT_EQ(split_two("out", {"--with", "all.align"}).exit_code, 0);
  const auto sources = lines("all.en");
  for (const std::string part : {"train", "valid", "test"}) {
    const auto own = lines("out/" + part + ".en"), numbered = lines("out/" + part + ".align");
    ASSERT_EQ(own.size(), numbered.size());
    for (size_t i = 0; i < own.size(); ++i) EXPECT_EQ(sources[std::stoul(numbered[i])], own[i]);
  }
  const Outcome table = split({"all.jsonl", "--with", "all.align", "-o", "x"});
  EXPECT_EQ(table.exit_code, 2);
  EXPECT_THAT(table.err, HasSubstr("heed: --with: belongs to two files"));
}

TEST_F(Split, WritesNothingWhereItFails) {
  write("short", "one line\n");
  EXPECT_FAILS(split({"--source", "all.en", "--target", "short", "-o", "x"}), 3,
               "all.en: has more lines than short, which has 1");
  EXPECT_FAILS(split_two("x", {"--valid", "1500", "--test", "499"}), 2,
               "has 1,999 usable pairs, and some are to stay in training");
  EXPECT_FAILS(split_two("x", {"--valid", "0", "--test", "0"}), 2, "no pair");
  EXPECT_FAILS(split({"all.en", "-o", "x"}), 2, "not a table of two sides");
  EXPECT_FAILS(split({"nowhere.tsv", "-o", "x"}), 5, "nowhere.tsv");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x"));
  ASSERT_EQ(split_two("x", {"--valid", "0"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x/valid.en"));
  EXPECT_EQ(lines("x/test.en").size(), 99U);
}

// Text in an encoding of Windows: without the error, lines with umlauts would be lost.
TEST_F(Split, RefusesAnotherEncodingThanUtf8) {
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
  EXPECT_FAILS(split({"--source", "l.en", "--target", "l.de", "-o", "x"}), 3, "l.de" + looks);
  const Arguments table{"l.txt", "--source", "1", "--target", "2"};
  EXPECT_FAILS(split(joined(table, {"-o", "x"})), 3, "l.txt (2)" + looks);
  EXPECT_FAILS(split(joined(table, {"-o", "x"})), 3,
               "iconv -f WINDOWS-1252 -t UTF-8 l.txt > l.utf8.txt");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x"));
  const Outcome refused = run_heed({"config", "new", "l.txt"}, {.folder = folder_.path()});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("l.txt (2)" + looks));
}

TEST_F(Split, TakesNamesOfLanguagesForThoseOfColumns) {
  std::string rows = "english\tgerman\n";
  for (int i = 0; i < 100; ++i) rows += fmt::format("the source {}\tdas Ziel {}\n", i, i);
  write("named.tsv", rows);
  const Outcome named = split({"named.tsv", "-o", "out"});
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_THAT(named.err, AllOf(HasSubstr("source is column 'english', target 'german', named by "
                                         "the first line"),
                               HasSubstr("100 pairs, 100 kept")));
  EXPECT_EQ(lines("out/test.tsv").front(), "english\tgerman");
  const Outcome numbered = split({"named.tsv", "--source", "2", "--target", "1", "-o", "two"});
  EXPECT_THAT(numbered.err,
              HasSubstr("named.tsv:1: 'german', 'english' look like names of columns, and are read "
                        "as a pair; if they are names: --source german --target english"));
}

// All pairs have the same target but for ten.
TEST_F(Split, SaysWhatItCannotHoldOut) {
  std::string source, target;
  for (int i = 0; i < 100; ++i) {
    source += fmt::format("source {}\n", i);
    target += i < 10 ? fmt::format("target {}\n", i) : "same\n";
  }
  write("all.en", source);
  write("all.de", target);
  const Outcome outcome = split_two("out", {"--valid", "15", "--test", "0"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("11 groups of pairs"), HasSubstr("the largest of 90"),
                                 HasSubstr("warning: valid: 10 pairs, not 15")));
  EXPECT_EQ(lines("out/valid.de").size(), 10U);
}

}  // namespace
}  // namespace heed
