// Tables of `heed runs` for papers; tests/results/pivot_table_test.cpp has the tables themselves.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "cli/trained_model.h"
#include "results/tested_runs.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RunTables : public TestedRuns {
 protected:
  Outcome runs(const Arguments& arguments) const {
    return run_heed(joined({"runs", "runs"}, arguments), {.folder = folder_.path()});
  }
  std::string text(const Arguments& arguments) const {
    const Outcome outcome = runs(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  nlohmann::json json(const Arguments& arguments) const {
    return nlohmann::json::parse(text(joined(arguments, {"--format", "json"})));
  }
  // The score of news in the first cell of a row.
  nlohmann::json score(const Arguments& arguments, size_t row) const {
    return json(arguments)["rows"][row]["cells"][0]["scores"]["test.news.bleu"];
  }
};

const Arguments kByScore = {"--by", "score", "--score", "test.news.bleu"};

TEST_F(RunTables, HaveTheMeanOfTheRunsOfAValue) {
  holds({"--by", "--score", "--columns"});
  const std::string table = text(kByScore);
  EXPECT_THAT(table, HasSubstr("score     runs     news BLEU\n"
                               "general      3  41.26 ± 7.46\n"
                               "additive     3  20.39 ± 9.90\n"));
  EXPECT_THAT(table, HasSubstr("additive: my_base-{1,2,3}\n")) << "the runs are named";
  EXPECT_NEAR(score(kByScore, 0)["mean"], 41.26415331205424, 1e-9);
  EXPECT_NEAR(score(kByScore, 0)["deviation"], 7.455384704815541, 1e-9);
  EXPECT_THAT(text({"--by", "score"}), HasSubstr("best BLEU"));
  EXPECT_THAT(text(joined(kByScore, {"--columns", "min,seconds"})),
              HasSubstr("score       time  news BLEU min\n"
                        "general   1m 40s          36.45\n"));
}

TEST_F(RunTables, InLatexAreEscapedRoundedAndBold) {
  holds({"--format", "--no-bold", "--digits"});
  const Arguments group{"--group", "--score", "test.news.bleu", "--format", "latex"};
  EXPECT_THAT(text(group),
              AllOf(HasSubstr("new-\\{1,2,3\\} & 3 & \\textbf{41.3} $\\pm$ 7.5 \\\\\n"),
                    HasSubstr("my\\_base-\\{1,2,3\\} & 3 & 20.4 $\\pm$ 9.9 \\\\\n")));
  EXPECT_THAT(text(joined(group, {"--no-bold", "--digits", "3"})),
              HasSubstr("& 41.264 $\\pm$ 7.455 \\\\\n"));
  EXPECT_THAT(text({"--format", "latex"}), HasSubstr("my\\_base-1 & finished & 500 & 1m 40s &"));
}

TEST_F(RunTables, HaveAColumnForEachValueAndTheirAverage) {
  holds({"--across", "--average"});
  for (int seed = 1; seed <= 3; ++seed)
    write("french", "general", seed, 50 + seed, of_seed(kNew, seed), "fr");
  const Arguments across = joined(kByScore, {"--across", "dir", "--average", "data.dir"});
  const Outcome outcome = runs(across);
  EXPECT_THAT(outcome.out,
              HasSubstr("score               de            fr                average\n"
                        "general   41.26 ± 7.46  52.00 ± 1.00  46.63 ± 4.15\n"
                        "additive  20.39 ± 9.90             -  20.39 ± 9.90 (1 of 2)\n"));
  EXPECT_THAT(outcome.err,
              HasSubstr("additive, average: the average of test.news.bleu is of 1 of 2 "
                        "values of data.dir, without fr\n"));
}

TEST_F(RunTables, TestDifferencesFromABaseline) {
  holds({"--baseline", "--test", "--samples", "--seed"});
  const Arguments baseline = joined(kByScore, {"--baseline", "additive"});
  EXPECT_DOUBLE_EQ(score(baseline, 0)["p"], 0.015998400159984);
  EXPECT_TRUE(score(baseline, 1)["p"].is_null()) << "the baseline";
  for (const Arguments& other :
       {Arguments{"--test", "bootstrap"}, {"--samples", "100"}, {"--seed", "1"}})
    EXPECT_NE(score(joined(baseline, other), 0)["p"], 0.015998400159984) << other[0];
  EXPECT_THAT(text(baseline),
              AllOf(HasSubstr("41.26 ± 7.46*\n"), HasSubstr("\n* p < 0.05 against additive: ")));
  EXPECT_THAT(text(joined(baseline, {"--format", "latex"})),
              HasSubstr("\\textbf{41.3} $\\pm$ 7.5\\rlap{*} \\\\\n"));
  EXPECT_THAT(text({"--group", "--score", "test.news.bleu", "--baseline", "my_base-2"}),
              HasSubstr("41.26 ± 7.46*\n"))
      << "the group that has this run";
}

TEST_F(RunTables, RefuseWhatTheyCannotShow) {
  EXPECT_FAILS(runs({"--by", "scor"}), 2, "--by scor: none of these runs has this setting");
  EXPECT_FAILS(
      runs({"--by", "score", "--score", "test.talks.bleu"}), 2,
      "none of these runs has this score; they have best, test.news.bleu, validation.bleu");
  EXPECT_FAILS(runs({"--by", "score", "--baseline", "additive"}), 2,
               "best is a score of the validation set, of which runs keep no translations");
  EXPECT_FAILS(runs(joined(kByScore, {"--baseline", "none"})), 2,
               "--baseline none: is no row of the table, nor a run in one; the rows are general | "
               "additive");
  std::filesystem::remove_all(folder_ / "runs/new-2/translations");
  EXPECT_FAILS(runs(joined(kByScore, {"--baseline", "additive"})), 4,
               "runs/new-2/translations/news.hyp: is missing");
}

TEST_F(RunTables, SayWhichOptionsHaveNoEffect) {
  EXPECT_THAT(runs({"--digits", "1"}).err, HasSubstr("--digits: no effect with --format text"));
  EXPECT_THAT(runs(joined(kByScore, {"--format", "csv", "--columns", "min"})).err,
              HasSubstr("--columns: no effect with --format csv"));
  EXPECT_THAT(runs({"--no-bold"}).err, HasSubstr("--no-bold: no effect with --format text"));
}

class TestTexts : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  Outcome train(const Arguments& more) const {
    return workshop_.run(joined({"train", "toy.yaml", "--set", "train.max_updates=2", "--set",
                                 "data.test={held/out: {source: valid.src, target: valid.tgt}}"},
                                more));
  }
  ToyWorkshop workshop_;
};

TEST_F(TestTexts, AreKeptInTheRunAndWrittenAgainWhereTheyAreMissing) {
  ASSERT_EQ(train({}).exit_code, 0);
  const std::string folder = "runs/toy/translations/";
  const std::string translations = workshop_.read(folder + "held%2fout.hyp");
  EXPECT_EQ(translations, workshop_.translation({}));
  EXPECT_EQ(workshop_.read(folder + "held%2fout.ref"), workshop_.read("valid.tgt"));
  std::filesystem::remove_all(workshop_ / folder);
  ASSERT_EQ(train({"--resume"}).exit_code, 0);
  EXPECT_EQ(workshop_.read(folder + "held%2fout.hyp"), translations);
  write_plainly(workshop_ / (folder + "notes.txt"), "mine");
  ASSERT_EQ(train({"--overwrite", "--set", "data.test={}"}).exit_code, 0);
  EXPECT_EQ(names_in(workshop_ / folder), std::vector<std::string>{"notes.txt"});
}

}  // namespace
}  // namespace heed
