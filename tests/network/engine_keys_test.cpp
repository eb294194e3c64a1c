// Every key of a model changes the shape of its engine, or the model has no engine; only settings of
// training change neither. So no key is overlooked silently.
#include "network/engine_comparison.h"

#include "config/settings_tree.h"

namespace heed {
namespace {

struct Change {
  std::string path, value;
};

// Other values of each key, one at a time: {"decoder.width", "24"}.
class OtherValues final : public Fields {
 public:
  explicit OtherValues(std::string at) : at_(std::move(at)) {}
  std::vector<Change> take() { return std::move(changes_); }

 private:
  std::string path(const std::string& name) const {
    return at_.empty() || name.empty() ? at_ + name : at_ + "." + name;
  }
  void add(const char* name, const std::string& value) { changes_.push_back({path(name), value}); }
  void add_all(OtherValues inside) {
    for (Change& change : inside.take()) changes_.push_back(std::move(change));
  }
  void add_inside(const char* name, Settings& settings) {
    OtherValues inside(path(name));
    settings.fields(inside);
    add_all(std::move(inside));
  }

  void on_scalar(const char* name, const ScalarField& field, const char*) override {
    using Type = ScalarField::Type;
    const std::string value = field.get().value_or("");
    if (field.type == Type::kBool)
      for (const char* other : {"true", "false"}) add(name, other);
    if (field.type == Type::kInt)
      for (const int64_t other : {1, 2, 24, 36}) add(name, std::to_string(other));
    if (field.type == Type::kReal) add(name, "0.375");
    for (const std::string& word : field.words) add(name, word);
  }
  void on_section(const char* name, Settings& value, const char*) override {
    add_inside(name, value);
  }
  void on_optional_section(const char* name, const OptionalSectionField& field,
                           const char*) override {
    if (field.present() == nullptr) return add(name, "{}");
    add_inside(name, *field.present());
  }
  void on_kind(const char* name, const KindField& field, const char*) override {
    for (const auto& [kind, unused] : field.kinds) {
      if (kind != field.current()) add(name, kind);
    }
    if (!field.current().empty()) add_inside(name, field.get());
  }
  void on_list(const char* name, const ListField& field, const char*) override {
    OtherValues item("");
    if (field.visit_fresh) field.visit_fresh(item);
    for (const Change& change : item.take()) add(name, "[" + change.value + "]");
  }
  void on_map(const char* name, const MapField&, const char*) override {
    add(name, "{1: {heads: 1}}");                            // attention of a layer
    add(name, "{pos: {width: 4}}");                          // factors
    add(name, "{source: {type: rnn}, other: {type: rnn}}");  // encoders
  }
  void on_tree(const char*, Node&, const char*) override {}

  std::string at_;
  std::vector<Change> changes_;
};

// Settings of training, of models with tags, of cells with layer normalization, which no engine takes,
// and of sources with one vocabulary, which these lack; `bridge_from` can only name the one source.
bool is_of_training(const std::string& path) {
  const std::string key = path.substr(path.rfind('.') + 1);
  return key.find("dropout") != std::string::npos || path.starts_with("initializer") ||
         path == "embedding.tag" || key == "bridge_from" || key == "disagreement" ||
         key == "scale_gradients" || path == "embedding.share_sources" ||
         path == "embedding.zero_begin" || key == "layer_norm_form";
}

class EngineKeys : public testing::TestWithParam<std::string> {};

TEST_P(EngineKeys, CountOrAreOfTraining) {
  const ModelConfig base = config_from(GetParam());
  const auto shape = engine_shape(saved(base));
  ASSERT_TRUE(shape);
  OtherValues values("");
  Visited(base)->fields(values);
  std::set<std::string> counted, without_engine, of_training;
  for (const auto& [path, value] : values.take()) {
    ModelConfig other;
    const std::vector<Problem> problems = find_problems(
        write_config(base), "model", other, {.overrides = {{path, value}}, .saved = true});
    if (!problems.empty() || equal(base, other)) continue;
    const auto own = engine_shape(saved(other));
    if (own == shape) {
      EXPECT_TRUE(is_of_training(path)) << path << " = " << value;
      of_training.insert(path);
    } else {
      EXPECT_FALSE(is_of_training(path)) << path << " = " << value;
      (own ? counted : without_engine).insert(path);
    }
  }
  EXPECT_GE(counted.size(), 20U) << testing::PrintToString(counted);
  EXPECT_GE(without_engine.size(), 12U) << testing::PrintToString(without_engine);
  EXPECT_GE(of_training.size(), 8U) << testing::PrintToString(of_training);
}

// Settings whose default stands for one of their values have that value.
std::string heads(const std::string& score) {
  return "{score: {type: " + score +
         ", project: true}, read: {type: weighted_sum, project: true}, heads: 2, key_value_heads: "
         "2}";
}
std::string transformer() {
  const std::string stack =
      "{type: transformer, layers: 2, width: 12, feed_forward: 12, self_attention: " +
      heads("scaled_dot");
  return "{embedding: {width: 12}, encoder: " + stack + "}, decoder: " + stack +
         ", attention: " + heads("scaled_dot") + ", alignment: {layer: 2}}}";
}
std::string recurrent() {
  const std::string stack = "{type: rnn, layers: 2, width: 12, dropout: 0.1";
  return "{embedding: {width: 12}, encoder: " + stack + "}, decoder: " + stack +
         ", base_transition_depth: 1, attention: " + heads("dot") + "}}";
}

std::string convolutional() {
  const std::string stack = "{type: convolution, layers: 2, width: 12, dropout: 0.1";
  return "{embedding: {width: 12}, encoder: " + stack + "}, decoder: " + stack +
         ", normed_output: true, attention: " + heads("dot") + "}}";
}

std::string documents() {
  const std::string level = "{type: rnn, layers: 2, width: 12, dropout: 0.1}",
                    pool = "{type: attention, hidden: 12}";
  return "{embedding: {width: 12}, encoder: {type: hierarchical, word_encoder: " + level +
         ", sentence_encoder: " + level + ", pool: " + pool + ", last: " + pool +
         "}, decoder: none, output: label}";
}
std::string several_sources() {
  const std::string encoder = "{type: rnn, layers: 1, width: 12, dropout: 0.1}";
  return "{embedding: {width: 12}, encoders: {source: " + encoder + ", other: " + encoder +
         "}, join: {type: co_attention, hidden: 12, compared: 12, attention: " +
         heads("scaled_dot") +
         "}, decoder: {type: rnn, layers: 2, width: 12, base_transition_depth: 1, attention: "
         "{type: "
         "multi_source, combine: parallel, attention: " +
         heads("dot") + "}}}";
}
std::string past() {
  return "{embedding: {width: 12}, encoder: {type: rnn, layers: 2, width: 12, dropout: 0.1}, "
         "decoder: "
         "{type: rnn, layers: 2, width: 12, "
         "base_transition_depth: 1, attention: none, past: {attention: " +
         heads("dot") + "}}}";
}

INSTANTIATE_TEST_SUITE_P(All, EngineKeys,
                         testing::Values(transformer(), recurrent(), convolutional(), documents(),
                                         several_sources(), past()));

}  // namespace
}  // namespace heed
