// Supporting facts of the training data, from the config to what a trained model attends to.
#include <gmock/gmock.h>

#include <sstream>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr const char* kFactsConfig = R"(
run: runs/facts
data:
  train:
  - {source: {story: a.story, question: a.question}, target: a.answer, supporting_facts: a.facts}
  - {source: {story: b.story, question: b.question}, target: b.answer, supporting_facts: b.facts}
  valid: {source: {story: b.story, question: b.question}, target: b.answer}
text: {story: {type: words, marker: '|'}, question: {share: story}, target: {share: story}}
model: {preset: memn2n, embedding: {width: 64}}
train:
  batch: {sentences: 32}
  optimizer: {type: adam, rate: 0.01}
  max_updates: 150
  validate: {every: 150, metric: loss}
  supporting_facts: {weight: 1}
)";

// The answer is the same for all stories, so only the facts tell where to look: at the sentence
// about the person of the question.
class SupportingFactsOfTheProgram : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    write_corpus("a", 0, 120);
    write_corpus("b", 120, 40);
    write_plainly(workshop_ / "facts.yaml", kFactsConfig);
  }
  void write_corpus(const std::string& name, size_t first, size_t lines) const {
    const std::vector<std::string> persons = {"ann", "bob", "eve", "joe"},
                                   rooms = {"hall", "yard", "shed"};
    std::string story, question, answer, facts;
    for (size_t line = first; line < first + lines; ++line) {
      for (size_t i = 0; i < persons.size(); ++i)
        story += (i > 0 ? "|" : "") + persons[(line + i) % 4] + " is in the " +
                 rooms[(line / 4 + i) % 3];
      const size_t asked = line / 2 % 4;
      story += "\n";
      question += "where is " + persons[(line + asked) % 4] + "\n";
      answer += "somewhere\n";
      facts += std::to_string(asked + 1) + "\n";
    }
    for (const auto& [ending, text] : {std::pair{".story", story},
                                       {".question", question},
                                       {".answer", answer},
                                       {".facts", facts}})
      write_plainly(workshop_ / (name + ending), text);
  }
  Outcome train(const Arguments& more = {}) const {
    return workshop_.run(joined({"train", "facts.yaml", "--overwrite"}, more));
  }
  Outcome train_shortly(const Arguments& more) const {
    return train(joined({"--set", "train.validate.every=2", "--set", "train.keep.last=9"}, more));
  }
  // Share of the questions whose answer is linked with a word of the supporting fact, in %.
  double found_facts() const {
    const Outcome outcome =
        workshop_.run({"translate", "runs/facts", "-i", "story=b.story", "-i",
                       "question=b.question", "-o", "out", "--alignments", "out.align"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::vector<std::string> facts = lines_of(workshop_.read("b.facts")),
                                   links = lines_of(workshop_.read("out.align"));
    EXPECT_EQ(links.size(), facts.size());
    int found = 0;
    for (size_t i = 0; i < links.size(); ++i) {
      const int word = std::stoi(links[i]);  // a sentence has six words with its marker
      found += word / 6 + 1 == std::stoi(facts[i]) ? 1 : 0;
    }
    return 100.0 * found / static_cast<double>(links.size());
  }
  std::string model_after(int update) const {
    return workshop_.read(
        fmt::format("runs/facts/checkpoints/step-{:08}/model/model.safetensors", update));
  }
  ToyWorkshop workshop_;
};

TEST_F(SupportingFactsOfTheProgram, AreWhereTheModelLooks) {
  holds({"data.train[].supporting_facts", "train.supporting_facts.weight"});
  const Outcome without = train({"--set", "train.supporting_facts.weight=0"});
  ASSERT_EQ(without.exit_code, 0) << without.err;
  EXPECT_THAT(without.err, HasSubstr("data.train has supporting facts, but no loss uses them "
                                     "(train.supporting_facts.weight)"));
  const double before = found_facts();
  const Outcome with = train();
  ASSERT_EQ(with.exit_code, 0) << with.err;
  const double after = found_facts();
  EXPECT_GT(after, 90);
  EXPECT_LT(before, 60);
}

// Bit for bit, with two workers and a phase that changes the weight.
TEST_F(SupportingFactsOfTheProgram, AreLearnedByAResumedRunAsByOneWithoutABreak) {
  const Arguments workers = {"--set", "train.workers=2", "--set",
                             "train.phases=[{after: 5, train: {supporting_facts: {weight: 0.5}}}]"};
  ASSERT_EQ(train_shortly(joined(workers, {"--set", "train.max_updates=8"})).exit_code, 0);
  const std::string whole = model_after(8);
  ASSERT_EQ(train_shortly(joined(workers, {"--set", "train.max_updates=4"})).exit_code, 0);
  const Outcome resumed =
      workshop_.run(joined({"train", "facts.yaml", "--resume", "--set", "train.validate.every=2",
                            "--set", "train.keep.last=9", "--set", "train.max_updates=8"},
                           workers));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(whole, model_after(8));
}

TEST_F(SupportingFactsOfTheProgram, AreWarnedOfIfAllLinesAreEmpty) {
  const auto check = [this] { return workshop_.run({"config", "check", "facts.yaml"}); };
  const std::string facts = workshop_.read("a.facts");
  const auto warning = HasSubstr(
      "b.facts: all 160 lines are empty, so that no supporting facts "
      "are learned");
  write_plainly(workshop_ / "b.facts", std::string(40, '\n'));
  EXPECT_THAT(check().err, testing::Not(warning));  // those of the other corpus are learned
  write_plainly(workshop_ / "a.facts", std::string(120, '\n'));
  EXPECT_THAT(check().err, warning);
  EXPECT_THAT(train_shortly({"--set", "train.max_updates=2"}).err, warning);
  write_plainly(workshop_ / "a.facts", facts);
  EXPECT_THAT(check().err, testing::Not(warning));
}

TEST_F(SupportingFactsOfTheProgram, HaveOneMessageForAMistake) {
  const auto check = [this](const std::string& setting) {
    const Outcome outcome = workshop_.run({"config", "check", "facts.yaml", "--set", setting});
    EXPECT_EQ(outcome.exit_code, 2) << setting;
    return outcome.err;
  };
  EXPECT_EQ(check("data.train[0].supporting_facts=[a.facts, b.facts]"),
            "heed: --set data.train[0].supporting_facts: found a list, expected a path, or ~ for "
            "none\n");
  for (const char* key : {"supporting_facts", "alignment", "weight", "share", "augment"}) {
    for (const char* set : {"valid", "test.held"}) {
      const std::string pair =
          "{source: {story: b.story, question: b.question}, target: b.answer, ";
      EXPECT_EQ(
          check(fmt::format("data.{}={}{}: 1}}", set, pair, key))
              .find(fmt::format("heed: --set data.{}.{}: is a key of data.train, for ", set, key)),
          0u);
    }
  }
}

TEST_F(SupportingFactsOfTheProgram, ArePartOfTheData) {
  ASSERT_EQ(train_shortly({"--set", "train.max_updates=2"}).exit_code, 0);
  const std::string facts = workshop_.read("b.facts");
  write_plainly(workshop_ / "b.facts", "\n" + facts.substr(facts.find('\n') + 1));
  EXPECT_FAILS(workshop_.run({"train", "facts.yaml", "--resume"}), 3, "b.facts");
  write_plainly(workshop_ / "b.facts", "1 5\n" + facts.substr(facts.find('\n') + 1));
  const Outcome wrong = train();
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("b.facts:1: supporting fact 5, but story has 4 sentences"));
  write_plainly(workshop_ / "b.facts", "1\n");
  EXPECT_FAILS(train(), 3, "b.facts: 1 lines");
}

}  // namespace
}  // namespace heed
