// Learning curves drawn from the metrics of runs.
#include "results/learning_curves.h"

#include <gmock/gmock.h>

#include "base/temporary_folder.h"
#include "captured_log.h"
#include "report/picture_sizes.h"
#include "results/run_lines.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class LearningCurves : public testing::Test {
 protected:
  using Names = std::vector<std::string>;

  LearningCurves() {
    write_run(folder_ / "runs/small", train_line(50, 6) + train_line(100, 4) +
                                          validation_line(100, 12.5, true) + train_line(150, 3, 2));
    write_run(folder_ / "runs/large", train_line(50, 5) + validation_line(50, 20, true));
  }
  PlotCurvesOptions of(const Names& runs, const Names& metrics = {}) const {
    PlotCurvesOptions options;
    for (const std::string& run : runs) options.runs.push_back(folder_ / run);
    options.metrics = metrics;
    return options;
  }
  // The picture of this format.
  std::string drawn(PlotCurvesOptions options, const std::string& format = "svg") const {
    const std::string file = folder_ / ("c." + format);
    options.pictures = {file};
    plot_curves(options);
    return read_plainly(file);
  }
  std::string warnings(const PlotCurvesOptions& options) const {
    CapturedLog log;
    drawn(options);
    return log.end();
  }
  // Values of the attribute data-NAME of each curve of a page, such as "50 100 150".
  static Names data(const std::string& page, const std::string& name) {
    Names found;
    const std::string before = "data-" + name + "=\"";
    for (size_t at = page.find(before); at != std::string::npos; at = page.find(before, at + 1)) {
      const size_t start = at + before.size();
      found.push_back(page.substr(start, page.find('"', start) - start));
    }
    return found;
  }
  TemporaryFolder folder_;
};

TEST_F(LearningCurves, AreOfTheTrainingLossAndTheMetricOfValidation) {
  const std::string picture = drawn(of({"runs/small", "runs/large"}));
  EXPECT_THAT(picture, AllOf(HasSubstr(">training loss (nats per token)<"),
                             HasSubstr(">validation BLEU (%)<"), HasSubstr(">updates<"),
                             HasSubstr(">small<"), HasSubstr(">large<")));
  EXPECT_THAT(picture, Not(HasSubstr("validation loss")));
}

TEST_F(LearningCurves, NameMetricsWithOrWithoutTheirKind) {
  EXPECT_THAT(drawn(of({"runs/small"}, {"train.rate", "validation.loss"})),
              AllOf(HasSubstr(">learning rate<"), HasSubstr(">validation loss (nats per token)<"),
                    Not(HasSubstr("training loss"))));
  EXPECT_THAT(drawn(of({"runs/small"}, {"loss", "BLEU"})),
              AllOf(HasSubstr(">validation loss"), HasSubstr(">training loss"),
                    HasSubstr(">validation BLEU (%)<")));
  EXPECT_ERROR(
      drawn(of({"runs/small"}, {"validation.blue"})), ErrorKind::kUsage,
      "--metric validation.blue: no run has it; did you mean 'validation.bleu'?; there are "
      "train.epoch, train.loss, train.rate, train.seconds, train.tokens, validation.bleu, "
      "validation.loss");
}

TEST_F(LearningCurves, WarnOfRunsThatLackAMetric) {
  write_run(folder_ / "runs/alone", train_line(50, 5));
  EXPECT_THAT(warnings(of({"runs/small", "runs/alone"})),
              HasSubstr("runs/alone: metrics.jsonl has no validation.bleu"));
}

TEST_F(LearningCurves, OfAPageHaveTheValuesOfEachRun) {
  const std::string page = drawn(of({"runs/small", "runs/large"}), "html");
  EXPECT_THAT(data(page, "run"), ElementsAre("small", "large", "small", "large"));
  EXPECT_THAT(data(page, "x"), ElementsAre("50 100 150", "50", "100", "50"));
  EXPECT_THAT(data(page, "y"), ElementsAre("6 4 3", "5", "12.5", "20"));
}

// Each line has 2,000 tokens; seconds equal updates; epoch 2 begins at update 150.
TEST_F(LearningCurves, AreOverUpdatesTimeTokensOrEpochs) {
  PlotCurvesOptions options = of({"runs/small"}, {"train.loss"});
  for (const auto& [axis, values, label] :
       {std::tuple{"seconds", "0.833333 1.66667 2.5", ">training time (minutes)<"},
        {"tokens", "2000 4000 6000", ">target tokens<"},
        {"epochs", "0.333333 0.666667 1", ">epochs<"}}) {
    options.x_axis = axis;
    const std::string page = drawn(options, "html");
    EXPECT_EQ(data(page, "x").at(0), values);
    EXPECT_THAT(page, HasSubstr(label));
  }
  options.runs = {folder_ / "runs/large"};
  EXPECT_ERROR(drawn(options), ErrorKind::kData, "no value can be drawn");
}

TEST_F(LearningCurves, LeaveOutAHalfWrittenLastLine) {
  const std::string before = drawn(of({"runs/small"}));
  write_plainly(folder_ / "runs/small/metrics.jsonl",
                read_plainly(folder_ / "runs/small/metrics.jsonl") + "{\"kind\":\"train\",\"upd");
  EXPECT_EQ(warnings(of({"runs/small"})), "");
  EXPECT_EQ(drawn(of({"runs/small"})), before);
}

// An update of 2^63 and a figure of 1e308 cause no hang and no internal error.
TEST_F(LearningCurves, WarnOfDamagedLinesAndHugeNumbers) {
  const auto told = [&](const std::string& lines) {
    write_plainly(folder_ / "runs/small/metrics.jsonl", lines);
    std::string text = warnings(of({"runs/small"}, {"train.loss"}));
    EXPECT_THAT(read_plainly(folder_ / "c.svg"),
                Not(testing::AnyOf(HasSubstr("nan"), HasSubstr("inf"))));
    return text;
  };
  const std::string usual = train_line(50, 6) + train_line(100, 4);
  const auto with_update = [](const char* update) {
    return std::string("{\"kind\":\"train\",\"loss\":5,\"update\":") + update + "}\n";
  };
  EXPECT_THAT(told(train_line(50, 6) + "{\n" + train_line(100, 4)),
              HasSubstr("runs/small/metrics.jsonl:2: "));
  for (const char* update : {"9223372036854775808", "18446744073709551615", "-1", "1e3"})
    EXPECT_THAT(told(with_update(update) + usual),
                HasSubstr("metrics.jsonl:1: is not a line of a run"));
  EXPECT_EQ(told(usual + with_update("9007199254740992")), "");
  for (const double loss : {1e308, -1e308})
    EXPECT_THAT(
        told(usual + train_line(150, loss)),
        HasSubstr("train.loss is " + fmt::format("{}", loss) + " at update 150; values beyond"));
  for (const double loss : {1e250, 1e-300, 4e-324, 1e17})
    EXPECT_EQ(told(usual + train_line(150, loss)), "");
  EXPECT_EQ(told(train_line(1, 1e17) + train_line(2, 1e17 + 16)), "");
  EXPECT_EQ(told(train_line(1, 0) + train_line(2, 4e-324)), "");
}

TEST_F(LearningCurves, NeedRunsWithFigures) {
  write_run(folder_ / "runs/new", "");
  EXPECT_ERROR(drawn(of({"runs"})), ErrorKind::kModel, "runs: has no metrics.jsonl");
  EXPECT_ERROR(drawn(of({"runs/none"})), ErrorKind::kModel, "runs/none: does not exist");
  EXPECT_ERROR(drawn(of({"runs/small/config.yaml"})), ErrorKind::kModel, "is a file");
  EXPECT_ERROR(drawn(of({"runs/small", "runs/../runs/small/"})), ErrorKind::kUsage, "named twice");
  EXPECT_ERROR(drawn(of({"runs/new"})), ErrorKind::kData,
               "runs/new: no line of training or validation");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.svg"));
}

// a/x and b/x become a and b; runs/a and runs/a/b keep different names.
TEST_F(LearningCurves, HaveTheShortestNamesThatDistinguish) {
  for (const char* run : {"one/seed", "two/seed", "one"})
    write_run(folder_ / run, train_line(50, 6));
  EXPECT_THAT(drawn(of({"one/seed", "two/seed"})), AllOf(HasSubstr(">one<"), HasSubstr(">two<")));
  EXPECT_THAT(drawn(of({"one", "one/seed"})), AllOf(HasSubstr(">one<"), HasSubstr(">one/seed<")));
}

// Losses are 6 and 4 at update 50, 4 and 2 at update 100: sample deviation √2. Only one seed has
// update 150.
TEST_F(LearningCurves, OfSeedsAreAMeanWithABand) {
  const auto seed = [this](int number, const std::string& lines) {
    write_run(folder_ / fmt::format("runs/s{}", number), lines,
              fmt::format("seed: {}\ntrain: {{validate: {{metric: bleu}}}}\n", number));
  };
  seed(1, train_line(50, 6) + train_line(100, 4) + train_line(150, 3));
  seed(2, train_line(50, 4) + train_line(100, 2));
  write_run(folder_ / "runs/other", train_line(50, 6) + train_line(100, 4) + train_line(150, 3),
            "seed: 1\ntrain: {validate: {metric: bleu}, max_updates: 7}\n");
  PlotCurvesOptions options = of({"runs/s1", "runs/s2", "runs/other"}, {"train.loss"});
  options.group = true;
  CapturedLog log;
  const std::string page = drawn(options, "html");
  EXPECT_THAT(log.end(), HasSubstr("s{1,2}: train.loss is drawn at the 2 updates that all 2 runs "
                                   "have; 1 others are left out"));
  EXPECT_THAT(data(page, "run"), ElementsAre("s{1,2}", "other"));
  EXPECT_THAT(data(page, "x"), ElementsAre("50 100", "50 100 150"));
  EXPECT_THAT(data(page, "y"), ElementsAre("5±1.4 3±1.4", "6 4 3"));
  EXPECT_THAT(page, HasSubstr("<polygon"));
  EXPECT_THAT(page, HasSubstr("band: ± one standard deviation<"));
  EXPECT_THAT(drawn(of({"runs/s1", "runs/s2"})), Not(HasSubstr("<polygon")));
  options = of({"runs/s1", "runs/other"});
  options.group = true;
  EXPECT_THAT(warnings(options), HasSubstr("no two of these runs differ by `seed` alone"));
}

TEST_F(LearningCurves, HaveAWidthInEveryFormat) {
  if (!has_rsvg_convert()) GTEST_SKIP() << "rsvg-convert is not installed";
  PlotCurvesOptions options = of({"runs/small"});
  EXPECT_EQ(png_width(drawn(options, "png")), 1280) << "sharp in print";
  EXPECT_EQ(pdf_width(drawn(options, "pdf")), 640);
  options.width = 401;
  EXPECT_EQ(png_width(drawn(options, "png")), 401);
  EXPECT_EQ(pdf_width(drawn(options, "pdf")), 401);
}

}  // namespace
}  // namespace heed
