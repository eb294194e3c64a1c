#include "serve/served_glossary.h"

namespace heed {

ServedGlossary::ServedGlossary(std::vector<Entry> entries, GlossaryMatch match,
                               GlossaryLanguages languages)
    : entries_(std::move(entries)), match_(match), languages_(std::move(languages)) {}

// The stems of a target depend on the words of the model; without stems the terms serve all models.
std::shared_ptr<const Glossary> ServedGlossary::terms_for(
    const std::shared_ptr<const TextModel>& model) const {
  const std::lock_guard lock(mutex_);
  const bool has_stems = match_ == GlossaryMatch::kStem;
  if (terms_ != nullptr && (!has_stems || model_.lock() == model)) return terms_;
  std::vector<GlossaryTerm> terms;
  for (const auto& [source, target] : entries_)
    terms.push_back({.sources = {source}, .targets = {target}});
  GlossaryStems stems;
  if (has_stems) stems = glossary_stems(languages_, model->target_codec());
  terms_ = std::make_shared<const Glossary>(terms, std::move(stems));
  model_ = model;
  return terms_;
}

}  // namespace heed
