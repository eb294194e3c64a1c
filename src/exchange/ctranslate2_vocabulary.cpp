#include "exchange/ctranslate2_vocabulary.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "exchange/json_file.h"

namespace heed {

namespace {

std::vector<std::string> tokens_of_json(const fs::path& path) {
  const Json json = read_json(path);
  std::vector<std::string> tokens;
  if (json.is_array()) {
    for (const Json& token : json) {
      if (!token.is_string()) break;
      tokens.push_back(token.get<std::string>());
    }
  }
  if (!json.is_array() || tokens.size() != json.size())
    throw_error(ErrorKind::kModel, "{}: expected a list of tokens", path.string());
  return tokens;
}

// A line each. A carriage return is part of a token, unless all lines end in one.
std::vector<std::string> tokens_of_text(const fs::path& path) {
  const std::string text = read_file(path);
  std::vector<std::string> tokens;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    tokens.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const bool has_returns =
      std::ranges::all_of(tokens, [](const std::string& token) { return token.ends_with('\r'); });
  for (std::string& token : tokens) {
    if (has_returns) token.pop_back();
  }
  return tokens;
}

std::optional<CTranslate2Side> read_side(const fs::path& folder, const std::string& name,
                                         const std::string& unknown) {
  for (const char* ending : {".json", ".txt"}) {
    const fs::path file = folder / (name + "_vocabulary" + ending);
    if (!is_plain_file(file)) continue;
    CTranslate2Side side{
        ending == std::string(".json") ? tokens_of_json(file) : tokens_of_text(file), file};
    if (std::ranges::find(side.tokens, unknown) == side.tokens.end())
      side.tokens.push_back(unknown);
    return side;
  }
  return std::nullopt;
}

}  // namespace

CTranslate2Vocabularies read_ctranslate2_vocabularies(const fs::path& folder,
                                                      const std::string& unknown) {
  if (const auto shared = read_side(folder, "shared", unknown))
    return {.source = *shared, .target = *shared, .is_shared = true};
  if (read_side(folder, "source_1", unknown))
    throw_error(ErrorKind::kModel,
                "{}: has source features (source_1_vocabulary), which are not imported",
                folder.string());
  const auto source = read_side(folder, "source", unknown),
             target = read_side(folder, "target", unknown);
  if (!source || !target)
    throw_error(ErrorKind::kModel,
                "{}: has neither shared_vocabulary.json nor source_vocabulary.json and "
                "target_vocabulary.json (or .txt)",
                folder.string());
  return {.source = *source, .target = *target};
}

}  // namespace heed
