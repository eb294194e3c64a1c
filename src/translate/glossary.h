// Terms with the translations that they must have.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed {

// One of the target texts has to occur where a source text does: inflected forms, or synonyms.
struct GlossaryTerm {
  std::vector<std::string> sources, targets;
};

class Glossary {
 public:
  // A source text in several terms may have any of their targets. Texts are well-formed UTF-8.
  explicit Glossary(const std::vector<GlossaryTerm>& terms);

  // A term as the text has it.
  struct Match {
    std::string source;
    std::vector<std::string> targets;
  };
  // Each term once, in the order of the text, found from left to right, the longest first, without
  // overlaps. Terms are compared as sequences of units (markup/text_units.h): whole words, or
  // characters of scripts without spaces. Letter case: as it is, and if no term matches, without it;
  // but a term of capitals alone ("IT") matches only so.
  std::vector<Match> find(std::string_view text) const;

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::vector<std::string> units, lowered;
    std::vector<std::string> targets;
    bool is_capitals;
  };
  // The longest term that begins at a unit; lowered_hashes: of each lower-cased unit.
  const Entry* match_at(const std::vector<std::string>& units,
                        const std::vector<std::string>& lowered,
                        const std::vector<size_t>& lowered_hashes, size_t at) const;

  std::vector<Entry> entries_;
  std::unordered_map<size_t, std::vector<size_t>> by_hash_;  // of all lower-cased units
  std::unordered_map<std::string, std::vector<size_t>>
      lengths_;  // by first lower-cased unit, ascending
};

}  // namespace heed
