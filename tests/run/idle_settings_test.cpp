#include "run/idle_settings.h"

#include <gmock/gmock.h>

#include "config/reader.h"
#include "run/run_phases_config.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTraining =
    "run: runs/a\ndevice: cpu\ndata: {dir: /data, train: [{source: s, target: t}], "
    "valid: {source: s, target: t}}\n"
    "text: {source: {type: words}, target: {type: words}}\n"
    "train: {max_updates: 100, batch: {tokens: 4096}, validate: {every: 10}}\n";

// Messages on the config with these changes.
std::vector<std::string> found(const std::vector<std::string>& changes) {
  RunConfig config;
  std::vector<Override> overrides;
  for (const std::string& change : changes) overrides.push_back(parse_override(change));
  std::vector<Problem> problems;
  const std::optional<Node> tree = read_tree(kTraining, "config", overrides, problems);
  if (tree) {
    for (const Problem& problem : find_problems(*tree, "config", config))
      problems.push_back(problem);
    read_phases(*tree, "config", config, problems);
  }
  for (const Problem& problem : problems) ADD_FAILURE() << problem.text();
  return idle_settings(config);
}

TEST(IdleSettings, AreNoneByDefault) { EXPECT_THAT(found({}), IsEmpty()); }

TEST(IdleSettings, TellOfAWarmUpLongerThanTheTraining) {
  EXPECT_THAT(found({"train.optimizer={type: adam, rate: 0.004}",
                     "train.schedule={type: inverse_sqrt, warmup: 4000}"}),
              ElementsAre("train.schedule: the warm-up is longer than its updates; after the last "
                          "one, 100, the learning rate is 0.0001 and still rises"));
  for (const char* schedule :
       {"{type: constant, warmup: 101}", "{type: vaswani, width: 16, warmup: 101}",
        "{type: cosine, warmup: 101, updates: 200}", "{type: plateau, warmup: 101}"})
    EXPECT_THAT(found({std::string("train.schedule=") + schedule}),
                ElementsAre(HasSubstr("still rises")))
        << schedule;
  for (const char* schedule :
       {"{type: constant, warmup: 100}", "{type: vaswani, width: 16, warmup: 100}",
        "{type: cosine, warmup: 99, updates: 200}", "{type: plateau, warmup: 100}"})
    EXPECT_THAT(found({std::string("train.schedule=") + schedule}), IsEmpty()) << schedule;
}

// The second phase has 30 updates, and its schedule goes on or begins again.
TEST(IdleSettings, CountTheUpdatesOfAPhase) {
  const std::string schedule = "train: {schedule: {type: constant, warmup: 50}}";
  EXPECT_THAT(found({"train.phases=[{after: 70, " + schedule + "}]"}), IsEmpty());
  EXPECT_THAT(found({"train.phases=[{after: 70, " + schedule + ", reset: [schedule]}]"}),
              ElementsAre(HasSubstr("train.phases[0].train.schedule: the warm-up is longer")));
  EXPECT_THAT(found({"train.schedule={type: constant, warmup: 90}",
                     "train.phases=[{after: 70, train: {clip: 2}}]"}),
              IsEmpty());
  EXPECT_THAT(found({"train.phases=[{after: 100, train: {clip: 2}}]"}),
              ElementsAre(HasSubstr("train.phases[0].after: 100: the training ends before that: "
                                    "train.max_updates is 100")));
}

// A model that goes on with the schedule of its training is behind the warm-up.
TEST(IdleSettings, DoNotCountTheUpdatesOfTheInitialModel) {
  const std::string warm_up = "train.schedule={type: constant, warmup: 101}";
  EXPECT_THAT(found({warm_up, "init={model: m, reset: [optimizer]}"}), IsEmpty());
  EXPECT_THAT(found({warm_up, "init={model: m}"}), ElementsAre(HasSubstr("still rises")));
}

// The first of ten validations is the best so far: nine at most follow without improvement.
TEST(IdleSettings, TellOfPatienceThatNoValidationReaches) {
  EXPECT_THAT(found({"train.validate.patience=9"}), IsEmpty());
  EXPECT_THAT(found({"train.validate.patience=10"}),
              ElementsAre("train.validate.patience: 10 is never reached by the 10 validations of "
                          "train.max_updates: 100"));
  EXPECT_THAT(found({"train.schedule={type: plateau, patience: 10}"}),
              ElementsAre(HasSubstr("train.schedule.patience: 10 is never reached")));
  EXPECT_THAT(found({"train.schedule={type: plateau, patience: 9}"}), IsEmpty());
  EXPECT_THAT(found({"train.validate.every=101"}),
              ElementsAre("the only validation will be the one at the end: train.validate.every is "
                          "101, but train.max_updates 100"));
  EXPECT_THAT(found({"train.validate.patience=10", "train.max_updates=~"}), IsEmpty());
}

TEST(IdleSettings, TellOfWhatBeginsAfterTheEnd) {
  EXPECT_THAT(found({"train.scheduled_sampling={after: 100}"}),
              ElementsAre("train.scheduled_sampling.after: 100 has no effect before update 100, "
                          "the last one"));
  EXPECT_THAT(found({"train.sequence_loss={loss: risk, metric: bleu, after: 100}"}),
              ElementsAre(HasSubstr("train.sequence_loss.after: 100 has no effect")));
  EXPECT_THAT(found({"train.scheduled_sampling={after: 99}"}), IsEmpty());
}

TEST(IdleSettings, TellOfRDropWithoutDropout) {
  EXPECT_THAT(found({"train.r_drop=1"}),
              ElementsAre(HasSubstr("train.r_drop: no effect without dropout")));
  EXPECT_THAT(found({"train.r_drop=1", "model.decoder.dropout=0.1"}), IsEmpty());
  EXPECT_THAT(found({"train.r_drop=1", "model.embedding.source_word_dropout=0.1"}), IsEmpty());
  EXPECT_THAT(found({"train.r_drop=1", "model.decoder.attention={normalizer: {type: hard}}"}),
              IsEmpty());
}

TEST(IdleSettings, TellOfSettingsOfWhatIsOff) {
  EXPECT_THAT(found({"train.guided_alignment.cost=mse"}),
              ElementsAre(HasSubstr("train.guided_alignment.cost: no effect with weight 0")));
  EXPECT_THAT(found({"search.diversity_strength=2"}),
              ElementsAre(HasSubstr("search.diversity_strength: no effect")));
  EXPECT_THAT(found({"search.diversity_strength=2", "search.diversity_groups=2"}), IsEmpty());
  EXPECT_THAT(found({"search.length_penalty=0", "search.length_normalization=plain"}),
              ElementsAre(HasSubstr("search.length_normalization: no effect")));
}

TEST(IdleSettings, TellOfATokenizerWithoutBleu) {
  const std::string tokenizer = "train.validate.tokenize=zh";
  EXPECT_THAT(found({tokenizer}), ElementsAre("train.validate.tokenize: zh has no effect, as no "
                                              "BLEU is computed"));
  EXPECT_THAT(found({tokenizer, "train.validate.metric=bleu"}), IsEmpty());
  EXPECT_THAT(found({tokenizer, "train.validate.metrics=[bleu]"}), IsEmpty());
  EXPECT_THAT(found({tokenizer, "data.test={t: {source: s, target: t}}"}), IsEmpty());
}

TEST(IdleSettings, TellOfATemperatureForOneGroupOfCorpora) {
  const auto corpora = [](const std::string& first, const std::string& second) {
    return "data.train=[{source: s, target: t" + first + "}, {source: s, target: t" + second + "}]";
  };
  EXPECT_THAT(found({"data.temperature=5"}), ElementsAre(HasSubstr("data.temperature: no effect")));
  EXPECT_THAT(found({"data.temperature=5", corpora("", "")}), IsEmpty());
}

}  // namespace
}  // namespace heed
