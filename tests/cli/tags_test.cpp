// Several corpora with tags in one model, from training to translation.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/kinds_of_run.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kTagsConfig = R"(
run: runs/tags
data:
  train:
    - {source: train.src, target: train.tgt, tag: same}
    - {source: train.src, target: train.back, tag: back}
  valid:
    - {source: valid.src, target: valid.tgt, tag: same}
    - {source: valid.src, target: valid.back, tag: back}
  test: {back: {source: valid.src, target: valid.back, tag: back}}
text: {source: words, target: {share: source}}
model:
  embedding: {width: 32}
  encoder: {type: rnn, cell: gru, width: 64}
  decoder:
    type: rnn
    cell: gru
    width: 64
    attend: after
    attention: {type: task_specific, attention: {score: {type: additive, hidden: 32}}}
train:
  batch: {sentences: 32}
  optimizer: {type: adam, rate: 0.005}
  schedule: {type: inverse_sqrt, warmup: 50}
  max_updates: 30
  validate: {every: 15, metric: bleu}
)";

std::string turned_around(const std::string& text) {
  std::string all;
  for (std::string line : lines_of(text)) {  // words of one letter
    std::reverse(line.begin(), line.end());
    all += line + "\n";
  }
  return all;
}

std::string repeated(const std::string& line, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += line + "\n";
  return all;
}

class TagsOfTheProgram : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    for (const std::string part : {"train", "valid"})
      write_plainly(workshop_ / (part + ".back"), turned_around(workshop_.read(part + ".src")));
    write_plainly(workshop_ / "tags.yaml", kTagsConfig);
  }
  Outcome train(Arguments more = {}) const {
    return workshop_.run(joined({"train", "tags.yaml"}, more));
  }
  std::string translated(const Arguments& more, const std::string& input = "") const {
    const Outcome outcome = workshop_.run(joined({"translate", "runs/tags"}, more), input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  ToyWorkshop workshop_;
};

TEST_F(TagsOfTheProgram, SayWhatIsToBeWritten) {
  holds({"--tag"});
  const Outcome trained = train({"--set", "train.max_updates=600"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  for (const auto& [tag, file] :
       {std::pair{"same", "valid.tgt"}, std::pair{"back", "valid.back"}}) {
    const auto right = lines_of(workshop_.read(file)),
               found = lines_of(translated({"-i", "valid.src", "--tag", tag}));
    ASSERT_EQ(found.size(), right.size());
    int equal = 0;
    for (size_t i = 0; i < right.size(); ++i) equal += found[i] == right[i] ? 1 : 0;
    EXPECT_GE(equal, 40) << tag << ", of 50";
  }
}

TEST_F(TagsOfTheProgram, GoFromTrainingToTranslation) {
  holds({"--tag", "data.test.NAME.tag"});
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("test back, checkpoint"));
  EXPECT_THAT(workshop_.run({"inspect", "runs/tags"}).out, ContainsRegex("\ntags +back, same\n"));

  const std::string same = translated({"-i", "valid.src", "--tag", "same"}),
                    back = translated({"-i", "source=valid.src", "--tag", "back"});
  EXPECT_NE(same, back);
  EXPECT_EQ(translated({"--tag", "same"}, workshop_.read("valid.src")), same);

  // A tag a line, and an object a line, tags in turn.
  std::string tags, objects, expected;
  const auto sources = lines_of(workshop_.read("valid.src"));
  write_plainly(workshop_ / "back.tags", repeated("back", sources.size()));
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string tag = i % 2 == 0 ? "same" : "back";
    tags += tag + "\n";
    objects += nlohmann::json{{"source", sources[i]}, {"tag", tag}}.dump() + "\n";
    expected += lines_of(i % 2 == 0 ? same : back)[i] + "\n";
  }
  write_plainly(workshop_ / "tags", tags);
  EXPECT_EQ(translated({"-i", "tag=tags", "-i", "source=valid.src"}), expected);
  EXPECT_EQ(translated({}, objects), expected);
  EXPECT_EQ(translated({}, "\n" + objects), "\n" + expected) << "nothing needs no tag";
  EXPECT_EQ(translated({"runs/tags", "--tag", "same", "-i", "valid.src"}), same) << "an ensemble";
  EXPECT_EQ(workshop_.run({"summarize", "runs/tags", "--tag", "back", "-i", "valid.src"}).out,
            translated({"-i", "tag=back.tags", "-i", "source=valid.src", "--min-length", "3",
                        "--no-repeat-ngram", "3", "--coverage-penalty", "0.01",
                        "--max-length-ratio", "0.5", "--max-length-extra", "20"}));

  const auto score = [&](const Arguments& tag) {
    return workshop_
        .run(joined({"score", "runs/tags", "-s", "source=valid.src", "-t", "valid.tgt"}, tag))
        .out;
  };
  EXPECT_NE(score({"--tag", "same"}), score({"--tag", "back"}));
  EXPECT_EQ(score({"-s", "tag=back.tags"}), score({"--tag", "back"}));

  const Outcome evaluated =
      workshop_.run({"evaluate", "--model", "runs/tags", "-s", "valid.src", "--tag", "back", "-r",
                     "valid.back", "--format", "json"});
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const Outcome plot = workshop_.run({"plot", "attention", "runs/tags", "-i", "valid.src", "--tag",
                                      "same", "--line", "3", "--html", "map.html"});
  EXPECT_EQ(plot.exit_code, 0) << plot.err;
  holds("plot", kinds_of_run(workshop_, "runs/tags"));
  EXPECT_THAT(workshop_.read("map.html"), HasSubstr("decoder layer 1, attention over the source"));
  EXPECT_EQ(train({"--resume", "--set", "train.max_updates=40"}).exit_code, 0);
}

TEST_F(TagsOfTheProgram, AreAskedForAndChecked) {
  holds({"--tag"});
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  const auto translate = [&](const Arguments& more, const std::string& input = "a b\n") {
    return workshop_.run(joined({"translate", "runs/tags"}, more), input);
  };
  EXPECT_FAILS(translate({"-i", "valid.src"}), 2,
               "the tag is missing, which the model reads in addition to source: give --tag NAME "
               "for all lines");
  EXPECT_FAILS(translate({"--tag", "same"}, "a b\n{\"source\": \"a b\"}\n"), 3,
               "line 2: found a JSON object, expected plain text");
  EXPECT_FAILS(translate({}), 3, "or one tag for all lines by --tag NAME");
  EXPECT_FAILS(translate({"--tag", "bock"}), 2,
               "--tag: 'bock' is not one of back, same; did you mean 'back'?");
  write_plainly(workshop_ / "tags", "same\nbock\n");
  write_plainly(workshop_ / "two", "a b\nc d\n");
  EXPECT_FAILS(translate({"-i", "source=two", "-i", "tag=tags"}), 3,
               "line 2: the tag 'bock' is not one of back, same; did you mean 'back'?");
  EXPECT_FAILS(translate({"-i", "source=two", "-i", "tag=tags", "--tag", "same"}), 2,
               "tag=tags and --tag same: give one of them");
  EXPECT_FAILS(translate({}, "{\"source\": \"a\", \"tag\": \"\"}\n"), 3, "line 1: the tag ''");
  EXPECT_FAILS(translate({}, "{\"source\": \"a\"}\n"), 3, "'tag' is missing");
  write_plainly(workshop_ / "short", "same\n");
  EXPECT_FAILS(translate({"-i", "source=two", "-i", "tag=short"}), 3, "ends after 1 lines");
  EXPECT_FAILS(
      workshop_.run({"score", "runs/tags", "-s", "-", "-t", "valid.tgt"}, repeated("", 50)), 3,
      "line 1: has no tag; expected one of back, same");
  EXPECT_FAILS(workshop_.run({"evaluate", "-r", "valid.tgt", "-i", "valid.tgt", "--tag", "same"}),
               2, "--tag requires --model");
}

TEST_F(TagsOfTheProgram, BelongToModelsOfTagsAlone) {
  ASSERT_EQ(workshop_.run({"train", "toy.yaml", "--set", "train.max_updates=2"}).exit_code, 0);
  EXPECT_FAILS(workshop_.run({"translate", "runs/toy", "--tag", "same"}, "a b\n"), 2,
               "--tag same: the model has no tags; leave it out");
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  EXPECT_FAILS(workshop_.run({"translate", "runs/toy", "runs/tags", "--tag", "same"}, "a b\n"), 4,
               "models of an ensemble read the same");
  ASSERT_EQ(train({"--run", "runs/other", "--set", "train.max_updates=2", "--set",
                   "data.train[0].tag=self", "--set", "data.valid[0].tag=self"})
                .exit_code,
            0);
  EXPECT_FAILS(workshop_.run({"translate", "runs/tags", "runs/other", "--tag", "back"}, "a b\n"), 4,
               "have the same tags, but one has 'back, same' and one 'back, self'");
}

}  // namespace
}  // namespace heed
