#include "base/floating_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

namespace heed {

namespace {

// The number that a whole text is.
std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [behind, error] = floating_point_from(text.data(), end, value);
  return error == std::errc() && behind == end ? std::optional(value) : std::nullopt;
}

TEST(FloatingPoint, NumbersAreThoseOfTheirText) {
  EXPECT_EQ(number_of("0.5"), 0.5);
  EXPECT_EQ(number_of("-2.5e-1"), -0.25);
  EXPECT_EQ(number_of(".5"), 0.5);
  EXPECT_EQ(number_of("1e3"), 1000.0);
  EXPECT_EQ(number_of("0.1"), 0x1.999999999999ap-4);
  EXPECT_EQ(number_of("-inf"), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(number_of("nan").value_or(0)));
  float single = 0;
  const std::string text = "0.1";
  floating_point_from(text.data(), text.data() + text.size(), single);
  EXPECT_EQ(single, 0x1.99999ap-4F);
}

TEST(FloatingPoint, OtherTextsAreNone) {
  for (const char* text :
       {"", " 1", "+1", "1 ", "1,5", "0x10", "-0x1p3", "--1", "-", "e5", "1e999"})
    EXPECT_EQ(number_of(text), std::nullopt) << "'" << text << "'";
}

TEST(FloatingPoint, TheEndIsBehindTheNumber) {
  const std::string text = "1.5 rest";
  double value = 0;
  const auto [behind, error] = floating_point_from(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(error, std::errc());
  EXPECT_EQ(behind - text.data(), 3);
  EXPECT_EQ(value, 1.5);
}

}  // namespace

}  // namespace heed
