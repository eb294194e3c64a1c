#include "data/source_facts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/compression/compressed_name.h"
#include "base/language_code.h"
#include "base/letter_counts.h"
#include "data/sentence_ends.h"

namespace heed {

namespace {

constexpr int64_t kSampledLines = 20'000;
constexpr int64_t kSampledSentences = 200'000;  // abbreviations are rare

struct Property {
  const char *key, *help;
  bool LineProperties::*of_line;
  std::optional<double> SourceFacts::*share;
};

constexpr Property kProperties[] = {
    {"unknown_tokens", "share of the lines with a token outside the vocabulary",
     &LineProperties::unknown_tokens, &SourceFacts::unknown_tokens},
    {"all_capitals", "share of the lines in capital letters", &LineProperties::all_capitals,
     &SourceFacts::all_capitals},
    {"first_capital", "share of the lines that begin with a capital letter",
     &LineProperties::first_capital, &SourceFacts::first_capital},
    {"first_small", "share of the lines that begin with a small letter",
     &LineProperties::first_small, &SourceFacts::first_small},
    {"inline_tags", "share of the lines with a tag of HTML or XML", &LineProperties::inline_tags,
     &SourceFacts::inline_tags},
};

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool has_inline_tag(std::string_view line) {
  for (size_t at = line.find('<'); at != std::string_view::npos; at = line.find('<', at + 1)) {
    size_t name = at + 1;
    if (name < line.size() && line[name] == '/') ++name;
    const size_t end = line.find_first_of("<>", name);
    if (end == std::string_view::npos) return false;
    const std::string_view inside = line.substr(name, end - name);
    const bool is_tag = line[end] == '>' && !inside.empty() && is_ascii_letter(inside.front());
    if (is_tag && line.substr(at, end + 1 - at) != kUnknownPiece) return true;
  }
  return false;
}

void add_case(std::string_view line, LineProperties& to) {
  constexpr size_t kFewCapitals = 6;
  const LetterCounts letters = letter_counts(line);
  if (!letters.is_cased()) return;
  to.all_capitals = letters.small == 0 && letters.capitals >= kFewCapitals;
  to.first_capital = letters.first_is_capital;
  to.first_small = letters.first_is_small;
}

// "train.en.gz" -> "en"
std::string language_of_file(const std::filesystem::path& path) {
  const std::string ending = without_compression(path).extension().string();
  return ending.empty() ? "" : language_code(std::string_view(ending).substr(1));
}

}  // namespace

void SourceFacts::fields(Fields& f) {
  f.field("several_sentences", several_sentences, kFraction,
          "share of the lines with several sentences");
  for (const Property& property : kProperties)
    f.field(property.key, this->*property.share, kFraction, property.help);
  f.list("abbreviations", abbreviations, "words with a period that end no sentence");
}

LineProperties properties_of(std::string_view line, const Ids& ids, const Codec& codec) {
  LineProperties found;
  found.unknown_tokens = std::ranges::count(ids, kUnknown) > 0;
  found.inline_tags = has_inline_tag(line);
  if (!codec.tokenizer().lowers()) add_case(line, found);
  return found;
}

SourceFacts find_source_facts(const TrainingText& text, size_t side, const Codec& codec,
                              const std::string& language) {
  const auto step_of = [&](int64_t lines) { return std::max<int64_t>(1, text.lines() / lines); };
  const int64_t step = step_of(kSampledLines), sentence_step = step_of(kSampledSentences);
  int64_t number = 0, lines = 0;
  std::map<const Property*, int64_t> counts;
  SentenceEnds sentences(language);
  for (const TextPart& part : text.parts()) {
    SideText::Reader reader(part.sides.at(side));
    std::string line;
    for (uint64_t offset = 0; reader.next(line, offset); ++number) {
      if (line.empty()) continue;
      if (number % sentence_step == 0) sentences.add(line);
      if (number % step != 0) continue;
      ++lines;
      const LineProperties own = properties_of(line, codec.encode(line), codec);
      for (const Property& property : kProperties) counts[&property] += own.*property.of_line;
    }
  }
  const auto rounded = [](double share) {
    constexpr double kDigits = 1e5;
    return std::round(share * kDigits) / kDigits;
  };
  SourceFacts facts;
  for (const auto& [property, count] : counts)
    facts.*property->share = rounded(static_cast<double>(count) / static_cast<double>(lines));
  facts.abbreviations = sentences.abbreviations();
  facts.several_sentences = rounded(sentences.share_of_several());
  return facts;
}

std::string language_of_side(const TextPart& part, size_t side, std::string_view name) {
  if (const std::string own = language_code(name); !own.empty()) return own;
  std::optional<std::string> common;
  for (size_t file = 0; file < part.sides.at(side).files(); ++file) {
    const std::string own = language_of_file(part.sides[side].path(file));
    if (common.value_or(own) != own) return {};
    common = own;
  }
  return common.value_or("");
}

std::string language_of_side(const TrainingText& text, size_t side, std::string_view name) {
  std::optional<std::string> common;
  for (const TextPart& part : text.parts()) {
    const std::string own = language_of_side(part, side, name);
    if (common.value_or(own) != own) return {};
    common = own;
  }
  return common.value_or("");
}

}  // namespace heed
