// Documents: texts that are translated, and everything else, which stays byte for byte.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "markup/markup_tokens.h"

namespace heed {

// A text of a document: a paragraph, a heading, a cell, the words of a subtitle.
struct DocumentText {
  std::string before;    // bytes between the text before and this one
  std::string original;  // bytes of this text
  std::string text;      // the same as one line; it has the inline tags of Document::markup
  // Bytes of a translation, which is one line with the tags of `text`.
  std::function<std::string(const std::string& translation)> write;
  // True if the bytes have those of texts before, so that write() makes them also of a text that is its
  // own translation.
  bool is_always_written = false;
};

struct Document {
  std::vector<DocumentText> texts;
  std::string end;                            // bytes behind the last text
  MarkupFormat markup = MarkupFormat::kNone;  // of the texts
  bool has_placeholders = false;              // such as %s, which a program fills in
};

// The document with the translation of each text. A text that is its own translation keeps its bytes.
std::string with_translations(const Document& document,
                              const std::vector<std::string>& translations);

// Format of documents.
struct DocumentFormat {
  const char* name;
  std::vector<const char*> endings;  // of the names of its files
  // Throws Error(kData) that names the line for a document that cannot be read. file: for messages.
  Document (*read)(const std::string& content, const std::filesystem::path& file);
};

const std::vector<DocumentFormat>& document_formats();
// Reads a file. Throws Error(kIo), Error(kData) for text that is not UTF-8, and as the format does.
Document read_document(const std::filesystem::path& file, const DocumentFormat& format);
// The format by the ending of a file name; nullptr: none has it.
const DocumentFormat* find_document_format(const std::filesystem::path& file);

}  // namespace heed
