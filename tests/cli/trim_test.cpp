// Models with smaller vocabularies: `heed trim`.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/trained_model.h"
#include "exchange/fixtures.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

// The letters of a toy text as words of several characters; `most`: only of the first letters.
std::string longer_words(const std::string& letters, char most = 'j') {
  constexpr const char* kWords[] = {"alpha",   "bravo", "charlie", "delta", "echo",
                                    "foxtrot", "golf",  "hotel",   "india", "juliett"};
  std::string text;
  for (const char c : letters)
    text += c >= 'a' && c <= 'j' ? kWords[std::min(c, most) - 'a'] : std::string(1, c);
  return text;
}

struct TextKind {
  const char *name, *text;
};
void PrintTo(const TextKind& kind, std::ostream* out) { *out << kind.name; }

class TrimmedModels : public testing::TestWithParam<TextKind> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    for (const std::string part : {"train.src", "train.tgt", "valid.src", "valid.tgt"})
      write_plainly(workshop_ / part, longer_words(workshop_.read(part)));
    write_plainly(workshop_ / "few.src", longer_words(toy_lines(3, 40), 'e'));
    const Outcome training =
        workshop_.run({"train", "toy.yaml", "--set", fmt::format("text={}", GetParam().text),
                       "--set", "train.max_updates=60", "--set", "train.validate.metric=loss"});
    ASSERT_EQ(training.exit_code, 0) << training.err;
  }
  Outcome trim(const Arguments& more, const std::string& output = "small") const {
    return workshop_.run(joined({"trim", "runs/toy", "-o", output}, more));
  }
  std::string translated(const std::string& model, const Arguments& more,
                         const std::string& plain) const {
    const Outcome outcome =
        run_heed(joined({"translate", model, "-i", "few.src"}, more),
                 {.environment = {{"HEED_PLAIN", plain}}, .folder = workshop_.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  std::set<std::string> target_tokens(const std::string& model) const {
    const std::string own = model + "/target.vocabulary";
    const auto lines = lines_of(workshop_.read(
        std::filesystem::exists(workshop_ / own) ? own : model + "/source.vocabulary"));
    return {lines.begin(), lines.end()};
  }
  ToyWorkshop workshop_;
};
INSTANTIATE_TEST_SUITE_P(
    All, TrimmedModels,
    testing::Values(TextKind{"Words", "{source: words, target: words}"},
                    TextKind{"SharedWords", "{source: words, target: {share: source}}"},
                    TextKind{"Characters", "{source: characters, target: {share: source}}"},
                    TextKind{
                        "Bpe",
                        "{source: {type: sentencepiece, size: 60}, target: {type: sentencepiece, "
                        "size: 60}}"},
                    TextKind{"SharedUnigram",
                             "{source: {type: sentencepiece, size: 60, model_type: unigram}, "
                             "target: {share: source}}"}),
    [](const auto& kind) { return kind.param.name; });

// Greedy search takes the most probable token, which stays so among fewer.
TEST_P(TrimmedModels, TranslateTheCorpusGreedilyAsBefore) {
  holds({"heed trim", "--source", "--target"});
  const std::string before = translated("runs/toy", {"--beam", "1"}, "0");
  const std::string json = translated("runs/toy", {"--beam", "1", "--format", "json"}, "0");
  write_plainly(workshop_ / "few.tgt", before);
  const Outcome outcome = trim({"--source", "few.src", "--target", "few.tgt"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the corpus has the same tokens as before: 80 lines"));
  const auto texts = lines_of(before), tokens = lines_of(json);
  const std::set<std::string> kept = target_tokens("small");
  EXPECT_LT(kept.size(), target_tokens("runs/toy/best/model").size());
  for (const std::string plain : {"0", "1"}) {
    const auto found = lines_of(translated("small", {"--beam", "1"}, plain));
    ASSERT_EQ(found.size(), texts.size());
    int compared = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto best = nlohmann::json::parse(tokens[i])["translations"][0];
      if (!std::ranges::all_of(best["tokens"],
                               [&](const std::string& token) { return kept.contains(token); }))
        continue;
      ++compared;
      EXPECT_EQ(found[i], texts[i]) << plain;
    }
    EXPECT_GE(compared, 20);
  }
}

// Fewer tokens share the probability.
TEST_P(TrimmedModels, GiveTokensAtLeastTheirProbability) {
  ASSERT_EQ(trim({"--keep", "few.src"}).exit_code, 0);
  const auto scores = [&](const std::string& model) {
    const Outcome outcome =
        workshop_.run({"score", model, "--source", "few.src", "--target", "few.src"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::vector<double> numbers;
    for (const std::string& line : lines_of(outcome.out)) numbers.push_back(std::stod(line));
    return numbers;
  };
  const auto before = scores("runs/toy"), now = scores("small");
  ASSERT_EQ(before.size(), 40u);
  ASSERT_EQ(now.size(), 40u);
  double more = 0;
  for (size_t i = 0; i < now.size(); ++i) {
    EXPECT_GE(now[i], before[i] - 1e-4);
    more = std::max(more, now[i] - before[i]);
  }
  EXPECT_GT(more, 1e-3);
}

TEST_P(TrimmedModels, AreModelsLikeOthers) {
  holds({"--keep"});
  ASSERT_EQ(trim({"--keep", "few.src"}).exit_code, 0);
  const std::string text = translated("small", {}, "0");
  EXPECT_EQ(translated("small", {}, "1"), text);
  const auto expect_done = [&](const Arguments& arguments) {
    const Outcome outcome = workshop_.run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(expect_done({"inspect", "small"}),
              HasSubstr(fmt::format("{}", target_tokens("small").size() + 4)));
  expect_done({"pack", "small", "-o", "small.heed", "--precision", "fp32"});
  EXPECT_EQ(translated("small.heed", {}, "0"), text);
  expect_done({"average", "small", "-o", "mean"});
  EXPECT_EQ(translated("mean", {}, "0"), text);
  write_plainly(workshop_ / "tune.yaml",
                "run: tuned\ndata: {train: [{source: few.src, target: few.src}], valid: {source: "
                "few.src, target: few.src}}\ninit: {model: small}\ntrain: {max_updates: 2, "
                "validate: {every: 2, samples: 0, metric: loss}}\n");
  expect_done({"train", "tune.yaml"});
  EXPECT_EQ(target_tokens("tuned/best/model"), target_tokens("small"));
}

// Nothing is trimmed where the corpus has all tokens. Subwords that are parts of others may occur nowhere.
TEST_P(TrimmedModels, OfAllTokensAreTheSame) {
  ASSERT_EQ(trim({"--keep", "train.src"}).exit_code, 0);
  const std::string text = GetParam().text;
  if (text.find("sentencepiece") != std::string::npos) return;
  EXPECT_EQ(workshop_.read("small/model.safetensors"),
            workshop_.read("runs/toy/best/model/model.safetensors"));
}

class TrimOfTheToy : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    write_plainly(workshop_ / "ab", "a b\nb a a\n");
    write_plainly(workshop_ / "ac", "a c\n");
    write_plainly(workshop_ / "nothing", "");
    write_plainly(workshop_ / "other", "le chat\n");
    std::filesystem::remove_all(workshop_ / "small");
  }
  Outcome trim(const Arguments& more) const {
    return workshop_.run(joined({"trim", "runs/toy", "-o", "small"}, more));
  }
  const ToyWorkshop& workshop_ = ToyWorkshop::trained();
};

TEST_F(TrimOfTheToy, ReportsWhatStaysAndWhatOtherTextLacks) {
  holds({"--check-source", "--check-target", "--min-count"});
  const Outcome outcome =
      trim({"--keep", "ab", "--min-count", "3", "--check-source", "ac", "--check-target", "ab"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // The four special tokens and a: of five tokens of the corpus, two are b.
  for (const char* row : {"source: tokens +14 +5 +35.71%", "ac .source. +1 +1 +2 +2 +0.00% +50.00%",
                          "ab .target. +2 +2 +5 +5 +0.00% +40.00%"})
    EXPECT_THAT(outcome.out, testing::ContainsRegex(row));
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: ab (source): 2 of 2 lines have other tokens than before"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("the same tokens as before")));
  EXPECT_THAT(outcome.err, HasSubstr("the state of the optimizer is not kept"));
}

TEST_F(TrimOfTheToy, ReadsColumnsOfTables) {
  write_plainly(workshop_ / "pairs.tsv", "a b\tc\n");
  const Outcome outcome =
      trim({"--source", "pairs.tsv:1", "--target", "pairs.tsv:2", "--size", "7"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(lines_of(workshop_.read("small/source.vocabulary")),
              testing::UnorderedElementsAre("a", "b", "c"));
}

TEST_F(TrimOfTheToy, HasNoSubwordsToKeep) {
  holds({"--all-characters"});
  const Outcome outcome = trim({"--keep", "ab", "--all-characters"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("--all-characters: the vocabularies have no subwords"));
}

TEST_F(TrimOfTheToy, RefusesWhatItCannotTrim) {
  EXPECT_FAILS(trim({}), 2, "name the corpus by --source and --target, or by --keep");
  EXPECT_FAILS(trim({"--keep", "missing"}), 5, "missing");
  EXPECT_FAILS(trim({"--keep", "-"}), 2, "--keep -: the text is read twice");
  EXPECT_FAILS(trim({"--source", "hint=ab", "--target", "ab"}), 5, "hint=ab");
  EXPECT_FAILS(trim({"--source", "ab"}), 2,
               "there is no text for target, which has the same vocabulary as source");
  EXPECT_FAILS(trim({"--keep", "nothing"}), 3, "the text of source and target has no tokens");
  EXPECT_FAILS(trim({"--keep", "other"}), 3, "no token of the text of source and target");
  EXPECT_FAILS(trim({"--keep", "ab", "--size", "3"}), 2, "--size 3");
  EXPECT_FAILS(workshop_.run({"trim", "toy.yaml", "--keep", "ab", "-o", "small"}), 4, "toy.yaml");
  EXPECT_FAILS(workshop_.run({"trim", "runs/toy", "--keep", "ab", "-o", "runs"}), 2,
               "exists already");
  EXPECT_FAILS(
      workshop_.run({"trim", "runs/toy", "--keep", "ab", "-o", "runs/toy/best/model/small"}), 2,
      "-o");
  EXPECT_FALSE(std::filesystem::exists(workshop_ / "small"));
}

// Imported models: one vocabulary for two SentencePiece models, and languages.
TEST(ImportedModels, KeepTheirFormatsWhenTrimmed) {
  SKIP_WITHOUT_TENSORS();
  const TemporaryFolder folder;
  write_plainly(folder / "src", "the old man\nthe dog\n");
  const auto expect_done = [](const Arguments& arguments) {
    const Outcome outcome = run_heed(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  for (const std::string name : {"marian", "separate", "t5", "nllb", "mbart"}) {
    SCOPED_TRACE(name);
    const std::string model = folder / name, small = folder / (name + "-small");
    Arguments import = {"import", "hf", exchange_fixture(name), "-o", model};
    if (name == "nllb")
      import = joined(import, {"--source-language", "eng_Latn", "--target-language", "deu_Latn"});
    if (name == "mbart")
      import = joined(import, {"--source-language", "en_XX", "--target-language", "de_DE"});
    expect_done(import);
    const std::string text = expect_done({"translate", model, "-i", folder / "src", "--beam", "1"});
    write_plainly(folder / "tgt", text);
    const Outcome outcome = run_heed(
        {"trim", model, "--source", folder / "src", "--target", folder / "tgt", "-o", small});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("the corpus has the same tokens as before: 4 lines"));
    EXPECT_EQ(expect_done({"translate", small, "-i", folder / "src", "--beam", "1"}), text);
    EXPECT_LT(std::filesystem::file_size(small + "/model.safetensors"),
              std::filesystem::file_size(model + "/model.safetensors"));
    if (name != "marian" && name != "separate") continue;
    expect_done({"export", "ctranslate2", small, folder / (name + "-ct2")});
    expect_done({"export", "hf", small, folder / (name + "-hf")});
    expect_done({"import", "hf", folder / (name + "-hf"), "-o", folder / (name + "-back")});
    EXPECT_EQ(expect_done({"translate", folder / (name + "-back"), "-i", folder / "src", "--beam",
                           "1", "--max-length", "30"}),
              expect_done(
                  {"translate", small, "-i", folder / "src", "--beam", "1", "--max-length", "30"}));
  }
}

TEST(ImportedModels, OfBytesHaveNoUnknownTextWhenTrimmed) {
  SKIP_WITHOUT_TENSORS();
  holds({"--all-characters"});
  const TemporaryFolder folder;
  write_plainly(folder / "few", "the old man\n");
  write_plainly(folder / "other", "young women see \xC3\xA4pfel\n");
  const std::string model = folder / "bart", small = folder / "small";
  const Outcome import = run_heed({"import", "hf", exchange_fixture("bart_text"), "-o", model});
  ASSERT_EQ(import.exit_code, 0) << import.err;
  const Outcome outcome = run_heed({"trim", model, "--keep", folder / "few", "--all-characters",
                                    "--check-source", folder / "other", "-o", small});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the corpus has the same tokens as before: 1 lines"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("have no subwords")));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("other .source. .* 0.00% +0.00%"));
  EXPECT_LT(std::filesystem::file_size(small + "/model.safetensors"),
            std::filesystem::file_size(model + "/model.safetensors"));
  const Outcome translation = run_heed({"translate", small, "-i", folder / "other"});
  EXPECT_EQ(translation.exit_code, 0) << translation.err;
}

}  // namespace
}  // namespace heed
