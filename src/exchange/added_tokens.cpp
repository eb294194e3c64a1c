#include "exchange/added_tokens.h"

#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

std::optional<int64_t> id_in(const std::string& text) {
  int64_t id = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, id);
  return error == std::errc() && last == end && id >= 0 ? std::optional(id) : std::nullopt;
}

[[noreturn]] void refuse_id(const fs::path& path, const std::string& token, const std::string& id) {
  throw_error(ErrorKind::kModel, "{}: the id of the added token '{}' is {}, expected a number",
              path.string(), token, id);
}

}  // namespace

Json read_object(const fs::path& path) {
  if (!is_plain_file(path)) return Json::object();
  Json json = read_json(path);
  if (!json.is_object()) throw_error(ErrorKind::kModel, "{}: expected an object", path.string());
  return json;
}

std::string content_of(const Json& token) {
  const Json* content = &token;
  if (token.is_object() && token.contains("content")) content = &token["content"];
  return content->is_string() ? content->get<std::string>() : "";
}

std::map<int64_t, std::string> read_added_tokens(const fs::path& folder) {
  std::map<int64_t, std::string> tokens;
  const Json config = read_object(folder / kHfTokenizer);
  const auto added = config.find("added_tokens_decoder");
  if (added != config.end() && added->is_object()) {
    for (const auto& [text, token] : added->items()) {
      const auto id = id_in(text);
      if (!id) refuse_id(folder / kHfTokenizer, content_of(token), text);
      tokens.emplace(*id, content_of(token));
    }
  }
  const Json more = read_object(folder / kHfAddedTokens);
  for (const auto& [token, id] : more.items()) {
    if (!id.is_number_unsigned()) refuse_id(folder / kHfAddedTokens, token, id.dump());
    tokens.emplace(id.get<int64_t>(), token);
  }
  std::erase_if(tokens, [](const auto& one) { return one.second.empty(); });
  return tokens;
}

}  // namespace heed
