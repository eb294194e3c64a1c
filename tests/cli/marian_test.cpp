// `heed import marian` and `heed export marian`.
#include <gmock/gmock.h>

#include "cli/trained_model.h"
#include "exchange/fixtures.h"

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
  holds({"heed export marian", "--format"});
  ASSERT_EQ(run({"import", "marian", fixture("ssru"), "-o", "model"}).exit_code, 0);
  const std::string before = translated("model");
  for (const std::string format : {"npz", "bin"}) {
    const Outcome outcome = run({"export", "marian", "model", format, "--format", format});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    ASSERT_EQ(run({"import", "marian", format, "-o", format + "-again"}).exit_code, 0);
    EXPECT_EQ(translated(format + "-again"), before);
  }
}

// Texts of a greedy search by the formulas of Marian's source (scripts/fixtures/marian_recurrent.py).
TEST_F(MarianOfTheProgram, OfRecurrentCellsTranslatesAsItsFormulas) {
  holds({"heed import marian", "heed export marian"});
  for (const std::string name :
       {"gru", "lstm", "tanh", "deep", "best_deep", "lstm_norm", "amun", "nematus"}) {
    SCOPED_TRACE(name);
    const std::string from = source_folder() + "/tests/exchange/fixtures/marian_recurrent/" + name;
    const auto expected = nlohmann::json::parse(read_plainly(from + "/expected.json"));
    std::string sources, texts;
    for (const auto& one : expected["cases"]) {
      sources += one["source"].get<std::string>() + "\n";
      texts += one["greedy_text"].get<std::string>() + "\n";
    }
    const auto greedy = [&](const std::string& model) {
      return run({"translate", model, "--beam", "1", "--max-length", "12"}, sources).out;
    };
    ASSERT_EQ(run({"import", "marian", from, "-o", name}).exit_code, 0);
    EXPECT_EQ(greedy(name), texts);
    ASSERT_EQ(run({"export", "marian", name, name + "-marian"}).exit_code, 0);
    ASSERT_EQ(run({"import", "marian", name + "-marian", "-o", name + "-again"}).exit_code, 0);
    EXPECT_EQ(greedy(name + "-again"), texts);
  }
}

// Matrices of intgemm have widths that are multiples of 64.
TEST_F(MarianOfTheProgram, IsExportedInEightBits) {
  holds({"heed export marian", "--format", "--shortlist", "--calibrate"});
  write_toy_corpus(folder_.path());
  std::string config = toy_config("run");
  const size_t begin = config.find("model:");
  const std::string stack =
      "type: transformer, layers: 1, width: 64, feed_forward: 64, norm: post, activation: relu, "
      "positions: {type: sinusoidal, layout: marian}";
  config.replace(begin, config.find("train:", begin) - begin,
                 "model:\n  embedding: {width: 64, tie: all, zero_begin: true}\n  encoder: {" +
                     stack + ", self_attention: {heads: 2}}\n  decoder: {" + stack +
                     ", self_attention: ssru, attention: {heads: 2}}\n");
  write_plainly(folder_ / "student.yaml", config);
  const Outcome trained =
      run({"train", "student.yaml", "--set", "train.max_updates=5", "--set", "data.valid=[]"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Arguments export_to{"export", "marian", "run"};
  EXPECT_FAILS(run(joined(export_to, {"odd", "--calibrate", "train.src"})), 2,
               "--calibrate: is for --format int8");
  EXPECT_EQ(run(joined(export_to, {"odd", "--format", "int8"})).exit_code, 2);
  write_plainly(folder_ / "blank", "\n \n");
  EXPECT_FAILS(run(joined(export_to, {"odd", "--format", "int8", "--calibrate", "blank"})), 3,
               "blank: has no line with text");
  const Outcome learned =
      run({"shortlist", "run", "--source", "train.src", "--target", "train.tgt", "-o", "lexicon"});
  ASSERT_EQ(learned.exit_code, 0) << learned.err;
  const Outcome outcome = run(joined(export_to, {"int8", "--format", "int8", "--calibrate",
                                                 "train.src", "--shortlist", "lexicon"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "int8/model.intgemm.alphas.bin"));
  ASSERT_EQ(run({"import", "marian", "int8", "-o", "again"}).exit_code, 0);
  const std::string whole = run({"translate", "again", "--beam", "1"}, "a b\nc\n").out;
  EXPECT_EQ(lines_of(whole).size(), 2u);
  // All ten words are on the list.
  EXPECT_EQ(run({"translate", "again", "--beam", "1", "--shortlist", "int8/lex.s2t.bin",
                 "--shortlist-best", "50"},
                "a b\nc\n")
                .out,
            whole);
}

}  // namespace
}  // namespace heed
