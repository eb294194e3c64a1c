// The API of LibreTranslate, with models of three words.
#include <gmock/gmock.h>

#include "serve/small_server.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

SmallServerOptions languages() { return {.models = {"en-de", "de-en", "en-fr"}}; }

// The translation by a model, in heed's own form.
std::string by_model(const SmallServer& server, const std::string& model, const std::string& text) {
  const json answer = server.post({{"text", text}, {"model", model}}).json();
  return answer["lines"][0]["translations"][0]["text"];
}

TEST(LibreTranslate, AnswersInItsForm) {
  const SmallServer server(languages());
  const std::string expected = by_model(server, "en-de", "a b");
  ASSERT_NE(expected, "a b");
  const json answer = json({{"translatedText", expected}});
  EXPECT_EQ(server.post({{"q", "a b"}, {"source", "en"}, {"target", "de"}}).json(), answer);
  EXPECT_EQ(
      server.ask("POST", "/translate", "q=a+b&source=en&target=de&secret=x", kFormType).json(),
      answer);
  EXPECT_EQ(server
                .ask("POST", "/translate",
                     "--x\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\na b\r\n--x\r\n"
                     "Content-Disposition: form-data; name=\"source\"\r\n\r\nen\r\n--x\r\n"
                     "Content-Disposition: form-data; name=\"target\"\r\n\r\nde\r\n--x--\r\n",
                     {{"Content-Type", "multipart/form-data; boundary=x"}})
                .json(),
            answer);
  EXPECT_EQ(server.post({{"q", {"a b", "", "c"}}, {"source", "eng"}, {"target", "DE"}}).json(),
            json({{"translatedText", {expected, "", by_model(server, "en-de", "c")}}}));
}

TEST(LibreTranslate, IsToldFromHeedsOwnRequestsByItsFields) {
  const SmallServer server(languages());
  server.expect_error({{"q", "a"}, {"text", "a"}}, 400, "text: is a field of heed's own requests");
  server.expect_error({{"q", "a"}, {"texts", {"a"}}}, 400, "texts: is a field of heed's");
  server.expect_error({{"text", "a"}, {"source", "en"}}, 400, "model: missing");
  // curl -d sends this type.
  const std::string own = R"({"text": "q a", "model": "en-de"})";
  EXPECT_EQ(server.ask("POST", "/translate", own, kFormType).json()["model"], "en-de");
  // "q" as a value.
  EXPECT_EQ(server.post({{"text", "q"}, {"model", "en-de"}}).json()["model"], "en-de");
}

TEST(LibreTranslate, GivesAlternatives) {
  const SmallServer server(languages());
  const json request = {{"q", "a b"}, {"source", "en"}, {"target", "de"}};
  json wanted = request;
  wanted["alternatives"] = 3;
  const json lines =
      server.post({{"text", "a b"}, {"model", "en-de"}, {"nbest", 4}}).json()["lines"];
  std::vector<std::string> texts;
  for (const json& one : lines[0]["translations"]) texts.push_back(one["text"]);
  ASSERT_EQ(texts.size(), 4);
  const json answer = server.post(wanted).json();
  EXPECT_EQ(answer["translatedText"], texts[0]);
  EXPECT_EQ(answer["alternatives"], json({texts[1], texts[2], texts[3]}));
  EXPECT_EQ(server.ask("POST", "/translate", "q=a+b&source=en&target=de&alternatives=3", kFormType)
                .json(),
            answer);
  wanted["alternatives"] = 32;
  server.expect_error(wanted, 400, "alternatives: found 32, expected a whole number from 0 to 31");
  EXPECT_FALSE(server.post(request).json().contains("alternatives"));
}

TEST(LibreTranslate, DetectsTheLanguage) {
  const SmallServer server(languages());
  const std::string german = "Das ist ein Satz in deutscher Sprache.";
  const json answer = server.post({{"q", german}, {"source", "auto"}, {"target", "en"}}).json();
  EXPECT_EQ(answer["detectedLanguage"]["language"], "de");
  EXPECT_GT(answer["detectedLanguage"]["confidence"], 80);
  EXPECT_LE(answer["detectedLanguage"]["confidence"], 100);
  EXPECT_EQ(answer["translatedText"], by_model(server, "de-en", german));
  const json detected = server.post({{"q", german}}, "/detect").json();
  EXPECT_EQ(detected[0]["language"], "de");
  EXPECT_EQ(server.ask("POST", "/detect", "q=12", kFormType).json(),
            json({{{"confidence", 0}, {"language", "en"}}}));
  server.expect_error(
      {{"q", "Questa frase è scritta in lingua italiana."}, {"source", "auto"}, {"target", "en"}},
      400, "the text is in it");
  // A text in the target language is its own translation.
  EXPECT_EQ(
      server.post({{"q", german}, {"source", "auto"}, {"target", "de"}}).json()["translatedText"],
      german);
}

TEST(LibreTranslate, PivotsAndSaysSo) {
  const SmallServer server(languages());
  const json answer = server.post({{"q", {"a b", "c"}}, {"source", "de"}, {"target", "fr"}}).json();
  EXPECT_EQ(answer["pivotLanguage"], "en");
  const auto both = [&](const std::string& text) {
    return by_model(server, "en-fr", by_model(server, "de-en", text));
  };
  EXPECT_EQ(answer["translatedText"], json({both("a b"), both("c")}));
  SmallServerOptions options = languages();
  options.may_pivot = false;
  SmallServer(options).expect_error(
      {{"q", "a"}, {"source", "de"}, {"target", "fr"}}, 400,
      "French (fr) is not available as a target language from German");
}

TEST(LibreTranslate, ListsLanguagesAndSettings) {
  const SmallServer server(languages());
  EXPECT_EQ(server.ask("GET", "/languages").json(),
            json({{{"code", "de"}, {"name", "German"}, {"targets", {"en", "fr", "de"}}},
                  {{"code", "en"}, {"name", "English"}, {"targets", {"de", "fr", "en"}}}}));
  const json settings = server.ask("GET", "/frontend/settings").json();
  EXPECT_EQ(settings["charLimit"], ServeLimits().characters);
  EXPECT_EQ(settings["keyRequired"], false);
  EXPECT_EQ(settings["language"]["source"]["code"], "auto");
  EXPECT_EQ(server.ask("GET", "/health").json(), json({{"status", "ok"}}));
}

TEST(LibreTranslate, RefusesInItsForm) {
  const SmallServer server(languages());
  const auto expect = [&](const json& request, int status, const std::string& message) {
    const HttpAnswer answer = server.post(request);
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_THAT(answer.json()["error"].get<std::string>(), HasSubstr(message));
  };
  expect({{"q", "a"}, {"target", "de"}}, 400, "Invalid request: missing source parameter");
  expect({{"q", "a"}, {"source", "en"}}, 400, "Invalid request: missing target parameter");
  expect({{"q", "a"}, {"source", "xx"}, {"target", "de"}}, 400, "\"xx\" is not supported");
  expect({{"q", "a"}, {"source", "en"}, {"target", "it"}}, 400, "\"it\" is not supported");
  expect({{"q", "a"}, {"source", "auto"}, {"target", "it"}}, 400, "\"it\" is not supported");
  expect({{"q", "a"}, {"source", "fr"}, {"target", "de"}}, 400, "\"fr\" is not supported");
  expect({{"q", "a"}, {"source", "en"}, {"target", "de"}, {"format", "pdf"}}, 400, "pdf");
  // The model of three words has no attention weights.
  expect({{"q", "a"}, {"source", "en"}, {"target", "de"}, {"format", "html"}}, 400,
         "en-de translates plain text alone");
  expect({{"q", json::array()}, {"source", "en"}, {"target", "de"}}, 400, "q: expected 1 to 256");
  expect({{"q", 5}, {"source", "en"}, {"target", "de"}}, 400, "q: found 5, expected a list");
  expect({{"q", std::string(10'001, 'a')}, {"source", "en"}, {"target", "de"}}, 400,
         "found 10001 characters, expected 10000 at most");
  const HttpAnswer form = server.ask("POST", "/translate", "source=en&target=de", kFormType);
  EXPECT_EQ(form.status, 400);
  EXPECT_THAT(form.body, HasSubstr("missing q parameter"));
  EXPECT_EQ(server.ask("POST", "/translate", "q=%", kFormType).status, 400);
  EXPECT_EQ(server.ask("POST", "/translate_file", "x").status, 403);
  EXPECT_EQ(server.ask("POST", "/suggest", "x").status, 403);
  EXPECT_EQ(server.ask("GET", "/detect").status, 405);
}

TEST(LibreTranslate, HasApiKeys) {
  SmallServerOptions options = languages();
  options.tokens = {"secret"};
  const SmallServer server(options);
  json request = {{"q", "a"}, {"source", "en"}, {"target", "de"}};
  EXPECT_EQ(server.post(request).status, 403);
  EXPECT_EQ(server.post(request).json()["error"], "Invalid API key");
  EXPECT_EQ(
      server.ask("POST", "/translate", request.dump(), {{"Authorization", "Bearer secret"}}).status,
      200);
  for (const json& key : {json("secre"), json(""), json(5), json({"secret"})}) {
    request["api_key"] = key;
    EXPECT_EQ(server.post(request).status, 403) << key;
  }
  request["api_key"] = "secret";
  EXPECT_EQ(server.post(request).status, 200);
  const std::string form = "q=a&source=en&target=de";
  EXPECT_EQ(server.ask("POST", "/translate", form + "&api_key=secret", kFormType).status, 200);
  EXPECT_EQ(server.ask("POST", "/translate?api_key=secret", form, kFormType).status, 200);
  EXPECT_EQ(server.ask("POST", "/translate", form, kFormType).status, 403);
  EXPECT_EQ(server.ask("POST", "/detect", "q=a", kFormType).status, 403);
  EXPECT_EQ(server.ask("GET", "/languages").status, 200);
  EXPECT_EQ(server.ask("GET", "/frontend/settings").json()["keyRequired"], true);
}

TEST(LibreTranslate, IsAnsweredToPagesOfAllowedOrigins) {
  SmallServerOptions options = languages();
  options.origins = {"https://example.org"};
  const SmallServer server(options);
  const HttpHeaders allowed = {{"Origin", "https://example.org"}};
  const HttpAnswer preflight =
      server.ask("OPTIONS", "/translate", "",
                 {{"Origin", "https://example.org"}, {"Access-Control-Request-Method", "POST"}});
  EXPECT_EQ(preflight.status, 204);
  EXPECT_THAT(preflight.head,
              HasSubstr("Access-Control-Allow-Headers: Authorization, Content-Type"));
  EXPECT_THAT(preflight.head, HasSubstr("Access-Control-Allow-Methods: GET, POST, DELETE"));
  for (const std::string body : {R"({"q":"a","source":"en","target":"de"})", R"({"q":"a"})"}) {
    const HttpAnswer answer = server.ask("POST", "/translate", body, allowed);
    EXPECT_THAT(answer.head + "\r\n",
                HasSubstr("Access-Control-Allow-Origin: https://example.org\r\n"));
    EXPECT_THAT(answer.head + "\r\n", HasSubstr("Vary: Origin\r\n"));
  }
  for (const std::string origin : {"https://example.org.evil", "http://example.org", "null"}) {
    const HttpAnswer refused = server.ask("OPTIONS", "/translate", "", {{"Origin", origin}});
    EXPECT_EQ(refused.status, 403) << origin;
    EXPECT_THAT(refused.head, Not(HasSubstr("Access-Control"))) << origin;
  }
  options.origins = {"*"};
  EXPECT_EQ(SmallServer(options).ask("OPTIONS", "/detect", "", {{"Origin", "null"}}).status, 204);
}

}  // namespace
}  // namespace heed
