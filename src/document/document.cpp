#include "document/document.h"

#include <algorithm>

#include "base/compression/compressed_name.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "document/html_document.h"
#include "document/markdown.h"
#include "document/message_catalogue.h"
#include "document/paragraphs.h"
#include "document/subtitles.h"

namespace heed {

std::string with_translations(const Document& document,
                              const std::vector<std::string>& translations) {
  if (translations.size() != document.texts.size())
    throw_error(ErrorKind::kFailure, "document: found {} translations, expected {}",
                translations.size(), document.texts.size());
  std::string content;
  for (size_t i = 0; i < translations.size(); ++i) {
    const DocumentText& text = document.texts[i];
    content += text.before;
    const bool stays = translations[i] == text.text && !text.is_always_written;
    content += stays ? text.original : text.write(translations[i]);
  }
  return content + document.end;
}

const std::vector<DocumentFormat>& document_formats() {
  static const std::vector<DocumentFormat> formats = {
      {"text", {".txt"}, read_paragraphs},
      {"html", {".html", ".htm", ".xhtml"}, read_html},
      {"markdown", {".md", ".markdown"}, read_markdown},
      {"subtitles", {".srt", ".vtt"}, read_subtitles},
      {"po", {".po", ".pot"}, read_message_catalogue},
  };
  return formats;
}

Document read_document(const std::filesystem::path& file, const DocumentFormat& format) {
  const std::string content = read_file(file);
  if (format_of_bytes(content) != nullptr)
    throw_error(ErrorKind::kData,
                "{}: is compressed, expected a document as it is; unpack it first", file.string());
  refuse_other_formats(file, content);
  if (!is_utf8(content))
    throw_error(ErrorKind::kData, "{}: found malformed UTF-8, expected UTF-8; {}", file.string(),
                conversion_advice(find_encoding(file), file));
  return format.read(content, file);
}

const DocumentFormat* find_document_format(const std::filesystem::path& file) {
  const std::string ending = lower_case(file.extension().string());
  for (const DocumentFormat& format : document_formats())
    if (std::ranges::any_of(format.endings, [&](const char* own) { return ending == own; }))
      return &format;
  return nullptr;
}

}  // namespace heed
