// `heed import marian` and `heed export marian`.
#include <gmock/gmock.h>

#include "cli/program.h"

namespace heed {
namespace {

using testing::HasSubstr;

class MarianOfTheProgram : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static std::string fixture(const std::string& name) {
    return source_folder() + "/tests/exchange/fixtures/marian_networks/" + name;
  }
  Outcome run(const Arguments& arguments, const std::string& input = "") const {
    return run_heed(arguments, {.input = input, .folder = folder_.path()});
  }
  std::string translated(const std::string& model, const Arguments& options = {}) const {
    const Outcome outcome =
        run(joined({"translate", model, "--beam", "1"}, options), "the dog sees\na tree\n");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), 2u);
    return outcome.out;
  }
  TemporaryFolder folder_;
};

TEST_F(MarianOfTheProgram, IsImportedWithTheVocabulariesBesideItOrNamed) {
  holds({"heed import marian", "--output", "--source-vocab", "--target-vocab", "--source-spm",
         "--target-spm"});
  ASSERT_EQ(run({"import", "marian", fixture("pre"), "-o", "found"}).exit_code, 0);
  std::filesystem::copy(fixture("pre/model.npz"), folder_ / "model.npz");
  EXPECT_EQ(run({"import", "marian", "model.npz", "-o", "none"}).exit_code, 4);
  const Arguments named{"import",
                        "marian",
                        "model.npz",
                        "--source-vocab",
                        fixture("pre/vocab.src.yml"),
                        "--target-vocab",
                        fixture("pre/vocab.trg.yml")};
  const Outcome outcome = run(joined(named, {"-o", "named"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(translated("named"), translated("found"));
  for (const char* option : {"--source-spm", "--target-spm"}) {
    const Outcome wrong = run(joined(named, {"-o", "wrong", option, fixture("pre/expected.json")}));
    EXPECT_EQ(wrong.exit_code, 4) << wrong.err;
    EXPECT_THAT(wrong.err, HasSubstr("expected.json"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "wrong"));
  }
}

TEST_F(MarianOfTheProgram, IsExportedInEachFormat) {
  holds({"heed export marian", "--format", "--shortlist", "--calibrate"});
  ASSERT_EQ(run({"import", "marian", fixture("ssru"), "-o", "model"}).exit_code, 0);
  const std::string before = translated("model");
  for (const std::string format : {"npz", "bin"}) {
    const Outcome outcome = run({"export", "marian", "model", format, "--format", format});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    ASSERT_EQ(run({"import", "marian", format, "-o", format + "-again"}).exit_code, 0);
    EXPECT_EQ(translated(format + "-again"), before);
  }
  write_plainly(folder_ / "lines", "the dog sees\na tree\n");
  const Outcome learned =
      run({"shortlist", "model", "--source", "lines", "--target", "lines", "-o", "lexicon"});
  ASSERT_EQ(learned.exit_code, 0) << learned.err;
  EXPECT_FAILS(run({"export", "marian", "model", "odd", "--calibrate", "lines"}), 2,
               "--calibrate: is for --format int8");
  const Outcome outcome = run({"export", "marian", "model", "int8", "--format", "int8",
                               "--calibrate", "lines", "--shortlist", "lexicon"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "int8/model.intgemm.alphas.bin"));
  ASSERT_EQ(run({"import", "marian", "int8", "-o", "int8-again"}).exit_code, 0);
  EXPECT_FALSE(translated("int8-again").empty());
  EXPECT_FALSE(translated("int8-again", {"--shortlist", "int8/lex.s2t.bin"}).empty());
}

}  // namespace
}  // namespace heed
