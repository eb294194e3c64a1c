// A run with a preset: its phases change keys of the preset, and its stored config has these keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/reader.h"
#include "config/writer.h"
#include "run/run_config.h"
#include "run/run_phases_config.h"

namespace heed {
namespace {

constexpr const char* kRunBegin =
    "run: a\ndata: {train: [{source: s, target: t}]}\n"
    "text: {source: {type: words}, target: {type: words}}\n";

std::vector<std::string> read_with_phases(const std::string& more, RunConfig& config) {
  std::vector<Problem> problems;
  const auto tree = read_tree(kRunBegin + more, "c.yaml", {}, problems);
  for (Problem& problem : find_problems(tree.value(), "c.yaml", config))
    problems.push_back(std::move(problem));
  read_phases(tree.value(), "c.yaml", config, problems);
  std::vector<std::string> lines;
  for (const Problem& problem : problems) lines.push_back(problem.text());
  return lines;
}

TEST(PresetOfARun, IsChangedByPhases) {
  RunConfig config;
  ASSERT_THAT(read_with_phases(
                  "model: {preset: luong, decoder: {layers: 4}}\n"
                  "train: {max_updates: 9, phases: [{after: 5, model: {decoder: {dropout: 0.4}}}]}",
                  config),
              testing::IsEmpty());
  ASSERT_EQ(config.phases.size(), 1U);
  const FlatConfig before = flatten_config(config.model),
                   now = flatten_config(config.phases[0].model);
  EXPECT_EQ(before.at("decoder.dropout"), "0.2");
  EXPECT_EQ(now.at("decoder.dropout"), "0.4");
  EXPECT_EQ(now.at("decoder.bridge"), "last");
}

TEST(PresetOfARun, IsTheSameInEveryPhase) {
  RunConfig config;
  EXPECT_THAT(
      read_with_phases("model: {preset: luong}\n"
                       "train: {max_updates: 9, phases: [{after: 5, model: {preset: bahdanau}}]}",
                       config),
      testing::Contains(testing::HasSubstr("cannot change during the training")));
}

TEST(PresetOfARun, IsStoredAsItsKeys) {
  RunConfig config, again;
  ASSERT_THAT(read_with_phases("model: {preset: bahdanau}\ntrain: {max_updates: 9}", config),
              testing::IsEmpty());
  const std::string stored = write_config(config);
  EXPECT_THAT(stored, testing::Not(testing::HasSubstr("preset")));
  EXPECT_THAT(stored, testing::HasSubstr("bridge: backward"));
  read_config_text(stored, "config.yaml", again, {.overrides = {}, .saved = true});
  EXPECT_EQ(write_config(again), stored);
}

}  // namespace
}  // namespace heed
