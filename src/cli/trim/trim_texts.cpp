#include "cli/trim/trim_texts.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/folder.h"
#include "base/line_progress.h"
#include "base/line_warnings.h"
#include "base/log.h"
#include "base/suggest.h"
#include "cli/translate/interruption.h"
#include "data/column_reader.h"
#include "data/example.h"

namespace heed {

namespace {

// The texts are read more than once.
void check_text(const std::string& option, const std::string& text) {
  const fs::path path = text_of_argument(text).path;
  if (path == "-" || (is_there(path) && !is_plain_file(path)))
    throw_error(ErrorKind::kUsage, "{} {}: the text is read twice; give a regular file", option,
                text);
  ColumnReader opened(text);
}

TrimText source_text(const std::string& option, const std::string& argument,
                     const std::vector<std::string>& sources) {
  const size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals);
  const bool has_name = equals != std::string::npos && std::ranges::count(sources, name) > 0;
  if (has_name) return {name, argument.substr(equals + 1)};
  if (sources.size() == 1) return {sources.front(), argument};
  if (sources.empty())
    throw_error(ErrorKind::kUsage,
                "{} {}: a language model has no source; give its text as that of the target",
                option, argument);
  throw_error(ErrorKind::kUsage, "{} {}: the model reads {}; give NAME=FILE{}", option, argument,
              fmt::join(sources, ", "),
              equals == std::string::npos ? "" : did_you_mean(name, sources));
}

}  // namespace

std::vector<TrimText> trim_texts(const TrimTexts& texts, const std::vector<std::string>& sources) {
  std::vector<TrimText> all;
  for (const std::string& argument : texts.sources) {
    const TrimText source = source_text(texts.source_option, argument, sources);
    check_text(texts.source_option, source.text);
    all.push_back(source);
  }
  for (const std::string& text : texts.targets) {
    check_text(texts.target_option, text);
    all.push_back({kTargetSide, text});
  }
  for (const std::string& text : texts.all) {
    check_text("--keep", text);
    all.push_back({"", text});
  }
  return all;
}

void read_trim_text(const TrimText& text, bool warns,
                    const std::function<void(std::string_view line)>& take) {
  constexpr int64_t kStep = 1000;  // lines
  ColumnReader reader(text.text);
  LineWarnings warnings;
  std::optional<LineProgress> progress;
  if (stderr_is_terminal()) progress.emplace("tokenized", std::nullopt);
  int64_t count = 0;
  for (std::string line; reader.next(line);) {
    take(well_formed(line, reader.lines().line_number(), warns ? &warnings : nullptr));
    if (++count % kStep != 0) continue;
    stop_if_interrupted();
    if (progress) progress->add(kStep);
  }
  for (const std::string& warning : warnings.take()) spdlog::warn("{}: {}", text.text, warning);
}

}  // namespace heed
