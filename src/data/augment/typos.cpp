#include <array>
#include <cctype>
#include <map>
#include <string>

#include "base/unicode/unicode.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "data/augment/drawn_words.h"
#include "data/augment/modifiers.h"

namespace heed {

namespace {

constexpr size_t kLeastLetters = 4;

// A word as its code points, where typing errors are made behind the first letter.
class TypedWord {
 public:
  explicit TypedWord(std::string_view word) {
    for (const std::string_view character : code_points(word)) {
      size_t begin = 0;
      const char32_t code = next_code_point(character, begin).value();
      is_alphabetic_ = is_alphabetic_ && !is_mark(code) && !is_unspaced(code);
      if (is_of_kind(code, CharacterKind::kLetter)) letters_.push_back(characters_.size());
      characters_.emplace_back(character);
    }
  }

  bool is_fit() const { return is_alphabetic_ && letters_.size() >= kLeastLetters; }
  std::string text() const { return fmt::format("{}", fmt::join(characters_, "")); }

  // Each makes one error of its kind; false if the word has no position for it.
  bool swap(RandomStream& draws) {
    std::vector<size_t> positions;  // of the first of two letters
    for (size_t i = 1; i + 1 < letters_.size(); ++i) {
      const size_t at = letters_[i];
      if (letters_[i + 1] == at + 1 && characters_[at] != characters_[at + 1])
        positions.push_back(at);
    }
    if (positions.empty()) return false;
    const size_t at = positions[draws.below(positions.size())];
    std::swap(characters_[at], characters_[at + 1]);
    return true;
  }
  bool leave_out(RandomStream& draws) {
    characters_.erase(characters_.begin() + static_cast<std::ptrdiff_t>(draw_letter(draws)));
    return true;
  }
  bool double_letter(RandomStream& draws) {
    std::string& letter = characters_[draw_letter(draws)];
    letter += letter;
    return true;
  }
  bool hit_neighbour(RandomStream& draws) {
    std::vector<size_t> positions;
    for (size_t i = 1; i < letters_.size(); ++i) {
      if (!neighbours_of(characters_[letters_[i]]).empty()) positions.push_back(letters_[i]);
    }
    if (positions.empty()) return false;
    std::string& letter = characters_[positions[draws.below(positions.size())]];
    const std::string_view keys = neighbours_of(letter);
    const char key = keys[draws.below(keys.size())];
    const bool is_capital = std::isupper(static_cast<unsigned char>(letter[0])) != 0;
    letter = is_capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(key))) : key;
    return true;
  }

 private:
  size_t draw_letter(RandomStream& draws) const {
    return letters_[1 + draws.below(letters_.size() - 1)];
  }

  // Letters beside a letter on an English keyboard (QWERTY).
  static std::string_view neighbours_of(const std::string& letter) {
    static const std::map<char, std::string_view> kKeys = {
        {'q', "wa"},   {'w', "qes"},  {'e', "wrd"},  {'r', "etf"},  {'t', "ryg"},  {'y', "tuh"},
        {'u', "yij"},  {'i', "uok"},  {'o', "ipl"},  {'p', "ol"},   {'a', "qsz"},  {'s', "adwx"},
        {'d', "sfec"}, {'f', "dgrv"}, {'g', "fhtb"}, {'h', "gjyn"}, {'j', "hkum"}, {'k', "jli"},
        {'l', "kop"},  {'z', "ax"},   {'x', "zcs"},  {'c', "xvd"},  {'v', "cbf"},  {'b', "vng"},
        {'n', "bmh"},  {'m', "nj"}};
    if (letter.size() != 1) return {};
    const auto found =
        kKeys.find(static_cast<char>(std::tolower(static_cast<unsigned char>(letter[0]))));
    return found == kKeys.end() ? std::string_view() : found->second;
  }

  std::vector<std::string> characters_;
  std::vector<size_t> letters_;  // positions
  bool is_alphabetic_ = true;
};

std::string with_typo(std::string_view text, RandomStream& draws) {
  constexpr std::array kErrors = {&TypedWord::swap, &TypedWord::leave_out,
                                  &TypedWord::double_letter, &TypedWord::hit_neighbour};
  TypedWord word(text);
  const auto error = kErrors[draws.below(kErrors.size())];
  if (!(word.*error)(draws)) word.double_letter(draws);
  return word.text();
}

}  // namespace

bool make_typos(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  bool changed = false;
  for (size_t source = 0; source < pair.sources(); ++source) {
    WordLine& line = pair.sides[source];
    const auto is_fit = [](const LineWord& word) { return TypedWord(word.text).is_fit(); };
    for (const size_t i : drawn_words(line, config.typos->rate, draws, is_fit)) {
      line.words[i].text = with_typo(line.words[i].text, draws);
      changed = true;
    }
  }
  return changed;
}

}  // namespace heed
