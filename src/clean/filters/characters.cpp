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

// The characters of text that is UTF-8 but was decoded as Windows-1252: "Ã¤" is ä. All of them are
// characters that correct text has, too, such as in « été » with no-break spaces.
class WrongDecoding {
 public:
  explicit WrongDecoding(const std::u32string& characters) : characters_(characters) {}

  // The first one; "": there is none.
  std::string first() const {
    for (size_t i = 0; i < characters_.size(); ++i) {
      const size_t length = length_at(i);
      if (length == 0 || !is_wrong(i, length)) continue;
      std::string shown;
      for (size_t j = i; j < i + length; ++j) append_code_point(shown, characters_[j]);
      return shown;
    }
    return "";
  }

 private:
  // How many characters from here are the bytes of one character; 0: none.
  size_t length_at(size_t begin) const {
    constexpr size_t kMost = 4;
    std::string bytes;
    for (size_t i = begin; i < std::min(begin + kMost, characters_.size()); ++i) {
      const auto byte = windows_byte(characters_[i]);
      constexpr unsigned char kFirst = 0x80;
      if (!byte || *byte < kFirst) return 0;
      bytes += static_cast<char>(*byte);
      size_t offset = 0;
      const auto meant = next_code_point(bytes, offset);
      if (meant && offset == bytes.size()) return bytes.size();
    }
    return 0;
  }

  bool is_wrong(size_t begin, size_t length) const {
    constexpr std::u32string_view kLatinOrCyrillic = U"ÂÃÄÅÐÑ", kPunctuation = U"€‚„",
                                  kAfterWords = U"\u00A0«»“”„‘’‚…–—‹›•";
    const char32_t lead = characters_[begin], second = characters_[begin + 1];
    if (length == 2) {
      if (kLatinOrCyrillic.find(lead) == std::u32string_view::npos) return false;
      const bool may_follow = kAfterWords.find(second) != std::u32string_view::npos;
      return !may_follow || (begin + length < characters_.size() &&
                             is_of_kind(characters_[begin + length], CharacterKind::kLetter));
    }
    if (lead == U'â') return kPunctuation.find(second) != std::u32string_view::npos;
    return length_at(begin + length) == length;  // such as two Chinese characters
  }

  const std::u32string& characters_;
};

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
    const std::string wrong = WrongDecoding(line.characters).first();
    if (!wrong.empty()) return fmt::format("'{}', UTF-8 that was read as Windows-1252", wrong);
    const double share =
        static_cast<double>(letters) / static_cast<double>(std::max<int64_t>(1, visible));
    return share < config_.min_letters ? fmt::format("letters {:.0f} %", 100 * share) : "";
  }

  CharactersFilterConfig config_;
};

}  // namespace

PairFilterPtr make_characters_filter(const CharactersFilterConfig& config) {
  return std::make_shared<CharactersFilter>(config);
}

}  // namespace heed
