// Scores of tokens as JSON: `heed translate --format json` and `heed score --tokens`.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using Json = nlohmann::json;

class TokenScores : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static std::vector<Json> objects(const Arguments& arguments) {
    const Outcome outcome = workshop().run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::vector<Json> objects;
    for (const std::string& line : lines_of(outcome.out)) objects.push_back(Json::parse(line));
    return objects;
  }
  static void expect_sum(const Json& object) {
    const auto parts = object.at("log_probabilities").get<std::vector<double>>();
    EXPECT_EQ(parts.size(), object.at("tokens").size() + 1);  // the end of the sentence
    EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0),
                object.at("log_probability").get<double>(), 1e-6);
  }
};

TEST_F(TokenScores, OfTranslationsAreThoseOfTheirTokens) {
  holds({"--format", "--tokens"});
  const Arguments translate{"translate", "runs/toy", "-i", "valid.src", "--nbest", "2"};
  const auto found = objects(joined(translate, {"--format", "json"}));
  const auto plain = lines_of(workshop().run(translate).out);
  ASSERT_EQ(2 * found.size(), plain.size());
  std::string texts;
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].at("line"), i + 1);
    ASSERT_EQ(found[i].at("translations").size(), 2u);
    for (size_t k = 0; k < 2; ++k) {
      const Json& one = found[i].at("translations")[k];
      EXPECT_EQ(fmt::format("{} ||| {} ||| {:.6f}", i, one.at("text").get<std::string>(),
                            one.at("score").get<double>()),
                plain[2 * i + k]);
      if (one.at("finished").get<bool>()) expect_sum(one);
    }
    texts += found[i].at("translations")[0].at("text").get<std::string>() + "\n";
  }
  write_plainly(workshop() / "texts", texts);
  // Greedily a text alone wants no scores, and JSON has them.
  const Arguments greedy{"translate", "runs/toy", "-i", "valid.src", "--beam", "1"};
  const auto scored_texts = objects(joined(greedy, {"--format", "json"}));
  const auto greedy_texts = lines_of(workshop().run(greedy).out);
  ASSERT_EQ(scored_texts.size(), greedy_texts.size());
  for (size_t i = 0; i < scored_texts.size(); ++i) {
    const Json& one = scored_texts[i].at("translations")[0];
    EXPECT_EQ(one.at("text"), greedy_texts[i]);
    EXPECT_LT(one.at("log_probability"), 0);
    if (one.at("finished").get<bool>()) expect_sum(one);
  }
  // The same by forced decoding.
  const Arguments score{"score", "runs/toy", "-s", "valid.src", "-t", "texts"};
  const auto scored = objects(joined(score, {"--tokens"}));
  const auto scores = lines_of(workshop().run(score).out);
  ASSERT_EQ(scored.size(), found.size());
  for (size_t i = 0; i < scored.size(); ++i) {
    const Json& one = found[i].at("translations")[0];
    expect_sum(scored[i]);
    EXPECT_EQ(fmt::format("{:.6f}", scored[i].at("log_probability").get<double>()), scores[i]);
    if (!one.at("finished").get<bool>()) continue;
    EXPECT_EQ(scored[i].at("tokens"), one.at("tokens"));
    for (size_t t = 0; t < one.at("log_probabilities").size(); ++t)
      EXPECT_NEAR(scored[i].at("log_probabilities")[t].get<double>(),
                  one.at("log_probabilities")[t].get<double>(), 1e-4);
  }
}

TEST_F(TokenScores, OfSummariesAreWrittenToo) {
  holds({"--format"});
  const auto found = objects({"summarize", "runs/toy", "-i", "valid.src", "--format", "json"});
  const auto plain = lines_of(workshop().run({"summarize", "runs/toy", "-i", "valid.src"}).out);
  ASSERT_EQ(found.size(), plain.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i].at("translations").at(0).at("text"), plain[i]);
}

TEST_F(TokenScores, HaveTheAlignmentBesideThem) {
  const auto found = objects(
      {"translate", "runs/toy", "-i", "valid.src", "--format", "json", "--alignments", "aligned"});
  const auto alignments = lines_of(workshop().read("aligned"));
  ASSERT_EQ(found.size(), alignments.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i].at("translations").at(0).at("alignment"), alignments[i]);
}

}  // namespace
}  // namespace heed
