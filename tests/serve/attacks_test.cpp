// Clients that mean a server harm.
#include <gmock/gmock.h>
#include <microhttpd.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "base/memory.h"
#include "serve/small_server.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string many(const std::string& text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

json words(size_t count) {
  std::vector<std::string> list;
  for (size_t i = 0; i < count; ++i)
    list.push_back(std::string(1, static_cast<char>('a' + i % 10)));
  return list;
}

// Asks for /health again and again, as a supervisor does.
class HealthChecks {
 public:
  explicit HealthChecks(const SmallServer& server)
      : thread_([this, &server] {
          while (!has_ended_) {
            const auto begin = Clock::now();
            if (server.ask("GET", "/health").status != 200) ++failed_;
            longest_ = std::max(longest_, seconds_since(begin));
            usleep(5'000);
          }
        }) {}
  ~HealthChecks() { end(); }
  // Seconds.
  double longest() {
    end();
    return longest_;
  }
  int failed() const { return failed_; }

 private:
  void end() {
    has_ended_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::atomic<bool> has_ended_ = false;
  std::atomic<int> failed_ = 0;
  double longest_ = 0;
  std::thread thread_;  // last: it uses the others
};

// Bytes of this process at most, since the last call.
double peak_memory() {
  double peak = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) peak = std::stod(line.substr(6)) * 1024;
  }
  std::ofstream("/proc/self/clear_refs") << "5";
  return peak;
}

// Requests that are as long as they may be, and take as long as they can.
std::vector<std::pair<std::string, std::string>> worst_bodies() {
  std::vector<std::pair<std::string, std::string>> bodies;
  const auto add = [&](const std::string& body, const std::string& path = "/translate") {
    bodies.emplace_back(path, body);
  };
  std::string keys = "{\"text\":\"a\"";
  for (int i = 0; i < 100'000; ++i) keys += ",\"" + std::to_string(i) + "\":1";
  add(keys + "}");
  add(keys + "}", "/attention");
  add("[" + keys + "}]", "/translator/translate");
  add(many("[", 500'000) + many("]", 500'000));
  add(many("{\"a\":", 150'000) + "1" + many("}", 150'000));
  add("[" + many("{},", 330'000) + "{}]", "/translator/translate");
  add("[" + many("1e-400,", 140'000) + "1]");
  add("{\"beam\":" + std::string(1'000'000, '9') + "}");
  add("{\"" + std::string(1'000'000, 'k') + "\":1}");
  add("{\"text\":\"" + std::string(1'000'000, '\x80') + "\"}");
  add("{\"text\":\"" + many("\\ud83d\\ude00", 80'000) + "\"}");
  add(json{{"text", "a"}, {"model", std::string(1'000'000, 'm')}}.dump());
  add(json{{"text", "a"}, {"suppress_tokens", words(250'000)}}.dump());
  add(json{{"text", "a"}, {"suppress_tokens", words(5'000)}}.dump());
  add(json{{"text", "a"}, {"constraints", words(250'000)}}.dump());
  add(json{{"text", "a"}, {"length_normalization", std::string(900'000, '{')}}.dump());
  add(json{{"texts", std::vector<std::string>(200'000, "")}}.dump());
  add(json{{"texts", std::vector<std::string>(256, std::string(4'000, 'a'))}, {"beam", 32}}.dump());
  add(json{{"texts", json(std::vector<json>(256, json{{"x", 1}, {"y", 2}}))}}.dump());
  return bodies;
}

TEST(ServeAttacks, NoBodyDelaysOtherRequests) {
  const SmallServer server;
  HealthChecks health(server);
  for (const auto& [path, body] : worst_bodies()) {
    const auto begin = Clock::now();
    const HttpAnswer answer = server.ask("POST", path, body);
    EXPECT_TRUE(answer.status == 200 || answer.status == 400 || answer.status == 404)
        << body.substr(0, 40) << answer.body;
    if (answer.status == 200) continue;
    EXPECT_LT(seconds_since(begin), 5) << body.substr(0, 40);
    EXPECT_LT(answer.body.size(), 10'000) << body.substr(0, 40);
  }
  EXPECT_LT(health.longest(), 1);
  EXPECT_EQ(health.failed(), 0);
}

TEST(ServeAttacks, FirstProblemsOfARequestAreNamed) {
  const SmallServer server;
  json request = {{"text", "a"}};
  for (int i = 0; i < 90; ++i) request["field" + std::to_string(i)] = i;
  server.expect_error(request, 400, "field0: is not a field of a request");
  server.expect_error(request, 400, "; and 80 more problems");
  EXPECT_LT(server.post(request).body.size(), 2'000);
}

TEST(ServeAttacks, AShortTextDoesNotWaitForManyLongOnes) {
  const std::string sentence = many("a b c ", 60);
  const json heavy[] = {
      {{"texts", std::vector<std::string>(256, sentence)}, {"beam", 32}, {"min_length", 300}},
      {{"text", "a b c"}, {"constraints", words(500)}},
      {{"texts", std::vector<std::string>(256, "a")}, {"min_length", 400}},
      {{"texts", std::vector<std::string>(256, sentence)}, {"sample", true}, {"nbest", 32}}};
  for (const json& request : heavy) {
    const SmallServer server;
    const Connection busy(server.port());
    busy.send(http_request("POST", "/translate", request.dump()));
    usleep(200'000);
    for (int i = 0; i < 3; ++i) {
      const auto begin = Clock::now();
      EXPECT_EQ(server.post({{"text", "a b c"}}).status, 200);
      EXPECT_LT(seconds_since(begin), 1) << request.dump().substr(0, 60);
    }
  }
}

// 25 MB are for messages, of which a request may have a quarter, and a body takes three times its size.
TEST(ServeAttacks, BodiesShareABudgetOfMemory) {
  const SmallServer server({.memory = 100e6});
  const std::string body = json{{"text", "a"}, {"prefix", std::string(1'000'000, 'a')}}.dump();
  const std::string head =
      "POST /translate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n";
  std::vector<std::unique_ptr<Connection>> slow;
  for (int i = 0; i < 8; ++i) {
    slow.push_back(std::make_unique<Connection>(server.port()));
    slow.back()->send(head + body.substr(0, body.size() - 1));
  }
  while (server.memory() < 23'000'000) usleep(1000);
  const HttpAnswer refused = server.ask("POST", "/translate", body);
  EXPECT_EQ(refused.status, 429) << refused.body;
  EXPECT_THAT(refused.head, HasSubstr("Retry-After: 1"));
  EXPECT_EQ(server.ask("GET", "/health").status, 200);
  slow.clear();
  while (server.memory() > 0) usleep(1000);
  EXPECT_EQ(server.ask("POST", "/translate", body).status, 400);  // the prefix is too long
  EXPECT_EQ(server.post({{"text", "a b"}}).status, 200);
}

// 1.25 MB are for messages, of which a request may have a quarter. The answer has 200 lines of five
// translations, with a number of 10 digits or more for each of 13 tokens.
TEST(ServeAttacks, AnswersTakeMemoryUntilTheyAreSent) {
  const SmallServer server({.body = 10'000, .memory = 5e6});
  json request = {
      {"texts", std::vector<std::string>(200, "a b c")}, {"nbest", 5}, {"min_length", 12}};
  const HttpAnswer refused = server.post(request);
  EXPECT_EQ(refused.status, 429);
  EXPECT_THAT(refused.head, HasSubstr("Retry-After: 1"));
  request["stream"] = true;  // a client takes each line as it comes
  const HttpAnswer streamed = server.post(request);
  EXPECT_EQ(streamed.status, 200);
  EXPECT_GT(streamed.body.size(), 200U * 5 * 13 * 10);
  EXPECT_THAT(streamed.body, HasSubstr("event: done"));
  while (server.memory() > 0) usleep(1000);
  EXPECT_EQ(server.post({{"text", "a"}}).status, 200);
}

TEST(ServeAttacks, PhrasesAreLimited) {
  const SmallServer server;
  server.expect_error({{"text", "a"}, {"constraints", words(501)}}, 400,
                      "constraints: found 501 phrases, expected 500 at most");
}

TEST(ServeAttacks, AttentionWeightsAreLimited) {
  const SmallServer server;
  server.expect_error({{"text", many("a ", 100)},
                       {"sample", true},
                       {"nbest", 32},
                       {"max_length", 2'000},
                       {"attention", true}},
                      422, "weights, expected 4000000 at most");
}

TEST(ServeAttacks, ErrorsOfFramingAreAnsweredAtOnce) {
  const SmallServer server;
  const std::string text = R"({"text":"a"})", chunk = "c\r\n" + text + "\r\n0\r\n\r\n";
  std::vector<std::pair<std::string, int>> requests = {
      {"Transfer-Encoding: chunked\r\n\r\n" + chunk, 200},
      {"Transfer-Encoding : chunked\r\n\r\n" + chunk, 400},
      {"Transfer-Encoding\t: chunked\r\n\r\n" + chunk, 400},
      {"Content-Length : 12\r\n\r\n" + text, 400},
      {"Transfer-Encoding: gzip\r\n\r\n" + chunk, 400},
      {"Transfer-Encoding: gzip, chunked\r\n\r\n" + chunk, 400},
      {"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + chunk, 400},
      {"Host: other\r\nContent-Length: 12\r\n\r\n" + text, 400}};
  // libmicrohttpd refuses it with 500; version 1.0 waits for the deadline of the body.
  constexpr uint32_t kWaits = 0x01000000;
  if (MHD_VERSION < kWaits)
    requests.emplace_back(
        "Transfer-Encoding: chunked\r\n\r\nc;x=" + std::string(100'000, 'x') + "\r\n" + text, 0);
  for (const auto& [rest, status] : requests) {
    const auto begin = Clock::now();
    const Connection connection(server.port());
    connection.send("POST /translate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + rest);
    const int found = parse_answer(connection.receive()).status;
    if (status != 0)
      EXPECT_EQ(found, status) << rest;
    else
      EXPECT_GE(found, 400) << rest.substr(0, 60);
    EXPECT_LT(seconds_since(begin), 5) << rest.substr(0, 60);
  }
}

// With a connection that stays open: libmicrohttpd would wait for its end.
TEST(ServeAttacks, AnswersAgainAfterDescriptorsRanOut) {
  const SmallServer server;
  const Connection open(server.port());
  const int waiting = socket(AF_INET, SOCK_STREAM, 0);  // before the limit, which holds for it too
  EXPECT_EQ(server.ask("GET", "/health").status, 200);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string request = http_request("GET", "/health", "");
  EXPECT_EQ(connect(waiting, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(send(waiting, request.data(), request.size(), 0), std::ssize(request));
  usleep(300'000);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  std::string answer(1'000, '\0');
  answer.resize(static_cast<size_t>(recv(waiting, answer.data(), answer.size(), 0)));
  EXPECT_EQ(parse_answer(answer).status, 200);
  close(waiting);
  EXPECT_EQ(server.ask("GET", "/health").status, 200);
}

// A site whose name leads to this machine is of one host with what it asks for.
TEST(ServeAttacks, RequestsNeedTheHostOfThisMachine) {
  const SmallServer server;
  for (const char* path : {"/", "/models", "/metrics", "/health", "/translator/models"}) {
    const auto get = [&](const std::string& headers) {
      const Connection connection(server.port());
      connection.send(std::string("GET ") + path + " HTTP/1.0\r\n" + headers + "\r\n");
      return parse_answer(connection.receive()).status;
    };
    EXPECT_EQ(get("Host: evil.example\r\n"), 403) << path;
    EXPECT_EQ(get("Host: localhost:80\r\n"), 200) << path;
    EXPECT_EQ(get(""), 200) << path;  // of no browser
  }
}

// A minute of clients that are slow, greedy, malformed and gone.
class SlowServeAttacks : public testing::Test {
 protected:
  using Attack = std::function<void(const SmallServer&)>;
  static void ask_much(const SmallServer& server) {
    const json requests[] = {
        {{"text", many("a ", 30)},
         {"sample", true},
         {"nbest", 32},
         {"temperature", 100},
         {"max_length", 2'000},
         {"attention", true}},
        {{"texts", std::vector<std::string>(256, many("a ", 60))}, {"beam", 32}, {"nbest", 32}},
        {{"text", many("a ", 2'000)}, {"beam", 32}, {"min_length", 1'900}, {"stream", true}},
        {{"text", "a"}, {"constraints", words(500)}, {"beam", 32}},
        {{"text", "a"}, {"avoid", words(5'000)}, {"beam", 32}}};
    static std::atomic<size_t> next = 0;
    server.post(requests[next++ % std::size(requests)]);
  }
  static void send_worst_bodies(const SmallServer& server) {
    static const auto bodies = worst_bodies();
    static std::atomic<size_t> next = 0;
    const auto& [path, body] = bodies[next++ % bodies.size()];
    server.ask("POST", path, body);
  }
  static void leave(const SmallServer& server) {
    const Connection gone(server.port());
    gone.send(
        http_request("POST", "/translate",
                     json{{"texts", std::vector<std::string>(256, "a b")}, {"beam", 32}}.dump()));
    usleep(20'000);
  }
  static void hold_back(const SmallServer& server) {
    const Connection slow(server.port());
    slow.send("POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
    slow.send(std::string(999'999, ' '));
    usleep(2'000'000);
  }
  static void drip(const SmallServer& server) {
    const Connection slow(server.port());
    for (const char* part :
         {"PO", "ST /trans", "late HTTP/1.1\r\nHo", "st: local", "host\r\nX: "}) {
      slow.send(part);
      usleep(500'000);
    }
  }
  static void send_garbage(const SmallServer& server) {
    const Connection garbage(server.port());
    std::string bytes(2'000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(rand());
    garbage.send(bytes + "\r\n\r\n");
    garbage.receive();
  }
};

TEST_F(SlowServeAttacks, AnswersBesideHostileClients) {
  constexpr double kBudget = 0.5e9;
  const SmallServer server({.memory = kBudget, .time = std::chrono::seconds(20)});
  server.post({{"text", "a"}});
  peak_memory();
  const double before = resident_memory();
  const std::vector<Attack> attacks = {&ask_much, &send_worst_bodies, &leave, &hold_back,
                                       &drip,     &send_garbage};
  const auto begin = Clock::now();
  std::vector<std::thread> clients;
  for (size_t i = 0; i < 24; ++i)
    clients.emplace_back([&, attack = attacks[i % attacks.size()]] {
      while (seconds_since(begin) < 60) attack(server);
    });
  HealthChecks health(server);
  double longest = 0;
  int refused = 0, answered = 0;
  while (seconds_since(begin) < 60) {
    const auto asked = Clock::now();
    const int status = server.post({{"text", "a b c"}}).status;
    (status == 200 ? answered : refused) += 1;
    EXPECT_TRUE(status == 200 || status == 429) << status;
    longest = std::max(longest, seconds_since(asked));
  }
  for (std::thread& client : clients) client.join();
  EXPECT_LT(health.longest(), 1);
  EXPECT_EQ(health.failed(), 0);
  const double peak = peak_memory();
  EXPECT_LT(peak - before, kBudget);
  EXPECT_GT(answered, refused);
  while (server.memory() > 0) usleep(10'000);
  EXPECT_EQ(server.post({{"text", "a b c"}}).status, 200);
  RecordProperty("longest health", std::to_string(health.longest()));
  RecordProperty("longest short text", std::to_string(longest));
  RecordProperty("memory", std::to_string(peak - before));
}

// A byte each second: 30 s are for all headers.
TEST_F(SlowServeAttacks, HeadersHaveADeadline) {
  const SmallServer server;
  const Connection slow(server.port());
  slow.send("GET /health HTTP/1.1\r\nX: ");
  const auto begin = Clock::now();
  std::thread dripping([&] {
    for (int i = 0; i < 60 && seconds_since(begin) < 60; ++i) {
      slow.send("x");
      usleep(1'000'000);
    }
  });
  EXPECT_EQ(slow.receive(), "");
  EXPECT_LT(seconds_since(begin), 45);
  dripping.join();
}

}  // namespace
}  // namespace heed
