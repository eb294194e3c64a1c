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

Tokens tokenize_sides(const PairEncoder& encoder, const std::vector<std::string>& lines,
                      size_t sides) {
  Tokens tokens;
  tokens.pieces.resize(sides);
  for (size_t side = 0; side < sides; ++side)
    tokens.ids.push_back(encoder.codecs[side]->encode(lines[side], &tokens.pieces[side]));
  return tokens;
}

}  // namespace

Tokens PairEncoder::tokenize(const std::vector<std::string>& lines) const {
  HEED_CHECK(lines.size() == codecs.size());
  return tokenize_sides(*this, lines, codecs.size());
}

SentenceText PairEncoder::sentence(size_t side, const std::vector<std::string>& lines,
                                   const Tokens& tokens) const {
  return {side + 1 < codecs.size() ? "the source" : "the target", lines[side], tokens.pieces[side],
          codecs[side]->tokenizer()};
}

// Cuts the tokens of the sources.
Example PairEncoder::example_of_sources(const std::vector<std::string>& lines, Tokens& tokens,
                                        const Annotations& annotations, int64_t longest) const {
  Example example;
  HEED_CHECK(annotations.factors.size() == factors.size());
  if (annotations.edges)
    example.edges = read_edges(annotations.edges->line, lines[0], tokens.pieces[0],
                               codecs[0]->tokenizer(), annotations.edges->place);
  if (!factors.empty()) example.factors.resize(codecs.size() - 1);
  for (size_t i = 0; i < factors.size(); ++i) {
    const SourceFactor& factor = factors[i];
    const auto& [line, place] = annotations.factors[i];
    const auto read = factor.whole_line ? read_label_of_line : read_labels;
    Ids own = read(line, sentence(factor.source, lines, tokens), *factor.labels, place);
    cut(own, longest);
    example.factors[factor.source].push_back(std::move(own));
  }
  for (size_t source = 0; source + 1 < codecs.size(); ++source) {
    codecs[source]->cut(tokens.ids[source], longest);
    codecs[source]->cut(tokens.pieces[source], longest);
    if (source == copied) {
      example.copyable = copyable(tokens.pieces[source], codecs.back()->vocabulary());
      example.copied = source;
    }
    example.sources.push_back(std::move(tokens.ids[source]));
  }
  return example;
}

Ids PairEncoder::target_ids(Ids ids, const Pieces& pieces, const Example& sources) const {
  if (!sources.copyable) return ids;
  return with_copied(std::move(ids), pieces, *sources.copyable, codecs.back()->vocabulary());
}

Example PairEncoder::encode_sources(const std::vector<std::string>& lines,
                                    const Annotations& annotations, int64_t longest,
                                    std::vector<Pieces>* pieces) const {
  Tokens tokens = tokenize_sides(*this, lines, codecs.size() - 1);
  Example example = example_of_sources(lines, tokens, annotations, longest);
  if (pieces) *pieces = std::move(tokens.pieces);
  return example;
}

Ids PairEncoder::encode_target(const std::string& line, const Example& sources, int64_t longest,
                               Pieces* pieces) const {
  Pieces own;
  Ids ids = codecs.back()->encode(line, &own);
  cut(ids, longest);
  cut(own, longest);
  ids = target_ids(std::move(ids), own, sources);
  if (pieces) *pieces = std::move(own);
  return ids;
}

bool PairEncoder::can_be_written(const Example& example) const {
  if (writes == WritableTargets::kAnything) return true;
  if (writes_one(writes) && example.target.size() != 1) return false;
  if (writes == WritableTargets::kOneToken) return true;
  const Ids& source = example.copyable.value().ids;
  return std::ranges::all_of(example.target, [&source](int32_t id) {
    return std::ranges::find(source, id) != source.end();
  });
}

Example PairEncoder::encode(const std::vector<std::string>& lines, const Annotations& annotations,
                            const LengthLimits& limits) const {
  return example(lines, tokenize(lines), annotations, limits);
}

Example PairEncoder::example(const std::vector<std::string>& lines, Tokens tokens,
                             const Annotations& annotations, const LengthLimits& limits) const {
  std::optional<PiecePairs> alignment;
  if (annotations.alignment)
    alignment = read_word_alignment(annotations.alignment->line, sentence(aligned, lines, tokens),
                                    sentence(codecs.size() - 1, lines, tokens),
                                    annotations.alignment->place);
  std::optional<SupportingFacts> facts;
  if (annotations.supporting_facts) {
    SentenceText story = sentence(aligned, lines, tokens);
    story.name = aligned_name;
    facts = read_supporting_facts(annotations.supporting_facts->line, story,
                                  annotations.supporting_facts->place);
  }
  Example example = example_of_sources(lines, tokens, annotations, limits.source);
  if (facts) {
    const int64_t closing = codecs[aligned]->tokenizer().closing(),
                  left = std::ssize(example.sources[aligned]);
    if (left == limits.source) facts->cut(std::max<int64_t>(0, left - closing));
    example.supporting_facts = std::move(facts);
  }
  cut(tokens.ids.back(), limits.target);
  cut(tokens.pieces.back(), limits.target);
  example.target = target_ids(std::move(tokens.ids.back()), tokens.pieces.back(), example);
  example.alignment = std::move(alignment);
  if (example.alignment) {
    std::erase_if(*example.alignment, [&](const auto& link) {
      return link.first >= std::ssize(example.sources[aligned]) ||
             link.second >= std::ssize(example.target);
    });
  }
  return example;
}

PairEncoder pair_encoder(const std::vector<std::string>& sources, const Codecs& codecs,
                         std::optional<size_t> copied, const Tags& tags) {
  PairEncoder encoder{.codecs = {}, .copied = copied, .tags = tags};
  for (const std::string& source : sources) encoder.codecs.push_back(codecs.at(source));
  encoder.codecs.push_back(codecs.at(kTargetSide));
  return encoder;
}

}  // namespace heed
