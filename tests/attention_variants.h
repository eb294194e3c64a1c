// Every registered stage of attention in the variants that its keys allow, for the tests of the
// laws, the contract, search and training.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "attention_mechanisms.h"
#include "nn/attention/stage_config.h"
#include "read_kind.h"

namespace heed {

// Reads the config of an attention.
inline std::shared_ptr<AttentionConfig> attention_of(const std::string& text) {
  return read_kind(attentions(), text, std::make_shared<StagedConfig>());
}

// Reasons for which the reader refuses this attention with these dimensions; empty if it accepts
// it.
inline std::vector<std::string> refusals_of(const AttentionConfig& attention,
                                            const AttentionDims& dims) {
  struct Reasons final : Problems {
    std::vector<std::string> list;
    void add(const std::string& path, const std::string& message) override {
      list.push_back(path + ": " + message);
    }
    bool is_set(const std::string&) const override { return false; }
  } reasons;
  attention.check(dims, reasons);
  return reasons.list;
}

inline const char* table_of(const Registry<AttentionConfig>&) { return "attention"; }
inline const char* table_of(const Registry<ScorerConfig>&) { return "score"; }
inline const char* table_of(const Registry<TermConfig>&) { return "terms"; }
inline const char* table_of(const Registry<NormalizerConfig>&) { return "normalizer"; }
inline const char* table_of(const Registry<ReadOutConfig>&) { return "read"; }
inline const char* table_of(const Registry<HeadCombinationConfig>&) { return "heads"; }

// Variants of the kinds whose keys make a difference, or whose defaults are too wide for a test:
// name of the variant → text of its config. Every other kind has one variant, its defaults.
inline const std::map<std::string, std::map<std::string, std::string>>& variants_of_kinds() {
  static const std::map<std::string, std::map<std::string, std::string>> variants = {
      {"score scaled_dot",
       {{"scaled_dot", "scaled_dot"},
        {"scaled_dot_l2", "{type: scaled_dot, query_key_norm: {type: l2, gain: 3}}"},
        {"scaled_dot_rms", "{type: scaled_dot, query_key_norm: rms}"}}},
      {"score rotary",
       {{"rotary", "rotary"},
        {"rotary_yarn_rms",
         "{type: rotary, base: 20, factor: 4, scaling: yarn, trained_length: 300, query_key_norm: "
         "rms}"}}},
      {"score concat", {{"concat", "{type: concat, hidden: 6}"}}},
      {"score additive",
       {{"additive", "{type: additive, hidden: 6}"},
        {"additive_normalized", "{type: additive, hidden: 6, normalize: true}"},
        {"additive_layer_norm", "{type: additive, hidden: 6, layer_norm: true}"}}},
      {"score location",
       {{"location_convolved",
         "{type: location, hidden: 6, features: {type: convolved, filters: 2, kernel: 3}}"},
        {"location_coverage", "{type: location, hidden: 6, features: coverage}"},
        {"location_both",
         "{type: location, hidden: 6, features: {type: both, filters: 3, kernel: 5}}"},
        {"location_fertility", "{type: location, hidden: 6, features: fertility}"},
        {"location_gru_coverage",
         "{type: location, hidden: 6, features: {type: gru_coverage, width: 2}}"}}},
      // Fewer positions than the sentences of the tests have.
      {"score location_based", {{"location_based", "{type: location_based, max_positions: 3}"}}},
      {"score multi_dim",
       {{"multi_dim_full", "{type: multi_dim, form: {type: full, hidden: 6}}"},
        {"multi_dim_light", "{type: multi_dim, form: light}"}}},
      {"score graph", {{"graph", "graph"}, {"graph_of_nodes", "{type: graph, project: false}"}}},
      {"score relative", {{"relative", "{type: relative, clip: 2}"}}},
      {"read relative", {{"relative", "{type: relative, clip: 2}"}}},
      {"terms window",
       {{"window_monotonic", "{type: window, kind: monotonic, radius: 1}"},
        {"window_predictive", "{type: window, kind: predictive, radius: 2}"}}},
      {"terms directional",
       {{"directional_forward", "{type: directional, kind: forward}"},
        {"directional_backward", "{type: directional, kind: backward}"}}},
      {"terms wait_k",
       {{"wait_k", "{type: wait_k, k: 2}"},
        {"wait_k_catch_up", "{type: wait_k, k: 1, catch_up: 0.5}"}}},
      {"terms distance",
       {{"distance_fixed", "{type: distance, alpha: 0.7}"},
        {"distance_learned", "{type: distance, alpha: 0.7, learned: true}"}}},
      {"normalizer hard",
       {{"hard_reinforce", "{type: hard, gradient: reinforce}"},
        {"hard_half_soft", "{type: hard, gradient: {type: reinforce, weight: 0.5}, soft: 0.5}"},
        {"hard_straight_through", "{type: hard, gradient: straight_through}"}}},
      {"normalizer entmax",
       {{"entmax", "{type: entmax, alpha: 1.3}"},
        {"entmax_fixed", "{type: entmax, alpha: 1.7, learned: false}"}}},
      // Fertilities that some keys reach.
      {"normalizer constrained_sparsemax",
       {{"constrained_sparsemax", "{type: constrained_sparsemax, fertility: 0.7, credit: 0.3}"},
        {"constrained_without_sink",
         "{type: constrained_sparsemax, fertility: 0.6, credit: 0, sink: false}"}}},
      {"normalizer structured",
       {{"structured", "{type: structured, scale: 2}"},
        {"structured_marginals", "{type: structured, scale: ~, penalty: 0}"},
        {"structured_tree", "{type: structured, kind: tree}"}}},
      // Offsets at which a reader stops as often as not.
      {"normalizer monotonic",
       {{"monotonic", "{type: monotonic, offset: 0.2}"},
        {"monotonic_expected", "{type: monotonic, offset: ~, noise: 0, search: expected}"},
        {"mocha", "{type: monotonic, offset: 0.2, chunk: 2}"},
        {"mocha_expected", "{type: monotonic, noise: 0, search: expected, chunk: 3}"}}},
      {"terms edges",
       {{"edges", "{type: edges}"}, {"edges_without_itself", "{type: edges, itself: false}"}}},
      {"terms reinforced", {{"reinforced", "{type: reinforced, warmup: 0}"}}},
      {"terms local", {{"local", "{type: local, k: 1}"}}},
      {"terms atrous", {{"atrous", "{type: atrous, k: 2}"}}},
      {"terms sparse", {{"sparse", "{type: sparse, k: 3}"}}},
      {"attention linear",
       {{"linear_elu", "{type: linear, features: elu, heads: 2}"},
        {"linear_performer",
         "{type: linear, features: {type: performer, random_features: 6, redraw: 3}, heads: 2}"},
        {"linear_performer_shared",
         "{type: linear, features: {type: performer, random_features: 6, draw: shared}, heads: 2}"},
        {"linear_efficient", "{type: linear, features: efficient, heads: 2}"},
        {"linear_linformer",
         "{type: linear, features: {type: linformer, slots: 3, max_positions: 6}, heads: 2}"}}},
      {"attention hops",
       {{"hops_add", "{type: hops, hops: 2, attention: {score: scaled_dot, heads: 2}}"},
        {"hops_gru",
         "{type: hops, hops: 2, update: gru, shared: false, attention: {score: scaled_dot, heads: "
         "2}}"}}},
      {"attention adaptive",
       {{"adaptive",
         "{type: adaptive, most: 3, epsilon: 0.4, attention: {score: scaled_dot, heads: 2}}"}}},
      {"attention memory",
       {{"memory_written", "{type: memory, heads: 2, width: 5}"},
        {"memory_read", "{type: memory, heads: 2, shift: 2, write: false}"},
        {"memory_by_content", "{type: memory, shift: 0}"},
        {"memory_written_first", "{type: memory, heads: 2, width: 5, order: write_first}"},
        {"memory_learned_rows",
         "{type: memory, initial: learned, rows: 4, heads: 2, width: 5, order: write_first}"},
        {"memory_constant_rows", "{type: memory, initial: constant, rows: 3, width: 4}"}}},
      {"attention memory_network",
       {{"memory_network_adjacent", "{type: memory_network, hops: 2}"},
        {"memory_network_layer_wise", "{type: memory_network, hops: 2, tying: layer_wise}"},
        {"memory_network_untied", "{type: memory_network, hops: 2, tying: none}"},
        {"memory_network_blocks_adjacent", "{type: memory_network, hops: 3, embed: false}"},
        {"memory_network_blocks_layer_wise",
         "{type: memory_network, hops: 3, embed: false, tying: layer_wise}"},
        {"memory_network_blocks_untied",
         "{type: memory_network, hops: 2, embed: false, tying: none}"}}},
      {"attention episodic",
       {{"episodic", "{type: episodic, passes: 2, hidden: 6}"},
        {"episodic_gated",
         "{type: episodic, passes: 3, features: nine, gate: sigmoid, episode: gated_gru, update: "
         "gru, shared: true}"},
        {"episodic_sum", "{type: episodic, passes: 2, episode: soft_sum, update: gru}"},
        {"episodic_shared", "{type: episodic, passes: 2, shared: true}"}}},
      {"attention key_value_memory",
       {{"key_value_memory", "{type: key_value_memory, keys: first, values: second}"}}},
      {"attention task_specific",
       {{"task_specific", "{type: task_specific, attention: {score: scaled_dot, heads: 2}}"}}},
      {"attention multi_source",
       {{"sources_concat",
         "{type: multi_source, combine: concat, attention: {score: scaled_dot, heads: 2}}"},
        {"sources_parallel",
         "{type: multi_source, combine: parallel, attention: {score: scaled_dot, heads: 2}}"},
        {"sources_serial",
         "{type: multi_source, combine: {type: serial, order: [second, first]}, attention: {score: "
         "scaled_dot, heads: 2}}"},
        {"sources_flat",
         "{type: multi_source, combine: flat, attention: {score: scaled_dot, heads: 2}}"},
        {"sources_hierarchical",
         "{type: multi_source, combine: hierarchical, attention: {score: scaled_dot, heads: 2}}"}}},
      {"attention attention_over_attention",
       {{"attention_over_attention",
         "{type: attention_over_attention, document: first, query: second}"}}},
      {"attention one_source",
       {{"one_source",
         "{type: one_source, source: second, attention: {score: scaled_dot, heads: 2}}"}}},
      {"attention gated_linear",
       {{"gated_linear_fixed", "{type: gated_linear, decay: fixed, heads: 2}"},
        {"gated_linear_fixed_unrotated",
         "{type: gated_linear, decay: {type: fixed, rotary: false}, heads: 2}"},
        {"gated_linear_gated",
         "{type: gated_linear, decay: {type: gated, rank: 3, temperature: 2}, heads: 2}"}}},
      {"attention lightweight_convolution",
       {{"lightweight_convolution", "{type: lightweight_convolution, kernel: 3, heads: 2}"},
        {"lightweight_convolution_without_gate",
         "{type: lightweight_convolution, kernel: 5, heads: 1, gated_input: false}"}}},
      {"attention dynamic_convolution",
       {{"dynamic_convolution", "{type: dynamic_convolution, kernel: 3, heads: 2}"},
        {"dynamic_convolution_without_gate",
         "{type: dynamic_convolution, kernel: 5, heads: 1, gated_input: false}"}}},
      {"attention average", {{"average", "{type: average, feed_forward: 6}"}}},
      {"heads routing",
       {{"routing_dynamic", "{type: routing, kind: dynamic}"},
        {"routing_em", "{type: routing, kind: {type: em, lambda: 0.5}, iterations: 2}"}}},
      {"terms chunks",
       {{"chunks_scale", "{type: chunks, combine: scale, hidden: 6}"},
        {"chunks_chunk", "{type: chunks, combine: chunk, hidden: 6}"}}},
      {"terms bucket_bias", {{"bucket_bias", "{type: bucket_bias, buckets: 6, max_distance: 4}"}}},
      {"read gated",
       {{"gated_feature", "{type: gated, gate: feature}"},
        {"gated_head", "{type: gated, gate: head}"}}},
      {"read differential",
       {{"differential", "{type: differential, lambda_init: 0.3}"},
        {"differential_by_layer", "differential"}}},
      {"terms distance_bias", {{"distance_bias", "{type: distance_bias, beyond: 2}"}}},
  };
  return variants;
}

// Variants of all kinds of a registry: name → text of the config.
template <class Base>
std::map<std::string, std::string> variants(const Registry<Base>& registry) {
  std::map<std::string, std::string> list;
  for (const auto& kind : registry) {
    const auto found = variants_of_kinds().find(std::string(table_of(registry)) + " " + kind.name);
    if (found == variants_of_kinds().end()) {
      list[kind.name] = kind.name;
    } else {
      list.insert(found->second.begin(), found->second.end());
    }
  }
  return list;
}

inline const Registry<TermConfig>& terms_with_those_of_tests() {
  register_test_mechanisms();
  return terms();
}

// Variants of the attentions that do not consist of the four stages.
inline std::map<std::string, std::string> variants_beside_stages() {
  std::map<std::string, std::string> list = variants(attentions());
  for (const char* name : {"staged", "none", "test_running"}) list.erase(name);
  return list;
}

struct AttentionVariant {
  std::string name;       // "score_cosine", "term_local", "attention_linear_elu"
  std::string attention;  // config of the whole attention
};

// Every variant of every stage, each with the default other stages and two heads, unless the score
// fixes the number of heads; and every attention without stages.
inline std::vector<AttentionVariant> attention_variants() {
  std::vector<AttentionVariant> list;
  const auto add = [&list](const std::string& name, const std::string& stages) {
    const bool has_its_heads = name.starts_with("score_multi_dim");
    list.push_back({name, "{" + stages + (has_its_heads ? "}" : ", heads: 2}")});
  };
  for (const auto& [name, text] : variants(scorers())) add("score_" + name, "score: " + text);
  for (const auto& [name, text] : variants(terms_with_those_of_tests()))
    add("term_" + name, "score: scaled_dot, terms: [" + text + "]");
  for (const auto& [name, text] : variants(normalizers()))
    add("normalizer_" + name, "score: scaled_dot, normalizer: " + text);
  for (const auto& [name, text] : variants(readouts()))
    add("read_" + name, "score: scaled_dot, read: " + text);
  for (const auto& [name, text] : variants(head_combinations()))
    add("heads_" + name, "score: scaled_dot, head_combination: " + text);
  for (const char* on : {"subspace", "position", "output"})
    add(std::string("disagreement_") + on, std::string("score: scaled_dot, disagreement: ") + on);
  list.push_back({"key_value_heads_2", "{score: scaled_dot, heads: 4, key_value_heads: 2}"});
  list.push_back({"key_value_heads_1", "{score: rotary, heads: 2, key_value_heads: 1}"});
  for (const auto& [name, text] : variants_beside_stages())
    list.push_back({"attention_" + name, text});
  return list;
}

}  // namespace heed
