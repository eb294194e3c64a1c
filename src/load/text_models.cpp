#include "load/text_models.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/packed_file.h"
#include "config/settings_tree.h"
#include "load/pack_model.h"
#include "model/model_spec.h"
#include "model/pair_encoder_spec.h"
#include "text/text_config.h"

namespace heed {

namespace {

// Tokenizers of the sides, each with its settings, even if it shares those of another side.
TextConfigs tokenizers_of(const TextConfigs& text) {
  TextConfigs own;
  for (const auto& [side, unused] : text) own[side] = text.at(owner_of(text, side));
  return own;
}

// True for settings that lead to a vocabulary, which is compared by itself.
bool is_of_vocabulary(const std::string& key) {
  if (key.find(".vocabulary.") != std::string::npos) return true;
  return std::ranges::any_of(std::vector{".model", ".merges", ".size", ".sample", ".model_type",
                                         ".character_coverage", ".byte_fallback", ".normalization"},
                             [&](const char* ending) { return key.ends_with(ending); });
}

// One line is encoded for all models, and their tokens are decoded once.
void check_tokenizers(const SavedModelConfig& first, const SavedModelConfig& other) {
  for (const auto& [key, own, others] :
       changed_text(tokenizers_of(first.text), tokenizers_of(other.text))) {
    if (is_of_vocabulary(key)) continue;
    throw_error(ErrorKind::kModel,
                "models of an ensemble share their tokenizers, but {} is {} in one and {} in "
                "another; train them with the same",
                key, own, others);
  }
}

void check_ensemble(const ModelText& first, const ModelPlan& plan, const ModelText& other,
                    const ModelPlan& own) {
  const auto inputs = inputs_of(first.config), others = inputs_of(other.config);
  if (others != inputs) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble read the same, but one reads '{}' and one '{}'",
                fmt::join(inputs, ", "), fmt::join(others, ", "));
  }
  if (first.config.tags != other.config.tags) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble have the same tags, but one has '{}' and one '{}'",
                fmt::join(first.config.tags, ", "), fmt::join(other.config.tags, ", "));
  }
  const auto source_of = [](const SourceFactor& factor) { return factor.source; };
  if (!std::ranges::equal(source_factors(first.config, first.codecs),
                          source_factors(other.config, other.codecs), {}, source_of, source_of)) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble have the same factors, but they label other sources in one "
                "than in the other");
  }
  if (first.config.model.output->copies() != other.config.model.output->copies()) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble give probabilities to the same pieces, but one copies from "
                "the source and one does not");
  }
  if (plan.attended != own.attended) {
    throw_error(ErrorKind::kModel,
                "models of an ensemble attend to the same of several sources, but one to '{}' and "
                "one to '{}'",
                plan.attended_source(), own.attended_source());
  }
  for (const auto& [side, codec] : first.codecs) {
    const auto found = other.codecs.find(side);
    if (found != other.codecs.end() && found->second->vocabulary() == codec->vocabulary()) continue;
    throw_error(ErrorKind::kModel,
                "models of an ensemble share their vocabularies, but those of '{}' differ (hash {} "
                "and {}); train them with the same",
                side, codec->vocabulary().hash(),
                found == other.codecs.end() ? "none" : found->second->vocabulary().hash());
  }
  check_tokenizers(first.config, other.config);
  if (!equal(first.config.search, other.config.search))
    spdlog::warn(
        "models of an ensemble have different settings of search: those of the first are used");
}

// TextModel::tokens_read of an ensemble, which has read as much as any of its models.
std::function<int64_t(int64_t)> tokens_read_by(const std::vector<const ModelText*>& models) {
  std::vector<WaitKConfig> policies;
  for (const ModelText* model : models) {
    const auto policy = reading_policy(model->config.model);
    if (!policy) return {};
    policies.push_back(*policy);
  }
  return [policies](int64_t t) {
    int64_t most = 0;
    for (const WaitKConfig& policy : policies) most = std::max(most, policy.tokens_read(t));
    return most;
  };
}

// The shortlist of a packed model that is not in an ensemble.
std::shared_ptr<const Shortlist> packed_shortlist(const std::vector<const ModelText*>& models,
                                                  const TextModel& result) {
  const fs::path file = models.front()->folder / kShortlist;
  const auto text = find_packed(file);
  if (!text) return nullptr;
  if (models.size() > 1) {
    spdlog::warn("{}: is not used in an ensemble", file.string());
    return nullptr;
  }
  const Vocabulary &source = result.aligned_codec().vocabulary(),
                   &target = result.target_codec().vocabulary();
  return std::make_shared<const Shortlist>(Lexicon::of_text(*text, file, source, target),
                                           ShortlistSizes(), source, target);
}

}  // namespace

TextModel text_model(const std::vector<const ModelText*>& models) {
  HEED_CHECK(!models.empty());
  const SavedModelConfig& config = models.front()->config;
  const Codecs& codecs = models.front()->codecs;
  const ModelPlan plan = plan_of(config.model);
  TextModel result{.sources = config.sources,
                   .inputs = inputs_of(config),
                   .tags = config.tags,
                   .factors = source_factors(config, codecs),
                   .entries = source_entries(config, codecs),
                   .codecs = codecs,
                   .search = config.search,
                   .max_length = config.max_length,
                   .source_positions = learned_positions(config.model, "encoder"),
                   .target_positions = learned_positions(config.model, "decoder"),
                   .scored_positions = scored_positions(config.model),
                   .tokens_read = tokens_read_by(models),
                   .target_words = target_words_in(config.target_words),
                   .source_language = config.source_language,
                   .target_language = config.target_language,
                   .source_lines = config.source_lines,
                   .aligned = plan.attended,
                   .copies = config.model.output->copies()};
  for (const ModelText* model : models) {
    const ModelPlan own = plan_of(model->config.model);
    check_ensemble(*models.front(), plan, *model, own);
    result.has_source_weights = result.has_source_weights || own.has_source_weights();
    if (model->config.max_length && result.max_length)
      result.max_length = std::min(*result.max_length, *model->config.max_length);
  }
  result.shortlist = packed_shortlist(models, result);
  return result;
}

}  // namespace heed
