// Generated lines against what the reference tools printed for them.
#include <gtest/gtest.h>

#include <sstream>

#include "holds.h"
#include "metric/bleu.h"
#include "metric/fixtures.h"
#include "metric/porter_stemmer.h"
#include "metric/words.h"

namespace heed {
namespace {

using test::expect_figures;
using test::fixture;
using test::generated;

void expect_generated(const std::string& begin, const std::string& file = "generated.json") {
  size_t cases = 0;
  for (const auto& figures : test::read_cases(file)) {
    if (!figures["metric"].get<std::string>().starts_with(begin)) continue;
    expect_figures(generated(), figures);
    ++cases;
  }
  EXPECT_GT(cases, 10u);
}

TEST(GeneratedLines, BleuEqualsSacrebleu) {
  holds({"--lowercase", "--metric", "--reference", "--smooth"});
  expect_generated("bleu");
}
TEST(GeneratedLines, ChrfEqualsSacrebleu) {
  holds({"--chrf-beta", "--chrf-char-order", "--chrf-whitespace", "--chrf-word-order",
         "--lowercase", "--metric"});
  expect_generated("chrf", "chrf_ter.json");
}
TEST(GeneratedLines, TerEqualsSacrebleu) {
  holds({"--metric", "--ter-asian-support", "--ter-case-sensitive", "--ter-no-punct",
         "--ter-normalized"});
  expect_generated("ter", "chrf_ter.json");
}
TEST(GeneratedLines, RougeEqualsRougeScore) {
  holds({"--metric"});
  expect_generated("rouge");
}

// sentences.tsv: BLEU with each tokenizer, then ROUGE-1, 2, L, Lsum without and with stemming.
std::vector<std::unique_ptr<Metric>> sentence_metrics() {
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const auto& tokenizer : bleu_tokenizers()) {
    if (tokenizer.version != nullptr) continue;  // mecab_test.cpp
    metrics.push_back(
        std::make_unique<Bleu>(BleuOptions{.tokenizer = tokenizer.name, .effective_order = true}));
  }
  for (const bool stem : {false, true}) {
    for (auto& metric : make_metrics("rouge", {.rouge = {.stem = stem, .sentence_break = "\t"}})) {
      metrics.push_back(std::move(metric));
    }
  }
  return metrics;
}

// A row of figures for each line, against both references.
void expect_sentences(const std::string& file,
                      const std::vector<std::unique_ptr<Metric>>& metrics) {
  const auto rows = test::read_lines(fixture(file));
  ASSERT_GE(rows.size(), 300u);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::istringstream row(rows[i]);
    const auto& references = generated().references;
    for (const auto& metric : metrics) {
      double expected = -1;
      ASSERT_TRUE(row >> expected);
      const auto score =
          metric->score_line(generated().hypotheses[i], {references[0][i], references[1][i]});
      EXPECT_NEAR(score.value, expected, 1e-6) << "line " << i + 1 << ", " << metric->signature(2);
    }
  }
}

TEST(GeneratedLines, SentenceScoresEqualTheTools) {
  holds({"--metric"});
  expect_sentences("sentences.tsv", sentence_metrics());
}

TEST(GeneratedLines, SentenceScoresOfChrfAndTerEqualSacrebleus) {
  holds({"--metric"});
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const char* name : {"chrf", "chrf++", "ter"}) metrics.push_back(make_metric(name));
  expect_sentences("sentences_chrf_ter.tsv", metrics);
}

TEST(GeneratedLines, WordsEqualSacrebleus) {
  holds({"--tokenize", "heed evaluate"});
  size_t lines = 0;
  for (const auto& text : test::read_lines(fixture("tokenized.jsonl"))) {
    const auto row = nlohmann::json::parse(text);
    for (const auto& tokenizer : bleu_tokenizers()) {
      if (tokenizer.version != nullptr) continue;
      const std::string words =
          Bleu({.tokenizer = tokenizer.name}).preprocess(row["line"].get<std::string>());
      std::vector<std::string> found;
      for (const auto word : words_of(words)) found.emplace_back(word);
      EXPECT_EQ(found, row[tokenizer.name].get<std::vector<std::string>>())
          << tokenizer.name << ": " << row["line"];
    }
    ++lines;
  }
  EXPECT_GE(lines, 100u);
}

TEST(GeneratedLines, StemsEqualNltks) {
  holds({"--stem"});
  const auto rows = test::read_lines(fixture("stems.tsv"));
  ASSERT_GE(rows.size(), 3000u);
  for (const auto& row : rows) {
    const size_t tab = row.find('\t');
    EXPECT_EQ(porter_stem(row.substr(0, tab)), row.substr(tab + 1)) << row.substr(0, tab);
  }
}

}  // namespace
}  // namespace heed
