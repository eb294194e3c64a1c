#include "heed/translator_v0.h"

#include <optional>

#include "heed/boundary.h"
#include "heed/loaded_model.h"
#include "heed/options.h"
#include "translate/batch_translator.h"
#include "translate/directions.h"
#include "translate/line_scores.h"
#include "translate/split_line.h"

namespace heed::v0 {

namespace {

Translation result_of(Translated translated) {
  Translation result;
  result.text = std::move(translated.text);
  result.score = translated.score;
  result.log_probability = translated.log_probability;
  result.finished = translated.finished;
  result.tokens = std::move(translated.pieces);
  result.log_probabilities = std::move(translated.log_probabilities);
  result.alignment = std::move(translated.alignment);
  result.attention = std::move(translated.attention);
  return result;
}

std::vector<Warning> warnings_of(const WarningList& found) {
  std::vector<Warning> warnings;
  for (const LineWarning& one : found) warnings.push_back({name_of(one.kind), one.text()});
  return warnings;
}

Translations result_of(TranslatedLine found) {
  Translations result;
  result.source_tokens = std::move(found.source);
  result.warnings = warnings_of(found.warnings);
  for (Translated& one : found.best) result.best.push_back(result_of(std::move(one)));
  return result;
}

Score result_of(LineScore found) {
  return {found.score.log_probability, std::move(found.pieces),
          std::move(found.score.log_probabilities), warnings_of(found.warnings)};
}

template <class Found>
auto results_of(std::vector<Found> found) {
  std::vector<decltype(result_of(std::move(found.front())))> results;
  for (Found& one : found) results.push_back(result_of(std::move(one)));
  return results;
}

std::vector<SourceLine> as_inputs(const std::vector<std::string>& texts) {
  std::vector<SourceLine> lines;
  for (const std::string& text : texts) lines.push_back({text});
  return lines;
}

void tell(LineWarnings& warnings, const TextOptions& options) {
  for (const std::string& message : warnings.take()) options.warn(message);
}

}  // namespace

struct __attribute__((visibility("hidden"))) Translator::Loaded {
  TextModel model;
};

Translator::Translator(const std::string& model, const LoadOptions& options)
    : Translator(std::vector{model}, options) {}

Translator::Translator(const std::vector<std::string>& models, const LoadOptions& options)
    : loaded_(with_public_errors([&] {
        return std::make_shared<const Loaded>(Loaded{load_model(request_of(models, options))});
      })) {}

Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

std::vector<Translations> Translator::translate(const std::vector<std::string>& texts,
                                                const TranslateOptions& options) const {
  return translate_inputs(as_inputs(texts), options);
}

std::vector<Translations> Translator::translate_inputs(
    const std::vector<std::vector<std::string>>& sources, const TranslateOptions& options) const {
  return with_public_errors([&] {
    const TextModel model = in_direction(loaded_->model, options);
    const std::vector<SourceLine> lines =
        lines_of(model, sources, options, options.split && can_split(model));
    LineWarnings warnings;
    BatchTranslatorOptions how = translator_options(model, options);
    if (options.warn) how.warnings = &warnings;
    auto results = results_of(BatchTranslator(model, std::move(how)).translate(lines));
    if (options.warn) tell(warnings, options);
    return results;
  });
}

std::vector<Score> Translator::score(const std::vector<std::string>& sources,
                                     const std::vector<std::string>& targets,
                                     const TextOptions& options) const {
  return score_inputs(as_inputs(sources), targets, options);
}

std::vector<Score> Translator::score_inputs(const std::vector<std::vector<std::string>>& sources,
                                            const std::vector<std::string>& targets,
                                            const TextOptions& options) const {
  return with_public_errors([&] {
    const TextModel model = in_direction(loaded_->model, options);
    expect_pairs(sources, targets);
    const std::vector<SourceLine> lines = lines_of(model, sources, options, false);
    LineWarnings warnings;
    LineScoreOptions how = score_options(model, options);
    if (options.warn) how.warnings = &warnings;
    auto results = results_of(score_lines(model, lines, targets, how));
    if (options.warn) tell(warnings, options);
    return results;
  });
}

const std::vector<std::string>& Translator::inputs() const { return loaded_->model.inputs; }
const std::vector<std::string>& Translator::tags() const { return loaded_->model.tags; }

std::vector<std::string> Translator::source_languages() const {
  return with_public_errors([&] { return Directions(loaded_->model).sources(); });
}
std::vector<std::string> Translator::target_languages() const {
  return with_public_errors([&] { return Directions(loaded_->model).targets(); });
}

const char* version() { return HEED_VERSION; }

}  // namespace heed::v0
