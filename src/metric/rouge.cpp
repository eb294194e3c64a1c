#include "metric/rouge.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/utf8.h"
#include "metric/longest_common.h"
#include "metric/ngrams.h"
#include "metric/porter_stemmer.h"
#include "metric/unicode_words.h"

namespace heed {

namespace {

constexpr size_t kShortestStemmed = 4;

struct Triple {
  double f1 = 0, precision = 0, recall = 0;
};

Triple triple(double hits, double hypothesis, double reference) {
  Triple result;
  result.precision = hits / std::max(hypothesis, 1.0);
  result.recall = hits / std::max(reference, 1.0);
  const double sum = result.precision + result.recall;
  if (sum > 0) result.f1 = 2 * result.precision * result.recall / sum;
  return result;
}

double total(const NgramCounts& counts) {
  int64_t sum = 0;
  for (const auto& [ngram, count] : counts) sum += count;
  return static_cast<double>(sum);
}

using WordSequence = std::vector<uint32_t>;

Triple match_ngrams(const WordSequence& hypothesis, const WordSequence& reference, size_t n) {
  const auto given = count_ngrams(hypothesis, n), wanted = count_ngrams(reference, n);
  int64_t hits = 0;
  for (const auto& [ngram, count] : wanted) hits += std::min(count, count_of(given, ngram));
  return triple(static_cast<double>(hits), total(given), total(wanted));
}

Triple match_longest(const WordSequence& hypothesis, const WordSequence& reference) {
  const auto hits = longest_common_length(reference, hypothesis);
  return triple(static_cast<double>(hits), static_cast<double>(hypothesis.size()),
                static_cast<double>(reference.size()));
}

size_t count_words(const std::vector<WordSequence>& sentences) {
  size_t count = 0;
  for (const auto& sentence : sentences) count += sentence.size();
  return count;
}

std::unordered_map<uint32_t, int64_t> frequencies(const std::vector<WordSequence>& sentences) {
  std::unordered_map<uint32_t, int64_t> result;
  for (const auto& sentence : sentences) {
    for (const auto word : sentence) ++result[word];
  }
  return result;
}

// The words of a reference sentence that lie in its longest common subsequence with any sentence of
// the hypothesis.
WordSequence union_of_longest(const WordSequence& reference,
                              const std::vector<WordSequence>& hypothesis) {
  std::vector<bool> is_in(reference.size());
  for (const auto& sentence : hypothesis) {
    for (const size_t position : longest_common_positions(reference, sentence))
      is_in[position] = true;
  }
  WordSequence result;
  for (size_t i = 0; i < reference.size(); ++i) {
    if (is_in[i]) result.push_back(reference[i]);
  }
  return result;
}

// No word counts more often than both sides have it.
Triple match_summary(const std::vector<WordSequence>& hypothesis,
                     const std::vector<WordSequence>& reference) {
  auto given = frequencies(hypothesis), wanted = frequencies(reference);
  double hits = 0;
  for (const auto& sentence : reference) {
    for (const auto word : union_of_longest(sentence, hypothesis)) {
      if (given[word] <= 0 || wanted[word] <= 0) continue;
      ++hits;
      --given[word];
      --wanted[word];
    }
  }
  return triple(hits, static_cast<double>(count_words(hypothesis)),
                static_cast<double>(count_words(reference)));
}

std::vector<std::string_view> split_sentences(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> sentences;
  for (;;) {
    const size_t at = text.find(separator);
    sentences.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return sentences;
    text.remove_prefix(at + separator.size());
  }
}

WordSequence number(WordIds& ids, std::string_view text, const RougeOptions& options) {
  const auto words =
      options.words == RougeWords::kUnicode ? unicode_words(text) : rouge_words(text, options.stem);
  return ids.of({words.begin(), words.end()});
}

std::vector<WordSequence> number_sentences(WordIds& ids, std::string_view text,
                                           const RougeOptions& options) {
  std::vector<WordSequence> result;
  for (const auto sentence : split_sentences(text, options.sentence_break)) {
    result.push_back(number(ids, sentence, options));
  }
  return result;
}

Triple match(RougeKind kind, std::string_view hypothesis, std::string_view reference,
             const RougeOptions& options) {
  WordIds ids;
  if (kind == RougeKind::kSummary) {
    return match_summary(number_sentences(ids, hypothesis, options),
                         number_sentences(ids, reference, options));
  }
  const auto given = number(ids, hypothesis, options), wanted = number(ids, reference, options);
  if (kind == RougeKind::kLongest) return match_longest(given, wanted);
  return match_ngrams(given, wanted, kind == RougeKind::kUnigrams ? 1 : 2);
}

std::string show_break(const std::string& text) {
  return text == "\n" ? "newline" : text == "\t" ? "tab" : text;
}

}  // namespace

std::vector<std::string> rouge_words(std::string_view text, bool stem) {
  const std::string lower = lower_case(text);
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  std::vector<std::string> words;
  for (auto at = lower.begin(); at != lower.end();) {
    const auto begin = std::find_if(at, lower.end(), is_part);
    at = std::find_if_not(begin, lower.end(), is_part);
    if (begin == at) break;
    std::string word(begin, at);
    words.push_back(stem && word.size() >= kShortestStemmed ? porter_stem(word) : std::move(word));
  }
  std::erase(words, "");
  return words;
}

Rouge::Rouge(RougeKind kind, const RougeOptions& options) : kind_(kind), options_(options) {
  if (options.sentence_break.empty()) {
    throw Error(ErrorKind::kUsage,
                "ROUGE: the sentence break is empty; give the separator of sentences");
  }
}

std::string Rouge::name() const {
  const auto kind = [this]() -> std::string {
    switch (kind_) {
      case RougeKind::kUnigrams:
        return "ROUGE-1";
      case RougeKind::kBigrams:
        return "ROUGE-2";
      case RougeKind::kLongest:
        return "ROUGE-L";
      case RougeKind::kSummary:
        return "ROUGE-Lsum";
    }
    HEED_CHECK(false);
  };
  return options_.words == RougeWords::kUnicode ? kind() + "-Unicode" : kind();
}

std::string Rouge::caveat(const Lines&, const References& references) const {
  constexpr size_t kInverseShare = 4;  // a quarter of the letters; German has 2 %, Czech 15 %
  if (options_.words == RougeWords::kUnicode) return "";
  LetterCount count;
  for (const Lines& lines : references) {
    for (const std::string& line : lines) count += count_letters(line);
  }
  if (kInverseShare * count.beyond_ascii <= count.all) return "";
  return fmt::format(
      "it counts words of a-z and 0-9, as rouge-score does, and {:.0f} % of the letters of the "
      "references are others, which count for nothing: use rouge-unicode",
      100 * static_cast<double>(count.beyond_ascii) / static_cast<double>(count.all));
}

std::string Rouge::signature(size_t references) const {
  const std::string sentences =
      kind_ == RougeKind::kSummary ? "break:" + show_break(options_.sentence_break) + "|" : "";
  const std::string words = options_.words == RougeWords::kUnicode ? "tok:unicode"
                            : options_.stem                        ? "stem:porter"
                                                                   : "stem:no";
  return fmt::format("nrefs:{}|{}|{}version:heed-{}", references, words, sentences, HEED_VERSION);
}

Statistics Rouge::statistics(std::string_view hypothesis, const LineReferences& references) const {
  Triple best = match(kind_, hypothesis, references[0], options_);
  for (size_t i = 1; i < references.size(); ++i) {
    const Triple other = match(kind_, hypothesis, references[i], options_);
    if (other.f1 > best.f1) best = other;
  }
  return {best.f1, best.precision, best.recall, 1};
}

Score Rouge::from_sum(const Statistics& sum) const {
  HEED_CHECK(sum.size() == 4 && sum[3] > 0);
  const double f1 = 100 * sum[0] / sum[3], precision = 100 * sum[1] / sum[3],
               recall = 100 * sum[2] / sum[3];
  return {f1,
          fmt::format("(P = {:.1f} R = {:.1f})", precision, recall),
          {{"f1", f1}, {"precision", precision}, {"recall", recall}}};
}

}  // namespace heed
