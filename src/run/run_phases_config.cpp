#include "run/run_phases_config.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "config/marked_keys.h"
#include "config/overlay.h"
#include "config/settings_tree.h"

namespace heed {

namespace {

using Form = Node::Form;

// Sections that a phase can change, and their members in PhaseConfig.
struct Section {
  const char* name;
  Node PhaseConfig::*changes;
};
constexpr std::array<Section, 3> kSections{
    {{"train", &PhaseConfig::train}, {"data", &PhaseConfig::data}, {"model", &PhaseConfig::model}}};

Node changes_of(const PhaseConfig& phase) {
  Node changes{.form = Form::kMap, .entries = {}};
  for (const auto& [name, part] : kSections) {
    if ((phase.*part).is(Form::kMap)) changes.entries.push_back({name, {}, phase.*part});
  }
  return changes;
}

// A map without a type changes only the keys that it has; anything else replaces the former value.
Node merged(Node before, const Node& changes) {
  return overlaid(std::move(before), changes, TypedMap::kReplaces);
}

void leave_out(Node* map, std::string_view key) {
  if (map != nullptr)
    std::erase_if(map->entries, [key](const Node::Entry& entry) { return entry.key == key; });
}

// Removes the settings of the whole run, which were read with it.
void leave_out_run(Node& tree) {
  leave_out(&tree, "init");
  leave_out(tree.find("train"), "phases");
  leave_out(tree.find("train"), "lora");
  leave_out(tree.find("data"), "valid");
  leave_out(tree.find("data"), "test");
}

// The inverse of merged(): the changes that turn `before` into `now`; kNull if they are equal.
Node difference(const Node& before, const Node& now) {
  if (equal(before, now)) return {};
  if (!before.is(Form::kMap) || !now.is(Form::kMap)) return now;
  const Node *type_before = before.find("type"), *type_now = now.find("type");
  if (type_before != nullptr && type_now != nullptr && type_before->text != type_now->text)
    return now;
  Node changes{.form = Form::kMap, .entries = {}};
  for (const Node::Entry& entry : now.entries) {
    const Node* own = before.find(entry.key);
    if (own == nullptr) return now;
    if (equal(*own, entry.value)) continue;
    const Node inner = difference(*own, entry.value);
    // A value `~` turns a setting off, which is a change; kNull alone would mean "no difference".
    changes.entries.push_back({entry.key, {}, inner.is(Form::kNull) ? entry.value : inner});
  }
  return changes;
}

// Paths of the values of a tree: "encoder.dropout".
void add_leaves(const Node& node, const std::string& path, std::vector<std::string>& leaves) {
  if (!node.is(Form::kMap)) return leaves.push_back(path);
  for (const Node::Entry& entry : node.entries)
    add_leaves(entry.value, path.empty() ? entry.key : path + "." + entry.key, leaves);
}

class PhaseReader {
 public:
  PhaseReader(const Node& tree, const std::string& file, RunConfig& config,
              std::vector<Problem>& problems)
      : tree_(tree), file_(file), config_(config), problems_(problems) {
    for (const Problem& problem : problems) known_.insert({problem.path, problem.message});
  }

  void read() {
    const RunConfig* before = &config_;
    std::vector<RunConfig> phases(config_.train.phases.size());
    for (size_t i = 0; i < phases.size(); ++i) {
      at_ = fmt::format("train.phases[{}]", i);
      RunConfig& phase = phases[i];
      phase.folder = config_.folder;
      read(config_.train.phases[i], phase);
      if (!can_be_compared()) continue;
      check(*before, phase, config_.train.phases[i]);
      before = &phase;
    }
    if (problems_.empty()) keep(phases);
  }

 private:
  // True if all sections that phases change could be read so far.
  bool can_be_compared() const {
    return std::ranges::none_of(problems_, [](const Problem& problem) {
      return std::ranges::any_of(
          kSections, [&](const Section& one) { return problem.path.starts_with(one.name); });
    });
  }

  // Reads the whole config of the phase and adds its problems.
  void read(const PhaseConfig& changes, RunConfig& phase) {
    const Node own = changes_of(changes);
    check_sections(changes);
    tree_ = merged(tree_, own);
    Node whole = tree_;
    leave_out_run(whole);
    for (Problem& problem : find_problems(whole, file_, phase)) {
      if (!known_.insert({problem.path, problem.message}).second) continue;
      const bool is_own = find_path(own, problem.path).exact;
      if (is_own) {
        problem.path = fmt::format("{}.{}", at_, problem.path);
        problems_.push_back(std::move(problem));
      } else {
        add("", fmt::format("with these settings {} {}", problem.path, problem.message));
      }
    }
  }

  // Refuses keys that cannot change, whatever their value.
  void check_sections(const PhaseConfig& changes) {
    const Node can_change = settings_tree(LearningConfig()), of_run = settings_tree(TrainConfig());
    for (const Node::Entry& entry : changes.train.entries) {
      if (can_change.find(entry.key) != nullptr || of_run.find(entry.key) == nullptr) continue;
      std::vector<std::string> keys;
      for (const Node::Entry& key : can_change.entries) keys.push_back(key.key);
      add("train." + entry.key, fmt::format("is a setting of the whole run; a phase can change {}",
                                            fmt::join(keys, ", ")));
    }
    const DataConfig data;
    const MarkedKeys of_data(data, ChangeAt::kPhase);
    const Node known = settings_tree(data);
    for (const Node::Entry& entry : changes.data.entries) {
      if (known.find(entry.key) != nullptr && !of_data.has(entry.key))
        add("data." + entry.key, "is a setting of the whole run, which a phase cannot change");
    }
  }

  void check(const RunConfig& before, const RunConfig& now, PhaseConfig& phase) {
    check_optimizer(*before.train.optimizer, *now.train.optimizer, phase);
    Node from = settings_tree(before), to = settings_tree(now);
    leave_out_run(from);
    leave_out_run(to);
    bool changes = !phase.reset.empty();
    for (const auto& [name, part] : kSections) {
      phase.*part = difference(*from.find(name), *to.find(name));
      changes = changes || !(phase.*part).entries.empty();
    }
    if (!changes) add("", "changes nothing of the phase before: leave it out, or say what differs");
    check_model(phase.model, now.model);
  }

  void check_optimizer(const OptimizerConfig& before, const OptimizerConfig& now,
                       const PhaseConfig& phase) {
    const bool same_state = before.type == now.type && before.numbers_kept() == now.numbers_kept();
    if (same_state || phase.resets(PhaseConfig::kOptimizer)) return;
    add("train.optimizer",
        "has another state than the optimizer before: write `reset: [optimizer]` "
        "to begin with an empty one");
  }

  void check_model(const Node& changes, const ModelConfig& now) {
    const MarkedKeys may_change(now, ChangeAt::kPhase);
    std::vector<std::string> leaves;
    if (changes.is(Form::kMap)) add_leaves(changes, "", leaves);
    for (const std::string& leaf : leaves) {
      if (!may_change.has(leaf))
        add("model." + leaf,
            "cannot change during the training; only probabilities of dropout can");
    }
  }

  void add(const std::string& path, const std::string& message) {
    const std::string whole = path.empty() ? at_ : fmt::format("{}.{}", at_, path);
    Problem problem{.file = file_, .path = whole, .message = message};
    const Found found = find_path(tree_, whole);
    const FilePlace place = found.entry != nullptr ? found.entry->place : FilePlace{};
    problem.line = place.line;
    problem.column = place.column;
    if (!place.origin.empty()) problem.file = place.origin;
    problems_.push_back(std::move(problem));
  }

  void keep(const std::vector<RunConfig>& phases) {
    for (size_t i = 0; i < phases.size(); ++i) {
      const RunConfig& phase = phases[i];
      config_.phases.push_back({phase.data, phase.model, phase.train});
    }
  }

  Node tree_;  // of the phases so far
  std::string file_;
  RunConfig& config_;
  std::vector<Problem>& problems_;
  std::set<std::pair<std::string, std::string>> known_;  // path and message of each problem
  std::string at_;
};

}  // namespace

void read_phases(const Node& tree, const std::string& file, RunConfig& config,
                 std::vector<Problem>& problems) {
  PhaseReader(tree, file, config, problems).read();
  sort_problems(problems);
}

std::vector<std::string> describe_phases(const RunConfig& config) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < config.train.phases.size(); ++i) {
    const PhaseConfig& phase = config.train.phases[i];
    lines.push_back(fmt::format("phase {}, after update {}: {}", i + 2, format_count(phase.after),
                                phase.description()));
  }
  return lines;
}

}  // namespace heed
