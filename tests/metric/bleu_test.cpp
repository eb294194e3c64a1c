#include "metric/bleu.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "metric/registry.h"

namespace heed {
namespace {

using testing::HasSubstr;

// 5 of 6 words, 3 of 5 pairs, 2 of 4, 1 of 3; one word shorter than the reference.
TEST(Bleu, FollowsTheFormula) {
  const Bleu bleu;
  const auto score = bleu.score({"the cat sat on a mat"}, {{"the cat sat on the big mat"}});
  const double precisions = 5.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3;
  EXPECT_NEAR(score.value, 100 * std::exp(1 - 7.0 / 6) * std::pow(precisions, 0.25), 1e-9);
  EXPECT_EQ(score.details,
            "83.3/60.0/50.0/33.3 (BP = 0.846 ratio = 0.857 hyp_len = 6 ref_len = 7)");
}

TEST(Bleu, PrintsTheSignatureOfEverySetting) {
  const std::string version = std::string("|version:heed-") + HEED_VERSION;
  EXPECT_EQ(Bleu().signature(1), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" + version);
  const BleuOptions options{"intl", BleuSmoothing::kFloor, 0.25, true, true};
  EXPECT_EQ(Bleu(options).signature(3),
            "nrefs:3|case:lc|eff:yes|tok:intl|smooth:floor[0.25]" + version);
  EXPECT_EQ(Bleu({.smoothing = BleuSmoothing::kAddK}).signature(1),
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:add-k[1.00]" + version);
}

TEST(Bleu, PrintsOneLine) {
  const Bleu bleu;
  EXPECT_EQ(
      format_score(bleu, bleu.score({"a b c d"}, {{"a b c d"}}), 1),
      "BLEU|" + bleu.signature(1) +
          " = 100.0 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)");
}

// A word counts as often as the reference that has it most often (Papineni et al., section 2.1).
TEST(Bleu, ClipsByTheReferenceWithMost) {
  const auto sum = Bleu().statistics("the the the the", {"the cat", "the dog and the mouse"});
  EXPECT_EQ(sum[2], 2);
  EXPECT_EQ(sum[6], 4);
}

TEST(Bleu, TakesTheShorterOfEquallyNearReferences) {
  EXPECT_EQ(Bleu().statistics("a b c", {"a b c d", "a b"})[1], 2);
}

TEST(Bleu, IsZeroWithoutAMatch) {
  for (const auto smoothing :
       {BleuSmoothing::kExp, BleuSmoothing::kFloor, BleuSmoothing::kAddK, BleuSmoothing::kNone}) {
    const Bleu bleu({.smoothing = smoothing});
    EXPECT_EQ(bleu.score({"x"}, {{"a b"}}).value, 0);
    EXPECT_EQ(bleu.score({""}, {{"a b"}}).value, 0);
    EXPECT_EQ(bleu.score({""}, {{""}}).value, 0);
  }
}

TEST(Bleu, RefusesSettingsThatSayNothing) {
  const auto refusal = [](const BleuOptions& options) -> std::string {
    try {
      Bleu bleu(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({.tokenizer = "int"}), HasSubstr("did you mean 'intl'"));
  EXPECT_THAT(refusal({.smooth_value = 0.5}), HasSubstr("takes no value"));
  EXPECT_THAT(refusal({.smoothing = BleuSmoothing::kFloor, .smooth_value = -1}),
              HasSubstr("expected a number of at least 0"));
  EXPECT_THAT(refusal({.smoothing = BleuSmoothing::kFloor, .smooth_value = std::nan("")}),
              HasSubstr("expected a number of at least 0"));
  EXPECT_THROW(parse_bleu_smoothing("addk"), Error);
}

}  // namespace
}  // namespace heed
