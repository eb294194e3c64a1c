#include "text/vocabulary.h"

#include "holds.h"
#include "text_test_tools.h"

namespace heed {
namespace {

TEST(Vocabulary, BeginsWithTheSpecials) {
  const Vocabulary vocabulary({"b", "a"});
  EXPECT_EQ(vocabulary.size(), 6);
  EXPECT_EQ(vocabulary.piece(kPad), "<pad>");
  EXPECT_EQ(vocabulary.piece(kUnknown), "<unk>");
  EXPECT_EQ(vocabulary.piece(kBegin), "<s>");
  EXPECT_EQ(vocabulary.piece(kEnd), "</s>");
  EXPECT_EQ(vocabulary.id("b"), 4);
  EXPECT_EQ(vocabulary.id("a"), 5);
  EXPECT_EQ(vocabulary.id("c"), kUnknown);
  EXPECT_EQ(Vocabulary().size(), 4);
}

TEST(Vocabulary, OrdersByCountThenByBytes) {
  // "ä" is 0xC3 0xA4, behind every ASCII letter by bytes.
  const auto vocabulary =
      Vocabulary::from_counts({{"ä", 2}, {"z", 2}, {"a", 2}, {"rare", 1}, {"the", 9}}, 0, 2);
  EXPECT_EQ(vocabulary, Vocabulary({"the", "a", "z", "ä"}));
}

TEST(Vocabulary, KeepsToItsLargestSize) {
  const std::map<std::string, int64_t> counts = {{"a", 3}, {"b", 2}, {"c", 2}, {"d", 1}};
  EXPECT_EQ(Vocabulary::from_counts(counts, 2, 1), Vocabulary({"a", "b"}));
}

TEST(Vocabulary, LeavesSpecialsOfTheTextOut) {
  EXPECT_EQ(Vocabulary::from_counts({{"</s>", 5}, {"a", 1}}, 0, 1), Vocabulary({"a"}));
}

TEST(Vocabulary, RefusesWhatIsNoListOfPieces) {
  EXPECT_ERROR(Vocabulary({"a", "b", "a"}), ErrorKind::kData, "line 3: the token is 'a'");
  EXPECT_ERROR(Vocabulary({"a", ""}), ErrorKind::kData, "line 2: the token is empty");
  EXPECT_ERROR(Vocabulary({"<s>"}), ErrorKind::kData, "line 1: the token is '<s>'");
  EXPECT_ERROR(Vocabulary({"a\nb"}), ErrorKind::kData, "line break");
}

TEST(Vocabulary, ComesBackFromItsFile) {
  const TemporaryFolder folder;
  const Vocabulary vocabulary({"▁the", " ", "ä", std::string("\0", 1), "a b"});
  vocabulary.save(folder / "v");
  EXPECT_EQ(read_plainly(folder / "v"), std::string("▁the\n \nä\n\0\na b\n", 18));
  EXPECT_EQ(Vocabulary::load(folder / "v"), vocabulary);
  EXPECT_EQ(Vocabulary::load(folder / "v").hash(), vocabulary.hash());
}

TEST(Vocabulary, ReadsFilesOfOthers) {
  const TemporaryFolder folder;
  write_plainly(folder / "crlf", "one\r\ntwo");
  EXPECT_EQ(Vocabulary::load(folder / "crlf"), Vocabulary({"one", "two"}));
}

TEST(Vocabulary, NamesFileAndLineOfAMistake) {
  const TemporaryFolder folder;
  write_plainly(folder / "v", "one\ntwo\none\n");
  EXPECT_ERROR(Vocabulary::load(folder / "v"), ErrorKind::kData, (folder / "v").string());
  EXPECT_ERROR(Vocabulary::load(folder / "v"), ErrorKind::kData, "line 3");
  EXPECT_ERROR(Vocabulary::load(folder / "missing"), ErrorKind::kIo, "missing");
}

// Lists of subword-nmt and fairseq, of OpenNMT-py and SentencePiece, of Marian and of transformers.
TEST(Vocabulary, RefusesTokensWithNumbers) {
  const TemporaryFolder folder;
  const auto refuses = [&](const std::string& text, const std::string& part) {
    write_plainly(folder / "v", text);
    EXPECT_ERROR(Vocabulary::load(folder / "v"), ErrorKind::kData, part);
  };
  const std::string path = (folder / "v").string();
  refuses("cat 12\ndog 9\n",
          path +
              ":1: found 'cat 12', a token with a number, expected a token alone; "
              "take the first column: cut -d ' ' -f 1 " +
              path);
  refuses("<unk>\ncat\t12\ndog\t9\n", path + ":2: found 'cat\t12'");
  refuses("\u2581the\t-3.25\n\u2581a\t-4\n", "take the first column: cut -f 1 ");
  refuses("</s>: 0\n<unk>: 1\n\"cat\": 2\n", "write the tokens of this YAML or JSON alone");
  refuses("{\"<s>\":0,\"cat\":1}\n", "write the tokens of this YAML or JSON alone");
  refuses("{\n  \"<s>\": 0,\n  \"cat\": 1\n}\n", "write the tokens of this YAML or JSON alone");
  refuses("     12 cat\n      9 dog\n",
          path +
              ":1: found '     12 cat', a token with a number, expected a token alone; "
              "take the second column: awk '{print $2}' " +
              path);
  refuses("12\tcat\n9\tdog\n", "take the second column: awk");
  refuses("[\n  \"cat\",\n  \"dog\"\n]\n",
          path + ":2: found '  \"cat\",', tokens in quotation marks, expected a token alone");
  refuses("[\"cat\", \"dog\"]\n", "tokens in quotation marks");
  refuses("cat \ndog \n", "'cat ', a token with a space behind it");
  refuses("", path + ": is empty, expected a token in each line");
  refuses("<unk>\n<pad>\n<s>\n</s>\ncat\n",
          "found <unk> (line 1), <pad> (line 2), <s> (line 3), </s> (line 4), special tokens");
  write_plainly(folder / "v", "cat\n12\ndog 1\n3.5\n");
  EXPECT_EQ(Vocabulary::load(folder / "v"), Vocabulary({"cat", "12", "dog 1", "3.5"}));
  write_plainly(folder / "v", "\"\n \n,\n[\n\"\"\n");  // characters
  EXPECT_EQ(Vocabulary::load(folder / "v"), Vocabulary({"\"", " ", ",", "[", "\"\""}));
}

// Tokens that LineReader would change at the ends of a line.
TEST(Vocabulary, ComesBackByteForByte) {
  const TemporaryFolder folder;
  const Vocabulary vocabulary(
      {"\xEF\xBB\xBF"
       "a",
       "b\r", "\r", "c 1", "d 2", "e 3", "f 4"});
  vocabulary.save(folder / "v");
  EXPECT_EQ(Vocabulary::load_saved(folder / "v"), vocabulary);
}

TEST(Vocabulary, HashTellsOrderAndContent) {
  holds({"heed inspect"});
  EXPECT_NE(Vocabulary({"a", "b"}).hash(), Vocabulary({"b", "a"}).hash());
  EXPECT_NE(Vocabulary({"a", "b"}).hash(), Vocabulary({"ab"}).hash());
  EXPECT_EQ(Vocabulary({"a", "b"}).hash(), Vocabulary({"a", "b"}).hash());
}

}  // namespace
}  // namespace heed
