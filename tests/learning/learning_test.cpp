// Every mechanism learns a task that was designed for it; a model without the mechanism, otherwise
// the same, does not. Both hold for each of three seeds. Task, comparison and goal follow from what
// the mechanism can represent and the other model cannot (rows.cpp).
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/outline.h"
#include "holds.h"
#include "kinds_of.h"
#include "model/model_config.h"
#include "row.h"

namespace heed {
namespace {

constexpr int64_t kUnseen = 200;
constexpr uint64_t kSeeds[] = {1, 2, 3};

double figure_of(const Row& row, const std::shared_ptr<Seq2Seq>& network) {
  return row.measure(network, unseen_examples(task_of(row.task), kUnseen));
}

// Rows of one task share the model that they are compared with.
double figure_without(const Row& row, uint64_t seed) {
  static std::map<std::string, double> known;
  const Lesson lesson = row.lesson_without();
  const auto [entry, is_new] =
      known.emplace(fmt::format("{} {} {} {} {} {} {}", lesson.task, lesson.model, lesson.updates,
                                lesson.rate, lesson.warm_up, lesson.supporting_facts, seed),
                    0);
  if (is_new) entry->second = figure_of(row, learn(lesson, seed));
  return entry->second;
}

// Kinds that the model without the mechanism lacks.
std::set<std::string> kinds_compared(const Row& row) {
  std::set<std::string> found = kinds_of(model_of(row.with));
  for (const std::string& kind : kinds_of(model_of(row.without))) found.erase(kind);
  if (!row.in_both.empty()) found.insert(row.in_both);
  return found;
}

void expect_goal(const Row& row) {
  holds("learning", kinds_compared(row));
  std::vector<double> with, without;
  for (const uint64_t seed : kSeeds) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto network = learn(row.lesson(), seed);
    with.push_back(figure_of(row, network));
    without.push_back(figure_without(row, seed));
    EXPECT_GE(with.back(), row.goal) << "with it";
    if (row.equal) {
      EXPECT_GE(with.back(), without.back() - 2) << "as without it";
    } else {
      EXPECT_LE(without.back(), row.most_without()) << "without it";
    }
    if (row.property != nullptr) row.property(row, network);
  }
  const auto figures = [](const std::vector<double>& list) {
    return fmt::format("{:.1f}", fmt::join(list, " "));
  };
  const std::string wanted = row.equal ? "at most 2 below the other"
                                       : fmt::format("without at most {}", row.most_without());
  std::cout << fmt::format("{}: {}: with {}, without {} (with at least {}, {})\n", row.name,
                           task_of(row.task).rule, figures(with), figures(without), row.goal,
                           wanted);
  testing::Test::RecordProperty("task", task_of(row.task).rule);
  testing::Test::RecordProperty("with", figures(with));
  testing::Test::RecordProperty("without", figures(without));
  testing::Test::RecordProperty("goal", fmt::format("{}, {}", row.goal, wanted));
}

std::vector<Row> rows_that(bool are_samples) {
  std::vector<Row> list;
  for (const Row& row : learning_rows()) {
    if (row.sample == are_samples) list.push_back(row);
  }
  return list;
}
std::string name_of(const testing::TestParamInfo<Row>& row) { return row.param.name; }

const std::map<std::string, std::string> kWithoutRow = {
    {"encoder: transformer", "compared with itself without self-attention"},
    {"encoder: embeddings", "others are compared with it"},
    {"encoder: none", "no network"},
    {"encoder: shared", "no network of its own"},
    {"decoder: rnn", "compared with itself without attention"},
    {"decoder: transformer", "compared with itself without attention"},
    {"decoder: convolution", "compared with itself with other attention"},
    {"attention: none", "others are compared with it"},
    {"attention: one_source", "others are compared with it"},
    {"positions: none", "others are compared with it"},
    {"output: vocabulary", "others are compared with it"},
    {"output: entmax", "its loss is held by the paper's definition, and learns no other function"},
    {"output: pointer_sum", "both models of the row attention_over_attention have it"},
};

TEST(LearningRows, AreOfEveryMechanism) {
  holds_not("learning", kWithoutRow);
  std::set<std::string> compared;
  for (const Row& row : learning_rows()) compared.merge(kinds_compared(row));
  const Outline outline{ModelConfig()};
  for (const RegistryOutline& registry : outline.registries()) {
    for (const KindOutline& kind : registry.kinds) {
      const std::string name = fmt::format("{}: {}", registry.title, kind.name);
      EXPECT_NE(compared.contains(name), kWithoutRow.contains(name)) << name;
    }
  }
}

class SlowLearning : public testing::TestWithParam<Row> {};
TEST_P(SlowLearning, ReachesItsGoal) { expect_goal(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, SlowLearning, testing::ValuesIn(rows_that(false)), name_of);

class SlowLearningQuick : public testing::TestWithParam<Row> {};
TEST_P(SlowLearningQuick, ReachesItsGoalSample) { expect_goal(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, SlowLearningQuick, testing::ValuesIn(rows_that(true)), name_of);

}  // namespace
}  // namespace heed
