// The API of DeepL, with models of three words.
#include <gmock/gmock.h>

#include "serve/glossary_store.h"
#include "serve/small_server.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kDeepl = "/v2/translate";
constexpr const char* kStored = "/v2/glossaries";

SmallServerOptions deepl_models() { return {.models = {"en-de", "de-en", "en-fr"}}; }

std::string own_translation(const SmallServer& server, const std::string& model,
                            const std::string& text) {
  const json answer = server.post({{"text", text}, {"model", model}}).json();
  return answer["lines"][0]["translations"][0]["text"];
}

TEST(Deepl, AnswersInItsForm) {
  const SmallServer server(deepl_models());
  const auto translation = [&](const std::string& text) {
    return json(
        {{"detected_source_language", "EN"}, {"text", own_translation(server, "en-de", text)}});
  };
  const json both = {{"translations", {translation("a b"), translation("c")}}};
  EXPECT_EQ(
      server.post({{"text", {"a b", "c"}}, {"source_lang", "EN"}, {"target_lang", "DE"}}, kDeepl)
          .json(),
      both);
  EXPECT_EQ(
      server.ask("POST", kDeepl, "text=a+b&text=c&source_lang=en&target_lang=de", kFormType).json(),
      both);
  const json one = server
                       .post({{"text", {"a b"}},
                              {"source_lang", "EN"},
                              {"target_lang", "DE"},
                              {"show_billed_characters", true},
                              {"preserve_formatting", true},
                              {"formality", "prefer_more"},
                              {"model_type", "prefer_quality_optimized"},
                              {"context", "a letter"}},
                             kDeepl)
                       .json()["translations"][0];
  EXPECT_EQ(one["text"], translation("a b")["text"]);
  EXPECT_EQ(one["billed_characters"], 3);
  EXPECT_EQ(one["model_type_used"], "quality_optimized");
  EXPECT_EQ(one["warnings"], json({{{"kind", "ignored"}, {"message", "context: is not used"}}}));
  EXPECT_EQ(server.ask("GET", "/v2/usage").json()["character_count"], 4 + 4 + 3);
}

TEST(Deepl, DetectsTheLanguageOfEachText) {
  const SmallServer server(deepl_models());
  const std::string german = "Das ist ein Satz in deutscher Sprache.",
                    english = "This is a sentence in the English language.";
  const json answer =
      server.post({{"text", {german, english, german}}, {"target_lang", "FR"}}, kDeepl).json();
  std::vector<std::string> languages, texts;
  for (const json& one : answer["translations"]) {
    languages.push_back(one["detected_source_language"]);
    texts.push_back(one["text"]);
  }
  EXPECT_THAT(languages, ElementsAre("DE", "EN", "DE"));
  const std::string pivoted =
      own_translation(server, "en-fr", own_translation(server, "de-en", german));
  EXPECT_THAT(texts, ElementsAre(pivoted, own_translation(server, "en-fr", english), pivoted));
  EXPECT_EQ(answer["translations"][0]["pivot_language"], "EN");
  EXPECT_FALSE(answer["translations"][1].contains("pivot_language"));
  EXPECT_THAT(answer.dump(), testing::Not(HasSubstr(R"("kind":"source_language")")));
  const json numbers =
      server.post({{"text", {"12"}}, {"target_lang", "FR"}}, kDeepl).json()["translations"][0];
  EXPECT_EQ(numbers["detected_source_language"], "EN");
  EXPECT_EQ(numbers["warnings"][0]["kind"], "source_language");
}

TEST(Deepl, SplitsSentencesAsItIsTold) {
  const SmallServer server(deepl_models());
  const auto text = [&](const json& split) {
    json request = {{"text", {"a b.\nc a."}}, {"source_lang", "EN"}, {"target_lang", "DE"}};
    if (!split.is_null()) request["split_sentences"] = split;
    return server.post(request, kDeepl).json()["translations"][0]["text"].get<std::string>();
  };
  const auto own = [&](const std::string& line, bool split) {
    return server.post({{"text", line}, {"model", "en-de"}, {"split", split}})
        .json()["lines"][0]["translations"][0]["text"]
        .get<std::string>();
  };
  for (const json& all : {json(), json("1"), json(true), json(1)})
    EXPECT_EQ(text(all), own("a b.\nc a.", true)) << all;
  EXPECT_EQ(text("nonewlines"), own("a b. c a.", true));
  for (const json& none : {json("0"), json(false)})
    EXPECT_EQ(text(none), own("a b. c a.", false)) << none;
}

TEST(Deepl, ListsLanguages) {
  const SmallServer server(deepl_models());
  const auto codes = [&](const std::string& path) {
    std::vector<std::string> found;
    for (const json& one : server.ask("GET", path).json()) found.push_back(one["language"]);
    return found;
  };
  EXPECT_THAT(codes("/v2/languages"), ElementsAre("DE", "EN"));
  EXPECT_THAT(codes("/v2/languages?type=source"), ElementsAre("DE", "EN"));
  EXPECT_THAT(codes("/v2/languages?type=target"), ElementsAre("DE", "EN-GB", "EN-US", "FR"));
  EXPECT_EQ(server.ask("GET", "/v2/languages?type=all").status, 400);
  EXPECT_EQ(server.ask("GET", "/v2/glossary-language-pairs").json()["supported_languages"],
            json({{{"source_lang", "de"}, {"target_lang", "en"}},
                  {{"source_lang", "en"}, {"target_lang", "de"}},
                  {{"source_lang", "en"}, {"target_lang", "fr"}}}));
}

TEST(Deepl, RefusesInItsForm) {
  const SmallServer server(deepl_models());
  const auto expect = [&](const json& fields, int status, const std::string& message) {
    json request = {{"text", {"a"}}, {"source_lang", "EN"}, {"target_lang", "DE"}};
    request.update(fields);
    const HttpAnswer answer = server.post(request, kDeepl);
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_THAT(answer.json()["message"].get<std::string>(), HasSubstr(message));
  };
  expect({{"target_lang", nullptr}}, 400, "target_lang: missing");
  expect({{"target_lang", "IT"}}, 400,
         "target_lang: value \"IT\" is not supported, expected one of");
  expect({{"source_lang", "FR"}}, 400, "source_lang: value \"FR\" is not supported");
  expect({{"text", json::array()}}, 400, "text: expected 1 to 256 texts, found 0");
  expect({{"text", 5}}, 400, "text: found 5");
  expect({{"split_sentences", "2"}}, 400, "split_sentences: found \"2\"");
  expect({{"formality", "more"}}, 400, "formality: is not supported");
  expect({{"formality", "much"}}, 400, "formality: found \"much\"");
  expect({{"model_type", "best"}}, 400, "model_type: found \"best\"");
  expect({{"tag_handling", "md"}}, 400, "tag_handling: found \"md\"");
  expect({{"style_id", "x"}}, 400, "style_id: is not supported");
  expect({{"glossary_id", "x"}}, 404, "Glossary x not found");
  EXPECT_EQ(server.ask("POST", kDeepl, "text=%").status, 400);
  EXPECT_EQ(server.ask("GET", kDeepl).status, 405);
  EXPECT_TRUE(server.ask("POST", "/v2/document", "x").json().contains("message"));
  EXPECT_EQ(server.ask("POST", "/v2/document", "x").status, 404);
  const SmallServer small({.body = 100});
  const HttpAnswer too_long = small.ask("POST", kDeepl, std::string(101, 'a'));
  EXPECT_EQ(too_long.status, 413);
  EXPECT_THAT(too_long.json()["message"].get<std::string>(), HasSubstr("longer than 100 bytes"));
}

TEST(Deepl, HasKeys) {
  SmallServerOptions options = deepl_models();
  options.tokens = {"secret"};
  const SmallServer server(options);
  const std::string form = "text=a&source_lang=en&target_lang=de";
  const auto status = [&](const std::string& key) {
    HttpHeaders headers = kFormType;
    headers["Authorization"] = key;
    return server.ask("POST", kDeepl, form, headers).status;
  };
  EXPECT_EQ(status("DeepL-Auth-Key secret"), 200);
  for (const char* key : {"DeepL-Auth-Key secre", "DeepL-Auth-Key", "secret", "Bearer secret", ""})
    EXPECT_EQ(status(key), 403) << key;
  EXPECT_EQ(server.ask("POST", kDeepl, form + "&auth_key=secret", kFormType).status, 200);
  EXPECT_EQ(server.ask("GET", "/v2/usage").status, 403);
  EXPECT_EQ(server.ask("GET", "/v2/usage?auth_key=secret").status, 200);
}

json add_glossary(const SmallServer& server, const std::string& entries,
                  const std::string& format = "tsv") {
  const HttpAnswer answer = server.post({{"name", "terms"},
                                         {"source_lang", "EN"},
                                         {"target_lang", "de"},
                                         {"entries", entries},
                                         {"entries_format", format}},
                                        kStored);
  EXPECT_EQ(answer.status, 201) << answer.body;
  return answer.json();
}

TEST(Deepl, KeepsGlossaries) {
  const SmallServer server(deepl_models());
  const json made = add_glossary(server, "a\tc c\r\nb a\tb\n");
  EXPECT_EQ(made["entry_count"], 2);
  EXPECT_EQ(made["source_lang"], "en");
  EXPECT_EQ(made["ready"], true);
  EXPECT_THAT(made["creation_time"].get<std::string>(),
              testing::MatchesRegex("....-..-..T..:..:......Z"));
  const std::string path = std::string(kStored) + "/" + made["glossary_id"].get<std::string>();
  EXPECT_EQ(server.ask("GET", path).json(), made);
  EXPECT_EQ(server.ask("GET", kStored).json(), json({{"glossaries", {made}}}));
  const HttpAnswer entries = server.ask("GET", path + "/entries");
  EXPECT_EQ(entries.body, "a\tc c\nb a\tb");
  EXPECT_THAT(entries.head, HasSubstr("text/tab-separated-values"));
  EXPECT_EQ(server.ask("DELETE", path).status, 204);
  EXPECT_EQ(server.ask("DELETE", path).status, 404);
  EXPECT_EQ(server.ask("GET", path + "/entries").status, 404);
  EXPECT_EQ(server.ask("GET", kStored).json()["glossaries"], json::array());
}

TEST(Deepl, RequiresTheTermsOfAGlossary) {
  const SmallServer server(deepl_models());
  const json made = add_glossary(server, "a,c c\nb,\"a b, a\"\n", "csv");
  const auto ask = [&](const json& fields) {
    json request = {{"text", {"a c. b"}},
                    {"source_lang", "EN"},
                    {"target_lang", "DE"},
                    {"glossary_id", made["glossary_id"]}};
    request.update(fields);
    return server.post(request, kDeepl);
  };
  // Each sentence has the phrases of its own terms.
  const auto with = [&](const std::string& text, const std::vector<std::string>& phrases) {
    return server.post({{"text", text}, {"model", "en-de"}, {"constraints", phrases}})
        .json()["lines"][0]["translations"][0]["text"]
        .get<std::string>();
  };
  const std::string first = with("a c.", {"c c"});
  ASSERT_THAT(first, HasSubstr("c c"));
  ASSERT_NE(first, own_translation(server, "en-de", "a c."));
  EXPECT_EQ(ask({{"text", {"a c.\na c."}}}).json()["translations"][0]["text"],
            first + "\n" + first);
  EXPECT_EQ(ask({{"source_lang", "DE"}, {"target_lang", "EN"}}).status, 400);
  EXPECT_EQ(ask({{"source_lang", nullptr}}).status, 400);
}

TEST(Deepl, FindsTermsByStems) {
  const SmallServer server(deepl_models());
  const auto has_term = [&](const json& fields) {
    json request = {{"name", "terms"},
                    {"source_lang", "EN"},
                    {"target_lang", "DE"},
                    {"entries", "dog\tc c"},
                    {"entries_format", "tsv"}};
    request.update(fields);
    const json made = server.post(request, kStored).json();
    EXPECT_EQ(made["match"], fields.value("match", "exact"));
    const json answer = server
                            .post({{"text", {"a dogs b"}},
                                   {"source_lang", "EN"},
                                   {"target_lang", "DE"},
                                   {"glossary_id", made["glossary_id"]}},
                                  kDeepl)
                            .json();
    return answer["translations"][0]["text"].get<std::string>().find("c c") != std::string::npos;
  };
  ASSERT_THAT(own_translation(server, "en-de", "a dogs b"), testing::Not(HasSubstr("c c")));
  EXPECT_FALSE(has_term(json::object()));
  EXPECT_TRUE(has_term({{"match", "stem"}}));
  server.expect_error({{"name", "terms"},
                       {"source_lang", "EN"},
                       {"target_lang", "DE"},
                       {"entries", "a\tb"},
                       {"entries_format", "tsv"},
                       {"match", "fuzzy"}},
                      400, "match: found \\\"fuzzy\\\", expected one of exact, stem", kStored);
}

TEST(Deepl, RefusesSentencesOfManyTerms) {
  const SmallServer server(deepl_models());
  std::string entries, text;
  for (int i = 0; i <= 100; ++i) {
    entries += fmt::format("w{}\ta\n", i);
    text += fmt::format("w{} ", i);
  }
  const json made = add_glossary(server, entries);
  server.expect_error({{"text", {text}},
                       {"source_lang", "EN"},
                       {"target_lang", "DE"},
                       {"glossary_id", made["glossary_id"]}},
                      422, "a sentence has 101 terms of the glossary, expected 100 at most",
                      kDeepl);
}

TEST(GlossaryEntries, AreReadFromTsvAndCsv) {
  using Entries = std::vector<ServedGlossary::Entry>;
  EXPECT_EQ(entries_of_tsv(" a \tb\r\n\nc d\te"), (Entries{{"a", "b"}, {"c d", "e"}}));
  EXPECT_EQ(entries_of_csv("a,b,en,de\r\n\"c, \"\"d\"\"\",\"e\nf\"\n"),
            (Entries{{"a", "b"}, {"c, \"d\"", "e\nf"}}));
  const auto refusal = [](auto read, const char* text) -> std::string {
    try {
      read(text);
    } catch (const HttpError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(refusal(entries_of_tsv, "a\tb\na b"), HasSubstr("line 2 has no two columns"));
  EXPECT_THAT(refusal(entries_of_tsv, "a\tb\tc"), HasSubstr("line 1 has no two columns"));
  EXPECT_THAT(refusal(entries_of_tsv, "a\t "), HasSubstr("line 1 has an empty term"));
  EXPECT_THAT(refusal(entries_of_tsv, "a\tb\na\tc"), HasSubstr("line 2 has a term that is there"));
  EXPECT_THAT(refusal(entries_of_tsv, "a\xff\tb"), HasSubstr("line 1 is not UTF-8"));
  EXPECT_THAT(refusal(entries_of_tsv, "\n"), HasSubstr("found none"));
  EXPECT_THAT(refusal(entries_of_csv, "a"), HasSubstr("line 1 has no two columns"));
  EXPECT_THAT(refusal(entries_of_csv, "a,b\nc,\"d"), HasSubstr("line 2 has a quotation mark"));
}

TEST(GlossaryStores, AreLimited) {
  GlossaryStore store;
  const auto add = [&](size_t bytes) {
    StoredGlossary glossary;
    glossary.terms = std::make_shared<const ServedGlossary>(
        std::vector<ServedGlossary::Entry>{{std::string(bytes - 1, 'a'), "b"}});
    return store.add(glossary).id;
  };
  const std::string large = add((GlossaryStore::kBytes - 400) / 4);
  EXPECT_THROW(add(2), HttpError);
  store.remove(large);
  for (size_t i = 0; i < GlossaryStore::kGlossaries; ++i) add(2);
  EXPECT_EQ(store.all().size(), GlossaryStore::kGlossaries);
  EXPECT_THROW(add(2), HttpError);
}

// The model of three words has no attention weights.
TEST(Deepl, RefusesTagsWithoutAttentionWeights) {
  const SmallServer server(SmallServerOptions{.models = {"en-de"}});
  const std::string text = "a <b>c</b> b";
  server.expect_error({{"text", text}, {"markup", "html"}}, 400,
                      "markup: needs attention weights, which the model does not have");
  server.expect_error({{"text", text}, {"markup", "md"}}, 400,
                      "markup: found \\\"md\\\", expected html or xml");
  const HttpAnswer answer = server.post(
      {{"text", {text}}, {"source_lang", "EN"}, {"target_lang", "DE"}, {"tag_handling", "xml"}},
      kDeepl);
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr("en-de translates plain text alone"));
}

}  // namespace
}  // namespace heed
