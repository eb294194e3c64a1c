// The glossaries that clients have given to the server, which keeps them until it ends.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "serve/served_glossary.h"

namespace heed {

struct StoredGlossary {
  std::string id, name;
  std::string source, target;  // codes of the languages
  std::chrono::system_clock::time_point created;
  std::shared_ptr<const ServedGlossary> terms;
};

class GlossaryStore {
 public:
  static constexpr size_t kGlossaries = 1000, kBytes = 20'000'000;

  // Gives the glossary its id. Throws HttpError(kQuotaExceeded) above kGlossaries, or above kBytes of
  // memory.
  StoredGlossary add(StoredGlossary glossary);
  // Both throw HttpError(kNotFound).
  StoredGlossary find(const std::string& id) const;
  void remove(const std::string& id);
  std::vector<StoredGlossary> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, StoredGlossary> glossaries_;  // by id
  size_t bytes_ = 0;
};

// Entries of lines of two columns between tabs. Both throw HttpError(kBadRequest) that names the line.
std::vector<ServedGlossary::Entry> entries_of_tsv(const std::string& text);
// The same by commas, with quotes as in RFC 4180. Further columns, such as those of languages, are left
// out.
std::vector<ServedGlossary::Entry> entries_of_csv(const std::string& text);
std::string tsv_of(const std::vector<ServedGlossary::Entry>& entries);

}  // namespace heed
