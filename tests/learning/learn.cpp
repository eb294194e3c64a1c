#include "learn.h"

#include "batch_of.h"
#include "nn/torch.h"

#include "config/reader.h"
#include "model/admin.h"
#include "network/model_engine.h"
#include "one_thread.h"
#include "search/search.h"
#include "train/objective.h"
#include "train/optimizer.h"
#include "train/trainer.h"
#include "train/workers.h"

namespace heed {

namespace {

constexpr uint64_t kBatch = 64;

class TaskStream final : public BatchStream {
 public:
  TaskStream(const Task& task, uint64_t seed, const ModelConfig& model)
      : task_(task),
        seed_(seed),
        copies_(model.output->copies()),
        has_factors_(!model.embedding.source_factors.empty()) {}
  void divide(const Division&) override {}
  Batch next() override {
    RandomStream random(stream_key(seed_, "learning", position_.number));
    std::vector<Example> examples;
    for (uint64_t i = 0; i < kBatch; ++i) {
      examples.push_back(task_.draw(random, false));
      if (!copies_) forget_copies(examples.back());
      if (!has_factors_) examples.back().factors.clear();
    }
    Batch batch = batch_of(examples);
    batch.number = position_.number;
    ++position_.number;
    ++position_.batch;
    return batch;
  }
  BatchPosition position() const override { return position_; }
  void seek(const BatchPosition& position) override { position_ = position; }

 private:
  void forget_copies(Example& example) const {
    example.copyable.reset();
    for (int32_t& id : example.target) {
      if (id >= kSpecials + task_.target_symbols) id = kUnknown;
    }
  }

  const Task& task_;
  uint64_t seed_;
  bool copies_;  // whether what can be copied is what the model learns from
  bool has_factors_;
  BatchPosition position_;
};

// Nothing is kept of a lesson but its model.
class NoStore final : public CheckpointStore {
  void save(const Progress&) override {}
};
class NoClock final : public Clock {
  double now() override { return 0; }
};
class NoLog final : public TrainLog {
  void tick(const Progress&) override {}
  void updates(const Progress&, const UpdateReport&) override {}
  void skipped(const Progress&, const std::string&) override {}
  void validates_at_end(const Progress&, const std::string&) override {}
  void validated(const Progress&, const std::vector<Sample>&) override {}
  void saved(const Progress&) override {}
  void ended(const Progress&, const std::string&) override {}
};

TrainConfig train_config(const Lesson& lesson) {
  TrainConfig config;
  read_config_text(
      fmt::format("{{optimizer: {{type: adam, rate: {}, beta2: 0.98}}, schedule: "
                  "{}, max_updates: {}}}",
                  lesson.rate, lesson.warm_up ? "{type: inverse_sqrt, warmup: 50}" : "constant",
                  lesson.updates),
      "train", config);
  return config;
}

}  // namespace

ModelConfig model_of(const std::string& text) {
  ModelConfig config;
  read_config_text(text, text, config);
  return config;
}

std::shared_ptr<Seq2Seq> learn(const Lesson& lesson, uint64_t seed) {
  at::globalContext().setFlushDenormal(true);
  const Task& task = task_of(lesson.task);
  const TrainConfig config = train_config(lesson);
  const ModelConfig model = model_of(lesson.model);
  VocabularySizes sizes{
      .sources = {}, .target = kSpecials + task.target_symbols, .tags = task.tags};
  for (const std::string& source : model.sources()) {
    sizes.sources[source] = kSpecials + task.source_symbols;
    sizes.markers[source] = kSentenceEnd;
  }
  for (const auto& [factor, unused] : model.embedding.source_factors)
    sizes.factors[factor] = kSpecials + task.labels;
  auto network = std::make_shared<Seq2Seq>(model, sizes, seed);
  TaskStream stream(task, seed, model);
  if (count_omegas(*network) > 0) {
    initialize_omegas(*network, examples_of(stream.next()), model.sources());
    stream.seek({});
  }
  network->train();
  FlatParameters parameters(*network);
  const auto optimizer = build(*config.optimizer, ParameterShard(parameters));
  const CrossEntropy objective(model.sources(), {.label_smoothing = config.label_smoothing,
                                                 .supporting_facts = lesson.supporting_facts});
  OneProcess reducer;
  SummedWorkers workers(make_workers(network, parameters, objective, seed, 1), parameters, reducer);
  NoStore store;
  NoLog log;
  NoClock clock;
  Trainer(config,
          {.batches = stream,
           .workers = workers,
           .stepper = *optimizer,
           .validator = nullptr,
           .checkpoints = store,
           .log = log,
           .clock = clock,
           .reducer = reducer},
          {})
      .run();
  return network;
}

namespace {

// The examples as the network reads them.
std::vector<Example> read_by(const Seq2Seq& network, std::vector<Example> examples) {
  for (const auto& parameter : network.named_parameters()) {
    if (parameter.key().starts_with("factor_")) return examples;
  }
  for (Example& example : examples) example.factors.clear();
  return examples;
}

}  // namespace

double right_outputs(const std::shared_ptr<Seq2Seq>& network, const std::vector<Example>& given) {
  const std::vector<Example> examples = read_by(*network, given);
  SearchConfig greedy;
  greedy.beam = 1;
  greedy.max_length_ratio = 1;  // no task writes more than it reads
  const auto names = source_names(*network);
  const auto found = search(ModelEngine({network}, names), requests_of(examples, greedy));
  int64_t right = 0;
  for (size_t i = 0; i < examples.size(); ++i) {
    if (found[i][0].finished && found[i][0].ids == examples[i].target) ++right;
  }
  return 100 * static_cast<double>(right) / static_cast<double>(examples.size());
}

Step reading_of(Seq2Seq& network, const std::vector<Example>& examples) {
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  const auto names = source_names(network);
  State state = network.start(source_batches(examples, names, torch::kCPU), pass);
  return network.advance(target_batch(examples, torch::kCPU).inputs, state);
}

}  // namespace heed
