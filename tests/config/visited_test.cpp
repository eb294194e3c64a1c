#include <gtest/gtest.h>

#include "config/settings_tree.h"
#include "config/writer.h"
#include "example.h"

namespace heed::example {
namespace {

// Has a key whose default depends on another one.
struct ImplyingConfig final : Settings {
  int64_t layers = 1, width = 0;
  int completed = 0;
  void fields(Fields& f) override {
    f.field("layers", layers, kPositive, "number of layers");
    f.complete([this] {
      ++completed;
      width = 10 * layers;
    });
    f.field("width", width, kNotNegative, "width");
  }
};

// Remembers the bindings that could write.
class WritableFields final : public Fields {
 public:
  int count = 0;

 private:
  void on_scalar(const char*, const ScalarField& field, const char*) override {
    count += static_cast<bool>(field.set);
  }
  void on_section(const char*, Settings& value, const char*) override { value.fields(*this); }
  void on_optional_section(const char*, const OptionalSectionField& field, const char*) override {
    count += field.make || field.clear;
  }
  void on_kind(const char*, const KindField& field, const char*) override {
    count += field.select || field.clear;
  }
  void on_list(const char*, const ListField& field, const char*) override {
    count += field.append || field.clear;
  }
  void on_map(const char*, const MapField& field, const char*) override {
    count += field.insert || field.clear;
  }
  void on_tree(const char*, Node&, const char*) override {}
};

TEST(Visited, IsNotWrittenByVisitors) {
  RootConfig config;
  WritableFields fields;
  config.fields(fields);
  EXPECT_EQ(fields.count, 0);
}

TEST(Visited, IsCompletedByTheReaderAlone) {
  ImplyingConfig config;
  EXPECT_EQ(write_inline(config), "{layers: 1, width: 0}");
  EXPECT_EQ(config.completed, 0);
  EXPECT_EQ(problems_of("layers: 3", config), std::vector<std::string>{});
  EXPECT_EQ(config.completed, 1);
  EXPECT_EQ(config.width, 30);
  EXPECT_EQ(problems_of("{layers: 3, width: 7}", config), std::vector<std::string>{});
  EXPECT_EQ(config.width, 7) << "a key below is read afterwards";
}

TEST(Visited, IsACopyOfConstantSettings) {
  const RootConfig config;
  const Visited constant(config);
  EXPECT_NE(&*constant, &config);
  RootConfig own;
  const Visited given(own);
  EXPECT_EQ(&*given, &own);
}

// The copy has the type of the settings, also where they are known as their base class.
TEST(Visited, CopiesAKindWithItsType) {
  const auto hops = make_kind<HopsConfig>("hops");
  hops->count = 9;
  const LayerConfig& layer = *hops;
  EXPECT_EQ(settings_tree(layer).find("count")->text, "9");
}

TEST(Visited, RefusesToCopyAPart) {
  struct Base : Settings {
    void fields(Fields&) override {}
  };
  struct Whole final : Base {};
  const Whole whole;
  const Base& part = whole;
  EXPECT_ANY_THROW(settings_tree(part));
}

}  // namespace
}  // namespace heed::example
