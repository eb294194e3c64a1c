#include "train/test_sets.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/model_folder.h"
#include "base/replace_all.h"
#include "distributed/gathered.h"
#include "search/not_a_number.h"
#include "train/checkpoints.h"
#include "train/teacher_forced.h"
#include "train/translated_text.h"
#include "train/validator.h"

namespace heed {

namespace {

// Perplexity of a language model, which is scored by its loss on the text.
TextScore perplexity_of(const NetworkModel& model, const EvaluationSet& set,
                        const Parallelism& parallelism) {
  const TokenSums sums = teacher_forced(model, set, parallelism);
  const double loss = sums.per_token(sums.negative_log_probability);
  if (std::isnan(loss)) throw_not_a_number();
  return {.metric = "perplexity",
          .value = std::exp(loss),
          .line = fmt::format("perplexity {:.2f} ({} tokens of loss {:.4f})", std::exp(loss),
                              format_count(sums.tokens), loss),
          .signature = ""};
}

// A line of text for each sentence.
void write_lines(AtomicFile& file, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) file.write(replace_all(line, "\n", " ") + "\n");
}

void write_texts(const TrainJob& job, const EvaluationSet& set,
                 const std::vector<std::string>& translations) {
  if (!job.processes->is_first()) return;
  const TestTextFiles files = test_text_files(job.folder.folder(), set.name);
  make_folders(files.translations.parent_path());
  AtomicFile translated(files.translations), references(files.references);
  write_lines(translated, translations);
  write_lines(references, set.references);
  commit_all({&translated, &references});
}

std::vector<TextScore> test_scores(const TrainJob& job, const NetworkModel& model,
                                   const EvaluationSet& set) {
  const Parallelism parallelism = job.parallelism();
  if (model.sources.empty()) return {perplexity_of(model, set, parallelism)};
  const TranslatedText text = translate(model, source_lines(set), job.model.search, parallelism);
  write_texts(job, set, text.lines);
  std::vector<TextScore> scores;
  for (const std::string& metric : job.train.validation.test_metrics())
    scores.push_back(score_text(job.train.validation, metric, text.lines, set));
  for (TextScore& score : scores) score.cut = text.cut;
  return scores;
}

// update: that of the checkpoint. Throws Error(kDiverged) if the model gives NaN, although it was
// sound when it was saved.
std::vector<TextScore> scores_of_test(const TrainJob& job, const NetworkModel& model,
                                      const EvaluationSet& set, int64_t update) try {
  return test_scores(job, model, set);
} catch (const NotANumber&) {
  throw_error(ErrorKind::kDiverged,
              "training diverged: on the test set {} the checkpoint of update {} gives "
              "probabilities that are not numbers; start another run with a lower learning rate or "
              "train.clip, or a longer warm-up",
              set.name, format_count(update));
}

ScoreIdentity identity_of_test(const TrainJob& job, const EvaluationSet& set) {
  if (job.model.sources.empty()) return identity_of(set, {}, job.train.validation, {});
  return identity_of(set, job.train.validation.test_metrics(), job.train.validation,
                     job.model.search);
}

// Earlier versions did not write them.
bool has_texts(const TrainJob& job, const EvaluationSet& set) {
  const TestTextFiles files = test_text_files(job.folder.folder(), set.name);
  return job.model.sources.empty() ||
         (is_plain_file(files.translations) && is_plain_file(files.references));
}

// Test sets that are not yet scored at this end of the run, or whose texts are missing, according to
// the first process. Scores of earlier versions have no identity; they count as present scores.
std::vector<const EvaluationSet*> open_tests(const TrainJob& job, const Progress& progress,
                                             const MetricsFile& metrics) {
  std::set<std::string> done;
  const auto tested = metrics.tested(progress.update);
  for (const EvaluationSet& set : job.tests) {
    const auto found = tested.find(set.name);
    if (found != tested.end() && has_texts(job, set) &&
        (!found->second.is_known() || found->second == identity_of_test(job, set)))
      done.insert(set.name);
  }
  done = gathered(*job.processes, done).front();
  std::vector<const EvaluationSet*> open;
  for (const EvaluationSet& set : job.tests) {
    if (!done.contains(set.name)) open.push_back(&set);
  }
  return open;
}

}  // namespace

void score_tests(const TrainJob& job, const Progress& progress, MetricsFile& metrics) {
  const std::vector<const EvaluationSet*> open = open_tests(job, progress, metrics);
  if (open.empty()) return;
  const fs::path folder = find_model(job.folder.folder()).parent_path();
  const Checkpoint checkpoint = load_checkpoint(folder, job.device);
  const NetworkModel model = job.model_of(checkpoint.model.network);
  const int64_t update = checkpoint.progress.update;
  for (const EvaluationSet* set : open) {
    const std::vector<TextScore> scores = scores_of_test(job, model, *set, update);
    metrics.tested(set->name, scores, identity_of_test(job, *set), progress.update, update);
    for (const TextScore& score : scores)
      spdlog::info("test {}, checkpoint of update {}: {}", set->name, format_count(update),
                   score.line);
    if (scores.front().cut.any())
      spdlog::warn("test {}: {}", set->name, explain(scores.front().cut));
  }
}

}  // namespace heed
