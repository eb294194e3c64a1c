#include "cli/align/side_words.h"

#include "base/sorted.h"
#include "base/utf8.h"
#include "translate/alignment.h"

namespace heed {

SideWords SideSplitter::split(const std::string& line) const {
  SideWords side;
  if (!codec_) {
    side.words = split_words(cased_ ? line : lower_case(line), unit_);
    return side;
  }
  codec_->encode(line, &side.words);
  const Tokenizer& tokenizer = codec_->tokenizer();
  side.ranges = without_opening(tokenizer.piece_words(line, side.words), side.words, tokenizer);
  return side;
}

int64_t SideSplitter::count_words(const std::string& line) const {
  return codec_ ? codec_->tokenizer().count_words(line) : std::ssize(split_words(line, unit_));
}

Links word_links(const Links& links, const SideWords& source, const SideWords& target) {
  const auto words_of = [](const SideWords& side, int32_t piece) {
    return side.ranges.empty() ? WordRange{piece, piece + 1}
                               : side.ranges.at(static_cast<size_t>(piece));
  };
  Links result;
  for (const auto& [s, t] : links) {
    const WordRange sources = words_of(source, s), targets = words_of(target, t);
    for (int64_t i = sources.begin; i < sources.end; ++i) {
      for (int64_t j = targets.begin; j < targets.end; ++j)
        result.emplace_back(static_cast<int32_t>(i), static_cast<int32_t>(j));
    }
  }
  sort_unique(result);
  return result;
}

}  // namespace heed
