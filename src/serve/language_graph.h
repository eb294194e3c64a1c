// The languages that the models of a server translate, as edges of a graph, and the paths in it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/tags.h"
#include "translate/direction.h"

namespace heed {

// Languages that a model translates from and into.
struct LanguagePair {
  std::string source, target;  // codes of ISO 639
  std::string tag{};           // that the lines have, for a model with tags
  std::string token{};         // ">>deu<<" before each line; "": none
  Direction direction{};       // of the lines, for a model of many languages
};

// Languages of a model by its files.
struct ModelLanguages {
  std::string source, target;         // codes of ISO 639; "": unknown
  Tags tags{};                        // which may be target languages
  std::vector<std::string> tokens{};  // ">>deu<<"
  // Codes of the model, "deu_Latn", if a direction has to be chosen.
  std::vector<std::string> sources{}, targets{};
};

// The pairs of a model. Its name goes before its files: "en-de", or "en+fr-de+es" of several languages,
// also as the last part of a path. The target languages of several are its tags, tokens or codes; of several codes of
// a language the first is used. Throws Error(kUsage) for a name with several target languages of a model with
// none of these.
std::vector<LanguagePair> language_pairs(const std::string& name, const ModelLanguages& model);

class LanguageGraph {
 public:
  struct Step {
    std::string model;
    LanguagePair pair;
  };

  // may_pivot: true if a path may lead over a third language.
  explicit LanguageGraph(bool may_pivot) : may_pivot_(may_pivot) {}
  // The first of several models with a pair is used.
  void add(const std::string& model, const std::vector<LanguagePair>& pairs);

  // Sorted.
  std::vector<std::string> sources() const;
  std::vector<std::string> targets() const;
  std::vector<std::string> targets_of(const std::string& source) const;
  std::vector<std::string> sources_of(const std::string& target) const;
  // The models that translate from one language into another, in order: one, or two with a language
  // between, which is English if possible; none: there is no path.
  std::vector<Step> path(const std::string& source, const std::string& target) const;

 private:
  const Step* edge(const std::string& source, const std::string& target) const;

  bool may_pivot_;
  std::vector<Step> edges_;
  std::map<std::pair<std::string, std::string>, size_t> numbers_;  // of edges_, by languages
};

}  // namespace heed
