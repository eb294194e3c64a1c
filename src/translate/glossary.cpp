#include "translate/glossary.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/sorted.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "markup/text_units.h"

namespace heed {

namespace {

using Units = std::vector<std::string>;

Units lower_cased_units(const Units& units) {
  Units lowered;
  std::ranges::transform(units, std::back_inserter(lowered), lower_case);
  return lowered;
}

// True for text with capitals and without small letters.
bool is_in_capitals(const std::string& text) {
  bool has_capital = false;
  for (size_t at = 0; at < text.size();) {
    const auto c = next_code_point(text, at);
    if (c && is_of_kind(*c, CharacterKind::kSmall)) return false;
    has_capital |= c && is_of_kind(*c, CharacterKind::kCapital);
  }
  return has_capital;
}

std::vector<size_t> hashes_of(const Units& units) {
  std::vector<size_t> hashes;
  std::ranges::transform(units, std::back_inserter(hashes), std::hash<std::string>());
  return hashes;
}

// Hash of a sequence that goes on with a further one.
size_t combined(size_t hash, size_t next) { return (hash ^ next) * 0x9E3779B97F4A7C15u + 1; }

bool has_at(const Units& text, size_t at, const Units& term) {
  return at + term.size() <= text.size() &&
         std::equal(term.begin(), term.end(), text.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

Glossary::Glossary(const std::vector<GlossaryTerm>& terms) {
  std::map<Units, size_t> known;
  for (const GlossaryTerm& term : terms) {
    for (const std::string& source : term.sources) {
      Units units = unit_texts(source, units_of(source));
      if (units.empty()) continue;
      const auto [own, is_new] = known.emplace(units, entries_.size());
      if (is_new) {
        Units lowered = lower_cased_units(units);
        size_t hash = 0;
        for (const size_t one : hashes_of(lowered)) hash = combined(hash, one);
        by_hash_[hash].push_back(entries_.size());
        lengths_[lowered.front()].push_back(lowered.size());
        entries_.push_back({std::move(units), std::move(lowered), {}, is_in_capitals(source)});
      }
      std::vector<std::string>& targets = entries_[own->second].targets;
      for (const std::string& target : term.targets)
        if (std::ranges::count(targets, target) == 0) targets.push_back(target);
    }
  }
  for (auto& [first, lengths] : lengths_) sort_unique(lengths);
}

const Glossary::Entry* Glossary::match_at(const Units& units, const Units& lowered,
                                          const std::vector<size_t>& lowered_hashes,
                                          size_t at) const {
  const auto lengths = lengths_.find(lowered[at]);
  if (lengths == lengths_.end()) return nullptr;
  const Entry* longest = nullptr;
  size_t hash = 0, end = at;
  for (const size_t length : lengths->second) {
    if (at + length > units.size()) break;
    for (; end < at + length; ++end) hash = combined(hash, lowered_hashes[end]);
    const auto found = by_hash_.find(hash);
    if (found == by_hash_.end()) continue;
    const Entry* best = nullptr;  // of this length; one in the same letter case counts first
    for (const size_t i : found->second) {
      const Entry& entry = entries_[i];
      if (entry.units.size() != length) continue;
      if (has_at(units, at, entry.units)) {
        best = &entry;
        break;
      }
      if (best == nullptr && !entry.is_capitals && has_at(lowered, at, entry.lowered))
        best = &entry;
    }
    if (best != nullptr) longest = best;
  }
  return longest;
}

std::vector<Glossary::Match> Glossary::find(std::string_view text) const {
  const std::vector<TextUnit> places = units_of(text);
  const Units units = unit_texts(text, places), lowered = lower_cased_units(units);
  const std::vector<size_t> lowered_hashes = hashes_of(lowered);
  std::vector<Match> matches;
  std::set<const Entry*> used;
  for (size_t at = 0; at < units.size();) {
    const Entry* entry = match_at(units, lowered, lowered_hashes, at);
    if (entry != nullptr && used.insert(entry).second) {
      const size_t begin = places[at].begin, end = places[at + entry->units.size() - 1].end;
      matches.push_back({std::string(text.substr(begin, end - begin)), entry->targets});
    }
    at += entry == nullptr ? 1 : entry->units.size();
  }
  return matches;
}

}  // namespace heed
