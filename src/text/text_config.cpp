#include "text/text_config.h"

#include <algorithm>

#include "base/error.h"
#include "base/folder.h"
#include "base/line_separators.h"
#include "base/suggest.h"
#include "config/paths.h"

namespace heed {

template <>
void Fields::map<TextConfig>(const char* name, TextConfigs& values, const char* help) {
  MapField field = map_field(values);
  field.visit_item = [&values, help](const std::string& side, Fields& f) {
    f.one_of(side.c_str(), values.at(side).tokenizer, tokenizers(), help);
  };
  field.visit_fresh = [help](Fields& f) {
    TextConfig fresh;
    f.one_of("", fresh.tokenizer, tokenizers(), help);
  };
  show(name, field, help);
}

void TextSection::fields(Fields& f) { f.map("text", text, ""); }

std::vector<ChangedSetting> changed_text(const TextConfigs& before, const TextConfigs& now) {
  TextSection former, own;
  former.text = before;
  own.text = now;
  return changed_settings(flatten_config(former), flatten_config(own));
}

const std::string& owner_of(const TextConfigs& text, const std::string& side) {
  const auto found = text.find(side);
  HEED_CHECK(found != text.end(), "no text side '{}'", side);
  const TokenizerConfig& config = *found->second.tokenizer;
  return config.share ? *config.share : found->first;
}

bool has_one_vocabulary(const TextConfigs& text, const std::string& side,
                        const std::string& other) {
  const std::string &first = owner_of(text, side), &second = owner_of(text, other);
  if (first == second) return true;
  const auto file_of = [&text](const std::string& owner) -> std::optional<std::string> {
    const auto found = text.find(owner);
    const VocabularyConfig* vocabulary =
        found == text.end() ? nullptr : found->second.tokenizer->vocabulary_config();
    return vocabulary == nullptr ? std::nullopt : vocabulary->file;
  };
  const std::optional<std::string> file = file_of(first);
  return file && file == file_of(second);
}

void validate_sharing(const TextConfigs& text, Problems& problems) {
  std::vector<std::string> owners;
  for (const auto& [side, config] : text) {
    if (!config.tokenizer->share) owners.push_back(side);
  }
  for (const auto& [side, config] : text) {
    const std::optional<std::string>& share = config.tokenizer->share;
    if (!share || std::ranges::find(owners, *share) != owners.end()) continue;
    const std::string why = *share == side          ? "is this entry itself"
                            : text.contains(*share) ? "shares another entry itself"
                                                    : "is not an entry of `text`";
    problems.add(side + ".share", "'" + *share + "' " + why + did_you_mean(*share, owners));
  }
}

void validate_target_marker(const TextConfigs& text, Problems& problems) {
  if (!text.contains("target")) return;
  const auto owner = text.find(owner_of(text, "target"));
  if (owner == text.end() || !owner->second.tokenizer->marker) return;
  if (has_line_separator(*owner->second.tokenizer->marker))
    problems.add(owner->first + ".marker",
                 "holds a line separator, which a translation, one line, cannot have; use another, "
                 "such as \"\\t\"");
}

void resolve_text_paths(TextConfigs& text, const std::filesystem::path& folder) {
  for (auto& [side, config] : text)
    resolve_paths(*config.tokenizer, PathRoot::kConfigFolder, folder);
}

std::vector<std::filesystem::path> text_files(const TextConfigs& text) {
  std::vector<std::filesystem::path> files;
  for (const auto& [side, config] : text) {
    for (const PathValue& file : paths_in(*config.tokenizer, PathRoot::kConfigFolder))
      files.emplace_back(file.path);
  }
  return files;
}

void find_missing_text_files(const TextConfigs& text, const std::filesystem::path& folder,
                             Problems& problems) {
  for (const auto& [side, config] : text) {
    for (const auto& [key, path] : paths_in(*config.tokenizer, PathRoot::kConfigFolder)) {
      const std::filesystem::path full = folder / path;
      if (is_plain_file(full)) continue;
      std::error_code ignored;
      const bool exists = std::filesystem::exists(full, ignored);
      problems.add(side + "." + key, exists ? full.string() + " is not a regular file"
                                            : "there is no file " + full.string());
    }
  }
}

}  // namespace heed
