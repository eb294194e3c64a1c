// Every registered stage of attention in the variants that its keys make: what the laws, the
// contract, search and training are tested with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "attention_mechanisms.h"
#include "nn/attention/stages.h"

namespace heed {

// The kinds whose keys make a difference, or whose defaults are too wide for a test: name of the
// variant → what a config says. Every other kind is its own only variant.
inline const std::map<std::string, std::map<std::string, std::string>>& variants_of_kinds() {
  static const std::map<std::string, std::map<std::string, std::string>> variants = {
      {"concat", {{"concat", "{type: concat, hidden: 6}"}}},
      {"additive", {{"additive", "{type: additive, hidden: 6}"}}},
      {"location",
       {{"location_convolved", "{type: location, hidden: 6, filters: 2, kernel: 3}"},
        {"location_coverage", "{type: location, hidden: 6, features: coverage}"},
        {"location_both", "{type: location, hidden: 6, features: both, filters: 3, kernel: 5}"}}},
      {"multi_dim",
       {{"multi_dim_full", "{type: multi_dim, form: full, hidden: 6}"},
        {"multi_dim_light", "{type: multi_dim, form: light}"}}},
      {"relative", {{"relative", "{type: relative, clip: 2}"}}},
      {"window",
       {{"window_monotonic", "{type: window, kind: monotonic, radius: 1}"},
        {"window_predictive", "{type: window, kind: predictive, radius: 2}"}}},
      {"directional",
       {{"directional_forward", "{type: directional, kind: forward}"},
        {"directional_backward", "{type: directional, kind: backward}"}}},
      {"distance",
       {{"distance_fixed", "{type: distance, alpha: 0.7}"},
        {"distance_learned", "{type: distance, alpha: 0.7, learned: true}"}}},
      {"local", {{"local", "{type: local, k: 1}"}}},
      {"atrous", {{"atrous", "{type: atrous, k: 2}"}}},
      {"sparse", {{"sparse", "{type: sparse, k: 3}"}}},
      {"distance_bias", {{"distance_bias", "{type: distance_bias, beyond: 2}"}}},
  };
  return variants;
}

// name → what a config says, of each variant of each kind.
template <class Base>
std::map<std::string, std::string> variants(const Registry<Base>& registry) {
  std::map<std::string, std::string> list;
  for (const auto& kind : registry) {
    const auto found = variants_of_kinds().find(kind.name);
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

struct StageVariant {
  std::string name;       // "score_cosine", "term_local"
  std::string attention;  // what a config says of the whole attention
};

// Every variant of every stage, each with the usual other stages and two heads, but where the score
// decides how many there are.
inline std::vector<StageVariant> stage_variants() {
  std::vector<StageVariant> list;
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
  return list;
}

}  // namespace heed
