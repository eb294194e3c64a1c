#include <fstream>

#include "config/mistakes.h"
#include "config/reference.h"
#include "config/writer.h"
#include "example.h"

namespace heed::example {
namespace {

using Messages = std::vector<std::string>;

TEST(ConfigReader, KeepsWhatIsNotWritten) {
  const RootConfig config = read("");
  EXPECT_EQ(config.run, "r");
  EXPECT_EQ(config.seed, 1);
  EXPECT_EQ(config.name, "a name");
  EXPECT_EQ(config.pause, 90);
  EXPECT_EQ(config.sides, Messages{"source"});
  EXPECT_FALSE(config.valid);
  EXPECT_EQ(dynamic_cast<const AttentionConfig&>(*config.model.layer).heads, 8);
}

// One set, or a list of sets.
struct SeveralConfig final : Settings {
  std::vector<CorpusConfig> sets;
  void fields(Fields& f) override { f.one_or_many("sets", sets, "what is read"); }
};

TEST(ConfigReader, TakesOneForAListOfOne) {
  const auto targets = [](const std::string& yaml) {
    SeveralConfig config;
    read_config_text(yaml, "c", config);
    Messages found;
    for (const CorpusConfig& set : config.sets) found.push_back(set.target);
    return found;
  };
  EXPECT_EQ(targets("sets: {source: a, target: b}"), Messages{"b"});
  EXPECT_EQ(targets("sets: [{source: a, target: b}]"), Messages{"b"});
  EXPECT_EQ(targets("sets: [{source: a, target: b}, {source: c, target: d}]"),
            (Messages{"b", "d"}));
  for (const char* none : {"{}", "sets: ~", "sets: []"})
    EXPECT_EQ(targets(none), Messages{}) << none;
  const auto problem = [](const std::string& yaml) {
    SeveralConfig config;
    return find_problems(yaml, "c", config).at(0).text();
  };
  EXPECT_EQ(problem("sets: {source: a}"), "c:1:1: sets.target: is missing (what is written)");
  EXPECT_EQ(problem("sets: [{source: a}]"), "c:1:8: sets[0].target: is missing (what is written)");
  EXPECT_EQ(problem("sets: a"), "c:1:7: sets: found 'a', expected a map of settings");
}

TEST(ConfigReader, WritesOneAsItself) {
  SeveralConfig config;
  EXPECT_EQ(write_config(config), "sets: ~\n");
  config.sets.resize(1);
  EXPECT_EQ(write_inline(config), "{sets: {source: \"\", target: \"\", weight: 1.0}}");
  config.sets.resize(2);
  EXPECT_EQ(flatten_config(config).count("sets[1].weight"), 1U);
  EXPECT_NE(config_reference(config).find("[settings](#sets), or a list of such"),
            std::string::npos);
}

TEST(ConfigReader, ReadsEveryType) {
  const RootConfig config = read(R"(
seed: 12
name: true
note: "  quoted: #1 \u00e4"
vocabulary: ../a b/c.txt
rate: 1e-3
clip: 5
max_time: 1.5h
pause: 2d
sides: [source, "12", 'it''s']
train:
  - {source: a, target: b, weight: 0.5}
  - source: c
    target: d
valid: {source: e, target: f}
test: {flickr.2016: {source: g, target: h}, "~": {source: i, target: j}}
scorers: {x: dot, y: {type: additive, hidden: 3}}
batch: {sentences: 64}
model:
  tie: none
  dropout: 0
  bias: false
  norm: true
  extra: dot
)");
  EXPECT_EQ(config.seed, 12);
  EXPECT_EQ(config.name, "true");
  EXPECT_EQ(config.note, "  quoted: #1 ä");
  EXPECT_EQ(config.vocabulary, "../a b/c.txt");
  EXPECT_EQ(config.rate, 0.001);
  EXPECT_EQ(config.clip, 5.0);
  EXPECT_EQ(config.max_time, 5400.0);
  EXPECT_EQ(config.pause, 172800.0);
  EXPECT_EQ(config.sides, (Messages{"source", "12", "it's"}));
  ASSERT_EQ(config.train.size(), 2u);
  EXPECT_EQ(config.train[0].weight, 0.5);
  EXPECT_EQ(config.train[1].target, "d");
  EXPECT_EQ(config.train[1].weight, 1);
  EXPECT_EQ(config.valid->target, "f");
  EXPECT_EQ(config.test.at("flickr.2016").target, "h");
  EXPECT_EQ(config.test.at("~").source, "i");
  EXPECT_EQ(config.scorers.at("x")->type, "dot");
  EXPECT_EQ(dynamic_cast<const AdditiveConfig&>(*config.scorers.at("y")).hidden, 3);
  EXPECT_EQ(config.batch.sentences, 64);
  EXPECT_EQ(config.model.tie, Tie::kNone);
  EXPECT_EQ(config.model.dropout, 0);
  EXPECT_FALSE(config.model.bias);
  EXPECT_EQ(config.model.norm, true);
  EXPECT_EQ(config.model.extra->type, "dot");
}

TEST(ConfigReader, TakesNullForNothing) {
  RootConfig config;
  config.clip = 1;
  config.note = "x";
  config.valid.emplace();
  config.model.extra = make_kind<DotConfig>("dot");
  EXPECT_EQ(problems_of("run: r\nclip: ~\nnote: null\nvalid:\nmodel: {extra: ~}", config),
            Messages{});
  EXPECT_FALSE(config.clip);
  EXPECT_FALSE(config.note);
  EXPECT_FALSE(config.valid);
  EXPECT_EQ(config.model.extra, nullptr);
}

TEST(ConfigReader, TakesShortForms) {
  EXPECT_EQ(read("batch: 4096").batch.tokens, 4096);
  EXPECT_EQ(read("sides: target").sides, Messages{"target"});
  EXPECT_EQ(read("model: {layer: hops}").model.layer->type, "hops");
  EXPECT_EQ(problems_of("run: r\nbatch: x"),
            Messages{"c.yaml:2:8: batch.tokens: found 'x', expected a whole number, at least 1, or "
                     "~ for none"});
}

TEST(ConfigReader, KeepsTheDefaultKindWithItsValues) {
  RootConfig config;
  auto layer = make_kind<AttentionConfig>("attention");
  layer->heads = 4;
  layer->score = make_kind<DotConfig>("dot");
  config.model.layer = layer;
  EXPECT_EQ(problems_of("run: r\nmodel: {layer: {width: 64, score: {scaled: false}}}", config),
            Messages{});
  const auto& read_layer = dynamic_cast<const AttentionConfig&>(*config.model.layer);
  EXPECT_EQ(read_layer.heads, 4);
  EXPECT_EQ(read_layer.width, 64);
  EXPECT_FALSE(dynamic_cast<const DotConfig&>(*read_layer.score).scaled);
}

TEST(ConfigReader, BeginsAnotherKindWithItsOwnDefaults) {
  const RootConfig config =
      read("model: {layer: {type: hops, count: 2, layer: {heads: 2, score: dot}}}");
  const auto& hops = dynamic_cast<const HopsConfig&>(*config.model.layer);
  EXPECT_EQ(hops.count, 2);
  const auto& inner = dynamic_cast<const AttentionConfig&>(*hops.layer);
  EXPECT_EQ(inner.heads, 2);
  EXPECT_EQ(inner.score->type, "dot");
}

TEST(ConfigReader, ReplacesDefaultListsAndMaps) {
  RootConfig config;
  config.test["old"] = {};
  config.sides = {"a", "b"};
  EXPECT_EQ(problems_of("run: r\ntest: {new: {source: a, target: b}}\nsides: []", config),
            Messages{});
  EXPECT_EQ(config.test.size(), 1u);
  EXPECT_TRUE(config.sides.empty());
}

TEST(ConfigReader, ReadsFilesWithMarkAndWindowsLines) {
  EXPECT_EQ(problems_of("\xef\xbb\xbfrun: r\r\nseed: 2\r\n"), Messages{});
  EXPECT_EQ(problems_of("\xef\xbb\xbfrun: r\r\nseed: x\r\n").at(0).substr(0, 12), "c.yaml:2:7: ");
  EXPECT_EQ(problems_of("---\nrun: r\n"), Messages{});
  EXPECT_EQ(problems_of("%YAML 1.2\n---\nrun: r\n...\n"), Messages{});
}

TEST(ConfigReader, CountsColumnsInCharacters) {
  EXPECT_EQ(problems_of("run: r\nmodel: {extra: dot, \"größe\": 1}").at(0).substr(0, 11),
            "c.yaml:2:21");
  EXPECT_EQ(
      problems_of("run: r\ntest: {größe: {source: a, target: b, weight: x}}").at(0).substr(0, 11),
      "c.yaml:2:46");
}

// Message about an unknown key, from "unknown key" on.
std::string said_of_unknown(const std::string& yaml) {
  RootConfig config;
  try {
    read_config_text("run: x\n" + yaml, "c.yaml", config);
  } catch (const Error& error) {
    const std::string text = error.what();
    const size_t at = text.find("unknown key");
    return at == std::string::npos ? text : text.substr(at);
  }
  return "nothing was thrown";
}

TEST(ConfigReader, SaysWhereAKeyBelongsThatStandsElsewhere) {
  EXPECT_EQ(said_of_unknown("dropout: 0.2\n"), "unknown key; did you mean 'model.dropout'?");
  EXPECT_EQ(said_of_unknown("batch: {dropout: 0.2}\n"),
            "unknown key; did you mean 'model.dropout'?");
  EXPECT_EQ(said_of_unknown("tokens: 100\n"), "unknown key; did you mean 'batch.tokens'?");
  // Deeper levels are searched first.
  EXPECT_EQ(said_of_unknown("model: {heads: 2}\n"),
            "unknown key; did you mean 'model.layer.heads'?");
  EXPECT_EQ(said_of_unknown("target: x\n"),
            "unknown key; did you mean 'train.target' or 'valid.target'?");
}

TEST(ConfigReader, DoesNotSendTheKeyOfAnotherKindElsewhere) {
  EXPECT_EQ(said_of_unknown("model: {extra: {type: dot, hidden: 3}}\n"),
            "unknown key of type 'dot'; there are scaled, scale, type");
}

TEST(ConfigReader, ThrowsWhatItFinds) {
  RootConfig config;
  try {
    read_config_text("seed: -1\nsed: 2\n", "c.yaml", config);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(),
                 "3 mistakes in c.yaml\n"
                 "c.yaml:1:1: run: is missing (where it goes)\n"
                 "c.yaml:1:7: seed: found '-1', expected a whole number, at least 0\n"
                 "c.yaml:2:1: sed: unknown key; did you mean 'seed'?");
  }
  EXPECT_THROW(read_config_file("/nonexistent/c.yaml", config), Error);
  try {
    read_config_file("/dev/zero", config);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "/dev/zero: is not a regular file");
  }
}

TEST(ConfigReader, ThrowsAllProblemsAtOnce) {
  const Problem problem{.file = "c.yaml", .line = 2, .column = 1, .path = "a", .message = "is odd"};
  const auto thrown = [&](size_t count, const std::vector<std::string>& first = {},
                          const std::vector<std::string>& last = {}) -> std::string {
    try {
      throw_if_any(std::vector<Problem>(count, problem), "all of it", first, last);
      return "nothing";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(thrown(0, {"before"}, {"behind"}), "nothing");
  EXPECT_EQ(thrown(1, {"before"}, {"behind"}), "before\nc.yaml:2:1: a: is odd\nbehind");
  const std::string many = thrown(103);
  EXPECT_TRUE(many.starts_with("103 mistakes in all of it\nc.yaml:2:1: a: is odd\n"));
  EXPECT_TRUE(many.ends_with("a: is odd\n… and 3 more"));
}

// Records the order in which settings are validated.
struct Watched : Settings {
  explicit Watched(std::vector<std::string>* order = nullptr, std::string name = "")
      : order(order), name(name) {}
  std::vector<std::string>* order;
  std::string name;
  int64_t n = 1;
  void fields(Fields& f) override { f.field("n", n, kPositive, "n"); }
  void validate(Problems& problems) const override { order->push_back(name); }
};
struct Outer final : Watched {
  explicit Outer(std::vector<std::string>* order)
      : Watched(order, "outer"), a(order, "a"), b(order, "b") {}
  Watched a, b;
  void fields(Fields& f) override {
    f.section("a", a, "a");
    Watched::fields(f);
    f.section("b", b, "b");
  }
};

TEST(ConfigReader, ValidatesInnermostFirstWhatItCouldRead) {
  Messages order;
  Outer outer(&order);
  EXPECT_EQ(problems_of("n: 2", outer).size(), 0u);
  EXPECT_EQ(order, (Messages{"a", "b", "outer"}));
  order.clear();
  EXPECT_EQ(problems_of("a: {n: 0}", outer).size(), 1u);
  EXPECT_EQ(order, (Messages{"b", "outer"}));
  order.clear();
  EXPECT_EQ(problems_of("n: 0", outer).size(), 1u);
  EXPECT_EQ(order, (Messages{"a", "b"}));
}

// A kind without a default that cannot be read leaves nothing to validate, at any level above it.
struct Holder final : Settings {
  std::shared_ptr<ScoreConfig> score;
  void fields(Fields& f) override { f.one_of("score", score, scores(), "which"); }
};
struct HolderOfHolder final : Settings {
  Holder holder;
  void fields(Fields& f) override { f.section("holder", holder, "h"); }
  void validate(Problems& problems) const override {
    problems.add("holder", "is " + holder.score->type);
  }
};

TEST(ConfigReader, DoesNotValidateAroundAKindThatIsNotThere) {
  HolderOfHolder settings;
  EXPECT_EQ(problems_of("holder: {}", settings),
            Messages{"c.yaml:1:1: holder.score: is missing (which)"});
  EXPECT_EQ(problems_of("holder: {score: x}", settings),
            Messages{"c.yaml:1:17: holder.score.type: found 'x', expected one of additive, dot"});
  EXPECT_EQ(problems_of("holder: {score: {scaled: true}}", settings),
            Messages{"c.yaml:1:17: holder.score: `type:` is missing, one of additive, dot"});
  EXPECT_EQ(problems_of("holder: {score: dot}", settings), Messages{"c.yaml:1:1: holder: is dot"});
}

// Settings whose sections are checked against each other, whatever other errors there are.
struct Whole final : Settings {
  int64_t seed = 1;
  Holder a, b;
  void fields(Fields& f) override {
    f.field("seed", seed, kNotNegative, "");
    f.section("a", a, "");
    f.section("b", b, "");
  }
  void validate_parts(Problems& problems) const override {
    for (const std::string part : {"a.score", "a", "b"}) {
      if (problems.is_whole(part)) problems.add("whole " + part, "");
    }
  }
};

TEST(ConfigReader, TellsWhichPartsAreWhole) {
  const auto messages_of = [](const std::string& text) {
    Whole settings;
    std::vector<std::string> whole;
    for (const Problem& problem : find_problems(text, "c.yaml", settings)) {
      if (problem.path.starts_with("whole ")) whole.push_back(problem.path.substr(6));
    }
    return whole;
  };
  const std::string fine = "{score: additive}", bad = "{score: x}";
  EXPECT_EQ(messages_of("{a: " + fine + ", b: " + fine + "}"), (Messages{"a.score", "a", "b"}));
  EXPECT_EQ(messages_of("{seed: x, a: " + bad + ", b: " + fine + "}"), Messages{"b"});
  EXPECT_EQ(messages_of("{a: 3, b: " + bad + "}"), Messages{}) << "nor what is inside of a";
  std::string many = "{";
  for (int key = 0; key < 2000; ++key) many += fmt::format("no{}: 1, ", key);
  EXPECT_EQ(messages_of("{a: " + many + "score: dot}, b: " + bad + "}"), Messages{})
      << "b, whose mistakes are beyond the limit";
}

TEST(ProblemsAt, PutsItsPrefixInFront) {
  struct Kept final : Problems {
    std::string path;
    void add(const std::string& p, const std::string&) override { path = p; }
    bool is_set(const std::string& p) const override { return p == "a.b"; }
  } kept;
  ProblemsAt outer(kept, "");
  ProblemsAt at(outer, "a");
  at.add("b", "");
  EXPECT_EQ(kept.path, "a.b");
  at.add("[1]", "");
  EXPECT_EQ(kept.path, "a[1]");
  at.add("", "");
  EXPECT_EQ(kept.path, "a");
  EXPECT_TRUE(at.is_set("b"));
  EXPECT_FALSE(at.is_set("c"));
}

}  // namespace
}  // namespace heed::example
