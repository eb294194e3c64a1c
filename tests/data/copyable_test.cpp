#include "data/copyable.h"

#include "data/pair_encoder.h"
#include "data_test_tools.h"

namespace heed {
namespace {

// The vocabulary is <pad> <unk> <s> </s> the cat, so V is 6.
std::shared_ptr<const Codec> codec_of(const std::vector<std::string>& words) {
  return std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                       std::make_shared<const Vocabulary>(words));
}

TEST(Copyable, GivesUnknownPiecesIdsOfTheirOwn) {
  const Copyable copied =
      copyable({"the", "dog", "and", "the", "dog", "</s>"}, Vocabulary({"the", "cat"}));
  EXPECT_EQ(copied.ids, (Ids{4, 6, 7, 4, 6, 8}));
  EXPECT_EQ(copied.behind, (std::vector<std::string>{"dog", "and", "</s>"}));
}

TEST(Copyable, TellsATargetsUnknownPiecesByThoseOfItsSource) {
  const Vocabulary vocabulary({"the", "cat"});
  const Copyable source = copyable({"a", "dog"}, vocabulary);
  EXPECT_EQ(
      with_copied({4, kUnknown, kUnknown, 5}, {"the", "dog", "bird", "cat"}, source, vocabulary),
      (Ids{4, 7, kUnknown, 5}));
}

TEST(PairEncoder, CopiesByWhatIsWrittenWhateverTheSourcesVocabulary) {
  const PairEncoder encoder{.codecs = {codec_of({"dog"}), codec_of({"the", "cat"})}, .copied = 0};
  const Example example = encoder.encode({"the dog runs", "the dog"});
  EXPECT_EQ(example.sources, (std::vector<Ids>{{kUnknown, 4, kUnknown}}));
  ASSERT_TRUE(example.copyable.has_value());
  EXPECT_EQ(example.copyable->ids, (Ids{4, 6, 7}));
  EXPECT_EQ(example.target, (Ids{4, 6}));
}

TEST(PairEncoder, CopiesOnlyWhatIsLeftOfALineThatIsCut) {
  const PairEncoder encoder{.codecs = {codec_of({"dog"}), codec_of({"the", "cat"})}, .copied = 0};
  const Example example = encoder.encode({"the dog runs", "runs dog the"}, {}, {2, 2});
  EXPECT_EQ(example.copyable->ids, (Ids{4, 6}));
  EXPECT_EQ(example.target, (Ids{kUnknown, 6}));
}

TEST(PairEncoder, KnowsNothingOfCopyingUnlessAsked) {
  const PairEncoder encoder{.codecs = {codec_of({"dog"}), codec_of({"the", "cat"})}};
  const Example example = encoder.encode({"the dog", "the dog"});
  EXPECT_FALSE(example.copyable.has_value());
  EXPECT_EQ(example.target, (Ids{4, kUnknown}));
}

TEST(Codec, WritesWhatStandsBehindItsVocabulary) {
  const auto codec = codec_of({"the", "cat"});
  EXPECT_EQ(codec->decode(codec->pieces({4, 7, kUnknown, kEnd}, {"a", "dog"})), "the dog <unk>");
}

}  // namespace
}  // namespace heed
