// Laws that every encoder, decoder and output obeys, with every attention: one call with T tokens
// equals T calls with one; neighbours, padding and order change nothing except rounding; every
// parameter gets a gradient; replicas share parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "attention_variants.h"
#include "config/reader.h"
#include "directional_gradient.h"
#include "gpu.h"
#include "holds.h"
#include "kinds_of.h"
#include "model/seq2seq.h"
#include "nn/product.h"
#include "nn/torch.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include "model/size_bound.h"
#include "odd_ids.h"
#include "one_thread.h"

namespace heed {
namespace {

constexpr int64_t kVocabulary = 13;

// A model, and the device that it runs on.
struct Variant {
  std::string name, text;
  torch::Device device = torch::kCPU;
};

// One model for each kind of the config.
std::vector<std::pair<std::string, std::string>> make_variants() {
  const std::string rnn = "{type: rnn, width: 8", narrow = "{type: rnn, width: 6",
                    transformer = "{type: transformer, layers: 2, width: 8, feed_forward: 12, ";
  // Scaled gradients differ from finite differences.
  const std::string convolution = "{type: convolution, layers: 2, width: 8, kernel: 3",
                    convolved = convolution + ", scale_gradients: false";
  const std::string self = "self_attention: {score: scaled_dot, heads: 2}";
  const std::string hierarchical =
      "{type: hierarchical, pool: {type: attention, hidden: 5}, word_encoder: " + rnn +
      "}, sentence_encoder: {type: rnn, width: 6}";
  const auto model = [](const std::string& encoder, const std::string& decoder) {
    return "{embedding: {width: 6, tie: none}, encoder: " + encoder + "}, decoder: " + decoder +
           "}}";
  };
  const auto several = [](const std::string& first, const std::string& second,
                          const std::string& decoder) {
    return "{embedding: {width: 6, tie: none}, encoders: {first: " + first +
           "}, second: " + second + "}}, decoder: " + decoder + "}}";
  };
  std::vector<std::pair<std::string, std::string>> list;
  // Each attention over the source in each decoder, and as self-attention of encoder and decoder,
  // unless the reader refuses it.
  for (const auto& [name, attention] : attention_variants()) {
    const std::string own = "self_attention: " + attention, over = "attention: " + attention;
    if (attention_of(attention)->reads_several()) {
      list.emplace_back("rnn_before_" + name, several(rnn, rnn, rnn + ", " + over));
      list.emplace_back("rnn_after_" + name,
                        several(rnn, rnn + ", cell: gru", rnn + ", attend: after, " + over));
      list.emplace_back("transformer_over_sources_" + name,
                        several(rnn, transformer + self, transformer + self + ", " + over));
      list.emplace_back("convolution_over_sources_" + name,
                        several(convolved, narrow, convolution + ", " + over));
      list.emplace_back("answer_over_sources_" + name,
                        several(narrow, narrow, "{type: answer, " + over));
      continue;
    }
    if (!attention_of(attention)->needs_source()) {
      list.emplace_back("rnn_alone_" + name, model("{type: none", rnn + ", " + over));
      list.emplace_back("transformer_alone_" + name,
                        model("{type: none", transformer + self + ", " + over));
      list.emplace_back("rnn_beside_source_" + name, model(rnn, rnn + ", " + over));
      continue;
    }
    if (name.starts_with("term_chunks")) {
      const std::string words = hierarchical + ", states: words";
      list.emplace_back("rnn_before_" + name, model(words, rnn + ", attend: before, " + over));
      list.emplace_back("transformer_over_source_" + name,
                        model(words, transformer + self + ", " + over));
      continue;
    }
    if (name.starts_with("term_wait_k")) {
      const std::string one_way = rnn + ", bidirectional: false", zeros = rnn + ", bridge: none, ";
      const std::string causal =
          transformer + "self_attention: {score: scaled_dot, heads: 2, terms: [causal]}";
      list.emplace_back("rnn_before_" + name, model(one_way, zeros + "attend: before, " + over));
      list.emplace_back("rnn_after_" + name,
                        model(one_way, zeros + "attend: after, input_feeding: false, " + over));
      list.emplace_back("transformer_over_source_" + name,
                        model(causal, transformer + self + ", " + over));
      list.emplace_back("convolution_over_source_" + name,
                        model(causal, convolution + ", " + over));
      continue;
    }
    const std::string remembering = "{type: rnn, width: 16, input_feeding: false, ";
    for (const auto& [where, text] :
         {std::pair{"rnn_past_",
                    model("{type: none",
                          remembering + "attention: none, past: {parts: key_value, " + over + "}")},
          std::pair{"rnn_intra_", model(rnn + ", intra_attention: {" + over + "}",
                                        remembering + "intra_attention: {" + over + "}")},
          std::pair{"rnn_deep_fusion_",
                    model(rnn + ", memory_tape: true", rnn + ", attend: deep_fusion, " + over)},
          std::pair{"rnn_before_", model(rnn, rnn + ", attend: before, " + over)},
          std::pair{"rnn_after_",
                    model(rnn, rnn + ", attend: after, input_feeding: false, " + over)},
          std::pair{"transformer_over_source_", model(rnn, transformer + self + ", " + over)},
          std::pair{"transformer_over_itself_", model(transformer + own, transformer + own)},
          std::pair{"convolution_over_source_", model(convolved, convolution + ", " + over)},
          std::pair{"answer_", model(narrow, "{type: answer, " + over)},
          std::pair{"transformer_decoder_", model(rnn, transformer + own)},
          std::pair{"transformer_encoder_", model(transformer + own, rnn)}}) {
      ModelConfig config;
      if (find_problems(text, name, config).empty()) list.emplace_back(where + name, text);
    }
  }
  for (const char* cell : {"rnn", "lstm", "gru"}) {
    const std::string kind = std::string("cell: ") + cell;
    list.emplace_back(
        std::string("layers_") + cell,
        model(rnn + ", layers: 2, residual: true, layer_norm: true, " + kind,
              rnn + ", layers: 2, residual: true, layer_norm: true, attend: after, bridge: last, " +
                  kind));
    list.emplace_back(
        std::string("one_way_") + cell,
        model(rnn + ", bidirectional: false, reverse: true, " + kind,
              rnn + ", deep_output: false, bridge: tanh, attention: none, input_feeding: false, " +
                  kind));
  }
  for (const char* more : {"cell: gru", "cell: lstm, layers: 2, layer_norm: true",
                           "cell: rnn, layers: 2, residual: true"}) {
    std::string name = more;
    name = name.substr(6, name.find(',') - 6);
    list.emplace_back("conditional_" + name, model(rnn, rnn + ", attend: conditional, " + more));
    list.emplace_back("deep_transition_" + name,
                      model(rnn + ", transition_depth: 2, " + more,
                            rnn + ", attend: after, transition_depth: 3, " + more));
  }
  const std::string adaptive = ", adaptive: {most: 4, epsilon: 0.3}",
                    intra = ", intra_attention: {attention: {score: {type: additive, hidden: 6}}}";
  for (const char* cell : {"rnn", "lstm", "gru"}) {
    const std::string both = rnn + ", layers: 2, cell: " + cell;
    list.emplace_back(fmt::format("adaptive_{}", cell),
                      model(both + adaptive, both + ", attend: after" + adaptive));
    list.emplace_back(fmt::format("adaptive_alone_{}", cell),
                      model("{type: none", both + ", attention: none" + adaptive));
    list.emplace_back(fmt::format("intra_attention_{}", cell),
                      model(both + ", bidirectional: false, reverse: true" + intra, both + intra));
    list.emplace_back(fmt::format("intra_attention_alone_{}", cell),
                      model("{type: none", both + ", attention: none" + intra));
    list.emplace_back(fmt::format("adaptive_intra_attention_{}", cell),
                      model(both + adaptive + intra, both + adaptive + intra));
  }
  const std::string tape = ", memory_tape: true";
  list.emplace_back("lstmn_deep_fusion",
                    model(rnn + tape + intra, rnn + ", attend: deep_fusion" + intra));
  list.emplace_back(
      "lstmn_with_a_past",
      model(rnn + intra, "{type: rnn, width: 12, attend: conditional, past: {}" + intra));
  list.emplace_back("deep_fusion_pointer_generator",
                    model(rnn + tape + "}, output: {type: pointer_generator",
                          rnn + ", layers: 2, deep_context: true, attend: deep_fusion, "
                                "input_feeding: true"));
  list.emplace_back("deep_fusion_hierarchical",
                    model("{type: hierarchical, pool: mean, states: words, word_encoder: " + rnn +
                              tape + "}, sentence_encoder: " + rnn + adaptive + "}",
                          rnn + ", attend: deep_fusion"));
  list.emplace_back("several_deep_fusion",
                    several(rnn + ", cell: gru", rnn + tape,
                            rnn + ", attend: deep_fusion, attention: {type: one_source, source: "
                                  "second}"));
  const std::string dropout =
      ", layers: 2, dropout: 0.3, dropout_mask: sequence, variational_dropout: 0.3, cell: gru";
  for (const char* attend : {"before", "after", "conditional"}) {
    list.emplace_back(fmt::format("variational_dropout_{}", attend),
                      model(rnn + dropout, rnn + dropout + ", attend: " + attend));
    list.emplace_back(fmt::format("deep_context_{}", attend),
                      model(rnn, rnn + ", layers: 3, deep_context: true, attend: " + attend));
  }
  list.emplace_back("transformer_rnn", model(transformer + self, rnn));
  list.emplace_back("convolution_rnn", model(convolution, rnn));
  list.emplace_back("convolution_transformer",
                    model(convolution + ", positions: sinusoidal", transformer + self));
  list.emplace_back("rnn_convolution",
                    model(rnn, convolution + ", positions: none, attention: {score: general}"));
  list.emplace_back("transformer_convolution",
                    model(transformer + self, convolution + ", attention: {score: general}"));
  list.emplace_back(
      "transformer_post_gelu_learned",
      model(transformer + "norm: post, activation: gelu, positions: learned, " + self,
            transformer + "norm: post, activation: gelu, positions: learned, " + self));
  for (const char* place : {"pre", "post"}) {
    const std::string rms = fmt::format("norm: {}, norm_type: rms, {}", place, self);
    list.emplace_back(fmt::format("transformer_rms_{}", place),
                      model(transformer + rms, transformer + rms));
  }
  for (const char* norm : {"deep", "admin"}) {
    const std::string own = fmt::format("norm: {}, {}", norm, self);
    list.emplace_back(fmt::format("transformer_{}", norm),
                      model(transformer + own, transformer + own));
    list.emplace_back(fmt::format("rnn_transformer_{}", norm), model(rnn, transformer + own));
    list.emplace_back(fmt::format("transformer_{}_rnn", norm), model(transformer + own, rnn));
    list.emplace_back(fmt::format("alone_transformer_{}", norm),
                      model("{type: none", transformer + own + ", attention: none"));
  }
  list.emplace_back("transformer_no_final_norm", model(transformer + "final_norm: false, " + self,
                                                       transformer + "final_norm: false, " + self));
  const std::string normed = transformer + "embedding_norm: true, " + self;
  list.emplace_back("transformer_embedding_norm", model(normed, normed));
  for (const char* fusion : {"gate", "projected", "normalized"}) {
    const std::string disan = "{type: disan, layers: 2, width: 8, fusion: " + std::string(fusion);
    list.emplace_back(std::string("disan_rnn_") + fusion, model(disan, rnn));
    list.emplace_back(
        std::string("disan_distance_transformer_") + fusion,
        model(disan + ", self_attention: {score: scaled_dot, heads: 2, terms: [distance]}",
              transformer + self));
  }
  for (const char* from : {"context", "question_and_context"}) {
    for (const char* recurrence : {"none", "gru"})
      list.emplace_back(
          fmt::format("answer_{}_{}", from, recurrence),
          several(
              "{type: embeddings", narrow,
              fmt::format("{{type: answer, question: second, attention: {{type: one_source, "
                          "source: first, attention: {{type: episodic, passes: 2}}}}, from: {}, "
                          "recurrence: {}",
                          from, recurrence)));
  }
  list.emplace_back("directions_sum", model(rnn + ", directions: sum, layers: 2", rnn));
  // The embeddings have the width of a block.
  list.emplace_back("disan_without_input_layer",
                    model("{type: disan, width: 12, input_layer: false, fusion: normalized, "
                          "feed_forward: 10, self_attention: {score: scaled_dot, heads: 2, terms: "
                          "[distance]}",
                          rnn));
  list.emplace_back("disan_without_directions",
                    model("{type: disan, layers: 2, width: 8, directions: none", rnn));
  list.emplace_back("disan_without_directions_term_reinforced",
                    model("{type: disan, width: 8, directions: none, self_attention: {score: "
                          "multi_dim, terms: [{type: reinforced, warmup: 0}]}",
                          rnn));
  const std::string graph = "{type: graph, width: 8, self_attention: {heads: 2}";
  list.emplace_back("graph_rnn", model(graph, rnn));
  list.emplace_back("graph_average_transformer",
                    model(graph + ", average: true", transformer + self));
  list.emplace_back("embeddings_rnn", model("{type: embeddings, positions: learned", rnn));
  // Wide enough for gradients, as in the co-attention below.
  list.emplace_back("embeddings_intra_attention_rnn",
                    model("{type: embeddings, intra_attention: {hidden: 12}", rnn));
  list.emplace_back("hierarchical_rnn", model(hierarchical, rnn));
  list.emplace_back("hierarchical_document",
                    model(hierarchical + ", last: {type: attention, hidden: 5}", rnn));
  list.emplace_back("hierarchical_position",
                    model("{type: hierarchical, pool: position, word_encoder: " + narrow +
                              "}, sentence_encoder: " + narrow + "}",
                          rnn));
  for (const char* more :
       {"pool: sum", "pool: last", "pool: {type: position, blocks: 2}", "marker_is_word: false",
        "word_context: text, pool: last", "word_context: text, marker_is_word: false, pool: sum"}) {
    std::string name = more;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isalpha(c) == 0; }, '_');
    list.emplace_back("hierarchical_" + name, model("{type: hierarchical, " + std::string(more) +
                                                        ", word_encoder: " + narrow +
                                                        "}, sentence_encoder: " + narrow + "}",
                                                    rnn));
  }
  list.emplace_back("hierarchical_transformer",
                    model("{type: hierarchical, pool: mean, word_encoder: " + transformer + self +
                              "}, sentence_encoder: " + convolution + "}",
                          transformer + self));
  for (const auto& [name, pool] :
       {std::pair<std::string, std::string>{"rows", "{type: rows, rows: 3, hidden: 5}"},
        {"source2token", "{type: source2token, hidden: 5}"},
        {"source2token_with_max",
         "{type: source2token, hidden: 5, layer_norm: true, with_max: true}"},
        {"max", "max"}}) {
    const std::string join = "}, join: {type: self_attentive, pool: " + pool;
    list.emplace_back("pool_rnn_" + name, model(rnn + join, rnn));
    list.emplace_back("pool_rnn_from_the_encoder_" + name,
                      model(rnn + join + ", start: encoder", rnn));
    list.emplace_back("pool_transformer_" + name, model(convolution + join, transformer + self));
  }
  for (const char* alpha : {"1.5", "2"}) {
    const std::string entmax = fmt::format("}}, output: {{type: entmax, alpha: {}", alpha);
    list.emplace_back(std::string("entmax_rnn_") + (alpha[1] ? "15" : alpha),
                      model(rnn + entmax, rnn));
    list.emplace_back(std::string("entmax_transformer_") + (alpha[1] ? "15" : alpha),
                      model(transformer + self + entmax, transformer + self));
  }
  for (const auto& [name, more] : {std::pair<std::string, std::string>{"pointer_generator", ""},
                                   {"copynet", ""},
                                   {"pointer", ", hidden: 5"},
                                   {"pointer_sum", ""}}) {
    const std::string copying = "}, output: {type: " + name + more;
    list.emplace_back(name + "_rnn_before", model(rnn + copying, rnn + ", attend: before"));
    list.emplace_back(name + "_rnn_after",
                      model(rnn + copying, rnn + ", attend: after, input_feeding: false"));
    list.emplace_back(name + "_transformer",
                      model(transformer + self + copying, transformer + self));
    list.emplace_back(name + "_convolution",
                      model(convolved + copying, convolution + ", attention: {score: general}"));
  }
  for (const auto& [name, keys] :
       {std::pair<std::string, std::string>{"monotonic", "order: 0"},
        {"any", "order: 0, monotonic: false"},
        {"jumps", "order: 1, window: 2"},
        {"any_jumps", "order: 1, monotonic: false, window: 2, bias: false"}}) {
    const std::string aligning = "}, output: {type: hard_monotonic, " + keys,
                      alone = ", attention: none";
    list.emplace_back("hard_" + name + "_rnn", model(rnn + aligning, rnn + alone));
    list.emplace_back("hard_" + name + "_transformer",
                      model(transformer + self + aligning, transformer + self + alone));
    list.emplace_back("hard_" + name + "_convolution",
                      model(convolved + aligning, convolution + alone));
    list.emplace_back("several_hard_" + name, several(rnn, narrow, rnn + alone + aligning));
  }
  list.emplace_back("hard_of_a_pooled_source",
                    model(rnn + "}, join: {type: self_attentive, pool: {type: rows, rows: 3}}, "
                                "output: {type: hard_monotonic, order: 0, monotonic: false",
                          rnn + ", attention: none"));
  list.emplace_back("pointer_generator_of_chosen_heads",
                    model(transformer + self + "}, output: {type: pointer_generator",
                          transformer + self +
                              ", alignment: {layer: 1, heads: [2, 3]}, layer_dropout: 0.9, "
                              "attention: {score: scaled_dot, heads: 4}"));
  for (const auto& [name, attention] :
       {std::pair{"coverage", "{score: {type: location, hidden: 6, features: coverage}}"},
        std::pair{"sparsemax", "{score: general, normalizer: sparsemax}"},
        std::pair{"structured", "{score: general, normalizer: structured}"},
        std::pair{"linear", "{type: linear, heads: 2}"},
        std::pair{"hops", "{type: hops, hops: 2, attention: {score: general}}"}}) {
    list.emplace_back(
        std::string("pointer_generator_over_") + name,
        model(rnn + "}, output: {type: pointer_generator", rnn + ", attention: " + attention));
  }
  // The decoders of See et al. 2017 (the authors' code), Gu et al. 2016 and Vinyals et al. 2015, and
  // the same keys elsewhere.
  const std::string without_end = "}, source_end: false, output: {state: decoder, type: ";
  list.emplace_back(
      "see", model(rnn + without_end + "pointer_generator",
                   rnn + ", attend: after, context_feeding: true, read_state: hidden_and_cell, "
                         "bridge: relu, output_activation: linear, deep_output: false, attention: "
                         "{score: {type: location, features: coverage, hidden: 6}}"));
  list.emplace_back("see_all_at_once",
                    model(rnn + without_end + "pointer_generator",
                          rnn + ", layers: 2, residual: true, attend: after, read_state: "
                                "hidden_and_cell, dropout: 0.3"));
  list.emplace_back("gu", model(rnn + without_end + "copynet",
                                rnn + ", cell: gru, attend: before, output_activation: none"));
  list.emplace_back("vinyals",
                    model("{type: rnn, width: 8, bidirectional: false" + without_end + "pointer",
                          rnn + ", bridge: last, attention: none, output_activation: none"));
  list.emplace_back("context_feeding_before",
                    model(rnn, rnn + ", context_feeding: true, input_feeding: true, read_state: "
                                     "hidden_and_cell"));
  list.emplace_back(
      "context_feeding_conditional",
      model(rnn, rnn + ", layers: 2, context_feeding: true, attend: conditional, read_state: "
                       "hidden_and_cell, output_activation: none"));
  list.emplace_back("label_rnn", model(rnn + "}, output: {type: label", rnn));
  list.emplace_back("label_of_a_document",
                    model(hierarchical + ", last: {type: attention, hidden: 5}}, output: {type: "
                                         "label, bias: false",
                          "{type: none"));
  list.emplace_back("label_of_a_transformer",
                    model(transformer + self + "}, output: {type: label", "{type: none"));
  list.emplace_back("label_of_two_sources",
                    several(rnn, narrow, "{type: none}, output: {type: label"));
  list.emplace_back("tied_inputs", "{embedding: {width: 6, tie: inputs}, encoder: " + rnn +
                                       "}, decoder: " + rnn + "}}");
  list.emplace_back("pointer_generator_second_head",
                    model(transformer + self + "}, output: {type: pointer_generator, head: 2",
                          transformer + self + ", attention: {score: scaled_dot, heads: 2}"));
  const std::string both = ", attention: {type: multi_source}";
  for (const char* join : {"basic", "child_sum"})
    list.emplace_back(
        std::string("several_") + join,
        several(rnn + ", layers: 2", rnn + ", layers: 2}, third: " + rnn + ", layers: 2",
                rnn + ", layers: 2" + both + "}, join: {type: " + join));
  // Wide enough that no position has all rectifiers of a layer at zero, where the loss has a kink.
  for (const char* grain : {"fine", "coarse"}) {
    for (const char* order : {"parallel", "in_turn"})
      list.emplace_back(
          fmt::format("several_co_attention_{}_{}", grain, order),
          several(rnn, rnn + ", cell: gru",
                  rnn + both +
                      fmt::format("}}, join: {{type: co_attention, hidden: 12, grain: "
                                  "{}, order: {}",
                                  grain, order)));
  }
  const std::string attended = "{type: embeddings, intra_attention: {hidden: 12}";
  list.emplace_back("several_co_attention_summary",
                    several(attended, "{type: shared, with: first",
                            rnn + both +
                                "}, join: {type: co_attention, hidden: 12, compared: 10, "
                                "summary_layers: 2"));
  list.emplace_back("several_attentive_pooling",
                    several(rnn, narrow, rnn + both + "}, join: {type: attentive_pooling"));
  list.emplace_back(
      "several_attentive_pooling_transformer",
      several(convolution, rnn, transformer + self + both + "}, join: {type: attentive_pooling"));
  list.emplace_back(
      "several_attention_flow",
      several(rnn, rnn + ", cell: gru", rnn + both + "}, join: {type: attention_flow"));
  list.emplace_back("several_attention_flow_modeling",
                    several(rnn, rnn,
                            rnn + both +
                                ", bridge_from: second}, join: {type: attention_flow, context: "
                                "second, modeling: {type: rnn, width: 6, layers: 2}"));
  list.emplace_back("several_attention_flow_transformer",
                    several(rnn, rnn,
                            transformer + self + both +
                                "}, join: {type: attention_flow, modeling: " + convolution +
                                ", positions: none}"));
  list.emplace_back(
      "several_attention_flow_convolution",
      several(convolved, narrow,
              convolution + both + "}, join: {type: attention_flow, context: second"));
  for (const char* join : {"alternating_co_attention", "parallel_co_attention"}) {
    list.emplace_back(
        fmt::format("several_{}", join),
        several(rnn, narrow, rnn + both + fmt::format("}}, join: {{type: {}, hidden: 5", join)));
    list.emplace_back(
        fmt::format("several_{}_from_second", join),
        several(convolution, rnn,
                rnn + both + fmt::format("}}, join: {{type: {}, hidden: 5, first: second", join)));
  }
  list.emplace_back("several_gru_basic", several(rnn + ", cell: gru", rnn + ", cell: gru",
                                                 rnn + both + "}, join: {type: basic"));
  list.emplace_back("several_shared", several(rnn, "{type: shared, with: first", rnn + both));
  list.emplace_back("several_pooled", several(rnn, rnn + "}, third: " + convolution,
                                              rnn + both + "}, join: {type: self_attentive"));
  list.emplace_back("several_matched",
                    several(rnn, rnn,
                            rnn + both +
                                "}, join: {type: self_attentive, start: matched, "
                                "pool: {type: source2token, with_max: true}"));
  list.emplace_back("several_bridge_from_second",
                    several(rnn, narrow, rnn + ", bridge_from: second" + both));
  list.emplace_back(
      "several_by_tag",
      several(rnn, narrow, rnn + ", attention: {type: task_specific, attention: multi_source}"));
  list.emplace_back("several_with_a_document",
                    several(rnn, hierarchical,
                            rnn + ", attention: {type: multi_source, combine: "
                                  "hierarchical, attention: {score: general}}"));
  list.emplace_back("one_of_several_beside_a_document",
                    several(rnn, hierarchical, rnn + ", attention: {type: one_source}"));
  list.emplace_back("document_pooled", model(hierarchical + "}, join: {type: self_attentive, "
                                                            "pool: {type: rows, rows: 3}",
                                             rnn));
  list.emplace_back(
      "several_documents_co_attention",
      several(hierarchical, hierarchical,
              rnn + both + "}, join: {type: co_attention, grain: coarse, hidden: 12"));
  for (const char* output : {"pointer_generator", "copynet", "pointer"})
    list.emplace_back(
        std::string("several_") + output,
        several(rnn, narrow,
                rnn + ", attention: {type: one_source, source: first}}, output: {type: " + output));
  for (const char* parts : {"whole", "key_value", "key_value_predict"}) {
    const std::string past = fmt::format("{{type: rnn, width: 12, past: {{parts: {}}}", parts);
    list.emplace_back(std::string("past_") + parts,
                      model("{type: none", past + ", attention: none"));
    list.emplace_back(std::string("past_all_at_once_") + parts,
                      model("{type: none", past + ", attention: none, input_feeding: false"));
    list.emplace_back(std::string("past_beside_source_before_") + parts,
                      model(rnn, past + ", attend: before"));
    list.emplace_back(
        std::string("past_beside_source_after_") + parts,
        model(rnn, past + ", attend: after, input_feeding: false, deep_output: false"));
  }
  list.emplace_back("alone_transformer",
                    model("{type: none", transformer + self + ", attention: none"));
  list.emplace_back("alone_transformer_post", model("{type: none", transformer + "norm: post, " +
                                                                       self + ", attention: none"));
  list.emplace_back("alone_convolution", model("{type: none", convolution + ", attention: none"));
  list.emplace_back("alone_rnn", model("{type: none", rnn + ", layers: 2, attention: none"));
  // Factors that are concatenated, which makes the input of an encoder wider, and factors that are
  // added.
  const std::string factors =
      "{embedding: {width: 6, tie: none, source_factors: {pos: {width: 3}, case: {combine: "
      "sum}}}, ";
  for (const auto& [name, encoder] : {std::pair{"rnn", rnn},
                                      {"transformer", transformer + self},
                                      {"convolution", convolved},
                                      {"disan", std::string("{type: disan, width: 8")},
                                      {"embeddings", std::string("{type: embeddings")},
                                      {"hierarchical", hierarchical}})
    list.emplace_back(std::string("factors_") + name,
                      factors + "encoder: " + encoder + "}, decoder: " + rnn + "}}");
  list.emplace_back("factors_copynet",
                    factors + "encoder: " + rnn + "}, decoder: " + rnn + "}, output: copynet}");
  list.emplace_back(
      "several_factors",
      "{embedding: {width: 6, tie: none, source_factors: {pos: {width: 3, source: second}, case: "
      "{combine: sum, source: first}}}, encoders: {first: " +
          rnn + "}, second: " + narrow + "}}, decoder: " + rnn + both + "}}");
  list.emplace_back(
      "several_factors_shared",
      "{embedding: {width: 6, tie: none, source_factors: {pos: {width: 3, source: first}, case: "
      "{width: 3, source: second}}}, encoders: {first: " +
          rnn + "}, second: {type: shared, with: first}}, decoder: " + rnn + both + "}}");
  const std::string three = "{type: transformer, layers: 3, width: 8, feed_forward: 12, " + self;
  list.emplace_back(
      "transformer_by_layer",
      model(three + ", self_attention_by_layer: {1-2: {score: scaled_dot, heads: 2, terms: "
                    "[gaussian]}}",
            three + ", self_attention_by_layer: {2: average}, attention_by_layer: {3: {score: "
                    "general}, 1: none}"));
  list.emplace_back("transformer_gated", model(transformer + "activation: gated, " + self,
                                               transformer + "activation: gated, " + self));
  return list;
}

// Sentences with edges between their pieces and with copyable pieces, for the models that need
// them.
SourceBatch batch_of(const std::vector<Ids>& sentences, torch::Device device) {
  SourceBatch batch = source_batch(sentences, device, true);
  std::vector<Edges> edges;
  std::vector<Copyable> copyable;
  for (const Ids& ids : sentences) {
    copyable.push_back(without_odd_ids(ids, kVocabulary));
    edges.emplace_back();
    const auto size = static_cast<int64_t>(ids.size());
    for (int64_t i = 0; i < size; ++i) edges.back().emplace_back(i, (2 * i + 1) % size);
  }
  put_edges(batch, edges);
  put_copyable(batch, copyable);
  return batch;
}

// Second source of each sentence: other pieces; empty for a sentence of one piece, unless all
// sources have equally many pieces.
std::vector<Ids> beside(std::vector<Ids> sentences, bool equally_many) {
  for (Ids& ids : sentences) {
    std::reverse(ids.begin(), ids.end());
    for (int32_t& id : ids) id = kSpecials + (id * 5) % 9;
    if (!equally_many) ids.resize(ids.size() < 2 ? 0 : ids.size() - 1);
  }
  return sentences;
}

// Labels of the pieces of sentences, different for each factor.
std::vector<Ids> labels_of(std::vector<Ids> sentences, size_t factor) {
  for (Ids& ids : sentences) {
    for (int32_t& id : ids) id = kSpecials + (id * 7 + static_cast<int32_t>(factor)) % 5;
  }
  return sentences;
}

// One of two tags, chosen by the first piece.
std::vector<int64_t> tags_of(const std::vector<Ids>& sentences) {
  std::vector<int64_t> tags;
  for (const Ids& ids : sentences) tags.push_back(ids.front() % 2);
  return tags;
}

// Adds columns of -∞ for ids beyond the vocabulary that only other sentences of a batch have.
Tensor widened(const Tensor& log_probs, int64_t size) {
  return torch::constant_pad_nd(log_probs, {0, size - log_probs.size(-1)},
                                -std::numeric_limits<double>::infinity());
}

const std::vector<std::pair<std::string, std::string>>& variants() {
  static const auto list = make_variants();  // reads many configs, which takes half a second
  return list;
}

std::vector<Variant> variants_on(torch::Device device) {
  std::vector<Variant> list;
  for (const auto& [name, text] : variants()) list.push_back({name, text, device});
  return list;
}

// Empty if there is no GPU.
std::vector<Variant> variants_on_gpu() {
  return has_gpu() ? variants_on(torch::Device(torch::kCUDA, 0)) : std::vector<Variant>();
}

std::string name_of(const testing::TestParamInfo<Variant>& variant) { return variant.param.name; }

ModelConfig config_of(const Variant& variant) {
  ModelConfig config;
  read_config_text(variant.text, variant.name, config);
  return config;
}

// Predicates of the variants that a law is about.

// True if the loss is the log-probability of the targets; outputs_test.cpp tests that of entmax.
bool has_loss_of_probabilities(const Variant& variant) {
  return config_of(variant).output->type != "entmax";
}

bool has_layers_to_compute_again(const Variant& variant) {
  const ModelConfig config = config_of(variant);
  const auto can = [](const SourcePlan& source) { return source.encoder->can_recompute(); };
  return config.decoder->can_recompute() || std::ranges::any_of(plan_of(config).sources, can);
}

// True if the gradients are those of the loss; tests/train/reinforce_test.cpp tests gradients of
// sampled choices. A cosine and a query of length 1 have a kink at zeros, the initial state of an
// encoder.
bool has_gradients_of_the_loss(const Variant& variant) {
  return variant.name.find("normalizer_hard") == std::string::npos &&
         variant.name != "rnn_intra_score_cosine" &&
         variant.name != "rnn_intra_score_scaled_dot_l2" &&
         variant.name.find("term_reinforced") == std::string::npos;
}

std::vector<Variant> those(std::vector<Variant> list, bool (*holds)(const Variant&)) {
  std::erase_if(list, [holds](const Variant& variant) { return !holds(variant); });
  return list;
}

// Every second variant, from the first or the second on: neighbours are mostly a mechanism in two
// places. The second half is tried by the slow tests.
std::vector<Variant> half(const std::vector<Variant>& list, size_t from) {
  std::vector<Variant> found;
  for (size_t i = from; i < list.size(); i += 2) found.push_back(list[i]);
  return found;
}

class Laws : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    config_ = config_of(GetParam());
    model_ = std::make_shared<Seq2Seq>(config_, vocabularies_of(config_, kVocabulary), 7);
    model_->to(GetParam().device, torch::kDouble);
    for (Ids& target : targets_) {
      if (writes_one(config_.output->writes())) target.resize(1);
    }
  }

  // True for parameters that may get no gradient. With one_source and attention_over_attention,
  // these may be any. Without a decoder no target is read. If the output is the weights of the last
  // attention (pointer_sum), these are the parameters after it, in a decoder of up to two layers.
  static bool may_stay_unread(const std::string& parameter) {
    const std::string& text = GetParam().text;
    if (text.find("one_source") != std::string::npos ||
        text.find("attention_over_attention") != std::string::npos)
      return true;
    if (text.find("decoder: {type: none") != std::string::npos)
      return parameter.starts_with("target");
    if (text.find("hard_monotonic") != std::string::npos)  // of two sources, one is aligned
      return parameter.find("_second.") != std::string::npos;
    if (text.find("layer_dropout: 0.9") != std::string::npos)  // but the layer that copies
      return parameter.starts_with("decoder.layer_1.");
    if (text.find("combine: chunk") != std::string::npos)  // reads words alone
      return parameter.starts_with("encoder_source.sentences.") ||
             parameter.starts_with("encoder_source.hidden.") ||
             parameter.starts_with("encoder_source.weigh.");
    if (text.find("pointer_sum") == std::string::npos) return false;
    const std::vector<std::string> behind = {
        "decoder.output.",                  // recurrent decoder
        "decoder.layer_1.attention.read.",  // Transformer, with the next three
        "decoder.layer_1.feed_forward.",
        "decoder.layer_1.feed_forward_residual.",
        "decoder.final_norm.",
        "decoder.layer_1.from_context."};  // convolutional decoder
    return std::any_of(behind.begin(), behind.end(), [&parameter](const std::string& name) {
      return parameter.starts_with(name);
    });
  }

  // Batches by the names of the model's sources.
  SourceBatches batches_of(const std::vector<Ids>& sentences) const {
    SourceBatches batches(static_cast<int64_t>(sentences.size()));
    std::vector<Ids> next = sentences;
    for (const std::string& name : config_.sources()) {
      batches.named[name] = batch_of(next, model_->device());
      if (batches.named.size() > 1) batches.named[name].copies = Tensor();
      put_tags(batches.named[name], tags_of(sentences));
      put_factors(batches.named[name], factors_of(name, next));
      next = beside(next, !needs_of(config_).entries.empty());
    }
    return batches;
  }

  std::vector<std::vector<Ids>> factors_of(const std::string& source,
                                           const std::vector<Ids>& sentences) const {
    std::vector<std::vector<Ids>> factors;
    for (const auto& [name, factor] : config_.embedding.source_factors) {
      if (factor.is_of(source)) factors.push_back(labels_of(sentences, name.size()));
    }
    return factors;
  }

  // Targets, whose copyable pieces get ids beyond the vocabulary if the model copies.
  TargetBatch batch_of_targets(const std::vector<Ids>& sources, std::vector<Ids> targets) const {
    for (size_t r = 0; r < targets.size() && config_.output->copies(); ++r) {
      const Copyable copyable = without_odd_ids(sources[r], kVocabulary);
      for (int32_t& id : targets[r]) {
        const auto found = std::find(sources[r].begin(), sources[r].end(), id);
        if (found != sources[r].end())
          id = copyable.ids[static_cast<size_t>(found - sources[r].begin())];
      }
    }
    return target_batch(targets, model_->device());
  }

  template <class T>
  Tensor on_device(const std::vector<T>& numbers) const {
    return torch::tensor(numbers).to(model_->device(), torch::kLong);
  }

  Tensor log_probs(const std::vector<Ids>& sources, const std::vector<Ids>& targets) {
    const torch::NoGradGuard no_grad;
    State state = model_->start(batches_of(sources), Pass());
    return model_->log_probs(model_->advance(batch_of_targets(sources, targets).inputs, state),
                             state);  // [R,T,V+X]
  }

  const std::vector<Ids> sources_ = {{4, 5, 6, 7, 8, 7}, {9}, {12, 11, 10}};
  std::vector<Ids> targets_ = {{5, 4}, {9, 9, 9, 9}, {10}};  // pieces of the sources
  ModelConfig config_;
  std::shared_ptr<Seq2Seq> model_;
};

TEST_P(Laws, StepByStepEqualsAllAtOnce) {
  holds("steps", kinds_of(config_));
  const torch::NoGradGuard no_grad;
  const Tensor whole = log_probs(sources_, targets_);
  const Tensor inputs = batch_of_targets(sources_, targets_).inputs;
  State state = model_->start(batches_of(sources_), Pass());
  for (int64_t t = 0; t < inputs.size(1); ++t) {
    const Tensor step = model_->log_probs(model_->advance(inputs.narrow(1, t, 1), state), state);
    EXPECT_TRUE(torch::allclose(step.squeeze(1), whole.select(1, t), 1e-9, 1e-9)) << "token " << t;
  }
}

// Compares the weights of each query; those of later keys are zero.
void expect_same_weights(const Attended& whole, const Attended& steps) {
  ASSERT_EQ(whole.weights.defined(), steps.weights.defined()) << static_cast<int>(whole.site.place);
  if (whole.weights.defined()) {
    ASSERT_EQ(whole.weights.sizes(), steps.weights.sizes()) << static_cast<int>(whole.site.place);
    EXPECT_TRUE(torch::allclose(whole.weights, steps.weights, 1e-9, 1e-9))
        << static_cast<int>(whole.site.place);
  }
  ASSERT_EQ(whole.parts.size(), steps.parts.size());
  for (size_t i = 0; i < whole.parts.size(); ++i)
    expect_same_weights(whole.parts[i], steps.parts[i]);
}

TEST_P(Laws, WeightsStepByStepAreThoseOfAllAtOnce) {
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  const Tensor inputs = batch_of_targets(sources_, targets_).inputs;
  State at_once = model_->start(batches_of(sources_), pass),
        one_by_one = model_->start(batches_of(sources_), pass);
  const Step whole = model_->advance(inputs, at_once);
  std::vector<Step> steps;
  for (int64_t t = 0; t < inputs.size(1); ++t)
    steps.push_back(model_->advance(inputs.narrow(1, t, 1), one_by_one));
  const Step joined = join_steps(steps);
  ASSERT_EQ(whole.attended.size(), joined.attended.size());
  for (size_t i = 0; i < whole.attended.size(); ++i)
    expect_same_weights(whole.attended[i], joined.attended[i]);
}

// The decoder reports its attention over the positions of the text, even if an encoder or a joiner
// changed the length of the source.
TEST_P(Laws, WeightsAreOverThePlacesOfTheText) {
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  const SourceBatches sources = batches_of(sources_);
  State state = model_->start(sources, pass);
  const Step step = model_->advance(batch_of_targets(sources_, targets_).inputs, state);
  const auto expect = [&](const Attended& attended, const Site& site, const auto& self) -> void {
    for (const Attended& part : attended.parts) {
      if (!part.source.empty()) self(part, site, self);
    }
    if (site.place != Place::kCross || !attended.weights.defined()) return;
    if (attended.source.empty() && sources.named.size() > 1) return;  // weights over the sources
    const SourceBatch& read =
        attended.source.empty() ? sources.named.begin()->second : sources.named.at(attended.source);
    EXPECT_EQ(attended.weights.size(3), read.ids.size(1)) << attended.source;
    const Tensor padding = (~read.mask).unsqueeze(1).unsqueeze(2);
    EXPECT_EQ(attended.weights.masked_select(padding).abs().sum().item<double>(), 0)
        << attended.source;
  };
  for (const Attended& attended : step.attended) expect(attended, attended.site, expect);
}

TEST_P(Laws, NeighboursAndOrderChangeNothing) {
  holds("padding", kinds_of(config_));
  const Tensor together = log_probs(sources_, targets_);
  const Tensor turned =
      log_probs({sources_[2], sources_[0], sources_[1]}, {targets_[2], targets_[0], targets_[1]});
  for (size_t r = 0; r < sources_.size(); ++r) {
    const int64_t length = static_cast<int64_t>(targets_[r].size()) + 1;
    const auto row = static_cast<int64_t>(r);
    const Tensor alone = widened(log_probs({sources_[r]}, {targets_[r]})[0], together.size(2));
    EXPECT_TRUE(torch::allclose(together[row].narrow(0, 0, length), alone, 1e-9, 1e-9))
        << "row " << r;
    EXPECT_TRUE(torch::allclose(turned[(row + 1) % 3].narrow(0, 0, length), alone, 1e-9, 1e-9))
        << "row " << r;
  }
}

TEST_P(Laws, StateMovesWithItsHypothesis) {
  const torch::NoGradGuard no_grad;
  const auto next = [&](State& state, const std::vector<int64_t>& tokens) {
    return model_->log_probs(model_->advance(on_device(tokens).unsqueeze(1), state), state)
        .squeeze(1);
  };
  State state = model_->start(batches_of(sources_), Pass());
  next(state, {kBegin, kBegin, kBegin});
  const auto gather = [&](const std::vector<int64_t>& rows, int64_t hypotheses) {
    state.gather(on_device(rows), hypotheses);
  };
  gather({0, 0, 1, 1, 2, 2}, 2);
  next(state, {4, 6, 6, 7, 8, 9});
  gather({1, 0, 2, 2, 5, 4}, 2);
  const Tensor moved = next(state, {10, 12, 12, 10, 4, 6});
  const auto expect = [](const Tensor& actual, const Tensor& expected) {
    EXPECT_TRUE(torch::allclose(actual, expected, 1e-9, 1e-9));
  };
  const auto twice = [this](std::vector<size_t> sentences) {
    std::vector<Ids> rows;
    for (const size_t sentence : sentences)
      rows.insert(rows.end(), {sources_[sentence], sources_[sentence]});
    return rows;
  };
  expect(moved, log_probs(twice({0, 1, 2}), {{6, 10}, {4, 12}, {6, 12}, {6, 10}, {9, 4}, {8, 6}})
                    .select(1, 2));
  gather({1, 0, 5, 4}, 2);  // the second sentence leaves
  const Tensor fewer = next(state, {4, 8, 6, 7});
  expect(fewer,
         log_probs(twice({0, 2}), {{4, 12, 4}, {6, 10, 8}, {8, 6, 6}, {9, 4, 7}}).select(1, 3));
}

// Expects that row `row` attended as the sentence alone did at token `t`, with weight 0 at
// positions that it does not have.
void expect_weights_of(const Attended& alone, int64_t t, const Attended& joined, int64_t row) {
  ASSERT_EQ(alone.weights.defined(), joined.weights.defined());
  if (alone.weights.defined()) {
    const Tensor own = alone.weights[0].select(1, t), found = joined.weights[row].select(1, 0);
    const int64_t positions = std::min(own.size(1), found.size(1));  // [H,S]
    EXPECT_TRUE(
        torch::allclose(found.narrow(1, 0, positions), own.narrow(1, 0, positions), 1e-9, 1e-9));
    EXPECT_EQ(found.narrow(1, positions, found.size(1) - positions).abs().sum().item<double>(), 0);
    EXPECT_EQ(own.narrow(1, positions, own.size(1) - positions).abs().sum().item<double>(), 0);
  }
  ASSERT_EQ(alone.parts.size(), joined.parts.size());
  for (size_t i = 0; i < alone.parts.size(); ++i)
    expect_weights_of(alone.parts[i], t, joined.parts[i], row);
}

// Sentences that begin while others are being decoded, and sentences that join these, give the same
// as alone.
TEST_P(Laws, SentencesMayJoinOthers) {
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  const auto start = [&](const std::vector<Ids>& sentences) {
    return model_->start(batches_of(sentences), pass);
  };
  State state = start({sources_[1]});
  std::vector<Ids> sources = {sources_[1], sources_[1]}, so_far = {{}, {}};  // for each row
  const auto next = [&](const std::vector<int32_t>& tokens) {
    const Tensor inputs = on_device(tokens).unsqueeze(1);
    const Step step = model_->advance(inputs, state);
    const Tensor found = model_->log_probs(step, state).squeeze(1);
    for (size_t r = 0; r < tokens.size(); ++r) {
      SCOPED_TRACE(testing::Message() << "row " << r << " after " << so_far[r].size() << " tokens");
      if (tokens[r] != kBegin) so_far[r].push_back(tokens[r]);
      const auto row = static_cast<int64_t>(r), t = std::ssize(so_far[r]);
      State own = start({sources[r]});
      const Step alone = model_->advance(batch_of_targets({sources[r]}, {so_far[r]}).inputs, own);
      const Tensor expected = model_->log_probs(alone, own)[0][t].unsqueeze(0);
      EXPECT_TRUE(torch::allclose(found[row], widened(expected, found.size(1))[0], 1e-9, 1e-9));
      ASSERT_EQ(alone.attended.size(), step.attended.size());
      for (size_t i = 0; i < alone.attended.size(); ++i)
        expect_weights_of(alone.attended[i], t, step.attended[i], row);
    }
  };
  const auto join = [&](const std::vector<Ids>& sentences) {
    State more = start(sentences);
    std::vector<int64_t> rows;
    for (const Ids& sentence : sentences) {
      rows.insert(rows.end(), 2, std::ssize(rows) / 2);
      sources.insert(sources.end(), 2, sentence);
      so_far.insert(so_far.end(), 2, Ids());
    }
    more.gather(on_device(rows), 2);
    state.join(std::move(more));
  };
  state.gather(on_device<int64_t>({0, 0}), 2);
  next({kBegin, kBegin});
  next({4, 6});
  join({sources_[0], sources_[2]});
  next({8, 8, kBegin, kBegin, kBegin, kBegin});
  next({4, 10, 6, 8, 12, 4});
  join({sources_[0]});
  state.gather(on_device<int64_t>({1, 0, 2, 3, 5, 4, 6, 7}), 2);
  std::swap(so_far[0], so_far[1]);
  std::swap(so_far[4], so_far[5]);
  next({4, 4, 6, 6, 8, 10, kBegin, kBegin});
  // The first sentence leaves, and the longest of the others is short.
  state.gather(on_device<int64_t>({2, 2, 5, 4, 6, 7}), 2);
  so_far = {so_far[2], so_far[2], so_far[5], so_far[4], so_far[6], so_far[7]};
  sources.erase(sources.begin(), sources.begin() + 2);
  next({4, 6, 8, 10, 12, 4});
}

TEST_P(Laws, ProbabilitiesSumToOne) {
  const Tensor sums = log_probs(sources_, targets_).exp().sum(2);
  EXPECT_TRUE(torch::allclose(sums, torch::ones_like(sums), 1e-9, 1e-9));
}

using LawsOfLosses = Laws;

TEST_P(LawsOfLosses, LossIsTheLogProbabilityOfTheTargets) {
  const TargetBatch target = batch_of_targets(sources_, targets_);
  State state = model_->start(batches_of(sources_), Pass());
  const TokenLoss loss =
      model_->loss(model_->advance(target.inputs, state), target.outputs, 0, state);
  const Tensor picked =
      log_probs(sources_, targets_).gather(2, target.outputs.unsqueeze(2)).squeeze(2);
  const double expected = -picked.masked_select(target.outputs.ne(kPad)).sum().item<double>();
  EXPECT_NEAR(loss.loss.item<double>(), expected, 1e-9);
  EXPECT_NEAR(loss.negative_log_probability.item<double>(), expected, 1e-9);
  EXPECT_EQ(loss.tokens, target.outputs.ne(kPad).sum().item<int64_t>());
  EXPECT_EQ(loss.tokens, writes_one(config_.output->writes()) ? 6 : 10);
}

// Number formats for training.
struct Numbers {
  const char* name;
  torch::ScalarType type;
  bool bf16 = false;
};

// Gradient checkpointing gives the same loss and the same gradients, bit for bit, including those
// of attention weights and auxiliary losses. CPU only: on a GPU the order of sums may vary.
using LawsOfComputingAgain = Laws;

TEST_P(LawsOfComputingAgain, GradientsAreTheSame) {
  const TargetBatch target = batch_of_targets(sources_, targets_);
  const auto gradients = [&](bool recomputes, bool keeps_weights) {
    Pass pass = Pass::for_training(3, 5);
    pass.keep_weights = keeps_weights;
    pass.recomputes = recomputes;
    EncoderOutput encoded;
    State state = model_->start(batches_of(sources_), pass, encoded);
    const Step step = model_->advance(target.inputs, state);
    Tensor loss = model_->loss(step, target.outputs, 0.1, state).loss;
    for (const SideLoss& side : step.losses) loss = loss + side.value.sum();
    for (const SideLoss& side : encoded.losses) loss = loss + side.value.sum();
    const Attended* read = alignment_of(step);
    if (read != nullptr && read->weights.requires_grad())
      loss = loss + read->weights.square().sum();
    model_->zero_grad();
    loss.backward();
    std::vector<Tensor> found = {loss.detach()};
    for (const Tensor& parameter : model_->parameters())
      found.push_back(parameter.grad().defined() ? parameter.grad().clone()
                                                 : torch::zeros_like(parameter));
    return found;
  };
  for (const Numbers& numbers : {Numbers{"double", torch::kDouble}, Numbers{"float", torch::kFloat},
                                 Numbers{"bf16", torch::kFloat, true}}) {
    model_->to(numbers.type);
    for (const bool keeps_weights : {false, true}) {
      std::vector<Tensor> once, again;
      {
        const Bf16Scope bf16(numbers.bf16);
        once = gradients(false, keeps_weights);
        again = gradients(true, keeps_weights);
      }
      const std::vector<std::string> names = model_->named_parameters().keys();
      for (size_t i = 0; i < once.size(); ++i) {
        const std::string name = i == 0 ? "the loss" : names[i - 1];
        SCOPED_TRACE(testing::Message() << numbers.name << ", weights " << keeps_weights);
        EXPECT_TRUE(torch::equal(once[i], again[i])) << name;
      }
    }
  }
}

// Central differences along a random direction of each parameter, including the label smoothing and
// dropout of training.
using LawsOfGradients = Laws;

TEST_P(LawsOfGradients, EqualFiniteDifferences) {
  holds("gradient", kinds_of(config_));
  for (const auto& item : model_->named_parameters()) {  // the direction of a zero vector jumps
    const torch::NoGradGuard no_grad;
    if (item.key().ends_with("addressing.key.bias")) item.value().fill_(0.1);
  }
  const TargetBatch target = batch_of_targets(sources_, targets_);
  const auto loss = [&] {
    State state = model_->start(batches_of(sources_), Pass::for_training(3, 5));
    return model_->loss(model_->advance(target.inputs, state), target.outputs, 0.1, state).loss;
  };
  model_->zero_grad();
  loss().backward();
  LearnedTensors learned;
  for (const auto& item : model_->named_parameters()) {
    if (item.value().grad().defined()) {
      learned.emplace_back(item.key(), item.value());
    } else {
      EXPECT_TRUE(may_stay_unread(item.key())) << item.key();
    }
  }
  DirectionalGradient(learned, [&] { return loss().item<double>(); }).check(1e-5);
}

class Counter final : public torch::autograd::PostAccumulateGradHook {
 public:
  explicit Counter(int64_t& count) : count_(count) {}
  void operator()(const torch::autograd::Variable&) override { ++count_; }

 private:
  int64_t& count_;
};

// Sums of gradients during the backward pass rely on this (train/gradient_buckets.h).
TEST_P(Laws, AParameterGetsItsGradientOnceInAPass) {
  std::map<std::string, int64_t> counts;
  for (const auto& item : model_->named_parameters())
    torch::autograd::impl::set_post_acc_grad_hooks(item.value(),
                                                   std::make_unique<Counter>(counts[item.key()]));
  const TargetBatch target = batch_of_targets(sources_, targets_);
  State state = model_->start(batches_of(sources_), Pass::for_training(3, 5));
  model_->loss(model_->advance(target.inputs, state), target.outputs, 0.1, state).loss.backward();
  for (const auto& [name, count] : counts) EXPECT_LE(count, 1) << name;
  EXPECT_TRUE(std::ranges::any_of(counts, [](const auto& item) { return item.second == 1; }));
}

TEST_P(Laws, ReplicasShareParametersAndNotGradients) {
  const auto replica = model_->replica();
  const auto own = model_->named_parameters();
  for (const auto& item : replica->named_parameters()) {
    EXPECT_EQ(item.value().data_ptr(), own[item.key()].data_ptr()) << item.key();
    EXPECT_FALSE(item.value().grad().defined());
    EXPECT_TRUE(item.value().requires_grad());
  }
}

// A model gives the same on a GPU as on the CPU, except for rounding.
class LawsOfDevices : public Laws {};

TEST_P(LawsOfDevices, ChangeNothingButRounding) {
  const Tensor on_gpu = log_probs(sources_, targets_).to(torch::kCPU);
  model_->to(torch::kCPU);
  EXPECT_TRUE(torch::allclose(on_gpu, log_probs(sources_, targets_), 1e-9, 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Half, Laws, testing::ValuesIn(half(variants_on(torch::kCPU), 0)), name_of);
INSTANTIATE_TEST_SUITE_P(SlowHalf, Laws, testing::ValuesIn(half(variants_on(torch::kCPU), 1)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(OnGpu, Laws, testing::ValuesIn(variants_on_gpu()), name_of);
INSTANTIATE_TEST_SUITE_P(
    Half, LawsOfLosses,
    testing::ValuesIn(half(those(variants_on(torch::kCPU), has_loss_of_probabilities), 0)),
    name_of);
INSTANTIATE_TEST_SUITE_P(
    SlowHalf, LawsOfLosses,
    testing::ValuesIn(half(those(variants_on(torch::kCPU), has_loss_of_probabilities), 1)),
    name_of);
INSTANTIATE_TEST_SUITE_P(OnGpu, LawsOfLosses,
                         testing::ValuesIn(those(variants_on_gpu(), has_loss_of_probabilities)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(
    Half, LawsOfComputingAgain,
    testing::ValuesIn(half(those(variants_on(torch::kCPU), has_layers_to_compute_again), 0)),
    name_of);
INSTANTIATE_TEST_SUITE_P(
    SlowHalf, LawsOfComputingAgain,
    testing::ValuesIn(half(those(variants_on(torch::kCPU), has_layers_to_compute_again), 1)),
    name_of);
INSTANTIATE_TEST_SUITE_P(
    Half, LawsOfGradients,
    testing::ValuesIn(half(those(variants_on(torch::kCPU), has_gradients_of_the_loss), 0)),
    name_of);
INSTANTIATE_TEST_SUITE_P(
    SlowHalf, LawsOfGradients,
    testing::ValuesIn(half(those(variants_on(torch::kCPU), has_gradients_of_the_loss), 1)),
    name_of);
INSTANTIATE_TEST_SUITE_P(OnGpu, LawsOfGradients,
                         testing::ValuesIn(those(variants_on_gpu(), has_gradients_of_the_loss)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(OnGpu, LawsOfDevices, testing::ValuesIn(variants_on_gpu()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LawsOfDevices);

// The numbers of a text, times `factor`, of the keys that match.
std::string scaled(const std::string& text, const std::string& keys, int64_t factor) {
  const std::regex number("\\b(" + keys + "): ([0-9]+)");
  std::string result;
  auto from = text.begin();
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    result.append(from, text.begin() + at->position(2));
    result += std::to_string(factor * std::stoll(at->str(2)));
    from = text.begin() + at->position() + at->length();
  }
  return result.append(from, text.end());
}

// Each model, with larger widths, and with more of everything that is counted.
TEST(LawsOfModels, AreNotLargerThanTheirBound) {
  const std::string widths =
      "width|hidden|feed_forward|output_width|filters|rank|blocks|compared|random_features";
  const std::string counts =
      "layers|hops|passes|transition_depth|kernel|clip|buckets|max_positions|slots|rows|radius";
  double closest = 0;
  int64_t larger = 0;
  for (const auto& [name, text] : variants()) {
    for (const auto& [own, vocabulary] :
         {std::pair{text, kVocabulary}, std::pair{scaled(text, widths, 32), int64_t{20'000}},
          std::pair{scaled(text, counts, 3), kVocabulary}}) {
      SCOPED_TRACE(name + ": " + own);
      ModelConfig config;
      if (!find_problems(own, name, config).empty()) continue;
      if (own != text) ++larger;
      closest = std::max(closest, expect_bounded(config, vocabularies_of(config, vocabulary)));
    }
  }
  EXPECT_GT(larger, std::ssize(variants()));
  EXPECT_LT(closest, 0.5);  // new mechanisms have room
}

TEST(LawsOfAttention, HoldEveryMechanismAtLeastOnce) {
  for (const AttentionVariant& stage : attention_variants()) {
    EXPECT_TRUE(std::ranges::any_of(variants(), [&](const auto& variant) {
      return variant.first.ends_with("_" + stage.name);
    })) << stage.name;
  }
}

TEST(Seq2Seq, TiesEmbeddings) {
  holds({"model.embedding.tie"});
  const auto count = [](const char* tie) {
    ModelConfig config;
    read_config_text(std::string("{embedding: {width: 8, tie: ") + tie +
                         "}, encoder: {type: rnn, width: 8}, decoder: {type: rnn, width: 8}}",
                     "test", config);
    const Seq2Seq model(config, {{{"source", kVocabulary}}, kVocabulary}, 1);
    int64_t numbers = 0;
    for (const Tensor& parameter : model.parameters()) numbers += parameter.numel();
    return numbers;
  };
  EXPECT_EQ(count("none") - count("target"), kVocabulary * 8);
  EXPECT_EQ(count("target") - count("all"), kVocabulary * 8);
}

}  // namespace
}  // namespace heed
