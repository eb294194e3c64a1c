// Configs that were saved before some keys existed, and configs that users write.
#include "config/older.h"

#include <gtest/gtest.h>

#include "config/reader.h"
#include "config/writer.h"

namespace heed {
namespace {

struct Shape : KindSettings {};
struct Round final : Shape {
  int64_t radius = 3;
  void fields(Fields& f) const override { f.field("radius", radius, kPositive, ""); }
};
struct Flat final : Shape {
  void fields(Fields&) const override {}
};
const Registry<Shape>& shapes() {
  static const Registry<Shape> list = {kind<Round, Shape>("round", ""),
                                       kind<Flat, Shape>("flat", "")};
  return list;
}

enum class Order { kFirst, kInTurn };

// In older versions `radius` was a key beside `shape`, `order` had another word, and `layers` was
// always 1.
struct Changed final : Settings {
  std::shared_ptr<Shape> shape = make_kind<Round>("round");
  Order order = Order::kFirst;
  int64_t layers = 2;
  void fields(Fields& f) const override {
    static const Words<Order> words = {{"first", Order::kFirst}, {"in_turn", Order::kInTurn}};
    moved(f, "radius", "shape");
    f.one_of("shape", shape, shapes(), "");
    renamed(f, "order", "alternating", "in_turn");
    f.choice("order", order, words, "");
    earlier(f, "layers", layers, 1);
    f.field("layers", layers, kPositive, "");
  }
};

// Settings with a section of this type.
struct Model final : Settings {
  Changed part;
  void fields(Fields& f) const override { f.section("part", part, ""); }
};

std::vector<Problem> problems(const std::string& text, Model& model, bool saved) {
  return find_problems(text, "c.yaml", model, {.overrides = {}, .saved = saved});
}

TEST(OlderConfig, IsReadAsItWasMeant) {
  Model model;
  EXPECT_TRUE(problems("part: {shape: round, radius: 7, order: alternating}", model, true).empty());
  EXPECT_EQ(dynamic_cast<const Round&>(*model.part.shape).radius, 7);
  EXPECT_EQ(model.part.order, Order::kInTurn);
  EXPECT_EQ(model.part.layers, 1);
}

TEST(OlderConfig, LeavesOutWhatMadeNoDifference) {
  Model model;
  EXPECT_TRUE(problems("part: {shape: flat, radius: 7, order: first}", model, true).empty());
  EXPECT_EQ(model.part.shape->type, "flat");
}

TEST(OlderConfig, IsRefusedWhereAUserWritesIt) {
  for (const char* text : {"part: {radius: 7}", "part: {order: alternating}"}) {
    Model model;
    EXPECT_EQ(problems(text, model, false).size(), 1U) << text;
  }
  Model model;
  EXPECT_TRUE(problems("part: {order: first}", model, false).empty());
  EXPECT_EQ(model.part.layers, 2) << "a key that is not written has its default";
}

TEST(OlderConfig, RefusesWhatNeverWasAKey) {
  Model model;
  EXPECT_EQ(problems("part: {shape: round, diameter: 7, order: first}", model, true).size(), 1U);
}

TEST(OlderConfig, IsWrittenAsOneOfToday) {
  Model model, again;
  problems("part: {shape: round, radius: 7, order: alternating}", model, true);
  EXPECT_TRUE(problems(write_config(model), again, false).empty());
  EXPECT_EQ(dynamic_cast<const Round&>(*again.part.shape).radius, 7);
  EXPECT_EQ(again.part.layers, 1);
}

}  // namespace
}  // namespace heed
