#include "align/alignment_model.h"

#include <gmock/gmock.h>

#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/temporary_folder.h"

namespace heed {
namespace {

using testing::HasSubstr;

void run_here(size_t count, const std::function<void(size_t)>& work) {
  for (size_t i = 0; i < count; ++i) work(i);
}

AlignmentModel small_model(const AlignerOptions& options) {
  AlignmentModel model;
  model.text = {.cased = true, .units = {WordUnit::kSpaces, WordUnit::kCharacters}};
  SentencePairs pairs;
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> lines{
      {{"the", "house"}, {"das", "haus"}},
      {{"the", "book"}, {"das", "buch"}},
      {{"a", "book"}, {"ein", "buch"}}};
  for (const auto& [source, target] : lines) {
    std::vector<int32_t> s, t;
    for (const auto& word : source) s.push_back(model.sources.add(word));
    for (const auto& word : target) t.push_back(model.targets.add(word));
    pairs.add(s, t);
  }
  model.aligner = std::make_unique<WordAligner>(
      pairs, model.sources.size(), model.targets.size(), options, run_here,
      TrainingWatch{[](int64_t) {}, [](const std::string&) {}});
  return model;
}

void save(const AlignmentModel& model, const fs::path& path) {
  AtomicFile file(path);
  save_alignment_model(model, file);
  file.commit();
}

TEST(AlignmentModel, ComesBackFromItsFile) {
  const TemporaryFolder folder;
  for (const int64_t jumps : {0, 3}) {
    const AlignmentModel model = small_model({.jump_iterations = jumps});
    save(model, folder / "model");
    const AlignmentModel loaded = load_alignment_model(folder / "model");
    EXPECT_EQ(loaded.text, model.text);
    for (const ModelDirection d : kDirections) {
      EXPECT_EQ(loaded.aligner->model(d).name(), jumps > 0 ? "jumps" : "diagonal");
      EXPECT_EQ(loaded.aligner->model(d).parameters(), model.aligner->model(d).parameters());
    }
    const auto ids = [](const WordNumbers& words, const std::vector<std::string>& line) {
      std::vector<int32_t> result;
      for (const auto& word : line) result.push_back(words.find(word));
      return result;
    };
    const std::vector<std::string> source{"the", "book", "new"}, target{"das", "buch", "haus"};
    const AlignedPair before = model.aligner->align(ids(model.sources, source),
                                                    ids(model.targets, target)),
                      after = loaded.aligner->align(ids(loaded.sources, source),
                                                    ids(loaded.targets, target));
    EXPECT_EQ(before.links, after.links);
    EXPECT_EQ(before.log_likelihood, after.log_likelihood);
    EXPECT_FALSE(before.links[kForward].empty());
  }
}

TEST(AlignmentModel, WritesALexiconWhoseProbabilitiesSumToOne) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "lexicon");
  write_lexicon(small_model({}), file, 0);
  file.commit();
  std::map<std::string, double> sums;
  std::map<std::string, std::string> best;
  LineReader reader(folder / "lexicon");
  for (std::string line; reader.next(line);) {
    const auto words = line.find(' '), number = line.rfind(' ');
    const std::string target = line.substr(0, words),
                      source = line.substr(words + 1, number - words - 1);
    sums[source] += std::stod(line.substr(number + 1));
    best.try_emplace(source, target);
  }
  EXPECT_EQ(sums.size(), 4U);
  for (const auto& [source, sum] : sums) EXPECT_NEAR(sum, 1, 1e-3) << source;
  EXPECT_EQ(best["book"], "buch");
  EXPECT_EQ(best["the"], "das");
}

TEST(AlignmentModel, NamesTheLineOfAFault) {
  const TemporaryFolder folder;
  save(small_model({}), folder / "model");
  const std::string good = read_file(folder / "model");
  const std::string settings = good.substr(0, good.find('\n', good.find('\n') + 1) + 1);
  const auto fault = [&](const std::string& text) -> std::string {
    write_file(folder / "damaged", text);
    try {
      load_alignment_model(folder / "damaged");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(fault(good), "none");
  EXPECT_THAT(fault("0-0 1-1\n"), HasSubstr("damaged:1: begins with '0-0 1-1'"));
  EXPECT_THAT(fault(""), HasSubstr("damaged"));
  EXPECT_THAT(fault("heed alignment model 1\n{}\n"), HasSubstr("damaged:2: "));
  EXPECT_THAT(fault(settings + "a\tb\t0.5\n"), HasSubstr("damaged:3: found 'a\tb\t0.5'"));
  EXPECT_THAT(fault(settings + "a\tb\t0.5\tx\n"), HasSubstr("damaged:3: found 'x'"));
  EXPECT_THAT(fault(settings + "a\tb\t0.5\t1.5\n"), HasSubstr("found '1.5'"));
  std::string other = settings;
  other.replace(other.find("\"jumps\""), 7, "\"leaps\"");
  EXPECT_THAT(fault(other), HasSubstr("positions 'leaps'"));
}

}  // namespace
}  // namespace heed
