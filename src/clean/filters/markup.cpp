#include "clean/filters/filters.h"
#include "clean/filters/text_matches.h"

namespace heed {

namespace {

// Tags, entities, and placeholders as of printf, Python, Java, JavaScript and shells.
constexpr const char* kMarkup =
    R"(</?[A-Za-z][\w:.-]{0,40}(?:\s[^<>]{0,1000})?/?>|&(?:[A-Za-z]{1,32}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});|)"
    R"(\$?\{\{?[\w:.#$-]{0,40}\}?\}|(?<![\d%])%(?:\d{1,2}\$)?[sdiu@](?!\p{L})|%\(\w{1,40}\)[sdif])";

// Attributes may be translated.
std::string without_attributes(const std::string& match) {
  const size_t space = match.find_first_of(" \t\n");
  return match.front() == '<' && space != std::string::npos ? match.substr(0, space) + ">" : match;
}

class MarkupFilter final : public PairFilter {
 public:
  std::string reason(const CorpusPair& pair) const override {
    const auto source = markup_of(pair.sides[0].text), target = markup_of(pair.sides[1].text);
    return difference("markup", missing_items(target, source), missing_items(source, target));
  }

 private:
  std::vector<std::string> markup_of(const std::string& text) const {
    if (text.find_first_of("<&{%") == std::string::npos) return {};
    std::vector<std::string> found = pattern_.matches(text);
    for (std::string& match : found) match = without_attributes(match);
    return found;
  }

  TextPattern pattern_{kMarkup};
};

}  // namespace

PairFilterPtr make_markup_filter() { return std::make_shared<MarkupFilter>(); }

}  // namespace heed
