// heed plot attention: ensembles, several lines, titles and widths.
#include <gmock/gmock.h>

#include <map>
#include <regex>

#include "base/utf8.h"
#include "cli/trained_model.h"
#include "holds.h"
#include "report/picture_sizes.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class AttentionPlots : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() { return ToyWorkshop::trained(); }
  static Outcome plot(const Arguments& more, const std::string& input = "a b c\n") {
    return workshop().run(joined({"plot", "attention", "runs/toy"}, more), input);
  }
  // The file that these arguments write.
  static std::string file(const std::string& name, const Arguments& more,
                          const std::string& input = "a b c\n") {
    const Outcome outcome = plot(joined(more, {"-o", name}), input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return workshop().read(name);
  }
};

// Weights in the titles of the cells, by tokens; cells below 0.004 are not drawn.
std::map<std::string, double> weights_of(const std::string& svg) {
  const std::regex cell("<title>([^<]* ← [^<]*): ([0-9.]+)</title>");
  std::map<std::string, double> weights;
  for (std::sregex_iterator it(svg.begin(), svg.end(), cell), end; it != end; ++it)
    weights[(*it)[1]] = std::stod((*it)[2]);
  return weights;
}

// A second model after one update, whose weights are nearly even.
TEST_F(AttentionPlots, OfAnEnsembleAreTheMeanOfItsModels) {
  ASSERT_EQ(workshop()
                .run({"train", "toy.yaml", "--run", "runs/new", "--set", "train.max_updates=1",
                      "--set", "train.validate.metric=loss", "--set", "seed=5"})
                .exit_code,
            0);
  write_plainly(workshop() / "given", "a b c\n");
  const Arguments given{"--target", "given"};
  const auto one = weights_of(file("one.svg", given));
  const Arguments with_new = joined({"runs/new"}, given);
  const std::string both = file("both.svg", with_new);
  const Outcome alone = workshop().run(
      {"plot", "attention", "runs/new", "--target", "given", "-o", "new.svg"}, "a b c\n");
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  auto first = one, second = weights_of(workshop().read("new.svg"));
  EXPECT_NE(first, second);
  for (const auto& [tokens, weight] : weights_of(both))
    EXPECT_NEAR(weight, (first[tokens] + second[tokens]) / 2, 0.003) << tokens;
  EXPECT_THAT(both, HasSubstr(">mean of 2 models, attention over the source<"));

  const std::string page = file("both.html", with_new);
  for (const char* name : {">mean of 2 models, attention over the source</option>",
                           ">model 1, decoder layer 1, attention over the source</option>",
                           ">model 2, decoder layer 1, attention over the source</option>"})
    EXPECT_THAT(page, HasSubstr(name));
  EXPECT_EQ(weights_of(file("two.svg", joined(with_new, {"--layer", "model2.decoder.cross.1"}))),
            second);
  EXPECT_FAILS(plot(joined(with_new, {"--layer", "1"})), 2,
               "expected one of model1.decoder.cross.1, model2.decoder.cross.1");
}

TEST_F(AttentionPlots, OfSeveralLinesComeInTheOrderOfTheirNumbers) {
  holds({"--line"});
  const std::string input = "a b\nc d\ne f\n";
  const std::string first = plot({"--line", "1"}, input).out;
  const std::string third = plot({"--line", "3"}, input).out;
  const auto numbered = [](std::string text, const std::string& number) {
    const std::string name = "decoder layer 1, attention over the source";
    return text.replace(text.find(name), name.size(), "line " + number + ", " + name);
  };
  const std::string expected = numbered(third, "3") + "\n" + numbered(first, "1");
  EXPECT_EQ(plot({"--line", "3,1"}, input).out, expected);
  EXPECT_EQ(plot({"--line", "3", "--line", "1"}, input).out, expected);
  EXPECT_EQ(plot({"--line", "1-3,1"}, input).out, plot({"--line", "1,2,3,1"}, input).out);
  for (const char* wrong : {"0", "3-1", "1-", "-2", "1-100000", "x"})
    EXPECT_FAILS(plot({"--line", wrong}, input), 2, "or some: 1,4,2 or 1-3");

  const std::string svg = file("lines.svg", {"--line", "3,1"}, input);
  EXPECT_LT(svg.find(">e f</text>"), svg.find(">a b</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">c d</text>")));
  const std::string page = file("lines.html", {"--line", "3,1"}, input);
  EXPECT_THAT(page, AllOf(HasSubstr("<h1>Attention weights of several lines</h1>"),
                          HasSubstr("selected>line 3, decoder layer 1"),
                          HasSubstr(">line 1, decoder layer 1"), HasSubstr(">e f</text>")));
  EXPECT_FAILS(plot({"--line", "2,4"}, input), 3, "--line 4: standard input has 3 lines");
  write_plainly(workshop() / "short", "a\n");
  EXPECT_FAILS(plot({"--line", "1,2", "--target", "short"}, input), 3,
               "--line 2: short has 1 line");
}

TEST_F(AttentionPlots, HaveTheirTitle) {
  holds({"--title", "--no-title"});
  EXPECT_THAT(plot({}).out, testing::StartsWith("a b c\n"));
  EXPECT_THAT(plot({"--title", "My title"}).out,
              AllOf(testing::StartsWith("My title\n"), Not(HasSubstr("a b c\n"))));
  EXPECT_THAT(plot({"--no-title"}).out, Not(HasSubstr("a b c\n")));
  EXPECT_THAT(file("t.svg", {"--title", "My title"}),
              AllOf(HasSubstr(">My title</text>"), Not(HasSubstr(">a b c</text>"))));
  EXPECT_THAT(file("t.svg", {"--no-title"}), Not(HasSubstr("font-weight=\"bold\"")));
  EXPECT_THAT(file("t.html", {"--title", "My title"}), HasSubstr("<h1>My title</h1>"));
  EXPECT_THAT(file("t.html", {"--no-title"}), Not(HasSubstr("<h1>")));
  const std::string lines = file("t.svg", {"--title", "My title", "--line", "1,1"});
  EXPECT_THAT(lines, AllOf(HasSubstr(">My title</text>"), HasSubstr(">a b c</text>")));
}

TEST_F(AttentionPlots, HaveTheirWidth) {
  holds({"--width"});
  std::string source;
  for (int i = 0; i < 30; ++i) source += "a ";
  write_plainly(workshop() / "given", "a b\n");
  const auto widest = [&](const Arguments& more) {
    size_t width = 0;
    const std::string map = plot(joined({"--target", "given", "--no-title"}, more), source).out;
    for (const std::string& line : lines_of(map)) width = std::max(width, display_width(line));
    return width;
  };
  EXPECT_LE(widest({"--width", "60"}), 60u);
  EXPECT_GT(widest({"--width", "60"}), 40u);
  EXPECT_GT(widest({"--width", "200"}), 60u);
  EXPECT_THAT(file("w.svg", {"--width", "250"}), HasSubstr(" width=\"250\" "));
  EXPECT_THAT(file("w.html", {"--width", "250"}), HasSubstr(" width=\"250\" "));
  if (!has_rsvg_convert()) GTEST_SKIP() << "rsvg-convert is not installed";
  EXPECT_EQ(png_width(file("w.png", {"--width", "250"})), 250);
  EXPECT_EQ(pdf_width(file("w.pdf", {"--width", "250"})), 250);
}

// The usual reading of several models elsewhere too: OpenNMT-py, Marian.
TEST_F(AttentionPlots, EvaluateTakesAnEnsembleAsItsHelpSays) {
  holds({"--model"});
  const Outcome translated =
      workshop().run({"translate", "runs/toy", "runs/toy/latest", "-i", "valid.src", "-o", "out"});
  ASSERT_EQ(translated.exit_code, 0) << translated.err;
  const std::string expected = workshop().run({"evaluate", "-r", "valid.tgt", "-i", "out"}).out;
  for (const Arguments& models : {Arguments{"--model", "runs/toy", "runs/toy/latest"},
                                  {"--model", "runs/toy", "--model", "runs/toy/latest"}}) {
    const Outcome outcome =
        workshop().run(joined({"evaluate", "-r", "valid.tgt", "-s", "valid.src"}, models));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, expected);
    EXPECT_THAT(outcome.err, HasSubstr("evaluating one ensemble: runs/toy, runs/toy/latest\n"));
  }
}

}  // namespace
}  // namespace heed
