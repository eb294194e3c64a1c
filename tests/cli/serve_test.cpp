// `heed serve`.
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
#include <thread>

#include "cli/http_client.h"
#include "cli/trained_model.h"
#include "exchange/fixtures.h"
#include "holds.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A server on a free port, for as long as the object lives.
class Server {
 public:
  explicit Server(const Arguments& options = {}, uint16_t port = 0)
      : running_(joined({"serve", "toy=runs/toy", "--port", std::to_string(port)}, options),
                 {.folder = ToyWorkshop::trained().path()}) {
    std::smatch found;
    std::string log;
    const std::regex address("http://127.0.0.1:(\\d+)/");
    while (!std::regex_search(log = running_.err(), found, address) && !running_.has_ended())
      usleep(2000);
    if (found.empty())
      ADD_FAILURE() << log;
    else
      port_ = static_cast<uint16_t>(std::stoi(found[1]));
  }
  ~Server() {
    if (!running_.has_ended()) running_.send(SIGTERM);
    const Outcome outcome = running_.wait();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  HttpAnswer ask(const std::string& method, const std::string& path, const std::string& body = "",
                 const HttpHeaders& headers = {}) const {
    const Connection connection(port_);
    connection.send(http_request(method, path, body, headers));
    return parse_answer(connection.receive());
  }
  HttpAnswer post(const json& body, const std::string& path = "/translate") const {
    return ask("POST", path, body.dump());
  }
  // The texts of a request that succeeds.
  std::vector<std::string> texts(const json& body) const {
    const HttpAnswer answer = post(body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    std::vector<std::string> texts;
    if (answer.status != 200) return texts;
    const json whole = answer.json();
    for (const json& line : whole["lines"]) texts.push_back(line["translations"][0]["text"]);
    return texts;
  }
  void expect_error(const json& body, int status, const std::string& message,
                    const std::string& path = "/translate") const {
    const HttpAnswer answer = post(body, path);
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_THAT(answer.body, HasSubstr(message));
  }
  double metric(const std::string& name) const {
    const std::string text = ask("GET", "/metrics").body;
    const size_t found = text.find("\n" + name + " ");
    return found == std::string::npos ? -1 : std::stod(text.substr(found + name.size() + 2));
  }
  uint16_t port() const { return port_; }
  Running& process() { return running_; }
  std::string log() const { return running_.err(); }

 private:
  Running running_;
  uint16_t port_ = 0;
};

std::vector<std::string> sources() { return lines_of(ToyWorkshop::trained().read("valid.src")); }

// Letters that take a while with a wide beam.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "a b c d e ";
  return text;
}

class Serve : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static Server& server() {
    static Server server;
    return server;
  }
};

TEST_F(Serve, TranslatesAsTheCommandDoes) {
  holds({"heed serve", "--port"});
  const auto expected = lines_of(ToyWorkshop::trained().translation({"--format", "json"}));
  const json answer = server().post({{"texts", sources()}}).json();
  EXPECT_EQ(answer["model"], "toy");
  ASSERT_EQ(answer["lines"].size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const json line = json::parse(expected[i]);
    EXPECT_EQ(answer["lines"][i]["line"], line["line"]);
    EXPECT_EQ(answer["lines"][i]["translations"][0]["text"], line["translations"][0]["text"]);
    EXPECT_NEAR(answer["lines"][i]["translations"][0]["score"].get<double>(),
                line["translations"][0]["score"].get<double>(), 1e-4);
  }
}

// directions.json has what transformers finds (scripts/fixtures/directions.py).
TEST_F(Serve, TranslatesInEveryDirectionOfAModel) {
  const TemporaryFolder folder;
  const std::string fixture = exchange_fixture("m2m");
  ASSERT_EQ(run_heed({"import", "hf", fixture, "-o", folder / "m2m"}).exit_code, 0);
  Server many({"many=" + (folder / "m2m").string(), "--beam", "4"});
  const json cases = json::parse(read_plainly(fixture + "/directions.json"));
  for (const json& one : cases) {
    const std::string source = one["source_language"], target = one["target_language"];
    const json answer = many.post({{"text", one["source"]},
                                   {"model", "many"},
                                   {"source_language", source},
                                   {"target_language", target}})
                            .json();
    const std::string text = answer["lines"][0]["translations"][0]["text"];
    EXPECT_EQ(std::regex_replace(text, std::regex("<unk>"), ""), one["text"]);
    if (source == target) continue;
    EXPECT_EQ(many.post({{"q", one["source"]}, {"source", source}, {"target", target}})
                  .json()["translatedText"],
              text);
    EXPECT_EQ(many.post({{"text", json::array({one["source"]})},
                         {"source_lang", source},
                         {"target_lang", target}},
                        "/v2/translate")
                  .json()["translations"][0]["text"],
              text);
  }
  const json facts = many.ask("GET", "/models").json()["models"];
  EXPECT_THAT(facts.back()["target_languages"].dump(), HasSubstr("\"zu\""));
  many.expect_error({{"text", "a"}, {"model", "many"}}, 422, "its source language is not known");
  many.expect_error(
      {{"text", "a"}, {"model", "many"}, {"source_language", "de"}, {"target_language", "xyz"}},
      400, "target_language: found 'xyz', expected a language of the model");
  many.expect_error({{"text", "a"}, {"model", "toy"}, {"source_language", "de"}}, 400,
                    "source_language: found de, but the model has no choice of it");
}

TEST_F(Serve, FindsTermsOfGlossariesByStems) {
  holds({"--glossary-match"});
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  const std::string folder = workshop / "stems";
  std::filesystem::create_directories(folder);
  std::filesystem::create_directory_symlink(workshop / "runs/toy", folder + "/en-de");
  for (const std::string match : {"exact", "stem"}) {
    const Server server({"--models", "stems", "--glossary-match", match});
    const json glossary = server
                              .post({{"name", "terms"},
                                     {"source_lang", "en"},
                                     {"target_lang", "de"},
                                     {"entries", "cats\tj"},
                                     {"entries_format", "tsv"}},
                                    "/v2/glossaries")
                              .json();
    const json answer = server
                            .post({{"text", json::array({"a cat c"})},
                                   {"source_lang", "EN"},
                                   {"target_lang", "DE"},
                                   {"glossary_id", glossary["glossary_id"]}},
                                  "/v2/translate")
                            .json();
    const std::string text = answer["translations"][0]["text"];
    EXPECT_EQ(text.find('j') != std::string::npos, match == "stem") << text;
  }
}

TEST_F(Serve, TranslatesLinesOfManyClientsTogether) {
  const auto lines = sources();
  const auto expected = lines_of(ToyWorkshop::trained().translation({}));
  std::vector<std::string> found(lines.size());
  std::vector<std::thread> clients;
  for (size_t client = 0; client < 8; ++client)
    clients.emplace_back([&, client] {
      for (size_t i = client; i < lines.size(); i += 8)
        found[i] = server().texts({{"text", lines[i]}}).at(0);
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(found, expected);
}

// Line breaks are the only ends of sentences that the toy corpus has.
TEST_F(Serve, TranslatesEachSentenceByItself) {
  const std::string first = server().texts({{"text", "a b"}}).at(0),
                    second = server().texts({{"text", "c d e"}}).at(0);
  const json whole{{"text", "a b\n\nc d e\n"}, {"attention", true}, {"alignments", true}};
  const json line = server().post(whole).json()["lines"][0];
  const json& best = line["translations"][0];
  EXPECT_EQ(best["text"], first + "\n\n" + second);
  EXPECT_EQ(line["source_tokens"], json({"a", "b", "</s>", "c", "d", "e"}));
  EXPECT_EQ(best["log_probabilities"].size(), best["tokens"].size() + 1);
  EXPECT_EQ(best["attention"].size(), best["tokens"].size() + 1);
  EXPECT_EQ(server().texts({{"texts", {"a b\u2028c d e", "c d e"}}}),
            (std::vector<std::string>{first + " " + second, second}));
  EXPECT_EQ(server().texts({{"text", "a b\nc d e"}, {"prefix", "f\ng"}}).at(0).substr(0, 1), "f");
  const HttpAnswer opennmt =
      server().post(json::array({{{"src", "a b\nc d e"}}}), "/translator/translate");
  EXPECT_EQ(opennmt.json()[0][0]["tgt"], first + "\n" + second);
  EXPECT_EQ(opennmt.json()[0][0]["warnings"], json::array());
}

TEST_F(Serve, GivesTheWarningsOfEachLine) {
  const json lines = server().post({{"texts", {"a b", "A B ☃ ☂", "a <b>"}}}).json()["lines"];
  EXPECT_EQ(lines[0]["warnings"], json::array());
  ASSERT_EQ(lines[1]["warnings"].size(), 2u) << lines[1];
  EXPECT_EQ(lines[1]["warnings"][0]["kind"], "unknown");
  EXPECT_THAT(lines[1]["warnings"][0]["message"].get<std::string>(),
              HasSubstr("that the model does not know"));
  EXPECT_EQ(lines[1]["warnings"][1]["kind"], "source_unlike");
  EXPECT_EQ(lines[2]["warnings"][1]["kind"], "source_unlike");
  const json cut = server().post({{"text", "a b c d"}, {"max_length", 2}}).json()["lines"][0];
  EXPECT_EQ(cut["warnings"][0]["kind"], "cut");
  const json whole =
      server().post({{"text", "a b\nc d"}, {"constraints", {"e"}}}).json()["lines"][0];
  EXPECT_EQ(whole["warnings"][0]["kind"], "not_split");
}

TEST_F(Serve, StreamsWhatIsFound) {
  const HttpAnswer answer =
      server().post({{"texts", {"a b c d e f", ""}}, {"stream", true}, {"beam", 1}});
  EXPECT_THAT(answer.head, HasSubstr("text/event-stream"));
  const json whole = server().post({{"texts", {"a b c d e f", ""}}, {"beam", 1}}).json();
  std::vector<std::string> beginnings;
  std::map<int, json> lines;
  std::string last;
  const std::regex event("event: (\\w+)\ndata: ([^\n]*)\n\n");
  for (std::sregex_iterator i(answer.body.begin(), answer.body.end(), event), end; i != end; ++i) {
    last = (*i)[1];
    const json data = json::parse((*i)[2].str());
    if (last == "beginning") beginnings.push_back(data["text"]);
    if (last == "line") lines[data["line"]] = data;
  }
  EXPECT_EQ(last, "done");
  ASSERT_EQ(lines.size(), 2u);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(lines[i + 1]["translations"][0]["text"],
              whole["lines"][i]["translations"][0]["text"]);
  const std::string text = whole["lines"][0]["translations"][0]["text"];
  ASSERT_GT(beginnings.size(), 2u);
  for (const std::string& beginning : beginnings) EXPECT_THAT(text, StartsWith(beginning));
}

// Each field beside the option of `heed translate` that does the same.
TEST_F(Serve, TakesTheOptionsOfTranslate) {
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  write_plainly(workshop / "one.src", "a b c d\n");
  write_plainly(workshop / "one.phrases", "j i\n");
  write_plainly(workshop / "one.prefix", "c c\n");
  write_plainly(workshop / "one.avoid", "b\n");
  const std::vector<std::pair<json, Arguments>> variants = {
      {{{"nbest", 3}}, {"--nbest", "3"}},
      {{{"beam", 2}, {"length_penalty", 0.5}}, {"--beam", "2", "--length-penalty", "0.5"}},
      {{{"nbest", 3}, {"distinct", true}}, {"--nbest", "3", "--distinct", "true"}},
      {{{"max_length", 2}}, {"--max-length", "2"}},
      {{{"min_length", 7}}, {"--min-length", "7"}},
      {{{"min_new_tokens", 7}}, {"--min-new-tokens", "7"}},
      {{{"repetition_penalty", 9.5}}, {"--repetition-penalty", "9.5"}},
      {{{"suppress_tokens", {"b", "d"}}}, {"--suppress-tokens", "b", "--suppress-tokens", "d"}},
      {{{"begin_suppress_tokens", "a"}}, {"--begin-suppress-tokens", "a"}},
      {{{"prefix", "c c"}}, {"--prefix", "one.prefix"}},
      {{{"constraints", {"j i"}}}, {"--constraints", "one.phrases"}},
      {{{"avoid", {"b"}}}, {"--avoid", "one.avoid"}},
      {{{"alignments", true}}, {"--alignments", "one.alignments"}},
      {{{"sample", true}, {"temperature", 3}, {"top_k", 5}, {"top_p", 0.9}, {"seed", 7}},
       {"--sample", "--temperature", "3", "--top-k", "5", "--top-p", "0.9", "--seed", "7"}}};
  for (const auto& [fields, options] : variants) {
    json request = fields;
    request["text"] = "a b c d";
    SCOPED_TRACE(request.dump());
    const HttpAnswer answer = server().post(request);
    ASSERT_EQ(answer.status, 200) << answer.body;
    const Outcome outcome = workshop.run(
        joined({"translate", "runs/toy", "-i", "one.src", "--format", "json"}, options));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const json expected = json::parse(outcome.out)["translations"],
               found = answer.json()["lines"][0]["translations"];
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i]["text"], expected[i]["text"]);
      EXPECT_EQ(found[i].value("alignment", ""), expected[i].value("alignment", ""));
    }
  }
  const Outcome summary = workshop.run({"summarize", "runs/toy", "-i", "one.src"});
  EXPECT_EQ(server().texts({{"text", "a b c d"}, {"summarize", true}}).at(0) + "\n", summary.out);
}

TEST_F(Serve, SaysWhichTranslationsLackAConstraint) {
  json request = {{"text", "a b c d"}, {"constraints", {"j i"}}};
  EXPECT_FALSE(server().post(request).json()["lines"][0].contains("constraints_met"));
  request["avoid"] = {"j"};
  EXPECT_EQ(server().post(request).json()["lines"][0]["constraints_met"], false);
}

// The options of the server beside those of `heed translate`, whose tests hold their effect.
TEST_F(Serve, SearchesAsItsOptionsSay) {
  holds({"--beam",
         "--length-penalty",
         "--length-normalization",
         "--coverage-penalty",
         "--min-length",
         "--max-length-ratio",
         "--max-length-extra",
         "--patience",
         "--allow-unknown",
         "--diversity-groups",
         "--diversity-strength",
         "--no-repeat-ngram",
         "--repetition-penalty",
         "--min-new-tokens",
         "--suppress-tokens",
         "--begin-suppress-tokens",
         "--distinct",
         "--max-length",
         "--set",
         "--device",
         "--precision"});
  const std::vector<Arguments> variants = {
      {"--beam", "4", "--length-penalty", "0.3", "--length-normalization", "plain", "--patience",
       "2", "--coverage-penalty", "0.2"},
      {"--min-length", "9", "--max-length", "9", "--no-repeat-ngram", "2", "--allow-unknown",
       "false"},
      {"--max-length-ratio", "0.5", "--max-length-extra", "1", "--diversity-groups", "2",
       "--diversity-strength", "3", "--set", "search.beam=6"},
      {"--repetition-penalty", "1.5", "--min-new-tokens", "4", "--suppress-tokens", "c",
       "--begin-suppress-tokens", "a", "--begin-suppress-tokens", "b"},
      {"--distinct", "true"},
      {"--precision", "int8", "--device", "cpu"}};
  for (const Arguments& options : variants) {
    const Server server(options);
    const json answer = server.post({{"texts", sources()}, {"nbest", 3}}).json();
    const auto lines = lines_of(
        ToyWorkshop::trained().translation(joined({"--format", "json", "--nbest", "3"}, options)));
    ASSERT_EQ(answer["lines"].size(), lines.size()) << answer;
    for (size_t i = 0; i < lines.size(); ++i) {
      const json expected = json::parse(lines[i])["translations"],
                 found = answer["lines"][i]["translations"];
      ASSERT_EQ(found.size(), expected.size());
      EXPECT_EQ(found[0]["text"], expected[0]["text"]) << options.front() << " " << lines[i];
      EXPECT_NEAR(found[0]["score"].get<double>(), expected[0]["score"].get<double>(), 1e-3);
    }
  }
}

TEST_F(Serve, GivesAttentionWeights) {
  const json line = server().post({{"text", "a b c"}, {"attention", true}}).json()["lines"][0];
  EXPECT_EQ(line["source_tokens"], json({"a", "b", "c"}));
  const json weights = line["translations"][0]["attention"];
  ASSERT_EQ(weights.size(), line["translations"][0]["tokens"].size() + 1);
  const json maps =
      server()
          .post({{"text", "a b c"}, {"target", line["translations"][0]["text"]}}, "/attention")
          .json()["maps"];
  ASSERT_FALSE(maps.empty());
  const json& map = maps[0];
  EXPECT_THAT(map["name"].get<std::string>(), HasSubstr("decoder"));
  ASSERT_EQ(map["weights"].size(), weights.size());
  for (size_t t = 0; t < weights.size(); ++t) {
    for (size_t s = 0; s < weights[t].size(); ++s)
      EXPECT_NEAR(map["weights"][t][s].get<double>(), weights[t][s].get<double>(), 2e-4);
  }
  server().expect_error({{"text", "a"}}, 200, "maps", "/attention");
  for (const std::string& target : {std::string(), std::string("a"), long_text()})
    server().expect_error({{"text", long_text()}, {"target", target}}, 422, "1500 source tokens",
                          "/attention");
  EXPECT_EQ(
      server().post({{"text", long_text().substr(0, 600)}, {"target", "a"}}, "/attention").status,
      200);
  // 1,500 source tokens, 2,000 target tokens at most: 3 million weights of each translation.
  json longer = {{"text", long_text()}, {"attention", true}, {"beam", 2}};
  EXPECT_EQ(server().post(longer).status, 200);
  longer["nbest"] = 2;
  server().expect_error(longer, 422, "weights, expected 4000000 at most");
}

TEST_F(Serve, CountsTranslationsThatAreCut) {
  holds({"heed serve", "--max-source-length"});
  Server own({"--max-source-length", "5"});
  const std::string count = "heed_cut_lines_total{model=\"toy\"}";
  EXPECT_EQ(own.post({{"text", "a b c"}}).json()["lines"][0]["translations"][0]["finished"], true);
  EXPECT_EQ(own.metric(count), 0);
  const json cut = own.post({{"text", "a b c"}, {"max_length", 1}}).json();
  EXPECT_EQ(cut["lines"][0]["translations"][0]["finished"], false);
  EXPECT_EQ(own.metric(count), 1);
  EXPECT_EQ(own.post({{"text", "a b c d e"}}).status, 200);
  own.expect_error({{"text", "a b c d e f"}}, 422, "a text of more than 5 tokens");
  own.expect_error({{"text", "a b c"}, {"max_source_length", 2}}, 422, "more than 2 tokens");
  own.expect_error({{"text", "a"}, {"max_source_length", 6}}, 400,
                   "max_source_length: found 6, expected a whole number from 1 to 5");
}

TEST_F(Serve, AnswersClientsOfOpennmt) {
  const auto lines = sources();
  const auto expected = lines_of(ToyWorkshop::trained().translation({}));
  const json answer = server()
                          .post({{{"src", lines[0]}, {"id", 0}}, {{"src", lines[1]}, {"id", 0}}},
                                "/translator/translate")
                          .json();
  ASSERT_EQ(answer.size(), 1u);  // a list for each rank
  ASSERT_EQ(answer[0].size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(answer[0][i]["src"], lines[i]);
    EXPECT_EQ(answer[0][i]["tgt"], expected[i]);
    EXPECT_EQ(answer[0][i]["n_best"], 1);
    EXPECT_LT(answer[0][i]["pred_score"].get<double>(), 0);
    EXPECT_EQ(answer[0][i]["finished"], true);
  }
}

TEST_F(Serve, LogsRefusalsOnRequestAndMeasuresItsProcess) {
  holds({"heed serve", "--log-level"});
  Server server({"--log-level", "debug"});
  EXPECT_EQ(server.metric("heed_connections"), 1);
  EXPECT_GT(server.metric("process_resident_memory_bytes"), 1e6);
  server.expect_error({{"text", 1}}, 400, "text");
  EXPECT_THAT(server.process().err(), HasSubstr(" /translate: status 400: text: expected a text"));
}

TEST_F(Serve, HasLimits) {
  holds({"--max-texts", "--max-characters", "--max-beam", "--max-tokens", "--max-body"});
  const Server server({"--max-texts", "2", "--max-characters", "5", "--max-beam", "3",
                       "--max-tokens", "2", "--max-body", "100", "--beam", "3", "--min-length",
                       "1"});
  server.expect_error({{"texts", {"a", "b", "c"}}}, 400, "a list of 1 to 2 texts");
  server.expect_error({{"text", "a b c d"}}, 400, "found 7 characters, expected 5 at most");
  server.expect_error({{"text", "a"}, {"beam", 4}}, 400,
                      "beam: found 4, expected a whole number from 1 to 3");
  server.expect_error({{"text", "a"}, {"nbest", 4}}, 400, "a whole number from 1 to 3");
  server.expect_error({{"text", "a"}, {"max_length", 3}}, 400, "a whole number from 1 to 2");
  server.expect_error({{"text", "a"}, {"min_length", 3}}, 400, "min_length: found 3");
  EXPECT_EQ(server.texts({{"text", "a b c"}}).at(0).size(), 3u);  // two letters and a space
  server.expect_error({{"text", std::string(100, 'a')}}, 413, "longer than 100 bytes");
  server.expect_error({{"text", std::string(10'000, 'a')}}, 413, "longer than 100 bytes");
  EXPECT_EQ(server.metric(R"(heed_requests_total{path="/translate",status="413"})"), 2);
}

TEST_F(Serve, RefusesWhatItCannotDoInTime) {
  holds({"--max-queue", "--time-limit", "--workers", "--batch"});
  Server server({"--max-queue", "2", "--time-limit", "0.3", "--workers", "1", "--batch", "1"});
  const json slow = {{"text", long_text()}, {"beam", 32}, {"min_length", 1500}};
  const auto in_background = [&] { server.expect_error(slow, 504, "not translated in time"); };
  std::thread first(in_background);
  usleep(100'000);
  std::thread second(in_background), third(in_background);
  while (server.metric(R"(heed_waiting_lines{model="toy"})") < 2) usleep(1000);
  const HttpAnswer refused = server.post({{"text", "a"}});
  EXPECT_EQ(refused.status, 429) << refused.body;
  EXPECT_THAT(refused.head, HasSubstr("Retry-After"));
  for (std::thread* thread : {&first, &second, &third}) thread->join();
  EXPECT_THAT(server.process().err(),
              HasSubstr("warning: /translate: status 504: not translated in time"));
  EXPECT_EQ(server.texts({{"text", "a"}}).size(), 1u);
}

TEST_F(Serve, DropsTheWaitingLinesOfAClientThatIsGone) {
  const Server server({"--workers", "1", "--batch", "1"});
  const std::vector<std::string> texts(256, "a b c");
  {
    const Connection gone(server.port());
    gone.send(http_request("POST", "/translate", json{{"texts", texts}, {"beam", 32}}.dump()));
  }
  const auto requests = [&](const std::string& status) {
    return server.metric(R"(heed_requests_total{path="/translate",status=")" + status + "\"}");
  };
  while (requests("499") < 1 && requests("200") < 1) usleep(1000);
  EXPECT_EQ(requests("499"), 1);
  while (server.metric(R"(heed_waiting_lines{model="toy"})") > 0) usleep(1000);
  EXPECT_LT(server.metric(R"(heed_lines_total{model="toy"})"), 256);
}

TEST_F(Serve, AnswersWhatItHasAcceptedBeforeItEnds) {
  Server server;
  HttpAnswer answer;
  std::thread client([&] { answer = server.post({{"text", long_text()}, {"beam", 16}}); });
  usleep(100'000);
  server.process().send(SIGTERM);
  client.join();
  EXPECT_EQ(answer.status, 200);
  const Outcome outcome = server.process().wait();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("accepted requests are still answered"));
}

// The server waits 30 s for the next bytes of a client, unless it ends.
TEST_F(Serve, EndsWithoutTheRestOfABody) {
  Server server;
  const Connection slow(server.port());
  slow.send(
      "POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_THAT(slow.receive_some(), HasSubstr("100 Continue"));
  slow.send("{");
  const auto begin = std::chrono::steady_clock::now();
  server.process().send(SIGTERM);
  EXPECT_EQ(server.process().wait().exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
  EXPECT_EQ(slow.receive(), "");
}

// The system keeps a connection that the server has closed first for a minute.
TEST_F(Serve, StartsAgainOnItsPort) {
  uint16_t port = 0;
  {
    Server server;
    port = server.port();
    const Connection kept(port);
    kept.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(kept.receive_some(), HasSubstr("200 OK"));
    server.process().send(SIGTERM);
    server.process().wait();
  }
  const Server again({}, port);
  EXPECT_EQ(again.port(), port);
}

TEST_F(Serve, WantsATokenOfItsFile) {
  holds({"--token-file", "--host"});
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  write_plainly(workshop / "tokens", " \n\t\nsecret  \r\n  other\n");
  const Server server({"--token-file", "tokens"});
  for (const auto& [given, status] :
       {std::pair{"Bearer secret", 200}, {"Bearer other", 200}, {"Bearer ", 401}, {"secret", 401}})
    EXPECT_EQ(server.ask("GET", "/models", "", {{"Authorization", given}}).status, status) << given;
  const auto start = [&](const Arguments& options) {
    return workshop.run(joined({"serve", "runs/toy", "--port", "0"}, options));
  };
  EXPECT_FAILS(start({"--host", "0.0.0.0"}), 2, "give --token-file FILE");
  EXPECT_FAILS(start({"--host", "192.0.2.1", "--token-file", "tokens"}), 2,
               "is not an address of this machine");
  EXPECT_FAILS(start({"--host", "no such host"}), 2, "--host no such host");
  EXPECT_FAILS(start({"--token-file", "nowhere"}), 5, "nowhere");
  write_plainly(workshop / "blank-tokens", " \n\t\n");
  EXPECT_FAILS(start({"--token-file", "blank-tokens"}), 2, "is empty, expected a token");
  write_plainly(workshop / "split-token", "good\nsplit token\n");
  EXPECT_FAILS(start({"--token-file", "split-token"}), 2, "line 2 has white space in a token");
  EXPECT_FAILS(workshop.run({"serve", "runs/toy", "--port", std::to_string(server.port())}), 5,
               "another program may use the port");
}

TEST_F(Serve, LimitsHoldForItsOwnSearch) {
  holds({"--max-memory"});
  const auto start = [&](const Arguments& options) {
    return ToyWorkshop::trained().run(joined({"serve", "runs/toy", "--port", "0"}, options));
  };
  EXPECT_FAILS(start({"--beam", "33"}), 2,
               "searches with a beam of 33, --max-beam allows 32; give --beam");
  EXPECT_FAILS(start({"--min-length", "10", "--max-tokens", "9"}), 2, "--max-tokens allows 9");
  EXPECT_FAILS(start({"--max-memory", "0.01"}), 2, "--max-memory: found 10.0 MB");
  const Server server({"--beam", "33", "--max-beam", "33", "--max-memory", "0.06"});
  EXPECT_EQ(server.texts({{"text", "a"}}).size(), 1U);
  // 1,500 source tokens and 32 hypotheses of 2,000 tokens have 96 million attention weights of 4 bytes.
  server.expect_error({{"text", long_text()}, {"beam", 32}, {"alignments", true}}, 422,
                      "--max-memory");
}

TEST_F(Serve, HasSeveralModelsByName) {
  const Server server({"second=runs/toy"});
  server.expect_error({{"text", "a"}}, 400, "model: missing; expected one of toy, second");
  const json answer = server.post({{"text", "a"}, {"model", "second"}}).json();
  EXPECT_EQ(answer["model"], "second");
  EXPECT_FAILS(ToyWorkshop::trained().run({"serve", "runs/toy", "runs/toy/best"}), 2,
               "another model is called 'toy' too");
  EXPECT_FAILS(ToyWorkshop::trained().run({"serve", "runs/nowhere"}), 4, "nowhere");
  EXPECT_FAILS(ToyWorkshop::trained().run({"serve", "a=", "a="}), 2,
               "'a=': the model is empty; expected MODEL or NAME=MODEL");
  EXPECT_FAILS(ToyWorkshop::trained().run({"serve", "=runs/toy"}), 2, "the name is empty");
}

// In the forms of all clients that have texts with tags.
TEST_F(Serve, MovesTagsAsTranslateDoes) {
  const std::string text = "a <b>b q</b> c";
  const Outcome line =
      ToyWorkshop::trained().run({"translate", "runs/toy", "--markup", "html"}, text + "\n");
  const std::string marked = lines_of(line.out).at(0);
  EXPECT_THAT(marked, testing::AllOf(HasSubstr("<b>"), HasSubstr("</b>")));
  const Server server({"en-de=runs/toy"});
  EXPECT_EQ(server.texts({{"text", text}, {"markup", "html"}, {"model", "toy"}})[0], marked);
  EXPECT_EQ(server.post({{"q", text}, {"source", "en"}, {"target", "de"}, {"format", "html"}})
                .json()["translatedText"],
            marked);
  const json deepl = server
                         .post({{"text", {text}},
                                {"source_lang", "EN"},
                                {"target_lang", "DE"},
                                {"tag_handling", "html"}},
                               "/v2/translate")
                         .json();
  EXPECT_EQ(deepl["translations"][0]["text"], marked);
}

TEST_F(Serve, FindsTheModelsOfAFolder) {
  holds({"--models", "--model-memory", "--no-pivot", "--allow-origin"});
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  namespace fs = std::filesystem;
  const fs::path offered = workshop / "offered";
  fs::create_directories(offered / "news");
  ASSERT_EQ(workshop.run({"pack", "runs/toy", "-o", "offered/news/en-de.heed"}).exit_code, 0);
  fs::create_directory_symlink(workshop / "runs/toy", offered / "de-fr");
  const std::string packed = read_plainly(offered / "news/en-de.heed");
  write_plainly(offered / "cut.heed", packed.substr(0, packed.size() - 100));
  write_plainly(offered / "notes.txt", "no model");
  write_plainly(offered / "de-fr.heed", packed);
  const Server server({"--models", "offered"});
  std::map<std::string, bool> loaded;
  const json models = server.ask("GET", "/models").json();
  for (const json& model : models["models"]) loaded[model["name"]] = model["loaded"];
  EXPECT_EQ(loaded,
            (std::map<std::string, bool>{{"toy", true}, {"news/en-de", false}, {"de-fr", false}}));
  const json request = {{"q", "a b c"}, {"source", "en"}, {"target", "de"}};
  EXPECT_EQ(server.post(request).json()["translatedText"],
            server.texts({{"text", "a b c"}, {"model", "toy"}})[0]);
  EXPECT_EQ(server.post({{"q", "a b"}, {"source", "en"}, {"target", "fr"}}).json()["pivotLanguage"],
            "de");
  EXPECT_THAT(server.log(), HasSubstr("cut: is left out: "));
  EXPECT_THAT(server.log(),
              HasSubstr("de-fr: is the name of offered/de-fr and offered/de-fr.heed; the "
                        "first is offered"));
  // A model that appears later.
  fs::remove(offered / "de-fr.heed");
  fs::rename(offered / "de-fr", offered / "de-es");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto has_spanish = [&] {
    return server.post({{"q", "a"}, {"source", "de"}, {"target", "es"}}).status == 200;
  };
  while (!has_spanish() && std::chrono::steady_clock::now() < end) usleep(100'000);
  EXPECT_TRUE(has_spanish());
  const Server direct({"--models", "offered", "--no-pivot", "--model-memory", "1"});
  EXPECT_EQ(direct.post(request).status, 200);
  EXPECT_EQ(direct.post({{"q", "a"}, {"source", "en"}, {"target", "es"}}).status, 400);
  const auto start = [&](const Arguments& options) {
    return workshop.run(joined({"serve", "--port", "0"}, options));
  };
  EXPECT_FAILS(start({}), 2, "MODEL is required, or --models");
  EXPECT_FAILS(start({"--models", "nowhere"}), 2, "--models nowhere: expected a folder");
  EXPECT_FAILS(start({"--models", "offered", "--allow-origin", "example.org"}), 2,
               "--allow-origin example.org: expected an origin such as https://example.org");
}

}  // namespace
}  // namespace heed
