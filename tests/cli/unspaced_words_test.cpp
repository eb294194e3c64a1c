// Words of text without spaces between them, from the training to what `heed translate` writes.
#include <gmock/gmock.h>

#include <sstream>

#include "base/random.h"
#include "cli/program.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

using Strings = std::vector<std::string>;

// Each has a word of the target; those of the last three are too rare for the vocabulary.
const Strings kCharacters = {"火", "看", "木", "水", "我", "你", "狗",
                             "山", "喜", "欢", "僮", "兺", "偝"};
constexpr uint64_t kFrequent = 10;

struct Pair {
  Strings source;
  std::string line() const {
    std::string text;
    for (const std::string& character : source) text += character;
    return text;
  }
  std::string translation() const {
    Strings words;
    for (const std::string& character : source)
      words.push_back(
          "e" + std::to_string(std::ranges::find(kCharacters, character) - kCharacters.begin()));
    return fmt::format("{}", fmt::join(words, " "));
  }
};

// rare: every how many-th character is one of the last three.
std::vector<Pair> pairs(size_t count, uint64_t rare, uint64_t seed) {
  RandomStream draws(seed);
  std::vector<Pair> result(count);
  for (Pair& pair : result) {
    for (uint64_t i = 0; i < 3 + draws.below(4); ++i) {
      const bool is_rare = draws.below(rare) == 0;
      pair.source.push_back(
          kCharacters[is_rare ? kFrequent + draws.below(3) : draws.below(kFrequent)]);
    }
  }
  return result;
}

const char* const kConfig = R"(
run: run
data: {train: [{source: t.zh, target: t.en}]}
text: {source: {type: sentencepiece, size: 24}, target: {type: words, vocabulary: {max_size: 10}}}
model:
  embedding: {width: 32}
  encoder: {type: rnn, cell: gru, width: 48}
  decoder: {type: rnn, cell: gru, width: 48, attention: {score: general}}
train: {batch: {sentences: 20}, optimizer: {type: adam, rate: 0.01}, max_updates: 400, workers: 1, precision: fp32}
)";

class UnspacedWords : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    std::string source, target;
    for (const Pair& pair : pairs(600, 12, 1)) {
      source += pair.line() + "\n";
      target += pair.translation() + "\n";
    }
    write_plainly(folder_ / "t.zh", source);
    write_plainly(folder_ / "t.en", target);
    write_plainly(folder_ / "c.yaml", kConfig);
  }
  Outcome run(const Arguments& arguments, const std::string& input = "") const {
    const Outcome outcome = run_heed(arguments, {.input = input, .folder = folder_.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  }
  TemporaryFolder folder_;
};

TEST_F(UnspacedWords, AreCharactersInAlignmentsAndForUnknownWords) {
  holds({"--alignments", "--replace-unknown", "--words"});
  for (const std::string type : {"sentencepiece", "characters"}) {
    const Outcome training =
        run({"train", "c.yaml", "--overwrite", "--set",
             "text.source=" + (type == "characters" ? std::string("characters")
                                                    : "{type: sentencepiece, size: 24}")});
    EXPECT_THAT(training.err, HasSubstr("text.source: has no spaces between words"));
    const std::vector<Pair> test = pairs(40, 4, 2);
    std::string input, words;
    for (const Pair& pair : test) {
      input += pair.line() + "\n";
      words += fmt::format("{}\n", fmt::join(pair.source, " "));
    }
    EXPECT_EQ(run({"tokenize", "run", "--side", "source", "--words"}, input).out, words);
    const Strings found =
        lines_of(run({"translate", "run", "--replace-unknown", "--alignments", "a"}, input).out);
    const Strings links = lines_of(read_plainly(folder_ / "a"));
    ASSERT_EQ(found.size(), test.size());
    ASSERT_EQ(links.size(), test.size());
    int64_t right = 0, all = 0, replaced = 0;
    for (size_t i = 0; i < test.size(); ++i) {
      std::istringstream own(links[i]), text(found[i]);
      int64_t target = 0;
      for (std::string link, word; own >> link; ++target) {
        ASSERT_TRUE(text >> word) << links[i] << " of " << found[i];
        const size_t from = std::stoul(link);
        ASSERT_LT(from, test[i].source.size()) << links[i];
        EXPECT_EQ(link, fmt::format("{}-{}", from, target));
        right += from == static_cast<size_t>(target) ? 1 : 0;
        ++all;
        if (word.starts_with("e")) continue;
        const Pair behind = {
            {test[i].source.begin() + static_cast<long>(from), test[i].source.end()}};
        EXPECT_TRUE(behind.line().starts_with(word))
            << "a piece of one or two characters: " << word;
        EXPECT_LE(word.size(), 2 * kCharacters[0].size()) << found[i];
        ++replaced;
      }
      std::string more;
      EXPECT_FALSE(text >> more) << links[i] << " of " << found[i];
    }
    EXPECT_GT(replaced, 20);
    EXPECT_GT(right * 2, all) << "word by word, so the alignment is a diagonal";
  }
}

}  // namespace
}  // namespace heed
