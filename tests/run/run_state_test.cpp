// Every state of a run folder, and what each command does with it. The parts latest, best,
// config.yaml and two checkpoints are each missing, dangling, a copy, damaged or whole.
#include "run/run_state.h"

#include <gtest/gtest.h>

#include "../base/temporary_folder.h"
#include "base/file.h"
#include "base/model_folder.h"
#include "holds.h"
#include "run/checkpoint_files.h"
#include "run/machine_settings.h"

namespace heed {
namespace {

constexpr int64_t kOlder = 40, kNewer = 60;

enum class Part { kMissing, kDangling, kDamaged, kCopy, kDamagedCopy, kWhole };

const char* name_of(Part part) {
  constexpr std::array names{"missing", "dangling", "damaged", "a copy", "a damaged copy", "whole"};
  return names[static_cast<size_t>(part)];
}

// `latest` belongs to the newer checkpoint, `best` to the older one.
struct Layout {
  Part config, latest, best, older, newer;

  bool has_config() const { return config == Part::kWhole || config == Part::kDamaged; }
  // A link also dangles if its target does not exist.
  static bool dangles(Part link, Part target) {
    return link == Part::kDangling || (link == Part::kWhole && target == Part::kMissing);
  }
  bool has_dangling_link() const { return dangles(latest, newer) || dangles(best, older); }
  static bool is_folder(Part part) { return part == Part::kCopy || part == Part::kDamagedCopy; }
  bool has_checkpoint() const {
    return older != Part::kMissing || newer != Part::kMissing || is_folder(latest) ||
           is_folder(best);
  }
  // Updates for which a whole checkpoint exists anywhere.
  std::set<int64_t> whole() const {
    std::set<int64_t> updates;
    if (older == Part::kWhole || best == Part::kCopy) updates.insert(kOlder);
    if (newer == Part::kWhole || latest == Part::kCopy) updates.insert(kNewer);
    return updates;
  }
  std::string text() const {
    return fmt::format("config {}, latest {}, best {}, older {}, newer {}", name_of(config),
                       name_of(latest), name_of(best), name_of(older), name_of(newer));
  }
};

std::vector<Layout> all_layouts() {
  std::vector<Layout> layouts;
  const auto links = {Part::kMissing, Part::kDangling, Part::kCopy, Part::kDamagedCopy,
                      Part::kWhole};
  const auto checkpoints = {Part::kMissing, Part::kDamaged, Part::kWhole};
  for (Part config : {Part::kMissing, Part::kDangling, Part::kDamaged, Part::kWhole})
    for (Part latest : links)
      for (Part best : links)
        for (Part older : checkpoints)
          for (Part newer : checkpoints) layouts.push_back({config, latest, best, older, newer});
  return layouts;
}

struct TrainOnly final : Settings {
  TrainConfig train;
  void fields(Fields& f) override { f.section("train", train, ""); }
};

class RunStates : public testing::Test {
 protected:
  RunStates() {
    const RunDirectory templates(folder_ / "templates");
    templates.open(RunMode::kFresh);
    for (const int64_t update : {kOlder, kNewer}) {
      templates.add_checkpoint(update, [&](const fs::path& folder) {
        fs::create_directory(folder / "model");
        write_plainly(folder / "model/model.safetensors", fmt::format("weights {}", update));
        write_manifest(folder / "model");
        Progress progress;
        progress.update = update;
        write_plainly(progress_file(folder), to_json(progress));
      });
    }
  }

  static void damage(const fs::path& checkpoint) {
    write_plainly(checkpoint / "model/model.safetensors", "WEIGHTS 00");
  }
  void put(Part part, int64_t update, const fs::path& path) const {
    if (part == Part::kMissing) return;
    fs::copy(RunDirectory(folder_ / "templates").checkpoint(update), path,
             fs::copy_options::recursive);
    if (part == Part::kDamaged || part == Part::kDamagedCopy) damage(path);
  }
  void put_link(Part part, int64_t update, const fs::path& path) const {
    if (part == Part::kDangling) return fs::create_symlink("checkpoints/step-00000050", path);
    if (part != Part::kWhole) return put(part, update, path);
    fs::create_symlink(fmt::format("checkpoints/step-{:08}", update), path);
  }
  RunDirectory make(const Layout& layout) const {
    const RunDirectory run(folder_ / "run");
    fs::remove_all(run.folder());
    fs::create_directories(run.checkpoints());
    put(layout.older, kOlder, run.checkpoint(kOlder));
    put(layout.newer, kNewer, run.checkpoint(kNewer));
    put_link(layout.best, kOlder, run.folder() / "best");
    put_link(layout.latest, kNewer, run.folder() / "latest");
    if (layout.config == Part::kDangling) fs::create_symlink("nowhere", run.config());
    if (layout.config == Part::kDamaged) write_plainly(run.config(), "train: [");
    if (layout.config == Part::kWhole)
      write_plainly(run.config(), "train: {workers: 1, max_updates: 5, precision: fp32}\n");
    return run;
  }

  // Starts a run as `heed train` does, without training. Returns the update that it would continue
  // from, 0 for a new run, or the negative exit code of a refusal.
  static int64_t begin(const RunDirectory& run, RunMode mode) try {
    TrainOnly now, stored;
    now.train.workers = 1;
    now.train.max_updates = 5;
    check_mode(run, mode);
    settle_settings(run, mode, {now, now.train}, {stored, stored.train}, {});
    const auto plan = mode == RunMode::kResume ? plan_resume(run) : std::nullopt;
    run.open(mode);
    if (plan) repair_run(run, *plan, {kOlder, kNewer});
    return plan ? plan->update : 0;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(run.folder().string()), std::string::npos)
        << error.what();
    return -error.exit_code();
  }

  TemporaryFolder folder_;
};

std::set<int64_t> whole_of(const RunDirectory& run) {
  std::set<int64_t> updates;
  for (const int64_t update : run.saved_updates()) {
    try {
      check_manifest(run.checkpoint(update));
      EXPECT_EQ(read_progress(run.checkpoint(update)).update, update);
      updates.insert(update);
    } catch (const Error&) {
    }
  }
  return updates;
}

// A resumed run keeps its precision, on whatever machine.
TEST_F(RunStates, ResumeKeepsThePrecision) {
  holds({"train.precision"});
  const RunDirectory run =
      make({Part::kWhole, Part::kMissing, Part::kMissing, Part::kMissing, Part::kMissing});
  for (const bool has_bf16 : {false, true}) {
    const auto settled = [&](const std::string& saved, TrainPrecision wanted, RunMode mode) {
      write_plainly(run.config(), "train: {workers: 1, max_updates: 5" + saved + "}\n");
      TrainOnly now, stored;
      now.train.workers = 1;
      now.train.max_updates = 5;
      now.train.precision = wanted;
      settle_settings(run, mode, {now, now.train}, {stored, stored.train},
                      {.has_bf16_products = has_bf16});
      return now.train.precision;
    };
    using enum TrainPrecision;
    EXPECT_EQ(settled("", kAuto, RunMode::kFresh), has_bf16 ? kBf16 : kFp32);
    EXPECT_EQ(settled("", kBf16, RunMode::kFresh), kBf16);
    EXPECT_EQ(settled(", precision: fp32", kAuto, RunMode::kResume), kFp32);
    EXPECT_EQ(settled(", precision: bf16", kAuto, RunMode::kResume), kBf16);
    EXPECT_THROW(settled(", precision: fp32", kBf16, RunMode::kResume), Error);
  }
}

// A GPU takes one worker, and its precision does not follow the processor.
TEST_F(RunStates, AGpuTakesOneWorker) {
  const RunDirectory run =
      make({Part::kMissing, Part::kMissing, Part::kMissing, Part::kMissing, Part::kMissing});
  const Machine gpu{.on_gpu = true, .has_bf16_products = true};
  TrainOnly now, stored;
  settle_settings(run, RunMode::kFresh, {now, now.train}, {stored, stored.train}, gpu);
  EXPECT_EQ(now.train.workers, 1);
  EXPECT_EQ(now.train.precision, TrainPrecision::kFp32);
  now.train.workers = 2;
  EXPECT_ERROR(settle_settings(run, RunMode::kFresh, {now, now.train}, {stored, stored.train}, gpu),
               ErrorKind::kUsage, "train.workers: found 2, expected 1 on a GPU");
}

TEST_F(RunStates, StartTakesAFolderThatHoldsNothingOfValueAlone) {
  for (const Layout& layout : all_layouts()) {
    SCOPED_TRACE(layout.text());
    const RunDirectory run = make(layout);
    const auto before = whole_of(run);
    const bool free = !layout.has_config() && !layout.has_checkpoint();
    EXPECT_EQ(begin(run, RunMode::kFresh), free ? 0 : -2);
    EXPECT_EQ(whole_of(run), before);
    EXPECT_FALSE(free && (run.latest() || run.best()));
  }
}

int64_t expected_of_resume(const Layout& layout) {
  if (!layout.has_config()) return layout.has_checkpoint() ? -4 : -2;
  if (layout.config == Part::kDamaged) return -4;
  if (!layout.whole().empty()) return *layout.whole().rbegin();
  return layout.has_checkpoint() || layout.has_dangling_link() ? -4 : 0;
}

TEST_F(RunStates, ResumeTakesTheNewestWholeCheckpointAndLosesNone) {
  for (const Layout& layout : all_layouts()) {
    SCOPED_TRACE(layout.text());
    const RunDirectory run = make(layout);
    const auto whole_before = whole_of(run);
    const auto names_before = names_in(run.folder());
    const int64_t expected = expected_of_resume(layout);
    ASSERT_EQ(begin(run, RunMode::kResume), expected);
    if (expected < 0) {
      EXPECT_EQ(names_in(run.folder()), names_before);
      continue;
    }
    EXPECT_EQ(whole_of(run), layout.whole());
    if (expected == 0) continue;
    ASSERT_TRUE(run.latest());
    EXPECT_EQ(run.latest()->filename(), run.checkpoint(expected).filename());
    ASSERT_TRUE(run.best());
    EXPECT_EQ(run.best()->filename(), run.checkpoint(*layout.whole().begin()).filename());
  }
}

TEST_F(RunStates, ResumeSaysWhatIsNotAsItShouldBe) {
  for (const Layout& layout : all_layouts()) {
    if (expected_of_resume(layout) <= 0) continue;
    SCOPED_TRACE(layout.text());
    const auto plan = plan_resume(make(layout));
    ASSERT_TRUE(plan);
    const bool fine = layout.latest == Part::kWhole && layout.newer == Part::kWhole &&
                      layout.older != Part::kDamaged && !Layout::is_folder(layout.best) &&
                      !Layout::dangles(layout.best, layout.older);
    EXPECT_EQ(plan->remarks.empty(), fine);
  }
}

TEST_F(RunStates, OverwriteTakesEveryFolder) {
  for (const Layout& layout : all_layouts()) {
    SCOPED_TRACE(layout.text());
    const RunDirectory run = make(layout);
    EXPECT_EQ(begin(run, RunMode::kOverwrite), 0);
    EXPECT_EQ(names_in(run.folder()), std::vector<std::string>{"checkpoints"});
  }
}

// The weights that translate and inspect read: the update of their checkpoint, or -4 for a refusal.
int64_t update_read(const RunDirectory& run) try {
  const fs::path model = find_model(run.folder());
  check_manifest(model);
  return std::stoll(read_plainly(model / "model.safetensors").substr(8));
} catch (const Error& error) {
  EXPECT_NE(std::string(error.what()).find(run.folder().string()), std::string::npos);
  return -error.exit_code();
}

TEST_F(RunStates, TranslateAndInspectReadBestOrElseLatest) {
  for (const Layout& layout : all_layouts()) {
    SCOPED_TRACE(layout.text());
    const RunDirectory run = make(layout);
    const auto names_before = names_in(run.folder());
    const auto read = [](Part link, Part target, int64_t update) -> std::optional<int64_t> {
      if (link == Part::kMissing) return std::nullopt;
      const bool whole = link == Part::kCopy || (link == Part::kWhole && target == Part::kWhole);
      return whole ? update : -4;
    };
    const auto best = read(layout.best, layout.older, kOlder);
    const auto latest = read(layout.latest, layout.newer, kNewer);
    EXPECT_EQ(update_read(run), best.value_or(latest.value_or(-4)));
    EXPECT_EQ(names_in(run.folder()), names_before);
  }
}

// The start was interrupted before config.yaml was written.
TEST_F(RunStates, AStartThatFailedCanBeStartedAgain) {
  const RunDirectory run(folder_ / "run");
  fs::create_directories(run.checkpoints() / ".step-00000001.abcdef.tmp");
  for (const char* name : {".lock", "train.log", ".config.yaml.abcdef.tmp", "metrics.jsonl"})
    write_plainly(run.folder() / name, "");
  EXPECT_EQ(begin(run, RunMode::kResume), -2);
  EXPECT_EQ(begin(run, RunMode::kFresh), 0);
  EXPECT_TRUE(fs::is_empty(run.checkpoints()));
  EXPECT_FALSE(fs::exists(run.folder() / ".config.yaml.abcdef.tmp"));
}

TEST_F(RunStates, ResumeNamesWhatIsNotAsItShouldBe) {
  const auto remarks = [this](const Layout& layout) {
    return fmt::format("{}", fmt::join(plan_resume(make(layout))->remarks, "\n"));
  };
  using enum Part;
  const std::string run = folder_ / "run";
  EXPECT_EQ(remarks({kWhole, kMissing, kMissing, kWhole, kWhole}), run + "/latest is missing");
  EXPECT_EQ(remarks({kWhole, kCopy, kWhole, kWhole, kMissing}),
            run + "/latest is a copy of a checkpoint instead of a link");
}

// An overwrite removes the links, then checkpoints and figures, and config.yaml last.
TEST_F(RunStates, AnOverwriteThatWasStoppedLeavesARunThatCanBeResumedOrStarted) {
  const auto make_whole = [&] {
    return make({Part::kWhole, Part::kWhole, Part::kWhole, Part::kWhole, Part::kWhole});
  };
  const RunDirectory run = make_whole();
  const std::vector<fs::path> order{run.folder() / "latest", run.folder() / "best",
                                    run.checkpoints(), run.config()};
  for (size_t done = 0; done <= order.size(); ++done) {
    SCOPED_TRACE(done);
    make_whole();
    for (size_t i = 0; i < done; ++i) fs::remove_all(order[i]);
    const bool resumes = begin(run, RunMode::kResume) >= 0;
    make_whole();
    for (size_t i = 0; i < done; ++i) fs::remove_all(order[i]);
    const bool starts = begin(run, RunMode::kFresh) >= 0;
    EXPECT_NE(resumes, starts);
  }
}

TEST_F(RunStates, ARenamedCheckpointCountsByItsProgress) {
  const RunDirectory run =
      make({Part::kWhole, Part::kMissing, Part::kMissing, Part::kWhole, Part::kMissing});
  fs::rename(run.checkpoint(kOlder), run.checkpoint(90));
  const auto plan = plan_resume(run);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->update, kOlder);
}

// It is unknown whether the checkpoint is whole, so nothing is decided.
TEST_F(RunStates, ACheckpointThatCannotBeReadIsNotTakenForDamaged) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const RunDirectory run =
      make({Part::kWhole, Part::kWhole, Part::kMissing, Part::kWhole, Part::kWhole});
  const fs::path file = run.checkpoint(kNewer) / "model/model.safetensors";
  fs::permissions(file, fs::perms::none);
  EXPECT_ERROR(plan_resume(run), ErrorKind::kIo, "model.safetensors");
}

}  // namespace
}  // namespace heed
