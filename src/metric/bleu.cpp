#include "metric/bleu.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "metric/ngrams.h"
#include "metric/words.h"

namespace heed {

namespace {

constexpr size_t kOrders = kMaxNgram;
using PerOrder = std::array<double, kOrders>;

struct SmoothingKind {
  const char* name;
  BleuSmoothing smoothing;
  std::optional<double> value;  // default value, if this smoothing has one
};

const std::vector<SmoothingKind>& smoothings() {
  static const std::vector<SmoothingKind> list = {
      {"exp", BleuSmoothing::kExp, std::nullopt},
      {"floor", BleuSmoothing::kFloor, 0.1},
      {"add-k", BleuSmoothing::kAddK, 1.0},
      {"none", BleuSmoothing::kNone, std::nullopt},
  };
  return list;
}

const SmoothingKind& kind_of(BleuSmoothing smoothing) {
  const auto& list = smoothings();
  const auto at = std::find_if(list.begin(), list.end(),
                               [&](const auto& k) { return k.smoothing == smoothing; });
  HEED_CHECK(at != list.end());
  return *at;
}

double find_smooth_value(const BleuOptions& options) {
  const auto& kind = kind_of(options.smoothing);
  if (!options.smooth_value) return kind.value.value_or(0);
  if (!kind.value) {
    throw_error(ErrorKind::kUsage,
                "BLEU: the smoothing {} takes no value, but {} was given; leave it out, or use "
                "floor or add-k",
                kind.name, *options.smooth_value);
  }
  if (!(*options.smooth_value >= 0) || std::isinf(*options.smooth_value)) {
    throw_error(ErrorKind::kUsage,
                "BLEU: the smoothing value is {}, expected a number of at least 0",
                *options.smooth_value);
  }
  return *options.smooth_value;
}

// Chooses the shorter of equally near lengths.
size_t nearest_length(size_t length, const std::vector<std::vector<uint32_t>>& references) {
  size_t best = references[0].size();
  const auto distance = [length](size_t other) {
    return other > length ? other - length : length - other;
  };
  for (const auto& reference : references) {
    const size_t other = reference.size();
    if (distance(other) < distance(best) || (distance(other) == distance(best) && other < best))
      best = other;
  }
  return best;
}

double count_matches(const NgramCounts& hypothesis, const std::vector<NgramCounts>& references) {
  int64_t matches = 0;
  for (const auto& [ngram, count] : hypothesis) {
    int64_t most = 0;
    for (const auto& reference : references) most = std::max(most, count_of(reference, ngram));
    matches += std::min(count, most);
  }
  return static_cast<double>(matches);
}

double brevity_penalty(double hypothesis_length, double reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  return hypothesis_length > 0 ? std::exp(1 - reference_length / hypothesis_length) : 0;
}

struct Precisions {
  PerOrder percent{};
  size_t orders = kOrders;  // number of orders in the mean
};

Precisions smoothed_precisions(PerOrder matches, PerOrder totals, BleuSmoothing smoothing,
                               double value, bool effective) {
  Precisions result;
  double halves = 1;
  for (size_t n = 0; n < kOrders; ++n) {
    if (smoothing == BleuSmoothing::kAddK && n > 0) {
      matches[n] += value;
      totals[n] += value;
    }
    if (totals[n] == 0) break;
    if (effective) result.orders = n + 1;
    if (matches[n] > 0) {
      result.percent[n] = 100 * matches[n] / totals[n];
    } else if (smoothing == BleuSmoothing::kExp) {
      halves *= 2;
      result.percent[n] = 100 / (halves * totals[n]);
    } else if (smoothing == BleuSmoothing::kFloor) {
      result.percent[n] = 100 * value / totals[n];
    }
  }
  return result;
}

double geometric_mean(const Precisions& precisions) {
  double sum = 0;
  for (size_t n = 0; n < precisions.orders; ++n) {
    if (precisions.percent[n] == 0) return 0;
    sum += std::log(precisions.percent[n]);
  }
  return std::exp(sum / static_cast<double>(precisions.orders));
}

Score describe(double value, const PerOrder& percent, double penalty, double length,
               double reference_length) {
  const double ratio = reference_length > 0 ? length / reference_length : 0;
  Score score{value,
              fmt::format("{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {:.0f} ref_len = {:.0f})",
                          fmt::join(percent, "/"), penalty, ratio, length, reference_length)};
  for (size_t n = 0; n < kOrders; ++n)
    score.parts.emplace_back(fmt::format("precision{}", n + 1), percent[n]);
  score.parts.insert(
      score.parts.end(),
      {{"bp", penalty}, {"ratio", ratio}, {"hyp_len", length}, {"ref_len", reference_length}});
  return score;
}

}  // namespace

BleuSmoothing parse_bleu_smoothing(const std::string& name) {
  for (const auto& kind : smoothings()) {
    if (kind.name == name) return kind.smoothing;
  }
  throw_error(ErrorKind::kUsage, "BLEU has no smoothing '{}'; allowed: {}{}", name,
              fmt::join(bleu_smoothing_names(), ", "), did_you_mean(name, bleu_smoothing_names()));
}

std::vector<std::string> bleu_smoothing_names() {
  std::vector<std::string> names;
  for (const auto& kind : smoothings()) names.emplace_back(kind.name);
  return names;
}

Bleu::Bleu(const BleuOptions& options)
    : options_(options),
      smooth_value_(find_smooth_value(options)),
      tokenize_(find_bleu_tokenizer(options.tokenizer).tokenize),
      tokenizer_(options.tokenizer) {
  const auto version = find_bleu_tokenizer(tokenizer_).version;
  if (version != nullptr) tokenizer_ += "-" + version();
}

std::string Bleu::caveat(const Lines&, const References& references) const {
  if (!find_bleu_tokenizer(options_.tokenizer).needs_spaces) return "";
  return caveat_of_unspaced(references, "use the tokenizer zh, char or ja-mecab");
}

std::string Bleu::signature(size_t references) const {
  const auto& kind = kind_of(options_.smoothing);
  std::string smooth = kind.name;
  if (kind.value) smooth += fmt::format("[{:.2f}]", smooth_value_);
  return fmt::format("nrefs:{}|case:{}|eff:{}|tok:{}|smooth:{}|version:heed-{}", references,
                     options_.lower_case ? "lc" : "mixed", options_.effective_order ? "yes" : "no",
                     tokenizer_, smooth, HEED_VERSION);
}

std::string Bleu::preprocess(std::string_view line) const {
  return options_.lower_case ? tokenize_(strip_right(lower_case(line)))
                             : tokenize_(strip_right(line));
}

Statistics Bleu::statistics(std::string_view hypothesis, const LineReferences& references) const {
  WordIds ids;
  const auto words = ids.of(words_of(preprocess(hypothesis)));
  std::vector<std::vector<uint32_t>> reference_words;
  for (const auto reference : references)
    reference_words.push_back(ids.of(words_of(preprocess(reference))));

  Statistics line(2 + 2 * kOrders);
  line[0] = static_cast<double>(words.size());
  line[1] = static_cast<double>(nearest_length(words.size(), reference_words));
  for (size_t n = 1; n <= kOrders; ++n) {
    std::vector<NgramCounts> counts;
    for (const auto& reference : reference_words) counts.push_back(count_ngrams(reference, n));
    line[1 + n] = count_matches(count_ngrams(words, n), counts);
    line[1 + kOrders + n] = words.size() >= n ? static_cast<double>(words.size() - n + 1) : 0;
  }
  return line;
}

Score Bleu::from_sum(const Statistics& sum) const {
  HEED_CHECK(sum.size() == 2 + 2 * kOrders, "{} figures", sum.size());
  const double length = sum[0], reference_length = sum[1];
  PerOrder matches{}, totals{};
  std::copy_n(sum.begin() + 2, kOrders, matches.begin());
  std::copy_n(sum.begin() + 2 + kOrders, kOrders, totals.begin());
  const double penalty = brevity_penalty(length, reference_length);
  // Without a match there is nothing to smooth.
  if (matches == PerOrder{}) return describe(0, {}, penalty, length, reference_length);
  const auto precisions = smoothed_precisions(matches, totals, options_.smoothing, smooth_value_,
                                              options_.effective_order);
  return describe(penalty * geometric_mean(precisions), precisions.percent, penalty, length,
                  reference_length);
}

}  // namespace heed
