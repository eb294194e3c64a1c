#include "translate/glossary.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <ranges>
#include <set>

#include "base/sorted.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "markup/text_units.h"

namespace heed {

namespace {

using Texts = std::vector<std::string>;

Texts lower_cased(const Texts& units) {
  Texts lowered;
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

// Hash of a sequence that goes on with a further one.
size_t combined(size_t hash, size_t next) { return (hash ^ next) * 0x9E3779B97F4A7C15u + 1; }

bool has_at(const Texts& text, size_t at, const Texts& term) {
  return at + term.size() <= text.size() &&
         std::equal(term.begin(), term.end(), text.begin() + static_cast<std::ptrdiff_t>(at));
}

void add_new(const std::string& text, Texts& texts) {
  if (std::ranges::count(texts, text) == 0) texts.push_back(text);
}

}  // namespace

Glossary::Glossary(const std::vector<GlossaryTerm>& terms, GlossaryStems stems)
    : stems_(std::move(stems)) {
  std::map<Texts, size_t> known;
  for (const GlossaryTerm& term : terms) {
    for (const std::string& source : term.sources) {
      Units own = read(unit_texts(source, units_of(source)));
      if (own.units.empty()) continue;
      const auto [entry, is_new] = known.emplace(own.units, entries_.size());
      if (is_new) {
        size_t hash = 0;
        for (const size_t one : own.hashes) hash = combined(hash, one);
        by_hash_[hash].push_back(entries_.size());
        lengths_[own.stems.front()].push_back(own.stems.size());
        entries_.push_back({std::move(own.units),
                            std::move(own.lowered),
                            std::move(own.stems),
                            {},
                            is_in_capitals(source)});
      }
      for (const std::string& target : term.targets)
        add_new(target, entries_[entry->second].targets);
    }
    if (stems_.target == nullptr) continue;
    for (const std::string& target : term.targets)
      add_new(target, known_[stems_.target->key(target)]);
  }
  for (auto& [first, lengths] : lengths_) sort_unique(lengths);
}

Glossary::Units Glossary::read(Texts units) const {
  Units read{.units = std::move(units), .lowered = {}, .stems = {}, .hashes = {}};
  read.lowered = lower_cased(read.units);
  read.stems = read.lowered;
  if (stems_.source)
    for (std::string& unit : read.stems) unit = stems_.source(unit);
  std::ranges::transform(read.stems, std::back_inserter(read.hashes), std::hash<std::string>());
  return read;
}

const Glossary::Entry* Glossary::match_at(const Units& text, size_t at) const {
  const auto lengths = lengths_.find(text.stems[at]);
  if (lengths == lengths_.end()) return nullptr;
  const Entry* longest = nullptr;
  size_t hash = 0, end = at;
  for (const size_t length : lengths->second) {
    if (at + length > text.units.size()) break;
    for (; end < at + length; ++end) hash = combined(hash, text.hashes[end]);
    const auto found = by_hash_.find(hash);
    if (found == by_hash_.end()) continue;
    // Entries of this length: one as the text has it counts first, then one in another letter case.
    std::array<const Entry*, 3> best{};
    for (const size_t i : found->second) {
      const Entry& entry = entries_[i];
      if (entry.units.size() != length) continue;
      const std::array matches{
          has_at(text.units, at, entry.units),
          !entry.is_capitals && has_at(text.lowered, at, entry.lowered),
          !entry.is_capitals && has_at(text.stems, at, entry.stems),
      };
      for (size_t way = 0; way < best.size(); ++way)
        if (matches[way] && best[way] == nullptr) best[way] = &entry;
    }
    for (const Entry* entry : best | std::views::reverse)
      if (entry != nullptr) longest = entry;
  }
  return longest;
}

Texts Glossary::forms_of(const Texts& targets) const {
  constexpr size_t kMost = 16;  // of a target
  Texts forms;
  if (stems_.target == nullptr) return forms;
  for (const std::string& target : targets) {
    for (const std::string& form : known_.at(stems_.target->key(target))) add_new(form, forms);
    for (const std::string& form : stems_.target->of(target, kMost)) add_new(form, forms);
  }
  std::erase_if(forms, [&](const std::string& form) { return std::ranges::count(targets, form); });
  return forms;
}

std::vector<Glossary::Match> Glossary::find(std::string_view text) const {
  const std::vector<TextUnit> places = units_of(text);
  const Units read = this->read(unit_texts(text, places));
  std::vector<Match> matches;
  std::set<const Entry*> used;
  for (size_t at = 0; at < places.size();) {
    const Entry* entry = match_at(read, at);
    if (entry != nullptr && used.insert(entry).second) {
      const size_t begin = places[at].begin, end = places[at + entry->units.size() - 1].end;
      matches.push_back(
          {std::string(text.substr(begin, end - begin)), entry->targets, forms_of(entry->targets)});
    }
    at += entry == nullptr ? 1 : entry->units.size();
  }
  return matches;
}

bool Glossary::has_form(const Match& match, std::string_view text) const {
  if (stems_.target == nullptr) return false;
  const Texts stems = stems_.target->key(text);
  return std::ranges::any_of(match.targets, [&](const std::string& target) {
    const Texts key = stems_.target->key(target);
    return !key.empty() && !std::ranges::search(stems, key).empty();
  });
}

}  // namespace heed
