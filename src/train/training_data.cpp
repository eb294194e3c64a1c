#include "train/training_data.h"

#include "nn/torch.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "data/source_facts.h"
#include "data/target_words.h"
#include "network/device.h"
#include "network/network_model.h"
#include "run/data_warnings.h"
#include "run/run_codecs.h"
#include "run/run_phases_config.h"
#include "search/suppressed_tokens.h"
#include "train/training_memory.h"

namespace heed {

namespace {

int64_t examples_per_epoch(const CorpusReport& report) {
  double examples = 0;
  for (const CorpusCount& count : report.corpora) {
    examples += count.weight * static_cast<double>(count.kept);
  }
  return std::llround(examples);
}

// Length in pieces of the longest text that the model reads: a source, or the text of a language
// model.
int64_t longest_read(const PairIndex& index) {
  const size_t sides = std::max<size_t>(1, index.sides() - 1);
  int64_t longest = 1;
  for (PairId pair = 0; pair < index.size(); ++pair) {
    for (size_t side = 0; side < sides; ++side)
      longest = std::max(longest, index.length(pair, side));
  }
  return longest;
}

// All validation sets as one.
std::optional<EvaluationSet> read_valid(const RunFiles& files, const PairEncoder& encoder) {
  std::optional<EvaluationSet> whole;
  for (const CorpusFiles& own : files.valid) {
    EvaluationSet set = read_parallel("valid", own, encoder);
    if (whole) {
      append(*whole, std::move(set));
    } else {
      whole = std::move(set);
    }
  }
  return whole;
}

std::vector<EvaluationSet> read_tests(const RunFiles& files, const PairEncoder& encoder) {
  std::vector<EvaluationSet> sets;
  for (const auto& [name, own] : files.tests) sets.push_back(read_parallel(name, own, encoder));
  return sets;
}

SavedModelConfig model_config(const RunConfig& config) {
  SavedModelConfig model;
  model.sources = config.data.sources();
  model.tags = config.data.tags();
  model.text = config.text;
  model.model = config.model;
  model.search = config.search;
  return model;
}

// Describes the training text for the model folder.
void describe_text(const TrainingText& text, const PairEncoder& encoder, const Codecs& codecs,
                   SavedModelConfig& model) {
  model.target_words = find_target_words(text);
  model.target_language = language_of_side(text, text.sides() - 1, kTargetSide);
  if (model.sources.empty()) return;
  const std::string& source = model.sources.at(encoder.aligned);
  model.source_language = language_of_side(text, encoder.aligned, source);
  model.source_lines =
      find_source_facts(text, encoder.aligned, *codecs.at(source), model.source_language);
}

// The phases after the first.
std::vector<TrainPhase> phases_of(const RunConfig& config,
                                  const std::vector<PhaseBatches>& batches) {
  std::vector<TrainPhase> phases;
  const std::vector<std::string> descriptions = describe_phases(config);
  for (size_t i = 0; i < config.phases.size(); ++i) {
    const PhaseConfig& phase = config.train.phases[i];
    phases.push_back({.after = phase.after,
                      .learning = config.phases[i].learning,
                      .model = config.phases[i].model,
                      .batches = batches[i + 1].stream,
                      .resets_optimizer = phase.resets(PhaseConfig::kOptimizer),
                      .resets_schedule = phase.resets(PhaseConfig::kSchedule),
                      .description = descriptions[i]});
  }
  return phases;
}

bool is_first_with_its_data(const std::vector<PhaseBatches>& batches, size_t phase) {
  return std::none_of(
      batches.begin(), batches.begin() + static_cast<std::ptrdiff_t>(phase),
      [&](const PhaseBatches& earlier) { return earlier.corpus == batches[phase].corpus; });
}

// The data report of each phase with different data.
std::vector<std::string> notes_on_data(const std::vector<PhaseBatches>& batches) {
  std::vector<std::string> notes = batches.front().corpus->report().lines();
  for (size_t i = 1; i < batches.size(); ++i) {
    if (batches[i].corpus == batches[i - 1].corpus) continue;
    for (const std::string& line : batches[i].corpus->report().lines())
      notes.push_back(fmt::format("phase {}: {}", i + 1, line));
  }
  return notes;
}

}  // namespace

RunText open_text(const RunSpec& spec, std::shared_ptr<DataCache> cache) {
  RunText text{.cache = std::move(cache)};
  text.first = std::make_shared<const TrainingText>(spec.files.phases.front(), *text.cache);
  const std::vector<CorpusFiles> all = spec.files.training_texts();
  text.all = all.size() <= spec.files.phases.front().size()
                 ? text.first
                 : std::make_shared<const TrainingText>(all, *text.cache);
  return text;
}

Codecs make_codecs(const RunSpec& spec, const RunText& text, const ResumePlan* plan,
                   const InitialModel* initial) {
  const RunConfig& config = spec.config;
  if (plan != nullptr) return load_run_codecs(plan->checkpoint / "model", config);
  Codecs codecs = new_codecs(config, *text.all, initial != nullptr ? &initial->model : nullptr);
  warn_of_unknown_tokens(config, *text.all, codecs);
  return codecs;
}

std::vector<PhaseBatches> read_batches(const RunSpec& spec, const RunText& text,
                                       const Codecs& codecs) {
  const RunConfig& config = spec.config;
  const SavedModelConfig model = model_config(config);
  check_training_memory(config, vocabulary_sizes(model, codecs));
  suppressed_tokens(config.search, codecs.at(kTargetSide)->vocabulary());  // throws if unknown
  const PairEncoder encoder = pair_encoder(model, codecs);
  warn_of_lost_labels(encoder, *text.first);
  IndexCache cache{.files = *text.cache};
  if (cache.files.has_folder()) cache.codecs = hash_of_codecs(config, codecs);
  auto batches = make_batches(config, spec.files, text.first, encoder, cache);
  std::vector<std::pair<const DataConfig*, const CorpusReport*>> left;
  for (size_t i = 0; i < batches.size(); ++i) {
    if (!is_first_with_its_data(batches, i)) continue;
    warn_of_long_targets(config.search, batches[i].corpus->index());
    left.emplace_back(i == 0 ? &config.data : &config.phases[i - 1].data,
                      &batches[i].corpus->report());
  }
  check_remaining_pairs(left);
  return batches;
}

TrainJob make_job(const RunSpec& spec, const RunText& text, Codecs codecs,
                  const std::vector<PhaseBatches>& batches, const TrainingProcess& process) {
  const RunConfig& config = spec.config;
  SavedModelConfig model = model_config(config);
  const PairEncoder encoder = pair_encoder(model, codecs);
  for (const PhaseBatches& phase : batches)
    model.max_length = std::max(model.max_length.value_or(1), longest_read(phase.corpus->index()));
  describe_text(*text.all, encoder, codecs, model);
  const auto is_of_first = [&](const PhaseBatches& one) {
    return one.corpus == batches.front().corpus;
  };
  std::optional<EvaluationSet> valid = read_valid(spec.files, encoder);
  std::vector<EvaluationSet> tests = read_tests(spec.files, encoder);
  if (valid) warn_of_long_lines(*valid, config.data.cleaning);
  for (const EvaluationSet& set : tests) warn_of_long_lines(set, config.data.cleaning);
  const bool same_data = std::ranges::all_of(batches, is_of_first);
  return {
      .folder = spec.folder,
      .seed = static_cast<uint64_t>(config.seed),
      .device = choose_device(config.device, process.launch.local_rank),
      .train = config.train,
      .model = std::move(model),
      .codecs = std::move(codecs),
      .batches = batches.front().stream,
      .phases = phases_of(config, batches),
      .examples_per_epoch = same_data ? examples_per_epoch(batches.front().corpus->report()) : 0,
      .valid = std::move(valid),
      .tests = std::move(tests),
      .notes = notes_on_data(batches),
      .init = config.init,
      .resume_command = spec.resume_command,
      .processes = process.all};
}

}  // namespace heed
