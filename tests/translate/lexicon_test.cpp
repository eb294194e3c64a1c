#include "translate/lexicon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "../base/temporary_folder.h"

namespace heed {
namespace {

using testing::ElementsAre;

// The textbook example: das Haus, das Buch, ein Buch.
const Vocabulary kGerman({"das", "Haus", "Buch", "ein"});
const Vocabulary kEnglish({"the", "house", "book", "a"});
enum : int32_t { kDas = kSpecials, kHaus, kBuch, kEin };
enum : int32_t { kThe = kSpecials, kHouse, kBook, kA };
const std::vector<std::pair<Ids, Ids>> kPairs = {
    {{kDas, kHaus}, {kThe, kHouse}}, {{kDas, kBuch}, {kThe, kBook}}, {{kEin, kBuch}, {kA, kBook}}};

Lexicon learn(int64_t iterations, double least = 0) {
  return Lexicon::learn(
      [](const auto& take) {
        for (const auto& [source, target] : kPairs) take(source, target);
      },
      static_cast<int32_t>(kGerman.size()), static_cast<int32_t>(kEnglish.size()), iterations,
      least);
}

// IBM model 1 as in textbooks, with strings; "" is the empty source word.
std::map<std::pair<std::string, std::string>, double> model_one(int iterations) {
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> pairs = {
      {{"", "das", "Haus"}, {"the", "house"}},
      {{"", "das", "Buch"}, {"the", "book"}},
      {{"", "ein", "Buch"}, {"a", "book"}}};
  std::map<std::pair<std::string, std::string>, double> t;
  for (const auto& [f, e] : pairs)
    for (const auto& s : f)
      for (const auto& w : e) t[{s, w}] = 0.25;
  for (int i = 0; i < iterations; ++i) {
    std::map<std::pair<std::string, std::string>, double> count;
    std::map<std::string, double> total;
    for (const auto& [f, e] : pairs) {
      for (const auto& w : e) {
        double sum = 0;
        for (const auto& s : f) sum += t[{s, w}];
        for (const auto& s : f) {
          count[{s, w}] += t[{s, w}] / sum;
          total[s] += t[{s, w}] / sum;
        }
      }
    }
    for (auto& [key, value] : t) value = count[key] / total[key.first];
  }
  return t;
}

TEST(Lexicons, AreLearnedByModelOne) {
  for (const int iterations : {1, 2, 5}) {
    const Lexicon lexicon = learn(iterations);
    const auto expected = model_one(iterations);
    int64_t entries = 0;
    for (int32_t s = kSpecials; s < kGerman.size(); ++s) {
      for (const auto& [target, probability] : lexicon.of(s)) {
        EXPECT_NEAR(probability, expected.at({kGerman.piece(s), kEnglish.piece(target)}), 1e-12);
        ++entries;
      }
    }
    EXPECT_EQ(entries, 10);
  }
}

TEST(Lexicons, HaveTheMostProbableFirst) {
  const Lexicon lexicon = learn(20, 0.01);
  EXPECT_EQ(lexicon.of(kHaus).front().target, kHouse);
  EXPECT_EQ(lexicon.of(kBuch).front().target, kBook);
  EXPECT_LT(lexicon.size(), learn(20).size());
}

TEST(Lexicons, ComeBackFromAFile) {
  const TemporaryFolder folder;
  const Lexicon lexicon = learn(5);
  lexicon.write(folder / "lex", kGerman, kEnglish);
  const Lexicon read = Lexicon::read(folder / "lex", kGerman, kEnglish);
  ASSERT_EQ(read.size(), lexicon.size());
  for (int32_t s = 0; s < lexicon.sources(); ++s) {
    ASSERT_EQ(read.of(s).size(), lexicon.of(s).size());
    for (size_t i = 0; i < read.of(s).size(); ++i)
      EXPECT_NEAR(read.of(s)[i].probability, lexicon.of(s)[i].probability, 1e-4);
  }
}

// Lexicons of extract_lex have NULL, and words that a model lacks.
TEST(Lexicons, AreReadFromOtherTools) {
  const TemporaryFolder folder;
  write_plainly(folder / "lex",
                "the das 0.5\nthe NULL 0.4\nNULL das 0.1\nfoo das 0.2\na das 0.6\n");
  const Lexicon read = Lexicon::read(folder / "lex", kGerman, kEnglish);
  ASSERT_EQ(read.size(), 2);
  EXPECT_EQ(read.of(kDas)[0].target, kA);
  EXPECT_EQ(read.of(kDas)[1].target, kThe);
}

TEST(Lexicons, RefuseOtherFilesWithTheirLine) {
  const TemporaryFolder folder;
  for (const std::string line :
       {"the das", "the das x", "the das 1.5", "the das -1", " das 0.5", "the das 0.5 0.5", ""}) {
    write_plainly(folder / "lex", "the das 0.5\n" + line + "\n");
    EXPECT_ERROR(Lexicon::read(folder / "lex", kGerman, kEnglish), ErrorKind::kData,
                 "lex:2: found");
  }
  write_plainly(folder / "lex", "x y 0.5\n");
  EXPECT_ERROR(Lexicon::read(folder / "lex", kGerman, kEnglish), ErrorKind::kData,
               "no line has a source token and a target token of the model");
}

}  // namespace
}  // namespace heed
