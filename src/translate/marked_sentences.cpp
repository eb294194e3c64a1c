#include "translate/marked_sentences.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "markup/placement.h"
#include "text/line_language.h"
#include "translate/joined_sentences.h"

namespace heed {

namespace {

using Texts = std::vector<std::string>;

// The parts of a text that each piece belongs to. parts: without spaces; together they are the text.
PieceWords parts_of_pieces(const Tokenizer& tokenizer, const Texts& pieces, Texts parts) {
  if (tokenizer.lowers())
    for (std::string& part : parts) part = lower_case(part);
  const auto text_of = [&](const std::string& piece) { return tokenizer.text_of(piece); };
  Texts texts;
  std::ranges::transform(pieces, std::back_inserter(texts), text_of);
  const bool has_language = !pieces.empty() && is_language_piece(pieces.front()) &&
                            (parts.empty() || !parts.front().starts_with('>'));
  if (has_language) texts.front().clear();
  const size_t closing = std::min(tokenizer.closing(), texts.size());
  std::fill(texts.end() - static_cast<std::ptrdiff_t>(closing), texts.end(), std::string());
  if (!has_text_of(texts, parts, WordUnit::kCharacters)) {
    // Pieces hold normalized text, so the text of each part alone shows where it ends.
    for (std::string& part : parts) {
      std::string text;
      for (const std::string& piece : tokenizer.encode_without_language(part))
        text += text_of(piece);
      part = std::move(text);
    }
  }
  PieceWords found = find_words(texts, parts, WordUnit::kCharacters);
  if (has_language) found.front() = {};
  std::fill(found.end() - static_cast<std::ptrdiff_t>(closing), found.end(), WordRange());
  return found;
}

// The units of a text inside a range of bytes: numbers of the first and behind the last.
struct UnitRange {
  size_t begin, end;
};
UnitRange units_inside(const std::vector<TextUnit>& units, size_t begin, size_t end) {
  const auto at = [&units](size_t byte) {
    return static_cast<size_t>(std::ranges::lower_bound(units, byte, {}, &TextUnit::begin) -
                               units.begin());
  };
  return {at(begin), at(end)};
}

// Finds texts one behind the other in a whole text, apart from white space between them.
class SequentialSearch {
 public:
  SequentialSearch(const std::string& whole, const std::vector<TextUnit>& units)
      : whole_(whole), units_(units) {}
  UnitRange next(const std::string& text) {
    const size_t begin = std::min(whole_.find(text, end_), whole_.size());
    end_ = std::min(begin + text.size(), whole_.size());
    return units_inside(units_, begin, end_);
  }

 private:
  const std::string& whole_;
  const std::vector<TextUnit>& units_;
  size_t end_ = 0;
};

// Pairs of target units and source units. For more of them tags are placed without the weights, which take
// 12 bytes each.
constexpr size_t kMostPairs = size_t{4} << 20;

class BlockWriter {
 public:
  BlockWriter(const TextModel& model, std::span<const SplitLine::Sentence> sources,
              std::span<const TranslatedSentence> targets)
      : model_(model), sources_(sources), targets_(targets) {}

  // is_cut: set to true if the block is too long for the weights of all its sentences.
  PlacedText write(const MarkedLine& line, const MarkedBlock& block, bool& is_cut) const {
    SplitLine own;
    own.sentences.assign(sources_.begin(), sources_.end());
    Texts texts;
    for (const TranslatedSentence& sentence : targets_) texts.push_back(sentence.target.text);
    const std::string text = joined_text(own, texts);
    std::vector<TextUnit> source = source_units(block);
    const std::vector<TextUnit> target = target_units_of(text);
    const size_t most = std::min(source.size(), kMostPairs / std::max<size_t>(1, target.size()));
    UnitWeights weights(target.size(), std::vector<float>(most, 0));
    SequentialSearch in_source(block.text, source), in_target(text, target);
    const Texts source_texts = unit_texts(block.text, source),
                target_texts = unit_texts(text, target);
    for (size_t i = 0; i < texts.size(); ++i) {
      const UnitRange from = in_source.next(sources_[i].text), to = in_target.next(texts[i]);
      if (from.end > most) {
        is_cut = true;
        continue;
      }
      const auto range_of = [](const Texts& all, UnitRange range) {
        return Texts(all.begin() + std::ptrdiff_t(range.begin),
                     all.begin() + std::ptrdiff_t(range.end));
      };
      add_weights(targets_[i], range_of(source_texts, from), range_of(target_texts, to), from.begin,
                  to.begin, weights);
    }
    source.resize(most);
    return place_markup(line, block, source, text, target, std::move(weights));
  }

 private:
  // Weights of a piece over one of several units are divided by their number.
  void add_weights(const TranslatedSentence& sentence, Texts source, Texts target,
                   size_t first_source, size_t first_target, UnitWeights& weights) const {
    const PieceWords read = parts_of_pieces(model_.aligned_codec().tokenizer(), sentence.source,
                                            std::move(source)),
                     written = parts_of_pieces(model_.target_codec().tokenizer(),
                                               sentence.target.pieces, std::move(target));
    const AttentionMatrix& attention = sentence.target.attention;
    for (size_t t = 0; t < std::min(written.size(), attention.size()); ++t) {
      for (int64_t to = written[t].begin; to < written[t].end; ++to) {
        std::vector<float>& row = weights[first_target + static_cast<size_t>(to)];
        for (size_t s = 0; s < std::min(read.size(), attention[t].size()); ++s) {
          const auto count = static_cast<float>(read[s].end - read[s].begin);
          for (int64_t from = read[s].begin; from < read[s].end; ++from)
            row[first_source + static_cast<size_t>(from)] += attention[t][s] / count;
        }
      }
    }
  }

  const TextModel& model_;
  std::span<const SplitLine::Sentence> sources_;
  std::span<const TranslatedSentence> targets_;
};

void warn(const Texts& found, WarningKind kind, const char* message, WarningList* warnings) {
  if (found.empty() || warnings == nullptr) return;
  warnings->push_back({kind, message, fmt::format("{}", fmt::join(found, " "))});
}

}  // namespace

std::string marked_text(const TextModel& model, const SplitLine& split,
                        const std::vector<TranslatedSentence>& sentences, WarningList* warnings) {
  constexpr size_t kShown = 40;  // columns of a long block in a warning
  const MarkedLine& line = split.markup->line;
  std::vector<size_t> ends(split.markup->first_sentences);
  ends.push_back(sentences.size());
  std::string whole = line.between.front();
  Texts empty, guessed, repeated, long_blocks;
  for (size_t b = 0; b < line.blocks.size(); ++b) {
    const size_t begin = ends[b], count = ends[b + 1] - begin;
    const BlockWriter writer(model, std::span(split.sentences).subspan(begin, count),
                             std::span(sentences).subspan(begin, count));
    bool is_cut = false;
    PlacedText placed = writer.write(line, line.blocks[b], is_cut);
    if (is_cut) long_blocks.push_back(cut_to_width(line.blocks[b].text, kShown));
    whole += placed.text + line.between[b + 1];
    std::ranges::move(placed.empty, std::back_inserter(empty));
    std::ranges::move(placed.guessed, std::back_inserter(guessed));
    std::ranges::move(placed.repeated, std::back_inserter(repeated));
  }
  warn(long_blocks, WarningKind::kMarkup,
       "too long for its tags to follow their words; they are placed in proportion: split it",
       warnings);
  warn(empty, WarningKind::kMarkup,
       "tags without a word of the translation between them: attention links none to their text",
       warnings);
  warn(guessed, WarningKind::kProtected,
       "text to keep that the translation does not have: inserted beside its neighbours", warnings);
  warn(repeated, WarningKind::kProtected, "text to keep that the translation has too often",
       warnings);
  return whole;
}

}  // namespace heed
