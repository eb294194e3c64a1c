// The paths of the server, who may use them, and what it answers to wrong requests.
#include <gmock/gmock.h>

#include <cstdlib>

#include "base/temporary_folder.h"
#include "serve/small_server.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kOpennmt = "/translator/translate";
constexpr const char* kShortBody = R"({"text":"a"})";

TEST(ServicePaths, AreKnownWithTheirMethods) {
  const SmallServer server;
  for (const char* path :
       {"/nowhere", "/../../etc/passwd", "/%00", "/%00x", "/health%00", "/page.css%00.js"})
    EXPECT_EQ(server.ask("GET", path).status, 404) << path;
  EXPECT_EQ(server.ask("GET", "/h%65alth").status, 200);
  EXPECT_EQ(server.ask("GET", "/translate").status, 405);
  EXPECT_EQ(server.ask("DELETE", "/models").status, 405);
  EXPECT_EQ(server.ask("GET", "/health").json()["status"], "ok");
  const json models = server.ask("GET", "/models").json()["models"];
  EXPECT_EQ(models[0]["name"], "toy");
  EXPECT_EQ(models[0]["inputs"], json({"source"}));
}

TEST(ServicePaths, HaveAPageThatNeedsNoOtherHost) {
  const SmallServer server;
  const std::string sources = std::string(std::getenv("HEED_SOURCE")) + "/src/serve/page/";
  for (const auto& [path, file] :
       {std::pair{"/", "index.html"}, {"/page.css", "page.css"}, {"/page.js", "page.js"}}) {
    const HttpAnswer answer = server.ask("GET", path);
    EXPECT_EQ(answer.status, 200);
    EXPECT_THAT(answer.head, HasSubstr("Content-Security-Policy: default-src 'none'"));
    EXPECT_THAT(answer.body, Not(HasSubstr("http")));
    EXPECT_EQ(answer.body, read_plainly(sources + file));
  }
}

HttpAnswer ask_as(const SmallServer& server, const std::string& host, const std::string& header) {
  const Connection connection(server.port());
  connection.send("POST /translate HTTP/1.1\r\nConnection: close\r\nHost: " + host + "\r\n" +
                  header + "\r\nContent-Length: 12\r\n\r\n" + kShortBody);
  return parse_answer(connection.receive());
}

// A name of another site that leads to this machine is as good for a browser as its own.
TEST(ServiceAccess, IsForPagesOfThisMachineAloneWithoutTokens) {
  const SmallServer server;
  for (const std::string host :
       {"localhost", "LocalHost:80", "127.0.0.1", "127.1.2.3:8080", "[::1]", "[::1]:8080"})
    EXPECT_EQ(ask_as(server, host, "Origin: http://" + host).status, 200) << host;
  for (const std::string host : {"evil.example", "evil.example:8080", "127.0.0.1.evil.example",
                                 "localhost.evil.example", "192.0.2.1", "[::2]", "[::1"}) {
    const HttpAnswer refused = ask_as(server, host, "Origin: http://" + host);
    EXPECT_EQ(refused.status, 403) << host;
    EXPECT_THAT(refused.body, HasSubstr("found '" + host + "', expected localhost"));
    EXPECT_THAT(refused.body, HasSubstr("--token-file"));
  }
  EXPECT_EQ(ask_as(server, "localhost", "Origin: http://x.org").status, 403);
  // A request without Origin may come from a page that has the server's own host.
  EXPECT_EQ(ask_as(server, "name.example", "Accept: */*").status, 403);
}

TEST(ServiceAccess, NeedsATokenIfThereAreAny) {
  const SmallServer server(SmallServerOptions{.tokens = {"secret", "other"}});
  const auto status = [&](const std::string& given) {
    return server.ask("POST", "/translate", kShortBody, {{"Authorization", given}}).status;
  };
  for (const char* given : {"Bearer secret", "Bearer other", "bearer secret"})
    EXPECT_EQ(status(given), 200) << given;
  for (const char* given : {"", "Bearer", "Bearer secre", "Bearer secrets", "secret",
                            "Bearer  secret", "Bearer  ", "Bearer \t", "Bearer secret  x"})
    EXPECT_EQ(status(given), 401) << given;
  for (const char* path : {"/models", "/metrics"}) {
    const HttpAnswer answer = server.ask("GET", path);
    EXPECT_EQ(answer.status, 401);
    EXPECT_THAT(answer.head, HasSubstr("WWW-Authenticate: Bearer"));
  }
  for (const char* path : {"/", "/health"}) EXPECT_EQ(server.ask("GET", path).status, 200);
  EXPECT_EQ(
      ask_as(server, "name.example", "Origin: https://name.example\r\nAuthorization: Bearer secret")
          .status,
      200);
}

double metric(const SmallServer& server, const std::string& name) {
  const std::string text = server.ask("GET", "/metrics").body;
  const size_t found = text.find("\n" + name + " ");
  return found == std::string::npos ? -1 : std::stod(text.substr(found + name.size() + 2));
}

TEST(ServiceMetrics, CountRequestsAndLines) {
  const SmallServer server;
  EXPECT_EQ(server.post({{"texts", {"a b", "c"}}, {"min_length", 2}}).status, 200);
  server.expect_error({{"text", 1}}, 400, "text");
  EXPECT_EQ(metric(server, R"(heed_requests_total{path="/translate",status="200"})"), 1);
  EXPECT_EQ(metric(server, R"(heed_requests_total{path="/translate",status="400"})"), 1);
  EXPECT_EQ(metric(server, R"(heed_request_seconds_count{path="/translate"})"), 2);
  EXPECT_EQ(metric(server, R"(heed_lines_total{model="toy"})"), 2);
  EXPECT_GE(metric(server, R"(heed_target_tokens_total{model="toy"})"), 4);
  EXPECT_EQ(metric(server, R"(heed_waiting_lines{model="toy"})"), 0);
}

TEST(ServiceModels, AreNamedInRequests) {
  const SmallServer server(SmallServerOptions{.models = {"toy", "second"}});
  server.expect_error({{"text", "a"}}, 400, "model: missing; expected one of toy, second");
  server.expect_error({{"text", "a"}, {"model", "toi"}}, 404, "did you mean 'toy'?");
  EXPECT_EQ(server.post({{"text", "a"}, {"model", "second"}}).json()["model"], "second");
  const auto expect = [&](const json& id, const json& other, int status, const char* part) {
    server.expect_error({{{"src", "a"}, {"id", id}}, {{"src", "b"}, {"id", other}}}, status, part,
                        kOpennmt);
  };
  expect(0, 1, 400, "id: expected one model");
  expect("second", 1, 200, "tgt");
  expect(7, 7, 404, "id: found 7, expected one of toy, second");
  expect(nullptr, 0, 400, "id: missing; expected one of toy, second");
  const SmallServer of_one;
  for (const json& id : {json(1), json(100), json(-1), json(0.5), json("100"), json(true)})
    of_one.expect_error(json::array({{{"src", "a"}, {"id", id}}}), 404,
                        "expected one of toy, or its number", kOpennmt);
}

TEST(OpennmtRequests, AreAnsweredByRanks) {
  const SmallServer server;
  const json ranks =
      server.post({{{"src", "a b"}, {"n_best", 2}}, {{"src", ""}, {"n_best", 2}}}, kOpennmt).json();
  const json same = server.post({{"text", "a b"}, {"nbest", 2}}).json()["lines"][0];
  ASSERT_EQ(ranks.size(), 2u);
  for (size_t rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(ranks[rank][0]["tgt"], same["translations"][rank]["text"]);
    EXPECT_EQ(ranks[rank][0]["pred_score"], same["translations"][rank]["score"]);
    EXPECT_EQ(ranks[rank][0]["n_best"], 2);
    EXPECT_EQ(ranks[rank][1]["tgt"], "");
    EXPECT_EQ(ranks[rank][1]["n_best"], 2);
  }
  const json models = server.ask("GET", "/translator/models").json();
  EXPECT_EQ(models[0]["model_id"], 0);
  EXPECT_EQ(models[0]["loaded"], true);
}

TEST(OpennmtRequests, SayWhatIsWrong) {
  const SmallServer server;
  const auto expect = [&](const json& body, const char* part) {
    server.expect_error(body, 400, part, kOpennmt);
  };
  expect({{{"src", "a"}, {"beam_size", 5}, {"n_best", 0}}, {{"src", "a"}, {"ref", "b"}}},
         "[0]: n_best: found 0, expected a whole number from 1 to");
  expect({{{"src", "a"}, {"beam_size", 5}}, {{"src", "a"}, {"ref", "b"}}},
         "[0]: beam_size: expected src, id and n_best alone; POST /translate has more fields; "
         "[1]: ref: expected src");
  expect({{{"src", "a"}, {"n_best", 2}}, {{"src", "a"}}}, "n_best: expected one value for all");
  expect({{{"id", 0}}}, "src: missing");
  expect(json::object(), "expected a list");
}

TEST(ServiceRequests, SayEverythingThatIsWrong) {
  const SmallServer server;
  const auto expect = [&](const json& body, const char* part) {
    server.expect_error(body, 400, part);
  };
  expect(
      {{"text", 5}, {"nbest", "x"}, {"beem", 5}, {"stream", 1}, {"length_penalty", -1}},
      R"(text: expected a text; stream: found 1, expected true or false; nbest: found \"x\", expected a whole number from 1 to 32; )");
  expect({{"text", "a"}, {"beem", 5}}, "did you mean 'beam'?");
  expect({{"text", "a"}, {"alignment", true}},
         "alignment: is not a field of a request; did you mean 'alignments'?");
  expect({{"text", "a"}, {"length_penalty", -1}}, "length_penalty: found");
  for (const char* path : {"/translate", "/attention"})
    server.expect_error({{"text", "a"}, {"tag", "de"}}, 400,
                        "tag: the model has no tags; leave it out", path);
  server.expect_error({{"target", "a"}}, 400, "text: missing", "/attention");
  expect({{"text", "a"}, {"texts", {"a"}}}, "either text or a list of texts");
  expect({{"texts", {"a", "b"}}, {"prefix", "c"}}, "one for each text, 2");
  expect({{"text", {{"en", "a"}}}}, "en: is not an input of the model");
  EXPECT_EQ(server.post({{"text", "a b\r\n"}}).json()["lines"][0]["translations"],
            server.post({{"text", "a b"}}).json()["lines"][0]["translations"]);
  for (const char* limited : {"prefix", "avoid", "constraints"}) {
    const json many = std::string(20'000, 'a');
    json request = {{"text", "a"}};
    request[limited] = limited == std::string("prefix") ? many : json::array({many});
    server.expect_error(request, 400, "found 20000 characters, expected 10000 at most");
  }
}

TEST(ServiceRequests, SayWhichFieldsDoNotGoTogether) {
  const SmallServer server;
  const auto expect = [&](json fields, const char* part) {
    fields["text"] = "a";
    server.expect_error(fields, 400, part);
  };
  expect({{"top_k", 3}}, "sample: expected true");
  expect({{"constraints", {"b"}}, {"sample", true}}, "need plain beam search");
  expect({{"sample", true}, {"beam", 3}, {"patience", 2}},
         "beam: is of beam search: leave it out beside sample; patience: is of");
  expect({{"diversity_groups", 4}, {"beam", 2}}, "needs a beam of 4 or more, found 2");
  expect({{"nbest", 9}, {"beam", 2}}, "needs a beam of 9");
  expect({{"max_length", 3}, {"max_length_ratio", 2}}, "max_length_ratio: excludes max_length");
  expect({{"max_length", 3}, {"min_new_tokens", 4}}, "min_new_tokens: found 4, expected 3 at most");
  expect({{"suppress_tokens", {"a", "aa"}}},
         "suppress_tokens: the target vocabulary does not have 'aa'");
  expect({{"split", true}, {"summarize", true}}, "split: a summary is that of the whole text");
  expect({{"split", 1}, {"summarize", 2}},
         "split: found 1, expected true or false; summarize: found 2");
  server.expect_error({{"text", "a b\nc"}, {"split", false}}, 400, "text: holds a line break");
}

TEST(ServiceRequests, AreJson) {
  const SmallServer server;
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  EXPECT_THAT(server.ask("POST", "/translate", R"({"text": "a \ud800 b"})").body,
              HasSubstr("the body is not JSON up to byte 19"));
  for (const std::string& body : {std::string("{"), std::string("\xFF"), std::string("[1]"), deep,
                                  "{\"text\":\"a\",\"beam\":" + deep + "}"})
    EXPECT_EQ(server.ask("POST", "/translate", body).status, 400);
}

}  // namespace
}  // namespace heed
