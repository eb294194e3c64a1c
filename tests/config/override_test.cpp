#include "example.h"

namespace heed::example {
namespace {

using Messages = std::vector<std::string>;

TEST(Override, IsSplitAtTheFirstEqualsSign) {
  const Override given = parse_override("data.train[0].source=a=b");
  EXPECT_EQ(given.path, "data.train[0].source");
  EXPECT_EQ(given.value, "a=b");
  for (const char* text :
       {"", "a", "=1", "a.=1", ".a=1", "a..b=1", "[0]=1", "a[=1", "a[]=1", "a[x]=1", "a[-1]=1",
        "a]=1", "a[0]b=1", "a[99999999999999999999999]=1"}) {
    EXPECT_THROW(parse_override(text), Error) << text;
  }
  std::string deep = "a";
  for (int i = 0; i < 64; ++i) deep += ".a";
  EXPECT_THROW(parse_override(deep + "=1"), Error);
}

TEST(Override, ChangesWhatTheFileSays) {
  const RootConfig config =
      read("seed: 1\nname: x\ntrain: [{source: a, target: b}]\nmodel: {layer: {heads: 2}}",
           {"seed=7", "name=\"12\"", "train[0].source=c", "model.layer.heads=4"});
  EXPECT_EQ(config.seed, 7);
  EXPECT_EQ(config.name, "12");
  EXPECT_EQ(config.train.at(0).source, "c");
  EXPECT_EQ(config.train.at(0).target, "b");
  EXPECT_EQ(dynamic_cast<const AttentionConfig&>(*config.model.layer).heads, 4);
}

TEST(Override, TakesTheLastOfSeveral) { EXPECT_EQ(read("", {"seed=2", "seed=3"}).seed, 3); }

TEST(Override, MakesWhatIsNotThere) {
  const RootConfig config =
      read("", {"model.layer.score.hidden=3", "test.a.source=x", "test.a.target=y",
                "train[0]={source: a, target: b}", "train[1].source=c", "train[1].target=d",
                "max_time=2h", "clip=~"});
  EXPECT_EQ(config.test.at("a").target, "y");
  EXPECT_EQ(config.train.at(1).source, "c");
  EXPECT_EQ(config.max_time, 7200.0);
  const auto& layer = dynamic_cast<const AttentionConfig&>(*config.model.layer);
  EXPECT_EQ(dynamic_cast<const AdditiveConfig&>(*layer.score).hidden, 3);
}

TEST(Override, AddsToShortForms) {
  const RootConfig config = read("model: {layer: hops, extra: dot}\nsides: a",
                                 {"model.layer.count=9", "model.extra.scale=2", "sides[1]=b"});
  EXPECT_EQ(dynamic_cast<const HopsConfig&>(*config.model.layer).count, 9);
  EXPECT_EQ(dynamic_cast<const DotConfig&>(*config.model.extra).scale, 2.0);
  EXPECT_EQ(config.sides, (Messages{"a", "b"}));
  EXPECT_EQ(problems_of("run: r\nbatch: 64", {"batch.sentences=3"}),
            Messages{"--set batch.sentences: tokens is given too; leave one of them out"});
  EXPECT_EQ(read("batch: 64", {"batch.tokens=3"}).batch.tokens, 3);
  EXPECT_EQ(problems_of("run: r\nmodel: 5", {"model.bias=true"}),
            Messages{"c.yaml:2:8: model: found '5', expected a map of settings"});
}

TEST(Override, ReachesKeysThatHoldDots) {
  const RootConfig config =
      read("test: {flickr.2016: {source: a, target: b}}", {"test.flickr.2016.target=c"});
  EXPECT_EQ(config.test.at("flickr.2016").target, "c");
}

// A map that has entries by default.
struct TwoSidesConfig final : Settings {
  std::map<std::string, BatchConfig> sides;
  TwoSidesConfig() {
    sides["source"].tokens = 1;
    sides["target"].tokens = 2;
  }
  void fields(Fields& f) override { f.map("sides", sides, "both"); }
};

TwoSidesConfig read_sides(const std::string& yaml, const std::string& set) {
  TwoSidesConfig config;
  ReadOptions how;
  how.overrides.push_back(parse_override(set));
  read_config_text(yaml, "c.yaml", config, how);
  return config;
}

TEST(Override, ChangesTheDefaultOfAMapThatTheFileLacks) {
  const TwoSidesConfig inside = read_sides("", "sides.source.tokens=9");
  EXPECT_EQ(inside.sides.at("source").tokens, 9);
  EXPECT_EQ(inside.sides.at("target").tokens, 2);
  const TwoSidesConfig third = read_sides("", "sides.third.tokens=9");
  EXPECT_EQ(third.sides.size(), 3u);
}

TEST(Override, ReplacesTheDefaultOfAMapThatTheFileHas) {
  EXPECT_EQ(read_sides("sides: {source: 5}", "sides.source.tokens=9").sides.size(), 1u);
  EXPECT_EQ(read_sides("", "sides={source: {tokens: 9}}").sides.size(), 1u);
}

TEST(Override, FillsAnEmptyFile) {
  RootConfig config;
  EXPECT_EQ(problems_of("", config, {"run=r"}), Messages{});
  EXPECT_EQ(config.run, "r");
}

TEST(Override, SaysWhereAMistakeComesFrom) {
  EXPECT_EQ(problems_of("run: r\nseed: x\n",
                        {"rate=yes", "nmae=1", "model.layer={type: hop}", "train[0]={source: a}"}),
            (Messages{
                "c.yaml:2:7: seed: found 'x', expected a whole number, at least 0",
                "--set rate: found 'yes', expected a number, above 0",
                "--set model.layer.type: found 'hop', expected one of attention, hops; did you "
                "mean 'hops'?",
                "--set nmae: unknown key; did you mean 'name'?",
                "--set train[0].target: is missing (what is written)",
            }));
}

TEST(Override, SaysWhatCannotBeDone) {
  Messages found =
      problems_of("run: r\ntrain: [{source: a, target: b}]",
                  {"train[2].source=x", "train.source=x", "model[0]=1", "model.layer=[",
                   "model.layer={a: 1, a: 2}", "model.layer=*x", "nothing[4]=3"});
  // yaml-cpp 0.8 names the anchor, 0.7 does not.
  constexpr std::string_view kAnchor = " is not defined: x";
  for (std::string& message : found)
    if (message.ends_with(kAnchor)) message.resize(message.size() - std::string_view(": x").size());
  EXPECT_EQ(found, (Messages{
                       "--set train[2].source: there is no item [2], the list has 1; [1] adds one",
                       "--set train.source: 'source' is in a list, not in a map",
                       "--set model.layer: a key must be plain text, and every bracket closed",
                       "--set model.layer.a: given twice, first in line 1; leave one of them out",
                       "--set model.layer: not YAML: the referenced anchor is not defined",
                       "--set nothing[4]: there is no item [4], the list has 0; [0] adds one",
                       "--set model[0]: model: found a list, expected a map of settings",
                   }));
}

}  // namespace
}  // namespace heed::example
