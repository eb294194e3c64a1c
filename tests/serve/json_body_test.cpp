#include "request/json_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "request/http_error.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& body, const ServeLimits& limits = {}) {
  try {
    parse_body(body, limits);
    return "none";
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status(), HttpStatus::kBadRequest);
    return error.what();
  }
}

std::string repeated(const std::string& text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

// The library itself is the definition.
TEST(JsonBody, IsReadAsTheLibraryReadsIt) {
  for (const char* body :
       {"1", "-1", "18446744073709551615", "0.5", "\"a\\u00e9\"", "null", "true", "[]", "{}",
        R"({"a":[1,[2,{"b":null}],"c"],"d":{"e":{"f":[]}},"g":-2.5e3})", R"([[],{},[{"a":[]}]])"})
    EXPECT_EQ(parse_body(body, {}), Json::parse(body)) << body;
}

TEST(JsonBody, SaysWhatIsWrong) {
  for (const char* body : {"", "{", "[1,]", "{\"a\":}", "nul", "\xFF", "[1] 2"})
    EXPECT_THAT(error_of(body), HasSubstr("is not JSON up to byte")) << body;
  EXPECT_THAT(error_of("[1e999]"), HasSubstr("a number that is too large"));
  EXPECT_THAT(error_of(R"({"text":"a","beam":1,"text":"b"})"), HasSubstr("text: is there twice"));
}

TEST(JsonBody, IsLimitedInDepthMembersKeysAndValues) {
  EXPECT_EQ(error_of(repeated("[", 8) + repeated("]", 8)), "none");
  EXPECT_THAT(error_of(repeated("[", 9) + repeated("]", 9)), HasSubstr("deeper than 8 levels"));
  std::string members = "\"k\":0";
  for (int i = 1; i < 100; ++i) members += ",\"k" + std::to_string(i) + "\":0";
  EXPECT_EQ(error_of("{" + members + "}"), "none");
  EXPECT_THAT(error_of("{" + members + ",\"more\":0}"), HasSubstr("more than 100 fields"));
  EXPECT_EQ(error_of("{\"" + std::string(100, 'k') + "\":0}"), "none");
  EXPECT_THAT(error_of("{\"" + std::string(101, 'k') + "\":0}"), HasSubstr("more than 100 bytes"));
  const ServeLimits limits{.texts = 1, .characters = 1};  // 20 values
  EXPECT_EQ(error_of("[0" + repeated(",0", 18) + "]", limits), "none");
  EXPECT_THAT(error_of("[0" + repeated(",0", 19) + "]", limits), HasSubstr("more than 20 values"));
}

}  // namespace
}  // namespace heed
