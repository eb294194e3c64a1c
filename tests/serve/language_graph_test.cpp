// The languages of models and the paths between them.
#include "serve/language_graph.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "en-de" for each pair, with its tag or token.
std::vector<std::string> shown_pairs(const std::string& name, const ModelLanguages& model) {
  std::vector<std::string> shown;
  for (const LanguagePair& pair : language_pairs(name, model))
    shown.push_back(pair.source + "-" + pair.target + pair.tag + pair.token);
  return shown;
}

TEST(LanguagePairs, FollowFromNameOrFiles) {
  const ModelLanguages plain{.source = "en", .target = "de"};
  EXPECT_THAT(shown_pairs("model", plain), ElementsAre("en-de"));
  EXPECT_THAT(shown_pairs("fr-es", plain), ElementsAre("fr-es"));
  EXPECT_THAT(shown_pairs("europarl/deu-eng", plain), ElementsAre("de-en"));
  EXPECT_THAT(shown_pairs("en+fr-de", plain), ElementsAre("en-de", "fr-de"));
  // Names that are no pairs of languages.
  for (const char* name : {"model-2", "pt-BR", "en-de-small", "xx-de", "en-", "-de", "en+-de"})
    EXPECT_THAT(shown_pairs(name, plain), ElementsAre("en-de")) << name;
  EXPECT_THAT(shown_pairs("model", {}), IsEmpty());
  EXPECT_THAT(shown_pairs("model", {.source = "en", .target = ""}), IsEmpty());
  EXPECT_THAT(shown_pairs("model", {.source = "en", .target = "en"}), IsEmpty());
}

TEST(LanguagePairs, OfSeveralTargetsAreTagsOrTokens) {
  const ModelLanguages tags{.source = "en", .target = "", .tags = {"de", "fra", "news"}};
  EXPECT_THAT(shown_pairs("model", tags), ElementsAre("en-dede", "en-frfra"));
  EXPECT_THAT(shown_pairs("es-fr", tags), ElementsAre("es-frfra"));
  EXPECT_THAT(shown_pairs("en+de-de+fr", tags), ElementsAre("en-dede", "en-frfra", "de-frfra"));
  const ModelLanguages tokens{
      .source = "en", .target = "", .tags = {}, .tokens = {">>deu<<", ">>zho_Hans<<", ">>zho<<"}};
  EXPECT_THAT(shown_pairs("model", tokens), ElementsAre("en-de>>deu<<", "en-zh>>zho_Hans<<"));
  EXPECT_THROW(language_pairs("en-de+fr", {.source = "en", .target = "de"}), Error);
}

TEST(LanguagePairs, OfManyLanguagesAreAllTheirDirections) {
  ModelLanguages many{.source = "", .target = ""};
  many.sources = many.targets = {"deu_Latn", "eng_Latn", "zho_Hans", "zho_Hant", "xx"};
  EXPECT_THAT(shown_pairs("nllb", many),
              ElementsAre("de-en", "de-zh", "en-de", "en-zh", "zh-de", "zh-en"));
  EXPECT_THAT(shown_pairs("en+de-zh", many), ElementsAre("de-zh", "en-zh"));
  const LanguagePair pair = language_pairs("de-zh", many).front();
  EXPECT_EQ(pair.direction.source, "deu_Latn");
  EXPECT_EQ(pair.direction.target, "zho_Hans");
  many.sources = {};
  many.source = "en";
  const std::vector<LanguagePair> pairs = language_pairs("nllb", many);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs.front().source + "-" + pairs.front().target, "en-de");
  EXPECT_EQ(pairs.front().direction.source, "");
}

std::vector<std::string> models_of(const LanguageGraph& graph, const std::string& source,
                                   const std::string& target) {
  std::vector<std::string> models;
  for (const auto& step : graph.path(source, target)) models.push_back(step.model);
  return models;
}

LanguageGraph graph_of(const std::vector<std::string>& names, bool may_pivot) {
  LanguageGraph graph(may_pivot);
  for (const std::string& name : names) graph.add(name, language_pairs(name, {}));
  return graph;
}

TEST(LanguageGraphs, PreferAModelOfThePairThenEnglish) {
  const auto graph = graph_of({"de-cs", "cs-fr", "de-en", "en-fr", "fr-es", "en-de"}, true);
  EXPECT_THAT(models_of(graph, "de", "en"), ElementsAre("de-en"));
  EXPECT_THAT(models_of(graph, "de", "fr"), ElementsAre("de-en", "en-fr"));
  EXPECT_THAT(models_of(graph, "cs", "es"), ElementsAre("cs-fr", "fr-es"));
  EXPECT_THAT(models_of(graph, "de", "de"), IsEmpty());
  EXPECT_THAT(models_of(graph, "es", "de"), IsEmpty());
  EXPECT_THAT(models_of(graph, "de", "es"), IsEmpty());  // three models would be needed
  EXPECT_THAT(graph.targets_of("de"), ElementsAre("cs", "en", "fr"));
  EXPECT_THAT(graph.sources_of("fr"), ElementsAre("cs", "de", "en"));
  EXPECT_THAT(graph.sources(), ElementsAre("cs", "de", "en", "fr"));
  EXPECT_THAT(graph.targets(), ElementsAre("cs", "de", "en", "es", "fr"));
}

TEST(LanguageGraphs, PivotOnlyIfTheyMay) {
  const auto graph = graph_of({"de-en", "en-fr"}, false);
  EXPECT_THAT(models_of(graph, "de", "fr"), IsEmpty());
  EXPECT_THAT(graph.targets_of("de"), ElementsAre("en"));
}

TEST(LanguageGraphs, UseTheFirstModelOfAPair) {
  LanguageGraph graph(true);
  graph.add("first", {{.source = "de", .target = "en"}});
  graph.add("second", {{.source = "de", .target = "en"}, {.source = "en", .target = "de"}});
  EXPECT_THAT(models_of(graph, "de", "en"), ElementsAre("first"));
  EXPECT_THAT(models_of(graph, "en", "de"), ElementsAre("second"));
}

}  // namespace
}  // namespace heed
