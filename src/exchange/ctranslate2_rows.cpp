#include "exchange/ctranslate2_vocabulary.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

std::optional<int64_t> id_of(const CTranslate2Side& side, const std::string& token) {
  const auto found = std::ranges::find(side.tokens, token);
  if (found == side.tokens.end()) return std::nullopt;
  return found - side.tokens.begin();
}

// Ids beyond the vocabulary: a row of zeros.
SpecialIds special_ids(const CTranslate2Side& side, const CTranslate2Settings& settings,
                       const std::string& begin) {
  const auto zero = std::ssize(side.tokens);
  const int64_t blank = id_of(side, "<blank>").value_or(zero);
  return {.pad = id_of(side, "<pad>").value_or(blank),
          .unknown = id_of(side, settings.unknown).value_or(zero),
          .begin = settings.begins_with_zero ? zero : id_of(side, begin).value_or(zero),
          .end = id_of(side, settings.end).value_or(zero)};
}

TokenRows rows_of(const CTranslate2Side& side, const SpecialIds& special,
                  const CTranslate2Languages& languages) {
  std::map<int64_t, std::string> tokens;
  std::map<std::string, int64_t> ids;
  for (int64_t id = 0; id < std::ssize(side.tokens); ++id) {
    const std::string& token = side.tokens[static_cast<size_t>(id)];
    if (!ids.emplace(token, id).second) {
      spdlog::warn(
          "{}: '{}' has the ids {} and {}; text has the first, the second has another name",
          side.file.string(), token, ids[token], id);
      continue;
    }
    const auto renamed = languages.renamed.find(token);
    tokens[id] = renamed == languages.renamed.end() ? token : renamed->second;
  }
  const auto zero = std::ssize(side.tokens);
  const bool has_zeros =
      std::ranges::count(
          std::initializer_list<int64_t>{special.pad, special.unknown, special.begin, special.end},
          zero) > 0;
  TokenRows rows = token_rows(tokens, special, has_zeros ? zero + 1 : zero, side.file.string());
  rows.warn_of_replaced(side.file.string());
  return rows;
}

void require_token(const CTranslate2Side& target, const std::string& token, const char* what) {
  if (!id_of(target, token))
    throw_error(ErrorKind::kModel, "{}: lacks the token '{}' that {} a target",
                target.file.string(), token, what);
}

}  // namespace

CTranslate2Rows order_ctranslate2_rows(const CTranslate2Vocabularies& vocabularies,
                                       const CTranslate2Settings& settings,
                                       const CTranslate2Languages& languages) {
  const CTranslate2Side &source = vocabularies.source, &target = vocabularies.target;
  require_token(target, settings.end, "ends");
  if (!settings.begins_with_zero) require_token(target, languages.begin, "begins");
  const SpecialIds of_target = special_ids(target, settings, languages.begin);
  const auto zero = std::ssize(target.tokens);
  CTranslate2Rows rows;
  if (of_target.pad == zero) rows.never.push_back(kPad);
  rows.target = rows_of(target, of_target, languages);
  const bool has_own_begin =
      of_target.begin != zero && rows.target.has_own_begin() && settings.begin.has_value();
  if (!has_own_begin) rows.never.push_back(kBegin);
  rows.source = vocabularies.is_shared
                    ? rows.target
                    : rows_of(source, special_ids(source, settings, languages.begin), languages);
  return rows;
}

}  // namespace heed
