// The scores of a validation, of a test set and of `heed evaluate --model` are one number with one
// signature, whatever the text consists of.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/utf8.h"
#include "cli/program.h"
#include "cli/toy_corpus.h"

namespace heed {
namespace {

// A kind of target text: what becomes of a line of the toy corpus, and how it is tokenized.
struct Kind {
  const char* name;
  std::string (*write)(const std::string& line);
  const char* text;
  bool lower = false;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::string as_it_is(const std::string& line) { return line; }

// Every second letter is a capital.
std::string with_capitals(const std::string& line) {
  std::string text = line;
  for (size_t i = 0; i < text.size(); i += 4)
    if (text[i] >= 'a') text[i] = static_cast<char>(text[i] - 'a' + 'A');
  return text;
}

// Pairs of letters are subwords of one word: "a@@ b c@@ d".
std::string in_subwords(const std::string& line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool is_first = i % 4 == 0 && i + 1 < line.size();
    text += line[i] + std::string(is_first ? "@@" : "");
  }
  return text;
}

std::string in_subwords_with_capitals(const std::string& line) {
  return with_capitals(in_subwords(line));
}

// Words hold a separator, which translations write as a space.
std::string with_separators(const std::string& line) {
  std::string text;
  for (const char c : line) text += c == ' ' ? std::string(" ") : c + std::string("\u2028");
  return text;
}

std::string changed(const std::string& text, std::string (*change)(const std::string&)) {
  std::string result;
  for (const std::string& line : lines_of(text)) result += change(line) + "\n";
  return result;
}

// The metrics of `heed evaluate --help` that train.validate.metrics takes too.
std::vector<std::string> metrics_of_text() {
  const std::set<std::string> others = {"accuracy", "aer", "rouge", "rouge-unicode"};
  std::vector<std::string> names;
  bool in_list = false;
  for (const std::string& line : lines_of(run_heed({"evaluate", "--help"}).out)) {
    if (line.starts_with("Names of metrics")) in_list = true;
    if (!in_list || !line.starts_with("  ") || line[2] == ' ') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    if (!others.contains(name)) names.push_back(name);
  }
  return names;
}

class ScoresOfAModel : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    const Kind& kind = GetParam();
    for (const auto& [name, seed, lines] : {std::tuple("train", 1, 400), {"valid", 2, 30}}) {
      const std::string text = toy_lines(static_cast<uint64_t>(seed), lines);
      write_plainly(folder_ / (std::string(name) + ".src"), text);
      write_plainly(folder_ / (std::string(name) + ".tgt"), changed(text, kind.write));
    }
    write_plainly(folder_ / "c.yaml",
                  std::string("run: run\n"
                              "data:\n"
                              "  train: [{source: train.src, target: train.tgt}]\n"
                              "  valid: {source: valid.src, target: valid.tgt}\n"
                              "  test: {same: {source: valid.src, target: valid.tgt}}\n"
                              "text: {source: words, target: ") +
                      kind.text +
                      "}\n"
                      "model:\n"
                      "  embedding: {width: 16}\n"
                      "  encoder: {type: rnn, cell: gru, width: 32}\n"
                      "  decoder: {type: rnn, cell: gru, width: 32}\n"
                      "train:\n"
                      "  batch: {sentences: 32}\n"
                      "  optimizer: {type: adam, rate: 0.01}\n"
                      "  max_updates: 120\n"
                      "  workers: 1\n"
                      "  precision: fp32\n"
                      "  validate: {every: 120, metric: loss, samples: 0, metrics: [" +
                      fmt::format("{}", fmt::join(metrics_of_text(), ", ")) +
                      "]}\n"
                      "search: {max_length_extra: 40}\n");
  }
  Outcome run(const Arguments& arguments) const {
    return run_heed(arguments, {.folder = folder_.path()});
  }
  TemporaryFolder folder_;
};

TEST_P(ScoresOfAModel, AreTheSameWhereverTheyAreMade) {
  holds({"--lowercase", "--model", "train.validate.metrics"});
  const Outcome training = run({"train", "c.yaml"});
  ASSERT_EQ(training.exit_code, 0) << training.err;
  Arguments evaluate{"evaluate", "--model",   "run",      "-s",   "valid.src",
                     "-r",       "valid.tgt", "--format", "json", "-m"};
  for (const std::string& name : metrics_of_text()) evaluate.push_back(name);
  if (GetParam().lower) evaluate.emplace_back("--lowercase");
  const Outcome outcome = run(evaluate);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto evaluated = nlohmann::json::parse(outcome.out);
  ASSERT_GT(evaluated.size(), 8U);

  nlohmann::json validation;
  std::map<std::string, nlohmann::json> tests;
  for (const std::string& text : lines_of(read_plainly(folder_ / "run/metrics.jsonl"))) {
    const auto line = nlohmann::json::parse(text);
    if (line["kind"] == "validation") validation = line;
    for (const std::string& name : metrics_of_text())
      if (line["kind"] == "test" && line.contains(name)) tests[name] = line;
  }
  size_t i = 0;
  for (const std::string& name : metrics_of_text()) {
    EXPECT_EQ(tests.at(name)["signature"], evaluated[i]["signature"]) << name;
    EXPECT_EQ(tests.at(name)[name], evaluated[i]["score"]) << name;
    EXPECT_EQ(validation[name], evaluated[i]["score"]) << name;
    ++i;
  }
  // It has learned something, and without the right form of the references it would not show.
  EXPECT_GT(validation["exact"].get<double>(), 10) << training.err;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, ScoresOfAModel,
    testing::Values(Kind{"words", as_it_is, "words"},
                    Kind{"lower", with_capitals, "{type: words, lower: true}", true},
                    Kind{"join", in_subwords, "{type: words, join: '@@ '}"},
                    Kind{"join_lower", in_subwords_with_capitals,
                         "{type: words, join: '@@ ', lower: true}", true},
                    Kind{"separators", with_separators, "words"},
                    Kind{"characters", with_capitals, "{type: characters, lower: true}", true},
                    Kind{"sentencepiece", with_capitals,
                         "{type: sentencepiece, size: 25, lower: true}", true}),
    [](const testing::TestParamInfo<Kind>& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace heed
