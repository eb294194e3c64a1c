#include <string_view>

#include "base/unicode/unicode.h"
#include "clean/filters/filters.h"

namespace heed {

namespace {

// Ends in a mark that ends a sentence, before quotation marks and brackets.
bool has_end(const SideLine& line) {
  constexpr std::u32string_view kEnds = U".!?…。！？．؟।։:;：；", kClosing = U"\"'”’»«“)]）」』";
  for (auto c = line.characters.rbegin(); c != line.characters.rend(); ++c) {
    if (kEnds.find(*c) != std::u32string_view::npos) return true;
    const bool is_behind = is_of_kind(*c, CharacterKind::kWhiteSpace) ||
                           kClosing.find(*c) != std::u32string_view::npos;
    if (!is_behind) return false;
  }
  return false;
}

class PunctuationFilter final : public PairFilter {
 public:
  std::string reason(const CorpusPair& pair) const override {
    const bool source = has_end(pair.sides[0]), target = has_end(pair.sides[1]);
    if (source == target) return "";
    return fmt::format("only the {} ends in punctuation", kSideNames[source ? 0 : 1]);
  }
};

}  // namespace

PairFilterPtr make_punctuation_filter() { return std::make_shared<PunctuationFilter>(); }

}  // namespace heed
