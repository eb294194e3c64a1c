#include "translate/glossary.h"

#include <algorithm>
#include <map>
#include <set>

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
        by_first_[lowered.front()].push_back(entries_.size());
        entries_.push_back({std::move(units), std::move(lowered), {}, is_in_capitals(source)});
      }
      std::vector<std::string>& targets = entries_[own->second].targets;
      for (const std::string& target : term.targets)
        if (std::ranges::count(targets, target) == 0) targets.push_back(target);
    }
  }
  for (auto& [first, own] : by_first_)
    std::ranges::stable_sort(own, std::ranges::greater(),
                             [this](size_t i) { return entries_[i].units.size(); });
}

const Glossary::Entry* Glossary::match_at(const Units& units, const Units& lowered,
                                          size_t at) const {
  const auto found = by_first_.find(lowered[at]);
  if (found == by_first_.end()) return nullptr;
  const Entry* best = nullptr;  // without letter case
  for (const size_t i : found->second) {
    const Entry& entry = entries_[i];
    if (best != nullptr && entry.units.size() < best->units.size()) break;
    if (has_at(units, at, entry.units)) return &entry;
    if (best == nullptr && !entry.is_capitals && has_at(lowered, at, entry.lowered)) best = &entry;
  }
  return best;
}

std::vector<Glossary::Match> Glossary::find(std::string_view text) const {
  const std::vector<TextUnit> places = units_of(text);
  const Units units = unit_texts(text, places), lowered = lower_cased_units(units);
  std::vector<Match> matches;
  std::set<const Entry*> used;
  for (size_t at = 0; at < units.size();) {
    const Entry* entry = match_at(units, lowered, at);
    if (entry != nullptr && used.insert(entry).second) {
      const size_t begin = places[at].begin, end = places[at + entry->units.size() - 1].end;
      matches.push_back({std::string(text.substr(begin, end - begin)), entry->targets});
    }
    at += entry == nullptr ? 1 : entry->units.size();
  }
  return matches;
}

}  // namespace heed
