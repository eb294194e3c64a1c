#include "run/prepared_data.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "config/sizes.h"
#include "data/source_facts.h"
#include "data/target_words.h"
#include "model/model_spec.h"
#include "model/pair_encoder_spec.h"
#include "run/augmentation.h"
#include "run/data_warnings.h"
#include "run/idle_settings.h"
#include "run/length_limits.h"
#include "run/memory_bound.h"
#include "run/run_codecs.h"
#include "search/suppressed_tokens.h"

namespace heed {

namespace {

// The training text, opened and counted.
struct RunText {
  std::shared_ptr<DataCache> cache{};
  std::shared_ptr<const TrainingText> first{}, all{};  // of the first phase, of all phases
};

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

bool is_first_with_its_data(const std::vector<PhaseBatches>& batches, size_t phase) {
  return std::none_of(
      batches.begin(), batches.begin() + static_cast<std::ptrdiff_t>(phase),
      [&](const PhaseBatches& earlier) { return earlier.corpus == batches[phase].corpus; });
}

RunText open_text(const RunSpec& spec, std::shared_ptr<DataCache> cache) {
  RunText text{.cache = std::move(cache)};
  text.first = std::make_shared<const TrainingText>(spec.files.phases.front(), *text.cache);
  const std::vector<CorpusFiles> all = spec.files.training_texts();
  text.all = all.size() <= spec.files.phases.front().size()
                 ? text.first
                 : std::make_shared<const TrainingText>(all, *text.cache);
  return text;
}

// Refuses a model of many languages, whose lines have no language of their own.
void expect_languages(const Codecs& codecs) {
  for (const auto& [side, codec] : codecs) {
    if (!codec->tokenizer().needs_language()) continue;
    throw_error(ErrorKind::kUsage,
                "text.{}.many_languages: training needs one language a side, expected a model of a "
                "pair: `heed import hf … --source-language CODE --target-language CODE`",
                side);
  }
}

// The codecs of the checkpoint if there is a plan, or of the initial model, else newly learned ones.
Codecs make_codecs(const RunSpec& spec, const RunText& text, const ResumePlan* plan,
                   const ModelText* initial) {
  const RunConfig& config = spec.config;
  if (plan != nullptr) return load_run_codecs(plan->checkpoint / "model", config);
  Codecs codecs = new_codecs(config, *text.all, initial);
  expect_languages(codecs);
  warn_of_unknown_tokens(config, *text.all, codecs);
  return codecs;
}

// Warns about the augmented text, and returns the length of its longest source.
int64_t survey_augmented(const PhaseBatches& batches, const PairEncoder& encoder,
                         const RunConfig& config) {
  if (!batches.corpus->is_augmented()) return 1;
  const AugmentedText text =
      survey_augmented(*batches.corpus, encoder, config.data.sides(), config.seed);
  for (const std::string& warning : text.warnings) spdlog::warn("{}", warning);
  return text.longest_read;
}

// Indexes the training text, or maps the index of the cache. Warns about the data.
std::vector<PhaseBatches> read_batches(const RunSpec& spec, const RunText& text,
                                       const PreparedData& data) {
  const RunConfig& config = spec.config;
  suppressed_tokens(config.search, data.codecs.at(kTargetSide)->vocabulary());  // throws if unknown
  const PairEncoder encoder = pair_encoder(data.model, data.codecs);
  warn_of_lost_labels(encoder, *text.first);
  IndexCache cache{.files = *text.cache};
  if (cache.files.has_folder()) cache.codecs = hash_of_codecs(config, data.codecs);
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

void read_sets(const RunSpec& spec, const RunText& text, PreparedData& data) {
  const PairEncoder encoder = pair_encoder(data.model, data.codecs);
  for (size_t i = 0; i < data.batches.size(); ++i) {
    if (!is_first_with_its_data(data.batches, i)) continue;
    const PhaseBatches& phase = data.batches[i];
    data.model.max_length =
        std::max({data.model.max_length.value_or(1), longest_read(phase.corpus->index()),
                  survey_augmented(phase, encoder, spec.config)});
  }
  describe_text(*text.all, encoder, data.codecs, data.model);
  data.valid = read_valid(spec.files, encoder);
  data.tests = read_tests(spec.files, encoder);
  const Cleaning& cleaning = spec.config.data.cleaning;
  if (data.valid) warn_of_long_lines(*data.valid, cleaning);
  for (const EvaluationSet& set : data.tests) warn_of_long_lines(set, cleaning);
}

// Warns of limits that training and its scores silently run into: positions of the model, and
// lengths of search.
void warn_of_limits(const PreparedData& data, const ValidateConfig& validation) {
  const SavedModelConfig& model = data.model;
  const KnownLengths known{.trained = model.max_length,
                           .source_positions = learned_positions(model.model, "encoder"),
                           .target_positions = learned_positions(model.model, "decoder"),
                           .scored_positions = scored_positions(model.model)};
  const int64_t longest = model.max_length.value_or(0);
  if (const auto& positions = known.source_positions; positions && longest > *positions)
    spdlog::warn(
        "the longest source of the training has {} tokens, but max_positions of the encoder is {}: "
        "later tokens share the last position",
        format_count(longest), format_count(*positions));
  if (const auto& scored = known.scored_positions; scored && longest > *scored)
    spdlog::warn(
        "the longest source of the training has {} tokens, but max_positions of score: "
        "location_based is {}: later tokens are not read",
        format_count(longest), format_count(*scored));
  if (model.sources.empty()) return;
  const auto warn = [&](const EvaluationSet& set) {
    for (const std::string& line : find_cuts(set, model.search, known)) spdlog::warn("{}", line);
  };
  if (data.valid && validation.translates()) warn(*data.valid);
  for (const EvaluationSet& set : data.tests) warn(set);
}

}  // namespace

std::vector<std::string> PreparedData::notes() const {
  std::vector<std::string> notes = batches.front().corpus->report().lines();
  for (size_t i = 1; i < batches.size(); ++i) {
    if (batches[i].corpus == batches[i - 1].corpus) continue;
    for (const std::string& line : batches[i].corpus->report().lines())
      notes.push_back(fmt::format("phase {}: {}", i + 1, line));
  }
  return notes;
}

PreparedData prepare_data(RunSpec& spec, PreparationSteps& steps) {
  RunText text;
  const ModelText* initial = nullptr;
  steps.together([&] {
    steps.check_memory(spec.config, smallest_vocabularies(spec.config));
    text = open_text(spec, steps.begin(spec));
    if (steps.plan() != nullptr) return;
    if (steps.is_first()) warn_of_data(spec.config, spec.files, *text.all, *text.cache);
    initial = steps.initial_model(spec.config.init);
  });
  PreparedData data{.model = model_config(spec.config)};
  data.codecs =
      steps.shared(spec.config, [&] { return make_codecs(spec, text, steps.plan(), initial); });
  const auto read = [&] {
    steps.check_memory(spec.config, vocabulary_sizes(data.model, data.codecs));
    data.batches = read_batches(spec, text, data);
  };
  if (text.cache->has_folder()) {
    steps.in_turn(read);  // one process writes the cache, the others map it
  } else {
    steps.together(read);
  }
  steps.together([&] { read_sets(spec, text, data); });
  if (steps.is_first()) {
    for (const std::string& warning : idle_settings(spec.config)) spdlog::warn("{}", warning);
    warn_of_limits(data, spec.config.train.validation);
  }
  return data;
}

bool exceeds_training(const EvaluationSet& set, const SavedModelConfig& model) {
  return set.longest.tokens > model.max_length.value_or(kLengths.high);
}

}  // namespace heed
