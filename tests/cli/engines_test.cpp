// Models from training to translation by the program: without libtorch, and by libtorch.
#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <string>

#include "cli/opened_libraries.h"
#include "cli/trained_model.h"
#include "holds.h"
#include "kernels/kernels.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

struct EngineModel {
  const char* name;
  const char* model;
};
void PrintTo(const EngineModel& model, std::ostream* out) { *out << model.name; }

const EngineModel kTransformer{
    "transformer",
    "model={embedding: {width: 32}, encoder: {type: transformer, layers: 2, width: 32, "
    "feed_forward: 64, self_attention: {score: scaled_dot, heads: 4}}, decoder: {type: "
    "transformer, layers: 2, width: 32, feed_forward: 64, self_attention: {score: scaled_dot, "
    "heads: 4}, attention: {score: scaled_dot, heads: 4}}}"};
const EngineModel kSsru{
    "ssru",
    "model={embedding: {width: 32}, encoder: {type: transformer, layers: 2, width: 32, "
    "feed_forward: 64, norm_type: rms, self_attention: {score: rotary, heads: 4, key_value_heads: "
    "2}}, decoder: {type: transformer, layers: 2, width: 32, feed_forward: 64, self_attention: "
    "ssru, attention: {score: scaled_dot, heads: 4}, alignment: {layer: 1, heads: [2]}}}"};
const EngineModel kRecurrent{
    "recurrent",
    "model={embedding: {width: 32}, encoder: {type: rnn, width: 48}, "
    "decoder: {type: rnn, width: 48, attend: after, input_feeding: true}}"};

const EngineModel kMixed{
    "mixed",
    "model={embedding: {width: 32}, encoder: {type: transformer, layers: 1, width: 32, "
    "feed_forward: "
    "64, self_attention: {heads: 4}}, decoder: {type: rnn, width: 48}}"};

const EngineModel kConvolution{
    "convolution",
    "model={embedding: {width: 32}, encoder: {type: convolution, layers: 2, width: 48}, decoder: "
    "{type: convolution, layers: 2, width: 48}}"};

// Models that are translated without libtorch.
class EnginesOfTheProgram : public testing::TestWithParam<EngineModel> {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static void train(const ToyWorkshop& workshop, const Arguments& settings) {
    const Outcome training = workshop.run(joined({"train", "toy.yaml", "--set"}, settings));
    EXPECT_EQ(training.exit_code, 0) << training.err;
  }
  static const ToyWorkshop& workshop() {
    static std::map<std::string, std::unique_ptr<ToyWorkshop>> trained;
    std::unique_ptr<ToyWorkshop>& own = trained[GetParam().name];
    if (!own) {
      own = std::make_unique<ToyWorkshop>();
      train(*own, {GetParam().model});
    }
    return *own;
  }
  static std::string translation(const Arguments& options,
                                 const std::map<std::string, std::string>& environment = {}) {
    const Outcome outcome =
        run_heed(joined({"translate", "runs/toy", "-i", "valid.src", "--device", "cpu"}, options),
                 {.environment = environment, .folder = workshop().path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
};

// Without the scores of n-best lists, which differ by rounding.
std::vector<std::string> texts(const std::string& output) {
  std::vector<std::string> lines = lines_of(output);
  for (std::string& line : lines) line.resize(std::min(line.size(), line.rfind(" ||| ")));
  return lines;
}

INSTANTIATE_TEST_SUITE_P(All, EnginesOfTheProgram,
                         testing::Values(kTransformer, kSsru, kRecurrent, kMixed, kConvolution),
                         [](const auto& model) { return std::string(model.param.name); });

TEST_P(EnginesOfTheProgram, OpenNoLibtorch) {
  const std::string opened = opened_libraries(
      {"translate", "runs/toy", "-i", "valid.src", "--device", "cpu"}, "", workshop().path());
  EXPECT_THAT(opened, Not(HasSubstr("libtorch")));
  EXPECT_THAT(opened, Not(HasSubstr("libheed_tensors")));
}

TEST_P(EnginesOfTheProgram, FindTheTextThatLibtorchFinds) {
  const std::map<std::string, std::string> plain{{"HEED_PLAIN", "1"}};
  for (const Arguments& options :
       {Arguments{"--beam", "1"}, Arguments{"--nbest", "3"}, Arguments{"--batch", "3"}}) {
    const std::string own = translation(options), other = translation(options, plain);
    EXPECT_EQ(texts(own), texts(other)) << options[0];
  }
}

TEST_P(EnginesOfTheProgram, AreAnEnsemble) {
  const Arguments models{"translate", "runs/toy", "runs/toy", "-i", "valid.src", "--device", "cpu"};
  EXPECT_THAT(opened_libraries(models, "", workshop().path()), Not(HasSubstr("libtorch")));
  const Arguments nbest{"runs/toy", "--nbest", "3"};
  EXPECT_EQ(texts(translation(nbest)), texts(translation(nbest, {{"HEED_PLAIN", "1"}})));
  EXPECT_NE(translation({"runs/toy", "--nbest", "1", "--precision", "int8"}),
            translation({"runs/toy", "--nbest", "1"}));
}

// Alignments go by the attention weights.
TEST_P(EnginesOfTheProgram, FindTheAlignmentsThatLibtorchFinds) {
  translation({"--alignments", "own"});
  translation({"--alignments", "other"}, {{"HEED_PLAIN", "1"}});
  EXPECT_EQ(workshop().read("own"), workshop().read("other"));
}

TEST_P(EnginesOfTheProgram, SearchInFewerBitsInEachCommand) {
  holds({"--precision"});
  const Arguments precision{"--precision", "int8", "--device", "cpu"};
  const std::string text = translation({"--precision", "int8"});
  EXPECT_EQ(lines_of(text).size(), lines_of(workshop().read("valid.src")).size());
  // The scores are those of other numbers.
  EXPECT_NE(translation({"--nbest", "1"}), translation({"--nbest", "1", "--precision", "int8"}));
  EXPECT_NE(translation({"--nbest", "1"}), translation({"--nbest", "1", "--precision", "bf16"}));
  EXPECT_EQ(translation({"--nbest", "1"}), translation({"--nbest", "1", "--precision", "fp32"}));
  const Outcome summary =
      workshop().run(joined({"summarize", "runs/toy", "-i", "valid.src"}, precision));
  EXPECT_EQ(summary.exit_code, 0) << summary.err;
  write_plainly(workshop() / "found", text);
  const Arguments evaluate{"evaluate", "-r", "valid.tgt", "-m", "bleu", "--digits", "4"};
  EXPECT_EQ(
      workshop()
          .run(joined(evaluate, joined({"--model", "runs/toy", "-s", "valid.src"}, precision)))
          .out,
      workshop().run(joined(evaluate, {"-i", "found"})).out);
}

// The sums of bytes are whole numbers. `plain` rounds products before it adds them, which moves some
// activations to the next step.
TEST_P(EnginesOfTheProgram, FindTheSameTextByEachInstructionSet) {
  const Arguments int8{"--precision", "int8", "--nbest", "2"};
  const std::string best = translation(int8);
  for (const Kernels* set : all_kernels()) {
    const std::string own = translation(int8, {{"HEED_INSTRUCTIONS", set->name}});
    if (set->name != std::string("plain")) {
      EXPECT_EQ(own, best) << set->name;
      continue;
    }
    const auto found = texts(own), expected = texts(best);
    ASSERT_EQ(found.size(), expected.size());
    size_t others = 0;
    for (size_t i = 0; i < found.size(); ++i) others += found[i] != expected[i] ? 1 : 0;
    EXPECT_LE(10 * others, found.size());
  }
  const Outcome outcome = run_heed({"--version"}, {.environment = {{"HEED_INSTRUCTIONS", "mmx"}}});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("HEED_INSTRUCTIONS is 'mmx'"));
  EXPECT_THAT(outcome.err, HasSubstr("plain, "));
}

TEST_P(EnginesOfTheProgram, AreNeededForFewerBits) {
  const auto refused = [](const Arguments& models, const std::string& plain) {
    const Outcome outcome = run_heed(
        joined({"translate"},
               joined(models, {"--precision", "int8", "--device", "cpu", "-i", "valid.src"})),
        {.environment = {{"HEED_PLAIN", plain}}, .folder = workshop().path()});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(refused({"runs/toy"}, "1"), HasSubstr("HEED_PLAIN=1"));
  const ToyWorkshop other;
  train(other, {kRecurrent.model, "--set", "model.decoder.layer_norm=true", "--set",
                "train.max_updates=2"});
  EXPECT_THAT(refused({other / "runs/toy"}, "0"), HasSubstr("this model is another"));
}

TEST_P(EnginesOfTheProgram, RefuseDamagedFiles) {
  const TemporaryFolder copy;
  std::filesystem::copy(workshop() / "runs/toy/best/model", copy.path() / "model");
  std::string bytes = read_plainly(copy.path() / "model/model.safetensors");
  bytes[bytes.size() - 9] ^= 1;
  write_plainly(copy.path() / "model/model.safetensors", bytes);
  const Outcome outcome = run_heed({"translate", copy / "model"}, {.input = "a b\n"});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace heed
