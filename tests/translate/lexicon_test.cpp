#include "translate/lexicon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "../base/temporary_folder.h"
#include "base/file.h"
#include "translate/marian_shortlist.h"

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

TEST(Lexicon, ReadsShortlistsOfMarian) {
  const TemporaryFolder folder;
  const fs::path file = folder / "lex.s2t.bin";
  EXPECT_EQ(id_of_marian(0), kEnd);
  EXPECT_EQ(id_of_marian(1), kUnknown);
  EXPECT_EQ(id_of_marian(2), kSpecials);
  EXPECT_EQ(id_in_marian(kHouse), 3U);
  const MarianShortlist written{
      .frequent = 2, .best = 1, .targets = {{0}, {}, {id_in_marian(kThe)}, {}, {2, 4}, {0, 5}}};
  write_marian_shortlist(file, written);
  const MarianShortlist read = read_marian_shortlist(file);
  EXPECT_EQ(read.targets, written.targets);
  EXPECT_EQ(read.frequent, 2U);
  const Lexicon lexicon = Lexicon::read(file, kGerman, kEnglish);
  const auto targets = [&lexicon](int32_t source) {
    Ids ids;
    for (const Lexicon::Entry& entry : lexicon.of(source)) ids.push_back(entry.target);
    return ids;
  };
  EXPECT_THAT(targets(kDas), ElementsAre(kThe));
  EXPECT_THAT(targets(kBuch), ElementsAre(kThe, kBook));
  EXPECT_THAT(targets(kEin), ElementsAre(kA));
  EXPECT_ERROR(Lexicon::read(file, Vocabulary({"das"}), kEnglish), ErrorKind::kData,
               "has 6 source tokens, but the vocabulary of the model 3");
  EXPECT_ERROR(Lexicon::read(file, kGerman, Vocabulary({"the"})), ErrorKind::kData,
               "has the target token 4");
  const std::string whole = read_plainly(file);
  for (size_t size = sizeof(uint64_t); size < whole.size(); ++size) {
    write_plainly(file, whole.substr(0, size));
    EXPECT_ERROR(read_marian_shortlist(file), ErrorKind::kData, "is not a whole shortlist");
  }
  for (size_t at = sizeof(uint64_t); at + sizeof(uint64_t) <= whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    write_plainly(file, damaged);
    EXPECT_ERROR(read_marian_shortlist(file), ErrorKind::kData, "is not a whole shortlist");
  }
}

// Computed by Marian's formula, hash_combine() over numbers of 64 bits, in Python.
TEST(Lexicon, ShortlistsOfMarianHaveItsChecksum) {
  const TemporaryFolder folder;
  write_marian_shortlist(folder / "lex.bin", {.frequent = 100, .best = 50, .targets = {{1, 2}}});
  const std::string bytes = read_plainly(folder / "lex.bin");
  ASSERT_EQ(bytes.size(), 48U + 16 + 8);
  uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + 8, sizeof(checksum));
  EXPECT_EQ(checksum, 0x5E7744DFAB9FC3D5U);
}

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
