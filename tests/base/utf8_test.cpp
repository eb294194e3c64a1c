#include "base/utf8.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

constexpr size_t kFine = std::string_view::npos;

struct Case {
  std::string text;
  size_t malformed_at;
  std::string replaced;
};

// Unicode 15, table 3-7 (well-formed sequences), 3-8 to 3-11 (one U+FFFD for each maximal subpart).
const std::vector<Case> kCases{
    {"", kFine, ""},
    {"a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", kFine, "aä€😀"},
    {std::string("\0", 1), kFine, std::string("\0", 1)},
    {"\xef\xbf\xbf", kFine, "\xef\xbf\xbf"},              // U+FFFF, a noncharacter
    {"\xf4\x8f\xbf\xbf", kFine, "\xf4\x8f\xbf\xbf"},      // U+10FFFF
    {"\xf4\x90\x80\x80", 0, "\uFFFD\uFFFD\uFFFD\uFFFD"},  // U+110000
    {"ab\x80", 2, "ab\uFFFD"},                            // a tail alone
    {"\xff", 0, "\uFFFD"},
    {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", 0,  // overlong forms, table 3-8
     "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\x41"},
    {"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", 0,  // surrogates, table 3-9
     "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\x41"},
    {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", 0,  // other ill-formed, table 3-10
     "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\x41\uFFFD\uFFFD\x42"},
    {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", 0,  // truncated, table 3-11
     "\uFFFD\uFFFD\uFFFD\uFFFD\x41"},
    {"x\xe2\x82", 1, "x\uFFFD"},
};

TEST(Utf8, FindsTheFirstMalformedSequence) {
  for (const Case& c : kCases) {
    EXPECT_EQ(find_malformed(c.text), c.malformed_at) << c.replaced;
    EXPECT_EQ(is_utf8(c.text), c.malformed_at == kFine);
  }
}

TEST(Utf8, ReplacesMaximalSubparts) {
  for (const Case& c : kCases) EXPECT_EQ(replace_malformed(c.text), c.replaced);
}

TEST(Utf8, AcceptsEveryCodePointAndNoSurrogate) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    append_code_point(text, c);
    ASSERT_TRUE(is_utf8(text)) << static_cast<uint32_t>(c);
    ASSERT_EQ(count_code_points(text), 1u);
    ASSERT_EQ(text.size(), c < 0x80 ? 1u : c < 0x800 ? 2u : c < 0x10000 ? 3u : 4u);
  }
}

TEST(Utf8, SplitsIntoCodePoints) {
  EXPECT_EQ(code_points("aä€😀"), (std::vector<std::string_view>{"a", "ä", "€", "😀"}));
  EXPECT_EQ(count_code_points("aä€😀"), 4u);
  EXPECT_TRUE(code_points("").empty());
}

TEST(Utf8, LowersCaseWithoutALocale) {
  EXPECT_EQ(lower_case("ÄÖÜ ß ẞ"), "äöü ß ß");
  EXPECT_EQ(lower_case("ΟΔΟΣ ΣΑΣ"), "οδος σας");  // final sigma
  EXPECT_EQ(lower_case("I İ"), "i i\u0307");      // not the Turkish one
  EXPECT_EQ(lower_case(std::string("A\0B", 3)), std::string("a\0b", 3));
}

TEST(Utf8, MeasuresWidthOnATerminal) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
  EXPECT_EQ(display_width("日本"), 4u);
  EXPECT_EQ(display_width("ｱ"), 1u);   // half-width
  EXPECT_EQ(display_width("Ａ"), 2u);  // full-width
  EXPECT_EQ(display_width("😀"), 2u);
  EXPECT_EQ(display_width("\u1112\u1161\u11AB"), 2u);  // one syllable of three jamo
  EXPECT_EQ(display_width("a\u200Bb"), 2u);
}

TEST(Utf8, CutsToAWidthOnATerminal) {
  EXPECT_EQ(cut_to_width("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_to_width("abcdefg", 6), "abcde…");
  EXPECT_EQ(cut_to_width("日本語です", 6), "日本…");
  EXPECT_EQ(cut_to_width("cafe\u0301s are", 5), "cafe\u0301…");
  EXPECT_EQ(cut_to_width("ab", 1), "…");
  EXPECT_EQ(cut_to_width("", 0), "");
}

TEST(Utf8, SplitsWordsAtAsciiSpaces) {
  EXPECT_EQ(split_words("  a  b\tc "), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(split_words("a\u00A0b"), (std::vector<std::string>{"a\u00A0b"}));
  EXPECT_TRUE(split_words(" \t ").empty());
  EXPECT_TRUE(split_words("").empty());
}

}  // namespace
}  // namespace heed
