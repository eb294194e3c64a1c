#include "base/line_separators.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/utf8.h"

namespace heed {
namespace {

// python3 -c 'print([hex(c) for c in range(0x110000) if len(("a" + chr(c) + "b").splitlines()) == 2])'
constexpr char32_t kOfPython[] = {0xA, 0xB, 0xC, 0xD, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029};

TEST(LineSeparators, AreThoseOfPython) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;  // surrogates
    std::string text = "a";
    append_code_point(text, point);
    text += "b";
    const bool expected = std::ranges::count(kOfPython, point) > 0;
    ASSERT_EQ(has_line_separator(text), expected) << static_cast<uint32_t>(point);
    ASSERT_EQ(on_one_line(text), expected ? "a b" : text) << static_cast<uint32_t>(point);
  }
}

TEST(LineSeparators, BecomeASpaceEach) {
  EXPECT_EQ(on_one_line("\r\na\u2028\u2029b\n"), "  a  b ");
  EXPECT_EQ(on_one_line(""), "");
  EXPECT_EQ(on_one_line("a\xC2"), "a\xC2");  // cut in a character
}

TEST(JsonText, HasNoControlCharacters) {
  const std::string name =
      "a\x7F"
      "\u009B31m\u0080é\u00A0";
  EXPECT_EQ(json_text(name), R"("a\u007f\u009b31m\u0080é)"
                             "\u00A0\"");
  EXPECT_EQ(nlohmann::ordered_json::parse(json_text(name)), name);
  EXPECT_EQ(json_text({{"a", {1}}}, 1), "{\n \"a\": [\n  1\n ]\n}");
}

TEST(JsonText, IsOneLineOfTheSameValue) {
  std::string all;
  for (const char32_t point : kOfPython) append_code_point(all, point);
  const nlohmann::ordered_json json = {{"key" + all, "ä" + all}, {"list", {all, 1}}};
  const std::string text = json_text(json);
  EXPECT_FALSE(has_line_separator(text)) << text;
  EXPECT_EQ(nlohmann::ordered_json::parse(text), json);
  EXPECT_NE(text.find("ä\\n"), std::string::npos) << text;
  EXPECT_EQ(json_text("a\xFF"), "\"a\uFFFD\"");
}

}  // namespace
}  // namespace heed
