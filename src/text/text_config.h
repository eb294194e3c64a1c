// The `text:` section: tokenization of the source and target sides, by the name of the side.
//
//   text:
//     source: {type: sentencepiece, size: 8000}
//     target: {share: source}
//
// The value is a kind of TokenizerConfig (tokenizer.h); sentencepiece if no type is given.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/changed_settings.h"
#include "text/sentencepiece.h"
#include "text/tokenizer.h"

namespace heed {

// Copies share their settings.
struct TextConfig {
  std::shared_ptr<TokenizerConfig> tokenizer = make_kind<SentencePieceConfig>("sentencepiece");
};
using TextConfigs = std::map<std::string, TextConfig>;

// f.map("text", text, …) lists each side as a kind: no level of its own in the file.
template <>
void Fields::map<TextConfig>(const char* name, const TextConfigs& values, const char* help);

// The `text` section alone.
struct TextSection final : Settings {
  TextConfigs text;
  void fields(Fields& f) const override;
};
// Settings of the tokenizers that differ: text.source.size.
std::vector<ChangedSetting> changed_text(const TextConfigs& before, const TextConfigs& now);

// The side whose tokenizer and vocabulary this one uses: itself, unless it shares.
const std::string& owner_of(const TextConfigs& text, const std::string& side);

// Whether a token has the same id on both sides, for all that the config says: one shares the
// other's, or both name the same vocabulary file.
bool has_one_vocabulary(const TextConfigs& text, const std::string& side, const std::string& other);

// For the validate of the struct that holds them as `text`: sides that share what cannot be shared.
void validate_sharing(const TextConfigs& text, Problems& problems);

// For the validate of a training config: the marker of a target that translations, which are one
// line each, could not hold.
void validate_target_marker(const TextConfigs& text, Problems& problems);

// Relative paths are relative to `folder`, which is the config's.
void resolve_text_paths(TextConfigs& text, const std::filesystem::path& folder);
// Vocabularies and models that are given as files.
std::vector<std::filesystem::path> text_files(const TextConfigs& text);
// Every named file that does not exist is a problem. Paths in `text` as they were read.
void find_missing_text_files(const TextConfigs& text, const std::filesystem::path& folder,
                             Problems& problems);

}  // namespace heed
