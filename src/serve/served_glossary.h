// A glossary that a client has given to the server: terms with the translations that they have to have.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed {

class ServedGlossary {
 public:
  using Entry = std::pair<std::string, std::string>;  // source term, its translation

  explicit ServedGlossary(std::vector<Entry> entries);
  const std::vector<Entry>& entries() const { return entries_; }
  // The translations of the terms in a text, each as often as its term is there. A term is found as
  // whole words in its case. Of terms that overlap, the one that begins first counts, and the
  // longest of these. Terms of scripts without spaces are found anywhere.
  std::vector<std::string> phrases_for(std::string_view text) const;

 private:
  std::vector<Entry> entries_;
  std::map<std::string, std::string, std::less<>> by_term_;
  size_t longest_ = 0;  // bytes of a term
};

}  // namespace heed
