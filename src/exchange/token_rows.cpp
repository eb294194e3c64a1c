#include "exchange/token_rows.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

bool can_be_stored(const std::string& token) {
  return !token.empty() && token.find_first_of("\n\r") == std::string::npos &&
         !is_special_piece(token);
}

void check_ids(const std::map<int64_t, std::string>& tokens, const SpecialIds& special,
               int64_t size, const std::string& name) {
  if (!tokens.empty() && tokens.rbegin()->first >= size)
    throw_error(ErrorKind::kModel, "{}: has the id {}, but the embeddings {} rows", name,
                tokens.rbegin()->first, size);
  for (const int64_t id : {special.pad, special.unknown, special.begin, special.end}) {
    if (id < 0 || id >= size)
      throw_error(ErrorKind::kModel,
                  "{}: a special token has the id {}, but the embeddings {} rows", name, id, size);
  }
}

}  // namespace

bool TokenRows::has_own_begin() const { return std::ranges::count(rows, rows.at(kBegin)) == 1; }

void TokenRows::warn_of_replaced(const std::string& name) const {
  for (const std::string& token : replaced)
    spdlog::warn("{}: the token '{}' cannot be one of heed; its id has another name", name, token);
}

TokenRows token_rows(const std::map<int64_t, std::string>& tokens, const SpecialIds& special,
                     int64_t size, const std::string& name) {
  check_ids(tokens, special, size, name);
  TokenRows result;
  result.rows = {special.pad, special.unknown, special.begin, special.end};
  const auto begin = tokens.find(special.begin);
  std::set<int64_t> taken = {special.pad, special.unknown, special.end};
  if (begin == tokens.end() || !can_be_stored(begin->second)) taken.insert(special.begin);
  std::vector<std::string> pieces;
  for (int64_t id = 0; id < size; ++id) {
    if (taken.contains(id)) continue;
    const auto found = tokens.find(id);
    const bool is_known = found != tokens.end() && can_be_stored(found->second);
    if (found != tokens.end() && !is_known) result.replaced.push_back(found->second);
    pieces.push_back(is_known ? found->second : fmt::format("<id:{}>", id));
    result.rows.push_back(id);
  }
  result.vocabulary = Vocabulary(pieces);
  return result;
}

}  // namespace heed
