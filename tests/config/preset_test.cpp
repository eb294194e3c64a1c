// Presets lie below the config that names them.
#include "config/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/idle.h"
#include "config/overlay.h"
#include "config/parse.h"
#include "config/print.h"
#include "config/reader.h"
#include "config/reference.h"
#include "config/writer.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Node tree_of(const std::string& text) {
  std::vector<Problem> problems;
  const auto tree = parse_yaml(text, "test", problems);
  EXPECT_TRUE(problems.empty()) << text;
  return tree.value_or(Node());
}
std::string overlaid(const std::string& below, const std::string& above, TypedMap typed) {
  return print_inline(heed::overlaid(tree_of(below), tree_of(above), typed));
}

TEST(Overlay, ReplacesListsAndScalarsAndMergesMaps) {
  for (const TypedMap typed : {TypedMap::kReplaces, TypedMap::kReplacesOther}) {
    EXPECT_EQ(overlaid("{a: 1, b: {c: 2, d: [1, 2]}}", "{b: {d: [3], e: 4}, f: 5}", typed),
              "{a: 1, b: {c: 2, d: [3], e: 4}, f: 5}");
    EXPECT_EQ(overlaid("{a: {b: 1}}", "{a: ~}", typed), "{a: ~}");
    EXPECT_EQ(overlaid("{a: {b: 1}}", "{a: 2}", typed), "{a: 2}");
    EXPECT_EQ(overlaid("{a: [1]}", "{a: {b: 2}}", typed), "{a: {b: 2}}");
  }
}

// A phase replaces a map with a type; a config changes the keys of the preset's.
TEST(Overlay, OfTheSameTypeReplacesOrMerges) {
  const std::string below = "{a: {type: x, b: 1}}", same = "{a: {type: x, c: 2}}";
  EXPECT_EQ(overlaid(below, same, TypedMap::kReplaces), "{a: {type: x, c: 2}}");
  EXPECT_EQ(overlaid(below, same, TypedMap::kReplacesOther), "{a: {type: x, b: 1, c: 2}}");
  EXPECT_EQ(overlaid(below, "{a: x}", TypedMap::kReplaces), "{a: x}");
  EXPECT_EQ(overlaid(below, "{a: x}", TypedMap::kReplacesOther), "{a: {type: x, b: 1}}");
}

TEST(Overlay, OfAnotherTypeReplaces) {
  for (const TypedMap typed : {TypedMap::kReplaces, TypedMap::kReplacesOther}) {
    for (const char* below : {"{a: {type: x, b: 1}}", "{a: x}"}) {
      EXPECT_EQ(overlaid(below, "{a: {type: y, c: 2}}", typed), "{a: {type: y, c: 2}}");
      EXPECT_EQ(overlaid(below, "{a: y}", typed), "{a: y}");
    }
  }
}

struct Wheel : KindSettings {};
struct Spoked final : Wheel {
  int64_t spokes = 8;
  bool flat = false;
  void fields(Fields& f) override {
    f.field("spokes", spokes, {1, 99}, "");
    f.field("flat", flat, "");
    if (spokes == 1) idle(f, "flat", "with one spoke");
  }
};
struct Disc final : Wheel {
  int64_t width = 3;
  void fields(Fields& f) override { f.field("width", width, kPositive, ""); }
};
const Registry<Wheel>& wheels() {
  static const Registry<Wheel> all = {kind<Spoked, Wheel>("spoked", ""),
                                      kind<Disc, Wheel>("disc", "")};
  return all;
}

const Presets& cars() {
  static const Presets all = {
      {"old", "# Benz 1886\nseats: 2\nwheel: {type: spoked, spokes: 24, flat: true}\n"},
      {"odd", "# Nobody 1900\nseats: 0\nsails: 1\nwheel: disc\n"}};
  return all;
}

struct Car final : Settings {
  int64_t seats = 4, doors = 4;
  std::shared_ptr<Wheel> wheel = make_kind<Disc>("disc");
  void fields(Fields& f) override {
    preset(f, "preset", cars(), "a car of a paper");
    f.field("seats", seats, kPositive, "");
    f.field("doors", doors, kPositive, "");
    f.one_of("wheel", wheel, wheels(), "");
  }
  void validate(Problems& problems) const override {
    if (doors > seats + 2) problems.add("seats", "are too few");
  }
};
struct Garage final : Settings {
  Car car;
  void fields(Fields& f) override { f.section("car", car, ""); }
};

std::string written(const std::string& text, const std::vector<Override>& overrides = {}) {
  Garage garage;
  read_config_text(text, "c.yaml", garage, {.overrides = overrides});
  return write_inline(garage);
}
std::vector<std::string> problems_of(const std::string& text,
                                     const std::vector<Override>& overrides = {}) {
  Garage garage;
  std::vector<std::string> lines;
  for (const Problem& problem : find_problems(text, "c.yaml", garage, {.overrides = overrides}))
    lines.push_back(problem.text());
  return lines;
}

// Written configs have the keys of the preset instead of its name.
TEST(Preset, LiesBelowTheKeysOfTheUser) {
  EXPECT_EQ(written("car: {preset: old}"),
            "{car: {seats: 2, doors: 4, wheel: {type: spoked, spokes: 24, flat: true}}}");
  EXPECT_EQ(written("car: {wheel: {spokes: 6}, preset: old, seats: 3}"),
            "{car: {seats: 3, doors: 4, wheel: {type: spoked, spokes: 6, flat: true}}}");
  EXPECT_EQ(written("car: {preset: old, wheel: {type: spoked, flat: false}}"),
            "{car: {seats: 2, doors: 4, wheel: {type: spoked, spokes: 24, flat: false}}}");
  EXPECT_EQ(written("car: {preset: old, wheel: {type: disc, width: 5}}"),
            "{car: {seats: 2, doors: 4, wheel: {type: disc, width: 5}}}");
  EXPECT_EQ(written("car: {preset: ~}"),
            "{car: {seats: 4, doors: 4, wheel: {type: disc, width: 3}}}");
}

TEST(Preset, IsSetAndOverriddenOnTheCommandLine) {
  EXPECT_EQ(written("car: {}", {{"car.preset", "old"}, {"car.wheel.spokes", "7"}}),
            "{car: {seats: 2, doors: 4, wheel: {type: spoked, spokes: 7, flat: true}}}");
  EXPECT_EQ(written("car: {wheel: spoked}", {{"car.preset", "old"}, {"car.wheel.flat", "false"}}),
            "{car: {seats: 2, doors: 4, wheel: {type: spoked, spokes: 24, flat: false}}}");
  EXPECT_EQ(written("car: {preset: old}", {{"car.preset", "~"}}),
            "{car: {seats: 4, doors: 4, wheel: {type: disc, width: 3}}}");
}

TEST(Preset, OfAnUnknownNameIsRefused) {
  EXPECT_THAT(problems_of("car: {preset: olt}"),
              ElementsAre("c.yaml:1:15: car.preset: found 'olt', expected old or odd, or ~ for "
                          "none; did you mean 'old'?"));
}

TEST(Preset, IsNamedWhereItsKeysAreWrong) {
  EXPECT_THAT(problems_of("car: {preset: old, doors: 5}"),
              ElementsAre("preset old: car.seats: are too few"));
  EXPECT_THAT(problems_of("car: {preset: odd}"),
              ElementsAre(HasSubstr("preset odd: car.sails: unknown key; to change so much"),
                          HasSubstr("preset odd: car.seats: found '0', expected")));
}

// The user cannot leave out a key of a preset.
TEST(Preset, MayHaveKeysWithoutEffect) {
  EXPECT_EQ(written("car: {preset: old, wheel: {spokes: 1}}"),
            "{car: {seats: 2, doors: 4, wheel: {type: spoked, spokes: 1, flat: true}}}");
  EXPECT_THAT(problems_of("car: {preset: old, wheel: {spokes: 1, flat: true}}"),
              ElementsAre(HasSubstr("car.wheel.flat: has no effect with one spoke")));
}

TEST(Preset, IsExplainedWithItsPaperAndItsKeys) {
  const std::string text = explain_key(Garage(), "preset");
  EXPECT_THAT(text, HasSubstr("value:   old or odd, or ~ for none\n"));
  EXPECT_THAT(text, HasSubstr("\n  old: Benz 1886\n    seats: 2\n    wheel: {type: spoked, "));
  EXPECT_THAT(text, HasSubstr("\n  odd: Nobody 1900\n    seats: 0\n"));
}

}  // namespace
}  // namespace heed
