// Packed models in each command that takes a model.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/opened_libraries.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class PackedToy : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  // Packs runs/toy, and returns the messages.
  static std::string pack(const std::string& file, const Arguments& options = {}) {
    fs::remove(toy().path() / file);
    const Outcome outcome = toy().run(joined({"pack", "runs/toy", "-o", file}, options));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
  static std::string output(const Arguments& arguments) {
    const Outcome outcome = toy().run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  static Outcome refused(const Arguments& arguments, int exit_code) {
    const Outcome outcome = toy().run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome;
  }
  static ToyWorkshop& toy() { return ToyWorkshop::trained(); }
};

TEST_F(PackedToy, TranslatesAsTheModelInItsPrecision) {
  holds({"heed pack", "--precision", "--output"});
  for (const char* precision : {"int8", "bf16", "fp32"}) {
    pack("toy.heed", {"--precision", precision});
    const Arguments lines{"-i", "valid.src", "--nbest", "2", "--device", "cpu"};
    const std::string expected =
        output(joined({"translate", "runs/toy", "--precision", precision}, lines));
    EXPECT_EQ(output(joined({"translate", "toy.heed"}, lines)), expected) << precision;
    EXPECT_EQ(output(joined({"translate", "toy.heed", "--precision", precision}, lines)), expected);
  }
}

TEST_F(PackedToy, ReplacesNothing) {
  pack("toy.heed");
  const std::string before = read_plainly(toy().path() / "toy.heed");
  EXPECT_THAT(refused({"pack", "runs/toy", "-o", "toy.heed", "--precision", "fp32"}, 2).err,
              HasSubstr("-o toy.heed: exists already; name another file, or remove it first"));
  EXPECT_EQ(read_plainly(toy().path() / "toy.heed"), before);
}

TEST_F(PackedToy, NeedsNoLibtorch) {
  pack("toy.heed");
  const std::string opened = opened_libraries(
      {"translate", "toy.heed", "-i", "valid.src", "--device", "cpu"}, "", toy().path());
  EXPECT_THAT(opened, Not(HasSubstr("libtorch")));
}

TEST_F(PackedToy, IsAModelInEachCommand) {
  pack("toy.heed");
  EXPECT_THAT(output({"inspect", "toy.heed"}), HasSubstr("int8"));
  EXPECT_EQ(output({"tokenize", "toy.heed", "-i", "valid.src"}),
            output({"tokenize", "runs/toy", "-i", "valid.src"}));
  EXPECT_THAT(output({"evaluate", "--model", "toy.heed", "-s", "valid.src", "-r", "valid.tgt", "-m",
                      "bleu"}),
              HasSubstr("BLEU"));
  EXPECT_EQ(lines_of(output({"score", "toy.heed", "-s", "valid.src", "-t", "valid.tgt"})).size(),
            lines_of(toy().read("valid.tgt")).size());
  EXPECT_EQ(lines_of(output({"translate", "toy.heed", "runs/toy", "-i", "valid.src"})).size(),
            lines_of(toy().read("valid.src")).size());
  EXPECT_NE(output({"plot", "attention", "toy.heed", "-i", "valid.src", "--line", "1"}), "");
}

// libtorch computes with the rounded weights.
TEST_F(PackedToy, IsComputedByLibtorchAsWell) {
  pack("toy.heed", {"--precision", "fp32"});
  const Outcome plain = run_heed({"translate", "toy.heed", "-i", "valid.src"},
                                 {.environment = {{"HEED_PLAIN", "1"}}, .folder = toy().path()});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(plain.out, output({"translate", "toy.heed", "-i", "valid.src"}));
}

TEST_F(PackedToy, HasACardOfItsRun) {
  holds({"--licence", "--card"});
  pack("toy.heed", {"--licence", "CC BY 4.0"});
  const std::string whole = toy().read("toy.heed");
  for (const char* part :
       {"licence: \"CC BY 4.0\"", "updates: 400",
        "\"bleu\": ", "data: [{source: train.src, target: train.tgt, weight: 1.0, augment: true}]"})
    EXPECT_THAT(whole, HasSubstr(part));
  write_plainly(toy() / "my-card", "a card of my own");
  pack("other.heed", {"--card", "my-card"});
  EXPECT_THAT(toy().read("other.heed"), HasSubstr("a card of my own"));
  refused({"pack", "runs/toy", "-o", "x.heed", "--card", "my-card", "--licence", "CC0"}, 2);
}

TEST_F(PackedToy, HasItsShortlist) {
  holds({"--shortlist"});
  write_plainly(toy() / "narrow", "b a 1\n");
  write_plainly(toy() / "line", "a\n");
  pack("narrow.heed", {"--precision", "fp32", "--shortlist", "narrow"});
  const std::string expected =
      output({"translate", "runs/toy", "-i", "line", "--shortlist", "narrow", "--nbest", "3"});
  EXPECT_EQ(output({"translate", "narrow.heed", "-i", "line", "--nbest", "3"}), expected);
  EXPECT_NE(output({"translate", "runs/toy", "-i", "line", "--nbest", "3"}), expected);
  write_plainly(toy() / "none", "x y z\n");
  refused({"pack", "runs/toy", "-o", "x.heed", "--shortlist", "none"}, 3);
  EXPECT_FALSE(fs::exists(toy() / "x.heed"));
}

TEST_F(PackedToy, IsSmall) {
  const std::string said = pack("toy.heed");
  uintmax_t folder = 0;
  for (const auto& entry : fs::directory_iterator(toy() / "runs/toy/best/model"))
    folder += entry.file_size();
  EXPECT_LT(fs::file_size(toy() / "toy.heed"), folder * 2 / 5) << said;
  EXPECT_THAT(said, HasSubstr("in int8"));
}

TEST_F(PackedToy, DamagedFilesAreRefused) {
  pack("toy.heed");
  const std::string whole = toy().read("toy.heed");
  for (const size_t at : {whole.size() / 3, whole.size() - 2}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write_plainly(toy() / "damaged.heed", damaged);
    EXPECT_THAT(refused({"translate", "damaged.heed", "-i", "valid.src"}, 4).err,
                HasSubstr("damaged.heed: is damaged or cut off"));
  }
  write_plainly(toy() / "damaged.heed", whole.substr(0, whole.size() / 2));
  refused({"translate", "damaged.heed", "-i", "valid.src"}, 4);
  write_plainly(toy() / "damaged.heed", "");
  refused({"inspect", "damaged.heed"}, 4);
}

// A model that is made from rounded weights gets a warning.
TEST_F(PackedToy, NamesItsRoundedWeights) {
  pack("toy.heed");
  pack("exact.heed", {"--precision", "fp32"});
  const auto messages = [](const std::string& model) {
    const Outcome outcome = toy().run({"average", model, "-o", model + "-average"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(messages("toy.heed"), HasSubstr("has weights that are rounded to int8"));
  EXPECT_THAT(messages("exact.heed"), Not(HasSubstr("rounded")));
}

TEST_F(PackedToy, RefusesWhatItCannotDo) {
  pack("toy.heed");
  EXPECT_THAT(refused({"translate", "toy.heed", "-i", "valid.src", "--precision", "fp32"}, 2).err,
              HasSubstr("is packed in int8"));
  EXPECT_THAT(refused({"pack", "toy.heed", "-o", "again.heed"}, 2).err,
              HasSubstr("is packed already"));
  refused({"pack", "missing", "-o", "x.heed"}, 4);
  EXPECT_THAT(refused({"pack", "runs/toy", "-o", "runs/toy/config.yaml"}, 2).err,
              HasSubstr("runs/toy/config.yaml: exists already"));
  EXPECT_THAT(refused({"pack", "runs/toy", "-o", "runs/toy/best/model/x.heed"}, 2).err,
              HasSubstr("--output"));
  refused({"pack", "runs/toy", "-o", "missing/x.heed"}, 5);
  EXPECT_FALSE(fs::exists(toy() / "x.heed"));
}

}  // namespace
}  // namespace heed
