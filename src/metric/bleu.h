// BLEU (Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine translation",
// section 2.3) with the choices of sacreBLEU 2.6.0 (Post 2018). The value, the figures behind it
// and the signature are equal to sacreBLEU's, except for the version in the signature, which names
// this program.
//
// The Unicode properties of `intl` and of lower-casing are ICU's; sacreBLEU uses those of the
// `regex` package and of Python. Characters that only the newer of the two defines may be split
// differently.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metric/bleu_tokenizers.h"
#include "metric/metric.h"

namespace heed {

// Replacements for a precision without matches (Chen and Cherry 2014, section 3).
enum class BleuSmoothing {
  kExp,    // 1/2, 1/4, … of a match (method 3; mteval-v13a)
  kFloor,  // a part of a match (method 1)
  kAddK,   // k more matches and n-grams from the second order on (method 2)
  kNone,
};

struct BleuOptions {
  std::string tokenizer = "13a";
  BleuSmoothing smoothing = BleuSmoothing::kExp;
  std::optional<double> smooth_value{};  // for floor (unset: 0.1) and add-k (unset: 1)
  bool lower_case = false;
  bool effective_order = false;  // skips orders that a text is too short for; for single sentences
};

// exp, floor, add-k, none. Error(kUsage) for another name.
BleuSmoothing parse_bleu_smoothing(const std::string& name);
std::vector<std::string> bleu_smoothing_names();

class Bleu final : public Metric {
 public:
  // Throws Error(kUsage) for an unknown tokenizer, a smoothing value below zero, or a value for a
  // smoothing without one.
  explicit Bleu(const BleuOptions& options = {});

  std::string name() const override { return "BLEU"; }
  bool counts_ties() const override { return false; }
  std::string caveat(const Lines& hypotheses, const References& references) const override;
  std::string signature(size_t references) const override;
  // {words, words of the reference nearest in length, matches of order 1 … 4, n-grams of order 1 …
  // 4}
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // Parts: precision1 … precision4 (percent), bp, ratio, hyp_len, ref_len.
  Score from_sum(const Statistics& sum) const override;

  // Line in the form in which it is counted: lower-cased if asked, words between white space.
  std::string preprocess(std::string_view line) const;

 private:
  BleuOptions options_;
  double smooth_value_ = 0;
  BleuTokenize tokenize_ = nullptr;
  std::string tokenizer_;  // for the signature, with its version if it has one
};

}  // namespace heed
