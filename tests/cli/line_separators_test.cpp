// Line N of the output belongs to line N of the input, whatever characters the model writes.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/byte_model.h"
#include "holds.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class LinesOfAByteModel : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() { return byte_workshop(); }
  static std::string output(const Arguments& arguments, const std::string& input = "") {
    const Outcome outcome =
        run_heed(arguments, {.input = input, .folder = workshop().path().string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  static size_t sources() { return lines_of(workshop().read("valid.src")).size(); }
};

TEST_F(LinesOfAByteModel, AreOneATranslation) {
  const Arguments translate{"translate", "runs/toy", "-i", "valid.src"};
  EXPECT_THAT(workshop().run(joined(translate, {"--sample"})).err,
              HasSubstr("line separators in translations, written as spaces: line "));
  EXPECT_EQ(count_python_lines(output(joined(translate, {"--sample"}))), sources());
  const Arguments list = joined(translate, {"--sample", "--nbest", "5"});
  EXPECT_EQ(count_python_lines(output(list)), 5 * sources());
  EXPECT_EQ(count_python_lines(output(joined(translate, {"--beam", "3", "--nbest", "3"}))),
            3 * sources());
  EXPECT_EQ(count_python_lines(output(joined(list, {"--format", "json"}))), sources());
  EXPECT_EQ(count_python_lines(output(joined(list, {"--mbr", "chrf"}))), sources());
}

// The text of the bytes, with spaces in place of separators: the test sees that the model did
// write some.
TEST_F(LinesOfAByteModel, HaveSpacesWhereTheModelWroteSeparators) {
  size_t separators = 0;
  for (const std::string& line :
       lines_of(output({"translate", "runs/toy", "-i", "valid.src", "--sample", "--nbest", "5",
                        "--format", "json"}))) {
    const json object = json::parse(line);
    for (const json& one : object["translations"]) {
      EXPECT_LE(count_python_lines(one["text"]), 1U);
      for (const json& token : one["tokens"]) separators += token == "<0x0A>" || token == "<0x0C>";
    }
  }
  EXPECT_GT(separators, 10U);
}

TEST_F(LinesOfAByteModel, AreOneALineOfTokens) {
  const Outcome outcome = run_heed({"tokenize", "runs/toy", "--side", "target", "--decode"},
                                   {.input = "\u2581a <0x0A> b\n<0xE2> <0x80> <0xA8>\nc\n",
                                    .folder = workshop().path().string()});
  EXPECT_EQ(outcome.out, "a b\n \nc\n");
  EXPECT_THAT(outcome.err,
              HasSubstr("line separators in the text, written as spaces: line 1, line 2\n"));
}

// Bytes of several kinds are the same text.
std::vector<json> distinct(const json& translations, size_t most) {
  std::set<std::string> texts;
  std::vector<json> kept;
  for (const json& one : translations) {
    if (texts.insert(one["text"]).second && kept.size() < most) kept.push_back(one["text"]);
  }
  return kept;
}

TEST_F(LinesOfAByteModel, AreEachOtherInADistinctList) {
  holds({"search.distinct", "--distinct"});
  const auto lists = [](const Arguments& options) {
    std::vector<json> all;
    for (const std::string& line :
         lines_of(output(joined({"translate", "runs/toy", "-i", "valid.src", "--format", "json",
                                 "--beam", "24", "--max-length", "4"},
                                options))))
      all.push_back(json::parse(line)["translations"]);
    return all;
  };
  const auto whole = lists({"--nbest", "24"}),
             found = lists({"--nbest", "8", "--distinct", "true"});
  ASSERT_EQ(found.size(), whole.size());
  size_t others = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    const std::vector<json> expected = distinct(whole[i], 8);
    ASSERT_EQ(found[i].size(), expected.size());
    for (size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(found[i][k]["text"], expected[k]);
    others += distinct(whole[i], 24).size() < whole[i].size();
  }
  EXPECT_GT(others, 10U) << "no list has a text twice";
}

TEST_F(LinesOfAByteModel, AreFewerWhereTheBeamHasFewer) {
  const Outcome outcome =
      workshop().run({"translate", "runs/toy", "-i", "valid.src", "--beam", "24", "--nbest", "24",
                      "--max-length", "4", "--distinct", "true"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("fewer distinct texts than nbest are in the beam"));
  const Outcome sampled = workshop().run({"translate", "runs/toy", "-i", "valid.src", "--sample",
                                          "--nbest", "4", "--distinct", "true"});
  EXPECT_EQ(sampled.exit_code, 2) << sampled.err;
}

TEST_F(LinesOfAByteModel, JoinAsManyAsTheShardsHave) {
  for (const char* shard : {"1/2", "2/2"})
    output({"translate", "runs/toy", "-i", "valid.src", "--sample", "-o", "out", "--shard", shard});
  output({"join", "out"});
  EXPECT_EQ(count_python_lines(workshop().read("out")), sources());
}

}  // namespace
}  // namespace heed
