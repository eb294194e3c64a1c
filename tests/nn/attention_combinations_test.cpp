// Every score with every normalizer, every term or none and every read-out, at every place and in
// every decoder: refused by the reader with a reason, or built, stepped and equal to the equations.
#include <gtest/gtest.h>

#include <cstdio>

#include "nn/attention_definition.h"

namespace heed {
namespace {

struct Where {
  const char* name;
  Place place;
  int64_t query, block;
};
constexpr Where kPlaces[] = {{"encoder", Place::kEncoderSelf, kKey, kKey},
                             {"past of a Transformer", Place::kDecoderSelf, kKey, kKey},
                             {"source of a recurrent decoder", Place::kCross, 6, 0},
                             {"source of a Transformer", Place::kCross, kKey, kKey},
                             {"source of a convolutional decoder", Place::kCross, kKey, 0}};
constexpr int64_t kLength = 4;  // keys of the sentence, and one behind it

std::vector<Case> whole_product() {
  std::vector<std::string> terms = {""}, reads;
  for (const auto& [name, text] : variants(heed::terms())) {
    if (!name.starts_with("test_")) terms.push_back(name);
  }
  for (const auto& [name, text] : variants(readouts())) reads.push_back(name);
  std::vector<Case> cases;
  for (const auto& [score, score_text] : variants(scorers())) {
    for (const auto& [normalizer, normalizer_text] : variants(normalizers())) {
      for (const std::string& term : terms) {
        for (const std::string& read : reads) {
          for (const Where& where : kPlaces) {
            cases.push_back({.score = score,
                             .normalizer = normalizer,
                             .read = read,
                             .term = term,
                             .heads = score.starts_with("multi_dim") ? 1 : 2,
                             .query = where.query,
                             .block = where.block,
                             .place = where.place});
          }
        }
      }
    }
  }
  return cases;
}

// One sentence, at once and query by query; whether both equal the equations.
void compare(const Case& c) {
  const auto attention = build(*c.config(), c.dims());
  fill(*attention);
  const Tensor query = uniform({1, kQueries, c.query}, "query", 1.5),
               keys = c.own_past() ? query : uniform({1, kKeys, kKey}, "keys", 1.5),
               values = c.own_past() ? query : uniform({1, kKeys, kKey}, "values");
  const auto begin = [&] {
    Pass pass;
    pass.keep_weights = true;
    State state(attention->layout(), 1, pass, torch::kCPU);
    if (!c.own_past()) {
      Source source = make_source(keys, torch::tensor({kLength}, torch::kLong));
      source.values = values;
      source.features = features_of(1, kKeys);
      source.features[kWordStates] = values;
      attention->start({{"source", source}}, state.view());
    }
    return state;
  };
  const auto read = [&](State& state, int64_t first, int64_t count) {
    const Tensor part = query.narrow(1, first, count), positions = positions_from(first, 1, count);
    return c.own_past() ? attention->attend_past(part, part, part, positions, state.view())
                        : attention->attend(part, positions, state.view());
  };
  State at_once = begin(), stepped = begin();
  const Attended all = read(at_once, 0, kQueries);

  Sentence sentence{.query = matrix_of(query[0]),
                    .keys = matrix_of(keys[0]),
                    .values = matrix_of(values[0]),
                    .mask = {},
                    .lengths = {}};
  for (size_t t = 0; t < sentence.query.rows; ++t)
    sentence.lengths.push_back(c.own_past() ? t + 1 : static_cast<size_t>(kLength));
  sentence.mask = reference::mask_of(sentence.query.rows, sentence.keys.rows,
                                     [&](size_t t, size_t s) { return s < sentence.lengths[t]; });
  const Expected expected = Definition(c, *attention).read(sentence);
  expect_close(all.context[0], tensor_of(expected.context), kExact, "context");
  for (size_t h = 0; h < expected.weights.size(); ++h) {
    expect_close(all.weights[0][static_cast<int64_t>(h)], tensor_of(expected.weights[h]), kExact,
                 "weights");
  }
  for (int64_t t = 0; t < kQueries && !c.takes_all_queries(); ++t)
    expect_close(read(stepped, t, 1).context.select(1, 0), all.context.select(1, t), kExact,
                 "step");
}

TEST(SlowCombinations, AreRefusedWithAReasonOrEqualTheEquations) {
  const torch::NoGradGuard no_grad;
  const std::vector<Case> all = whole_product();
  size_t refused = 0, compared = 0;
  for (const Case& c : all) {
    const std::vector<std::string> reasons = refusals_of(c);
    if (!reasons.empty()) {
      ++refused;
      for (const std::string& reason : reasons) EXPECT_GT(reason.size(), 20U) << c.name();
      continue;
    }
    SCOPED_TRACE(c.name());
    ++compared;
    compare(c);
    if (testing::Test::HasFailure()) break;
  }
  std::printf("%zu combinations: %zu compared, %zu refused\n", all.size(), compared, refused);
  EXPECT_EQ(compared + refused, all.size());
  EXPECT_GT(compared, all.size() / 4);
}

}  // namespace
}  // namespace heed
