#include "cli/translate/translation_settings.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/model_folder.h"
#include "base/packed_file.h"
#include "cli/translate/options.h"
#include "config/writer.h"

namespace heed {

namespace {

using NamedValues = std::map<std::string, std::string>;

std::string hash_of_model(const std::string& path) {
  return hash_file(find_model(path) / kManifest);
}

const char* word_of(TranslationFormat format) {
  return format == TranslationFormat::kJson        ? "json"
         : format == TranslationFormat::kJsonTexts ? "json-texts"
         : format == TranslationFormat::kTsv       ? "tsv"
                                                   : "text";
}

void add_search(const SearchConfig& search, NamedValues& settings) {
  for (const auto& [key, value] : flatten_config(search)) settings["search." + key] = value;
  settings["nbest"] = std::to_string(search.nbest);
  if (!search.sampling) return;
  const SamplingOptions& sampling = *search.sampling;
  settings["temperature"] = fmt::format("{}", sampling.temperature);
  settings["top-k"] = std::to_string(sampling.top_k);
  settings["top-p"] = fmt::format("{}", sampling.top_p);
  settings["seed"] = std::to_string(sampling.seed);
}

void add_shortlist_sizes(const ShortlistSizes& sizes, NamedValues& settings) {
  settings["shortlist-best"] = std::to_string(sizes.best);
  settings["shortlist-frequent"] = std::to_string(sizes.frequent);
}

void add_markup(const MarkupOptions& markup, NamedValues& settings) {
  const auto word = [](bool is_on) { return is_on ? "yes" : "no"; };
  if (markup.format != MarkupFormat::kNone)
    settings["markup"] = markup.format == MarkupFormat::kHtml ? "html" : "xml";
  if (!markup.protects.any()) return;
  settings["protect placeholders"] = word(markup.protects.placeholders);
  settings["protect urls"] = word(markup.protects.urls);
  settings["protect emails"] = word(markup.protects.emails);
  settings["protect numbers"] = word(markup.protects.numbers);
}

}  // namespace

NamedValues translation_settings(const TranslateOptions& options, const SearchConfig& search) {
  NamedValues settings;
  settings["heed"] = HEED_VERSION;
  for (size_t i = 0; i < options.models.size(); ++i)
    settings[fmt::format("model {}", i + 1)] = hash_of_model(options.models[i]);
  add_search(search, settings);
  settings["format"] = word_of(options.format);
  settings["lists"] = options.nbest ? "yes" : "no";
  const auto& precision = options.decoding.precision;
  settings["precision"] = precision                                ? precision_word(*precision)
                          : is_packed_file(options.models.front()) ? "that of the model"
                                                                   : "fp32";
  settings["split"] = options.split ? "yes" : "no";
  settings["replace-unknown"] = options.replace_unknown ? "yes" : "no";
  add_markup(options.markup, settings);
  if (options.risk_metric) settings["mbr"] = *options.risk_metric;
  if (options.tag) settings["tag"] = *options.tag;
  if (options.glossary) settings["glossary-match"] = options.glossary_match;
  if (!options.direction.source.empty()) settings["source-language"] = options.direction.source;
  if (!options.direction.target.empty()) settings["target-language"] = options.direction.target;
  if (options.shortlist) add_shortlist_sizes(options.shortlist_sizes, settings);
  return settings;
}

std::vector<NamedFile> output_files(const TranslateOptions& options) {
  std::vector<NamedFile> files{{"--output", options.output}};
  if (options.attention) files.push_back({"--attention", *options.attention});
  if (options.alignments) files.push_back({"--alignments", *options.alignments});
  if (options.delays) files.push_back({"--delays", *options.delays});
  return files;
}

bool writes_files(const TranslateOptions& options) {
  return options.collect == nullptr &&
         (options.output != "-" || options.attention || options.alignments || options.delays);
}

}  // namespace heed
