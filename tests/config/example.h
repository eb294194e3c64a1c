// Settings with a field of every type, for the tests of reader, writer and reference.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "config/reader.h"

namespace heed::example {

struct ScoreConfig : KindSettings {};

struct AdditiveConfig final : ScoreConfig {
  int64_t hidden = 512;
  void fields(Fields& f) override {
    f.field("hidden", hidden, kPositive, "width of the projections");
  }
};
struct DotConfig final : ScoreConfig {
  bool scaled = true;
  std::optional<double> scale;
  void fields(Fields& f) override {
    f.field("scaled", scaled, "divide by the root of the width");
    f.field("scale", scale, kAboveZero, "factor");
  }
  void validate(Problems& problems) const override {
    if (scale && !scaled) problems.add("scale", "has no effect with `scaled: false`");
  }
};
inline const Registry<ScoreConfig>& scores() {
  static const Registry<ScoreConfig> registry{
      kind<AdditiveConfig, ScoreConfig>("additive", "a hidden layer (Bahdanau 2015)"),
      kind<DotConfig, ScoreConfig>("dot", "a dot product (Luong 2015)")};
  return registry;
}

struct LayerConfig : KindSettings {};
const Registry<LayerConfig>& layers();

struct AttentionConfig final : LayerConfig {
  std::shared_ptr<ScoreConfig> score = make_kind<AdditiveConfig>("additive");
  std::vector<std::shared_ptr<ScoreConfig>> terms;
  int64_t width = 512, heads = 8;
  void fields(Fields& f) override {
    f.one_of("score", score, scores(), "how queries and keys are compared");
    f.list_of("terms", terms, scores(), "what is added to the scores");
    f.field("width", width, kPositive, "of the model");
    f.field("heads", heads, IntRange{1, 64}, "attentions side by side");
  }
  void validate(Problems& problems) const override {
    if (width % heads != 0)
      problems.add("heads", fmt::format("{} does not divide the width {}", heads, width));
  }
};
// Contains another kind of the same registry.
struct HopsConfig final : LayerConfig {
  std::shared_ptr<LayerConfig> layer = make_kind<AttentionConfig>("attention");
  int64_t count = 3;
  void fields(Fields& f) override {
    f.one_of("layer", layer, layers(), "what is repeated");
    f.field("count", count, kPositive, "how often");
  }
};
inline const Registry<LayerConfig>& layers() {
  static const Registry<LayerConfig> registry{
      kind<AttentionConfig, LayerConfig>("attention", "one look"),
      kind<HopsConfig, LayerConfig>("hops", "several looks")};
  return registry;
}

struct CorpusConfig final : Settings {
  std::string source, target;
  double weight = 1;
  void fields(Fields& f) override {
    f.path("source", source, PathRoot::kDataFolder, "what is read");
    f.path("target", target, PathRoot::kDataFolder, "what is written");
    f.field("weight", weight, kAboveZero, "how often it comes");
    f.required("source");
    f.required("target");
  }
};

struct BatchConfig final : Settings {
  std::optional<int64_t> tokens, sentences;
  void fields(Fields& f) override {
    f.field("tokens", tokens, kPositive, "with padding");
    f.field("sentences", sentences, kPositive, "of any length");
  }
  const char* shorthand() const override { return "tokens"; }
  void validate(Problems& problems) const override {
    if (tokens && sentences)
      problems.add("sentences", "tokens is given too; leave one of them out");
  }
};

enum class Tie { kNone, kTarget, kAll };

struct ModelConfig final : Settings {
  Tie tie = Tie::kTarget;
  double dropout = 0.1;
  bool bias = true;
  std::optional<bool> norm;
  std::shared_ptr<LayerConfig> layer = make_kind<AttentionConfig>("attention");
  std::shared_ptr<ScoreConfig> extra;
  void fields(Fields& f) override {
    static const Words<Tie> words = {
        {"none", Tie::kNone}, {"target", Tie::kTarget}, {"all", Tie::kAll}};
    f.choice("tie", tie, words, "what shares weights");
    f.field("dropout", dropout, kDropout, "probability");
    f.field("bias", bias, "whether there is one");
    f.field("norm", norm, "undecided if left out");
    f.one_of("layer", layer, layers(), "the network");
    f.one_of("extra", extra, scores(), "one more score", true);
  }
};

struct RootConfig final : Settings {
  std::string run;
  int64_t seed = 1;
  std::string name = "a name";
  std::optional<std::string> note, vocabulary;
  double rate = 0.001;
  std::optional<double> clip;
  std::optional<double> max_time;
  double pause = 90;
  std::vector<std::string> sides = {"source"};
  std::vector<CorpusConfig> train;
  std::optional<CorpusConfig> valid;
  std::map<std::string, CorpusConfig> test;
  std::map<std::string, std::shared_ptr<ScoreConfig>> scorers;
  BatchConfig batch;
  ModelConfig model;

  void fields(Fields& f) override {
    f.path("run", run, PathRoot::kConfigFolder, "where it goes");
    f.field("seed", seed, kNotNegative, "of every draw");
    f.field("name", name, "any text");
    f.field("note", note, "more text");
    f.path("vocabulary", vocabulary, PathRoot::kConfigFolder, "a file");
    f.field("rate", rate, kAboveZero, "of learning");
    f.field("clip", clip, kZeroOrMore, "norm of the gradient");
    f.duration("max_time", max_time, "ends then");
    f.duration("pause", pause, "between two looks");
    f.list("sides", sides, "names");
    f.list("train", train, "what is learned from");
    f.section("valid", valid, "what is scored");
    f.map("test", test, "what is scored at the end");
    f.map_of("scorers", scorers, scores(), "by name");
    f.section("batch", batch, "how much at once");
    f.section("model", model, "the network");
    f.required("run");
  }
  void validate(Problems& problems) const override {
    if (model.tie == Tie::kAll && sides.size() < 2)
      problems.add("model.tie", "'all' needs two sides");
    if (clip && !problems.is_set("rate")) problems.add("clip", "needs a rate that is written");
  }
};

// Messages of the problems, one text each.
inline std::vector<std::string> problems_of(const std::string& text, Settings& settings,
                                            const std::vector<std::string>& overrides = {}) {
  ReadOptions options;
  for (const std::string& given : overrides) options.overrides.push_back(parse_override(given));
  std::vector<std::string> messages;
  for (const Problem& problem : find_problems(text, "c.yaml", settings, options))
    messages.push_back(problem.text());
  return messages;
}

inline std::vector<std::string> problems_of(const std::string& text,
                                            const std::vector<std::string>& overrides = {}) {
  RootConfig config;
  return problems_of(text, config, overrides);
}

// Reads a config that has no problems; `run:` is added in front.
inline RootConfig read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  RootConfig config;
  EXPECT_EQ(problems_of("run: r\n" + text, config, overrides), std::vector<std::string>{}) << text;
  return config;
}

}  // namespace heed::example
