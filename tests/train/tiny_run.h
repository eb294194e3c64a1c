// A whole run on a tiny corpus: the target is the source reversed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../base/temporary_folder.h"
#include "base/random.h"
#include "batch_of.h"
#include "data/epoch_batch_stream.h"
#include "odd_ids.h"
#include "run/run_state.h"
#include "text/codecs.h"
#include "text/words.h"
#include "tiny_models.h"
#include "train/checkpoints.h"
#include "train/objective.h"
#include "train/training.h"

namespace heed {

inline constexpr int kTinyWords = 12;

inline std::shared_ptr<const Codec> tiny_codec() {
  std::vector<std::string> words;
  for (int i = 0; i < kTinyWords; ++i) words.push_back("w" + std::to_string(i));
  return std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                       std::make_shared<const Vocabulary>(words));
}

inline const Tags kTinyTags = {"one", "two"};

inline VocabularySizes tiny_sizes(const std::vector<std::string>& sources = {kSourceSide},
                                  bool tags = false) {
  VocabularySizes sizes{.sources = {}, .target = kSpecials + kTinyWords};
  if (tags) sizes.tags = static_cast<int64_t>(kTinyTags.size());
  for (const std::string& source : sources) sizes.sources[source] = kSpecials + kTinyWords;
  return sizes;
}

// Requirements of a model on its examples.
struct TinyWants {
  bool copies = false;  // copyable pieces of the first source
  size_t sources = 1;
  bool one_word = false;  // the target is one word
  bool tags = false;      // each sentence has one of two tags
  bool entries = false;   // all sources have equally many words
};
inline TinyWants wants_of(const ModelConfig& model) {
  return {.copies = model.output->copies(),
          .sources = model.sources().size(),
          .one_word = writes_one(model.output->writes()),
          .tags = needs_of(model).tag,
          .entries = !needs_of(model).entries.empty()};
}

// Edges from every word to the word at the mirrored position.
inline Edges tiny_edges(uint64_t words) {
  Edges edges;
  for (uint64_t i = 0; i < words; ++i)
    edges.emplace_back(static_cast<int64_t>(i), static_cast<int64_t>(words - 1 - i));
  return edges;
}

// Each further source is the previous one reversed, or empty if the previous one has fewer than two
// words.
inline Example tiny_example(RandomStream& random, int64_t index, const TinyWants& wants = {}) {
  Ids ids;
  const auto length = 1 + random.below(7);
  for (uint64_t i = 0; i < length; ++i) {
    ids.push_back(static_cast<int32_t>(kSpecials + random.below(kTinyWords)));
  }
  Example example{.index = index,
                  .sources = {ids},
                  .edges = tiny_edges(length),
                  .alignment = tiny_edges(length),  // the target is the source turned around
                  .target = Ids(ids.rbegin(), ids.rend())};
  if (wants.sources == 0) {
    example.sources.clear();
    example.edges.reset();
    example.alignment.reset();
  }
  if (wants.tags) example.tag = index % 2;
  while (example.sources.size() < wants.sources) {
    const Ids& last = example.sources.back();
    const bool lacks = last.size() < 2 && !wants.entries;
    example.sources.push_back(lacks ? Ids() : Ids(last.rbegin(), last.rend()));
  }
  if (!wants.copies) return example;
  example.copyable = without_odd_ids(ids, kSpecials + kTinyWords);
  example.target.assign(example.copyable->ids.rbegin(), example.copyable->ids.rend());
  if (wants.one_word) example.target.resize(1);
  return example;
}

// Text of edges as in a file.
inline std::string edges_text(const Edges& edges) {
  std::vector<std::string> list;
  for (const auto& [i, j] : edges) list.push_back(fmt::format("{}-{}", i, j));
  return fmt::format("{}", fmt::join(list, " "));
}

// Epochs of seven batches of six sentences, a pure function of (seed, position).
class TinyStream final : public BatchStream {
 public:
  explicit TinyStream(const TinyWants& wants = {}) : wants_(wants) {}
  void divide(const Division& division) override { division_ = division; }
  Batch next() override {
    RandomStream random(stream_key(5, "tiny", position_.epoch, position_.batch));
    std::vector<Example> examples;
    for (int64_t i = 0; i < 6; ++i) examples.push_back(tiny_example(random, i, wants_));
    Batch batch = batch_of(examples, division_);
    batch.number = position_.number;
    batch.epoch = position_.epoch;
    ++position_.number;
    if (++position_.batch == 7) position_ = {position_.epoch + 1, 0, position_.number};
    return batch;
  }
  BatchPosition position() const override { return position_; }
  void seek(const BatchPosition& position) override { position_ = position; }

 private:
  TinyWants wants_;
  Division division_;
  BatchPosition position_;
};

inline EvaluationSet tiny_set(const std::string& name, uint64_t seed, bool with_edges = false,
                              const TinyWants& wants = {}) {
  const auto codec = tiny_codec();
  EvaluationSet set;
  set.name = name;
  set.sources.resize(wants.sources + (with_edges ? 1 : 0) + (wants.tags ? 1 : 0));
  RandomStream random(seed);
  for (int64_t i = 0; i < 9; ++i) {
    set.examples.push_back(tiny_example(random, i, wants));
    for (size_t source = 0; source < wants.sources; ++source)
      set.sources[source].push_back(codec->decode(set.examples.back().sources[source]));
    if (with_edges) set.sources[wants.sources].push_back(edges_text(*set.examples.back().edges));
    if (wants.tags)
      set.sources.back().push_back(kTinyTags[static_cast<size_t>(*set.examples.back().tag)]);
    const Copyable copyable = set.examples.back().copyable.value_or(Copyable());
    set.references.push_back(
        codec->decode(codec->pieces(set.examples.back().target, copyable.behind)));
  }
  return set;
}

inline TextConfigs tiny_text(std::vector<std::string> sides) {
  TextConfigs text;
  sides.push_back(kTargetSide);
  for (const std::string& side : sides) text[side].tokenizer = make_kind<WordsConfig>("words");
  return text;
}

// A job of twenty updates with a validation every five.
inline TrainJob tiny_job(const std::filesystem::path& folder, const ModelConfig& model) {
  TrainJob job{.folder = RunDirectory(folder)};
  job.seed = 3;
  job.train.optimizer->rate = 0.01;
  job.train.label_smoothing = 0.1;
  job.train.max_updates = 20;
  job.train.workers = 1;
  job.train.log_every = 3;
  job.train.validation.every = 5;
  job.train.validation.samples = 1;
  job.model.search.beam = 2;
  job.model.sources = model.sources();
  job.model.text = tiny_text(job.model.sources);
  job.model.model = model;
  for (const auto& [side, unused] : job.model.text) job.codecs[side] = tiny_codec();
  const TinyWants wants = wants_of(model);
  if (wants.tags) job.model.tags = kTinyTags;
  job.batches = std::make_shared<TinyStream>(wants);
  job.valid = tiny_set("valid", 11, needs_of(model).edges, wants);
  job.tests = {tiny_set("test", 12, needs_of(model).edges, wants)};
  return job;
}

// The same with twelve updates of two workers, validated by BLEU; its folder is open.
inline TrainJob tiny_job_of_workers(const std::filesystem::path& folder, const ModelConfig& model) {
  TrainJob job = tiny_job(folder, model);
  job.train.max_updates = 12;
  job.train.validation.metric = validation_metric("bleu");
  job.train.workers = 2;
  job.folder.open(RunMode::kOverwrite);
  return job;
}

// One pass over all target tokens, with attention weights.
inline Step read_targets(Seq2Seq& network, const std::vector<Example>& examples) {
  Pass pass;
  pass.keep_weights = true;
  State state = network.start(source_batches(examples, {"source"}, torch::kCPU), pass);
  return network.advance(target_batch(examples, torch::kCPU).inputs, state);
}

// Trains to the end, from the newest whole checkpoint of the folder if there is one.
inline int train_run(const TrainJob& job) { return Training(job, plan_resume(job.folder)).run(); }

// Final checkpoints of two runs of the same job, the second of them interrupted.
struct InterruptedRun {
  Checkpoint whole, part;
};

// Trains job("whole") without interruption, and job("part") with one after `stop` updates. Expects
// equal parameters, bit for bit.
template <class MakeJob>
InterruptedRun expect_resumed_equals_uninterrupted(const MakeJob& job, int64_t stop) {
  const TrainJob whole = job("whole");
  EXPECT_EQ(train_run(whole), 0);
  TrainJob part = job("part");
  part.train.max_updates = stop;
  EXPECT_EQ(train_run(part), 0);
  part.train.max_updates = whole.train.max_updates;
  part.batches = std::make_shared<TinyStream>(wants_of(part.model.model));
  EXPECT_EQ(train_run(part), 0);
  InterruptedRun runs{.whole = load_checkpoint(*whole.folder.latest(), torch::kCPU),
                      .part = load_checkpoint(*part.folder.latest(), torch::kCPU)};
  const NamedTensors a = tensors_of(*runs.whole.model.network),
                     b = tensors_of(*runs.part.model.network);
  for (const auto& [name, tensor] : a) EXPECT_TRUE(torch::equal(tensor, b.at(name))) << name;
  return runs;
}

}  // namespace heed
