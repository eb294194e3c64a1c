#include "translate/joined_sentences.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_separators.h"
#include "base/unspaced.h"
#include "translate/best_sums.h"
#include "translate/marked_sentences.h"

namespace heed {

namespace {

using Sentence = SplitLine::Sentence;
using Sentences = std::vector<Sentence>;

bool is_unspaced(const std::string& text) { return count_scripts(text).is_unspaced(); }

// The white space between two translations; source: one of the sentences around it.
std::string target_space(const std::string& space, const std::string& source,
                         const std::string& left, const std::string& right) {
  if (space.find('\n') != std::string::npos) return space;
  const bool target_is_unspaced = is_unspaced(left) && is_unspaced(right);
  if (space.empty() && is_unspaced(source) && !target_is_unspaced) return " ";
  if (space == " " && !is_unspaced(source) && target_is_unspaced) return "";
  return on_one_line(space);
}

// The numbers of the first words of texts in the text that they are together. spaces: before each.
std::vector<int64_t> first_words(const Tokenizer& tokenizer, const std::vector<std::string>& texts,
                                 const std::vector<std::string>& spaces) {
  std::vector<int64_t> first(texts.size(), 0);
  for (size_t i = 1; i < texts.size(); ++i) {
    // Without white space the last word of one may go on in the next.
    const std::string both = texts[i - 1] + on_one_line(spaces[i]) + texts[i];
    first[i] = first[i - 1] + tokenizer.count_words(both) - tokenizer.count_words(texts[i]);
  }
  return first;
}

// Translations as pieces of the whole one.
class SentenceJoiner {
 public:
  SentenceJoiner(const TextModel& model, const LineOptions& options, const SplitLine& split,
                 const std::vector<TranslatedLine>& translations)
      : model_(model), options_(options), split_(split), translations_(translations) {
    if (options_.alignment) source_words_ = words_of_source();
  }

  std::vector<std::string> source() const {
    std::vector<std::string> pieces;
    for (const TranslatedLine& one : translations_)
      append(pieces, one.source, model_.aligned_codec(), has_pieces(one));
    return pieces;
  }

  // choice: of a translation of each sentence.
  Translated join(const std::vector<size_t>& choice) const {
    Translated result;
    std::vector<std::string> texts;
    for (size_t i = 0; i < translations_.size(); ++i) {
      const Translated& own = translations_[i].best[choice[i]];
      texts.push_back(own.text);
      add(own, has_pieces(translations_[i]), result);
    }
    result.text = split_.markup ? marked(choice, nullptr) : joined_text(split_, texts);
    if (options_.attention) result.attention = attention(choice);
    if (options_.alignment) result.alignment = alignment(choice, texts);
    return result;
  }

  // The text with markup; warnings: nullptr takes none.
  std::string marked(const std::vector<size_t>& choice, WarningList* warnings) const {
    std::vector<TranslatedSentence> sentences;
    for (size_t i = 0; i < translations_.size(); ++i)
      sentences.push_back({translations_[i].source, translations_[i].best[choice[i]]});
    return marked_text(model_, split_, sentences, warnings);
  }

 private:
  // An empty one has not been searched.
  static bool has_pieces(const TranslatedLine& translation) { return !translation.source.empty(); }

  static void append(std::vector<std::string>& pieces, const std::vector<std::string>& own,
                     const Codec& codec, bool is_translated) {
    if (!is_translated) return;
    if (!pieces.empty()) pieces.push_back(codec.vocabulary().piece(kEnd));
    pieces.insert(pieces.end(), own.begin(), own.end());
  }

  void add(const Translated& own, bool is_translated, Translated& to) const {
    to.score += own.score;
    to.log_probability += own.log_probability;
    to.finished &= own.finished;
    to.stuck |= own.stuck;
    to.limited |= own.limited;
    to.log_probabilities.insert(to.log_probabilities.end(), own.log_probabilities.begin(),
                                own.log_probabilities.end());
    append(to.pieces, own.pieces, model_.target_codec(), is_translated);
  }

  AttentionMatrix attention(const std::vector<size_t>& choice) const {
    size_t columns = 0, first = 0;
    for (const TranslatedLine& one : translations_)
      columns += has_pieces(one) ? one.source.size() + 1 : 0;
    AttentionMatrix whole;
    for (size_t i = 0; i < translations_.size(); ++i) {
      if (!has_pieces(translations_[i])) continue;
      for (const std::vector<float>& row : translations_[i].best[choice[i]].attention) {
        std::vector<float>& wide = whole.emplace_back(columns, 0.0F);
        std::ranges::copy(row, wide.begin() + static_cast<std::ptrdiff_t>(first));
      }
      first += translations_[i].source.size() + 1;
    }
    return whole;
  }

  std::vector<int64_t> words_of_source() const {
    std::vector<std::string> texts, spaces;
    for (const Sentence& own : split_.sentences) {
      texts.push_back(own.text);
      spaces.push_back(own.space);
    }
    return first_words(model_.aligned_codec().tokenizer(), texts, spaces);
  }

  Alignment alignment(const std::vector<size_t>& choice,
                      const std::vector<std::string>& texts) const {
    std::vector<std::string> spaces{""};
    for (size_t i = 1; i < texts.size(); ++i) {
      const Sentence& own = split_.sentences[i];
      spaces.push_back(target_space(own.space, own.text, texts[i - 1], texts[i]));
    }
    const auto target_words = first_words(model_.target_codec().tokenizer(), texts, spaces);
    Alignment whole;
    for (size_t i = 0; i < texts.size(); ++i) {
      const int64_t added = split_.sentences[i].own_words;
      for (const auto& [source, target] : translations_[i].best[choice[i]].alignment)
        whole.emplace_back(source < added ? 0 : source_words_[i] + source - added,
                           target_words[i] + target);
    }
    return whole;
  }

  const TextModel& model_;
  const LineOptions& options_;
  const SplitLine& split_;
  const std::vector<TranslatedLine>& translations_;
  std::vector<int64_t> source_words_;  // the number of the first of each sentence
};

std::vector<std::vector<size_t>> choices(const SearchConfig& search,
                                         const std::vector<TranslatedLine>& translations) {
  const auto most = static_cast<size_t>(search.nbest);
  std::vector<std::vector<double>> scores;
  for (const TranslatedLine& one : translations) {
    std::vector<double>& own = scores.emplace_back();
    for (const Translated& translated : one.best) own.push_back(translated.score);
  }
  if (!search.sampling) return best_sums(scores, most);
  size_t longest = 1;
  for (const auto& own : scores) longest = std::max(longest, own.size());
  std::vector<std::vector<size_t>> rows(longest);
  for (size_t k = 0; k < longest; ++k) {
    for (const auto& own : scores) rows[k].push_back(std::min(k, own.size() - 1));
  }
  return rows;
}

WarningList warnings_of(const SplitLine& split, const std::vector<TranslatedLine>& translations) {
  WarningList all = split.warnings;
  for (size_t i = 0; i < translations.size(); ++i) {
    for (LineWarning warning : translations[i].warnings) {
      if (warning.kind == WarningKind::kFewDistinct) continue;  // combinations count
      warning.detail =
          fmt::format("sentence {}{}{}", i + 1, warning.detail.empty() ? "" : ": ", warning.detail);
      all.push_back(std::move(warning));
    }
  }
  return all;
}

// Puts the markup of a line that is one sentence into its translations.
void mark(const TextModel& model, const LineOptions& options, const SplitLine& split,
          TranslatedLine& line) {
  for (Translated& one : line.best) {
    const bool is_best = &one == &line.best.front();
    one.text = marked_text(model, split, {{line.source, one}}, is_best ? &line.warnings : nullptr);
    if (!options.attention) one.attention.clear();
  }
}

}  // namespace

TranslatedLine joined(const TextModel& model, const LineOptions& options, const SplitLine& split,
                      std::vector<TranslatedLine> translations) {
  HEED_CHECK(translations.size() == split.sentences.size());
  if (translations.size() == 1) {
    TranslatedLine& only = translations.front();
    only.warnings.insert(only.warnings.begin(), split.warnings.begin(), split.warnings.end());
    if (split.markup) mark(model, options, split, only);
    return std::move(only);
  }
  const SentenceJoiner joiner(model, options, split, translations);
  TranslatedLine result;
  result.source = joiner.source();
  result.warnings = warnings_of(split, translations);
  for (const TranslatedLine& one : translations) {
    result.constraints_met &= one.constraints_met;
    result.whole_source &= one.whole_source;
    result.terms.insert(result.terms.end(), one.terms.begin(), one.terms.end());
  }
  const std::vector<std::vector<size_t>> chosen = choices(options.search, translations);
  for (const std::vector<size_t>& choice : chosen) result.best.push_back(joiner.join(choice));
  if (split.markup) joiner.marked(chosen.front(), &result.warnings);
  keep_distinct(options.search, result.best, result.warnings);
  return result;
}

std::string joined_text(const SplitLine& split, const std::vector<std::string>& texts) {
  std::string whole;
  const std::string* last = nullptr;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    const Sentence& own = split.sentences[i];
    if (last != nullptr) whole += target_space(own.space, own.text, *last, texts[i]);
    whole += texts[i];
    last = &texts[i];
  }
  return whole;
}

}  // namespace heed
