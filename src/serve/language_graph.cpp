#include "serve/language_graph.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/language_code.h"

namespace heed {

namespace {

using Languages = std::vector<std::string>;

// "en+fr" as codes; none if a part is no code in lower case.
Languages languages_in(std::string_view text) {
  Languages languages;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('+', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const bool is_lower = std::ranges::all_of(part, [](char c) { return c >= 'a' && c <= 'z'; });
    const std::string code = is_lower ? language_code(part) : "";
    if (code.empty()) return {};
    languages.push_back(code);
    begin = end + 1;
  }
  return languages;
}

struct NamedLanguages {
  Languages sources, targets;
};

std::optional<NamedLanguages> languages_of_name(std::string_view name) {
  name = name.substr(name.rfind('/') + 1);
  const size_t hyphen = name.find('-');
  if (hyphen == std::string_view::npos) return std::nullopt;
  NamedLanguages named{languages_in(name.substr(0, hyphen)), languages_in(name.substr(hyphen + 1))};
  if (named.sources.empty() || named.targets.empty()) return std::nullopt;
  return named;
}

std::string code_of_token(const std::string& token) {
  constexpr size_t kMarks = 2;  // ">>" and "<<"
  return language_code(std::string_view(token).substr(kMarks, token.size() - 2 * kMarks));
}

// A model by its target languages: those of tags or tokens, or the one that it has.
void add_pairs(const std::string& source, const ModelLanguages& model,
               std::vector<LanguagePair>& pairs) {
  for (const std::string& tag : model.tags)
    pairs.push_back({.source = source, .target = language_code(tag), .tag = tag});
  if (!model.tags.empty()) return;
  for (const std::string& token : model.tokens)
    pairs.push_back({.source = source, .target = code_of_token(token), .token = token});
  if (model.tokens.empty()) pairs.push_back({.source = source, .target = model.target});
}

// A language that a model reads or writes, and its code there.
struct ModelLanguage {
  std::string language, code;
};

// The first code of each language; only the named ones. codes: none if the model has this one language.
std::vector<ModelLanguage> languages_of(const Languages& codes, const std::string& only,
                                        const Languages* named) {
  std::vector<ModelLanguage> languages;
  if (codes.empty()) languages.push_back({only, ""});
  for (const std::string& code : codes) {
    const std::string language = language_code(code);
    if (std::ranges::count(languages, language, &ModelLanguage::language) == 0)
      languages.push_back({language, code});
  }
  std::erase_if(languages, [named](const ModelLanguage& one) {
    return one.language.empty() ||
           (named != nullptr && std::ranges::count(*named, one.language) == 0);
  });
  return languages;
}

// Pairs of a model whose direction is chosen.
std::vector<LanguagePair> chosen_pairs(const std::optional<NamedLanguages>& named,
                                       const ModelLanguages& model) {
  std::vector<LanguagePair> pairs;
  const auto sources = languages_of(model.sources, model.source, named ? &named->sources : nullptr),
             targets = languages_of(model.targets, model.target, named ? &named->targets : nullptr);
  for (const ModelLanguage& source : sources) {
    for (const ModelLanguage& target : targets) {
      if (source.language == target.language) continue;
      pairs.push_back({.source = source.language,
                       .target = target.language,
                       .direction = {source.code, target.code}});
    }
  }
  return pairs;
}

}  // namespace

std::vector<LanguagePair> language_pairs(const std::string& name, const ModelLanguages& model) {
  const auto named = languages_of_name(name);
  if (!model.sources.empty() || !model.targets.empty()) return chosen_pairs(named, model);
  const bool chooses_target = !model.tags.empty() || !model.tokens.empty();
  if (named && named->targets.size() > 1 && !chooses_target)
    throw_error(ErrorKind::kUsage,
                "{}: names several target languages, but the model has neither tags nor tokens of "
                "languages; expected one target language",
                name);
  ModelLanguages own = model;
  if (named && !chooses_target) own.target = named->targets.front();
  std::vector<LanguagePair> all, pairs;
  for (const std::string& source : named ? named->sources : Languages{model.source})
    add_pairs(source, own, all);
  std::set<std::pair<std::string, std::string>> seen;
  for (LanguagePair& pair : all) {
    const bool is_named =
        !named || std::ranges::find(named->targets, pair.target) != named->targets.end();
    const bool is_known = !pair.source.empty() && !pair.target.empty();
    if (is_named && is_known && pair.source != pair.target &&
        seen.emplace(pair.source, pair.target).second)
      pairs.push_back(std::move(pair));
  }
  return pairs;
}

void LanguageGraph::add(const std::string& model, const std::vector<LanguagePair>& pairs) {
  for (const LanguagePair& pair : pairs)
    if (numbers_.emplace(std::pair(pair.source, pair.target), edges_.size()).second)
      edges_.push_back({model, pair});
}

const LanguageGraph::Step* LanguageGraph::edge(const std::string& source,
                                               const std::string& target) const {
  const auto found = numbers_.find({source, target});
  return found == numbers_.end() ? nullptr : &edges_[found->second];
}

std::vector<std::string> LanguageGraph::sources() const {
  std::set<std::string> all;
  for (const Step& step : edges_) all.insert(step.pair.source);
  return {all.begin(), all.end()};
}

std::vector<std::string> LanguageGraph::targets() const {
  std::set<std::string> all;
  for (const Step& step : edges_) all.insert(step.pair.target);
  return {all.begin(), all.end()};
}

std::vector<std::string> LanguageGraph::targets_of(const std::string& source) const {
  std::vector<std::string> found;
  for (const std::string& target : targets())
    if (!path(source, target).empty()) found.push_back(target);
  return found;
}

std::vector<std::string> LanguageGraph::sources_of(const std::string& target) const {
  std::vector<std::string> found;
  for (const std::string& source : sources())
    if (!path(source, target).empty()) found.push_back(source);
  return found;
}

std::vector<LanguageGraph::Step> LanguageGraph::path(const std::string& source,
                                                     const std::string& target) const {
  if (source == target) return {};
  if (const Step* direct = edge(source, target)) return {*direct};
  if (!may_pivot_) return {};
  std::vector<std::string> between = {"en"};
  std::set<std::string> seen = {"en"};
  for (const Step& step : edges_)
    if (seen.insert(step.pair.target).second) between.push_back(step.pair.target);
  for (const std::string& language : between) {
    const Step *first = edge(source, language), *second = edge(language, target);
    if (first != nullptr && second != nullptr) return {*first, *second};
  }
  return {};
}

}  // namespace heed
