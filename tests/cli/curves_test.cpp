// `heed plot curves`; tests/results/learning_curves_test.cpp has the drawing itself.
#include <gmock/gmock.h>

#include <climits>

#include "cli/program.h"
#include "results/run_lines.h"

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
    EXPECT_EQ(outcome.out, "");
    return read_plainly(folder_ / "c.svg");
  }
  TemporaryFolder folder_;
};

TEST_F(Curves, AreDrawnIntoEachFile) {
  holds({"heed plot curves", "--output", "--metric", "--x-axis"});
  EXPECT_THAT(svg({"runs/small", "runs/large", "--output", "c.html", "-m",
                   "train.rate,validation.loss", "--metric", "bleu", "--x-axis", "tokens"}),
              AllOf(HasSubstr(">learning rate<"), HasSubstr(">validation loss (nats per token)<"),
                    HasSubstr(">validation BLEU (%)<"), HasSubstr(">target tokens<")));
  EXPECT_THAT(read_plainly(folder_ / "c.html"), HasSubstr("data-run=\"large\""));
}

TEST_F(Curves, MayBeSmoothAndGrouped) {
  holds({"--smoothing", "--group"});
  EXPECT_THAT(svg({"runs/small"}), Not(HasSubstr("stroke-opacity")));
  EXPECT_THAT(svg({"runs/small", "--smoothing", "0.6"}), HasSubstr("stroke-opacity=\"0.3\""));
  EXPECT_THAT(
      plot({"runs/small", "runs/large", "--group", "-m", "train.loss", "-o", "c.svg"}).err,
      HasSubstr("{small,large}: train.loss is drawn at the 1 updates that all 2 runs have"));
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

TEST_F(Curves, HaveTheirLabelsInTheLegend) {
  holds({"--label"});
  EXPECT_THAT(
      svg({"runs/small", "runs/large", "--label", "a <b>, c", "--label", "large one"}),
      AllOf(HasSubstr(">a &lt;b&gt;, c<"), HasSubstr(">large one<"), Not(HasSubstr(">small<"))));
  EXPECT_FAILS(plot({"runs/small", "runs/large", "--label", "a", "-o", "c.svg"}), 2,
               "--label: 1 given, expected 2, one for each curve: small, large");
}

TEST_F(Curves, MayHaveATitleAndAWidth) {
  holds({"--title", "--width"});
  EXPECT_THAT(svg({"runs/small"}), HasSubstr(" width=\"640\" "));
  EXPECT_THAT(svg({"runs/small", "--title", "A <B>", "--width", "320", "-o", "c.html"}),
              AllOf(HasSubstr("viewBox=\"0 0 640 "), HasSubstr(" width=\"320\" "),
                    HasSubstr(">A &lt;B&gt;</text>")));
  EXPECT_THAT(read_plainly(folder_ / "c.html"), HasSubstr("<h1>A &lt;B&gt;</h1>"));
}

// The path of the last one is too long to be read; permissions would not stop root.
TEST_F(Curves, ThatCannotBeDrawnAreRefused) {
  EXPECT_FAILS(plot({"runs/small", "-o", "c.jpg"}), 2,
               "expected a name that ends in .svg or .html");
  EXPECT_FAILS(plot({"runs/small"}), 2, "--output");
  EXPECT_FAILS(plot({"runs/small", "--smoothing", "1", "-o", "c.svg"}), 2,
               "at least 0 and below 1");
  EXPECT_FAILS(plot({"runs/large", "--x-axis", "epochs", "-o", "c.svg"}), 3,
               "no value can be drawn");
  EXPECT_FAILS(plot({"runs", "-o", "c.svg"}), 4, "runs: has no metrics.jsonl");
  std::string run;
  while (run.size() + std::string_view("runs/small/metrics.jsonl").size() < PATH_MAX) run += "./";
  EXPECT_FAILS(plot({run + "runs/small", "-o", "c.svg"}), 5,
               "runs/small/metrics.jsonl: cannot look at this: File name too long");
}

}  // namespace
}  // namespace heed
