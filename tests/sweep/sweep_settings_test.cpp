#include "sweep/sweep_settings.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "config/numbers.h"
#include "config/print.h"
#include "holds.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SweepConfig sweep_of(const std::string& text) {
  SweepConfig sweep;
  read_config_text(text, "sweep.yaml", sweep);
  return sweep;
}

std::vector<std::string> names_of(const std::string& text) {
  std::vector<std::string> names;
  for (const SweepSetting& setting : settings_of(sweep_of(text))) names.push_back(setting.name);
  return names;
}

std::string mistakes_in(const std::string& text) {
  SweepConfig sweep;
  std::string all;
  for (const Problem& problem : find_problems(text, "sweep.yaml", sweep))
    all += problem.text() + "\n";
  return all;
}

TEST(SweepSettings, OfAGridAreAllCombinations) {
  holds({"sweep.grid"});
  const auto settings = settings_of(
      sweep_of("grid: {train.optimizer.rate: [0.1, 0.2], model.encoder.layers: [1, 2]}"));
  std::vector<std::string> names;
  for (const SweepSetting& setting : settings) names.push_back(setting.name);
  EXPECT_THAT(names, ElementsAre("rate=0.1,layers=1", "rate=0.1,layers=2", "rate=0.2,layers=1",
                                 "rate=0.2,layers=2"));
  ASSERT_EQ(settings[2].changes.size(), 2u);
  EXPECT_EQ(settings[2].changes[0].key, "train.optimizer.rate");
  EXPECT_EQ(settings[2].changes[0].value.text, "0.2");
  EXPECT_EQ(settings[2].changes[0].path, "sweep.grid.train.optimizer.rate[1]");
}

TEST(SweepSettings, TakeNamesOfValuesFromAMap) {
  const auto settings = settings_of(
      sweep_of("grid: {model.decoder.attention: {soft: {score: general}, hard: monotonic}}"));
  ASSERT_EQ(settings.size(), 2u);
  EXPECT_EQ(settings[0].name, "attention=soft");
  EXPECT_EQ(print_inline(settings[0].changes[0].value), "{score: general}");
  EXPECT_EQ(settings[1].changes[0].path, "sweep.grid.model.decoder.attention.hard");
}

TEST(SweepSettings, WithNamesAreCombinedWithTheGrid) {
  holds({"sweep.settings"});
  EXPECT_THAT(names_of("settings: {small: {a.b: 1, c: 2}, plain: {}}\ngrid: {x.rate: [1, 2]}"),
              ElementsAre("small,rate=1", "small,rate=2", "plain,rate=1", "plain,rate=2"));
  const auto settings = settings_of(sweep_of("settings: {small: {a.b: 1, c: 2}}"));
  EXPECT_EQ(settings[0].changes[1].path, "sweep.settings.small.c");
}

TEST(SweepSettings, AreOneWithoutAny) {
  EXPECT_THAT(names_of("seeds: [1, 2]"), ElementsAre("base"));
}

TEST(SweepSettings, OfValuesThatAreNoNamesOfFolders) {
  EXPECT_THAT(names_of("grid: {data.dir: [../a b/c]}"), ElementsAre("dir=..-a-b-c"));
}

TEST(SweepSettings, AreDrawnWithinTheirBounds) {
  holds({"sweep.draws", "sweep.random", "sweep.draw_seed"});
  const std::string random =
      "random: {rate: {log: [1.0e-4, 1.0e-2]}, dropout: {uniform: [0, 0.5]}, layers: {choice: "
      "[1, 2, 3]}}\n";
  const auto settings = settings_of(sweep_of("draws: 400\n" + random));
  ASSERT_EQ(settings.size(), 400u);
  EXPECT_EQ(settings[4].name, "draw-5");
  int below = 0;
  double sum = 0;
  std::set<std::string> layers;
  for (const SweepSetting& setting : settings) {
    const double rate = *to_number(setting.changes[0].value.text);
    const double dropout = *to_number(setting.changes[1].value.text);
    EXPECT_TRUE(rate >= 1e-4 && rate <= 1e-2) << rate;
    EXPECT_TRUE(dropout >= 0 && dropout <= 0.5) << dropout;
    below += rate < 1e-3;
    sum += dropout;
    layers.insert(setting.changes[2].value.text);
  }
  EXPECT_NEAR(below, 200, 50);  // half of the logarithms; five standard deviations
  EXPECT_NEAR(sum / 400, 0.25, 0.036);
  EXPECT_EQ(layers.size(), 3u);
  // The first draws are the same whatever their number; another seed draws others.
  const auto few = settings_of(sweep_of("draws: 3\n" + random));
  const auto others = settings_of(sweep_of("draws: 3\ndraw_seed: 2\n" + random));
  for (size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].changes[0].value.text, settings[i].changes[0].value.text);
    EXPECT_NE(few[i].changes[0].value.text, others[i].changes[0].value.text);
  }
}

struct Mistake {
  const char *text, *message;
};

class SweepMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(SweepMistakes, AreFoundWithTheirPlace) {
  EXPECT_THAT(mistakes_in(GetParam().text), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, SweepMistakes,
    testing::Values(
        Mistake{"seeds: [1, x]", "sweep.yaml:1:12: seeds[1]: found 'x', expected a whole number"},
        Mistake{"seeds: [1, 1]", "seeds[1]: 1 is given twice"},
        Mistake{"grid: {a.b: 1}", "sweep.yaml:1:13: grid.a.b: found '1', expected a list"},
        Mistake{"grid: {a.b: []}", "grid.a.b: has no value"},
        Mistake{"grid: {seed: [1]}", "grid.seed: is set by sweep.seeds"},
        Mistake{"grid: {run: [a]}", "grid.run: is set by sweep.folder"},
        Mistake{"grid: {sweep.jobs: [1]}", "cannot be a setting of a run"},
        Mistake{"grid: {a..b: [1]}", "grid.a..b: is not a key such as"},
        Mistake{"grid: {a: {x/y: 1}}", "grid.a.x/y: is the name of a folder"},
        Mistake{"settings: {.x: {a: 1}}", "settings..x: is the name of a folder"},
        Mistake{"settings: {x: 1}", "settings.x: found '1', expected a map of keys"},
        Mistake{"grid: {a.b: [1], a: [2]}", "grid.a: conflicts with a.b of sweep.grid"},
        Mistake{"grid: {a.b: [1]}\nsettings: {x: {a.b: 1}}",
                "settings.x.a.b: conflicts with a.b of sweep.grid"},
        Mistake{"draws: 2", "draws: needs `random`"},
        Mistake{"random: {a: {uniform: [0, 1]}}", "random: needs `draws`"},
        Mistake{"draws: 1\nrandom: {a: {unifrm: [0, 1]}}", "did you mean 'uniform'?"},
        Mistake{"draws: 1\nrandom: {a: {log: [0, 1]}}", "expected bounds above 0"},
        Mistake{"draws: 1\nrandom: {a: {uniform: [2, 1]}}", "expected a larger second bound"},
        Mistake{"draws: 1\nrandom: {a: {uniform: [2, b]}}", "found 'b', expected a number"},
        Mistake{"draws: 1\nrandom: {a: {choice: []}}", "expected a list of values"},
        Mistake{"halving: {keep: 0.5}", "halving.every: is missing"},
        Mistake{"halving: {every: 5, keep: 1}", "halving.keep: found '1', expected"},
        Mistake{"jobs: 0", "jobs: found '0', expected"}));

}  // namespace
}  // namespace heed
