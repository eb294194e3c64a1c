#include "run/run_state.h"

#include <algorithm>
#include <array>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "run/checkpoint_files.h"

namespace heed {

namespace {

constexpr std::array<const char*, 2> kLinks{"latest", "best"};

LinkState link_state(const fs::path& path) {
  const fs::file_status status = fs::symlink_status(path);
  if (!fs::exists(status)) return LinkState::kMissing;
  if (fs::is_symlink(status))
    return fs::is_directory(path) ? LinkState::kLink : LinkState::kDangling;
  if (!fs::is_directory(status)) return LinkState::kDangling;
  return fs::is_empty(path) ? LinkState::kMissing : LinkState::kCopy;
}

bool is_one_of(const fs::path& path, const std::vector<fs::path>& others) {
  std::error_code ignored;
  return std::ranges::any_of(
      others, [&](const fs::path& other) { return fs::equivalent(path, other, ignored); });
}

// A checkpoint that matches its manifest, or the reason why it cannot be used.
struct CheckedCheckpoint {
  std::optional<int64_t> update{};
  std::string damage{};
};

CheckedCheckpoint check(const fs::path& folder) try {
  check_manifest(folder);
  std::error_code ignored;
  if (!fs::exists(progress_file(folder), ignored))
    return {.damage = fmt::format("{}: is missing", progress_file(folder).string())};
  return {.update = read_progress(folder).update};
} catch (const ForeignFile&) {
  throw;  // the checkpoint is intact; if it counted as damaged, it would later be deleted
} catch (const Error& error) {
  // A checkpoint that cannot be read at the moment may be intact.
  if (error.kind() != ErrorKind::kModel) throw;
  return {.damage = error.what()};
}

std::string describe(const RunDirectory& folder, const char* name, LinkState state) {
  std::error_code ignored;
  const fs::path path = folder.folder() / name;
  const std::string target = fs::read_symlink(path, ignored).string();
  if (state == LinkState::kMissing) return fmt::format("{} is missing", path.string());
  if (state == LinkState::kCopy)
    return fmt::format("{} is a copy of a checkpoint instead of a link", path.string());
  if (target.empty()) return fmt::format("{} is not a link", path.string());
  return fmt::format("{} names {}{}", path.string(), target,
                     state == LinkState::kDangling ? ", which is missing" : "");
}

void remark_on_links(const RunDirectory& folder, const RunState& state, ResumePlan& plan) {
  const bool is_latest =
      state.latest == LinkState::kLink && is_one_of(folder.folder() / "latest", {plan.checkpoint});
  if (!is_latest) plan.remarks.push_back(describe(folder, "latest", state.latest));
  if (state.best == LinkState::kDangling || state.best == LinkState::kCopy)
    plan.remarks.push_back(describe(folder, "best", state.best));
}

[[noreturn]] void refuse_lost(const RunDirectory& folder, const std::string& reason) {
  throw_error(ErrorKind::kModel,
              "{}: no checkpoint of this run is intact ({}); put one back into {}, or start anew "
              "with --overwrite",
              folder.folder().string(), reason, folder.checkpoints().string());
}

// True if a link names an intact checkpoint of the folder.
bool names_whole(const RunDirectory& folder, const char* name, const std::set<int64_t>& whole) {
  return std::ranges::any_of(whole, [&](int64_t update) {
    return is_one_of(folder.folder() / name, {folder.checkpoint(update)});
  });
}

void adopt_copy(const RunDirectory& folder, const fs::path& copy, int64_t update,
                std::set<int64_t>& whole) {
  if (!whole.insert(update).second) return remove_tree(copy);
  const fs::path checkpoint = folder.checkpoint(update);
  remove_tree(checkpoint);
  if (retried([&] { return ::rename(copy.c_str(), checkpoint.c_str()); }) < 0)
    throw_io_error(copy, "rename this to " + checkpoint.string());
}

}  // namespace

// Throws for paths that cannot be examined: if they counted as missing, they could be deleted.
RunState look_at(const RunDirectory& folder) try {
  RunState state;
  state.config = fs::is_regular_file(folder.config());
  state.metrics = fs::exists(folder.metrics()) && fs::file_size(folder.metrics()) > 0;
  state.latest = link_state(folder.folder() / "latest");
  state.best = link_state(folder.folder() / "best");
  const std::vector<int64_t> updates = folder.saved_updates();
  for (auto update = updates.rbegin(); update != updates.rend(); ++update)
    state.checkpoints.push_back(folder.checkpoint(*update));
  for (const char* name : kLinks) {
    const fs::path path = folder.folder() / name;
    const LinkState link = link_state(path);
    if (link == LinkState::kCopy ||
        (link == LinkState::kLink && !is_one_of(path, state.checkpoints)))
      state.checkpoints.push_back(path);
  }
  return state;
} catch (const fs::filesystem_error& error) {
  throw_error(ErrorKind::kIo, "{}: cannot access it: {}", error.path1().string(),
              error.code().message());
}

void check_mode(const RunDirectory& folder, RunMode mode) {
  const RunState state = look_at(folder);
  if (mode == RunMode::kFresh && state.holds_run() && !state.can_be_resumed()) {
    throw_error(ErrorKind::kUsage,
                "{}: holds the metrics of a run, but neither its config nor a checkpoint; move "
                "metrics.jsonl away, or start anew with --overwrite",
                folder.folder().string());
  }
  if (mode == RunMode::kFresh && state.holds_run()) {
    throw_error(ErrorKind::kUsage,
                "{}: holds a run already; --resume goes on with it, --overwrite starts anew",
                folder.folder().string());
  }
  if (mode != RunMode::kResume || state.config) return;
  if (!state.checkpoints.empty()) {
    throw_error(
        ErrorKind::kModel,
        "{}: is missing or not a regular file, and without it the checkpoints beside it cannot be "
        "resumed; put it back, or start anew with --overwrite",
        folder.config().string());
  }
  throw_error(ErrorKind::kUsage, "{}: holds no run to resume; start it without --resume",
              fs::absolute(folder.folder()).string());
}

std::optional<ResumePlan> plan_resume(const RunDirectory& folder) {
  const RunState state = look_at(folder);
  ResumePlan plan;
  for (const fs::path& path : state.checkpoints) {
    const CheckedCheckpoint found = check(path);
    if (!found.update) {
      plan.remarks.push_back(found.damage);
      continue;
    }
    if (path == folder.checkpoint(*found.update)) plan.whole.insert(*found.update);
    if (path.parent_path() == folder.folder() && !fs::is_symlink(path))
      plan.copies[path.filename().string()] = *found.update;
    if (!plan.checkpoint.empty() && *found.update <= plan.update) continue;
    plan.checkpoint = path;
    plan.update = *found.update;
  }
  if (!plan.checkpoint.empty()) {
    remark_on_links(folder, state, plan);
    return plan;
  }
  if (!plan.remarks.empty()) refuse_lost(folder, plan.remarks.front());
  for (const auto& [name, link] :
       {std::pair("latest", state.latest), std::pair("best", state.best)})
    if (link == LinkState::kDangling) refuse_lost(folder, describe(folder, name, link));
  return std::nullopt;
}

std::set<int64_t> repair_run(const RunDirectory& folder, ResumePlan plan,
                             const std::vector<int64_t>& ranked) {
  const RunState state = look_at(folder);
  for (const auto& [name, link] :
       {std::pair("latest", state.latest), std::pair("best", state.best)}) {
    const fs::path path = folder.folder() / name;
    const auto copy = plan.copies.find(name);
    if (copy != plan.copies.end()) {
      adopt_copy(folder, path, copy->second, plan.whole);
    } else if (link == LinkState::kCopy || link == LinkState::kMissing) {
      remove_tree(path);
    }
  }
  if (plan.whole.contains(plan.update)) folder.point_latest(plan.update);
  const auto best =
      std::ranges::find_if(ranked, [&](int64_t update) { return plan.whole.contains(update); });
  if (best != ranked.end()) {
    folder.point_best(*best);
  } else if (!names_whole(folder, "best", plan.whole)) {
    remove_tree(folder.folder() / "best");
  }
  return plan.whole;
}

}  // namespace heed
