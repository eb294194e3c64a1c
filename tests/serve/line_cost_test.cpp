#include "serve/line_cost.h"

#include <gtest/gtest.h>

#include "serve/test_lines.h"

namespace heed {
namespace {

// Beside a usual search with a beam of 5.
LineKind kind(const SearchConfig& search, const std::string& text,
              const LexicalConstraints& phrases = {}) {
  TestLines lines;
  lines.how->search = search;
  QueuedLine line = lines.line(text, nullptr);
  line.phrases = std::make_shared<const LexicalConstraints>(phrases);
  return kind_of(line, {});
}

TEST(LineCost, KindsDependOnTheWorkOfALine) {
  const std::string sentence(100, 'a'), paragraph(1'000, 'a'), page(10'000, 'a');
  EXPECT_EQ(kind({}, sentence), LineKind::kShort);
  EXPECT_EQ(kind({}, paragraph), LineKind::kLong);
  EXPECT_EQ(kind({}, page), LineKind::kVeryLong);
  SearchConfig wide;
  wide.beam = 32;
  EXPECT_EQ(kind(wide, "a"), LineKind::kLong);  // in a batch with others it would widen them all
  EXPECT_EQ(kind(wide, page), LineKind::kVeryLong);
  SearchConfig endless;
  endless.max_length_extra = 2'000;
  EXPECT_EQ(kind(endless, "a"), LineKind::kLong);
  LexicalConstraints phrases{.prefix = "", .phrases = {"a few words"}, .avoided = {"b"}};
  EXPECT_EQ(kind({}, sentence, phrases), LineKind::kShort);
  phrases.phrases = {std::string(10'000, 'a')};
  EXPECT_EQ(kind({}, sentence, phrases), LineKind::kVeryLong);
}

// TransformerEngine::bytes() of 6 layers of width 512: 30,720 a token of a hypothesis.
TEST(LineCost, MemoryIsThatOfAllHypothesesAtTheirLongest) {
  Request request;
  request.source.sources = {Ids(10)};
  request.config.sampling.emplace();
  request.config.nbest = 32;
  request.config.max_length_ratio = 0;
  request.config.max_length_extra = 2'000;
  const DecodingBytes bytes{.target_token = 30'720, .source_token = 24'576};
  const int64_t plain = bytes_of(request, bytes);
  EXPECT_GE(plain, 32 * 2'000 * int64_t{30'720});
  EXPECT_LE(plain, 32 * 2'001 * int64_t{30'720 + 64 + 256} + 11 * 24'576);
  request.attention = true;
  EXPECT_EQ(weights_of(request), 11 * 2'001 * 32);
  EXPECT_GE(bytes_of(request, bytes) - plain, 11 * 2'000 * 32 * int64_t{4 + 16});
}

}  // namespace
}  // namespace heed
