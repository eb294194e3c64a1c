// Tries hostile values for every numeric key that `heed config reference` lists, and for every
// numeric option of `heed translate`, within 8 GB and a minute. Values are refused as documented;
// nothing crashes, hangs or runs out of memory.
#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "cli/limits.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// Row of the reference: a key of the config itself ("train.validate"), or of a kind ("score:
// additive").
struct Key {
  std::string registry, kind;  // "" for a key of the config itself
  std::string path;            // "train.validate.every"; of a kind: "hidden", "vocabulary.max_size"
  std::string value;           // "a whole number, from 1 to 1000"
};

// Turns `data.train[].` into data.train[0]. and names of maps into any name.
std::string concrete(const std::string& path) {
  return std::regex_replace(std::regex_replace(path, std::regex(R"(\[\])"), "[0]"),
                            std::regex("NAME"), "x");
}

std::vector<Key> numeric_keys(const std::string& reference) {
  static const std::regex heading("#+ `(([a-z_]+): ([a-z_0-9]+) ?)?([^`]*)`"),
      row(R"(\| `([a-z_]+)` \| (a whole number[^|]*|a number[^|]*|a time[^|]*) \|.*)");
  std::vector<Key> keys;
  Key at;
  for (const std::string& line : lines_of(reference)) {
    std::smatch found;
    if (line.starts_with("## Kinds of")) continue;
    if (std::regex_match(line, found, heading)) {
      at = {.registry = found[2], .kind = found[3], .path = concrete(found[4]), .value = ""};
      if (!at.path.empty()) at.path += '.';
    } else if (std::regex_match(line, found, row)) {
      keys.push_back(at);
      keys.back().path += found[1];
      keys.back().value = found[2];
    }
  }
  return keys;
}

// Places of a config where a kind may be set; {} is replaced by the kind with its settings. The
// first place that accepts its defaults is used.
using Places = std::vector<Arguments>;
const std::map<std::string, Places>& places() {
  const std::string cross = "model.decoder.attention=";
  const auto transformer = [](const std::string& self_attention) {
    return "model.encoder={type: transformer, layers: 1, width: 8, feed_forward: 8, "
           "self_attention: " +
           self_attention + "}";
  };
  const auto attention = [&](const std::string& stages) {
    return Places{{cross + stages}, {transformer(stages)}};
  };
  const auto hierarchical = [](const std::string& settings) {
    return Arguments{"model.encoder={type: hierarchical, " + settings + "}",
                     "text.source={type: words, marker: a}"};
  };
  static const std::map<std::string, Places> places = {
      {"text", {{"text.source={}"}}},
      // The toy run has no edges, which the encoder graph needs by default.
      {"encoder",
       {{"model.encoder={}"}, {"model.encoder={}", "model.encoder.self_attention.terms=[]"}}},
      {"decoder",
       {{"model.decoder={}"}, {"model.encoder={type: convolution, width: 8}", "model.decoder={}"}}},
      {"join", {{"model.join={}"}}},
      {"output", {{"model.output={}"}}},
      {"attention",
       {{cross + "{}"},
        {transformer("{}")},
        {"model.decoder={type: transformer, layers: 1, width: 8, feed_forward: 8, "
         "self_attention: {}}"}}},
      {"score", attention("{score: {}, heads: 2}")},
      {"form", attention("{score: {type: multi_dim, form: {}}}")},
      {"features",
       {{cross + "{score: {type: location, features: {}}}"},
        {cross + "{type: linear, features: {}}"}}},
      {"gradient", attention("{score: scaled_dot, normalizer: {type: hard, gradient: {}}}")},
      {"kind",
       attention("{score: scaled_dot, heads: 2, head_combination: {type: routing, kind: {}}}")},
      {"positions",
       {{"model.encoder={type: transformer, layers: 1, width: 8, feed_forward: 8, positions: "
         "{}}"}}},
      {"pool", {{"model.join={type: self_attentive, pool: {}}"}, hierarchical("pool: {}")}},
      {"last", {hierarchical("last: {}")}},
      {"combine", {}},  // needs several sources; the toy run has one
      {"terms",
       {{cross + "{score: scaled_dot, terms: [{}]}"},
        {transformer("{score: scaled_dot, terms: [{}]}")},
        joined(hierarchical("states: words"), {cross + "{terms: [{}]}"})}},
      {"normalizer", attention("{score: scaled_dot, normalizer: {}}")},
      {"read", attention("{score: scaled_dot, read: {}}")},
      {"head_combination", attention("{score: scaled_dot, heads: 2, head_combination: {}}")},
      {"optimizer", {{"train.optimizer={}"}}},
      {"schedule", {{"train.schedule={}"}}},
  };
  return places;
}

// The key as YAML within its kind: `{type: words, vocabulary: {max_size: VALUE}}`.
std::string body_of(const Key& key, const std::string& value) {
  std::string inner = value, path = key.path;
  while (!path.empty()) {
    const size_t dot = path.rfind('.');
    const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
    path = dot == std::string::npos ? "" : path.substr(0, dot);
    inner = path.empty() ? name + ": " + inner : "{" + name + ": " + inner + "}";
  }
  return "{type: " + key.kind + ", " + inner + "}";
}

Arguments filled(Arguments place, const std::string& body) {
  for (std::string& word : place) {
    const size_t hole = word.find("{}");
    if (hole != std::string::npos) word.replace(hole, 2, body);
  }
  return place;
}

// Turns overrides into arguments of --set.
Arguments set(const Arguments& overrides) {
  Arguments words;
  for (const std::string& one : overrides) words.insert(words.end(), {"--set", one});
  return words;
}

std::vector<std::string> hostile_values(const Key& key) {
  if (key.value.starts_with("a time")) return {"1e300d", "0s", "1e-300s"};
  const bool whole = key.value.starts_with("a whole");
  std::vector<std::string> values =
      whole ? std::vector<std::string>{"1000000000", "4611686018427387904", "-1"}
            : std::vector<std::string>{"1e308", "1e-308", "-1"};
  std::smatch range;  // the largest allowed value
  if (std::regex_search(key.value, range, std::regex("(to|at most) ([0-9.e+]+)")))
    values.push_back(range[2]);
  return values;
}

class SlowHostileValues : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    keys_ = numeric_keys(run_heed({"config", "reference"}).out);
    ASSERT_GT(keys_.size(), 120u);
  }

  Outcome heed(const Arguments& arguments, const std::string& input = "") const {
    const Limit memory(RLIMIT_AS, rlim_t{8} << 30), seconds(RLIMIT_CPU, 60);
    return run_heed(arguments, {.input = input, .folder = workshop_.path()});
  }

  // Overrides that set the kind where it works; none if it needs more than this config has.
  std::optional<Arguments> place_of(const Key& key) {
    const std::string name = key.registry + ": " + key.kind;
    if (const auto known = found_.find(name); known != found_.end()) return known->second;
    std::optional<Arguments>& result = found_[name];
    EXPECT_TRUE(places().contains(key.registry)) << key.registry << " stands nowhere here";
    if (!places().contains(key.registry)) return result;
    for (const Arguments& place : places().at(key.registry)) {
      const Arguments arguments = set(filled(place, "{type: " + key.kind + "}"));
      if (!result && heed(joined({"config", "check", "toy.yaml"}, arguments)).exit_code == 0)
        result = place;
    }
    if (!result) without_place_.insert(name);
    return result;
  }

  void try_key(const Key& key) {
    const std::optional<Arguments> place = key.registry.empty() ? Arguments{} : place_of(key);
    if (!place) return;
    for (const std::string& value : hostile_values(key)) {
      const Arguments overrides = key.registry.empty() ? Arguments{key.path + "=" + value}
                                                       : filled(*place, body_of(key, value));
      const Outcome outcome = heed(joined({"train", "toy.yaml", "--dry-run"}, set(overrides)));
      SCOPED_TRACE(overrides.back());
      expect_documented(outcome);
    }
    ++tried_;
  }

  static void expect_documented(const Outcome& outcome) {
    EXPECT_THAT(outcome.exit_code, AnyOf(0, 2, 3)) << outcome.err;
    for (const char* words : {"bug in heed", "out of memory", "unexpected error"})
      EXPECT_THAT(outcome.err, Not(HasSubstr(words)));
  }

  ToyWorkshop workshop_;
  std::vector<Key> keys_;
  std::map<std::string, std::optional<Arguments>> found_;
  std::set<std::string> without_place_;
  int64_t tried_ = 0;
};

TEST_F(SlowHostileValues, OfEveryKeyAreRefusedOrWork) {
  for (const Key& key : keys_) try_key(key);
  // These need several sources.
  EXPECT_THAT(without_place_,
              testing::IsSubsetOf({"join: co_attention", "join: alternating_co_attention",
                                   "join: parallel_co_attention", "join: attention_flow"}));
  EXPECT_GT(tried_, 110);
}

TEST_F(SlowHostileValues, OfSomeKeysSample) {
  constexpr size_t kStep = 41;
  for (size_t i = 3; i < keys_.size(); i += kStep) try_key(keys_[i]);
  EXPECT_GT(tried_, 3);
}

TEST_F(SlowHostileValues, OfEverySearchOptionAreRefusedOrWork) {
  const std::string run = (ToyWorkshop::trained() / "runs/toy").string();
  const std::string help = heed({"translate", "--help"}).out;
  static const std::regex option("(--[a-z-]+) (N|NUMBER)\\b");
  int64_t options = 0;
  for (auto it = std::sregex_iterator(help.begin(), help.end(), option);
       it != std::sregex_iterator(); ++it, ++options) {
    for (const char* value : {"-1", "0", "1000", "1000000000", "4611686018427387904",
                              "9223372036854775808", "1e308", "1e-308", "nan", "inf", ""}) {
      SCOPED_TRACE((*it)[1].str() + " " + value);
      expect_documented(heed({"translate", run, (*it)[1], value}, "a b c\n"));
    }
  }
  EXPECT_GE(options, 9);
}

}  // namespace
}  // namespace heed
