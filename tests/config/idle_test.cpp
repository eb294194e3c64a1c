// Keys that have no effect beside another key.
#include "config/idle.h"

#include <gtest/gtest.h>

#include "config/reader.h"

namespace heed {
namespace {

struct Pen final : Settings {
  bool dry = false;
  int64_t width = 3;
  void fields(Fields& f) override {
    f.field("dry", dry, "");
    f.field("width", width, kPositive, "");
    if (dry) idle(f, "width", "with `dry: true`");
  }
};
struct Box final : Settings {
  Pen pen;
  void fields(Fields& f) override { f.section("pen", pen, ""); }
};

std::vector<std::string> problems(const std::string& text, bool saved = false) {
  Box box;
  std::vector<std::string> lines;
  for (const Problem& problem :
       find_problems(text, "c.yaml", box, {.overrides = {}, .saved = saved}))
    lines.push_back(problem.text());
  return lines;
}

TEST(IdleKeys, AreRefusedWhereTheySayAnythingNew) {
  EXPECT_EQ(problems("pen: {dry: true, width: 5}"),
            (std::vector<std::string>{
                "c.yaml:1:25: pen.width: has no effect with `dry: true`; leave it out"}));
}

TEST(IdleKeys, MayStandWithTheirDefaults) {
  EXPECT_TRUE(problems("pen: {dry: true, width: 3}").empty());
  EXPECT_TRUE(problems("pen: {dry: true}").empty());
  EXPECT_TRUE(problems("pen: {dry: false, width: 5}").empty());
}

// Overrides of --set may set the idle key, or the key that makes it idle.
TEST(IdleKeys, AreRefusedWhereverTheyAreSet) {
  for (const auto& [text, key] :
       {std::pair{"pen: {dry: true}", "pen.width=5"}, {"pen: {width: 5}", "pen.dry=true"}}) {
    Box box;
    const auto found = find_problems(text, "c.yaml", box, {.overrides = {parse_override(key)}});
    ASSERT_EQ(found.size(), 1U) << key;
    EXPECT_EQ(found[0].path, "pen.width");
  }
}

TEST(IdleKeys, OfSavedConfigsAreReadAsTheyAre) {
  EXPECT_TRUE(problems("pen: {dry: true, width: 5}", true).empty());
}

}  // namespace
}  // namespace heed
