// heed/translator.h compared with the program, for the same models and texts.
#include "heed/translator_v0.h"

#include <gmock/gmock.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "exchange/fixtures.h"
#include "heed/models.h"

namespace heed {
namespace {

using nlohmann::json;

class TranslatorOfTheLibrary : public OfTheLibrary {
 protected:
  static const v0::Translator& fast() {
    static const v0::Translator translator(workshop().fast());
    return translator;
  }
  static const v0::Translator& other() {
    static const v0::Translator translator(workshop().other());
    return translator;
  }
  // Output of the program, an object a line.
  static std::vector<json> lines_by_program(const Arguments& arguments) {
    const Outcome outcome = workshop().run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::vector<json> lines;
    for (const std::string& line : lines_of(outcome.out)) lines.push_back(json::parse(line));
    return lines;
  }
};

void expect_same(const v0::Translation& found, const json& expected) {
  EXPECT_EQ(found.text, expected["text"].get<std::string>());
  EXPECT_NEAR(found.score, expected["score"], 1e-5);
  EXPECT_NEAR(found.log_probability, expected["log_probability"], 1e-5);
  EXPECT_EQ(found.finished, expected["finished"].get<bool>());
  EXPECT_EQ(found.tokens, expected["tokens"].get<std::vector<std::string>>());
  const auto log_probabilities = expected["log_probabilities"].get<std::vector<double>>();
  EXPECT_THAT(found.log_probabilities,
              testing::Pointwise(testing::DoubleNear(1e-5), log_probabilities));
}

void expect_same(const std::vector<v0::Translations>& found, const std::vector<json>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const json& translations = expected[i]["translations"];
    ASSERT_EQ(found[i].best.size(), translations.size());
    for (size_t k = 0; k < translations.size(); ++k) expect_same(found[i].best[k], translations[k]);
  }
}

TEST_F(TranslatorOfTheLibrary, TranslatesAsTheProgramWithoutLibtorch) {
  v0::TranslateOptions options;
  options.nbest = 3;
  options.search = {{"beam", "4"}, {"length_penalty", "0.5"}};
  expect_same(fast().translate(texts(), options),
              lines_by_program({"translate", "runs/toy", "-i", "valid.src", "--format", "json",
                                "--nbest", "3", "--beam", "4", "--length-penalty", "0.5"}));
}

TEST_F(TranslatorOfTheLibrary, TranslatesAsTheProgramWithLibtorch) {
  v0::TranslateOptions options;
  options.nbest = 2;
  options.tag = "same";
  expect_same(other().translate(texts(), options),
              lines_by_program({"translate", "runs/tags", "-i", "valid.src", "--tag", "same",
                                "--format", "json", "--nbest", "2"}));
}

TEST_F(TranslatorOfTheLibrary, GivesAlignmentsAndAttentionOnRequest) {
  v0::TranslateOptions options;
  options.alignment = options.attention = true;
  const auto found = fast().translate(texts(), options);
  lines_by_program({"translate", "runs/toy", "-i", "valid.src", "--attention", "weights",
                    "--alignments", "words", "-o", "out"});
  const auto weights = lines_of(workshop().read("weights")),
             words = lines_of(workshop().read("words"));
  ASSERT_EQ(weights.size(), found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const json expected = json::parse(weights[i]);
    const v0::Translation& best = found[i].best.front();
    std::string pairs;
    for (const auto& [source, target] : best.alignment)
      pairs += (pairs.empty() ? "" : " ") + std::to_string(source) + "-" + std::to_string(target);
    EXPECT_EQ(pairs, words[i]);
    ASSERT_EQ(best.attention.size(), expected["weights"].size());
    for (size_t t = 0; t < best.attention.size(); ++t)
      EXPECT_THAT(best.attention[t],
                  testing::Pointwise(testing::FloatNear(2e-6F),
                                     expected["weights"][t].get<std::vector<float>>()));
    ASSERT_EQ(found[i].source_tokens.size() + 1, expected["source"].size());
    EXPECT_EQ(found[i].source_tokens.front(), expected["source"].front().get<std::string>());
  }
  EXPECT_THAT(fast().translate({"a b"}).front().best.front().attention, testing::IsEmpty());
}

// `heed score` computes all tokens of a target at once, with libtorch.
TEST_F(TranslatorOfTheLibrary, ScoresAsTheProgram) {
  std::vector<std::string> targets = lines_of(workshop().read("valid.tgt"));
  targets[1] = "";
  targets[2] = "j j j j j j j j";
  targets[3] = "unknown word";
  std::string file;
  for (const std::string& target : targets) file += target + "\n";
  write_plainly(workshop() / "targets", file);
  v0::TextOptions tagged;
  tagged.tag = "other";
  const auto expect = [&](const std::vector<v0::Score>& found, const Arguments& more) {
    const auto expected =
        lines_by_program(joined({"score", "-s", "valid.src", "-t", "targets", "--tokens"}, more));
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].log_probability, expected[i]["log_probability"], 1e-4) << i;
      EXPECT_EQ(found[i].tokens, expected[i]["tokens"].get<std::vector<std::string>>());
      EXPECT_EQ(found[i].log_probabilities.size(), found[i].tokens.size() + 1);
    }
  };
  expect(fast().score(texts(), targets), {"runs/toy"});
  expect(other().score(texts(), targets, tagged), {"runs/tags", "--tag", "other"});
}

// directions.json has what transformers finds (scripts/fixtures/directions.py).
TEST_F(TranslatorOfTheLibrary, TranslatesInTheDirectionThatIsChosen) {
  const TemporaryFolder folder;
  const std::string fixture = exchange_fixture("nllb");
  ASSERT_EQ(run_heed({"import", "hf", fixture, "-o", folder / "nllb"}).exit_code, 0);
  const v0::Translator translator((folder / "nllb").string());
  EXPECT_THAT(translator.source_languages(),
              testing::ElementsAre("deu_Latn", "eng_Latn", "rus_Cyrl"));
  EXPECT_EQ(translator.target_languages(), translator.source_languages());
  EXPECT_TRUE(fast().target_languages().empty());
  for (const json& one : json::parse(read_plainly(fixture + "/directions.json"))) {
    v0::TranslateOptions options;
    options.source_language = one["source_language"];
    options.target_language = one["target_language"];
    options.search = {{"beam", "4"}};
    const v0::Translation best =
        translator.translate({one["source"]}, options).front().best.front();
    EXPECT_EQ(best.text, one["text"].get<std::string>());
    EXPECT_NEAR(best.score, one["score"].get<double>(), 1e-5);
    const std::string named =
        ">>" + options.source_language + "<< " + one["source"].get<std::string>();
    options.source_language = "";
    EXPECT_EQ(translator.translate({named}, options).front().best.front().text, best.text);
  }
  EXPECT_PUBLIC_ERROR(translator.translate({"a"}), kData, "its source language is not known");
  v0::TextOptions options;
  options.target_language = "fra_Latn";
  EXPECT_PUBLIC_ERROR(translator.score({"a"}, {"b"}, options), kUsage,
                      "target language: found 'fra_Latn', expected a language of the model");
}

TEST_F(TranslatorOfTheLibrary, AnEnsembleIsLoadedFromSeveralFolders) {
  const v0::Translator ensemble({workshop().fast(), workshop().fast()});
  const auto expected = fast().translate(texts());
  const auto found = ensemble.translate(texts());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i].best.front().score, expected[i].best.front().score, 1e-4);
}

TEST_F(TranslatorOfTheLibrary, SeveralThreadsShareAModel) {
  for (const v0::Translator* translator : {&fast(), &other()}) {
    v0::TranslateOptions options;
    if (!translator->tags().empty()) options.tag = "same";
    const auto alone = translator->translate(texts(), options);
    std::atomic<int> same = 0;
    std::vector<std::thread> threads;
    for (int64_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        v0::TranslateOptions own = options;
        own.workers = 1 + thread % 2;
        own.batch = 16;
        const auto found = translator->translate(texts(), own);
        for (size_t i = 0; i < found.size(); ++i)
          same += found[i].best.front().text == alone[i].best.front().text ? 1 : 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(same, 4 * static_cast<int>(texts().size()));
  }
}

TEST_F(TranslatorOfTheLibrary, SaysWhatAModelReads) {
  EXPECT_THAT(fast().inputs(), testing::ElementsAre("source"));
  EXPECT_THAT(fast().tags(), testing::IsEmpty());
  EXPECT_THAT(other().inputs(), testing::ElementsAre("source", "tag"));
  EXPECT_THAT(other().tags(), testing::ElementsAre("other", "same"));
  v0::TranslateOptions tagged;
  tagged.tag = "same";
  EXPECT_EQ(other().translate_inputs({{"a b c", "same"}}).front().best.front().score,
            other().translate({"a b c"}, tagged).front().best.front().score);
}

TEST_F(TranslatorOfTheLibrary, ErrorsHaveTheMessagesOfTheProgram) {
  EXPECT_PUBLIC_ERROR(v0::Translator(workshop() / "valid.src"), kModel, "is a file, not a model");
  EXPECT_PUBLIC_ERROR(v0::Translator("nowhere"), kModel, "nowhere");
  v0::LoadOptions load;
  load.precision = "int4";
  EXPECT_PUBLIC_ERROR(v0::Translator(workshop().fast(), load), kUsage, "int4");
  load = {.device = "tpu", .precision = "fp32"};
  EXPECT_PUBLIC_ERROR(v0::Translator(workshop().fast(), load), kUsage, "tpu");
  EXPECT_PUBLIC_ERROR(v0::Translator(std::vector<std::string>{}), kUsage, "no model");
  v0::TranslateOptions options;
  options.search = {{"beem", "3"}};
  EXPECT_PUBLIC_ERROR(fast().translate({"a"}, options), kUsage, "did you mean 'beam'?");
  options.search = {{"beam", "0"}, {"beem", "3"}, {"patience", "x"}};
  for (const char* part : {"beam: found '0', expected", "; beem: unknown key", "; patience: found"})
    EXPECT_PUBLIC_ERROR(fast().translate({"a"}, options), kUsage, part);
  options.search = {{"beam[0]", "3"}};
  EXPECT_PUBLIC_ERROR(fast().translate({"a"}, options), kUsage,
                      "'beam[0]': is not a key of `search`");
  options.search = {{"beam", "2"}};
  options.nbest = 3;
  EXPECT_PUBLIC_ERROR(fast().translate({"a"}, options), kUsage, "nbest 3 needs a beam of 3");
  options = {};
  options.batch = -1;
  EXPECT_PUBLIC_ERROR(fast().translate({"a"}, options), kUsage, "batch: found -1");
  options = {};
  options.tag = "same";
  EXPECT_PUBLIC_ERROR(fast().translate({"a"}, options), kUsage, "the model has no tags");
  options.tag = "sam";
  EXPECT_PUBLIC_ERROR(other().translate({"a"}, options), kUsage, "did you mean 'same'?");
  EXPECT_PUBLIC_ERROR(other().translate({"a"}), kUsage, "source, tag");
  options = {};
  options.split = false;
  EXPECT_PUBLIC_ERROR(fast().translate({"a", "b\n"}, options), kData, "text 2: holds a line break");
  const std::string zero("a\0b", 3);
  EXPECT_PUBLIC_ERROR(fast().translate({"a", zero}), kData, "text 2: holds a zero byte (U+0000)");
  EXPECT_PUBLIC_ERROR(fast().score({"a"}, {zero}), kData, "line 1 of the target: a zero byte");
  EXPECT_PUBLIC_ERROR(fast().score({"a", "b"}, {"a"}), kUsage, "2 sources, but 1 targets");
  EXPECT_PUBLIC_ERROR(fast().score({"a"}, {"\xff"}), kData, "malformed UTF-8 at byte 1");
}

TEST_F(TranslatorOfTheLibrary, TranslatesEachSentenceByItself) {
  v0::TranslateOptions options;
  options.alignment = true;
  const auto own = fast().translate({"a b c", "d e"}, options);
  const auto whole = fast().translate({"a b c\nd e"}, options).at(0);
  EXPECT_EQ(whole.best[0].text, own[0].best[0].text + "\n" + own[1].best[0].text);
  EXPECT_NEAR(whole.best[0].score, own[0].best[0].score + own[1].best[0].score, 1e-5);
  EXPECT_THAT(whole.source_tokens, testing::ElementsAre("a", "b", "c", "</s>", "d", "e"));
  options.split = false;
  EXPECT_PUBLIC_ERROR(fast().translate({"a\nb"}, options), kData, "holds a line break");
}

TEST_F(TranslatorOfTheLibrary, GivesTheWarningsOfEachText) {
  const auto found = fast().translate({"a b", "A <b>"});
  EXPECT_TRUE(found[0].warnings.empty());
  ASSERT_EQ(found[1].warnings.size(), 3u);
  EXPECT_EQ(found[1].warnings[0].kind, "unknown");
  EXPECT_EQ(found[1].warnings[1].kind, "source_unlike");
  EXPECT_THAT(found[1].warnings[1].message, testing::HasSubstr("begins with a capital letter"));
  EXPECT_EQ(fast().score({"A b"}, {"a b"})[0].warnings[0].kind, "unknown");
}

TEST_F(TranslatorOfTheLibrary, GivesWarningsToTheCaller) {
  std::vector<std::string> warnings;
  v0::TranslateOptions options;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  fast().translate({"a b", "a \xff", "a\tb"}, options);
  EXPECT_THAT(warnings, testing::ElementsAre(testing::HasSubstr("U+FFFD: line 2 (byte 3)"),
                                             testing::HasSubstr("does not know"),
                                             testing::HasSubstr("a tab in the line")));
  warnings.clear();
  options.search = {{"min_length", "1"}, {"max_length_ratio", "0"}, {"max_length_extra", "1"}};
  const auto found = fast().translate({"a b"}, options);
  EXPECT_FALSE(found[0].best[0].finished);
  EXPECT_THAT(warnings, testing::ElementsAre(testing::HasSubstr(
                            "cut or shortened by the maximum length; a larger max_length_ratio or "
                            "max_length_extra allows more: line 1 (1 tokens)")));
}

// 64 rows are enough to use the matrix products of a Transformer well.
TEST_F(TranslatorOfTheLibrary, ChoosesBatchesByTheBeam) {
  const auto batches = [&](const std::string& beam) {
    int calls = 0;
    v0::TranslateOptions options;
    options.workers = 1;
    options.search = {{"beam", beam}};
    options.stop = [&] { return ++calls < 0; };
    fast().translate(std::vector<std::string>(60, "a b"), options);
    return calls;
  };
  EXPECT_EQ(batches("1"), 1);
  EXPECT_EQ(batches("2"), 2);
  EXPECT_EQ(batches("5"), 4);
}

TEST_F(TranslatorOfTheLibrary, IsStoppedByTheCaller) {
  v0::TranslateOptions options;
  options.batch = 1;
  options.workers = 1;
  int calls = 0;
  options.stop = [&] { return ++calls == 3; };
  EXPECT_PUBLIC_ERROR(fast().translate(texts(), options), kFailure, "stopped by the caller");
  EXPECT_EQ(calls, 3);
  calls = 0;
  EXPECT_PUBLIC_ERROR(fast().score(texts(), texts(), options), kFailure, "stopped by the caller");
  EXPECT_EQ(calls, 3);
}

TEST_F(TranslatorOfTheLibrary, ReplacesUnknownWords) {
  v0::TranslateOptions options;
  options.search = {{"min_length", "1"}};
  options.replace_unknown = true;
  const Outcome program = workshop().run(
      {"translate", "runs/toy", "--replace-unknown", "--min-length", "1"}, "a zebra b\n");
  EXPECT_EQ(fast().translate({"a zebra b"}, options).front().best.front().text + "\n", program.out);
}

}  // namespace
}  // namespace heed
