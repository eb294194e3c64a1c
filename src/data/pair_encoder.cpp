#include "data/pair_encoder.h"

#include <algorithm>

#include "base/error.h"
#include "data/word_alignment.h"

namespace heed {

namespace {

template <class List>
void cut(List& list, int64_t longest) {
  list.resize(std::min(list.size(), static_cast<size_t>(longest)));
}

}  // namespace

Example PairEncoder::encode_sources(const std::vector<std::string>& lines,
                                    const std::optional<Annotation>& edges, int64_t longest,
                                    std::vector<Pieces>* pieces) const {
  Example example;
  for (size_t source = 0; source + 1 < codecs.size(); ++source) {
    Pieces own;
    Ids ids = codecs[source]->encode(lines[source], &own);
    if (source == 0 && edges) {
      example.edges = read_edges(edges->line, lines[0], own, codecs[0]->tokenizer(), edges->place);
    }
    cut(ids, longest);
    cut(own, longest);
    if (source == copied) {
      example.copyable = copyable(own, codecs.back()->vocabulary());
      example.copied = source;
    }
    example.sources.push_back(std::move(ids));
    if (pieces) pieces->push_back(std::move(own));
  }
  return example;
}

Ids PairEncoder::encode_target(const std::string& line, const Example& sources, int64_t longest,
                               Pieces* pieces) const {
  Pieces own;
  Ids ids = codecs.back()->encode(line, &own);
  cut(ids, longest);
  cut(own, longest);
  if (sources.copyable)
    ids = with_copied(std::move(ids), own, *sources.copyable, codecs.back()->vocabulary());
  if (pieces) *pieces = std::move(own);
  return ids;
}

bool PairEncoder::can_be_written(const Example& example) const {
  if (writes == Writes::kAnything) return true;
  if (writes == Writes::kOneCopy && example.target.size() != 1) return false;
  const Ids& source = example.copyable.value().ids;
  return std::ranges::all_of(example.target, [&source](int32_t id) {
    return std::ranges::find(source, id) != source.end();
  });
}

Example PairEncoder::encode(const std::vector<std::string>& lines, const Annotations& annotations,
                            const LengthLimits& limits) const {
  HEED_CHECK(lines.size() == codecs.size());
  Example example = encode_sources(lines, annotations.edges, limits.source);
  example.target = encode_target(lines.back(), example, limits.target);
  if (annotations.alignment) {
    example.alignment = read_alignment(lines, *annotations.alignment);
    std::erase_if(*example.alignment, [&](const auto& link) {
      return link.first >= std::ssize(example.sources[aligned]) ||
             link.second >= std::ssize(example.target);
    });
  }
  return example;
}

PiecePairs PairEncoder::read_alignment(const std::vector<std::string>& lines,
                                       const Annotation& alignment) const {
  Pieces source, target;
  codecs[aligned]->encode(lines[aligned], &source);
  codecs.back()->encode(lines.back(), &target);
  return read_word_alignment(
      alignment.line, {"the source", lines[aligned], source, codecs[aligned]->tokenizer()},
      {"the target", lines.back(), target, codecs.back()->tokenizer()}, alignment.place);
}

}  // namespace heed
