// Expected figures are by sacreBLEU 2.6.0 and rouge-score 0.1.2 on the same lines, unless a
// calculation is given.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr const char* kHypotheses =
    "A man is riding a bicycle down the street.\n"
    "Two dogs are playing in the snow.\n"
    "The woman wears a red hat, and smiles.\n"
    "Children are running through a field\n";
constexpr const char* kReferences =
    "A man rides a bicycle down the street.\n"
    "Two dogs play in the snow.\n"
    "A woman with a red hat smiles.\n"
    "Children run through a field.\n";
constexpr const char* kOtherReferences =
    "A man is riding his bike on the street.\n"
    "Two dogs are playing in deep snow.\n"
    "The woman wears a red hat and smiles.\n"
    "Kids are running across a field.\n";

class Evaluate : public testing::Test {
 protected:
  Evaluate() {
    write_plainly(folder_ / "hyp", kHypotheses);
    write_plainly(folder_ / "ref", kReferences);
    write_plainly(folder_ / "ref2", kOtherReferences);
    for (const auto& [name, text] : {std::pair{"cat.hyp", "The big cat sat on a mat .\n"},
                                     {"cat.ref", "the big cat lay on the mat .\n"},
                                     {"fish.hyp", "The dog ate 我们的 \"Fish\".\n"},
                                     {"fish.ref", "the dog, ate 我们 \"fish\" .\n"},
                                     {"two.hyp", "d e f | a b c\n"},
                                     {"two.ref", "a b c | d e f\n"},
                                     {"word", "yes\n"},
                                     {"out.align", "0-0 1-1\n0-1\n"},
                                     {"gold.align", "0-0 1?1\n0-0\n"}})
      write_plainly(folder_ / name, text);
  }
  Outcome evaluate(Arguments arguments) const {
    arguments.insert(arguments.begin(), "evaluate");
    return run_heed(arguments, {.folder = folder_.path()});
  }
  // First line of output of a run that has to succeed.
  std::string line(const Arguments& arguments) const {
    const Outcome outcome = evaluate(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  TemporaryFolder folder_;
};

TEST_F(Evaluate, PrintsSacrebleusFiguresWithTheSignature) {
  holds({"--format", "--metric", "heed evaluate"});
  EXPECT_EQ(line({"-r", "ref", "-i", "hyp"}),
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:heed-" HEED_VERSION
            " = 37.5 70.6/50.0/30.8/18.2 (BP = 1.000 ratio = 1.133 hyp_len = 34 ref_len = 30)\n");
}

// The figures of other settings are in tests/metric.
TEST_F(Evaluate, TakesTheOptionsOfItsMetrics) {
  holds({"--digits", "--reference", "--tokenize", "--lowercase", "--smooth", "--smooth-value",
         "--effective-order", "--chrf-beta", "--chrf-char-order", "--chrf-whitespace",
         "--chrf-word-order", "--ter-asian-support", "--ter-case-sensitive", "--ter-no-punct",
         "--ter-normalized", "--sentence-break", "--stem", "--metric"});
  const auto expect = [this](const Arguments& options, const std::string& part) {
    EXPECT_THAT(line(options), HasSubstr(part));
  };
  const auto with = [](const std::string& texts, const Arguments& more) {
    return joined({"-r", texts + ".ref", "-i", texts + ".hyp", "--digits", "2"}, more);
  };
  expect({"-r", "ref", "-i", "hyp", "--digits", "2"}, " = 37.49 70.6/");
  expect({"-i", "hyp", "-r", "ref", "ref2"}, " = 70.0 97.1/83.3/65.4/45.5");
  expect({"-i", "hyp", "-r", "ref", "-r", "ref2"}, "nrefs:2");
  expect({"-r", "ref", "-i", "hyp", "--tokenize", "char"}, " = 65.5 78.0/");
  expect(with("cat", {}), " = 16.52 62.5/");
  expect(with("cat", {"--lowercase"}), " = 27.05 75.0/42.9/16.7/10.0");
  expect(with("cat", {"--smooth", "floor"}),
         "smooth:floor[0.10]|version:heed-" HEED_VERSION " = 8.78 ");
  expect(with("cat", {"--smooth", "floor", "--smooth-value", "0.5"}), " = 19.64 ");
  // A single word has no bigrams: the score is that of unigrams.
  expect({"-r", "word", "-i", "word"}, " = 0.0 ");
  expect({"-r", "word", "-i", "word", "--effective-order"}, " = 100.0 ");
  const auto chrf = [&](const Arguments& more) {
    return with("cat", joined({"-m", "chrF"}, more));
  };
  expect(chrf({}), "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:heed-" HEED_VERSION
                   " = 42.37\n");
  expect(chrf({"--chrf-char-order", "3"}), " = 58.93\n");
  expect(chrf({"--chrf-word-order", "1"}), " = 45.26\n");
  expect(chrf({"--chrf-beta", "1"}), " = 43.77\n");
  expect(chrf({"--chrf-whitespace"}), " = 54.58\n");
  const auto ter = [&](const Arguments& more) { return with("fish", joined({"-m", "Ter"}, more)); };
  expect(ter({}),
         "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:"
         "heed-" HEED_VERSION " = 66.67\n");
  expect(ter({"--ter-normalized"}), " = 22.22\n");
  expect(ter({"--ter-normalized", "--ter-asian-support"}), " = 20.00\n");
  expect(ter({"--ter-no-punct"}), " = 20.00\n");
  expect(ter({"--ter-case-sensitive"}), " = 83.33\n");
  expect({"-r", "ref", "-i", "hyp", "-m", "rouge2"}, " = 49.1");
  expect({"-r", "ref", "-i", "hyp", "-m", "rouge2", "--stem"}, " = 62.5");
  // The same two sentences in the other order: as one sentence, half of the words are in order.
  expect({"-r", "two.ref", "-i", "two.hyp", "-m", "rougeLsum"}, " = 50.0");
  expect({"-r", "two.ref", "-i", "two.hyp", "-m", "rougeLsum", "--sentence-break", "|"},
         " = 100.0");
  // Line 1: A = {00, 11}, S = {00}, P = {00, 11}; line 2: A = {01}, S = P = {00}.
  expect({"-r", "gold.align", "-i", "out.align", "-m", "aer"},
         " = 40.0 (P = 66.7 R = 50.0 links = 3 sure = 2)\n");
}

TEST_F(Evaluate, PrintsEachMetricOnce) {
  const auto lines = lines_of(line({"-r", "ref", "-i", "hyp", "-m", "rouge1", "exact", "rouge"}));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_THAT(lines[0], HasSubstr(" = 74.7"));
  EXPECT_THAT(lines[1], HasSubstr(" = 0.0 (equal = 0 lines = 4 error = 100.0)"));
}

TEST_F(Evaluate, PrintsConfidenceIntervals) {
  holds({"--confidence", "--samples", "--seed"});
  const Arguments confident{"-r", "ref", "-i", "hyp", "-m", "bleu", "chrf++", "--confidence"};
  const auto lines = lines_of(line(confident));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], HasSubstr("BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|"));
  EXPECT_THAT(lines[0], HasSubstr(" = 37.5 (μ = 36.3 ± 18.2) 70.6/50.0/30.8/18.2 (BP = 1.000"));
  EXPECT_THAT(lines[1], HasSubstr(" = 68.6 (μ = 68.5 ± 8.6)"));
  const auto others = lines_of(line(joined(confident, {"--samples", "50", "--seed", "3"})));
  EXPECT_THAT(others[1], HasSubstr("|bs:50|seed:3|"));
  EXPECT_THAT(others[1], HasSubstr(" = 68.6 (μ = 68.0 ± 7.7)"));
}

TEST_F(Evaluate, WritesJson) {
  holds({"--format", "--confidence"});
  const auto json = nlohmann::json::parse(
      line({"-r", "ref", "-i", "hyp", "-m", "chrf", "rouge2", "--confidence", "--format", "json"}));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["name"], "chrF2");
  EXPECT_THAT(json[0]["signature"].get<std::string>(), HasSubstr("nc:6"));
  EXPECT_NEAR(json[0]["confidence"]["mean"].get<double>(), 69.0, 0.05);
  EXPECT_NEAR(json[0]["confidence"]["half_width"].get<double>(), 8.5, 0.05);
  EXPECT_EQ(json[0]["confidence"]["samples"], 1000);
  EXPECT_EQ(json[0]["confidence"]["seed"], 12345);
  EXPECT_NEAR(json[1]["score"].get<double>(), 49.106449106449105, 1e-9);
  const auto aer = nlohmann::json::parse(
      line({"-r", "gold.align", "-i", "out.align", "-m", "aer", "--format", "json"}));
  EXPECT_DOUBLE_EQ(aer[0]["parts"]["recall"].get<double>(), 50);
}

TEST_F(Evaluate, WarnsOfATable) {
  std::string table, other;
  for (const std::string& line : lines_of(kReferences)) {
    table += "source\t" + line + "\n";
    other += "x\t" + line + "\n";
  }
  write_plainly(folder_ / "test.tsv", table);
  write_plainly(folder_ / "other.tsv", other);
  const auto warnings = [&](const char* references, const char* hypotheses) {
    const Outcome outcome = evaluate({"-r", references, "-i", hypotheses});
    EXPECT_EQ(outcome.exit_code, 0);
    return outcome.err;
  };
  const std::string warning =
      "test.tsv: 4 of 4 lines have a tab; if it is a table, take out the column that is meant: cut "
      "-f2 test.tsv > test.column.txt\n";
  EXPECT_THAT(warnings("test.tsv", "hyp"), HasSubstr(warning));
  EXPECT_THAT(warnings("ref", "test.tsv"), HasSubstr(warning));
  // Documents with tabs between their sentences.
  EXPECT_EQ(warnings("test.tsv", "other.tsv"), "");
  const Outcome compared =
      run_heed({"compare", "-r", "test.tsv", "hyp", "ref"}, {.folder = folder_.path()});
  EXPECT_THAT(compared.err, HasSubstr(warning));
  EXPECT_EQ(lines_of(compared.err).size(), 1U) << compared.err;
}

TEST_F(Evaluate, NamesTheEncodingOfMalformedText) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "Die T\xfcr ist gr\xfcn und sch\xf6n.\n";
  write_plainly(folder_ / "latin1", text);
  EXPECT_FAILS(evaluate({"-r", "latin1", "-i", "hyp"}), 3,
               "latin1: 20 of 20 lines are malformed UTF-8; the file looks like ISO 8859-1 "
               "(Windows-1252); convert it: iconv -f WINDOWS-1252 -t UTF-8 latin1 > latin1.utf8");
}

TEST_F(Evaluate, ReadsHypothesesFromStandardInput) {
  const Outcome outcome = run_heed({"evaluate", "-r", folder_ / "ref"}, {.input = kHypotheses});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" = 37.5 "));
}

TEST_F(Evaluate, RefusesOptionsThatNoMetricTakes) {
  const auto refused = [&](const Arguments& options, const std::string& message) {
    EXPECT_FAILS(run_heed(joined({"evaluate", "-r", "ref", "-i", "hyp"}, options),
                          {.folder = folder_.path()}),
                 2, message);
    EXPECT_FAILS(run_heed(joined({"compare", "-r", "ref", "hyp", "hyp"}, options),
                          {.folder = folder_.path()}),
                 2, message);
  };
  refused({"-m", "wer", "--tokenize", "zh"},
          "--tokenize is an option of bleu, and the metric is wer: leave it out");
  refused({"-m", "chrf++", "--chrf-word-order", "1"}, "--chrf-word-order is an option of chrf, ");
  refused({"-m", "aer", "--lowercase"}, "--lowercase is an option of metrics of text, ");
  refused({"-m", "rouge1", "--sentence-break", ","}, "--sentence-break is an option of rougeLsum");
  refused({"-m", "bleu", "--stem", "--ter-no-punct"},
          "--ter-no-punct is an option of ter, and the metric is bleu: leave it out; "
          "--stem is an option of rouge1, rouge2, rougeL, rougeLsum, ");
  refused({"-m", "ter", "--ter-asian-support"},
          "--ter-asian-support has no effect without --ter-normalized or --ter-no-punct");
  const Outcome taken = run_heed({"evaluate", "-r", "ref", "-i", "hyp", "--sentence-break", ",",
                                  "--stem", "--lowercase", "-m", "rouge", "exact"},
                                 {.folder = folder_.path()});
  EXPECT_EQ(taken.exit_code, 0) << taken.err;
  EXPECT_THAT(taken.out, HasSubstr("EXACT|nrefs:1|case:lc|version"));
}

// The reasons are in tests/metric.
TEST_F(Evaluate, WarnsOfMetricsThatSayLittleOfAText) {
  write_plainly(folder_ / "chinese", "我们今天去学校\n");
  for (const Arguments& command : {Arguments{"evaluate", "-r", "chinese", "-i", "chinese"},
                                   {"compare", "-r", "chinese", "chinese", "chinese"}}) {
    EXPECT_THAT(run_heed(joined(command, {"-m", "rouge"}), {.folder = folder_.path()}).err,
                HasSubstr("warning: ROUGE-1, ROUGE-2, ROUGE-L, ROUGE-Lsum: it counts words of a-z "
                          "and 0-9, as rouge-score does, and 100 % of the letters of the "
                          "references are others, which count for nothing: use rouge-unicode\n"));
    EXPECT_THAT(
        run_heed(joined(command, {"-m", "bleu", "--tokenize", "zh"}), {.folder = folder_.path()})
            .err,
        Not(HasSubstr("warning")));
  }
}

// Expected scores are those of `sacrebleu --sentence-level`.
TEST_F(Evaluate, ScoresEachLine) {
  holds({"--sentences"});
  const Arguments sentences{"-r", "ref",  "ref2", "-i",  "hyp",
                            "-m", "bleu", "chrf", "ter", "--sentences"};
  EXPECT_EQ(line(sentences),
            "78.6\t76.1\t23.5\n84.1\t75.1\t15.4\n65.8\t89.8\t13.3\n39.8\t70.7\t54.5\n");
  const auto json = nlohmann::json::parse(line(joined(sentences, {"--format", "json"})));
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["name"], "BLEU");
  EXPECT_THAT(json[0]["signature"].get<std::string>(), HasSubstr("nrefs:2|case:mixed|eff:yes"));
  ASSERT_EQ(json[2]["scores"].size(), 4u);
  EXPECT_NEAR(json[2]["scores"][3].get<double>(), 54.5, 0.05);
}

TEST_F(Evaluate, MeasuresTheFirstWordsOfTheSource) {
  holds({"--baseline"});
  write_plainly(folder_ / "source",
                "A man  is riding\nTwo dogs\n\n Children are\u2003running fast\n");
  write_plainly(folder_ / "lead", "A man is\nTwo dogs\n\nChildren are running\n");
  const Arguments metrics{"-m", "exact", "bleu", "rouge", "--format", "json"};
  const auto with = [&](const Arguments& arguments) {
    return evaluate(joined(arguments, metrics));
  };
  const Outcome baseline = with({"-r", "lead", "-s", "source", "--baseline", "lead:3"});
  ASSERT_EQ(baseline.exit_code, 0) << baseline.err;
  EXPECT_THAT(baseline.err,
              HasSubstr("evaluating lead:3 of source, the first 3 words of each line"));
  auto json = nlohmann::json::parse(baseline.out);
  EXPECT_EQ(json[0]["score"], 100);
  EXPECT_EQ(json[0]["hypotheses"], "lead:3 of source");
  const Outcome of_references = with({"-r", "ref", "-s", "source", "--baseline", "lead:3"});
  auto expected = nlohmann::json::parse(with({"-r", "ref", "-i", "lead"}).out);
  for (auto& metric : expected) metric["hypotheses"] = "lead:3 of source";
  EXPECT_EQ(nlohmann::json::parse(of_references.out), expected);
  // Characters are the words of a text without spaces.
  write_plainly(folder_ / "source", "猫が好きです。\n今日、犬\n");
  write_plainly(folder_ / "lead", "猫が好\n今日、\n");
  json = nlohmann::json::parse(with({"-r", "lead", "-s", "source", "--baseline", "lead:3"}).out);
  EXPECT_EQ(json[0]["score"], 100);
}

TEST_F(Evaluate, UnusableTextsAreCode3WithTheirPlace) {
  write_plainly(folder_ / "short", "one\ntwo\n");
  write_plainly(folder_ / "bad", "fine\nab\xff\n");
  write_plainly(folder_ / "empty", "");
  write_plainly(folder_ / "colon.align", "0-0\n0-0 1:1\n");
  EXPECT_FAILS(evaluate({"-r", "ref", "-i", "short"}), 3, "short: 2 lines, but ref: 4 lines");
  EXPECT_FAILS(evaluate({"-r", "ref", "-s", "short", "--baseline", "lead:2"}), 3,
               "lead:2 of short: 2 lines, but ref: 4 lines");
  EXPECT_FAILS(evaluate({"-r", "short", "-i", "bad"}), 3, "bad:2");
  EXPECT_FAILS(evaluate({"-r", "bad", "-i", "short"}), 3, "bad:2");
  EXPECT_FAILS(evaluate({"-r", "empty", "-i", "empty"}), 3, "empty: no lines");
  EXPECT_FAILS(evaluate({"-r", "colon.align", "-i", "colon.align", "-m", "aer"}), 3,
               "colon.align:2: AER: '1:1' is not a link of an alignment; expected SOURCE-TARGET");
}

TEST_F(Evaluate, MissingFilesAreCode5) {
  EXPECT_FAILS(evaluate({"-r", "nowhere", "-i", "hyp"}), 5, "nowhere");
  EXPECT_FAILS(evaluate({"-r", "ref", "-i", "nowhere"}), 5, "nowhere");
  EXPECT_FAILS(evaluate({"-r", ".", "-i", "hyp"}), 5, ".: ");
}

TEST_F(Evaluate, FullDiskIsCode5) {
  const Outcome outcome = run_heed({"evaluate", "-r", folder_ / "ref", "-i", folder_ / "hyp"},
                                   {.out_file = "/dev/full"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("No space left"));
}

TEST_F(Evaluate, StandardInputIsOneText) {
  for (const Arguments& twice : {Arguments{"-r", "-"}, {"-r", "-", "-i", "-"}}) {
    const Outcome outcome = evaluate(twice);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("only one of them can be standard input"));
  }
  const Outcome compared = run_heed({"compare", "-r", "ref", "-", "-"}, {.folder = folder_.path()});
  EXPECT_EQ(compared.exit_code, 2) << compared.err;
}

}  // namespace
}  // namespace heed
