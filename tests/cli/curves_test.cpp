// `heed plot curves`: plots of training curves.
#include <gmock/gmock.h>

#include <climits>

#include "cli/program.h"
#include "cli/run_lines.h"
#include "report/picture_sizes.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Curves : public testing::Test {
 protected:
  Curves() {
    write_run(folder_ / "runs/small", train_line(50, 6) + train_line(100, 4) +
                                          validation_line(100, 12.5, true) + train_line(150, 3, 2));
    write_run(folder_ / "runs/large", train_line(50, 5) + validation_line(50, 20, true));
  }
  Outcome plot(const Arguments& arguments) const {
    return run_heed(joined({"plot", "curves"}, arguments), {.folder = folder_.path()});
  }
  // SVG that these arguments give.
  std::string svg(const Arguments& arguments) const {
    const Outcome outcome = plot(joined(arguments, {"-o", "c.svg"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return read_plainly(folder_ / "c.svg");
  }
  TemporaryFolder folder_;
};

// Values of the attribute data-NAME of each curve of a page, such as "50 100 150".
std::vector<std::string> data(const std::string& page, const std::string& name) {
  std::vector<std::string> found;
  const std::string before = "data-" + name + "=\"";
  for (size_t at = page.find(before); at != std::string::npos; at = page.find(before, at + 1)) {
    const size_t start = at + before.size();
    found.push_back(page.substr(start, page.find('"', start) - start));
  }
  return found;
}

TEST_F(Curves, DrawsTheTrainingLossAndTheMetricOfValidation) {
  holds({"heed plot curves"});
  const std::string picture = svg({"runs/small", "runs/large"});
  EXPECT_THAT(picture, AllOf(HasSubstr(">training loss (nats per token)<"),
                             HasSubstr(">validation BLEU (%)<"), HasSubstr(">updates<"),
                             HasSubstr(">small<"), HasSubstr(">large<")));
  EXPECT_THAT(picture, Not(HasSubstr("validation loss")));
}

TEST_F(Curves, MetricsAreNamedWithOrWithoutTheirKind) {
  holds({"--metric"});
  EXPECT_THAT(svg({"runs/small", "-m", "train.rate,validation.loss"}),
              AllOf(HasSubstr(">learning rate<"), HasSubstr(">validation loss (nats per token)<"),
                    Not(HasSubstr("training loss"))));
  EXPECT_THAT(svg({"runs/small", "--metric", "loss", "-m", "BLEU"}),
              AllOf(HasSubstr(">validation loss"), HasSubstr(">training loss"),
                    HasSubstr(">validation BLEU (%)<")));
}

TEST_F(Curves, AMetricThatNoRunHasListsThoseThatThereAre) {
  EXPECT_FAILS(
      plot({"runs/small", "-m", "validation.blue", "-o", "c.svg"}), 2,
      "--metric validation.blue: no run has it; did you mean 'validation.bleu'?; there are "
      "train.epoch, train.loss, train.rate, train.seconds, train.tokens, validation.bleu, "
      "validation.loss");
}

TEST_F(Curves, AMetricThatSomeRunsLackIsAWarning) {
  write_run(folder_ / "runs/alone", train_line(50, 5));
  const Outcome outcome = plot({"runs/small", "runs/alone", "-o", "c.svg"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("runs/alone: metrics.jsonl has no validation.bleu"));
}

TEST_F(Curves, PagesHaveTheValuesOfEachRun) {
  holds({"--output"});
  ASSERT_EQ(plot({"runs/small", "runs/large", "--output", "c.html", "-o", "c.svg"}).exit_code, 0);
  const std::string page = read_plainly(folder_ / "c.html");
  EXPECT_THAT(data(page, "run"), testing::ElementsAre("small", "large", "small", "large"));
  EXPECT_THAT(data(page, "x"), testing::ElementsAre("50 100 150", "50", "100", "50"));
  EXPECT_THAT(data(page, "y"), testing::ElementsAre("6 4 3", "5", "12.5", "20"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "c.svg"));
}

// Each line has 2,000 tokens; seconds equal updates; epoch 2 begins at update 150.
TEST_F(Curves, TheHorizontalAxisMayBeTimeTokensOrEpochs) {
  holds({"--x-axis"});
  const auto x = [this](const char* axis) {
    const Outcome outcome =
        plot({"runs/small", "-m", "train.loss", "--x-axis", axis, "-o", "c.html"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return data(read_plainly(folder_ / "c.html"), "x").at(0);
  };
  EXPECT_EQ(x("seconds"), "0.833333 1.66667 2.5");
  EXPECT_THAT(read_plainly(folder_ / "c.html"), HasSubstr(">training time (minutes)<"));
  EXPECT_EQ(x("tokens"), "2000 4000 6000");
  EXPECT_THAT(read_plainly(folder_ / "c.html"), HasSubstr(">target tokens<"));
  EXPECT_EQ(x("epochs"), "0.333333 0.666667 1");
  EXPECT_FAILS(plot({"runs/large", "--x-axis", "epochs", "-o", "c.svg"}), 3,
               "no value can be drawn");
}

TEST_F(Curves, SmoothingDrawsTheMeanOverTheValues) {
  holds({"--smoothing"});
  EXPECT_THAT(svg({"runs/small"}), Not(HasSubstr("stroke-opacity")));
  EXPECT_THAT(svg({"runs/small", "--smoothing", "0.6"}), HasSubstr("stroke-opacity=\"0.3\""));
  EXPECT_FAILS(plot({"runs/small", "--smoothing", "1", "-o", "c.svg"}), 2,
               "at least 0 and below 1");
}

// Losses are 6, 4, 3 at updates 50, 100, 150: ticks of a short logarithmic axis.
TEST_F(Curves, AxesMayBeLogarithmic) {
  holds({"--log-x", "--log-y"});
  const auto first_x = [](const std::string& picture) {
    return std::stod(picture.substr(picture.find("<polyline points=\"") + 18));
  };
  const std::string linear = svg({"runs/small", "-m", "train.loss"});
  EXPECT_GT(first_x(linear), first_x(svg({"runs/small", "-m", "train.loss", "--log-x"})));
  EXPECT_NE(linear, svg({"runs/small", "-m", "train.loss", "--log-y"}));
}

TEST_F(Curves, AHalfWrittenLastLineIsLeftOut) {
  const std::string before = svg({"runs/small"});
  write_plainly(folder_ / "runs/small/metrics.jsonl",
                read_plainly(folder_ / "runs/small/metrics.jsonl") + "{\"kind\":\"train\",\"upd");
  const Outcome outcome = plot({"runs/small", "-o", "c.svg"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(read_plainly(folder_ / "c.svg"), before);
}

TEST_F(Curves, DamagedLinesAreWarnedOf) {
  write_plainly(folder_ / "runs/small/metrics.jsonl",
                train_line(50, 6) + "{\n" + train_line(100, 4));
  const Outcome outcome = plot({"runs/small", "-o", "c.svg"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("runs/small/metrics.jsonl:2: "));
}

// An update of 2^63 and a figure of 1e308 cause no hang and no internal error.
TEST_F(Curves, HugeNumbersAreLeftOutWithAWarning) {
  const std::filesystem::path metrics = folder_ / "runs/small/metrics.jsonl";
  const auto drawn = [&](const std::string& lines) {
    write_plainly(metrics, lines);
    const Outcome outcome = plot({"runs/small", "-m", "train.loss", "-o", "c.svg"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(read_plainly(folder_ / "c.svg"),
                Not(testing::AnyOf(HasSubstr("nan"), HasSubstr("inf"))));
    return outcome.err;
  };
  const std::string usual = train_line(50, 6) + train_line(100, 4);
  const auto with_update = [](const char* update) {
    return std::string("{\"kind\":\"train\",\"loss\":5,\"update\":") + update + "}\n";
  };
  for (const char* update : {"9223372036854775808", "18446744073709551615", "-1", "1e3"})
    EXPECT_THAT(drawn(with_update(update) + usual),
                HasSubstr("metrics.jsonl:1: is not a line of a run"));
  EXPECT_EQ(drawn(usual + with_update("9007199254740992")), "");
  for (const double loss : {1e308, -1e308})
    EXPECT_THAT(
        drawn(usual + train_line(150, loss)),
        HasSubstr("train.loss is " + fmt::format("{}", loss) + " at update 150; values beyond"));
  for (const double loss : {1e250, 1e-300, 4e-324, 1e17})
    EXPECT_EQ(drawn(usual + train_line(150, loss)), "");
  EXPECT_EQ(drawn(train_line(1, 1e17) + train_line(2, 1e17 + 16)), "");
  EXPECT_EQ(drawn(train_line(1, 0) + train_line(2, 4e-324)), "");
}

TEST_F(Curves, RunsWithoutFiguresAreRefused) {
  write_run(folder_ / "runs/new", "");
  EXPECT_FAILS(plot({"runs", "-o", "c.svg"}), 4, "runs: has no metrics.jsonl");
  EXPECT_FAILS(plot({"runs/none", "-o", "c.svg"}), 4, "runs/none: does not exist");
  EXPECT_FAILS(plot({"runs/small/config.yaml", "-o", "c.svg"}), 4, "is a file");
  EXPECT_FAILS(plot({"runs/small", "runs/../runs/small/", "-o", "c.svg"}), 2, "named twice");
  const Outcome outcome = plot({"runs/new", "-o", "c.svg"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("heed: runs/new: no line of training or validation"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.svg"));
}

// The path is too long to be read; permissions would not stop root.
TEST_F(Curves, ARunThatCannotBeReadIsCode5) {
  std::string run;
  while (run.size() + std::string_view("runs/small/metrics.jsonl").size() < PATH_MAX) run += "./";
  EXPECT_FAILS(plot({run + "runs/small", "-o", "c.svg"}), 5,
               "runs/small/metrics.jsonl: cannot look at this: File name too long");
}

TEST_F(Curves, WritesNoOtherFormatAndNothingInARun) {
  EXPECT_FAILS(plot({"runs/small", "-o", "c.jpg"}), 2,
               "expected a name that ends in .svg or .html");
  EXPECT_FAILS(plot({"runs/small"}), 2, "--output");
}

// a/x and b/x become a and b; runs/a and runs/a/b keep different names.
TEST_F(Curves, NamesAreTheShortestThatDistinguish) {
  for (const char* run : {"one/seed", "two/seed", "one"})
    write_run(folder_ / run, train_line(50, 6));
  EXPECT_THAT(svg({"one/seed", "two/seed"}), AllOf(HasSubstr(">one<"), HasSubstr(">two<")));
  EXPECT_THAT(svg({"one", "one/seed"}), AllOf(HasSubstr(">one<"), HasSubstr(">one/seed<")));
}

// Losses are 6 and 4 at update 50, 4 and 2 at update 100: sample deviation √2. Only one seed has
// update 150.
TEST_F(Curves, OfSeedsAreAMeanWithABand) {
  holds({"--group"});
  const auto seed = [this](int number, const std::string& lines) {
    write_run(folder_ / fmt::format("runs/s{}", number), lines,
              fmt::format("seed: {}\ntrain: {{validate: {{metric: bleu}}}}\n", number));
  };
  seed(1, train_line(50, 6) + train_line(100, 4) + train_line(150, 3));
  seed(2, train_line(50, 4) + train_line(100, 2));
  write_run(folder_ / "runs/other", train_line(50, 6) + train_line(100, 4) + train_line(150, 3),
            "seed: 1\ntrain: {validate: {metric: bleu}, max_updates: 7}\n");
  const Outcome outcome =
      plot({"runs/s1", "runs/s2", "runs/other", "--group", "-m", "train.loss", "-o", "c.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string page = read_plainly(folder_ / "c.html");
  EXPECT_THAT(data(page, "run"), testing::ElementsAre("s{1,2}", "other"));
  EXPECT_THAT(data(page, "x"), testing::ElementsAre("50 100", "50 100 150"));
  EXPECT_THAT(data(page, "y"), testing::ElementsAre("5±1.4 3±1.4", "6 4 3"));
  EXPECT_THAT(page, HasSubstr("<polygon"));
  EXPECT_THAT(page, HasSubstr("band: ± one standard deviation<"));
  EXPECT_THAT(outcome.err, HasSubstr("s{1,2}: train.loss is drawn at the 2 updates that all 2 runs "
                                     "have; 1 others are left out"));
  EXPECT_THAT(svg({"runs/s1", "runs/s2"}), Not(HasSubstr("<polygon")));
  EXPECT_THAT(plot({"runs/s1", "runs/other", "--group", "-o", "c.svg"}).err,
              HasSubstr("no two of these runs differ by `seed` alone"));
}

TEST_F(Curves, HaveTheirLabelsInTheLegend) {
  holds({"--label"});
  const std::string picture =
      svg({"runs/small", "runs/large", "--label", "a <b>, c", "--label", "large one"});
  EXPECT_THAT(picture, AllOf(HasSubstr(">a &lt;b&gt;, c<"), HasSubstr(">large one<"),
                             Not(HasSubstr(">small<"))));
  EXPECT_FAILS(plot({"runs/small", "runs/large", "--label", "a", "-o", "c.svg"}), 2,
               "--label: 1 given, expected 2, one for each curve: small, large");
}

TEST_F(Curves, MayHaveATitleAndAWidth) {
  holds({"--title", "--width"});
  EXPECT_THAT(svg({"runs/small"}), HasSubstr(" width=\"640\" "));
  const std::string picture = svg({"runs/small", "--title", "A <B>", "--width", "320"});
  EXPECT_THAT(picture, HasSubstr("viewBox=\"0 0 640 "));
  EXPECT_THAT(picture, HasSubstr(" width=\"320\" "));
  EXPECT_THAT(picture, HasSubstr(">A &lt;B&gt;</text>"));
  ASSERT_EQ(plot({"runs/small", "--title", "A <B>", "-o", "c.html"}).exit_code, 0);
  EXPECT_THAT(read_plainly(folder_ / "c.html"), HasSubstr("<h1>A &lt;B&gt;</h1>"));
}

TEST_F(Curves, HaveThisWidthInEveryFormat) {
  if (!has_rsvg_convert()) GTEST_SKIP() << "rsvg-convert is not installed";
  const auto draw = [this](const Arguments& more) {
    const Outcome outcome =
        plot(joined({"runs/small", "-o", "c.png", "-o", "c.pdf", "-o", "c.svg"}, more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  draw({"--width", "401"});
  EXPECT_THAT(read_plainly(folder_ / "c.svg"), HasSubstr(" width=\"401\" "));
  EXPECT_EQ(png_width(read_plainly(folder_ / "c.png")), 401);
  EXPECT_EQ(pdf_width(read_plainly(folder_ / "c.pdf")), 401);
  draw({});
  EXPECT_EQ(png_width(read_plainly(folder_ / "c.png")), 1280) << "sharp in print";
  EXPECT_EQ(pdf_width(read_plainly(folder_ / "c.pdf")), 640);
}

}  // namespace
}  // namespace heed
