// Requests to a server: fields that are null or wrong, and failures in its log.
#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

#include "base/log.h"
#include "config/settings_tree.h"
#include "serve/small_server.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> optional_fields() {
  std::vector<std::string> names = {
      "model",  "split", "tag",         "nbest",     "max_length",     "sample",    "temperature",
      "top_k",  "top_p", "seed",        "texts",     "prefix",         "summarize", "alignments",
      "stream", "avoid", "constraints", "attention", "replace_unknown"};
  const SearchConfig search;
  for (const Node::Entry& key : settings_tree(search).entries) names.push_back(key.key);
  return names;
}

TEST(ServeRequests, NullIsNoValue) {
  const SmallServer server;
  const std::string plain = server.post({{"text", "a b"}}).body;
  json all = {{"text", "a b"}};
  for (const std::string& name : optional_fields()) {
    const HttpAnswer answer = server.post({{"text", "a b"}, {name, nullptr}});
    EXPECT_EQ(answer.status, 200) << name << answer.body;
    EXPECT_EQ(answer.body, plain) << name;
    all[name] = nullptr;
  }
  EXPECT_EQ(server.post(all).body, plain);
  EXPECT_EQ(server.post({{"texts", {"a b"}}, {"text", nullptr}}).body, plain);
  // Fields that exclude one another.
  EXPECT_EQ(server.post({{"text", "a"}, {"max_length", 3}, {"max_length_ratio", nullptr}}).status,
            200);
  EXPECT_EQ(server.post({{"text", "a"}, {"sample", true}, {"beam", nullptr}}).status, 200);
  EXPECT_EQ(server
                .post(json::array({{{"src", "a"}, {"id", nullptr}, {"n_best", nullptr}}}),
                      "/translator/translate")
                .status,
            200);
  // The model has no maps.
  server.expect_error({{"text", "a"}, {"target", nullptr}, {"model", nullptr}, {"tag", nullptr}},
                      500, "the server failed", "/attention");
  server.expect_error({{"text", "a"}, {"beem", nullptr}}, 400, "beem: is not a field of a request");
  server.expect_error({{"text", nullptr}}, 400, "expected either text or a list of texts");
}

TEST(ServeRequests, WrongValuesAreNamedWithTheLimitsOfTheServer) {
  const SmallServer server({.tokens = 20, .beam = 8});
  const auto expect = [&](const std::string& name, const json& value, const std::string& message) {
    server.expect_error({{"text", "a"}, {name, value}}, 400, message);
  };
  for (const char* name : {"beam", "nbest"}) {
    expect(name, "5", R"(: found \"5\", expected a whole number from 1 to 8)");
    expect(name, 9, ": found 9, expected a whole number from 1 to 8");
    expect(name, {1}, ": found a list, expected a whole number from 1 to 8");
  }
  expect("min_length", "5", R"(min_length: found \"5\", expected a whole number from 0 to 20)");
  expect("min_new_tokens", 21, "found 21, expected a whole number from 0 to 20");
  expect("max_source_length", 2049, "found 2049, expected a whole number from 1 to 2048");
  expect("length_penalty", json::object(), "length_penalty: found an object, expected one value");
  expect("distinct", {true}, "distinct: found a list, expected one value");
  expect("suppress_tokens", json::object(), "found an object, expected a list of texts");
  expect("suppress_tokens", {"a", 5}, "suppress_tokens[1]: found 5, expected a text");
  expect("constraints", {{"a"}}, "constraints[0]: found a list, expected a text");
  expect("avoid", "a", R"(avoid: found \"a\", expected a list of texts)");
}

TEST(ServeRequests, FieldsWithoutEffectAreRefused) {
  const SmallServer server;
  const auto expect = [&](json fields, const std::string& message) {
    fields["text"] = "a";
    server.expect_error(fields, 400, message);
  };
  expect({{"diversity_strength", 2}}, "diversity_strength: needs diversity_groups of 2 or more");
  expect({{"length_normalization", "plain"}, {"length_penalty", 0}},
         "length_normalization: needs a length_penalty above 0");
  // The model has no attention weights.
  expect({{"alignments", true}}, "alignments: needs attention weights");
  expect({{"replace_unknown", true}}, "replace_unknown: needs attention weights");
}

TEST(ServeRequests, TextsHaveNoZeroByte) {
  const SmallServer server;
  const std::string zero("a \0b", 4);
  const json requests[] = {{{"text", zero}},
                           {{"texts", {"a", zero}}},
                           {{"text", "a"}, {"prefix", zero}},
                           {{"text", "a"}, {"constraints", {zero}}},
                           {{"text", "a"}, {"avoid", {zero}}}};
  for (const json& request : requests)
    server.expect_error(request, 400, "holds a zero byte (U+0000); remove it");
  server.expect_error(json::array({{{"src", zero}}}), 400, "[0].src: holds a zero byte",
                      "/translator/translate");
  server.expect_error({{"text", "a"}, {"target", zero}}, 400, "target: holds a zero byte",
                      "/attention");
}

TEST(ServeRequests, BodiesAreNotCompressed) {
  const SmallServer server;
  const std::string text = R"({"text":"a"})";
  const auto answer = [&](const std::string& encoding, const std::string& body) {
    return server.ask("POST", "/translate", body, {{"Content-Encoding", encoding}});
  };
  EXPECT_EQ(answer("identity", text).status, 200);
  const HttpAnswer refused = answer("br", text);
  EXPECT_EQ(refused.status, 415);
  EXPECT_THAT(refused.body, HasSubstr("Content-Encoding: found br, expected a body that is not"));
  const HttpAnswer unnamed = server.ask("POST", "/translate", "\x1f\x8b\x08 and so on");
  EXPECT_EQ(unnamed.status, 415);
  EXPECT_THAT(unnamed.body, HasSubstr("found gzip"));
}

// The log as long as it lives.
class LogLines {
 public:
  explicit LogLines(spdlog::level::level_enum level) : before_(spdlog::default_logger()) {
    auto logger = std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_));
    logger->set_pattern("%l %v");
    logger->set_level(level);
    spdlog::set_default_logger(std::move(logger));
  }
  ~LogLines() { spdlog::set_default_logger(before_); }
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_;
};

TEST(ServeRequests, FailuresAreInTheLogAndNameNoFileToClients) {
  const LogLines log(spdlog::level::debug);
  {
    const SmallServer server;
    const HttpAnswer failed = server.post({{"text", "a"}}, "/attention");
    EXPECT_EQ(failed.status, 500);
    EXPECT_THAT(failed.body, Not(HasSubstr("/srv")));
    EXPECT_EQ(server.post({{"text", 5}}).status, 400);
    EXPECT_EQ(server.ask("GET", "/nowhere").status, 404);
  }
  EXPECT_THAT(log.text(), HasSubstr("error /attention: status 500: /srv/toy: there are no maps\n"));
  EXPECT_THAT(log.text(), HasSubstr("debug /translate: status 400: text: expected a text\n"));
  EXPECT_THAT(log.text(), HasSubstr("debug /nowhere: status 404: "));
}

TEST(ServeRequests, RefusalsAreNotInTheUsualLog) {
  const LogLines log(spdlog::level::info);
  {
    const SmallServer server;
    EXPECT_EQ(server.post({{"text", 5}}).status, 400);
  }
  EXPECT_EQ(log.text(), "");
}

TEST(ServeRequests, FailuresInTheLogAreLimited) {
  LineLimit limit;
  const auto begin = LineLimit::Clock::now();
  for (int i = 0; i < LineLimit::kLines; ++i) EXPECT_EQ(limit.take(begin), 0);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(limit.take(begin + std::chrono::seconds(59)), std::nullopt);
  EXPECT_EQ(limit.take(begin + std::chrono::seconds(60)), 100);
  EXPECT_EQ(limit.take(begin + std::chrono::seconds(60)), 0);
}

TEST(ServeRequests, WhatAnExceptionSaysOfThisMachineIsForTheLog) {
  const auto error_of = [](const auto& exception) {
    try {
      throw exception;
    } catch (...) {
      return current_http_error();
    }
  };
  for (const HttpError& error : {error_of(Error(ErrorKind::kIo, "/srv/model: is gone")),
                                 error_of(InternalError("/srv/search.cpp:12: a check")),
                                 error_of(std::runtime_error("/srv/model: a library's text"))}) {
    EXPECT_EQ(error.status(), HttpStatus::kInternal);
    EXPECT_THAT(error.what(), Not(HasSubstr("/srv")));
    EXPECT_THAT(error.reason(), HasSubstr("/srv"));
  }
  const HttpError of_text = error_of(Error(ErrorKind::kData, "line 1: its prefix is long"));
  EXPECT_EQ(of_text.status(), HttpStatus::kUnprocessable);
  EXPECT_STREQ(of_text.what(), "line 1: its prefix is long");
}

}  // namespace
}  // namespace heed
