// `heed distill`: each stage is done once, also if the process is killed.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/random.h"
#include "cli/program.h"
#include "cli/toy_corpus.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kData = R"(data:
  train: [{source: train.src, target: train.tgt}]
  valid: {source: valid.src, target: valid.tgt}
  test: {held: {source: valid.src, target: valid.tgt}}
text:
  source: {type: words}
  target: {share: source}
train:
  batch: {sentences: 16}
  optimizer: {type: adam, rate: 0.01}
  max_updates: 30
  save_every: 5
  validate: {every: 10, metric: loss, samples: 0}
  workers: 1
)";
constexpr const char* kTeacher = R"(run: runs/teacher
model:
  embedding: {width: 16}
  encoder: {type: rnn, cell: gru, layers: 1, width: 16}
  decoder: {type: rnn, cell: gru, layers: 1, width: 16, attend: after, attention: {score: dot}}
)";
constexpr const char* kStudent = R"(run: runs/student
model:
  embedding: {width: 8, tie: all}
  encoder: {type: transformer, layers: 1, width: 8, feed_forward: 16, self_attention: {heads: 2}}
  decoder: {type: transformer, layers: 1, width: 8, feed_forward: 16, self_attention: ssru, attention: {heads: 2}}
)";

class Distill : public testing::Test {
 protected:
  Distill() {
    for (const char* side : {"src", "tgt"}) {
      write_plainly(folder_ / (std::string("train.") + side), toy_lines(1, 200));
      write_plainly(folder_ / (std::string("valid.") + side), toy_lines(2, 10));
    }
    write_plainly(folder_ / "teacher.yaml", std::string(kTeacher) + kData);
    write("distill: {teacher: {config: teacher.yaml, set: [seed=7]}}\n");
  }
  void write(const std::string& section) const {
    write_plainly(folder_ / "student.yaml", std::string(kStudent) + kData + section);
  }
  // A new process, whose children are the program again.
  RunSettings settings() const { return {.folder = folder_.path(), .anew = true}; }
  Outcome distill(const Arguments& options = {}) const {
    return run_heed(joined({"distill", "student.yaml"}, options), settings());
  }
  std::string file(const std::string& name) const {
    return read_plainly(folder_ / ("runs/student-distill/" + name));
  }
  TemporaryFolder folder_;
};

class TrainedDistill : public Distill {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
};

TEST_F(Distill, ListsItsStagesWithoutTraining) {
  holds({"heed distill", "--dry-run", "distill.teacher.set", "distill.reverse.config",
         "distill.reverse.set"});
  const Outcome outcome = distill({"--dry-run", "--run", "elsewhere"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("# teacher: "));
  EXPECT_THAT(outcome.out, HasSubstr("--run elsewhere/teacher --auto-resume --set seed=7"));
  EXPECT_THAT(outcome.out, HasSubstr("--run elsewhere/student --auto-resume"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere"));
  // The same as JSON.
  std::string text;
  const auto json =
      nlohmann::json::parse(distill({"--dry-run", "--json", "--run", "elsewhere"}).out);
  for (const auto& stage : json["stages"]) {
    text += "# " + stage["name"].get<std::string>() + ": " + stage["title"].get<std::string>();
    for (const auto& command : stage["commands"]) text += "\n" + command.get<std::string>();
    text += "\n";
  }
  EXPECT_EQ(text, outcome.out);
  write(
      "distill: {teacher: {config: teacher.yaml}, reverse: {config: teacher.yaml, set: [seed=9]}, "
      "text: {target: train.tgt}}\n");
  EXPECT_THAT(distill({"--dry-run"}).out,
              HasSubstr("student-distill/reverse --auto-resume --set seed=9"));
}

TEST_F(Distill, RefusesTheFolderOfATraining) {
  holds({"--run", "distill.folder"});
  std::filesystem::create_directory(folder_ / "run");
  write_plainly(folder_ / "run/config.yaml", kTeacher);
  write_plainly(folder_ / "run/metrics.jsonl", "{}\n");
  for (const Arguments& options :
       {Arguments{"--run", "run"}, {"--set", "distill.folder=run"}, {"--run", "run", "--dry-run"}})
    EXPECT_FAILS(distill(options), 2, "run: is the run of a training");
}

TEST_F(Distill, FindsAllMistakesFirst) {
  holds({"distill.filters"});
  write_plainly(folder_ / "teacher.yaml", std::string(kTeacher) + kData + "modle: {}\n");
  write("distill: {teacher: {config: teacher.yaml}, filters: {lenght: {max_words: 3}}}\n");
  const Outcome outcome = distill();
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("2 mistakes in student.yaml and the configs that it names"));
  EXPECT_THAT(outcome.err, HasSubstr("distill.filters.lenght: unknown key"));
  EXPECT_THAT(outcome.err, HasSubstr("teacher.yaml"));
  EXPECT_THAT(outcome.err, HasSubstr("modle: unknown key"));
  write("distill: {teacher: {}}\n");
  EXPECT_FAILS(distill(), 2, "distill.teacher: needs `config`");
  write("distill: {teacher: {config: teacher.yaml, model: x}}\n");
  EXPECT_FAILS(distill(), 2, "distill.teacher: has both `config` and `model`");
  write("distill: {teacher: {model: train.src, set: [seed=1]}}\n");
  EXPECT_FAILS(distill(), 2, "distill.teacher.set: is for `config`");
  write("distill: {teacher: {model: nothing}}\n");
  EXPECT_FAILS(distill(), 2, "nothing is not there, expected a run or a model");
  // The student has to have an attention that alignments train.
  write(
      "train.max_updates: 3\ndistill: {teacher: {config: teacher.yaml}, alignment: {weight: "
      "0.3}}\n");
  const Arguments no_weights{"--set",
                             "model.decoder={type: rnn, width: 8, attend: after, "
                             "attention: none}"};
  const Outcome two = distill(no_weights);
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_THAT(two.err, HasSubstr("distill.alignment: needs attention weights over the source"));
  EXPECT_THAT(two.err, HasSubstr("train.max_updates: unknown key"));
  EXPECT_THAT(run_heed(joined({"config", "check", "student.yaml"}, no_weights), settings()).err,
              HasSubstr("distill.alignment: needs attention weights over the source"));
  write("distill: {teacher: {config: none.yaml}}\n");
  EXPECT_FAILS(distill(), 2, "none.yaml");
  write("distill: {teacher: {config: teacher.yaml}, translation: {beam: 2, nbest: 3}}\n");
  EXPECT_FAILS(distill(), 2, "distill.translation.nbest: found 3, expected at most the beam size");
  write("distill: {teacher: {config: teacher.yaml}, filters: {scores: {best: 0.9}}}\n");
  EXPECT_FAILS(distill(), 2, "distill.filters.scores: needs `reverse`");
  write("distill: {teacher: {config: teacher.yaml}, reverse: {model: train.src}}\n");
  EXPECT_FAILS(distill(), 2, "distill.reverse: is used by `text.target` and `filters.scores`");
  write_plainly(folder_ / "teacher.yaml", std::string(kTeacher) + kData);
  write("distill: {teacher: {config: teacher.yaml}, text: {source: none}}\n");
  EXPECT_FAILS(distill(), 2, "distill.text.source: there is no file");
  write("distill: {teacher: {config: teacher.yaml}, text: {target: train.tgt}}\n");
  EXPECT_FAILS(distill(), 2, "distill.text.target: needs `reverse`");
  write("");
  EXPECT_FAILS(distill(), 2, "student.yaml: has no section `distill`");
}

TEST_F(TrainedDistill, EndsWithAPackedModelAndAReport) {
  holds({"--json", "distill.teacher.config", "distill.pack.precision", "distill.pack.shortlist",
         "distill.translation.beam", "distill.translation.nbest", "distill.translation.best"});
  write(
      "distill: {teacher: {config: teacher.yaml}, translation: {beam: 3, nbest: 3, best: chrf}}\n");
  const Outcome first = distill({"--json"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto report = nlohmann::json::parse(first.out);
  ASSERT_EQ(report["models"].size(), 5u);
  for (const auto& model : report["models"]) {
    const Outcome evaluated =
        run_heed({"evaluate", "-r", "valid.tgt", "-m", "chrf", "--format", "json", "-i",
                  "runs/student-distill/evaluation/" + model["name"].get<std::string>() + ".held"},
                 settings());
    EXPECT_EQ(nlohmann::json::parse(evaluated.out)[0]["score"], model["tests"][0]["chrf"]);
    EXPECT_GT(model["bytes"], 1000);
  }
  EXPECT_EQ(report["models"][4]["bytes"],
            std::filesystem::file_size(folder_ / "runs/student-distill/student.heed"));
  EXPECT_EQ(file("report.json"), first.out);
  // The choice needs no tokens.
  const auto line = nlohmann::json::parse(lines_of(file("translation/nbest.jsonl")).front());
  ASSERT_EQ(line["translations"].size(), 3u);
  for (const auto& one : line["translations"]) {
    EXPECT_TRUE(one.contains("text") && one.contains("log_probability"));
    EXPECT_FALSE(one.contains("tokens") || one.contains("log_probabilities"));
  }
  EXPECT_THAT(file("report.html"), HasSubstr("packed student, greedy search"));
  // The student has learned from these, and from nothing else.
  EXPECT_THAT(file("student/train.log"), HasSubstr("filter/target: "));
  EXPECT_THAT(file("student/train.log"), Not(HasSubstr("train.tgt")));
  // The packed student translates like any model.
  const Outcome translated = run_heed({"translate", "runs/student-distill/student.heed", "-i",
                                       "valid.src", "--beam", "1", "--workers", "1"},
                                      settings());
  EXPECT_EQ(translated.out, file("evaluation/packed-greedy.held"));
  // Nothing is done twice.
  const Outcome again = distill();
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, Not(HasSubstr("trains")));
  EXPECT_THAT(again.err, HasSubstr("evaluation: done before"));
  EXPECT_THAT(again.out, HasSubstr("without the start of the program"));
}

TEST_F(TrainedDistill, StopsIfTheFiltersDropAll) {
  write("distill: {teacher: {config: teacher.yaml}, filters: {length: {min_words: 90}}}\n");
  const Outcome outcome = distill();
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("filter/rejected.tsv: the filters drop all 200 pairs (length "
                                     "200"));
  EXPECT_THAT(outcome.err, HasSubstr("distill.filters"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs/student-distill/student"));
  // It goes on with other filters.
  const Outcome other = distill({"--set", "distill.filters.length.min_words=1"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.err, HasSubstr("choice: done before"));
}

TEST_F(TrainedDistill, TrainsAnewOnlyIfToldTo) {
  holds({"--retrain", "--set"});
  ASSERT_EQ(distill().exit_code, 0);
  const std::string before = file("student.heed");
  const Outcome refused = distill({"--set", "seed=2"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("runs/student-distill/student: was trained with other "
                                     "settings or data (seed: was 1, is 2); give --retrain"));
  EXPECT_EQ(file("student.heed"), before);
  const Outcome other = distill({"--set", "seed=2", "--retrain"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.err, HasSubstr("translation: done before"));
  EXPECT_THAT(other.err, HasSubstr("student: begins anew: seed: was 1, is 2\n"));
  EXPECT_NE(file("student.heed"), before);
}

TEST_F(TrainedDistill, TakesOtherTestSetsWithoutTraining) {
  ASSERT_EQ(distill().exit_code, 0);
  const Outcome other =
      distill({"--set", "data.test={other: {source: valid.tgt, target: valid.src}}"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.err, HasSubstr("student: done before"));
  EXPECT_THAT(other.out, HasSubstr("other BLEU"));
  // Another order of the sides is another text.
  const Outcome swapped = distill({"--set", "data.train=[{source: train.tgt, target: train.src}]"});
  EXPECT_THAT(swapped.err, Not(HasSubstr("text: done before")));
}

TEST_F(TrainedDistill, ReadsMoreTextAndAReverseModel) {
  holds({"distill.reverse.model", "distill.teacher.model", "distill.text.source",
         "distill.text.target", "distill.references", "distill.translation.shards",
         "distill.alignment.weight", "distill.folder", "--run"});
  write_plainly(folder_ / "more.src", toy_lines(3, 20));
  write_plainly(folder_ / "more.tgt", toy_lines(4, 30));
  ASSERT_EQ(run_heed({"train", "teacher.yaml"}, settings()).exit_code, 0);
  write(
      "distill:\n  folder: elsewhere/small\n  teacher: {model: runs/teacher}\n"
      "  reverse: {model: runs/teacher}\n  text: {source: more.src, target: more.tgt}\n"
      "  translation: {shards: 3}\n"
      "  filters: {scores: {best: 0.8}, repetition: false, test: true}\n"
      "  references: true\n  alignment: {weight: 0.3}\n  pack: {precision: fp32, shortlist: "
      "false}\n");
  const Outcome outcome = distill();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto small = folder_ / "elsewhere/small";
  const auto count = [&small](const char* name) {
    return std::ssize(lines_of(read_plainly(small / name)));
  };
  EXPECT_EQ(count("text/source"), count("choice/target"));
  EXPECT_LE(count("text/source"), 250);
  EXPECT_GT(count("text/source"), 220);
  EXPECT_EQ(count("scores/reverse"), count("text/source"));
  EXPECT_NEAR(count("filter/source"), 0.8 * static_cast<double>(count("text/source")), 40);
  EXPECT_LT(count("filter/source"), count("text/source"));
  const auto kept = lines_of(read_plainly(small / "filter/source"));
  for (const std::string& line : lines_of(read_plainly(folder_ / "valid.src")))
    EXPECT_EQ(std::ranges::count(kept, line), 0) << line;
  EXPECT_THAT(read_plainly(small / "student/train.log"), HasSubstr("text/pairs.target: "));
  EXPECT_FALSE(std::filesystem::exists(small / "teacher"));
  EXPECT_EQ(count("filter/target.links"), count("filter/target"));
  EXPECT_EQ(count("text/pairs.target.links"), count("text/pairs.target"));
  EXPECT_THAT(read_plainly(small / "student/config.yaml"),
              testing::AllOf(HasSubstr("filter/target.links"), HasSubstr("weight: 0.3")));
  // The links beside the pairs are not the filter's.
  const Outcome again = distill();
  EXPECT_EQ(again.exit_code, 0) << again.err;
  for (const char* stage : {"text", "filter", "alignment", "student"})
    EXPECT_THAT(again.err, HasSubstr(std::string(stage) + ": done before"));
}

// Kills the process at random moments, also while its commands work.
void expect_same_after_kills(const std::filesystem::path& folder, int kills) {
  const RunSettings settings{.folder = folder, .anew = true};
  const Arguments command{"distill", "student.yaml", "--run", "small"};
  ASSERT_EQ(run_heed(command, settings).exit_code, 0);
  std::filesystem::rename(folder / "small", folder / "whole");  // the model names its data
  RandomStream random(stream_key(5, "kills"));
  int killed = 0;
  for (int i = 0; i < kills; ++i) {
    Running running(command, settings);
    usleep(static_cast<useconds_t>(300'000 * (0.1 + random.uniform())));
    killed += !running.has_ended();
    running.send(i % 3 == 0 ? SIGTERM : SIGKILL);
    running.wait();
  }
  const Outcome outcome = run_heed(command, settings);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(killed, kills / 4);
  for (const char* name :
       {"student.heed", "text/source", "choice/target", "filter/target",
        "teacher/latest/model/model.safetensors", "student/latest/model/model.safetensors",
        "evaluation/teacher.held", "evaluation/packed-greedy.held"})
    EXPECT_TRUE(read_plainly(folder / "whole" / name) == read_plainly(folder / "small" / name))
        << name;
}

TEST_F(TrainedDistill, IsTheSameAfterKills) { expect_same_after_kills(folder_.path(), 3); }

class SlowDistill : public TrainedDistill {};
TEST_F(SlowDistill, IsTheSameAfterTwentyKills) { expect_same_after_kills(folder_.path(), 20); }

}  // namespace
}  // namespace heed
