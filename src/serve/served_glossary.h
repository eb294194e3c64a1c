// A glossary that a client has given to the server: terms with the translations that they have to have.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "translate/glossary.h"

namespace heed {

class ServedGlossary {
 public:
  using Entry = std::pair<std::string, std::string>;  // source term, its translation

  explicit ServedGlossary(std::vector<Entry> entries);
  const std::vector<Entry>& entries() const { return entries_; }
  const std::shared_ptr<const Glossary>& terms() const { return terms_; }

 private:
  std::vector<Entry> entries_;
  std::shared_ptr<const Glossary> terms_;
};

}  // namespace heed
