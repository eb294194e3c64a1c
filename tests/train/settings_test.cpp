// Every key of `train:` that says how a model learns does something: with another value of that key
// alone, a short run ends with other weights.
#include <gtest/gtest.h>

#include <set>

#include "config/reader.h"
#include "config/writer.h"
#include "holds.h"
#include "train/checkpoints.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

// Nine updates, two more than an epoch has batches.
constexpr const char* kBase = "{max_updates: 9, workers: 1, optimizer: {type: adam, rate: 0.01}}";

struct Change {
  std::string to;        // key=value
  std::string before{};  // what has to be set for the key to be there, in both runs
  std::string key() const { return to.substr(0, to.find('=')); }
};
std::ostream& operator<<(std::ostream& out, const Change& change) {
  return out << change.before << (change.before.empty() ? "" : ", ") << change.to;
}

TrainConfig config_of(const std::vector<std::string>& overrides) {
  ReadOptions options;
  for (const std::string& text : overrides) {
    if (!text.empty()) options.overrides.push_back(parse_override(text));
  }
  TrainConfig config;
  read_config_text(kBase, "test", config, options);
  return config;
}

NamedTensors weights_after(const TrainConfig& config) {
  const TemporaryFolder folder;
  TrainJob job = tiny_job(folder / "run", tiny_rnn(0.2));
  job.train = config;
  job.valid = std::nullopt;
  job.tests.clear();
  job.folder.open(RunMode::kFresh);
  EXPECT_EQ(train_run(job), 0);
  return tensors_of(*load_checkpoint(*job.folder.latest(), torch::kCPU).model.network);
}

bool are_equal(const NamedTensors& a, const NamedTensors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && torch::equal(x.second, y.second);
  });
}

std::vector<Change> changes() {
  std::vector<Change> changes;
  for (const char* to : {"accumulate=2",
                         "optimizer=sgd",
                         "optimizer=adamw",
                         "optimizer.rate=0.02",
                         "optimizer.weight_decay=0.5",
                         "optimizer.beta1=0.5",
                         "optimizer.beta2=0.9",
                         "optimizer.epsilon=0.01",
                         "schedule=inverse_sqrt",
                         "schedule=vaswani",
                         "schedule.warmup=5",
                         "clip=0.01",
                         "label_smoothing=0.2",
                         "coverage.weight=0.5",
                         "guided_alignment.weight=0.5",
                         "precision=bf16",
                         "r_drop=2",
                         "int8=true",
                         "scheduled_sampling={probability: 1, over: 1}",
                         "sequence_loss={metric: bleu}",
                         "sequence_loss={metric: bleu, loss: self_critical}",
                         "sequence_loss={preset: shen}",
                         "max_updates=8",
                         "max_epochs=1",
                         "average={decay: 0.5}",
                         "freeze=[decoder]"}) {
    changes.push_back({.to = to});
  }
  for (const char* to :
       {"optimizer.rate=0.2", "optimizer.weight_decay=0.5", "optimizer.momentum=0.5"}) {
    changes.push_back({.to = to, .before = "optimizer=sgd"});
  }
  changes.push_back(
      {.to = "optimizer.nesterov=true", .before = "optimizer={type: sgd, momentum: 0.5}"});
  changes.push_back({.to = "optimizer.weight_decay=0.5", .before = "optimizer=adamw"});
  for (const char* kind : {"adagrad", "rmsprop", "adadelta", "adafactor"}) {
    changes.push_back({.to = fmt::format("optimizer={}", kind)});
    changes.push_back({.to = "optimizer.rate=0.2", .before = fmt::format("optimizer={}", kind)});
    changes.push_back({.to = "optimizer.weight_decay=0.5", .before = changes.back().before});
  }
  for (const char* kind : {"rmsprop", "adadelta", "adafactor"}) {
    changes.push_back({.to = "optimizer.decay=0.3", .before = fmt::format("optimizer={}", kind)});
  }
  for (const char* kind : {"adagrad", "rmsprop", "adadelta"}) {
    changes.push_back({.to = "optimizer.epsilon=0.2", .before = fmt::format("optimizer={}", kind)});
  }
  changes.push_back({.to = "optimizer.initial=1", .before = "optimizer=adagrad"});
  changes.push_back({.to = "optimizer.momentum=0.5", .before = "optimizer=rmsprop"});
  changes.push_back({.to = "optimizer.clip=0.1", .before = "optimizer=adafactor"});
  changes.push_back({.to = "optimizer.scale_parameter=false", .before = "optimizer=adafactor"});
  for (const char* kind : {"linear", "cosine"}) {
    changes.push_back({.to = fmt::format("schedule={{type: {}, updates: 9}}", kind)});
    const std::string before = fmt::format("schedule={{type: {}, updates: 9}}", kind);
    changes.push_back({.to = "schedule.updates=5", .before = before});
    changes.push_back({.to = "schedule.lowest=0.5", .before = before});
    changes.push_back({.to = "schedule.warmup=5", .before = before});
  }
  changes.push_back({.to = "schedule=exponential"});
  for (const char* to :
       {"schedule.decay=0.9", "schedule.every=3", "schedule.staircase=true", "schedule.warmup=3"}) {
    changes.push_back({.to = to, .before = "schedule={type: exponential, every: 5}"});
  }
  changes.push_back({.to = "average.decay=0.5", .before = "average={decay: 0.9}"});
  for (const char* to : {"scheduled_sampling.probability=0.5", "scheduled_sampling.after=4",
                         "scheduled_sampling.over=20"})
    changes.push_back({.to = to, .before = "scheduled_sampling={probability: 1, over: 1}"});
  changes.push_back({.to = "guided_alignment.cost=mse", .before = "guided_alignment.weight=0.5"});
  changes.push_back({.to = "schedule.warmup=5", .before = "schedule=inverse_sqrt"});
  changes.push_back({.to = "schedule.warmup=5", .before = "schedule=vaswani"});
  changes.push_back({.to = "schedule.width=64", .before = "schedule=vaswani"});
  return changes;
}

// The name of what a change changes: a kind, or a key, the first one of a section.
std::string held_by(const Change& change) {
  const std::string value = change.to.substr(change.to.find('=') + 1);
  const bool is_kind = change.key() == "optimizer" || change.key() == "schedule";
  if (!value.starts_with('{')) return "train." + change.key() + (is_kind ? "=" + value : "");
  const size_t colon = value.find(':');
  if (!is_kind) return "train." + change.key() + "." + value.substr(1, colon - 1);
  return "train." + change.key() + "=" + value.substr(colon + 2, value.find(',') - colon - 2);
}

class TrainSettings : public testing::TestWithParam<Change> {};

TEST_P(TrainSettings, ChangeWhatIsLearned) {
  const Change& change = GetParam();
  holds({held_by(change)});
  const NamedTensors before = weights_after(config_of({change.before}));
  EXPECT_FALSE(are_equal(before, weights_after(config_of({change.before, change.to}))));
}

INSTANTIATE_TEST_SUITE_P(All, TrainSettings, testing::ValuesIn(changes()), [](const auto& variant) {
  std::string name =
      variant.param.to + (variant.param.before.empty() ? "" : "_with_") + variant.param.before;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
});

TEST(TrainKeys, OfTheSameValuesLearnTheSame) {
  EXPECT_TRUE(are_equal(weights_after(config_of({})), weights_after(config_of({}))));
}

TEST(TrainKeys, AreAllTried) {
  // Segmentation and size of batches, time, validation, checkpoints, log, what changes no more than
  // rounding, adapters, which need a trained model (lora_test.cpp), and supporting facts, which
  // need sentences (supporting_facts_test.cpp).
  std::set<std::string> tried = {"subword_regularization",
                                 "phases",
                                 "lora",
                                 "supporting_facts.weight",
                                 "gradient_checkpointing",
                                 "shard_optimizer",
                                 "reduction.overlap",
                                 "reduction.precision",
                                 "batch.sentences",
                                 "batch.tokens",
                                 "max_time",
                                 "validate.every",
                                 "validate.metric",
                                 "validate.patience",
                                 "validate.samples",
                                 "validate.tokenize",
                                 "validate.metrics",
                                 "validate.beam",
                                 "validate.max_sentences",
                                 "keep.best",
                                 "keep.last",
                                 "save_every",
                                 "log_every",
                                 "workers",
                                 "max_skipped",
                                 "tensorboard"};
  for (const Change& change : changes())
    tried.merge(std::set{change.key(), change.key() + ".type"});
  TrainConfig config = config_of({});
  for (const auto& [key, value] : flatten_config(config)) EXPECT_TRUE(tried.contains(key)) << key;
}

}  // namespace
}  // namespace heed
