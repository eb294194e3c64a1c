#include "run/sweep_config.h"

#include <algorithm>
#include <map>

#include "base/suggest.h"
#include "config/numbers.h"
#include "config/reader.h"
#include "config/sizes.h"

namespace heed {

namespace {

using Form = Node::Form;

// Keys that a sweep decides itself.
std::string reserved(const std::string& key) {
  if (key == "seed") return "is set by sweep.seeds";
  if (key == "run") return "is set by sweep.folder";
  if (key == "sweep" || key.starts_with("sweep.")) return "cannot be a setting of a run";
  return "";
}

// True for the same key, or one inside the other.
bool is_inside(const std::string& key, const std::string& other) {
  if (!key.starts_with(other)) return false;
  const std::string rest = key.substr(other.size());
  return rest.empty() || rest.front() == '.' || rest.front() == '[';
}

class KeyChecks {
 public:
  explicit KeyChecks(Problems& problems) : problems_(problems) {}

  // A key that a setting changes. part: of the sweep that names it.
  void check(const std::string& path, const std::string& key, const std::string& part) {
    const std::string why = reserved(key);
    if (!why.empty()) return problems_.add(path, why);
    try {
      parse_override(key + "=~");
    } catch (const Error&) {
      return problems_.add(path, "is not a key such as train.optimizer.rate");
    }
    for (const auto& [other, owner] : parts_) {
      // Settings are alternatives, which may change what others change.
      if (owner == part && part == "settings") continue;
      if (is_inside(key, other) || is_inside(other, key))
        return problems_.add(path, fmt::format("conflicts with {} of sweep.{}", other, owner));
    }
    parts_[key] = part;
  }

 private:
  Problems& problems_;
  std::map<std::string, std::string> parts_;  // by key
};

// A name becomes a folder.
std::string fault_of_name(const std::string& name) {
  constexpr size_t kLongest = 100;
  if (name.empty()) return "is empty, expected a name";
  if (name.size() > kLongest) return fmt::format("is longer than {} bytes", kLongest);
  if (name.front() == '.' || name.find_first_of("/,") != std::string::npos)
    return "is the name of a folder: it cannot have / or a comma, or begin with a point";
  return "";
}

void check_names(const std::string& path, const Node& map, Problems& problems) {
  for (const Node::Entry& entry : map.entries) {
    if (const std::string fault = fault_of_name(entry.key); !fault.empty())
      problems.add(fmt::format("{}.{}", path, entry.key), fault);
  }
}

void check_grid(const Node& grid, KeyChecks& keys, Problems& problems) {
  for (const Node::Entry& entry : grid.entries) {
    const std::string path = "grid." + entry.key;
    keys.check(path, entry.key, "grid");
    if (!entry.value.is(Form::kList) && !entry.value.is(Form::kMap)) {
      problems.add(path,
                   fmt::format("found {}, expected a list of values, or a map that gives each "
                               "a name",
                               describe(entry.value)));
    } else if (entry.value.entries.empty()) {
      problems.add(path, "has no value");
    } else if (entry.value.is(Form::kMap)) {
      check_names(path, entry.value, problems);
    }
  }
}

void check_settings(const Node& settings, KeyChecks& keys, Problems& problems) {
  check_names("settings", settings, problems);
  for (const Node::Entry& setting : settings.entries) {
    const std::string path = "settings." + setting.key;
    if (!setting.value.is(Form::kMap) && !setting.value.is(Form::kNull)) {
      problems.add(path, fmt::format("found {}, expected a map of keys, such as "
                                     "{{model.encoder.width: 64}}",
                                     describe(setting.value)));
      continue;
    }
    for (const Node::Entry& entry : setting.value.entries)
      keys.check(fmt::format("{}.{}", path, entry.key), entry.key, "settings");
  }
}

std::string fault_of_bounds(const std::string& kind, const Node& bounds) {
  if (!bounds.is(Form::kList) || bounds.entries.size() != 2)
    return fmt::format("found {}, expected [LOW, HIGH]", describe(bounds));
  std::vector<double> values;
  for (const Node::Entry& bound : bounds.entries) {
    const auto value = to_number(bound.value.text);
    if (!bound.value.is(Form::kScalar) || !value)
      return fmt::format("found {}, expected a number", describe(bound.value));
    values.push_back(*value);
  }
  if (values[0] >= values[1])
    return fmt::format("found {} and {}, expected a larger second bound", values[0], values[1]);
  if (kind == "log" && values[0] <= 0) return "expected bounds above 0";
  return "";
}

void check_random(const Node& random, KeyChecks& keys, Problems& problems) {
  static const std::vector<std::string> kinds{"uniform", "log", "choice"};
  for (const Node::Entry& entry : random.entries) {
    const std::string path = "random." + entry.key;
    keys.check(path, entry.key, "random");
    const bool is_one = entry.value.is(Form::kMap) && entry.value.entries.size() == 1;
    const std::string kind = is_one ? entry.value.entries.front().key : "";
    if (std::ranges::count(kinds, kind) == 0) {
      problems.add(path, fmt::format("found {}, expected {{uniform: [LOW, HIGH]}}, "
                                     "{{log: [LOW, HIGH]}} or {{choice: [VALUE, …]}}{}",
                                     is_one ? "'" + kind + "'" : describe(entry.value),
                                     did_you_mean(kind, kinds)));
      continue;
    }
    const Node& value = entry.value.entries.front().value;
    const std::string inside = path + "." + kind;
    if (kind != "choice") {
      if (const std::string fault = fault_of_bounds(kind, value); !fault.empty())
        problems.add(inside, fault);
    } else if (!value.is(Form::kList) || value.entries.empty()) {
      problems.add(inside, fmt::format("found {}, expected a list of values", describe(value)));
    }
  }
}

void check_seeds(const std::vector<std::string>& seeds, Problems& problems) {
  for (size_t i = 0; i < seeds.size(); ++i) {
    const auto seed = to_integer(seeds[i]);
    const std::string path = fmt::format("seeds[{}]", i);
    if (!seed || *seed < 0) {
      problems.add(path, fmt::format("found '{}', expected a whole number of 0 or more{}",
                                     shown(seeds[i]), integer_hint(seeds[i], kNotNegative)));
    } else if (std::count(seeds.begin(), seeds.begin() + static_cast<int64_t>(i), seeds[i]) > 0) {
      problems.add(path, fmt::format("{} is given twice: leave it out", seeds[i]));
    }
  }
}

}  // namespace

void HalvingConfig::fields(Fields& f) {
  f.field("every", every, kPositive,
          "updates of the first rung, a multiple of train.validate.every; each further rung has "
          "twice the updates of the rung before");
  f.field("keep", keep, Range{0, 1, true, true},
          "fraction of the settings that go on after a rung, rounded up; at least one stops and "
          "one goes on");
  f.required("every");
}

void SelfTrainingConfig::fields(Fields& f) {
  f.path("source", source, PathRoot::kConfigFolder,
         "source text without targets, a sentence a line, plain or compressed");
  f.field("agreement", agreement, Range{0, 1, true},
          "fraction of the runs of a setting that have to write the same translation of a line; "
          "other lines are left out");
  f.field("nbest", nbest, IntRange{1, 100},
          "a run agrees with each of its best translations, this many; of several the most runs "
          "agree on, the one of the better places is taken");
  f.field("rounds", rounds, IntRange{1, 10},
          "number of rounds; the runs of a round label the text of the next one");
  f.required("source");
}

void SweepConfig::fields(Fields& f) {
  f.path("folder", folder, PathRoot::kConfigFolder,
         "folder of the runs, FOLDER/SETTING/SEED, and of the table; ~: `run`, with -sweep at its "
         "end");
  f.list("seeds", seeds, "seeds with which each setting is trained; []: `seed` alone");
  f.tree("grid", grid,
         "values by key, as in --set; every combination is a setting. The values are a list, or a "
         "map from their names to the values");
  f.tree("settings", settings,
         "settings by name, each a map from keys to values; with a grid, each setting is combined "
         "with each point of the grid");
  f.field("draws", draws, IntRange{1, 10'000},
          "random search: number of settings that are drawn from `random`");
  f.field("draw_seed", draw_seed, kNotNegative,
          "seed of the draws; a draw does not depend on their number");
  f.tree("random", random,
         "distributions by key: {uniform: [LOW, HIGH]}, {log: [LOW, HIGH]}, which is uniform in "
         "the logarithm, or {choice: [VALUE, …]}; four significant digits are drawn");
  f.section("halving", halving,
            "successive halving (Jamieson and Talwalkar 2016): all settings are trained for some "
            "updates, the best go on, and so again; a setting's score is the mean over its seeds");
  f.field("ensemble", ensemble,
          "scores the ensemble of the seeds of each setting on the validation and test sets");
  f.section("self_training", self_training,
            "self-training: translations of text without targets on which the runs of a setting "
            "agree become training data of a new setting, SETTING+self-1");
  f.field("jobs", jobs, kThreads,
          "number of runs that are trained at the same time; they share the cores");
}

void SweepConfig::validate(Problems& problems) const {
  KeyChecks keys(problems);
  check_seeds(seeds, problems);
  check_grid(grid, keys, problems);
  check_settings(settings, keys, problems);
  check_random(random, keys, problems);
  if (ensemble && seeds.size() < 2)
    problems.add("ensemble", "needs `seeds`, at least two, whose models it joins");
  if (draws && random.entries.empty())
    problems.add("draws", "needs `random`, the distributions that settings are drawn from");
  if (!draws && !random.entries.empty())
    problems.add("random", "needs `draws`, the number of settings");
}

}  // namespace heed
