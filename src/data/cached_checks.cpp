#include "data/corpus_checks.h"

#include "config/writer.h"
#include "data/content.h"
#include "data/report_json.h"

namespace heed {

namespace {

using Json = nlohmann::json;
using Paths = std::vector<std::filesystem::path>;

std::vector<std::string> names_of(const TrainingText& text) {
  std::vector<std::string> names;
  for (const TextPart& part : text.parts()) names.push_back(part.name);
  return names;
}

// With the names, which the warnings mention.
std::string paths_of(const Paths& files) {
  std::string paths;
  for (const auto& file : files) paths += " " + file.string();
  return paths;
}

Paths files_of(const TrainingText& text) {
  Paths files;
  for (const TextPart& part : text.parts()) {
    for (const SideText& side : part.sides) {
      for (size_t i = 0; i < side.files(); ++i) files.push_back(side.path(i));
    }
    for (const SideText* annotation : part.annotations()) {
      for (size_t i = 0; i < annotation->files(); ++i) files.push_back(annotation->path(i));
    }
  }
  return files;
}

std::string settings_of(const CorpusChecks& checks) {
  DataConfig config;
  config.cleaning = checks.cleaning;
  std::string settings = write_inline(config) + " tabs";
  for (const bool expected : checks.tabs_expected) settings += expected ? " yes" : " no";
  return settings;
}

std::optional<std::string> key_of(const TrainingText& text, const CorpusChecks& checks,
                                  DataCache& cache) {
  const auto content = content_of(text, cache);
  if (!content) return std::nullopt;
  std::string key =
      fmt::format("checks of heed {} (2); {}; {}; {};{}", HEED_VERSION, settings_of(checks),
                  fmt::join(names_of(text), ", "), *content, paths_of(files_of(text)));
  for (const ComparedSet& set : checks.sets) {
    key += fmt::format("; {}:", set.name);
    for (const TextFiles& side : set.files.sides) {
      const auto own = content_of(side.paths, cache);
      if (!own) return std::nullopt;
      key += paths_of(side.paths) + side.view.identity() + *own;
    }
  }
  return key;
}

CorpusFindings findings_of(const Json& json, const TrainingText& text) {
  return {json.at("warnings"), report_from_json(json.at("certain"), names_of(text))};
}

}  // namespace

CorpusFindings cached_checks(const TrainingText& text, const CorpusChecks& checks,
                             DataCache& cache) {
  const auto key = cache.has_folder() ? key_of(text, checks, cache) : std::nullopt;
  if (!key) return check_corpora(text, checks);
  if (const auto found = cache.find(*key)) {
    try {
      return findings_of(Json::parse(*found), text);
    } catch (const Json::exception&) {
      cache.warn_of_damage(*key);
    }
  }
  const CorpusFindings findings = check_corpora(text, checks);
  cache.keep(
      *key,
      Json{{"warnings", findings.warnings}, {"certain", counts_to_json(findings.certain)}}.dump(
          -1, ' ', false, Json::error_handler_t::replace));
  return findings;
}

}  // namespace heed
