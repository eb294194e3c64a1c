// Real texts, damaged by a rule, against what the reference tools printed for them. The texts are
// not part of the project: the tests read them from the folder that HEED_CORPORA names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "metric/fixtures.h"
#include "metric/perturb.h"

namespace heed {
namespace {

using test::Texts;

Lines damaged(const Lines& lines, size_t salt) {
  Lines result;
  for (size_t i = 0; i < lines.size(); ++i) result.push_back(test::perturb(lines[i], i, salt));
  return result;
}

void remove_spaces(Lines& lines) {
  for (auto& line : lines) std::erase(line, ' ');
}

// The hypotheses are a damaged copy and the second reference another one, unless the case names a
// reference.
Texts read_texts(const std::filesystem::path& root, const nlohmann::json& figures) {
  const auto lines = test::read_lines(root / figures["hypotheses"].get<std::string>());
  const std::string reference = figures["reference"];
  if (!reference.empty()) return {lines, {test::read_lines(root / reference)}};
  Texts texts{damaged(lines, 1), {lines, damaged(lines, 2)}};
  if (figures["joined"]) {
    remove_spaces(texts.hypotheses);
    for (auto& other : texts.references) remove_spaces(other);
  }
  return texts;
}

void expect_corpora(const std::string& begin, const std::string& file = "corpora.json") {
  const char* root = std::getenv("HEED_CORPORA");
  if (root == nullptr)
    GTEST_SKIP() << "HEED_CORPORA is not set: it names the folder of the real texts";
  size_t cases = 0;
  for (const auto& figures : test::read_cases(file)) {
    if (!figures["metric"].get<std::string>().starts_with(begin)) continue;
    SCOPED_TRACE(figures["hypotheses"].get<std::string>());
    test::expect_figures(read_texts(root, figures), figures);
    ++cases;
  }
  EXPECT_GT(cases, 15u);
}

TEST(RealTexts, BleuEqualsSacrebleu) { expect_corpora("bleu"); }
TEST(RealTexts, ChrfEqualsSacrebleu) { expect_corpora("chrf", "corpora_chrf_ter.json"); }
TEST(RealTexts, TerEqualsSacrebleu) { expect_corpora("ter", "corpora_chrf_ter.json"); }
TEST(RealTexts, RougeEqualsRougeScore) { expect_corpora("rouge"); }

}  // namespace
}  // namespace heed
