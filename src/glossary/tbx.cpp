#include "glossary/tbx.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/error.h"
#include "base/utf8.h"
#include "data/xml_parser.h"

namespace heed {

namespace {

class TbxReader final : public XmlParser {
 public:
  using XmlParser::XmlParser;
  TbxFile take() { return std::move(result_); }

 private:
  void begin(std::string_view name, Attributes attributes) override {
    if (name == "termEntry" || name == "conceptEntry") {
      result_.entries.emplace_back();
    } else if (name == "langSet" || name == "langSec") {
      language_ = language_attribute(attributes);
    } else if (name == "term") {
      is_in_term_ = true;
      term_.clear();
    }
  }

  void text(std::string_view text) override {
    if (is_in_term_) term_ += text;
  }

  void end(std::string_view name) override {
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

  TbxFile result_;
  std::string language_, term_;
  bool is_in_term_ = false;
};

}  // namespace

TbxFile read_tbx(const fs::path& file) {
  constexpr size_t kBlockSize = size_t{1} << 16;
  TbxReader reader(file);
  ByteSource source(file);
  std::vector<char> block(kBlockSize);
  for (bool more = true; more;) {
    const size_t size = source.read(block.data(), block.size());
    reader.parse({block.data(), size});
    more = size > 0;
  }
  return reader.take();
}

}  // namespace heed
