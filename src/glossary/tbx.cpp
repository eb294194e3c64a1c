#include "glossary/tbx.h"

#include <expat.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "base/byte_source.h"
#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

class TbxReader {
 public:
  explicit TbxReader(const fs::path& file) : file_(file), parser_(XML_ParserCreate(nullptr)) {
    HEED_CHECK(parser_ != nullptr, "no memory for a parser");
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), begin, end);
    XML_SetCharacterDataHandler(parser_.get(), text);
  }

  TbxFile read() {
    ByteSource source(file_);
    constexpr int kBytes = 1 << 16;
    for (bool more = true; more;) {
      void* buffer = XML_GetBuffer(parser_.get(), kBytes);
      HEED_CHECK(buffer != nullptr, "no memory for a buffer");
      const size_t size = source.read(static_cast<char*>(buffer), kBytes);
      more = size > 0;
      if (XML_ParseBuffer(parser_.get(), static_cast<int>(size), more ? 0 : 1) != XML_STATUS_OK)
        throw_error(ErrorKind::kData, "{}:{}: is no well-formed XML: {}", file_.string(),
                    XML_GetCurrentLineNumber(parser_.get()),
                    XML_ErrorString(XML_GetErrorCode(parser_.get())));
    }
    return std::move(result_);
  }

 private:
  static TbxReader& self(void* data) { return *static_cast<TbxReader*>(data); }
  static void begin(void* data, const char* name, const char** attributes) {
    self(data).begin_element(name, attributes);
  }
  static void end(void* data, const char* name) { self(data).end_element(name); }
  static void text(void* data, const char* characters, int size) {
    if (self(data).is_in_term_) self(data).term_.append(characters, static_cast<size_t>(size));
  }

  void begin_element(std::string_view name, const char** attributes) {
    if (name == "termEntry" || name == "conceptEntry") {
      result_.entries.emplace_back();
    } else if (name == "langSet" || name == "langSec") {
      language_.clear();
      for (; *attributes != nullptr; attributes += 2)
        if (std::string_view(attributes[0]) == "xml:lang") language_ = attributes[1];
    } else if (name == "term") {
      is_in_term_ = true;
      term_.clear();
    }
  }

  void end_element(std::string_view name) {
    if (name != "term") return;
    is_in_term_ = false;
    const std::vector<std::string> words = split_words(replace_spaces(term_));
    if (words.empty() || language_.empty() || result_.entries.empty()) return;
    if (std::ranges::count(result_.languages, language_) == 0)
      result_.languages.push_back(language_);
    result_.entries.back()[language_].push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  static std::string replace_spaces(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
  }

  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };
  fs::path file_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  TbxFile result_;
  std::string language_, term_;
  bool is_in_term_ = false;
};

}  // namespace

TbxFile read_tbx(const fs::path& file) { return TbxReader(file).read(); }

}  // namespace heed
