#include "metric/porter_stemmer.h"

#include <functional>
#include <initializer_list>
#include <unordered_map>
#include <vector>

namespace heed {

namespace {

bool is_vowel_letter(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

// For each letter; y is a consonant at the start and after a vowel.
std::vector<bool> consonants(std::string_view word) {
  std::vector<bool> result(word.size());
  for (size_t i = 0; i < word.size(); ++i) {
    result[i] = word[i] == 'y' ? i == 0 || !result[i - 1] : !is_vowel_letter(word[i]);
  }
  return result;
}

// Porter's m: how often a consonant follows a vowel.
int measure(std::string_view stem) {
  const auto is_consonant = consonants(stem);
  int m = 0;
  for (size_t i = 1; i < stem.size(); ++i) m += is_consonant[i] && !is_consonant[i - 1];
  return m;
}

bool has_vowel(std::string_view stem) {
  for (const bool is_consonant : consonants(stem)) {
    if (!is_consonant) return true;
  }
  return false;
}

// Porter's *d.
bool ends_double_consonant(std::string_view word) {
  const size_t n = word.size();
  return n >= 2 && word[n - 1] == word[n - 2] && consonants(word)[n - 1];
}

// Porter's *o: consonant, vowel, consonant other than w, x, y; here also a word of just vowel and
// consonant.
bool ends_short_syllable(std::string_view word) {
  const auto is_consonant = consonants(word);
  const size_t n = word.size();
  if (n == 2) return !is_consonant[0] && is_consonant[1];
  if (n < 2) return false;
  const char last = word[n - 1];
  return is_consonant[n - 3] && !is_consonant[n - 2] && is_consonant[n - 1] && last != 'w' &&
         last != 'x' && last != 'y';
}

std::string_view cut(std::string_view word, size_t letters) {
  return word.substr(0, word.size() - letters);
}

struct Rule {
  std::string_view suffix, replacement;
};
using Condition = bool (*)(std::string_view suffix, std::string_view stem);

// The first rule whose suffix fits decides, whether its condition holds or not.
std::string apply(std::string_view word, std::initializer_list<Rule> rules, Condition condition) {
  for (const auto& rule : rules) {
    if (!word.ends_with(rule.suffix)) continue;
    const auto stem = cut(word, rule.suffix.size());
    if (!condition(rule.suffix, stem)) break;
    return std::string(stem).append(rule.replacement);
  }
  return std::string(word);
}

bool always(std::string_view, std::string_view) { return true; }
bool positive_measure(std::string_view, std::string_view stem) { return measure(stem) > 0; }

std::string strip_plural(std::string_view word) {
  if (word.ends_with("ies") && word.size() == 4) return std::string(cut(word, 1));
  return apply(word, {{"sses", "ss"}, {"ies", "i"}, {"ss", "ss"}, {"s", ""}}, always);
}

// After -ed and -ing: hop(p)ed, conflat(ed) → conflate, fil(ing) → file.
std::string restore_end(std::string_view stem) {
  for (const std::string_view end : {"at", "bl", "iz"}) {
    if (stem.ends_with(end)) return std::string(stem) + "e";
  }
  if (ends_double_consonant(stem)) {
    const char last = stem.back();
    return std::string(last == 'l' || last == 's' || last == 'z' ? stem : cut(stem, 1));
  }
  return measure(stem) == 1 && ends_short_syllable(stem) ? std::string(stem) + "e"
                                                         : std::string(stem);
}

std::string strip_past_and_progressive(std::string_view word) {
  if (word.ends_with("ied")) return std::string(cut(word, word.size() == 4 ? 1 : 2));
  if (word.ends_with("eed")) return std::string(measure(cut(word, 3)) > 0 ? cut(word, 1) : word);
  for (const std::string_view suffix : {"ed", "ing"}) {
    if (word.ends_with(suffix) && has_vowel(cut(word, suffix.size())))
      return restore_end(cut(word, suffix.size()));
  }
  return std::string(word);
}

std::string y_to_i(std::string_view word) {
  return apply(word, {{"y", "i"}}, [](std::string_view, std::string_view stem) {
    return stem.size() > 1 && consonants(stem).back();
  });
}

std::string shorten_double_suffix(std::string_view word) {
  if (word.ends_with("alli") && measure(cut(word, 4)) > 0)
    return shorten_double_suffix(cut(word, 2));
  return apply(word,
               {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},
                {"izer", "ize"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},
                {"eli", "e"},       {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
                {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"}, {"fulness", "ful"},
                {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
                {"fulli", "ful"},   {"logi", "log"}},
               [](std::string_view suffix, std::string_view stem) {
                 // The l belongs to the stem of "logi", so that short ones such as "geo" count.
                 return measure(suffix == "logi" ? std::string(stem) + "l" : std::string(stem)) > 0;
               });
}

std::string shorten_suffix(std::string_view word) {
  return apply(word,
               {{"icate", "ic"},
                {"ative", ""},
                {"alize", "al"},
                {"iciti", "ic"},
                {"ical", "ic"},
                {"ful", ""},
                {"ness", ""}},
               positive_measure);
}

std::string strip_suffix(std::string_view word) {
  return apply(word,
               {{"al", ""},
                {"ance", ""},
                {"ence", ""},
                {"er", ""},
                {"ic", ""},
                {"able", ""},
                {"ible", ""},
                {"ant", ""},
                {"ement", ""},
                {"ment", ""},
                {"ent", ""},
                {"ion", ""},
                {"ou", ""},
                {"ism", ""},
                {"ate", ""},
                {"iti", ""},
                {"ous", ""},
                {"ive", ""},
                {"ize", ""}},
               [](std::string_view suffix, std::string_view stem) {
                 return measure(stem) > 1 &&
                        (suffix != "ion" || stem.back() == 's' || stem.back() == 't');
               });
}

std::string strip_final_e(std::string_view word) {
  return apply(word, {{"e", ""}}, [](std::string_view, std::string_view stem) {
    return measure(stem) > 1 || (measure(stem) == 1 && !ends_short_syllable(stem));
  });
}

std::string strip_final_l(std::string_view word) {
  return apply(word, {{"ll", "l"}}, [](std::string_view, std::string_view stem) {
    return measure(std::string(stem) + "l") > 1;
  });
}

const std::unordered_map<std::string_view, std::string_view>& irregular() {
  static const std::unordered_map<std::string_view, std::string_view> words = {
      {"sky", "sky"},        {"skies", "sky"},        {"dying", "die"},
      {"lying", "lie"},      {"tying", "tie"},        {"news", "news"},
      {"innings", "inning"}, {"inning", "inning"},    {"outings", "outing"},
      {"outing", "outing"},  {"cannings", "canning"}, {"canning", "canning"},
      {"howe", "howe"},      {"proceed", "proceed"},  {"exceed", "exceed"},
      {"succeed", "succeed"}};
  return words;
}

}  // namespace

std::string porter_stem(std::string_view word) {
  if (const auto at = irregular().find(word); at != irregular().end())
    return std::string(at->second);
  std::string stem(word);
  if (word.size() <= 2) return stem;
  for (const auto step : {strip_plural, strip_past_and_progressive, y_to_i, shorten_double_suffix,
                          shorten_suffix, strip_suffix, strip_final_e, strip_final_l}) {
    stem = step(stem);
  }
  return stem;
}

}  // namespace heed
