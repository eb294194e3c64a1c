#include "heed/c_results.h"

#include <limits>
#include <string>
#include <type_traits>

#include "heed/last_error.h"

namespace heed {

namespace {

using Arrays = heed_translations::Arrays;

Arrays arrays_of(const heed::v0::Translation& translation) {
  Arrays result;
  for (const auto& row : translation.attention)
    result.attention.insert(result.attention.end(), row.begin(), row.end());
  for (const auto& [source, target] : translation.alignment) {
    result.alignment.push_back(source);
    result.alignment.push_back(target);
  }
  return result;
}

// Value that C functions return for something that does not exist: NaN, 0 or nullptr.
template <class Value>
Value nothing() {
  if constexpr (std::is_floating_point_v<Value>)
    return std::numeric_limits<Value>::quiet_NaN();
  else
    return Value();
}

// Reads a value of one translation; nothing() if the translation does not exist.
template <class Read>
auto read(const heed_translations* translations, size_t i, size_t k, const Read& read_from) {
  const heed::v0::Translation* one = translations == nullptr ? nullptr : translations->at(i, k);
  return one == nullptr ? nothing<decltype(read_from(*one))>() : read_from(*one);
}

// False, with a message for heed_last_error(), if `number` is NULL.
bool is_given(const size_t* number, const char* name) {
  if (number == nullptr) keep_last_error(std::string(name) + ": found NULL");
  return number != nullptr;
}

const char* token_in(const std::vector<std::string>& tokens, size_t n) {
  return n < tokens.size() ? tokens[n].c_str() : nullptr;
}

}  // namespace

}  // namespace heed

heed_translations::heed_translations(std::vector<heed::v0::Translations> translations)
    : found(std::move(translations)) {
  for (const heed::v0::Translations& one : found) {
    auto& list = arrays.emplace_back();
    for (const heed::v0::Translation& translation : one.best)
      list.push_back(heed::arrays_of(translation));
  }
}

const heed::v0::Translation* heed_translations::at(size_t i, size_t k) const {
  return i < found.size() && k < found[i].best.size() ? &found[i].best[k] : nullptr;
}

size_t heed_nbest(const heed_translations* translations, size_t i) {
  return translations != nullptr && i < translations->found.size()
             ? translations->found[i].best.size()
             : 0;
}

const char* heed_text(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.text.c_str(); });
}
double heed_score_of(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.score; });
}
double heed_log_probability(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.log_probability; });
}
int heed_finished(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.finished ? 1 : 0; });
}
size_t heed_token_count(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.tokens.size(); });
}
const char* heed_token(const heed_translations* translations, size_t i, size_t k, size_t n) {
  return heed::read(translations, i, k,
                    [=](const auto& one) { return heed::token_in(one.tokens, n); });
}
const double* heed_token_log_probabilities(const heed_translations* translations, size_t i,
                                           size_t k, size_t* count) {
  if (!heed::is_given(count, "count")) return nullptr;
  *count =
      heed::read(translations, i, k, [](const auto& one) { return one.log_probabilities.size(); });
  return heed::read(translations, i, k,
                    [](const auto& one) { return one.log_probabilities.data(); });
}

size_t heed_source_token_count(const heed_translations* translations, size_t i) {
  return heed_nbest(translations, i) > 0 ? translations->found[i].source_tokens.size() : 0;
}
const char* heed_source_token(const heed_translations* translations, size_t i, size_t n) {
  return heed_nbest(translations, i) > 0 ? heed::token_in(translations->found[i].source_tokens, n)
                                         : nullptr;
}

size_t heed_warning_count(const heed_translations* translations, size_t i) {
  return heed_nbest(translations, i) > 0 ? translations->found[i].warnings.size() : 0;
}
const char* heed_warning_kind(const heed_translations* translations, size_t i, size_t n) {
  const bool is_there = n < heed_warning_count(translations, i);
  return is_there ? translations->found[i].warnings[n].kind.c_str() : nullptr;
}
const char* heed_warning_message(const heed_translations* translations, size_t i, size_t n) {
  const bool is_there = n < heed_warning_count(translations, i);
  return is_there ? translations->found[i].warnings[n].message.c_str() : nullptr;
}

const int64_t* heed_alignment(const heed_translations* translations, size_t i, size_t k,
                              size_t* count) {
  if (!heed::is_given(count, "count")) return nullptr;
  *count = 0;
  if (k >= heed_nbest(translations, i)) return nullptr;
  const std::vector<int64_t>& pairs = translations->arrays[i][k].alignment;
  *count = pairs.size() / 2;
  return pairs.data();
}

const float* heed_attention(const heed_translations* translations, size_t i, size_t k, size_t* rows,
                            size_t* columns) {
  if (!heed::is_given(rows, "rows") || !heed::is_given(columns, "columns")) return nullptr;
  *rows = *columns = 0;
  if (k >= heed_nbest(translations, i)) return nullptr;
  const auto& matrix = translations->found[i].best[k].attention;
  if (matrix.empty()) return nullptr;
  *rows = matrix.size();
  *columns = matrix.front().size();
  return translations->arrays[i][k].attention.data();
}
