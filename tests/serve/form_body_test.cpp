// Bodies of forms (URL Standard, application/x-www-form-urlencoded; RFC 7578, multipart/form-data).
#include "serve/form_body.h"

#include <gmock/gmock.h>

#include "request/http_error.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr const char* kUrlEncodedType = "application/x-www-form-urlencoded";

Json fields_of(const std::string& type, const std::string& body,
               const std::map<std::string, std::string>& query = {}) {
  return parse_fields({.method = "POST",
                       .path = "/translate",
                       .headers = {{"content-type", type}},
                       .body = body,
                       .query = query},
                      {});
}

void expect_refused(const std::string& type, const std::string& body, const std::string& message) {
  try {
    ADD_FAILURE() << fields_of(type, body);
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status(), HttpStatus::kBadRequest);
    EXPECT_THAT(error.what(), HasSubstr(message)) << body;
  }
}

TEST(FormBody, ReadsUrlEncodedFields) {
  EXPECT_EQ(fields_of(kUrlEncodedType, "q=a+b%2Bc%C3%A4%0A&source=en&target="),
            Json({{"q", "a b+cä\n"}, {"source", "en"}, {"target", ""}}));
  EXPECT_EQ(fields_of(kUrlEncodedType, "text=a&&text=b&x&text=c"),
            Json({{"text", {"a", "b", "c"}}, {"x", ""}}));
  EXPECT_EQ(fields_of("Application/X-WWW-Form-URLEncoded; charset=utf-8", "q=a=b"),
            Json({{"q", "a=b"}}));
  EXPECT_EQ(fields_of(kUrlEncodedType, ""), Json::object());
}

TEST(FormBody, RefusesMalformedForms) {
  for (const char* body : {"q=%", "q=a%2", "q=%zz", "%g0=a", "q=%+1"})
    expect_refused(kUrlEncodedType, body, "a % without two hexadecimal digits");
  std::string many;
  for (int i = 0; i <= 100; ++i) many += "f" + std::to_string(i) + "=a&";
  expect_refused(kUrlEncodedType, many, "more than 100 different fields");
  expect_refused(kUrlEncodedType, std::string(101, 'n') + "=a",
                 "whose name has more than 100 bytes");
  std::string values;
  for (int i = 0; i <= ServeLimits().values(); ++i) values += "q&";
  expect_refused(kUrlEncodedType, values, "fields");
}

// curl -d sends JSON with the type of a form.
TEST(FormBody, ReadsJsonWhateverItsType) {
  for (const char* type : {kUrlEncodedType, "application/json", "text/plain", ""})
    EXPECT_EQ(fields_of(type, R"( {"q": ["a", "b"]})"), Json({{"q", {"a", "b"}}})) << type;
  expect_refused("application/json", "q=a", "is not JSON");
  expect_refused("", "[1]", "is not an object");
}

std::string part(const std::string& disposition, const std::string& value) {
  return "--xYz\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + value + "\r\n";
}

TEST(FormBody, ReadsMultipartFields) {
  const std::string type = "multipart/form-data; boundary=\"xYz\"";
  EXPECT_EQ(fields_of(type, part("name=\"q\"", "a&b\r\nc%") + part("name=source", "en") +
                                part("name=\"f\"; filename=\"f.txt\"", "file") +
                                part("name=\"q\"", "") + "--xYz--\r\n"),
            Json({{"q", {"a&b\r\nc%", ""}}, {"source", "en"}}));
  EXPECT_EQ(fields_of("multipart/form-data; charset=utf-8; boundary=xYz", "--xYz--"),
            Json::object());
}

TEST(FormBody, RefusesCutParts) {
  const std::string type = "multipart/form-data; boundary=xYz",
                    whole = part("name=\"q\"", "a") + "--xYz--";
  for (size_t size = 6; size + 2 < whole.size(); ++size)
    expect_refused(type, whole.substr(0, size), "part of the form is cut");
  expect_refused(type, "q=a", "does not begin with its boundary");
  expect_refused(type, "", "does not begin with its boundary");
  expect_refused(type, part("nam=\"q\"", "a") + "--xYz--", "has no name");
  expect_refused("multipart/form-data", whole, "boundary of the form is missing");
  expect_refused("multipart/form-data; boundary=", whole, "boundary of the form is missing");
}

TEST(FormBody, AddsFieldsOfTheQuery) {
  EXPECT_EQ(fields_of(kUrlEncodedType, "q=a", {{"q", "b"}, {"api_key", "k"}}),
            Json({{"q", "a"}, {"api_key", "k"}}));
}

}  // namespace
}  // namespace heed
