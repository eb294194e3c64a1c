// Simultaneous translation, from the config to its latency: `heed translate --delays`, then `heed
// evaluate --delays`.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kWait = 2;

// The words of a line.
int64_t words_in(const std::string& line) {
  return line.empty() ? 0 : 1 + std::count(line.begin(), line.end(), ' ');
}

class Delays : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  // The toy corpus is copied, token by token.
  static const ToyWorkshop& waiting() {
    static const ToyWorkshop workshop;
    static const Outcome outcome =
        workshop.run({"train", "toy.yaml", "--set", "model.encoder.bidirectional=false", "--set",
                      "model.decoder.bridge=none", "--set",
                      fmt::format("model.decoder.attention.terms=[{{type: wait_k, k: {}}}]", kWait),
                      "--set", "search.beam=1"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return workshop;
  }
  static std::vector<json> objects(const std::string& text) {
    std::vector<json> list;
    for (const std::string& line : lines_of(text)) list.push_back(json::parse(line));
    return list;
  }
  static json scores(const ToyWorkshop& workshop, const Arguments& more = {}) {
    const Outcome outcome = workshop.run(joined(
        {"evaluate", "-r", "valid.tgt", "-i", "out", "--delays", "delays", "--format", "json"},
        more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

// AL of the papers, of wait-k: Σ_{t ≤ τ} (min(k + t - 1, S) - (t - 1) S / T) / τ.
double lagging_of(int64_t source, int64_t target) {
  double sum = 0;
  int64_t t = 1;
  for (;; ++t) {
    const int64_t read = std::min(kWait + t - 1, source);
    sum += static_cast<double>(read) -
           static_cast<double>((t - 1) * source) / static_cast<double>(target);
    if (read == source || t == target) break;
  }
  return sum / static_cast<double>(t);
}

TEST_F(Delays, AreThoseOfThePolicy) {
  holds({"--delays"});
  const Outcome outcome = waiting().run(
      {"translate", "runs/toy", "-i", "valid.src", "-o", "out", "--delays", "delays"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("--delays")));
  const auto sources = lines_of(waiting().read("valid.src")),
             translations = lines_of(waiting().read("out"));
  const std::vector<json> found = objects(waiting().read("delays"));
  ASSERT_EQ(found.size(), sources.size());
  double sum = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const int64_t source = words_in(sources[i]), target = words_in(translations[i]);
    EXPECT_EQ(found[i]["line"], i + 1);
    EXPECT_EQ(found[i]["source_length"], source);
    ASSERT_EQ(found[i]["delays"].size(), target);
    for (int64_t t = 1; t <= target; ++t)
      EXPECT_EQ(found[i]["delays"][static_cast<size_t>(t) - 1], std::min(kWait + t - 1, source));
    ASSERT_GT(target, 0);
    sum += lagging_of(source, target);
  }
  const json all = scores(waiting());
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["name"], "BLEU");
  EXPECT_GT(all[0]["score"], 50) << "a copy needs no word that is not read";
  EXPECT_EQ(all[1]["name"], "AL");
  EXPECT_NEAR(all[1]["score"], sum / static_cast<double>(found.size()), 1e-9);
  EXPECT_EQ(all[2]["name"], "DAL");
  EXPECT_GE(all[2]["score"].get<double>(), all[1]["score"].get<double>() - 1e-9);
  EXPECT_EQ(scores(waiting(), {"--sentences"})[1]["scores"].size(), found.size());
  EXPECT_TRUE(scores(waiting(), {"--confidence"})[1].contains("confidence"));
}

TEST_F(Delays, WithABeamMayNotBeFinal) {
  const Outcome outcome = waiting().run(
      {"translate", "runs/toy", "--beam", "3", "--delays", "delays.beam", "--nbest", "2"}, "a b\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("--delays: a beam of 3 may still change tokens"));
  EXPECT_EQ(lines_of(waiting().read("delays.beam")).size(), 2U) << "a line for each translation";
}

// Without wait_k all of the source is read first.
TEST_F(Delays, OfAnotherModelAreTheLengthOfTheSource) {
  ToyWorkshop& workshop = ToyWorkshop::trained();
  const Outcome outcome =
      workshop.run({"translate", "runs/toy", "-o", "out", "--delays", "delays"}, "a b c\n\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<json> found = objects(workshop.read("delays"));
  ASSERT_EQ(found.size(), 2U);
  for (const json& delay : found[0]["delays"]) EXPECT_EQ(delay, 3);
  EXPECT_EQ(found[1], json::parse(R"({"line": 2, "source_length": 0, "delays": []})"));
}

TEST_F(Delays, HaveAsManyLinesAsTheTranslations) {
  const ToyWorkshop workshop;
  write_plainly(workshop / "ref", "a b\nc\n");
  write_plainly(workshop / "one", "{\"source_length\": 2, \"delays\": [1, 2]}\n");
  write_plainly(workshop / "bad", "{\"source_length\": 2, \"delays\": [1, 2]}\n1 2\n");
  EXPECT_FAILS(workshop.run({"evaluate", "-r", "ref", "-i", "ref", "--delays", "one"}), 3, "one");
  EXPECT_FAILS(workshop.run({"evaluate", "-r", "ref", "-i", "ref", "--delays", "bad"}), 3,
               "found no JSON object");
  EXPECT_FAILS(workshop.run({"translate", "runs/toy", "--split", "--delays", "d"}), 2, "--split");
}

}  // namespace
}  // namespace heed
