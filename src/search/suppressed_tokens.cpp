#include "search/suppressed_tokens.h"

#include <algorithm>
#include <set>

#include "base/error.h"

namespace heed {

namespace {

Ids ids_of(const char* key, const std::vector<std::string>& tokens, const Vocabulary& target) {
  if (const std::string problem = unknown_tokens(tokens, target); !problem.empty())
    throw_error(ErrorKind::kUsage, "search.{}: {}", key, problem);
  Ids ids;
  std::set<int32_t> known;  // each costs time at every step
  for (const std::string& token : tokens) {
    const int32_t id = target.id(token);
    if (known.insert(id).second) ids.push_back(id);
  }
  return ids;
}

}  // namespace

std::string unknown_tokens(const std::vector<std::string>& tokens, const Vocabulary& target) {
  std::vector<std::string> unknown;
  for (const std::string& token : tokens) {
    if (target.piece(target.id(token)) != token) unknown.push_back(token);
  }
  if (unknown.empty()) return "";
  constexpr size_t kNamed = 10;
  const size_t others = unknown.size() - std::min(kNamed, unknown.size());
  unknown.resize(unknown.size() - others);
  return fmt::format(
      "the target vocabulary does not have '{}'{}; expected tokens as `heed tokenize` writes them",
      fmt::join(unknown, "', '"), others > 0 ? fmt::format(" and {} more", others) : "");
}

SuppressedTokens suppressed_tokens(const SearchConfig& config, const Vocabulary& target) {
  return {ids_of("suppress_tokens", config.suppress_tokens, target),
          ids_of("begin_suppress_tokens", config.begin_suppress_tokens, target)};
}

}  // namespace heed
