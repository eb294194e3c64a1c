#include "base/sentences.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"

namespace heed {

namespace {

using Iterator = std::unique_ptr<icu::BreakIterator>;

void expect_success(UErrorCode status) { HEED_CHECK(U_SUCCESS(status), "{}", u_errorName(status)); }

// Returns an iterator for this thread. Iterators are created once and copied, which takes a ten
// thousandth of the time.
Iterator iterator_of(const std::string& language) {
  static std::mutex mutex;
  static std::map<std::string, Iterator> made;
  const std::lock_guard lock(mutex);
  Iterator& iterator = made[language];
  if (!iterator) {
    UErrorCode status = U_ZERO_ERROR;
    const std::string name = (language.empty() ? "root" : language) + "@ss=standard";
    iterator.reset(icu::BreakIterator::createSentenceInstance(icu::Locale(name.c_str()), status));
    expect_success(status);
  }
  return Iterator(iterator->clone());
}

size_t leading_space(std::string_view text) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  size_t end = 0;
  for (size_t next = 0; next < text.size(); end = next) {
    UChar32 c = 0;
    U8_NEXT(bytes, next, text.size(), c);
    if (c < 0 || !u_isUWhiteSpace(c)) break;
  }
  return end;
}

size_t size_without_trailing_space(std::string_view text) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  auto size = static_cast<int32_t>(text.size());
  for (int32_t before = size; before > 0; size = before) {
    UChar32 c = 0;
    U8_PREV(bytes, 0, before, c);
    if (c < 0 || !u_isUWhiteSpace(c)) break;
  }
  return static_cast<size_t>(size);
}

// The white space or punctuation before the last word of the text ends here.
size_t begin_of_last_word(std::string_view text) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  auto begin = static_cast<int32_t>(text.size());
  for (int32_t before = begin; before > 0; begin = before) {
    UChar32 c = 0;
    U8_PREV(bytes, 0, before, c);
    if (c >= 0 && u_isUWhiteSpace(c)) break;
  }
  for (auto next = begin; next < static_cast<int32_t>(text.size()); begin = next) {
    UChar32 c = 0;
    U8_NEXT(bytes, next, static_cast<int32_t>(text.size()), c);
    if (c < 0 || !u_ispunct(c)) break;
  }
  return static_cast<size_t>(begin);
}

}  // namespace

std::string last_abbreviation(std::string_view sentence) {
  if (!sentence.ends_with('.')) return {};
  std::string word(sentence.substr(begin_of_last_word(sentence)));
  for (char& c : word) c = c >= '0' && c <= '9' ? '0' : c;
  return word;
}

std::string_view without_outer_space(std::string_view text) {
  text.remove_prefix(leading_space(text));
  return text.substr(0, size_without_trailing_space(text));
}

std::vector<std::string_view> split_sentences(std::string_view line, const std::string& language,
                                              const std::vector<std::string>& abbreviations) {
  std::vector<std::string_view> sentences;
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UText, decltype(&utext_close)> text(
      utext_openUTF8(nullptr, line.data(), static_cast<int64_t>(line.size()), &status),
      &utext_close);
  const Iterator iterator = iterator_of(language);
  iterator->setText(text.get(), status);
  expect_success(status);
  for (int32_t begin = iterator->first(), end = iterator->next(); end != icu::BreakIterator::DONE;
       begin = end, end = iterator->next()) {
    const auto offset = static_cast<size_t>(begin), size = static_cast<size_t>(end - begin);
    const std::string_view sentence = without_outer_space(line.substr(offset, size));
    if (sentence.empty()) continue;
    const bool goes_on =
        !sentences.empty() && !abbreviations.empty() &&
        std::ranges::binary_search(abbreviations, last_abbreviation(sentences.back()));
    if (goes_on) {
      std::string_view& last = sentences.back();
      last = {last.data(), static_cast<size_t>(sentence.data() + sentence.size() - last.data())};
    } else {
      sentences.push_back(sentence);
    }
  }
  return sentences;
}

}  // namespace heed
