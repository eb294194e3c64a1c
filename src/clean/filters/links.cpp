#include "base/utf8.h"
#include "clean/filters/filters.h"
#include "clean/filters/text_matches.h"

namespace heed {

namespace {

constexpr const char* kLinks =
    R"((?:https?|ftp)://[^\s/<>"'()「」]{1,255}|\bwww(?:\.[\w-]{1,63}){2,9}|)"
    R"([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9})";

// The host of a link without `www.` and the code of a language; paths may be translated, too.
std::string host_of(const std::string& match) {
  const size_t scheme = match.find("://");
  std::string host = lower_case(scheme == std::string::npos ? match : match.substr(scheme + 3));
  if (host.starts_with("www.")) host.erase(0, 4);
  constexpr size_t kCode = 2;
  const bool has_language =
      host.find('.') == kCode && host.find('.', kCode + 1) != std::string::npos;
  return has_language ? host.substr(kCode + 1) : host;
}

class LinksFilter final : public PairFilter {
 public:
  std::string reason(const CorpusPair& pair) const override {
    const auto source = links_of(pair.sides[0].text), target = links_of(pair.sides[1].text);
    return difference("links", missing_items(target, source), missing_items(source, target));
  }

 private:
  std::vector<std::string> links_of(const std::string& text) const {
    const bool may_have =
        text.find_first_of("@:") != std::string::npos || text.find("www.") != std::string::npos;
    if (!may_have) return {};
    std::vector<std::string> found = pattern_.matches(text);
    for (std::string& match : found) match = host_of(match);
    return found;
  }

  TextPattern pattern_{kLinks};
};

}  // namespace

PairFilterPtr make_links_filter() { return std::make_shared<LinksFilter>(); }

}  // namespace heed
