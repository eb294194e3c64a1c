#include "text/byte_bpe.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "config/reader.h"
#include "holds.h"
#include "text/byte_bpe_words.h"
#include "text/codecs.h"
#include "text/line_language.h"
#include "text/text_config.h"
#include "text_test_tools.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;
using testing::ElementsAre;

// scripts/fixtures/byte_bpe.py
std::filesystem::path byte_bpe_fixture(const std::string& name) {
  const char* source = std::getenv("HEED_SOURCE");
  return std::filesystem::absolute(source == nullptr ? "." : source) /
         "tests/text/fixtures/byte_bpe" / name;
}

nlohmann::json fixture_json(const std::string& name) {
  std::ifstream file(byte_bpe_fixture(name));
  return nlohmann::json::parse(file);
}

ByteBpeTokenizer fixture_tokenizer(bool prefix_space) {
  return {read_file(byte_bpe_fixture("merges.txt")), "merges.txt", prefix_space, false};
}

TEST(ByteBpe, HasThePiecesOfBartTokenizer) {
  holds({"text.NAME=byte_bpe", "text.NAME.merges", "text.NAME.prefix_space"});
  const ByteBpeTokenizer plain = fixture_tokenizer(false), prefixed = fixture_tokenizer(true);
  const nlohmann::json lines = fixture_json("lines.json");
  ASSERT_GE(lines.size(), 40u);
  for (const nlohmann::json& one : lines) {
    const std::string line = one["line"];
    const bool is_white = line.find_first_not_of(' ') == std::string::npos;  // no pieces in heed
    EXPECT_EQ(plain.encode(line), is_white ? Pieces() : one["pieces"].get<Pieces>()) << line;
    EXPECT_EQ(prefixed.encode(line), is_white ? Pieces() : one["prefixed"].get<Pieces>()) << line;
    EXPECT_EQ(plain.decode(one["pieces"].get<Pieces>()), one["text"].get<std::string>());
    EXPECT_EQ(plain.decode(plain.encode(line)), is_white ? "" : line);
    if (!line.starts_with(' ')) {
      EXPECT_EQ(prefixed.decode(prefixed.encode(line)), line);
    }
  }
}

TEST(ByteBpe, HasThePiecesOfBartTokenizerForRealText) {
  const char* corpora = std::getenv("HEED_CORPORA");
  if (corpora == nullptr) GTEST_SKIP() << "HEED_CORPORA names no folder";
  const ByteBpeTokenizer tokenizer = fixture_tokenizer(false);
  const nlohmann::json hashes = fixture_json("flores.json");
  ASSERT_GE(hashes.size(), 8u);
  for (const auto& [name, hash] : hashes.items()) {
    std::ifstream file(std::filesystem::path(corpora) / "flores200-devtest" / name);
    std::string all;
    int count = 0;
    for (std::string line; std::getline(file, line); ++count) {
      std::string pieces;
      for (const std::string& piece : tokenizer.encode(line))
        pieces += (pieces.empty() ? "" : " ") + piece;
      all += pieces + "\n";
      EXPECT_EQ(tokenizer.decode(tokenizer.encode(line)), line);
    }
    EXPECT_GT(count, 1000) << name;
    EXPECT_EQ(hash_bytes(all), hash.get<std::string>()) << name;
  }
}

TEST(ByteBpe, SplitsAsTheExpressionOfGpt2) {
  EXPECT_THAT(byte_bpe_words("I'm 42.  x\t\ty 's"),
              ElementsAre("I", "'m", " 42", ".", " ", " x", "\t", "\t", "y", " '", "s"));
  EXPECT_THAT(byte_bpe_words("'ll'LL"), ElementsAre("'ll", "'", "LL"));
  EXPECT_THAT(byte_bpe_words("a  "), ElementsAre("a", "  "));
  EXPECT_THAT(byte_bpe_words(""), ElementsAre());
}

// A merge is made wherever it is possible before the next: "abca" does not come of the first two.
TEST(ByteBpe, MakesAMergeEverywhereBeforeTheNext) {
  const ByteBpeTokenizer tokenizer("b c\na b\nab c\nabc a\na bc\n", "m", false, false);
  EXPECT_EQ(tokenizer.encode("abcabc"), (Pieces{"abc", "abc"}));
  EXPECT_EQ(ByteBpeTokenizer("a a\n", "m", false, false).encode("aaaaa"),
            (Pieces{"aa", "aa", "a"}));
}

TEST(ByteBpe, WritesBytesThatAreNoTextAsReplacements) {
  const ByteBpeTokenizer tokenizer("", "m", false, false);
  EXPECT_EQ(tokenizer.encode("ä "), (Pieces{"Ã", "¤", "Ġ"}));
  EXPECT_EQ(tokenizer.decode({"Ã", "a", "<unk>", "Ġ", "¤"}), "\uFFFDa<unk> \uFFFD");
  EXPECT_EQ(ByteBpeTokenizer("", "m", false, true).encode("Ä"), (Pieces{"Ã", "¤"}));
  EXPECT_EQ(tokenizer.own_pieces().size(), 256u);
}

TEST(ByteBpe, OfDamagedMergesNamesTheLine) {
  const auto expect_refused = [](const std::string& merges, const std::string& part) {
    EXPECT_ERROR(ByteBpeTokenizer(merges, "merges.txt", false, false), ErrorKind::kModel, part);
  };
  expect_refused("#version: 0.2\na b\nc", "merges.txt: line 3: found 'c', expected the two pieces");
  expect_refused("a b c\n", "line 1: found 'a b c'");
  expect_refused("a b\n\nc d\n", "line 2: found ''");
  expect_refused("ab c\n", "line 1: no byte and no earlier merge makes 'ab'");
  expect_refused("a b\na b\n", "line 2: 'a b' is there twice");
  expect_refused("a \xFF\n", "line 1");
}

TEST(ByteBpe, OfAConfigIsLoadedAndSaved) {
  holds({"text.NAME.begin"});
  const TemporaryFolder folder;
  std::ofstream(folder / "m") << "a b\n";
  std::ofstream(folder / "v") << ">>s<<\nab\na\nĠ\n";
  TextSection section;
  read_config_text(fmt::format("text: {{source: {{type: byte_bpe, merges: {}, begin: true, "
                               "vocabulary: {{file: {}}}}}}}",
                               (folder / "m").string(), (folder / "v").string()),
                   "c", section);
  const Codecs codecs = build_codecs(section.text, {{"source", [](const auto&) {}}}, 1);
  save_codecs(folder.path(), section.text, codecs);
  std::filesystem::remove(folder / "m");
  const Codecs loaded = load_codecs(folder.path(), section.text);
  const Codec& codec = *loaded.at("source");
  const int32_t first = kSpecials;
  EXPECT_EQ(codec.encode("ab ac"), (Ids{first, first + 1, first + 3, first + 2, kUnknown}));
  EXPECT_EQ(codec.decode(codec.encode("ab a")), "ab a");
  EXPECT_EQ(codec.opening(), first);
  EXPECT_EQ(codec.encode(">>s<<a").size(), 7u);  // no language of the line
  EXPECT_ERROR(ByteBpeConfig().make({}, 1), ErrorKind::kUsage, "merges is missing");
}

}  // namespace
}  // namespace heed
