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

// Message about a damaged model; "none" if it is loaded.
std::string fault_of(const TemporaryFolder& folder, const std::string& text) {
  write_file(folder / "damaged", text);
  try {
    load_alignment_model(folder / "damaged");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModel);
    return error.what();
  }
  return "none";
}

// A word may look like the line of the hash.
TEST(AlignmentModel, HasAnyWord) {
  const TemporaryFolder folder;
  AlignmentModel model = small_model({});
  const int32_t word = model.sources.add("hash x");
  SentencePairs pairs;
  pairs.add({word, 0}, {0});
  model.aligner = std::make_unique<WordAligner>(
      pairs, model.sources.size(), model.targets.size(), AlignerOptions{}, run_here,
      TrainingWatch{[](int64_t) {}, [](const std::string&) {}});
  save(model, folder / "model");
  EXPECT_GE(load_alignment_model(folder / "model").sources.find("hash x"), 0);
}

TEST(AlignmentModel, NamesTheLineOfAFault) {
  const TemporaryFolder folder;
  save(small_model({}), folder / "model");
  const std::string good = read_file(folder / "model");
  const std::string format = good.substr(0, good.find('\n') + 1);
  const std::string settings = good.substr(0, good.find('\n', format.size()) + 1);
  EXPECT_EQ(fault_of(folder, good), "none");
  EXPECT_THAT(fault_of(folder, "0-0 1-1\n"), HasSubstr("damaged:1: begins with '0-0 1-1'"));
  EXPECT_THAT(fault_of(folder, ""), HasSubstr("damaged"));
  EXPECT_THAT(fault_of(folder, format), HasSubstr("damaged:1: ends, expected settings"));
  EXPECT_THAT(fault_of(folder, format + "{}\n"), HasSubstr("damaged:2: "));
  EXPECT_THAT(fault_of(folder, good + "a\tb\t0.5\t0.5\n"), HasSubstr("goes on behind the hash"));
  EXPECT_THAT(fault_of(folder, settings + "a\tb\t0.5\n"),
              HasSubstr("damaged:3: found 'a\tb\t0.5'"));
  EXPECT_THAT(fault_of(folder, settings + "a\tb\t0.5\tx\n"), HasSubstr("damaged:3: found 'x'"));
  EXPECT_THAT(fault_of(folder, settings + "a\tb\t0.5\t1.5\n"), HasSubstr("found '1.5'"));
  for (const char* zero : {"0", "-0.5", "nan", "1e-60"})
    EXPECT_THAT(fault_of(folder, settings + "a\tb\t0.5\t" + zero + "\n"),
                HasSubstr("damaged:3: found '"));
  EXPECT_THAT(fault_of(folder, settings + "a\t\t0.5\t0.5\n"), HasSubstr("0 for the NULL word"));
  std::string other = settings;
  other.replace(other.find("\"jumps\""), 7, "\"leaps\"");
  EXPECT_THAT(fault_of(folder, other), HasSubstr("positions 'leaps'"));
}

TEST(AlignmentModel, IsNotReadFromAFileThatWasCutOrChanged) {
  const TemporaryFolder folder;
  save(small_model({}), folder / "model");
  const std::string good = read_file(folder / "model");
  const size_t last_line = good.rfind('\n', good.size() - 2) + 1;
  for (size_t size = last_line; size + 1 < good.size(); ++size)
    EXPECT_THAT(fault_of(folder, good.substr(0, size)), HasSubstr("damaged:")) << size;
  for (size_t end = good.find('\n'); end + 1 < good.size(); end = good.find('\n', end + 1))
    EXPECT_THAT(fault_of(folder, good.substr(0, end + 1)), HasSubstr("damaged:")) << end;
  EXPECT_THAT(fault_of(folder, good.substr(0, last_line)), HasSubstr("ends, expected a pair"));
  std::string changed = good;
  changed[last_line - 2] = changed[last_line - 2] == '1' ? '2' : '1';  // of the last pair
  EXPECT_THAT(fault_of(folder, changed), HasSubstr("damaged:"));
  // A pair that is not there.
  changed = good;
  const size_t pair = good.find('\n', good.find('\n') + 1) + 1;
  changed.erase(pair, good.find('\n', pair) + 1 - pair);
  EXPECT_THAT(fault_of(folder, changed), HasSubstr("the hash is not that of the lines before it"));
  changed = good;
  changed.replace(good.find("\"cased\":true"), 12, "\"cased\":false");
  EXPECT_THAT(fault_of(folder, changed), HasSubstr("the hash is not that"));
}

TEST(AlignmentModel, HasParametersThatGiveFiniteNumbers) {
  const TemporaryFolder folder;
  for (const int64_t jumps : {0, 2}) {
    save(small_model({.jump_iterations = jumps}), folder / "model");
    const std::string good = read_file(folder / "model");
    const size_t begin = good.find("\"parameters\":[") + 14, second = good.find(',', begin) + 1,
                 end = good.find_first_of(",]", second);
    const auto fault = [&](size_t at, size_t behind, const std::string& value) -> std::string {
      std::string changed = good;
      changed.replace(at, behind - at, value);
      write_file(folder / "damaged", changed);
      try {
        load_alignment_model(folder / "damaged");
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kModel);
        return error.what();
      }
      return "none";
    };
    for (const char* null : {"7", "0", "-0.1", "1e300"})
      EXPECT_THAT(fault(begin, second - 1, null), HasSubstr("damaged:2: parameter 0 of")) << null;
    EXPECT_THAT(fault(begin, second - 1, "null"), HasSubstr("damaged:2: "));
    EXPECT_THAT(fault(second, end, "-1"), HasSubstr("damaged:2: parameter 1 of"));
    if (jumps == 0) continue;
    EXPECT_THAT(fault(second, end, "0"), HasSubstr("damaged:2: parameter 1 of"));
  }
}

}  // namespace
}  // namespace heed
