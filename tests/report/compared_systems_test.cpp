#include "report/compared_systems.h"

#include <gmock/gmock.h>

#include "metric/registry.h"

namespace heed {
namespace {

using testing::HasSubstr;

TEST(ComparisonPage, WordsAreCharactersWhereThereAreNoSpaces) {
  MetricOptions options;
  options.bleu.tokenizer = "zh";
  const auto metric = make_metric("bleu", options);
  const ComparedTexts texts{.names = {"dog", "reference"},
                            .systems = {{"我们讨厌狗。"}, {"我们喜欢A4猫。"}},
                            .references = {{"我们喜欢A4猫。"}}};
  const std::string page =
      comparison_page(texts, {compare(*metric, texts, {}, {})}, {}, *metric, {});
  EXPECT_THAT(page, HasSubstr(">我们<mark>讨</mark><mark>厌</mark><mark>狗</mark>。<"));
  EXPECT_THAT(page, HasSubstr(">我们喜欢A4猫。<"));
}

}  // namespace
}  // namespace heed
