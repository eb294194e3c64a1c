// Tables of runs for papers, from folders of runs. Expected p-values are by sacreBLEU 2.6.0
// (PairedTest "ar") of the texts of all seeds behind each other, by numpy of its statistics summed
// over seeds, and by scipy 1.17 (ttest_ind, equal_var=False). Means and deviations are by Python's
// statistics.
#include "results/pivot_table.h"

#include <gmock/gmock.h>

#include "base/safetensors_header.h"
#include "base/temporary_folder.h"
#include "captured_log.h"
#include "results/run_table.h"
#include "results/setting_values.h"
#include "results/tested_runs.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

BaselineTest by(SeedTest test, std::optional<int64_t> samples = {}, uint32_t seed = 12345) {
  const bool exchanges = test == SeedTest::kRandomization;
  return {.test = test,
          .significance = {
              .test = exchanges ? SignificanceTest::kRandomization : SignificanceTest::kBootstrap,
              .seed = seed,
              .samples = samples}};
}

class PivotTables : public TestedRuns {
 protected:
  // Rows by the kind of score, best first.
  PivotTable table(const std::optional<std::string>& baseline = {},
                   const BaselineTest& test = by(SeedTest::kRandomization),
                   const std::optional<std::string>& across = {}, bool counts = false) const {
    const std::vector<RunSummary> runs = list_runs({folder_ / "runs"});
    const RunScore score = find_score(runs, "test.news.bleu");
    PivotRequest request{.by = {find_setting(runs, "score", "--by")}};
    if (across) request.across = request.average = find_setting(runs, *across, "--across");
    Pivot pivot = make_pivot(single_runs(runs), request);
    sort_rows(pivot, score, RunOrder::kScore);
    std::optional<Baseline> against;
    if (baseline) against = Baseline{find_baseline(pivot, *baseline), test};
    return make_pivot_table(std::move(pivot), {score}, against,
                            counts ? ParameterCounts::kNeeded : ParameterCounts::kLeftOut);
  }
  static std::string text(const PivotTable& table,
                          std::vector<CellNumber> shown = {CellNumber::kRuns, CellNumber::kMean}) {
    return text_table(paper_table(table, {.shown = std::move(shown)}), 100,
                      row_headings(table.pivot));
  }
  static std::optional<double> p_of(const PivotTable& table, size_t row) {
    return table.figures[row][0].tests.at(0).p;
  }
  template <class Make>
  static std::string warnings(const Make& make) {
    CapturedLog log;
    make();
    return log.end();
  }
};

TEST_F(PivotTables, AreEscapedRoundedAndBold) {
  const PivotTable found = table();
  const auto paper = [&](std::optional<int> decimals, bool bold) {
    return paper_table(found, {.shown = {CellNumber::kRuns, CellNumber::kMean},
                               .decimals = decimals,
                               .for_paper = true,
                               .bold = bold});
  };
  EXPECT_THAT(latex_table(paper({}, true)),
              HasSubstr("general & 3 & \\textbf{41.3} $\\pm$ 7.5 \\\\\nadditive & 3 & 20.4 $\\pm$ "
                        "9.9 \\\\\n"));
  EXPECT_THAT(latex_table(paper(3, false)), HasSubstr("& 41.264 $\\pm$ 7.455 \\\\\n"));
  EXPECT_THAT(markdown_table(paper({}, true)), HasSubstr("| general  |    3 | **41.3** ± 7.5 |\n"
                                                         "| additive |    3 |     20.4 ± 9.9 |\n"));
  EXPECT_THAT(csv_text(records_of(found)),
              HasSubstr("model.decoder.attention.score,count,runs,parameters,seconds,"
                        "test.news.bleu,test.news.bleu_deviation,test.news.bleu_min,"
                        "test.news.bleu_max\r\ngeneral,3,new-1 new-2 new-3,,100,41.26415"));
}

TEST_F(PivotTables, OfManySettingsDoNotWrap) {
  std::filesystem::remove_all(folder_ / "runs");
  for (int seed = 1; seed <= 3; ++seed)
    write("new", std::string(300, 'x'), seed, kNewScores[static_cast<size_t>(seed - 1)], kNew);
  const PivotTable found = table();
  const PaperTable paper = paper_table(found, {.shown = {CellNumber::kMean}, .for_paper = true});
  for (const std::string& text :
       {latex_table(paper), markdown_table(paper), csv_text(records_of(found))})
    EXPECT_THAT(text, HasSubstr(std::string(300, 'x')));
}

TEST_F(PivotTables, CountTheParametersOfTheModels) {
  EXPECT_THAT(warnings([this] { table({}, {}, {}, true); }),
              HasSubstr("new-1: its number of parameters cannot be read: "));
  const std::string header = make_header({{"a", {.shape = {2, 3}, .begin = 0, .end = 24}},
                                          {"b", {.shape = {}, .begin = 24, .end = 28}}});
  const uint64_t size = header.size();
  const std::string file(reinterpret_cast<const char*>(&size), sizeof size);
  for (const char* run : {"new-1", "new-2", "new-3", "my_base-1", "my_base-2", "my_base-3"}) {
    const auto model = folder_ / fmt::format("runs/{}/best/model", run);
    std::filesystem::create_directories(model);
    write_plainly(model / "model.safetensors", file + header + std::string(28, '\0'));
  }
  EXPECT_THAT(text(table({}, {}, {}, true), {CellNumber::kMin, CellNumber::kMax,
                                             CellNumber::kParameters, CellNumber::kSeconds}),
              HasSubstr("score     parameters    time  news BLEU min  news BLEU max\n"
                        "general            7  1m 40s          36.45          49.85\n"));
}

TEST_F(PivotTables, HaveAColumnForEachValueAndTheirAverage) {
  for (int seed = 1; seed <= 3; ++seed)
    write("french", "general", seed, 50 + seed, of_seed(kNew, seed), "fr");
  CapturedLog log;
  EXPECT_THAT(text(table({}, {}, "dir"), {CellNumber::kMean}),
              HasSubstr("score               de            fr                average\n"
                        "general   41.26 ± 7.46  52.00 ± 1.00  46.63 ± 4.15\n"
                        "additive  20.39 ± 9.90             -  20.39 ± 9.90 (1 of 2)\n"));
  EXPECT_THAT(log.end(), HasSubstr("additive, average: the average of test.news.bleu is of 1 of 2 "
                                   "values of data.dir, without fr\n"));
}

TEST_F(PivotTables, TestDifferencesFromABaseline) {
  using enum SeedTest;
  EXPECT_DOUBLE_EQ(p_of(table("additive"), 0).value(), 0.015998400159984);
  EXPECT_FALSE(p_of(table("additive"), 1)) << "the baseline";
  EXPECT_DOUBLE_EQ(p_of(table("additive", by(kBootstrap)), 0).value(), 0.01098901098901099);
  EXPECT_NE(p_of(table("additive", by(kRandomization, 100)), 0).value(), 0.015998400159984);
  EXPECT_NE(p_of(table("additive", by(kRandomization, {}, 1)), 0).value(), 0.015998400159984);
  EXPECT_DOUBLE_EQ(p_of(table("my_base-2"), 0).value(), 0.015998400159984)
      << "the row that has this run";
  write("none", "general, x", 1, 41, kNew);
  EXPECT_EQ(find_baseline(table().pivot, "x"), find_baseline(table().pivot, "general, x"));
}

TEST_F(PivotTables, TestTheScoresOfFiveSeeds) {
  std::filesystem::remove_all(folder_ / "runs");
  const std::vector<double> base = {30.1, 30.5, 29.8, 30.9, 30.2},
                            better = {31.0, 30.7, 31.4, 31.2, 30.6};
  for (int seed = 1; seed <= 5; ++seed) {
    write("base", "additive", seed, base[static_cast<size_t>(seed - 1)], kBase);
    write("new", "general", seed, better[static_cast<size_t>(seed - 1)], kNew);
  }
  EXPECT_NEAR(p_of(table("additive", by(SeedTest::kWelch)), 0).value(), 0.022945638706863645,
              1e-12);
  std::filesystem::remove_all(folder_ / "runs/new-5");
  EXPECT_THAT(warnings([this] { table("additive", by(SeedTest::kWelch)); }),
              HasSubstr("no p for general: a row has 4 scores, and Welch's t-test needs 5 of "
                        "each\n"));
}

TEST_F(PivotTables, HaveNoPForFewerSeedsThanNeeded) {
  std::filesystem::remove_all(folder_ / "runs/new-3");
  EXPECT_THAT(warnings([this] { EXPECT_THAT(text(table("additive")), Not(HasSubstr("*"))); }),
              HasSubstr("no p for general: 2 seeds are in both rows, and a test over seeds needs 3 "
                        "(Clark et al. 2011)\n"));
}

TEST_F(PivotTables, RefuseTranslationsThatAreMissingOrOthers) {
  const auto in_run = [this](const std::string& name) { return folder_ / ("runs/new-2/" + name); };
  write_plainly(in_run("translations/news.hyp"), text_of(kBase));
  EXPECT_ERROR(table("additive"), ErrorKind::kData,
               "has bleu 14.8666, but the run was tested with 36.4546");
  std::filesystem::remove(in_run("translations/news.hyp"));
  EXPECT_ERROR(table("additive"), ErrorKind::kModel, "new-2/translations/news.hyp: is missing");
  write_plainly(in_run("translations/news.hyp"), "a\n");
  EXPECT_ERROR(table("additive"), ErrorKind::kData, "news.ref");
}

TEST_F(PivotTables, RefuseDifferentTestSets) {
  const std::string end = R"("cut":3})";
  for (const char* run : {"new-1", "my_base-1"}) {
    const auto metrics = folder_ / fmt::format("runs/{}/metrics.jsonl", run);
    std::string own = read_plainly(metrics);
    own.replace(own.find(end), end.size(), fmt::format(R"("cut":3,"set":"{}"}})", run));
    write_plainly(metrics, own);
  }
  EXPECT_ERROR(table("additive"), ErrorKind::kData,
               "my_base-1 and new-1 were tested on different texts, which both name news");
  EXPECT_THAT(warnings([this] { warn_of_scales(list_runs({folder_ / "runs"})); }),
              HasSubstr("warning: the bleu of news cannot be compared, for the test sets of this "
                        "name differ: my_base-1 | new-1\n"));
}

}  // namespace
}  // namespace heed
