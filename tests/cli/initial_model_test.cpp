// Fine-tuning: a run that starts from another model.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

class FineTuning : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    write_plainly(workshop() / "fine.yaml",
                  "run: runs/fine\n"
                  "data:\n"
                  "  train: [{source: train.src, target: train.tgt}]\n"
                  "  valid: {source: valid.src, target: valid.tgt}\n"
                  "init: {model: runs/toy}\n"
                  "train:\n"
                  "  batch: {sentences: 32}\n"
                  "  optimizer: {type: adam, rate: 0.0001}\n"
                  "  max_updates: 2\n"
                  "  validate: {every: 1, samples: 0}\n");
  }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static Outcome tune(const Arguments& settings = {}) {
    Arguments arguments{"train", "fine.yaml", "--overwrite"};
    for (const std::string& setting : settings) {
      arguments.push_back("--set");
      arguments.push_back(setting);
    }
    return workshop().run(arguments);
  }
  static std::string tuned(const Arguments& settings = {}) {
    const Outcome outcome = tune(settings);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  }
  static void expect_refused(const Arguments& settings, const std::string& part) {
    const Outcome outcome = tune(settings);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
  static std::string translation(const std::string& model) {
    return workshop().run({"translate", model, "-i", "valid.src"}).out;
  }
};

// Two small steps change no translation of a trained model; random parameters would.
TEST_F(FineTuning, StartsWithTheParametersTextAndNetworkOfTheModel) {
  holds({"init.model"});
  EXPECT_THAT(tuned(), HasSubstr("parameters\n"));
  EXPECT_EQ(translation("runs/fine"), translation("runs/toy"));
  const Arguments config{"inspect", "--config"};
  EXPECT_EQ(workshop().run(joined(config, {"runs/fine"})).out,
            workshop().run(joined(config, {"runs/toy"})).out);
}

TEST_F(FineTuning, IsTriedByADryRun) {
  holds({"--dry-run", "init.model"});
  const auto dry = [](const Arguments& more) {
    return workshop().run(joined({"train", "fine.yaml", "--dry-run"}, more));
  };
  const Outcome outcome = dry({});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("initialized from"));
  const Outcome other = dry({"--set", "model.decoder.width=32"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("remove `model` from the config"));
}

TEST_F(FineTuning, ExtendsVocabularies) {
  holds({"init.extend_vocabulary"});
  write_plainly(workshop() / "more.src", "a b z\nz a\n" + toy_lines(5, 100));
  const Arguments data{"data.train=[{source: more.src, target: more.src}]"};
  EXPECT_THAT(tuned(data), Not(HasSubstr("are new")));
  EXPECT_THAT(tuned(joined(data, {"init.extend_vocabulary=true"})),
              HasSubstr("target: 1 of 15 tokens are new"));
}

TEST_F(FineTuning, VocabExtendsAsTrainingDoes) {
  holds({"heed vocab", "init.extend_vocabulary"});
  write_plainly(workshop() / "more.src", "a b z\nz a\n");
  const Arguments vocab{"vocab", "fine.yaml",
                        "--set", "data.train=[{source: more.src, target: more.src}]",
                        "-o",    "extended"};
  const Outcome refused = workshop().run(vocab);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("to extend them, set init.extend_vocabulary: true"));
  const Outcome outcome = workshop().run(joined(vocab, {"--set", "init.extend_vocabulary=true"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_plainly(workshop() / "extended/source.vocabulary"),
            read_plainly(workshop() / "runs/toy/latest/model/source.vocabulary") + "z\n");
}

TEST_F(FineTuning, ContinuesOptimizerAndScheduleUnlessTheyAreReset) {
  holds({"init.reset"});
  const auto rate = [](const Arguments& settings) {
    const std::string log = tuned(joined(
        settings, {"train.schedule={type: inverse_sqrt, warmup: 100}", "train.log_every=1"}));
    const size_t begin = log.find("learning rate ", log.find("update 1 of "));
    return log.substr(begin, log.find(',', begin) - begin);
  };
  EXPECT_EQ(rate({}), "learning rate 1e-06");  // update 1 of a warm-up of 100
  // Learning rate of update 401: 0.0001 · √(100 / 401)
  EXPECT_EQ(rate({"init.reset=[optimizer]"}), "learning rate 4.99e-05");
  const auto steps = [](const Arguments& settings) {
    tuned(settings);
    return read_plainly(workshop() / "runs/fine/latest/optimizer.safetensors");
  };
  EXPECT_NE(steps({"init.reset=[schedule]"}), steps({}));
}

TEST_F(FineTuning, RefusesWhatDoesNotFit) {
  EXPECT_EQ(tune({"init.model=nowhere"}).exit_code, 4);
  expect_refused({"init.embeddings={source: valid.src}"}, "leave one of them out");
  expect_refused({"init={extend_vocabulary: true}"}, "needs init.model");
  expect_refused({"init.reset=[rate]"}, "found 'rate', expected optimizer or schedule");
  expect_refused({"model.decoder.layers=2"}, "lacks");
  expect_refused({"model.preset=luong"}, "remove `model` from the config");
  expect_refused({"text={source: {type: words, lower: true}, target: {share: source}}"},
                 "leave `text` out");
  expect_refused({"train.freeze=[nothing]"}, "selects no parameter");
  expect_refused({"init={embeddings: {sorce: valid.src}}"}, "did you mean 'source'?");
}

// A run of adapters has a whole model, and an adapter that merges to the same one.
TEST_F(FineTuning, TrainsAdapters) {
  holds({"heed merge"});
  const Arguments lora{"train.lora={rank: 2, layers: [all]}", "train.optimizer.rate=0.05",
                       "train.max_updates=20"};
  EXPECT_THAT(tuned(lora), HasSubstr("train.lora: rank 2, scale 8; "));
  const auto merge = [](const std::string& model, const std::string& output) {
    return workshop().run({"merge", model, "runs/fine", "-o", output});
  };
  const auto scores = [](const std::string& model) {
    return workshop().run({"score", model, "-s", "valid.src", "-t", "valid.tgt"}).out;
  };
  std::filesystem::remove_all(workshop() / "merged");
  const Outcome merged = merge("runs/toy", "merged");
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(scores("merged"), scores("runs/fine"));
  EXPECT_NE(scores("merged"), scores("runs/toy"));
  const Outcome other = merge("merged", "again");
  EXPECT_EQ(other.exit_code, 4);
  EXPECT_THAT(other.err, HasSubstr("belongs to another model"));
  EXPECT_THAT(merge("runs/toy", "runs/toy/checkpoints/x").err, HasSubstr("lies in the run"));
  const Outcome none = workshop().run({"merge", "runs/toy", "runs/toy", "-o", "again"});
  EXPECT_EQ(none.exit_code, 4);
  EXPECT_THAT(none.err, HasSubstr("runs with train.lora have it"));
  EXPECT_THAT(workshop().run({"inspect", "runs/fine"}).out,
              testing::ContainsRegex("adapter +rank 2, [0-9]+ matrices, [0-9,]+ parameters: "
                                     ".*adapter.safetensors"));
  const auto described =
      nlohmann::json::parse(workshop().run({"inspect", "runs/fine", "--format", "json"}).out)[0];
  EXPECT_EQ(described["adapter"]["rank"], 2);
  EXPECT_GT(described["adapter"]["matrices"], 5);
  EXPECT_THAT(workshop().run({"inspect", "runs/toy"}).out, Not(HasSubstr("adapter")));
  EXPECT_LT(
      std::filesystem::file_size(workshop() / "runs/fine/latest/adapter.safetensors"),
      std::filesystem::file_size(workshop() / "runs/fine/latest/model/model.safetensors") / 3);
}

TEST_F(FineTuning, RefusesAdaptersBesideRandomParameters) {
  const std::string lora = "train.lora={layers: [all]}";
  expect_refused({lora, "init={embeddings: {source: valid.src}}"}, "adapts a trained model");
  expect_refused({lora, "init.extend_vocabulary=true"}, "makes embeddings for new tokens");
  expect_refused({lora, "init.missing=warn"}, "initializes parameters randomly");
  expect_refused({lora, "init.reset=[schedule]"}, "lacks optimizer");
  expect_refused({lora, "train.freeze=[decoder]"}, "leave freeze out");
  expect_refused({lora, "train.average={decay: 0.9}"}, "leave one out");
  expect_refused({"train.lora={layers: [nothing]}"}, "selects no parameter");
}

// The initial model may be gone or changed.
TEST_F(FineTuning, IsResumedWithoutTheModel) {
  holds({"--resume"});
  tuned({"init.model=" + (workshop() / "runs/toy").string()});
  const Outcome resumed = workshop().run({"train", "fine.yaml", "--resume", "--set",
                                          "init.model=gone", "--set", "train.max_updates=3"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("resumed after update 2"));
  // The config keeps the model that the run has begun with.
  EXPECT_THAT(resumed.err, HasSubstr("(init.model: was "));
  EXPECT_THAT(resumed.err, HasSubstr("runs/toy, is "));
  EXPECT_THAT(read_plainly(workshop() / "runs/fine/config.yaml"),
              testing::AllOf(HasSubstr("runs/toy"), Not(HasSubstr("gone"))));
}

TEST_F(FineTuning, ReadsPretrainedEmbeddings) {
  holds({"init.embeddings"});
  std::string vectors;
  for (const char* word : {"a", "b", "c", "d"}) {
    vectors += word;
    for (int i = 0; i < 32; ++i) vectors += " 0.25";
    vectors += "\n";
  }
  write_plainly(workshop() / "letters.vec", vectors);
  EXPECT_THAT(workshop()
                  .run({"train", "toy.yaml", "--run", "runs/vectors", "--overwrite", "--set",
                        "init.embeddings={source: letters.vec}", "--set", "train.max_updates=1"})
                  .err,
              HasSubstr("init.embeddings.source: vectors for 4 of 10 tokens (40.0%)"));
}

// The average of a model with itself is the model.
TEST_F(FineTuning, ModelsAreAveraged) {
  holds({"heed average", "--output"});
  EXPECT_THAT(tuned({"train.optimizer.rate=0.01"}), HasSubstr("done"));
  const auto average = [](const Arguments& arguments) {
    std::filesystem::remove_all(workshop() / "mean");
    return workshop().run(joined({"average", "-o", "mean"}, arguments));
  };
  const Outcome same = average({"runs/toy", "runs/toy"});
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_THAT(same.err, HasSubstr("is named twice and counts twice"));
  EXPECT_THAT(same.err, Not(HasSubstr("not of one run")));
  EXPECT_EQ(translation("mean"), translation("runs/toy"));
  const auto score = [](const std::string& model) {
    return workshop().run({"score", model, "-s", "valid.src", "-t", "valid.tgt"}).out;
  };
  EXPECT_EQ(score("mean"), score("runs/toy"));
  const Outcome apart = average({"runs/toy", "runs/fine"});
  EXPECT_EQ(apart.exit_code, 0);
  EXPECT_THAT(apart.err, HasSubstr("are not of one run"));
  EXPECT_NE(score("mean"), score("runs/toy"));
  EXPECT_NE(score("mean"), score("runs/fine"));
  const Outcome inside = workshop().run({"average", "-o", "runs/toy/checkpoints/x", "runs/toy"});
  EXPECT_EQ(inside.exit_code, 2);
  EXPECT_THAT(inside.err, HasSubstr("lies in the run"));
  const Outcome again = workshop().run({"average", "-o", "mean", "runs/toy"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("mean: exists already"));
}

TEST_F(FineTuning, CheckpointsOfARunAreAveraged) {
  holds({"--last", "--best"});
  tuned({"train.keep={best: 2, last: 2}"});
  const auto average = [](const Arguments& arguments) {
    std::filesystem::remove_all(workshop() / "mean");
    return workshop().run(joined({"average", "-o", "mean", "runs/fine"}, arguments));
  };
  for (const char* option : {"--last", "--best"}) {
    const Outcome two = average({option, "2"});
    EXPECT_EQ(two.exit_code, 0) << two.err;
    EXPECT_THAT(two.err, HasSubstr("step-00000001"));
    EXPECT_THAT(two.err, HasSubstr("step-00000002"));
    EXPECT_THAT(average({option, "1"}).err, Not(HasSubstr("step-00000001")));
    const Outcome many = average({option, "9"});
    EXPECT_EQ(many.exit_code, 2);
    EXPECT_THAT(many.err, HasSubstr("train.keep"));
    EXPECT_THAT(average({option, "1"}).err, Not(HasSubstr("only one model")));
  }
  const Outcome one = average({});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.err, HasSubstr("only one model was averaged; name several, or choose checkpoints "
                                 "of a run by --last N or --best N"));
}

}  // namespace
}  // namespace heed
