#include "train/run.h"

#include <ATen/Parallel.h>
#include "nn/torch.h"

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "config/reader.h"
#include "config/writer.h"
#include "train/checkpoints.h"
#include "train/metrics_file.h"
#include "train/resume.h"
#include "train/teacher_forced.h"
#include "train/train_log.h"
#include "train/trainer.h"
#include "train/translated_text.h"
#include "train/validator.h"
#include "train/workers.h"

namespace heed {

namespace {

constexpr int kSignalBase = 128;  // a process that a signal ended exits with this and its number

class SteadyClock final : public Clock {
 public:
  double now() override {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
  }
};

// What a run has in memory: from the latest checkpoint, or new.
struct RunState {
  std::shared_ptr<Seq2Seq> network;
  std::unique_ptr<FlatParameters> parameters;
  std::unique_ptr<Optimizer> optimizer;
  Progress progress;
  bool resumed = false;
};

RunState make_state(const TrainJob& job) {
  RunState state;
  const auto latest = job.folder.latest();
  Checkpoint checkpoint;
  if (latest) {
    checkpoint = load_checkpoint(*latest, job.device);
    state.network = checkpoint.model.network;
    state.progress = checkpoint.progress;
    state.resumed = true;
  } else {
    state.network = std::make_shared<Seq2Seq>(job.model.model,
                                              vocabulary_sizes(job.model, job.codecs), job.seed);
    state.network->to(job.device);
  }
  state.network->train();
  state.parameters = std::make_unique<FlatParameters>(*state.network);
  state.optimizer = job.train.optimizer->build(*state.parameters);
  if (latest) {
    state.optimizer->load_state(checkpoint.optimizer, optimizer_file(*latest).string());
  }
  job.folder.drop_later(state.progress.update);
  return state;
}

TextModel text_model_of(const TrainJob& job, std::shared_ptr<Seq2Seq> network) {
  return text_model({{.config = job.model, .codecs = job.codecs, .network = std::move(network)}});
}

void log_start(const TrainJob& job, const RunState& state) {
  spdlog::info("{}: {} parameters, {} with {} worker{}", job.folder.folder().string(),
               format_count(state.parameters->count()), job.device.str(), *job.train.workers,
               *job.train.workers == 1 ? "" : "s");
  for (const std::string& note : job.notes) spdlog::info("{}", note);
  if (state.resumed) spdlog::info("resumed after update {}", format_count(state.progress.update));
}

Ending train(const TrainJob& job, RunState& state, MetricsFile& metrics) {
  const CrossEntropy objective(job.model.sources, job.train.label_smoothing, job.train.coverage);
  const auto workers =
      make_workers(state.network, *state.parameters, objective, job.seed, *job.train.workers);
  std::optional<ModelValidator> validator;
  if (job.valid) {
    validator.emplace(text_model_of(job, state.network), *job.valid, job.train.validation,
                      job.model.search, *job.train.workers);
  }
  RunCheckpoints checkpoints(job.folder, job.train,
                             {job.model, job.codecs, *state.network, *state.optimizer});
  RunLog log(metrics, job.train, job.examples_per_epoch, state.progress);
  SteadyClock clock;
  Trainer trainer(job.train,
                  {.batches = *job.batches,
                   .workers = *workers,
                   .stepper = *state.optimizer,
                   .validator = validator ? &*validator : nullptr,
                   .checkpoints = checkpoints,
                   .log = log,
                   .clock = clock},
                  state.progress);
  const Ending ending = trainer.run();
  state.progress = trainer.progress();
  return ending;
}

// A language model, which translates nothing, by what it gives to the text itself.
TextScore perplexity_of(const TextModel& model, const EvaluationSet& set, int64_t workers) {
  const TokenSums sums = teacher_forced(model, set, workers);
  const double loss = sums.per_token(sums.negative_log_probability);
  return {.metric = "perplexity",
          .value = std::exp(loss),
          .line = fmt::format("perplexity {:.2f} ({} tokens of loss {:.4f})", std::exp(loss),
                              format_count(sums.tokens), loss),
          .signature = ""};
}

TextScore test_score(const TrainJob& job, const TextModel& model, const EvaluationSet& set) {
  const int64_t workers = *job.train.workers;
  if (model.sources.empty()) return perplexity_of(model, set, workers);
  const auto hypotheses = translate(model, source_lines(set), job.model.search, workers);
  return score_text(job.train.validation, hypotheses, set);
}

// Each test set that has no score of this end of the run yet.
void test(const TrainJob& job, const Progress& progress, MetricsFile& metrics) {
  const auto done = metrics.tested(progress.update);
  std::vector<const EvaluationSet*> open;
  for (const EvaluationSet& set : job.tests) {
    if (!done.contains(set.name)) open.push_back(&set);
  }
  if (open.empty()) return;
  const fs::path folder = job.folder.best() ? *job.folder.best() : *job.folder.latest();
  const Checkpoint checkpoint = load_checkpoint(folder, job.device);
  const TextModel model = text_model_of(job, checkpoint.model.network);
  const int64_t update = checkpoint.progress.update;
  for (const EvaluationSet* set : open) {
    const TextScore score = test_score(job, model, *set);
    metrics.tested(set->name, score, progress.update, update);
    spdlog::info("test {}, checkpoint of update {}: {}", set->name, format_count(update),
                 score.line);
  }
}

}  // namespace

void open_run(const RunDirectory& folder, RunMode mode, RunSettings now, RunSettings stored,
              bool on_gpu) {
  if (mode == RunMode::kResume && fs::exists(folder.config())) {
    read_config_file(folder.config().string(), stored.all, {.overrides = {}, .saved = true});
    if (!now.train.workers) now.train.workers = stored.train.workers;
  }
  if (on_gpu && now.train.workers.value_or(1) != 1) {
    throw_error(ErrorKind::kUsage, "train.workers: found {}, expected 1 on a GPU",
                *now.train.workers);
  }
  if (!now.train.workers) {
    const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
    now.train.workers = on_gpu ? 1 : std::max<int64_t>(1, cores);
  }
  if (mode == RunMode::kResume && fs::exists(folder.config())) {
    check_resumable(flatten_config(stored.all), flatten_config(now.all), folder.folder().string());
  }
  folder.open(mode);
  log_to_file(folder.log());
  write_file(folder.config(), write_config(now.all));
}

int train_run(const TrainJob& job) try {
  HEED_CHECK(job.train.workers.has_value());
  catch_signals();
  at::globalContext().setFlushDenormal(true);
  RunState state = make_state(job);
  MetricsFile metrics(job.folder.metrics(), state.progress);
  log_start(job, state);

  const auto limit = reached_limit(job.train, state.progress);
  if (state.resumed && limit) {
    spdlog::info("nothing is left to train: {}", limit->reason);
  } else {
    const Ending ending = train(job, state, metrics);
    if (ending.signal != 0) return kSignalBase + ending.signal;
  }
  test(job, state.progress, metrics);
  return 0;
} catch (const Interrupted&) {
  return kSignalBase + caught_signal();
}

std::string describe_first_batch(const TrainJob& job) {
  const Batch batch = job.batches->next();
  std::string text = fmt::format("first batch: {} sentences, {} source and {} target tokens\n",
                                 batch.examples.size(), source_tokens(batch.examples),
                                 target_tokens(batch.examples));
  constexpr size_t kShown = 5;
  const size_t shown = std::min(kShown, batch.examples.size());
  for (size_t e = 0; e < shown; ++e) {
    const Example& example = batch.examples[e];
    for (size_t i = 0; i < job.model.sources.size(); ++i) {
      const std::string& name = job.model.sources[i];
      const Ids& ids = example.sources[i];
      text += fmt::format("{}: {}\n  {}\n", name, job.codecs.at(name)->decode(ids),
                          fmt::join(ids, " "));
    }
    if (example.tag)
      text += fmt::format("{}: {}\n", kTagInput, job.model.tags[static_cast<size_t>(*example.tag)]);
    const Codec& target = *job.codecs.at(kTargetSide);
    const auto behind = example.copyable.value_or(Copyable()).behind;
    text += fmt::format("{}: {}\n  {}\n", kTargetSide,
                        target.decode(target.pieces(example.target, behind)),
                        fmt::join(example.target, " "));
  }
  if (shown < batch.examples.size()) {
    text += fmt::format("and {} more\n", batch.examples.size() - shown);
  }
  return text;
}

}  // namespace heed
