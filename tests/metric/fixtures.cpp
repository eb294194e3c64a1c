#include "metric/fixtures.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/file.h"

namespace heed::test {

namespace {

constexpr double kRounding = 1e-8;  // the figures' files have ten decimals

BleuOptions bleu_options(const nlohmann::json& figures) {
  BleuOptions options{figures["tokenizer"], parse_bleu_smoothing(figures["smoothing"])};
  if (!figures["smooth_value"].is_null())
    options.smooth_value = figures["smooth_value"].get<double>();
  options.lower_case = figures["lower_case"];
  options.effective_order = figures["effective_order"];
  return options;
}

MetricOptions options_of(const nlohmann::json& figures) {
  MetricOptions options;
  const std::string metric = figures["metric"];
  if (metric == "bleu") {
    options.bleu = bleu_options(figures);
  } else if (metric == "chrf") {
    options.chrf = {figures["char_order"], figures["word_order"], figures["beta"],
                    figures["whitespace"], figures["lowercase"]};
  } else if (metric == "ter") {
    options.ter = {figures["normalized"], figures["no_punct"], figures["asian_support"],
                   figures["case_sensitive"]};
  } else {
    options.rouge.stem = figures["stem"];
    options.rouge.sentence_break = figures["break"];
  }
  return options;
}

// Our line under sacreBLEU's version: all else has to be the same.
std::string as_sacrebleu(std::string line) {
  const std::string ours = std::string("version:heed-") + HEED_VERSION;
  const size_t at = line.find(ours);
  return at == std::string::npos ? line : line.replace(at, ours.size(), "version:2.6.0");
}

double part(const Score& score, const std::string& name) {
  for (const auto& [key, value] : score.parts) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no part " << name;
  return 0;
}

}  // namespace

std::filesystem::path fixture(const std::string& name) {
  const char* source = std::getenv("HEED_SOURCE");
  return std::filesystem::path(source ? source : ".") / "tests/metric/fixtures" / name;
}

Lines read_lines(const std::filesystem::path& path) {
  LineReader reader(path);
  Lines lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

nlohmann::json read_cases(const std::string& name) {
  return nlohmann::json::parse(read_file(fixture(name)));
}

const Texts& generated() {
  static const Texts texts = {
      read_lines(fixture("generated.hyp")),
      {read_lines(fixture("generated.ref0")), read_lines(fixture("generated.ref1"))}};
  return texts;
}

Texts select(const Texts& texts, const nlohmann::json& figures) {
  const std::ptrdiff_t first = figures["first"], count = figures["count"],
                       references = figures["references"];
  const auto cut = [&](const Lines& lines) {
    return Lines(lines.begin() + first, lines.begin() + first + count);
  };
  Texts result{cut(texts.hypotheses), {}};
  for (std::ptrdiff_t i = 0; i < references; ++i)
    result.references.push_back(cut(texts.references[i]));
  return result;
}

void expect_figures(const Texts& texts, const nlohmann::json& figures) {
  SCOPED_TRACE(figures.dump());
  const auto metric = make_metric(figures["metric"], options_of(figures));
  const Texts part_of = select(texts, figures);
  const Score score = metric->score(part_of.hypotheses, part_of.references);
  if (figures.contains("line")) {
    EXPECT_EQ(as_sacrebleu(format_score(*metric, score, part_of.references.size(), 2)),
              figures["line"].get<std::string>());
    EXPECT_NEAR(score.value, figures["score"].get<double>(), kRounding);
  } else {
    EXPECT_NEAR(score.value, figures["f1"].get<double>(), kRounding);
    EXPECT_NEAR(part(score, "precision"), figures["precision"].get<double>(), kRounding);
    EXPECT_NEAR(part(score, "recall"), figures["recall"].get<double>(), kRounding);
  }
}

}  // namespace heed::test
