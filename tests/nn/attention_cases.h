// What the tests of attention run over: every registered stage, in the variants that its keys make,
// at every place.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "attention_variants.h"
#include "config/reader.h"
#include "nn/attention/staged.h"

namespace heed {

inline constexpr int64_t kKey = 8, kKeys = 5, kQueries = 4;

// One attention at one place. Stages are named by their variants; "": none, or the default.
struct Case {
  std::string score = "scaled_dot", normalizer = "softmax", read{}, term{};
  int64_t heads = 1, query = kKey, block = 0;
  Place place = Place::kCross;

  // As many as are asked for, or as the score has.
  int64_t head_count() const { return config()->heads_at(dims()); }
  bool own_past() const { return place == Place::kDecoderSelf; }
  std::string name() const {
    const char* where = place == Place::kCross         ? "cross"
                        : place == Place::kEncoderSelf ? "encoder"
                                                       : "past";
    return score + "_" + normalizer + (read.empty() ? "" : "_read_" + read) +
           (term.empty() ? "" : "_" + term) + "_heads" + std::to_string(heads) + "_query" +
           std::to_string(query) + (block > 0 ? "_block_" : "_") + where;
  }
  AttentionDims dims() const {
    const int64_t key = place == Place::kCross ? kKey : query;
    return {
        .place = place, .query = query, .key = key, .value = key, .block = block, .name = "here"};
  }
  std::shared_ptr<StagedConfig> config() const {
    std::string text = "{score: " + variants(scorers()).at(score) +
                       ", normalizer: " + variants(normalizers()).at(normalizer) +
                       (heads > 1 ? ", heads: " + std::to_string(heads) : "");
    if (!read.empty()) text += ", read: " + variants(readouts()).at(read);
    if (!term.empty()) text += ", terms: [" + variants(terms_with_those_of_tests()).at(term) + "]";
    auto config = std::make_shared<StagedConfig>();
    read_config_text(text + "}", name(), *config);
    return config;
  }
};
inline std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name(); }

struct Refusals final : Problems {
  explicit Refusals(const Case& c) : heads_are_set(c.heads > 1) {}
  bool heads_are_set;
  std::vector<std::string> reasons;
  void add(const std::string& path, const std::string& message) override {
    reasons.push_back(path + ": " + message);
  }
  bool is_set(const std::string& path) const override { return path == "heads" && heads_are_set; }
};

// Why the reader would refuse this one; none if it would not.
inline std::vector<std::string> refusals_of(const Case& c) {
  Refusals refusals(c);
  c.config()->check(c.dims(), refusals);
  return refusals.reasons;
}

// Every variant of a stage with the usual other stages, with one head and two, queries of the keys'
// width and of another, inside a block and outside, at every place.
inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  std::set<std::string> known;
  const auto add_places = [&](const Case& base) {
    for (const int64_t heads : {1, 2}) {
      for (const auto& [query, block] : {std::pair{8, 0}, std::pair{8, 8}, std::pair{6, 0}}) {
        for (const Place place : {Place::kCross, Place::kEncoderSelf, Place::kDecoderSelf}) {
          Case c = base;
          c.heads = heads;
          c.query = query;
          c.block = block;
          c.place = place;
          if (query != kKey && place != Place::kCross) continue;
          if (refusals_of(c).empty() && known.insert(c.name()).second) cases.push_back(c);
        }
      }
    }
  };
  for (const auto& [score, text] : variants(scorers())) add_places({.score = score});
  for (const auto& [normalizer, text] : variants(normalizers())) {
    for (const char* score : {"scaled_dot", "additive"})
      add_places({.score = score, .normalizer = normalizer});
  }
  for (const auto& [read, text] : variants(readouts())) add_places({.read = read});
  for (const auto& [term, text] : variants(terms_with_those_of_tests())) {
    for (const char* score : {"scaled_dot", "additive"}) add_places({.score = score, .term = term});
  }
  return cases;
}

// [R,T] positions begin, begin+1, …
inline Tensor positions_from(int64_t begin, int64_t rows, int64_t count) {
  return torch::arange(begin, begin + count, torch::kLong).expand({rows, count});
}

}  // namespace heed
