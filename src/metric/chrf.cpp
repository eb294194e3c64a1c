#include "metric/chrf.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/utf8.h"
#include "metric/code_points.h"
#include "metric/ngrams.h"
#include "metric/words.h"

namespace heed {

namespace {

constexpr std::string_view kAsciiMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr size_t kFiguresOfOrder = 3;  // of each order: see Chrf::statistics

bool is_ascii_mark(char c) { return kAsciiMarks.find(c) != std::string_view::npos; }

// Units of a text for both kinds of n-grams; words are numbers.
struct Units {
  std::u32string characters, words;
};

using SortedNgrams = std::vector<std::u32string_view>;

SortedNgrams sort_ngrams(std::u32string_view units, size_t order) {
  SortedNgrams ngrams;
  for (size_t i = 0; i + order <= units.size(); ++i) ngrams.push_back(units.substr(i, order));
  std::sort(ngrams.begin(), ngrams.end());
  return ngrams;
}

size_t count_common(const SortedNgrams& a, const SortedNgrams& b) {
  SortedNgrams common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common.size();
}

// Counts the n-grams of every order up to the longest.
void count_orders(std::u32string_view hypothesis, std::u32string_view reference, int64_t longest,
                  Statistics& figures) {
  for (size_t order = 1; order <= static_cast<size_t>(longest); ++order) {
    const SortedNgrams given = sort_ngrams(hypothesis, order),
                       wanted = sort_ngrams(reference, order);
    const size_t counted = wanted.empty() ? 0 : given.size();
    for (const size_t figure : {counted, wanted.size(), count_common(given, wanted)})
      figures.push_back(static_cast<double>(figure));
  }
}

// Splits words, and separates a mark at the end of a word, or else at its start.
std::vector<std::string_view> separate_outer_marks(std::string_view line) {
  std::vector<std::string_view> words;
  for (const auto word : words_of(line)) {
    if (word.size() > 1 && is_ascii_mark(word.back())) {
      words.insert(words.end(), {word.substr(0, word.size() - 1), word.substr(word.size() - 1)});
    } else if (word.size() > 1 && is_ascii_mark(word.front())) {
      words.insert(words.end(), {word.substr(0, 1), word.substr(1)});
    } else {
      words.push_back(word);
    }
  }
  return words;
}

Units units_of(std::string_view line, const ChrfOptions& options, WordIds& ids) {
  const std::string text{options.lower_case ? strip_right(lower_case(line)) : strip_right(line)};
  Units units;
  if (options.whitespace) {
    units.characters = decode_all(text);
  } else {
    for (const auto word : words_of(text)) units.characters += decode_all(word);
  }
  if (options.word_order > 0) {
    const auto words = ids.of(separate_outer_marks(text));
    units.words.assign(words.begin(), words.end());
  }
  return units;
}

struct Averages {
  double precision = 0, recall = 0;
};

Averages average(const Statistics& figures) {
  Averages mean;
  double orders = 0;
  for (size_t i = 0; i < figures.size(); i += kFiguresOfOrder) {
    if (figures[i] == 0 || figures[i + 1] == 0) continue;
    mean.precision += figures[i + 2] / figures[i];
    mean.recall += figures[i + 2] / figures[i + 1];
    ++orders;
  }
  if (orders == 0) return {};
  return {mean.precision / orders, mean.recall / orders};
}

double f_score(const Averages& mean, int64_t beta) {
  if (mean.precision + mean.recall == 0) return 0;
  const auto weight = static_cast<double>(beta * beta);
  return 100 *
         ((1 + weight) * mean.precision * mean.recall / (weight * mean.precision + mean.recall));
}

}  // namespace

Chrf::Chrf(const ChrfOptions& options) : options_(options) {
  if (options.char_order < 0 || options.word_order < 0 ||
      options.char_order + options.word_order == 0) {
    throw_error(ErrorKind::kUsage,
                "chrF: the longest n-grams have {} characters and {} words, expected one order of "
                "at least 1, and none below 0",
                options.char_order, options.word_order);
  }
  if (options.beta < 1)
    throw_error(ErrorKind::kUsage, "chrF: beta is {}, expected at least 1", options.beta);
}

std::string Chrf::name() const {
  return fmt::format("chrF{}{}", options_.beta,
                     std::string(static_cast<size_t>(options_.word_order), '+'));
}

std::string Chrf::signature(size_t references) const {
  return fmt::format("nrefs:{}|case:{}|eff:yes|nc:{}|nw:{}|space:{}|version:heed-{}", references,
                     options_.lower_case ? "lc" : "mixed", options_.char_order, options_.word_order,
                     options_.whitespace ? "yes" : "no", HEED_VERSION);
}

Statistics Chrf::statistics(std::string_view hypothesis, const LineReferences& references) const {
  WordIds ids;
  const Units given = units_of(hypothesis, options_, ids);
  Statistics best;
  double best_score = -1;
  for (const auto reference : references) {
    const Units wanted = units_of(reference, options_, ids);
    Statistics figures;
    count_orders(given.characters, wanted.characters, options_.char_order, figures);
    count_orders(given.words, wanted.words, options_.word_order, figures);
    const double score = f_score(average(figures), options_.beta);
    if (score <= best_score) continue;
    best_score = score;
    best = std::move(figures);
  }
  return best;
}

Score Chrf::from_sum(const Statistics& sum) const {
  const Averages mean = average(sum);
  return {f_score(mean, options_.beta),
          "",
          {{"precision", 100 * mean.precision}, {"recall", 100 * mean.recall}}};
}

}  // namespace heed
