#include "serve/served_glossary.h"

namespace heed {

ServedGlossary::ServedGlossary(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::vector<GlossaryTerm> terms;
  for (const auto& [source, target] : entries_)
    terms.push_back({.sources = {source}, .targets = {target}});
  terms_ = std::make_shared<const Glossary>(terms);
}

}  // namespace heed
