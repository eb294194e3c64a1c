// Simultaneous translation: with wait_k, a target token depends only on the source tokens that have
// been read; models that see others are refused.
#include <gmock/gmock.h>

#include <cmath>

#include "attention_variants.h"
#include "config/reader.h"
#include "model/seq2seq.h"
#include "nn/needs_spec.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr int64_t kWords = 14;
const Ids kSource = {4, 9, 5, 12, 7, 10, 6, 13};

const std::string kOneWay = "{type: rnn, width: 8, bidirectional: false}";
const std::string kHeads = "{score: scaled_dot, heads: 2}";
const std::string kTransformer = "{type: transformer, layers: 2, width: 8, feed_forward: 12, ";
const std::string kCausal =
    kTransformer + "self_attention: {score: scaled_dot, heads: 2, terms: [causal]}}";

std::string waiting(int64_t k, double catch_up = 0) {
  return fmt::format(
      "{{score: scaled_dot, heads: 2, terms: [{{type: wait_k, k: {}, catch_up: {}}}]}}", k,
      catch_up);
}
std::string recurrent(const std::string& attention, const std::string& more = "") {
  return fmt::format("{{type: rnn, width: 8, bridge: none, {}attention: {}}}", more, attention);
}
std::string transformer(const std::string& attention) {
  return kTransformer + "self_attention: " + kHeads + ", attention: " + attention + "}";
}
std::string model_of(const std::string& encoder, const std::string& decoder,
                     const std::string& more = "") {
  return fmt::format("{{embedding: {{width: 8, tie: none}}, encoder: {}, decoder: {}{}}}", encoder,
                     decoder, more);
}

// The number of source tokens that may be read before target token t, from 1 (Ma et al. 2019).
size_t may_read(size_t t, size_t k, double catch_up) {
  return k + t - 1 - static_cast<size_t>(std::floor(catch_up * static_cast<double>(t)));
}

class Model {
 public:
  explicit Model(const std::string& text) {
    ModelConfig config;
    read_config_text(text, "test", config);
    network_ = std::make_shared<Seq2Seq>(
        config, VocabularySizes{.sources = {{"source", kWords}}, .target = kWords}, 7);
    network_->to(torch::kDouble);
    const torch::NoGradGuard no_grad;
    for (const Tensor& parameter : network_->parameters()) parameter.mul_(2);
  }
  // [T,V] of a target of ten tokens.
  Tensor probabilities(const Ids& source) const {
    const torch::NoGradGuard no_grad;
    SourceBatch batch = source_batch({source}, torch::kCPU);
    put_copyable(batch, std::vector<Copyable>{{.ids = source, .behind = {}}});
    State state = network_->start(SourceBatches({{"source", batch}}), Pass());
    const Tensor inputs =
        torch::tensor({{int64_t{kBegin}, int64_t{5}, int64_t{8}, int64_t{4}, int64_t{11},
                        int64_t{6}, int64_t{6}, int64_t{13}, int64_t{9}, int64_t{7}}});
    return network_->log_probs(network_->advance(inputs, state), state)[0].exp();
  }

 private:
  std::shared_ptr<Seq2Seq> network_;
};

// The first words of kSource, then others.
Ids beginning(size_t words, size_t others) {
  Ids source(kSource.begin(), kSource.begin() + static_cast<int64_t>(words));
  for (size_t i = 0; i < others; ++i) source.push_back(static_cast<int32_t>(11 - (3 * i) % 7));
  return source;
}

// True if the first t target tokens have the same probabilities for both sources.
bool agree(const Tensor& one, const Tensor& other, size_t t) {
  const auto count = static_cast<int64_t>(t);
  return one.narrow(0, 0, count).allclose(other.narrow(0, 0, count), 1e-10, 1e-14);
}

// True if the probabilities of the first t target tokens are the same whatever stands behind the
// first g(t) source tokens: other words, more words or fewer.
bool keeps_to_what_is_read(const Model& model, size_t k, double catch_up) {
  const Tensor whole = model.probabilities(kSource);
  EXPECT_FALSE(whole.isnan().any().item<bool>());
  for (size_t t = 1; may_read(t, k, catch_up) < kSource.size() && t < 10; ++t) {
    const size_t read = may_read(t, k, catch_up);
    for (const size_t others : {size_t{0}, kSource.size() - read, kSource.size() - read + 3}) {
      if (!agree(whole, model.probabilities(beginning(read, others)), t)) return false;
    }
  }
  return true;
}

// True if target token t depends on the last source token that it may read.
bool uses_what_is_read(const Model& model, size_t k, double catch_up) {
  const Tensor whole = model.probabilities(kSource);
  for (size_t t = 1; may_read(t, k, catch_up) <= kSource.size() && t < 10; ++t) {
    Ids changed = kSource;
    int32_t& last = changed[may_read(t, k, catch_up) - 1];
    last = last == 8 ? 9 : 8;
    if (agree(whole, model.probabilities(changed), t)) return false;
  }
  return true;
}

struct Waiting {
  std::string name, text;
  size_t k = 2;
  double catch_up = 0;
};
std::ostream& operator<<(std::ostream& out, const Waiting& c) { return out << c.name; }

std::vector<Waiting> waiting_models() {
  const std::string two = waiting(2);
  return {
      {"rnn_before", model_of(kOneWay, recurrent(two))},
      {"rnn_after", model_of(kOneWay, recurrent(two, "attend: after, "))},
      {"rnn_conditional", model_of(kOneWay, recurrent(two, "attend: conditional, "))},
      {"rnn_input_feeding", model_of(kOneWay, recurrent(two, "input_feeding: true, "))},
      {"rnn_of_a_transformer", model_of(kCausal, recurrent(two))},
      {"transformer", model_of(kCausal, transformer(two))},
      {"transformer_of_an_rnn", model_of(kOneWay, transformer(two))},
      {"transformer_by_layer",
       model_of(kCausal, kTransformer + "self_attention: " + kHeads + ", attention: " + two +
                             ", attention_by_layer: {2: none}}")},
      {"convolution", model_of(kCausal,
                               "{type: convolution, layers: 2, width: 8, kernel: 3, "
                               "attention: " +
                                   two + "}")},
      {"embeddings", model_of("{type: embeddings, positions: sinusoidal}", recurrent(two))},
      {"intra_attention",
       model_of("{type: embeddings, intra_attention: {attention: {score: dot, terms: [causal]}}}",
                recurrent(two))},
      {"directional_encoder",
       model_of(
           kTransformer + "self_attention: {score: scaled_dot, heads: 2, terms: [directional]}}",
           transformer(two))},
      {"hops", model_of(kOneWay, recurrent("{type: hops, hops: 2, attention: " + two + "}"))},
      {"pointer_generator", model_of(kOneWay, recurrent(two), ", output: pointer_generator")},
      {"without_source_end", model_of(kCausal, transformer(two), ", source_end: false")},
      {"one", model_of(kCausal, transformer(waiting(1))), 1},
      {"five", model_of(kOneWay, recurrent(waiting(5))), 5},
      {"catch_up", model_of(kCausal, transformer(waiting(2, 0.25))), 2, 0.25},
      {"much_catch_up", model_of(kOneWay, recurrent(waiting(1, 0.5))), 1, 0.5},
      {"convolution_catch_up",
       model_of(kOneWay, "{type: convolution, layers: 2, width: 8, kernel: 3, attention: " +
                             waiting(2, 0.5) + "}"),
       2, 0.5},
  };
}

class WaitK : public testing::TestWithParam<Waiting> {};
INSTANTIATE_TEST_SUITE_P(All, WaitK, testing::ValuesIn(waiting_models()),
                         [](const auto& c) { return c.param.name; });

TEST_P(WaitK, DependsOnWhatHasBeenReadAlone) {
  const auto& [name, text, k, catch_up] = GetParam();
  const Model model(text);
  EXPECT_TRUE(keeps_to_what_is_read(model, k, catch_up));
  EXPECT_TRUE(uses_what_is_read(model, k, catch_up));
}

// The law fails for a model that reads the whole source, or a token more.
TEST(WaitKLaw, FailsForOthers) {
  EXPECT_FALSE(keeps_to_what_is_read(Model(model_of(kCausal, transformer(kHeads))), 2, 0));
  EXPECT_FALSE(keeps_to_what_is_read(Model(model_of(kOneWay, recurrent(kHeads))), 2, 0));
  EXPECT_FALSE(keeps_to_what_is_read(Model(model_of(kCausal, transformer(waiting(3)))), 2, 0));
  EXPECT_FALSE(keeps_to_what_is_read(Model(model_of(kCausal, transformer(waiting(2)))), 2, 0.25));
}

// Every other stage of an attention with wait_k that is not refused, over the source and, with
// causal, in the encoder.
TEST(WaitKLaw, HoldsBesideEveryStage) {
  int64_t over_source = 0, in_encoder = 0;
  const auto expect_law = [&](const std::string& name, const std::string& stages,
                              const std::string& terms) {
    const std::string heads = name.starts_with("multi_dim") ? "" : ", heads: 2";
    const auto with = [&](const std::string& term) {
      return "{" + stages + heads + ", terms: [" + term + terms + "]}";
    };
    const std::string waits = with("{type: wait_k, k: 2}"), causal = with("causal");
    for (const auto& [text, count] :
         {std::pair{model_of(kOneWay, recurrent(waits)), &over_source},
          {model_of(kTransformer + "self_attention: " + causal + "}", transformer(waiting(2))),
           &in_encoder}}) {
      ModelConfig config;
      if (!find_problems(text, name, config).empty() || needs_of(config).edges) continue;
      EXPECT_TRUE(keeps_to_what_is_read(Model(text), 2, 0)) << text;
      ++*count;
    }
  };
  for (const auto& [name, text] : variants(scorers())) expect_law(name, "score: " + text, "");
  for (const auto& [name, text] : variants(normalizers()))
    expect_law(name, "score: scaled_dot, normalizer: " + text, "");
  for (const auto& [name, text] : variants(readouts()))
    expect_law(name, "score: scaled_dot, read: " + text, "");
  for (const auto& [name, text] : variants(terms()))
    expect_law(name, "score: scaled_dot", ", " + text);
  EXPECT_GT(over_source, 30);
  EXPECT_GT(in_encoder, 30);
}

// The problems of a model, in one text.
std::string problems_of(const std::string& text) {
  ModelConfig config;
  std::string all;
  for (const Problem& problem : find_problems(text, "test", config)) all += problem.text() + "\n";
  return all;
}

TEST(WaitKCheck, RefusesWhatSeesMore) {
  const std::string two = waiting(2), own = "self_attention: " + kHeads;
  for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
           {model_of("{type: rnn, width: 8}", recurrent(two)),
            "encoder.bidirectional: the backward"},
           {model_of("{type: rnn, width: 8, bidirectional: false, reverse: true}", recurrent(two)),
            "encoder.reverse: reads the source from its end"},
           {model_of(kTransformer + own + "}", transformer(two)),
            "encoder.self_attention: sees later tokens"},
           {model_of(kTransformer +
                         "self_attention: {score: scaled_dot, heads: 2, terms: [causal]}, "
                         "self_attention_by_layer: {2: " +
                         kHeads + "}}",
                     transformer(two)),
            "encoder.self_attention_by_layer.2: sees later tokens"},
           {model_of(
                kTransformer +
                    "self_attention: {score: scaled_dot, heads: 2, terms: [causal, gaussian]}}",
                transformer(two)),
            "encoder.self_attention: sees later tokens"},
           {model_of(kTransformer + "self_attention: linear}", transformer(two)),
            "encoder.self_attention: sees later tokens"},
           {model_of("{type: convolution, layers: 1, width: 8}", transformer(two)),
            "encoder: convolution sees later tokens"},
           {model_of("{type: disan, width: 8}", recurrent(two)),
            "encoder: disan sees later tokens"},
           {model_of("{type: hierarchical, word_encoder: {type: rnn, width: 8}, sentence_encoder: "
                     "{type: rnn, width: 8}}",
                     recurrent(two)),
            "encoder: hierarchical sees later tokens"},
           {model_of("{type: embeddings, positions: sinusoidal, from_end: true}", recurrent(two)),
            "encoder.from_end: counts from the end"},
           {model_of("{type: embeddings, intra_attention: {}}", recurrent(two)),
            "encoder.intra_attention.attention: sees later tokens"},
           {model_of(kOneWay, "{type: rnn, width: 8, attention: " + two + "}"),
            "decoder.bridge: the last state of the encoder"},
           {model_of(kOneWay, "{type: answer, attention: {type: hops, attention: " + two + "}}"),
            "decoder: answer reads the last state"},
           {model_of(kCausal, kTransformer + own + ", attention: " + two +
                                  ", attention_by_layer: {1: " + kHeads + "}}"),
            "decoder.attention_by_layer.1: reads source tokens"},
           {model_of(kCausal, kTransformer + own +
                                  ", attention: linear, attention_by_layer: {1: " + two + "}}"),
            "decoder.attention: reads source tokens"},
           {model_of(kOneWay,
                     recurrent("{score: scaled_dot, heads: 2, terms: [{type: wait_k}, gaussian]}")),
            "decoder.attention: reads source tokens"},
           {model_of(kCausal, kTransformer + own + ", attention: " + two +
                                  ", attention_by_layer: {1: " + waiting(3) + "}}"),
            "decoder: its terms wait_k have different k"},
           {model_of(kOneWay, recurrent(two), ", join: self_attentive"),
            "join: self_attentive reads the whole source"},
           {model_of(kOneWay, recurrent(two), ", output: copynet"),
            "output: copynet compares its state"},
           {model_of(kOneWay, recurrent(two), ", output: pointer"),
            "output: pointer compares its state"},
           {model_of(
                kTransformer + "self_attention: {score: scaled_dot, heads: 2, terms: [wait_k]}}",
                transformer(kHeads)),
            "in the self_attention of an encoder use causal"},
           {model_of(kCausal, transformer("{score: scaled_dot, heads: 2, terms: [causal]}")),
            "over the source use wait_k"},
           {model_of(kCausal, kTransformer +
                                  "self_attention: {score: scaled_dot, heads: 2, terms: "
                                  "[causal]}, attention: " +
                                  kHeads + "}"),
            "leave it out"},
           {model_of("{type: disan, width: 8, self_attention: {score: multi_dim, terms: [causal]}}",
                     recurrent(kHeads)),
            "each block has a direction already: leave causal out"}}) {
    EXPECT_THAT(problems_of(text), HasSubstr(reason)) << text;
  }
}

TEST(WaitKCheck, IsOfModelsWithItAlone) {
  EXPECT_EQ(problems_of(model_of("{type: rnn, width: 8}", "{type: rnn, width: 8}")), "");
  EXPECT_EQ(problems_of(model_of(kCausal, transformer(kHeads))), "");
}

TEST(WaitKCheck, IsOfEverySource) {
  const auto several = [](const std::string& second, const std::string& attention) {
    return fmt::format(
        "{{embedding: {{width: 8, tie: none}}, encoders: {{a: {}, b: {}}}, decoder: {}}}", kOneWay,
        second, recurrent(attention));
  };
  const std::string both = fmt::format("{{type: multi_source, attention: {}}}", waiting(2));
  EXPECT_EQ(problems_of(several(kOneWay, both)), "");
  EXPECT_EQ(problems_of(several("{type: shared, with: a}", both)), "");
  EXPECT_THAT(problems_of(several("{type: rnn, width: 8}", both)),
              HasSubstr("encoders.b.bidirectional: the backward"));
}

TEST(ReadingPolicy, IsThatOfTheDecoder) {
  ModelConfig config;
  read_config_text(model_of(kCausal, transformer(waiting(3, 0.25))), "test", config);
  const auto policy = reading_policy(config);
  ASSERT_TRUE(policy.has_value());
  for (size_t t = 1; t < 40; ++t)
    EXPECT_EQ(policy->tokens_read(static_cast<int64_t>(t)),
              static_cast<int64_t>(may_read(t, 3, 0.25)));
  EXPECT_FALSE(reading_policy(ModelConfig()).has_value());
}

}  // namespace
}  // namespace heed
