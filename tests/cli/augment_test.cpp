// Training with `data.augment`.
#include <gmock/gmock.h>

#include <algorithm>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class AugmentedTraining : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }

  Outcome train(const std::string& run, const Arguments& more = {}) const {
    return workshop_.run(joined({"train", "toy.yaml", "--run", run, "--set", "train.max_updates=24",
                                 "--set", "train.validate={every: 12, metric: loss}", "--set",
                                 "train.log_every=1", "--set", "train.workers=1"},
                                more));
  }
  static Arguments augment(const std::string& settings) {
    return {"--set", "data.augment=" + settings};
  }
  bool have_equal_models(const std::string& a, const std::string& b) const {
    const char* file = "/latest/model/model.safetensors";
    return workshop_.read(a + file) == workshop_.read(b + file);
  }
  ToyWorkshop workshop_;
};

constexpr const char* kChanges =
    "{join: {probability: 0.3, sentences: 3}, drop: {probability: 0.3}, upper_case: 0.1, emoji: "
    "0.2}";

TEST_F(AugmentedTraining, ResumedEqualsUninterrupted) {
  const Arguments changes = augment(kChanges);
  const Outcome whole = train("whole", changes);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_THAT(whole.err, HasSubstr("epoch 1: augmented "));
  EXPECT_THAT(workshop_.read("whole/train.log"), HasSubstr("epoch 1: augmented "));
  for (const char* stop : {"5", "13"}) {
    const std::string run = std::string("run") + stop;
    ASSERT_EQ(
        train(run, joined(changes, {"--set", std::string("train.max_updates=") + stop})).exit_code,
        0);
    ASSERT_EQ(train(run, joined(changes, {"--resume"})).exit_code, 0);
    EXPECT_TRUE(have_equal_models(run, "whole")) << stop;
  }
  ASSERT_EQ(train("plain").exit_code, 0);
  EXPECT_FALSE(have_equal_models("plain", "whole"));
}

TEST_F(AugmentedTraining, WithoutProbabilityEqualsPlainTraining) {
  ASSERT_EQ(train("plain").exit_code, 0);
  ASSERT_EQ(train("none", augment("{upper_case: 0, join: {probability: 0}}")).exit_code, 0);
  EXPECT_TRUE(have_equal_models("plain", "none"));
}

TEST_F(AugmentedTraining, KeepsItsSettingsWhenItIsResumed) {
  ASSERT_EQ(train("run", augment("{upper_case: 0.1}")).exit_code, 0);
  EXPECT_FAILS(train("run", joined(augment("{upper_case: 0.2}"), {"--resume"})), 2,
               "data.augment.upper_case: was 0.1, is 0.2");
}

TEST_F(AugmentedTraining, MayChangeInAPhase) {
  const Arguments phases{"--set", "train.phases=[{after: 10, data: {augment: ~}}]"};
  const Outcome outcome = train("run", joined(augment(kChanges), phases));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(AugmentedTraining, LearnsItsTokenizerFromTheTextAsItIs) {
  const Arguments subwords{"--set", "text={source: {size: 25}, target: {share: source}}"};
  ASSERT_EQ(train("plain", subwords).exit_code, 0);
  ASSERT_EQ(train("run", joined(augment(kChanges), subwords)).exit_code, 0);
  EXPECT_EQ(workshop_.read("plain/latest/model/source.model"),
            workshop_.read("run/latest/model/source.model"));
}

TEST_F(AugmentedTraining, UsesTheIndexOfTheCache) {
  const Arguments cache{"--set", "data.cache=cache"};
  ASSERT_EQ(train("plain", cache).exit_code, 0);
  const Outcome cached = train("cached", joined(cache, augment(kChanges)));
  EXPECT_THAT(cached.err, AllOf(HasSubstr("is indexed in"), Not(HasSubstr("data.cache: wrote"))));
  ASSERT_EQ(train("read", augment(kChanges)).exit_code, 0);
  EXPECT_TRUE(have_equal_models("cached", "read"));
}

TEST_F(AugmentedTraining, ShowsSamplesInTheCheckOfAConfig) {
  const Outcome check = workshop_.run(
      joined({"config", "check", "toy.yaml"}, augment("{upper_case: 1, join: {probability: 1}}")));
  EXPECT_EQ(check.exit_code, 0) << check.err;
  size_t samples = 0;
  for (const std::string& line : lines_of(check.err))
    samples += line.find("data.augment, join + upper_case: ") != std::string::npos &&
                       line.find(" ||| ") != std::string::npos
                   ? 1
                   : 0;
  EXPECT_EQ(samples, 3U) << check.err;
}

}  // namespace
}  // namespace heed
