#include <unicode/uchar.h>

#include <algorithm>
#include <map>

#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "clean/filters/filters.h"

namespace heed {

namespace {

// The byte that Windows-1252 decodes to this character; characters below U+0100 are their own byte.
std::optional<unsigned char> windows_byte(char32_t c) {
  static const std::map<char32_t, unsigned char> kMoved{
      {0x20AC, 0x80}, {0x201A, 0x82}, {0x0192, 0x83}, {0x201E, 0x84}, {0x2026, 0x85},
      {0x2020, 0x86}, {0x2021, 0x87}, {0x02C6, 0x88}, {0x2030, 0x89}, {0x0160, 0x8A},
      {0x2039, 0x8B}, {0x0152, 0x8C}, {0x017D, 0x8E}, {0x2018, 0x91}, {0x2019, 0x92},
      {0x201C, 0x93}, {0x201D, 0x94}, {0x2022, 0x95}, {0x2013, 0x96}, {0x2014, 0x97},
      {0x02DC, 0x98}, {0x2122, 0x99}, {0x0161, 0x9A}, {0x203A, 0x9B}, {0x0153, 0x9C},
      {0x017E, 0x9E}, {0x0178, 0x9F}};
  constexpr char32_t kLatin1 = 0x100;
  if (c < kLatin1) return static_cast<unsigned char>(c);
  const auto found = kMoved.find(c);
  return found == kMoved.end() ? std::nullopt : std::optional(found->second);
}

// A character of text that is UTF-8 decoded as Windows-1252: "Ã¤" is ä. "": there is none.
std::string wrongly_decoded(const std::u32string& characters) {
  constexpr size_t kMost = 4;
  for (size_t i = 0; i < characters.size(); ++i) {
    constexpr char32_t kFirstLead = 0xC2, kLastLead = 0xF4;
    if (characters[i] < kFirstLead || characters[i] > kLastLead) continue;
    std::string bytes, shown;
    for (size_t j = i; j < std::min(i + kMost, characters.size()); ++j) {
      const auto byte = windows_byte(characters[j]);
      if (!byte) break;
      bytes += static_cast<char>(*byte);
      append_code_point(shown, characters[j]);
      size_t offset = 0;
      const auto meant = next_code_point(bytes, offset);
      if (!meant || offset != bytes.size()) continue;
      const bool is_text = u_isprint(static_cast<UChar32>(*meant)) || *meant == U'\u00A0';
      if (is_text) return shown;
      break;
    }
  }
  return "";
}

const char* odd_kind(char32_t c) {
  constexpr char32_t kReplacement = 0xFFFD;
  if (c == U'\t') return nullptr;
  if (c == kReplacement) return "replacement character";
  switch (u_charType(static_cast<UChar32>(c))) {
    case U_CONTROL_CHAR:
      return "control character";
    case U_PRIVATE_USE_CHAR:
      return "private use character";
    case U_UNASSIGNED:
      return "unassigned character";
    default:
      return nullptr;
  }
}

class CharactersFilter final : public SideFilter {
 public:
  explicit CharactersFilter(const CharactersFilterConfig& config) : config_(config) {}

 private:
  std::string side_reason(const CorpusPair& pair, size_t side) const override {
    const SideLine& line = pair.sides[side];
    int64_t visible = 0, letters = 0;
    for (const char32_t c : line.characters) {
      if (const char* kind = odd_kind(c))
        return fmt::format("{} U+{:04X}", kind, static_cast<uint32_t>(c));
      const bool is_letter = is_of_kind(c, CharacterKind::kLetter) || is_mark(c);
      letters += is_letter;
      visible += !is_of_kind(c, CharacterKind::kWhiteSpace);
    }
    const std::string wrong = wrongly_decoded(line.characters);
    if (!wrong.empty()) return fmt::format("'{}', UTF-8 that was read as Windows-1252", wrong);
    const double share = static_cast<double>(letters) / static_cast<double>(visible);
    return share < config_.min_letters ? fmt::format("letters {:.0f} %", 100 * share) : "";
  }

  CharactersFilterConfig config_;
};

}  // namespace

PairFilterPtr make_characters_filter(const CharactersFilterConfig& config) {
  return std::make_shared<CharactersFilter>(config);
}

}  // namespace heed
