// Documents in tests: their texts, and translations that are easy to see.
#pragma once

#include <cctype>
#include <string>
#include <vector>

#include "document/document.h"

namespace heed {

inline std::vector<std::string> texts_of(const Document& document) {
  std::vector<std::string> texts;
  for (const DocumentText& text : document.texts) texts.push_back(text.text);
  return texts;
}

// The document with each text replaced by what the function makes of it.
template <class Translate>
std::string translate(const Document& document, Translate function) {
  std::vector<std::string> translations;
  for (const DocumentText& text : document.texts) translations.push_back(function(text.text));
  return with_translations(document, translations);
}

inline std::string unchanged(const Document& document) {
  return translate(document, [](const std::string& text) { return text; });
}

// Capital letters, except in tags and character references.
inline std::string shouted(const Document& document) {
  return translate(document, [](std::string text) {
    char end = 0;
    for (char& c : text) {
      if (c == '<') end = '>';
      if (c == '&' && end == 0) end = ';';
      if (end == 0) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      if (c == end) end = 0;
    }
    return text;
  });
}

}  // namespace heed
