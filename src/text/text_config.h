// `text:` section: tokenization of the source and target sides, by the name of the side.
//
//   text:
//     source: {type: sentencepiece, size: 8000}
//     target: {share: source}
//
// The value is a kind of TokenizerConfig (tokenizer.h); the default type is sentencepiece.
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

// Lists each side as a kind in f.map("text", text, …), without a further level in the file.
template <>
void Fields::map<TextConfig>(const char* name, TextConfigs& values, const char* help);

// The `text` section alone.
struct TextSection final : Settings {
  TextConfigs text;
  void fields(Fields& f) override;
};
// Settings in which the tokenizers differ: text.source.size.
std::vector<ChangedSetting> changed_text(const TextConfigs& before, const TextConfigs& now);

// Side whose tokenizer and vocabulary this side uses: itself, unless it shares.
const std::string& owner_of(const TextConfigs& text, const std::string& side);

// True if the config guarantees that a token has the same id on both sides: one shares the other's,
// or both name the same vocabulary file.
bool has_one_vocabulary(const TextConfigs& text, const std::string& side, const std::string& other);

// Reports sides that share from a side that cannot be shared. For validate() of the struct that
// holds them as `text`.
void validate_sharing(const TextConfigs& text, Problems& problems);

// Reports a target marker that translations, which are one line each, could not contain. For
// validate() of a training config.
void validate_target_marker(const TextConfigs& text, Problems& problems);

// Makes relative paths relative to `folder`, the folder of the config.
void resolve_text_paths(TextConfigs& text, const std::filesystem::path& folder);
// Vocabulary and model files that the config names.
std::vector<std::filesystem::path> text_files(const TextConfigs& text);
// Adds a problem for every named file that does not exist. Paths in `text` must be as they were
// read.
void find_missing_text_files(const TextConfigs& text, const std::filesystem::path& folder,
                             Problems& problems);

}  // namespace heed
