// Real text in three languages, translated with the kernels of each instruction set.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "cli/trained_model.h"
#include "kernels/kernels.h"

namespace heed {
namespace {

constexpr size_t kTrained = 2000, kTranslated = 3334;  // lines of each language
const std::vector<std::string> kLanguages = {"de", "fr", "cs"};

struct SmallModel {
  const char* name;
  const char* settings;
};
void PrintTo(const SmallModel& model, std::ostream* out) { *out << model.name; }

// A model of Multi30k to English that ends its sentences, and has as many words as it has learned in
// some seconds.
class SlowInstructionSets : public testing::TestWithParam<SmallModel> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    const char* corpora = std::getenv("HEED_CORPORA");
    if (corpora == nullptr)
      GTEST_SKIP() << "HEED_CORPORA is not set: it names the folder of the real texts";
    const std::filesystem::path texts = std::filesystem::path(corpora) / "multi30k";
    const auto english = lines_of(read_plainly(texts / "train.en"));
    std::string sources, targets, translated;
    for (const std::string& language : kLanguages) {
      const auto lines = lines_of(read_plainly(texts / ("train." + language)));
      ASSERT_GE(lines.size(), kTrained + kTranslated);
      for (size_t i = 0; i < kTrained; ++i) {
        sources += lines[i] + '\n';
        targets += english[i] + '\n';
      }
      for (size_t i = 0; i < kTranslated; ++i) translated += lines[kTrained + i] + '\n';
    }
    write_plainly(workshop_ / "train.src", sources);
    write_plainly(workshop_ / "train.tgt", targets);
    write_plainly(workshop_ / "lines", translated);
    const Outcome training = workshop_.run(
        {"train", "toy.yaml", "--set",
         "text={source: {type: sentencepiece, size: 2000}, target: {share: source}}", "--set",
         GetParam().settings, "--set", "train.schedule.warmup=100", "--set",
         "train.max_updates=300", "--set", "train.validate={every: 300, metric: loss}"});
    ASSERT_EQ(training.exit_code, 0) << training.err;
  }

  std::vector<std::string> translations(const char* precision, const char* set) const {
    const Outcome outcome =
        run_heed({"translate", "runs/toy", "-i", "lines", "--device", "cpu", "--workers", "1",
                  "--precision", precision, "--beam", "3", "--nbest", "3", "--max-length", "30"},
                 {.environment = {{"HEED_INSTRUCTIONS", set}}, .folder = workshop_.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines_of(outcome.out);
  }

 private:
  ToyWorkshop workshop_;
};

INSTANTIATE_TEST_SUITE_P(
    All, SlowInstructionSets,
    testing::Values(
        SmallModel{"transformer",
                   "model={embedding: {width: 64}, encoder: {type: transformer, layers: 2, width: "
                   "64, feed_forward: 128, self_attention: {heads: 4}}, decoder: {type: "
                   "transformer, layers: 2, width: 64, feed_forward: 128, self_attention: {heads: "
                   "4}, attention: {heads: 4}}}"},
        SmallModel{"recurrent",
                   "model={embedding: {width: 64}, encoder: {type: rnn, width: 72}, decoder: "
                   "{type: rnn, width: 72, attend: after, input_feeding: true}}"}),
    [](const auto& model) { return std::string(model.param.name); });

// Texts and scores of 30,000 translations; `plain` on x86-64 rounds products before it adds them.
TEST_P(SlowInstructionSets, AgreeOnTenThousandLines) {
  for (const char* precision : {"int8", "fp32"}) {
    const auto expected = translations(precision, kernels().name);
    ASSERT_EQ(expected.size(), 3 * kLanguages.size() * kTranslated);
    std::set<std::string> texts;
    for (const std::string& line : expected)
      texts.insert(line.substr(line.find(' '), line.rfind(" ||| ") - line.find(' ')));
    EXPECT_GT(texts.size(), 5000u);
    for (const Kernels* set : all_kernels()) {
#if defined(__x86_64__)
      if (set->name == std::string("plain")) continue;
#endif
      if (set == &kernels()) continue;
      const auto found = translations(precision, set->name);
      ASSERT_EQ(found.size(), expected.size());
      size_t other = 0;
      for (size_t i = 0; i < found.size(); ++i) {
        if (found[i] != expected[i] && other++ == 0)
          ADD_FAILURE() << precision << ", " << set->name << ": " << found[i] << '\n'
                        << kernels().name << ": " << expected[i];
      }
      EXPECT_EQ(other, 0u) << precision << ", " << set->name;
    }
  }
}

}  // namespace
}  // namespace heed
