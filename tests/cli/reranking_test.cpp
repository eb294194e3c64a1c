// `heed score --nbest`. Expected scores are those of `heed score` line by line; weighted sums and
// orders are computed here.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/nbest_line.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kNear = 2e-6;  // scores are written with six decimals

// N-best list for three source lines; the most probable text of each is the line itself.
constexpr const char* kSource = "a b\nc d e\nf\n";
constexpr const char* kTexts[] = {"a c", "a b", "c d", "c d e", "c", "g", "f"};
constexpr size_t kSentences[] = {0, 0, 1, 1, 1, 2, 2};
constexpr const char* kList =
    "0 ||| a c ||| LM0= -3 TM0= -1 -2.5  ||| -7.25 ||| 0-0 1-1\n"
    "0 ||| a b ||| LM0= -4 TM0= -1.5 -2  ||| -7.5 ||| 0-0 1-1\n"
    "1 ||| c d ||| LM0= -1 TM0= -4 -2 ||| -1\n"
    "1 ||| c d e ||| LM0= -5 TM0= -1 -1 ||| -2\n"
    "1 |||  c |||  LM0= -30.5 TM0= -1 -1 ||| -2.125e1\n"
    "2 ||| g ||| LM0= 5 TM0= 0 0 ||| -2\n"
    "2 ||| f ||| LM0= 0 TM0= 0 0 ||| -2\n";

class Reranking : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    write_plainly(workshop() / "three.src", kSource);
    write_plainly(workshop() / "list", kList);
  }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static Outcome run(const Arguments& more, const std::string& list = "list") {
    return workshop().run(joined({"score", "runs/toy", "-s", "three.src", "--nbest", list}, more));
  }
  static std::vector<std::string> lines(const Arguments& more) {
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines_of(outcome.out);
  }
  // Log-probability of each line of the list, scored alone.
  static std::vector<double> log_probabilities() {
    const std::vector<std::string> source = lines_of(kSource);
    std::string sources, targets;
    for (size_t i = 0; i < std::size(kTexts); ++i) {
      sources += source[kSentences[i]] + "\n";
      targets += kTexts[i] + std::string("\n");
    }
    write_plainly(workshop() / "all.src", sources);
    write_plainly(workshop() / "all.tgt", targets);
    std::vector<double> scores;
    for (const std::string& line :
         lines_of(workshop().run({"score", "runs/toy", "-s", "all.src", "-t", "all.tgt"}).out))
      scores.push_back(std::stod(line));
    return scores;
  }
};

// Line numbers sorted by these scores.
std::vector<size_t> best_first(const std::vector<double>& scores) {
  std::vector<size_t> order{0, 1, 2, 3, 4, 5, 6};
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (kSentences[a] != kSentences[b]) return kSentences[a] < kSentences[b];
    return scores[a] > scores[b];
  });
  return order;
}

double value_behind(const std::string& line, const std::string& name) {
  return std::stod(line.substr(line.find(name) + name.size()));
}

TEST_F(Reranking, AppendsTheModelsScoreAndRanksByIt) {
  holds({"--nbest", "--feature", "heed score"});
  const std::vector<double> scores = log_probabilities();
  const std::vector<size_t> order = best_first(scores);
  EXPECT_THAT(order, ElementsAre(1, 0, 3, 2, 4, 6, 5));
  const std::vector<std::string> before = lines_of(kList), after = lines({"--feature", "F0"});
  ASSERT_EQ(after.size(), before.size());
  for (size_t i = 0; i < after.size(); ++i) {
    const std::string& line = before[order[i]];
    const size_t bar = line.find(" |||", line.find("TM0="));
    const std::string features = line.substr(0, line.find_last_not_of(' ', bar) + 1);
    EXPECT_THAT(after[i], StartsWith(features)) << "other columns stay";
    EXPECT_TRUE(after[i].ends_with(line.substr(bar + 1))) << after[i];
    EXPECT_NEAR(value_behind(after[i], " F0= "), scores[order[i]], kNear);
  }
  EXPECT_THAT(lines({})[0], HasSubstr(" Score= "));
}

TEST_F(Reranking, WeighsAllFeatures) {
  holds({"--weights"});
  const std::vector<std::array<double, 3>> others = {{-3, -1, -2.5}, {-4, -1.5, -2},  {-1, -4, -2},
                                                     {-5, -1, -1},   {-30.5, -1, -1}, {5, 0, 0},
                                                     {0, 0, 0}};
  const std::vector<double> scores = log_probabilities();
  std::vector<double> totals;
  for (size_t i = 0; i < others.size(); ++i)
    totals.push_back(2 * others[i][0] + 0.5 * others[i][1] + 0 * others[i][2] + 0.1 * scores[i]);
  write_plainly(workshop() / "plain", "# learned\nTM0= 0.5 0\nLM0= 2\n\nScore= 0.1\n");
  const std::vector<size_t> order = best_first(totals);
  EXPECT_NE(order, best_first(scores));
  const std::vector<std::string> after = lines({"--weights", "plain"});
  ASSERT_EQ(after.size(), totals.size());
  for (size_t i = 0; i < after.size(); ++i) {
    EXPECT_THAT(after[i], HasSubstr(std::string(" ") + kTexts[order[i]] + " |||"));
    const size_t score = after[i].find("|||", after[i].find("Score= ")) + 3;
    EXPECT_NEAR(std::stod(after[i].substr(score)), totals[order[i]], kNear);
  }
  EXPECT_THAT(after[0], testing::EndsWith(" ||| 0-0 1-1"));
  EXPECT_THAT(lines({"--weights", "plain", "--best"}),
              ElementsAre(kTexts[order[0]], kTexts[order[2]], kTexts[order[5]]));
}

// The words are bars and backslashes, as text and as JSON.
TEST(RerankingOfBars, ReadsWhatTranslateWrites) {
  SKIP_WITHOUT_TENSORS();
  const ToyWorkshop workshop;
  const std::map<char, std::string> words = {{'a', "|||"},       {'b', "|\\||"}, {'c', "||"},
                                             {'d', "|\\|\\\\|"}, {'e', "\\|"},   {'f', "|||||"}};
  for (const char* file : {"train.src", "train.tgt", "valid.src", "valid.tgt"}) {
    std::string text;
    for (const char c : workshop.read(file))
      text += words.contains(c) ? words.at(c) : std::string(1, c);
    write_plainly(workshop / file, text);
  }
  const Outcome training = workshop.run(
      {"train", "toy.yaml", "--set", "train.max_updates=2", "--set", "train.validate.metric=loss"});
  ASSERT_EQ(training.exit_code, 0) << training.err;
  const Arguments translate{"translate", "runs/toy", "-i", "valid.src", "--sample", "--nbest", "3"};
  const Outcome list = workshop.run(joined(translate, {"-o", "list"}));
  const Outcome as_json = workshop.run(joined(translate, {"--format", "json", "-o", "list.json"}));
  ASSERT_EQ(list.exit_code + as_json.exit_code, 0) << list.err << as_json.err;
  const Arguments score{"score", "runs/toy", "-s", "valid.src", "--nbest"};
  const Outcome of_list = workshop.run(joined(score, {"list"}));
  EXPECT_EQ(of_list.exit_code, 0) << of_list.err;
  EXPECT_EQ(of_list.out, workshop.run(joined(score, {"list.json"})).out);
  const Outcome short_json =
      workshop.run(joined(translate, {"--format", "json-texts", "-o", "short.json"}));
  EXPECT_EQ(short_json.exit_code, 0) << short_json.err;
  EXPECT_EQ(of_list.out, workshop.run(joined(score, {"short.json"})).out);
  EXPECT_FAILS(workshop.run({"evaluate", "-r", "valid.tgt", "-i", "list.json"}), 3,
               "list.json: translations as JSON, expected plain text");
}

TEST_F(Reranking, WritesTheBestAlone) {
  holds({"--best", "--output"});
  EXPECT_THAT(lines({"--best"}), ElementsAre("a b", "c d e", "f"));
  EXPECT_THAT(lines({"--best", "-o", "best.out", "--batch", "2", "--workers", "1"}), ElementsAre());
  EXPECT_EQ(workshop().read("best.out"), "a b\nc d e\nf\n");
}

TEST_F(Reranking, KeepsTheOrderOfTheModelThatMadeTheList) {
  holds({"--length-penalty"});
  const Outcome made = workshop().run({"translate", "runs/toy", "-i", "valid.src", "--nbest", "4",
                                       "--beam", "8", "--length-penalty", "0.7"});
  std::vector<std::string> made_lines = lines_of(made.out);
  std::string reversed;
  for (size_t i = 0; i < made_lines.size(); i += 4) {
    for (size_t k = 4; k-- > 0;) reversed += made_lines.at(i + k) + "\n";
  }
  write_plainly(workshop() / "reversed", reversed);
  const auto ranked = [](const char* penalty) {
    return lines_of(workshop()
                        .run({"score", "runs/toy", "-s", "valid.src", "--nbest", "reversed",
                              "--length-penalty", penalty})
                        .out);
  };
  const std::vector<std::string> after = ranked("0.7");
  ASSERT_EQ(after.size(), made_lines.size());
  for (size_t i = 0; i < after.size(); ++i) {
    const NbestLine expected = parse_nbest(made_lines[i]);
    EXPECT_NEAR(value_behind(after[i], " ||| Score= "), expected.score, 1e-4);
    const bool is_tie =
        (i > 0 && parse_nbest(made_lines[i - 1]).score - expected.score < 1e-4) ||
        (i + 1 < after.size() && expected.score - parse_nbest(made_lines[i + 1]).score < 1e-4);
    const std::string text = made_lines[i].substr(0, made_lines[i].rfind("|||"));
    EXPECT_TRUE(is_tie || after[i].starts_with(text)) << after[i];
  }
  EXPECT_NE(ranked("0"), after);
}

TEST_F(Reranking, RefusesListsAndWeightsThatDoNotFit) {
  const auto complaint = [](const std::string& file, const std::string& text,
                            const Arguments& more = {}) {
    write_plainly(workshop() / file, text);
    return run(more, file == "weights" ? "list" : file);
  };
  EXPECT_FAILS(complaint("wrong", "0 ||| a ||| -1\n0 || a ||| -1\n"), 3,
               "wrong:2: found '0 || a ||| -1', expected a line of an n-best list");
  EXPECT_FAILS(complaint("wrong", "0 ||| a ||| -1\n1 ||| a ||| -1\n"), 3,
               "three.src: 3 lines, but wrong: translations of 2");
  EXPECT_FAILS(run({"--feature", "LM0"}), 3, "list:1: has a feature LM0 already");
  const Arguments weights{"--weights", "weights"};
  EXPECT_FAILS(complaint("weights", "LM0= 1\nTM0= 1 1\n", weights), 3,
               "feature Score has 1 values, but 0 weights");
  EXPECT_FAILS(complaint("weights", "[feature]\nLM0= 1\n", weights), 3, "weights: no weights");
}

}  // namespace
}  // namespace heed
