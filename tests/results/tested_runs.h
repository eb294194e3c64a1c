// Runs of two kinds of attention, with translations of a test set, for tables of means.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/run_lines.h"

namespace heed {

// Two kinds of attention and three seeds; the names and values have special characters.
class TestedRuns : public testing::Test {
 protected:
  using Texts = std::vector<std::string>;

  static inline const Texts kBase = {
      "A man is riding his bike on the street.", "Two dogs are playing in deep snow.",
      "The woman wears a red hat and smiles.", "Kids are running across a field."};
  static inline const Texts kNew = {
      "A man is riding a bicycle down the street.", "Two dogs are playing in the snow.",
      "The woman wears a red hat, and smiles.", "Children are running through a field"};
  static inline const Texts kReference = {
      "A man rides a bicycle down the street.", "Two dogs play in the snow.",
      "A woman with a red hat smiles.", "Children run through a field."};
  static inline const std::vector<double> kBaseScores = {14.8666174028195, 14.480141047017705,
                                                         31.81572500756429};
  static inline const std::vector<double> kNewScores = {37.48556573467416, 36.45460630275175,
                                                        49.85228789873681};

  // The texts of seeds 1, 2 and 3.
  static Texts of_seed(Texts lines, int seed) {
    if (seed == 2) lines[0][0] = 'a';
    if (seed == 3) lines[3] = "Children run through a field.";
    return lines;
  }

  static std::string text_of(const Texts& lines) {
    return fmt::format("{}\n", fmt::join(lines, "\n"));
  }

  TestedRuns() {
    for (int seed = 1; seed <= 3; ++seed) {
      const auto at = static_cast<size_t>(seed - 1);
      write("my_base", "additive", seed, kBaseScores[at], of_seed(kBase, seed));
      write("new", "general", seed, kNewScores[at], of_seed(kNew, seed));
    }
  }
  void write(const std::string& name, const std::string& score, int seed, double bleu,
             const Texts& translations, const std::string& language = "de") const {
    const std::filesystem::path run = folder_ / fmt::format("runs/{}-{}", name, seed);
    write_run(
        run,
        validation_line(100, 10 * seed, true) +
            test_line(100, "news", bleu,
                      "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:heed-0.1.0") +
            end_line(100, "finished"),
        fmt::format("seed: {}\ndata: {{dir: /corpora/{}}}\nmodel: {{decoder: {{attention: "
                    "{{score: {{type: \"{}\"}}}}}}}}\ntrain: {{validate: {{metric: bleu}}}}\n",
                    seed, language, score));
    std::filesystem::create_directories(run / "translations");
    write_plainly(run / "translations/news.hyp", text_of(translations));
    write_plainly(run / "translations/news.ref", text_of(kReference));
  }
  TemporaryFolder folder_;
};

}  // namespace heed
