#include "cli/translate/document_translation.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/translate/prepared_translation.h"
#include "document/document.h"

namespace heed {

namespace {

// Options that ask for more than one text for each text of the document, or name files of its lines.
void refuse_options(const TranslateOptions& options) {
  const std::pair<const char*, bool> refused[] = {
      {"--nbest", options.nbest && !options.risk_metric},
      {"--format", options.format != TranslationFormat::kText},
      {"--attention", options.attention.has_value()},
      {"--alignments", options.alignments.has_value()},
      {"--delays", options.delays.has_value()},
      {"--shard", options.shard.has_value()},
      {"--interactive", options.interactive},
      {"--prefix", options.constraints.prefix.has_value()},
      {"--constraints", options.constraints.phrases.has_value()},
      {"--avoid", options.constraints.avoided.has_value()}};
  for (const auto& [option, is_given] : refused)
    if (is_given)
      throw_error(ErrorKind::kUsage, "{} is for lines, found --document; leave one of them out",
                  option);
}

std::string names_of_formats() {
  std::vector<std::string> names;
  for (const DocumentFormat& format : document_formats()) names.emplace_back(format.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const DocumentFormat& format_of(const std::string& name, const fs::path& file) {
  if (name == kFormatOfName) {
    if (const DocumentFormat* found = find_document_format(file)) return *found;
    throw_error(ErrorKind::kUsage,
                "--document: the ending of {} names no format of documents; give one of {}",
                file.string(), names_of_formats());
  }
  const auto found = std::ranges::find_if(
      document_formats(), [&](const DocumentFormat& format) { return name == format.name; });
  if (found == document_formats().end())
    throw_error(ErrorKind::kUsage, "--document: found '{}', expected one of {}", name,
                names_of_formats());
  return *found;
}

}  // namespace

void translate_document(const TranslateOptions& options) {
  refuse_options(options);
  if (options.inputs.size() != 1 || options.inputs.front() == "-")
    throw_error(ErrorKind::kUsage, "--document: found {} inputs, expected one file: -i FILE",
                options.inputs.size());
  const fs::path file = options.inputs.front();
  const Document document = read_document(file, format_of(*options.document, file));
  if (options.output != "-") check_output_path(options.output);
  std::vector<std::string> texts;
  for (const DocumentText& text : document.texts) texts.push_back(text.text);
  if (texts.empty()) spdlog::warn("{}: has no text to translate", file.string());
  CollectedTranslations collected{.ignores_case = true};
  TranslateOptions of_texts = options;
  of_texts.texts = &texts;
  of_texts.collect = &collected;
  if (of_texts.markup.format == MarkupFormat::kNone) of_texts.markup.format = document.markup;
  of_texts.markup.protects.placeholders |= document.has_placeholders;
  PreparedTranslation(of_texts).translate_all();
  AtomicFile output(options.output);
  output.write(with_translations(document, collected.lines));
  output.commit();
}

}  // namespace heed
