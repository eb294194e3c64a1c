// Memory networks, from training to answers and pictures.
#include <gmock/gmock.h>

#include "cli/kinds_of_run.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

// Stories with questions, and the same facts as keys with values.
class MemoriesOfTheProgram : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    const std::vector<std::string> persons = {"ann", "bob", "eve"}, rooms = {"hall", "yard"};
    std::string story, question, answer, keys, values, copies;
    for (size_t line = 0; line < 12; ++line) {
      for (size_t i = 0; i < 2 + line % 2; ++i) {
        const std::string person = persons[i], room = rooms[(line + i) % 2],
                          between = i == 0 ? "" : "|";
        story += between + person + " is in the " + room;
        keys += between + person + " is";
        values += between + room;
      }
      for (std::string* text : {&story, &keys, &values}) *text += "\n";
      question += "where is bob\n";
      answer += rooms[(line + 1) % 2] + "\n";
      copies += "a b c : a b c\n";
    }
    for (const auto& [name, text] : {std::pair{"story", story},
                                     {"question", question},
                                     {"answer", answer},
                                     {"keys", keys},
                                     {"values", values},
                                     {"copies", copies}})
      write_plainly(workshop_ / name, text);
  }
  void write_config(const std::string& sources, const std::string& text,
                    const std::string& model) const {
    write_plainly(
        workshop_ / "memory.yaml",
        fmt::format("run: runs/memory\ndata: {{train: [{{{0}}}], valid: {{{0}}}}}\ntext: "
                    "{{{1}}}\nmodel: {{{2}}}\ntrain: {{max_updates: 2, validate: {{metric: "
                    "loss}}}}\n",
                    sources, text, model));
  }
  Outcome train(const Arguments& more = {}) const {
    return workshop_.run(joined({"train", "memory.yaml", "--overwrite"}, more));
  }
  void expect_picture(const Arguments& inputs, const std::string& html_text) const {
    const Outcome drawn = workshop_.run(joined(
        {"plot", "attention", "runs/memory", "--svg", "map.svg", "--html", "map.html"}, inputs));
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_THAT(workshop_.read("map.html"), HasSubstr(html_text));
    holds("plot", kinds_of_run(workshop_, "runs/memory"));
  }
  ToyWorkshop workshop_;
};

TEST_F(MemoriesOfTheProgram, AnswerQuestionsOfStories) {
  const std::string sources = "source: {story: story, question: question}, target: answer",
                    text =
                        "story: {type: words, marker: '|'}, question: {share: story}, target: "
                        "{share: story}";
  for (const std::string preset : {"memn2n", "dmn", "dmn_plus"}) {
    SCOPED_TRACE(preset);
    write_config(sources, text, "preset: " + preset);
    const Outcome trained = train();
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const Outcome answered =
        workshop_.run({"translate", "runs/memory", "-i", "story=story", "-i", "question=question"});
    ASSERT_EQ(answered.exit_code, 0) << answered.err;
    EXPECT_EQ(lines_of(answered.out).size(), 12U);
    expect_picture({"-i", "story=story", "-i", "question=question", "--target", "answer"},
                   "attention over the source, hop 3");
  }
}

TEST_F(MemoriesOfTheProgram, HaveAValueForEachKey) {
  write_config("source: {keys: keys, values: values, question: question}, target: answer",
               "keys: {type: words, marker: '|'}, values: {share: keys}, question: {share: keys}, "
               "target: {type: words}",
               "preset: key_value_memory");
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Arguments sources = {"-i", "keys=keys", "-i", "values=values", "-i", "question=question"};
  EXPECT_EQ(workshop_.run(joined({"translate", "runs/memory"}, sources)).exit_code, 0);
  expect_picture(joined(sources, {"--target", "answer"}), "attention over the source, hop 2");

  std::string values = workshop_.read("values");
  values.replace(values.find("\n"), 1, "|hall\n");
  write_plainly(workshop_ / "values", values);
  EXPECT_FAILS(train(), 3,
               "keys:1: keys has 2 sentences, but values has 3 sentences; give one value for each "
               "key");
  EXPECT_FAILS(workshop_.run(joined({"translate", "runs/memory"}, sources)), 3,
               "line 1: keys has 2 sentences, but values has 3 sentences");
  EXPECT_FAILS(train({"--set", "model.embedding.tie=all"}), 2, "needs one joint vocabulary");
  EXPECT_FAILS(train({"--set", "text.values={type: words, marker: '|'}", "--set",
                      "text.question={type: words, marker: '|'}"}),
               2, "needs sources of one vocabulary: write `question: {share: keys}` under `text`");
}

// The weights are over the rows of the memory, which have numbers in the picture.
TEST_F(MemoriesOfTheProgram, MayHaveRowsOfTheirOwn) {
  write_config("target: copies", "target: {type: words}",
               "preset: ntm, decoder: {attention: {rows: 6}}");
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  write_plainly(workshop_ / "line", "a b c : a b c\n");
  expect_picture({"--target", "line"}, "attention over the source, read");
  EXPECT_THAT(workshop_.read("map.html"), HasSubstr("attention over the source, write"));
}

}  // namespace
}  // namespace heed
