#include "search/suppressed_tokens.h"

#include "base/error.h"

namespace heed {

namespace {

Ids ids_of(const char* key, const std::vector<std::string>& tokens, const Vocabulary& target) {
  if (const std::string problem = unknown_tokens(tokens, target); !problem.empty())
    throw_error(ErrorKind::kUsage, "search.{}: {}", key, problem);
  Ids ids;
  for (const std::string& token : tokens) ids.push_back(target.id(token));
  return ids;
}

}  // namespace

std::string unknown_tokens(const std::vector<std::string>& tokens, const Vocabulary& target) {
  std::vector<std::string> unknown;
  for (const std::string& token : tokens) {
    if (target.piece(target.id(token)) != token) unknown.push_back(token);
  }
  if (unknown.empty()) return "";
  return fmt::format(
      "the target vocabulary does not have '{}'; expected tokens as `heed tokenize` writes them",
      fmt::join(unknown, "', '"));
}

SuppressedTokens suppressed_tokens(const SearchConfig& config, const Vocabulary& target) {
  return {ids_of("suppress_tokens", config.suppress_tokens, target),
          ids_of("begin_suppress_tokens", config.begin_suppress_tokens, target)};
}

}  // namespace heed
