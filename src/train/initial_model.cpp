#include "train/initial_model.h"

#include "nn/torch.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/model_folder.h"
#include "model/parameter_names_spec.h"
#include "packed/stored_tensors.h"
#include "train/checkpoints.h"
#include "train/word_vectors.h"

namespace heed {

namespace {

constexpr const char* kTags = " tags";  // cannot be the name of a side

// Returns the checkpoint that contains the model. Throws Error(kModel) if the model is not in a
// checkpoint.
fs::path checkpoint_of(const fs::path& model) {
  const fs::path checkpoint = model.parent_path();
  if (is_plain_file(progress_file(checkpoint))) return checkpoint;
  throw_error(ErrorKind::kModel,
              "{}: is a model without the state of its training; name a run or a checkpoint, or "
              "leave init.reset out",
              model.string());
}

// Takes the model and the optimizer state. Uses the parameters that belong to the optimizer state,
// not their average. Returns the progress.
Progress take_training(Checkpoint checkpoint, InitialModel& initial) {
  const torch::NoGradGuard no_grad;
  initial.model = std::move(checkpoint.model);
  initial.optimizer = std::move(checkpoint.optimizer);
  for (const auto& [name, tensor] : tensors_of(*initial.model.network)) {
    const auto found = checkpoint.parameters.find(name);
    if (found != checkpoint.parameters.end()) Tensor(tensor).copy_(found->second);
  }
  return checkpoint.progress;
}

Progress checked_progress(const fs::path& checkpoint) {
  check_manifest(checkpoint);
  return read_progress(checkpoint);
}

}  // namespace

std::optional<InitialModel> load_initial_model(const InitConfig& init) {
  if (!init.model) return std::nullopt;
  const bool keeps_optimizer = !init.resets(InitConfig::kOptimizer),
             keeps_schedule = !init.resets(InitConfig::kSchedule);
  InitialModel initial;
  read_model(*init.model, [&](const fs::path& folder) {
    Progress progress;
    if (keeps_optimizer) {
      progress = take_training(load_checkpoint(checkpoint_of(folder), torch::kCPU), initial);
    } else {
      initial.model = load_model(folder, torch::kCPU);
      if (keeps_schedule) progress = checked_progress(checkpoint_of(folder));
    }
    if (keeps_schedule) initial.update = progress.updates_of_schedule();
    resolve_text_paths(initial.model.config.text, folder);
    warn_of_rounded_weights(folder);
  });
  return initial;
}

ParameterTransfer::ParameterTransfer(const LoadedModel& from, const SavedModelConfig& to,
                                     const Codecs& codecs) {
  add_tags(from.config.tags, to.tags);
  for (const auto& [side, codec] : codecs) {
    const auto former = from.codecs.find(side);
    const bool is_used = to.text.contains(side) || to.model.embedding.source_factors.contains(side);
    if (former == from.codecs.end() || !is_used) continue;
    const Vocabulary &now = codec->vocabulary(), &before = former->second->vocabulary();
    Rows& rows = rows_[side];
    rows.size = now.size();
    rows.former_size = before.size();
    for (int32_t id = 0; id < now.size(); ++id) {
      const int32_t old = id < kSpecials ? id : before.id(now.piece(id));
      if (old == kUnknown && id != kUnknown) continue;
      rows.now.push_back(id);
      rows.before.push_back(old);
    }
  }
}

void ParameterTransfer::add_tags(const Tags& from, const Tags& to) {
  Rows& rows = rows_[kTags];
  rows.size = std::ssize(to);
  rows.former_size = std::ssize(from);
  for (int64_t tag = 0; tag < rows.size; ++tag) {
    const auto found = std::ranges::find(from, to[static_cast<size_t>(tag)]);
    if (found == from.end()) continue;
    rows.now.push_back(tag);
    rows.before.push_back(found - from.begin());
  }
}

// Rows of an embedding table or an output layer; nullptr for other parameters.
const ParameterTransfer::Rows* ParameterTransfer::rows_of(const std::string& parameter,
                                                          const Tensor& tensor) const {
  const bool is_embedding = parameter.ends_with(".embedding");
  const std::string output = names::kOutputLayer;
  const std::set<std::string> outputs = {names::weight(output), names::bias(output), output + ".v",
                                         output + ".gain"};
  if (!is_embedding && !outputs.contains(parameter)) return nullptr;
  std::string side = kTargetSide;
  constexpr std::string_view kSource = "source_", kFactor = "factor_";
  if (parameter == "source_tag.embedding" || parameter == "target_tag.embedding")
    side = kTags;
  else if (is_embedding && parameter.starts_with(kSource))
    side = parameter.substr(kSource.size(), parameter.rfind('.') - kSource.size());
  else if (is_embedding && parameter.starts_with(kFactor))
    side = parameter.substr(kFactor.size(), parameter.rfind('.') - kFactor.size());
  const auto found = rows_.find(side);
  const bool has_rows =
      found != rows_.end() && tensor.dim() > 0 && tensor.size(0) == found->second.size;
  return has_rows ? &found->second : nullptr;
}

namespace {

bool have_equal_rows(const Tensor& a, const Tensor& b) {
  return a.dim() == b.dim() && a.dim() > 0 && a.sizes().slice(1) == b.sizes().slice(1);
}

}  // namespace

std::vector<std::string> ParameterTransfer::copy(const NamedTensors& from, const NamedTensors& to,
                                                 const std::string& prefix) const {
  const torch::NoGradGuard no_grad;
  std::vector<std::string> missing;
  for (const auto& [name, tensor] : to) {
    if (!name.starts_with(prefix)) continue;
    const auto found = from.find(name);
    const Rows* rows = rows_of(name.substr(prefix.size()), tensor);
    if (found != from.end() && rows != nullptr && found->second.size(0) == rows->former_size &&
        have_equal_rows(found->second, tensor)) {
      const Tensor known = found->second.index_select(0, torch::tensor(rows->before));
      Tensor(tensor).index_copy_(0, torch::tensor(rows->now), known.to(tensor.scalar_type()));
    } else if (found != from.end() && rows == nullptr && found->second.sizes() == tensor.sizes()) {
      Tensor(tensor).copy_(found->second);
    } else {
      missing.push_back(name);
    }
  }
  return missing;
}

std::vector<std::string> ParameterTransfer::notes() const {
  std::vector<std::string> notes;
  for (const auto& [side, rows] : rows_) {
    const int64_t added = rows.size - std::ssize(rows.now);
    if (added == 0) continue;
    if (side == kTags)
      notes.push_back(fmt::format("{} of {} tags are new", added, rows.size));
    else
      notes.push_back(fmt::format("{}: {} of {} tokens are new", side, format_count(added),
                                  format_count(rows.size)));
  }
  return notes;
}

namespace {

std::string list_of(const std::vector<std::string>& names) {
  constexpr size_t kShown = 8;
  const auto shown = static_cast<int64_t>(std::min(kShown, names.size()));
  return fmt::format(
      "{}{}", fmt::join(names.begin(), names.begin() + shown, ", "),
      names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "");
}

}  // namespace

std::vector<std::string> initialize_from(const InitialModel& initial, const InitConfig& init,
                                         const ParameterTransfer& transfer,
                                         const Seq2Seq& network) {
  const NamedTensors own = tensors_of(network), given = tensors_of(*initial.model.network);
  const std::vector<std::string> missing = transfer.copy(given, own);
  if (missing.size() == own.size() ||
      (!missing.empty() && init.missing == InitConfig::Missing::kError))
    throw_error(ErrorKind::kUsage,
                "init.model: {} lacks {} of the {} parameters of this network, or has them in "
                "another shape: {}; remove `model` from the config and from --set, so that the "
                "model section of init.model is used, or give init.missing: warn to initialize "
                "them randomly",
                initial.model.folder.string(), missing.size(), own.size(), list_of(missing));
  std::vector<std::string> notes = {fmt::format("initialized from {}: {} of {} parameters",
                                                initial.model.folder.string(),
                                                own.size() - missing.size(), own.size())};
  if (!missing.empty()) notes.push_back("initialized randomly: " + list_of(missing));
  if (2 * missing.size() > own.size())
    notes.emplace_back(
        "most parameters are not of that model: a section `model` of the config replaces its "
        "section as a whole; without one, --set model.KEY=VALUE changes one key of it");
  for (const std::string& note : transfer.notes()) notes.push_back(note);
  return notes;
}

std::string initialize_embedding(const std::string& side, const std::string& file,
                                 const Codecs& codecs, const Seq2Seq& network) {
  const NamedTensors own = tensors_of(network);
  const std::string name =
      side == kTargetSide ? names::kTargetEmbedding : names::source_embedding(side);
  const auto found = own.find(name);
  if (found == own.end())
    throw_error(
        ErrorKind::kUsage,
        "init.embeddings.{}: this side has no separate embedding; with model.embedding.tie: all "
        "name target, with a shared encoder the source that has it",
        side);
  const VectorCoverage coverage = read_word_vectors(file, *codecs.at(side), found->second);
  if (coverage.found == 0)
    throw_error(
        ErrorKind::kData,
        "init.embeddings.{}: {} has a vector for none of the {} tokens; check language, case "
        "and tokenizer",
        side, file, format_count(coverage.tokens));
  return fmt::format("init.embeddings.{}: vectors for {} of {} tokens ({:.1f}%)", side,
                     format_count(coverage.found), format_count(coverage.tokens),
                     100.0 * static_cast<double>(coverage.found) /
                         static_cast<double>(std::max<int64_t>(1, coverage.tokens)));
}

namespace {

// Names of the tensors that an optimizer keeps for each parameter: "mean", "square".
std::set<std::string> moments_in(const NamedTensors& state) {
  std::set<std::string> moments;
  for (const auto& [name, unused] : state) {
    if (name.find('.') != std::string::npos) moments.insert(name.substr(0, name.find('.')));
  }
  return moments;
}

}  // namespace

NamedTensors optimizer_state_from(const InitialModel& initial, const ParameterTransfer& transfer,
                                  const NamedTensors& fresh) {
  const std::set<std::string> own = moments_in(fresh), former = moments_in(initial.optimizer);
  const auto refuse = [&](const std::string& what) {
    throw_error(ErrorKind::kUsage,
                "init.reset: {} was trained by another optimizer, whose state has {}; use the "
                "same train.optimizer, or add optimizer to init.reset",
                initial.model.folder.string(), what);
  };
  for (const std::string& moment : former) {
    if (!own.contains(moment)) refuse(moment);
  }
  NamedTensors state;
  for (const auto& [name, tensor] : fresh)
    state[name] = tensor.to(torch::kCPU, /*non_blocking=*/false, /*copy=*/true);
  for (const std::string& moment : own) {
    if (!former.contains(moment)) refuse("no " + moment);
    transfer.copy(initial.optimizer, state, moment + ".");
  }
  const auto steps = initial.optimizer.find("steps");
  if (steps != initial.optimizer.end() && state.contains("steps")) state["steps"] = steps->second;
  return state;
}

}  // namespace heed
