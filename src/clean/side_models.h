// Models of how each side is written, and samples of other languages: character n-grams of the corpus
// itself.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "clean/corpus_profile.h"
#include "clean/ngram_classifier.h"

namespace heed {

class SideModels {
 public:
  // samples: "de=FILE"; profile: outlives the models. Throws Error(kUsage) without a name, Error(kIo).
  SideModels(const CorpusProfile& profile, const std::vector<std::string>& samples);

  // Log-likelihoods of one side of a pair: by both sides, then by the samples. The pair itself is left
  // out of the model of its side.
  NgramClassifier::Scores scores(const CorpusPair& pair, size_t side) const;
  const std::string& name(size_t which) const {
    return names_.at(which);
  }  // "the source side", "de"

  // True if the side is as likely by the model of its side as most lines are.
  bool is_usual(const CorpusPair& pair, size_t side) const;
  // Fraction of the lines of the sample that are more likely of their own side.
  double accuracy() const { return accuracy_; }

 private:
  void add_sample(const std::string& text);
  void examine_sample();

  const CorpusProfile& profile_;
  NgramClassifier classifier_;
  std::vector<std::string> names_{"the source side", "the target side"};
  std::array<double, 2> least_usual_{};  // log-likelihood per letter
  double accuracy_ = 0;
};

}  // namespace heed
