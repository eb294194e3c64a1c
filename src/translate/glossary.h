// Terms with the translations that they must have.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "translate/word_forms.h"

namespace heed {

// One of the target texts has to occur where a source text does: inflected forms, or synonyms.
struct GlossaryTerm {
  std::vector<std::string> sources, targets;
};

// Stems by which inflected forms count as the term: in the source, and in the translation. Without them
// words are compared as they are.
struct GlossaryStems {
  StemFunction source{};
  std::shared_ptr<const WordForms> target{};
};

class Glossary {
 public:
  // A source text in several terms may have any of their targets. Texts are well-formed UTF-8.
  explicit Glossary(const std::vector<GlossaryTerm>& terms, GlossaryStems stems = {});

  // A term as the text has it.
  struct Match {
    std::string source;
    std::vector<std::string> targets;
    std::vector<std::string> forms{};  // others that may stand for a target, by the stems
  };
  // Each term once, in the order of the text, found from left to right, the longest first, without
  // overlaps. Terms are compared as sequences of units (markup/text_units.h): whole words, or
  // characters of scripts without spaces. Letter case: as it is, and if no term matches, without it,
  // and then by stems; but a term of capitals alone ("IT") matches only so.
  std::vector<Match> find(std::string_view text) const;
  // True if a text has a target of the match in a form with the same stems.
  bool has_form(const Match& match, std::string_view text) const;

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::vector<std::string> units, lowered, stems;
    std::vector<std::string> targets;
    bool is_capitals;
  };
  // The units of a text, in lower case, and their stems, which are the former if there are none.
  struct Units {
    std::vector<std::string> units, lowered, stems;
    std::vector<size_t> hashes;  // of the stems
  };
  Units read(std::vector<std::string> units) const;
  // The longest term that begins at a unit.
  const Entry* match_at(const Units& text, size_t at) const;
  std::vector<std::string> forms_of(const std::vector<std::string>& targets) const;

  const GlossaryStems stems_;
  std::vector<Entry> entries_;
  std::unordered_map<size_t, std::vector<size_t>> by_hash_;             // of all stems
  std::unordered_map<std::string, std::vector<size_t>> lengths_;        // by first stem, ascending
  std::map<std::vector<std::string>, std::vector<std::string>> known_;  // targets by their stems
};

}  // namespace heed
