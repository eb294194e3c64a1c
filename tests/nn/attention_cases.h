// Cases for the tests of attention: every registered stage, in the variants that its keys allow, at
// every place.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "attention_variants.h"
#include "nn/attention/builders.h"
#include "nn/chunks.h"
#include "nn/torch.h"

namespace heed {

inline constexpr int64_t kKey = 8, kKeys = 5, kQueries = 4, kChunkWidth = 3;

// One attention at one place. Stages are named by their variants; "": no such stage, or the
// default.
struct Case {
  std::string beside{};  // the variant of an attention that has no stages
  std::string score = "scaled_dot", normalizer = "softmax", read{}, term{};
  std::string combination{}, disagreement{};
  int64_t heads = 1, key_value_heads = 0, query = kKey, block = 0;  // 0: as many as heads
  Place place = Place::kCross;

  // Number of heads: that of the config, or the one that the score fixes.
  int64_t head_count() const { return config()->weight_heads(dims()); }
  // True if the context depends on the query.
  bool asks() const {
    return beside != "attention_over_attention" &&
           (own_past() || !beside.starts_with("lightweight_convolution"));
  }
  // False for a memory with rows of its own.
  bool needs_source() const { return config()->needs_source(); }
  // True if the context depends on the keys, besides the values.
  bool compares() const {
    return beside.empty() ? score != "location_based" : beside.find("convolution") == beside.npos;
  }
  bool is_drawn() const {
    return normalizer.starts_with("hard") || normalizer == "monotonic" || normalizer == "mocha" ||
           term == "reinforced";
  }
  // True if all queries have to be given at once.
  bool takes_all_queries() const { return term == "reinforced" || normalizer == "structured_tree"; }
  bool own_past() const { return place == Place::kDecoderSelf; }
  std::string name() const {
    const char* where = place == Place::kCross         ? "cross"
                        : place == Place::kEncoderSelf ? "encoder"
                                                       : "past";
    const std::string stages =
        score + "_" + normalizer + (read.empty() ? "" : "_read_" + read) +
        (term.empty() ? "" : "_" + term) + (combination.empty() ? "" : "_" + combination) +
        (disagreement.empty() ? "" : "_disagreement_" + disagreement) + "_heads" +
        std::to_string(heads) +
        (key_value_heads > 0 ? "_of_" + std::to_string(key_value_heads) : "");
    return (beside.empty() ? stages : beside) + "_query" + std::to_string(query) +
           (block > 0 ? "_block_" : "_") + where;
  }
  AttentionDims dims() const {
    const int64_t key = place == Place::kCross ? kKey : query;
    AttentionDims dims{
        .place = place, .query = query, .source = {.key = key, .value = key}, .block = block};
    if (place != Place::kDecoderSelf) dims.source.chunk = kChunkWidth;
    dims.tags = 2;
    if (reads_several() && place == Place::kCross)
      dims.sources = {{"first", {key, key}}, {"second", {key, key}}};
    return dims;
  }
  bool reads_several() const { return config()->reads_several(); }
  std::string text() const {
    if (!beside.empty()) return variants_beside_stages().at(beside);
    std::string text = "{score: " + variants(scorers()).at(score) +
                       ", normalizer: " + variants(normalizers()).at(normalizer) +
                       (heads > 1 ? ", heads: " + std::to_string(heads) : "");
    if (key_value_heads > 0) text += ", key_value_heads: " + std::to_string(key_value_heads);
    if (!read.empty()) text += ", read: " + variants(readouts()).at(read);
    if (!term.empty()) text += ", terms: [" + variants(terms_with_those_of_tests()).at(term) + "]";
    if (!combination.empty())
      text += ", head_combination: " + variants(head_combinations()).at(combination);
    if (!disagreement.empty()) text += ", disagreement: " + disagreement;
    return text + "}";
  }
  std::shared_ptr<AttentionConfig> config() const { return attention_of(text()); }
};
inline std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name(); }

inline std::vector<std::string> refusals_of(const Case& c) {
  return refusals_of(*c.config(), c.dims());
}

class CaseList {
 public:
  // Adds the case with queries of the keys' width and of another, inside a block and outside, at
  // every place.
  void add(const Case& base) {
    if (base.heads > 1 && base.score.starts_with("multi_dim")) return;  // fixes the number of heads
    for (const auto& [query, block] : {std::pair{8, 0}, std::pair{8, 8}, std::pair{6, 0}}) {
      for (const Place place : {Place::kCross, Place::kEncoderSelf, Place::kDecoderSelf}) {
        Case c = base;
        c.query = query;
        c.block = block;
        c.place = place;
        if (query != kKey && place != Place::kCross) continue;
        if (refusals_of(c).empty() && known_.insert(c.name()).second) cases_.push_back(c);
      }
    }
  }
  const std::vector<Case>& cases() const { return cases_; }

 private:
  std::vector<Case> cases_;
  std::set<std::string> known_;
};

// Every variant of a stage with the default other stages, with one head and two.
inline std::vector<Case> staged_cases() {
  CaseList list;
  for (const int64_t heads : {1, 2}) {
    for (const auto& [score, text] : variants(scorers()))
      list.add({.score = score, .heads = heads});
    for (const auto& [normalizer, text] : variants(normalizers())) {
      for (const char* score : {"scaled_dot", "additive"})
        list.add({.score = score, .normalizer = normalizer, .heads = heads});
    }
    // Two scorers, each with a state.
    list.add({.score = "location_gru_coverage", .normalizer = "mocha_expected", .heads = heads});
    for (const auto& [read, text] : variants(readouts())) list.add({.read = read, .heads = heads});
    for (const auto& [combination, text] : variants(head_combinations()))
      list.add({.combination = combination, .heads = heads});
    for (const char* on : {"subspace", "position", "output"})
      list.add({.disagreement = on, .heads = heads});
    for (const auto& [term, text] : variants(terms_with_those_of_tests())) {
      for (const char* score : {"scaled_dot", "additive"})
        list.add({.score = score, .term = term, .heads = heads});
    }
  }
  // Four heads that share the keys and values of two heads or of one.
  for (const int64_t shared : {1, 2}) {
    const Case base{.heads = 4, .key_value_heads = shared};
    const auto add = [&](const auto& change) {
      Case c = base;
      change(c);
      list.add(c);
    };
    for (const char* score : {"dot", "scaled_dot", "scaled_dot_l2", "scaled_dot_rms", "cosine",
                              "relative", "rotary", "rotary_yarn_rms"})
      add([score](Case& c) { c.score = score; });
    for (const char* normalizer : {"sparsemax", "sink", "monotonic", "mocha", "mocha_expected"})
      add([normalizer](Case& c) { c.normalizer = normalizer; });
    for (const char* read : {"relative", "fusion_gate", "gated_feature", "talking_heads"})
      add([read](Case& c) { c.read = read; });
    for (const char* term : {"talking_heads", "alibi"}) add([term](Case& c) { c.term = term; });
    add([](Case& c) { c.combination = "routing_em"; });
    for (const char* on : {"subspace", "output"}) add([on](Case& c) { c.disagreement = on; });
  }
  return list.cases();
}

inline std::vector<Case> cases_beside_stages() {
  CaseList list;
  for (const auto& [name, text] : variants_beside_stages()) list.add({.beside = name});
  return list.cases();
}

inline std::vector<Case> all_cases() {
  std::vector<Case> cases = staged_cases();
  const std::vector<Case> more = cases_beside_stages();
  cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

// True if the edge lists of the test sentences have an edge from i to j. One position has no edges;
// of the others some have an edge to themselves.
inline bool has_edge(int64_t i, int64_t j) { return i != 3 && (3 * i + 2 * j) % 5 < 2; }

// Chunks of two positions each, for the largest number of keys of a test, and their states.
inline size_t chunk_of(size_t position) { return position / 2; }
inline Tensor chunk_states() {
  return torch::arange(4 * kChunkWidth, torch::kDouble).mul(1.7).cos().view({4, kChunkWidth});
}

// Features of sentences with `keys` keys.
inline SentenceFeatures features_of(int64_t rows, int64_t keys,
                                    torch::ScalarType type = torch::kDouble) {
  constexpr int64_t kMostQueries = 8;
  Tensor edges = torch::zeros({rows, kMostQueries, keys}, torch::kBool);
  for (int64_t i = 0; i < kMostQueries; ++i) {
    for (int64_t j = 0; j < keys; ++j) edges.select(1, i).select(1, j).fill_(has_edge(i, j));
  }
  SentenceFeatures features;
  features[kEdges] = edges;
  features[kChunks] = torch::arange(keys, torch::kLong).div(2, "floor").expand({rows, keys});
  features[kChunkStates] = chunk_states().to(type).expand({rows, 4, kChunkWidth});
  return features;
}

// Positions begin, begin+1, … [R,T]
inline Tensor positions_from(int64_t begin, int64_t rows, int64_t count) {
  return torch::arange(begin, begin + count, torch::kLong).expand({rows, count});
}

}  // namespace heed
