// Damaged normaliser tables, for which SentencePiece itself reads beyond its memory.
#include <gmock/gmock.h>

#include <cstring>

#include "base/random.h"
#include "base/utf8.h"
#include "text/normalizer_table.h"
#include "text/sentencepiece.h"
#include "text/sentencepiece_file.h"
#include "text/sentencepiece_trainer.h"
#include "text_test_tools.h"

namespace heed {
namespace {

// A model with the table of nmt_nfkc, and the position of this table in the file: its field is the
// longest.
struct Model {
  std::string bytes;
  size_t table = 0, size = 0;
};

const Model& model() {
  static const Model model = [] {
    SubwordTraining training{.size = 80, .sample = 500};
    Model result{.bytes = train_sentencepiece(training, source_of(some_sentences(500)))};
    // The bytes are the name of the rule, then field 2 and its length as a varint of three bytes.
    const size_t name = result.bytes.find("nmt_nfkc", result.bytes.rfind("nmt_nfkc") - 20);
    const auto* at = reinterpret_cast<const unsigned char*>(result.bytes.data() + name + 8);
    EXPECT_EQ(at[0], 2 << 3 | 2);
    result.size = (at[1] & 0x7FU) | (at[2] & 0x7FU) << 7 | (at[3] & 0x7FU) << 14;
    result.table = name + 12;
    return result;
  }();
  return model;
}

std::string table() { return model().bytes.substr(model().table, model().size); }

TEST(NormalizerTable, OfSentencePieceIsWhole) {
  ASSERT_GT(model().size, 100'000u);
  EXPECT_EQ(find_normalizer_fault(table()), "");
  EXPECT_EQ(find_normalizer_fault(""), "");
}

TEST(NormalizerTable, RefusesWhatIsCutOff) {
  for (const size_t size : {size_t{1}, size_t{3}, size_t{4}, size_t{5}, size_t{1000},
                            model().size / 2, model().size - 1}) {
    EXPECT_NE(find_normalizer_fault(table().substr(0, size)), "") << size;
  }
}

// The fuzzer found this: a trie without units.
TEST(NormalizerTable, RefusesAnEmptyTrie) {
  EXPECT_EQ(find_normalizer_fault(std::string(5, '\0')), "its normaliser table is damaged");
}

TEST(NormalizerTable, RefusesOffsetsBeyondIt) {
  std::string bytes = table();
  const uint32_t far = uint32_t{1} << 30;
  std::memcpy(bytes.data() + 4, &far, sizeof far);  // the root of the trie
  EXPECT_EQ(find_normalizer_fault(bytes), "its normaliser table is damaged");
}

constexpr const char* kOdd = "ﬁ ① Ａ ㌀ é e\xCC\x81 …";

// Expects that the damage is found or that the tokenizer still works.
void expect_no_crash(const std::string& bytes) {
  try {
    const SentencePieceTokenizer tokenizer(bytes, "damaged", false);
    std::string line;
    for (char32_t c = 1; c < 0x3100; c += 7) append_code_point(line, c);
    tokenizer.decode(tokenizer.encode(line));
    tokenizer.encode(kOdd);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModel);
  }
}

TEST(NormalizerTable, WithTenFlippedBitsNeverCrashes) {
  RandomStream random(stream_key(1, "flipped bits"));
  for (int trial = 0; trial < 60; ++trial) {
    std::string bytes = model().bytes;
    for (int flip = 0; flip < 10; ++flip)
      bytes[random.below(bytes.size())] ^= static_cast<char>(1 << random.below(8));
    expect_no_crash(bytes);
  }
}

// The seeds are files that the fuzzer found, and files that it started with.
TEST(NormalizerTable, OfTheFuzzersSeedsNeverCrashes) {
  const char* source = std::getenv("HEED_SOURCE");
  ASSERT_NE(source, nullptr);
  int64_t seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(source) /
                                                               "tests/fuzz/seeds/sentencepiece")) {
    expect_no_crash(read_plainly(entry.path()));
    ++seeds;
  }
  EXPECT_GE(seeds, 3);
}

TEST(SentencePiece, ThatLeavesTextUnreadIsADamagedModel) {
  const std::string path =
      std::string(std::getenv("HEED_SOURCE")) + "/tests/fuzz/seeds/sentencepiece/unconsumed.model";
  const SentencePieceTokenizer tokenizer(read_plainly(path), path, false);
  EXPECT_ERROR(tokenizer.encode(kOdd), ErrorKind::kModel, "the SentencePiece model is damaged");
}

}  // namespace
}  // namespace heed
