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
    write_plainly(folder_ / "cat.hyp", "The big cat sat on a mat .\n");
    write_plainly(folder_ / "cat.ref", "the big cat lay on the mat .\n");
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

TEST_F(Evaluate, TakesNamesOfMetricsWithOtherCapitals) {
  holds({"--metric"});
  for (const auto& [given, name] :
       {std::pair{"BLEU", "bleu"}, {"chrF", "chrf"}, {"ROUGEL,Ter", "rougeL,ter"}}) {
    EXPECT_EQ(line({"-r", "ref", "-i", "hyp", "-m", given}),
              line({"-r", "ref", "-i", "hyp", "-m", name}));
  }
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

TEST_F(Evaluate, DigitsAreAsked) {
  holds({"--digits"});
  EXPECT_THAT(line({"-r", "ref", "-i", "hyp", "--digits", "2"}), HasSubstr(" = 37.49 70.6/"));
}

TEST_F(Evaluate, ReadsHypothesesFromStandardInput) {
  const Outcome outcome = run_heed({"evaluate", "-r", folder_ / "ref"}, {.input = kHypotheses});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" = 37.5 "));
}

TEST_F(Evaluate, TakesSeveralReferences) {
  holds({"--reference"});
  const std::string expected = " = 70.0 97.1/83.3/65.4/45.5";
  EXPECT_THAT(line({"-i", "hyp", "-r", "ref", "ref2"}), HasSubstr(expected));
  EXPECT_THAT(line({"-i", "hyp", "-r", "ref", "-r", "ref2"}), HasSubstr("nrefs:2"));
}

TEST_F(Evaluate, TokenizesAsAsked) {
  holds({"--tokenize"});
  EXPECT_THAT(line({"-r", "ref", "-i", "hyp", "--tokenize", "char"}), HasSubstr(" = 65.5 78.0/"));
  EXPECT_THAT(line({"-r", "ref", "-i", "hyp", "--tokenize", "none"}), HasSubstr(" = 26.5 63.3/"));
}

TEST_F(Evaluate, LowercasesAsAsked) {
  holds({"--lowercase"});
  EXPECT_THAT(line({"-r", "cat.ref", "-i", "cat.hyp"}), HasSubstr(" = 16.5 62.5/"));
  const std::string lower = line({"-r", "cat.ref", "-i", "cat.hyp", "--lowercase"});
  EXPECT_THAT(lower, HasSubstr("case:lc"));
  EXPECT_THAT(lower, HasSubstr(" = 27.1 75.0/42.9/16.7/10.0"));
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

TEST_F(Evaluate, WarnsOfMetricsThatSayLittleOfAText) {
  write_plainly(folder_ / "russian", "Москва слезам не верит\n");
  write_plainly(folder_ / "chinese", "我们今天去学校\n");
  write_plainly(folder_ / "none", "\n");
  const auto told = [&](const char* text, const Arguments& options) {
    std::string err;
    for (const Arguments& command :
         {Arguments{"evaluate", "-r", text, "-i", text}, {"compare", "-r", text, text, text}}) {
      const Outcome outcome = run_heed(joined(command, options), {.folder = folder_.path()});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      err += outcome.err;
    }
    return err;
  };
  const auto twice = [](const std::string& text, const std::string& part) {
    const size_t first = text.find(part);
    return first != std::string::npos && text.find(part, first + 1) != std::string::npos;
  };
  EXPECT_TRUE(twice(told("russian", {"-m", "rouge"}),
                    "warning: ROUGE-1, ROUGE-2, ROUGE-L, ROUGE-Lsum: it counts words of a-z and "
                    "0-9, as rouge-score does, and 100 % of the letters of the references are "
                    "others, which count for nothing: use rouge-unicode\n"));
  EXPECT_THAT(told("russian", {"-m", "rouge-unicode"}), Not(HasSubstr("warning")));
  EXPECT_TRUE(twice(told("chinese", {"-m", "wer"}), "warning: WER: its words are what stands "));
  EXPECT_THAT(told("chinese", {"-m", "bleu", "--tokenize", "zh"}), Not(HasSubstr("warning")));
  EXPECT_TRUE(twice(told("none", {"-m", "aer"}), "warning: AER: neither text has a link"));
}

TEST_F(Evaluate, SmoothsAsAsked) {
  holds({"--smooth", "--smooth-value"});
  const auto smoothed = [&](const Arguments& how) {
    return line(joined({"-r", "cat.ref", "-i", "cat.hyp", "--digits", "2", "--smooth"}, how));
  };
  EXPECT_THAT(smoothed({"floor"}), HasSubstr("smooth:floor[0.10]"));
  EXPECT_THAT(smoothed({"floor"}), HasSubstr(" = 8.78 "));
  EXPECT_THAT(smoothed({"floor", "--smooth-value", "0.5"}), HasSubstr(" = 19.64 "));
  EXPECT_THAT(smoothed({"add-k", "--smooth-value", "1"}), HasSubstr(" = 27.33 "));
  EXPECT_THAT(smoothed({"none"}), HasSubstr(" = 0.00 "));
}

TEST_F(Evaluate, CountsCharactersAsAsked) {
  holds({"--chrf-beta", "--chrf-char-order", "--chrf-whitespace", "--chrf-word-order",
         "--lowercase", "--metric"});
  const auto chrf = [&](const Arguments& how) {
    return line(joined({"-r", "cat.ref", "-i", "cat.hyp", "--digits", "2", "-m", "chrf"}, how));
  };
  EXPECT_EQ(chrf({}),
            "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:heed-" HEED_VERSION
            " = 42.37\n");
  EXPECT_THAT(chrf({"--chrf-char-order", "3"}), HasSubstr(" = 58.93\n"));
  EXPECT_THAT(chrf({"--chrf-word-order", "1"}), HasSubstr(" = 45.26\n"));
  EXPECT_THAT(chrf({"--chrf-beta", "1"}), HasSubstr(" = 43.77\n"));
  EXPECT_THAT(chrf({"--chrf-whitespace"}), HasSubstr(" = 54.58\n"));
  EXPECT_THAT(chrf({"--lowercase"}), HasSubstr(" = 47.95\n"));
}

TEST_F(Evaluate, CountsEditsAsAsked) {
  holds({"--metric", "--ter-asian-support", "--ter-case-sensitive", "--ter-no-punct",
         "--ter-normalized"});
  write_plainly(folder_ / "fish.hyp", "The dog ate 我们的 \"Fish\".\n");
  write_plainly(folder_ / "fish.ref", "the dog, ate 我们 \"fish\" .\n");
  const auto ter = [&](const Arguments& how) {
    return line(joined({"-r", "fish.ref", "-i", "fish.hyp", "--digits", "2", "-m", "ter"}, how));
  };
  EXPECT_EQ(ter({}),
            "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:heed-" HEED_VERSION
            " = 66.67\n");
  EXPECT_THAT(ter({"--ter-normalized"}), HasSubstr(" = 22.22\n"));
  EXPECT_THAT(ter({"--ter-normalized", "--ter-asian-support"}), HasSubstr(" = 20.00\n"));
  EXPECT_THAT(ter({"--ter-no-punct"}), HasSubstr(" = 20.00\n"));
  EXPECT_THAT(ter({"--ter-case-sensitive"}), HasSubstr(" = 83.33\n"));
}

// Line 1: A = {00, 11}, S = {00}, P = {00, 11}; line 2: A = {01}, S = P = {00}.
TEST_F(Evaluate, ScoresAlignments) {
  holds({"--metric"});
  write_plainly(folder_ / "out.align", "0-0 1-1\n0-1\n");
  write_plainly(folder_ / "gold.align", "0-0 1?1\n0-0\n");
  const Arguments aer{"-r", "gold.align", "-i", "out.align", "-m", "aer"};
  EXPECT_EQ(line(aer), "AER|nrefs:1|version:heed-" HEED_VERSION
                       " = 40.0 (P = 66.7 R = 50.0 links = 3 sure = 2)\n");
  EXPECT_EQ(line(joined(aer, {"--sentences"})), "0.0\n100.0\n");
  EXPECT_THAT(line(joined(aer, {"--confidence"})), HasSubstr("|bs:1000|seed:12345|version"));
  const auto json = nlohmann::json::parse(line(joined(aer, {"--format", "json"})));
  EXPECT_DOUBLE_EQ(json[0]["parts"]["recall"].get<double>(), 50);
}

TEST_F(Evaluate, NamesTheLineThatIsNoAlignment) {
  write_plainly(folder_ / "gold.align", "0-0\n0-0 1:1\n0-0\n0-0\n");
  const auto complaint = [&](const Arguments& files) {
    return evaluate(joined(files, {"-m", "aer"}));
  };
  EXPECT_FAILS(complaint({"-r", "gold.align", "-i", "gold.align"}), 3,
               "gold.align:2: AER: '1:1' is not a link of an alignment; expected SOURCE-TARGET");
  EXPECT_FAILS(complaint({"-r", "hyp", "-i", "hyp"}), 3, "hyp:1: AER: 'A' is not a link");
  EXPECT_FAILS(complaint({"-r", "hyp", "hyp", "-i", "hyp"}), 3, "hyp:1: AER");
}

TEST_F(Evaluate, PrintsConfidenceIntervals) {
  holds({"--confidence", "--samples", "--seed"});
  const Arguments confident{"-r",   "ref",    "-i",  "hyp",         "-m",
                            "bleu", "chrf++", "ter", "--confidence"};
  const auto lines = lines_of(line(confident));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], HasSubstr("BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|"));
  EXPECT_THAT(lines[0], HasSubstr(" = 37.5 (μ = 36.3 ± 18.2) 70.6/50.0/30.8/18.2 (BP = 1.000"));
  EXPECT_THAT(lines[1], HasSubstr(" = 68.6 (μ = 68.5 ± 8.6)"));
  EXPECT_THAT(lines[2], HasSubstr(" = 42.3 (μ = 42.7 ± 15.3)"));
  const auto others = lines_of(line(joined(confident, {"--samples", "50", "--seed", "3"})));
  EXPECT_THAT(others[1], HasSubstr("|bs:50|seed:3|"));
  EXPECT_THAT(others[1], HasSubstr(" = 68.6 (μ = 68.0 ± 7.7)"));
  EXPECT_THAT(others[2], HasSubstr(" = 42.3 (μ = 43.1 ± 14.9)"));
}

TEST_F(Evaluate, WritesConfidenceIntervalsAsJson) {
  holds({"--confidence"});
  const auto json = nlohmann::json::parse(
      line({"-r", "ref", "-i", "hyp", "-m", "chrf", "--confidence", "--format", "json"}));
  EXPECT_NEAR(json[0]["confidence"]["mean"].get<double>(), 69.0, 0.05);
  EXPECT_NEAR(json[0]["confidence"]["half_width"].get<double>(), 8.5, 0.05);
  EXPECT_EQ(json[0]["confidence"]["samples"], 1000);
  EXPECT_EQ(json[0]["confidence"]["seed"], 12345);
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

// A single word has no bigrams: the score is that of unigrams (sacreBLEU's `effective_order`, which
// its sentence scores use).
TEST_F(Evaluate, LeavesOutOrdersWithoutNgrams) {
  holds({"--effective-order"});
  write_plainly(folder_ / "word.ref", "yes\n");
  const Arguments word{"-r", "word.ref", "-i", "word.ref"};
  EXPECT_THAT(line(word), HasSubstr(" = 0.0 "));
  const std::string effective = line(joined(word, {"--effective-order"}));
  EXPECT_THAT(effective, AllOf(HasSubstr("eff:yes"), HasSubstr(" = 100.0 ")));
}

// The reference has the same two sentences in the other order: as one sentence, half of the words
// are in order.
TEST_F(Evaluate, BreaksSummariesIntoSentences) {
  holds({"--sentence-break"});
  write_plainly(folder_ / "two.ref", "a b c | d e f\n");
  write_plainly(folder_ / "two.hyp", "d e f | a b c\n");
  const Arguments two{"-r", "two.ref", "-i", "two.hyp", "-m", "rougeLsum"};
  EXPECT_THAT(line(two), HasSubstr(" = 50.0"));
  EXPECT_THAT(line(joined(two, {"--sentence-break", "|"})), HasSubstr(" = 100.0"));
}

TEST_F(Evaluate, PrintsRougeWithAndWithoutStemming) {
  holds({"--metric", "--stem"});
  const std::vector<std::string> plain = lines_of(line({"-r", "ref", "-i", "hyp", "-m", "rouge"}));
  ASSERT_EQ(plain.size(), 4u);
  EXPECT_THAT(plain[0], HasSubstr(" = 74.7"));
  EXPECT_THAT(plain[1], HasSubstr(" = 49.1"));
  EXPECT_THAT(plain[2], HasSubstr(" = 74.7"));
  EXPECT_THAT(plain[3], HasSubstr(" = 74.7"));
  const std::vector<std::string> stemmed =
      lines_of(line({"-r", "ref", "-i", "hyp", "-m", "rouge1", "rouge2", "--stem"}));
  ASSERT_EQ(stemmed.size(), 2u);
  EXPECT_THAT(stemmed[0], HasSubstr(" = 86.0"));
  EXPECT_THAT(stemmed[1], HasSubstr(" = 62.5"));
}

TEST_F(Evaluate, WritesJson) {
  holds({"--format"});
  const auto json = nlohmann::json::parse(
      line({"-r", "ref", "-i", "hyp", "-m", "bleu", "rouge2", "--format", "json"}));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["name"], "BLEU");
  EXPECT_NEAR(json[0]["score"].get<double>(), 37.49, 0.005);
  EXPECT_THAT(json[0]["signature"].get<std::string>(), HasSubstr("tok:13a"));
  EXPECT_NEAR(json[1]["score"].get<double>(), 49.106449106449105, 1e-9);
}

TEST_F(Evaluate, PrintsAMetricOnceThatIsNamedTwice) {
  EXPECT_EQ(lines_of(line({"-r", "ref", "-i", "hyp", "-m", "rouge1", "rouge"})).size(), 4u);
}

// F1 of class a is 2/3 (1 right of 1 predicted, 2 in the reference), of b 2/3 (1 of 2, 1 in the
// reference) and of c 1 (1 of 1, 1 in the reference).
TEST_F(Evaluate, MeasuresLabels) {
  holds({"--metric"});
  write_plainly(folder_ / "labels", "a\na\nb\nc\n");
  write_plainly(folder_ / "predicted", "a\nb\nb \nc\n");
  const auto lines =
      lines_of(line({"-r", "labels", "-i", "predicted", "-m", "accuracy", "exact", "f1"}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], HasSubstr(" = 75.0 (right = 3 words = 4)"));
  EXPECT_THAT(lines[1], HasSubstr(" = 75.0 (equal = 3 lines = 4 error = 25.0)"));
  EXPECT_THAT(lines[2], HasSubstr("average:macro"));
  EXPECT_THAT(lines[2], HasSubstr(" = 77.8 (P = 83.3 R = 83.3 classes = 3)"));
}

// Two of three words are wrong, by 2 edits of 7 phones.
TEST_F(Evaluate, MeasuresWordsOfPhones) {
  holds({"--metric"});
  write_plainly(folder_ / "phones", "k a t\nd o\nh u\n");
  write_plainly(folder_ / "predicted", "k a\nd o\nh o\n");
  const auto lines = lines_of(line({"-r", "phones", "-i", "predicted", "-m", "exact", "wer"}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], HasSubstr("error = 66.7)"));
  EXPECT_THAT(lines[1], HasSubstr(" = 28.6 (edits = 2 words = 7)"));
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

TEST_F(Evaluate, BaselineOfAnotherLengthIsCode3) {
  write_plainly(folder_ / "short", "one\ntwo\n");
  EXPECT_FAILS(evaluate({"-r", "ref", "-s", "short", "--baseline", "lead:2"}), 3,
               "lead:2 of short: 2 lines, but ref: 4 lines");
}

// Expected figures are by rouge-score 0.1.2, without stemming, for `cut -d " " -f 1-12` of the
// source.
TEST(RealSummaries, FirstTwelveWordsHaveTheFiguresOfRougeScore) {
  holds({"--baseline"});
  const char* corpora = std::getenv("HEED_CORPORA");
  if (corpora == nullptr) GTEST_SKIP() << "HEED_CORPORA is not set: the folder of the real texts";
  const Outcome outcome =
      run_heed({"evaluate", "-r", "test.tgt", "-s", "test.src", "--baseline", "lead:12", "-m",
                "rouge1", "rouge2", "rougeL"},
               {.folder = std::filesystem::path(corpora) / "reuters-headlines"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], HasSubstr(" = 30.6 "));
  EXPECT_THAT(lines[1], HasSubstr(" = 11.9 "));
  EXPECT_THAT(lines[2], HasSubstr(" = 28.8 "));
}

TEST_F(Evaluate, UnequalLinesAreCode3WithBothCounts) {
  write_plainly(folder_ / "short", "one\ntwo\n");
  const Outcome outcome = evaluate({"-r", "ref", "-i", "short"});
  EXPECT_FAILS(outcome, 3, "short: 2 lines");
  EXPECT_THAT(outcome.err, HasSubstr("ref: 4 lines"));
}

TEST_F(Evaluate, MalformedUtf8IsCode3WithTheLine) {
  write_plainly(folder_ / "bad", "fine\nab\xff\n");
  write_plainly(folder_ / "two", "fine\nab\n");
  EXPECT_FAILS(evaluate({"-r", "two", "-i", "bad"}), 3, "bad:2");
  EXPECT_FAILS(evaluate({"-r", "bad", "-i", "two"}), 3, "bad:2");
}

TEST_F(Evaluate, NothingToScoreIsCode3) {
  write_plainly(folder_ / "empty", "");
  EXPECT_FAILS(evaluate({"-r", "empty", "-i", "empty"}), 3, "empty: no lines");
}

TEST_F(Evaluate, MissingFilesAreCode5) {
  EXPECT_FAILS(evaluate({"-r", "nowhere", "-i", "hyp"}), 5, "nowhere");
  EXPECT_FAILS(evaluate({"-r", "ref", "-i", "nowhere"}), 5, "nowhere");
  EXPECT_FAILS(evaluate({"-r", ".", "-i", "hyp"}), 5, ".: ");
}

TEST_F(Evaluate, EmptyHypothesesCount) {
  write_plainly(folder_ / "gaps", "A man rides a bicycle down the street.\n\n\n\n");
  EXPECT_THAT(line({"-r", "ref", "-i", "gaps", "-m", "exact"}), HasSubstr(" = 25.0"));
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
