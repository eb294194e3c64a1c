#include "text/text_folder.h"

#include <fmt/ranges.h>

#include "base/file.h"
#include "config/reader.h"
#include "config/writer.h"

namespace heed {

namespace {

// With the files of the folder in place of what they were learned by.
TextConfigs with_files(const TextConfigs& text, const fs::path& folder) {
  TextSection section, copy;
  section.text = text;
  read_config_text(write_config(section), kTextConfig,
                   copy);  // copies of TextConfig share settings
  for (auto& [side, config] : copy.text) {
    if (!config.tokenizer->share) config.tokenizer->take_files(folder, side);
  }
  return copy.text;
}

}  // namespace

void save_text(const fs::path& folder, const fs::path& final_folder, const TextConfigs& text,
               const Codecs& codecs) {
  save_codecs(folder, text, codecs);
  TextSection section;
  section.text = with_files(text, fs::absolute(final_folder).lexically_normal());
  write_file(folder / kTextConfig, write_config(section));
}

Codecs load_text(const fs::path& folder, const std::string& config) {
  const fs::path file = folder / config;
  TextSection section;
  std::vector<std::string> problems;
  for (const Problem& problem : find_problems(read_config_start(file.string()), file.string(),
                                              section, {.overrides = {}, .saved = true})) {
    if (problem.path == "text" || problem.path.starts_with("text."))
      problems.push_back(problem.text());
  }
  if (!problems.empty() || section.text.empty()) {
    throw_error(ErrorKind::kModel, "{}",
                problems.empty() ? file.string() + ": has no section `text`"
                                 : fmt::format("{}", fmt::join(problems, "\n")));
  }
  return load_codecs(folder, section.text);
}

Codecs load_sentencepiece(const fs::path& file) {
  const auto tokenizer = std::make_shared<const SentencePieceTokenizer>(
      read_file(file), file.string(), /*lower=*/false);
  const auto codec = std::make_shared<const Codec>(
      tokenizer, std::make_shared<const Vocabulary>(tokenizer->own_pieces()));
  return {{"source", codec}, {"target", codec}};
}

}  // namespace heed
