// A glossary that a client has given to the server: terms with the translations that they have to have.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "glossary/stemmer.h"
#include "translate/glossary.h"
#include "translate/text_model.h"

namespace heed {

class ServedGlossary {
 public:
  using Entry = std::pair<std::string, std::string>;  // source term, its translation

  // languages: of the terms, needed for kStem.
  explicit ServedGlossary(std::vector<Entry> entries, GlossaryMatch match = GlossaryMatch::kExact,
                          GlossaryLanguages languages = {});
  const std::vector<Entry>& entries() const { return entries_; }
  GlossaryMatch match() const { return match_; }
  // The terms for a model. Throws as glossary_stems() does.
  std::shared_ptr<const Glossary> terms_for(const std::shared_ptr<const TextModel>& model) const;

 private:
  std::vector<Entry> entries_;
  const GlossaryMatch match_;
  const GlossaryLanguages languages_;
  mutable std::mutex mutex_;
  mutable std::weak_ptr<const TextModel> model_;  // that the terms were made for last
  mutable std::shared_ptr<const Glossary> terms_;
};

}  // namespace heed
