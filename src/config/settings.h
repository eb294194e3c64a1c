// Base class of settings, and the types that fields() uses: ranges, words of an enumeration,
// registries of kinds. See fields.h for an example.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "base/error.h"

namespace heed {

class Fields;

// Collects the problems of settings that were read. `path` is relative to the struct that
// validates: "heads", "attention.score.hidden", "train[1].source"; an empty path is the struct
// itself.
class Problems {
 public:
  virtual ~Problems() = default;
  virtual void add(const std::string& path, const std::string& message) = 0;
  // True if the user wrote the value at this path; false if it is the default.
  virtual bool is_set(const std::string& path) const = 0;
  // True if no problem was found at this path or inside it so far. Implemented by ProblemList.
  virtual bool is_whole(const std::string& path) const { return true; }
};

// Problems of a part: every path gets `prefix` in front.
class ProblemsAt final : public Problems {
 public:
  ProblemsAt(Problems& outer, std::string prefix) : outer_(outer), prefix_(std::move(prefix)) {}
  void add(const std::string& path, const std::string& message) override {
    outer_.add(at(path), message);
  }
  bool is_set(const std::string& path) const override { return outer_.is_set(at(path)); }
  bool is_whole(const std::string& path) const override { return outer_.is_whole(at(path)); }

 private:
  std::string at(const std::string& path) const {
    if (path.empty() || prefix_.empty()) return prefix_ + path;
    return path.front() == '[' ? prefix_ + path : prefix_ + "." + path;
  }
  Problems& outer_;
  std::string prefix_;
};

struct Settings {
  virtual ~Settings() = default;
  // Lists the fields. It is not const, since the reader writes them; constant settings are visited
  // as a copy (Visited).
  virtual void fields(Fields& f) = 0;
  // Checks combinations of fields. Called after the whole file was read, innermost struct first,
  // but not for a struct with a field that cannot be used. A missing field, and a field of an inner
  // struct with problems, holds its default. A second problem at the same path is not shown.
  virtual void validate(Problems& problems) const {}
  // Called once after every validate(), on the struct that was read, even if there are problems:
  // items of lists and maps of kinds may then be null. Problems::is_whole tests whether a part has
  // problems.
  virtual void validate_parts(Problems& problems) const {}
  // Field that a plain scalar stands for: `batch: 64` for `batch: {sentences: 64}`; nullptr: a
  // scalar is not accepted.
  virtual const char* shorthand() const { return nullptr; }
  // A map of these settings, for messages; nullptr: none.
  virtual const char* example() const { return nullptr; }
};

struct IntRange {
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();
};
inline constexpr IntRange kPositive{1};
inline constexpr IntRange kNotNegative{0};

struct Range {
  double low, high;
  bool open_low = false, open_high = false;  // true: the bound itself is excluded
};
inline constexpr Range kAnyNumber{-std::numeric_limits<double>::max(),
                                  std::numeric_limits<double>::max()};
inline constexpr Range kAboveZero{0, std::numeric_limits<double>::max(), true};
inline constexpr Range kZeroOrMore{0, std::numeric_limits<double>::max()};
inline constexpr Range kFraction{0, 1};              // [0, 1]
inline constexpr Range kDropout{0, 1, false, true};  // [0, 1)

// The folder that the relative paths of a key start from (Fields::path).
enum class PathRoot {
  kConfigFolder,  // that of the config; the current folder for a value given by --set
  kDataFolder     // data.dir
};

// The times at which a run may take another value of a key than before (Fields::may_change).
enum class ChangeAt { kResume, kPhase };

// Names of a key in other toolkits (Fields::peers). docs/migration.md and the message about an
// unknown key are made from them. A toolkit has a list of names, separated by commas: `name`,
// `section.name` or `name: value`. A remark in parentheses may follow a name, or take its place.
struct Peers {
  const char *joeynmt = "", *opennmt = "", *marian = "", *nematus = "", *sockeye = "";
  const char* also = "";  // words of papers and of other versions, for the message alone
  const char* note = "";  // how the key differs from theirs
};

// Results that depend on the value of a key (Fields::affects).
enum class Effect {
  kScores,              // the scores of validations
  kTranslationScores,   // those by a metric of translations
  kSamples,             // the translations that a loss of whole sentences draws and scores
  kValidations,         // anything in validations and what follows from them
  kTranslations,        // the translations of validations
  kLoggedTranslations,  // those of them that the log shows
  kTestScores           // the scores of test sets
};

// Words of an enumeration in the order in which they are shown.
template <class E>
using Words = std::vector<std::pair<const char*, E>>;

// Base class of the settings of kinds. A kind knows its own name so that it can be written back.
struct KindSettings : Settings {
  std::string type;  // set when it is selected
  // Copies settings of this type; set when they are made.
  std::shared_ptr<KindSettings> (*copy)(const KindSettings&) = nullptr;
};

// Gives settings of a kind their name and the function that copies them.
template <class Config>
void name_kind(Config& config, const char* name) {
  config.type = name;
  config.copy = [](const KindSettings& from) -> std::shared_ptr<KindSettings> {
    return std::make_shared<Config>(static_cast<const Config&>(from));
  };
}

// Makes the default of a kind, for member initialisers:
//   std::shared_ptr<ScorerConfig> score = make_kind<AdditiveConfig>("additive");
template <class Config>
std::shared_ptr<Config> make_kind(const char* name) {
  auto config = std::make_shared<Config>();
  name_kind(*config, name);
  return config;
}

// Settings for a visitor: the given ones, or a copy of constant ones, which no visitor can write.
// The kinds inside a copy are those of the original.
class Visited {
 public:
  template <std::derived_from<Settings> S>
  requires(!std::is_const_v<S>) Visited(S& settings) : settings_(settings) {}
  template <std::derived_from<Settings> S>
  Visited(const S& settings) : copy_(copy_of(settings)), settings_(*copy_) {}

  Settings& operator*() const { return settings_; }
  Settings* operator->() const { return &settings_; }

 private:
  template <class S>
  static std::shared_ptr<Settings> copy_of(const S& settings) {
    if constexpr (std::derived_from<S, KindSettings> && !std::is_final_v<S>) {
      HEED_CHECK(settings.copy != nullptr, "a kind without a name; use make_kind");
      return settings.copy(settings);
    } else {
      HEED_CHECK(typeid(settings) == typeid(S), "only a part of the settings would be copied");
      return std::make_shared<S>(settings);
    }
  }

  std::shared_ptr<Settings> copy_;
  Settings& settings_;
};

// Kinds of one registry, selected by `type:`: name → maker of its settings, in the order in which
// they are shown. A registry is a function that returns a constant table, so all kinds are in one
// visible list.
template <class Base>
struct Kind {
  const char* name;
  const char* help;
  std::function<std::shared_ptr<Base>()> make;
};
template <class Base>
using Registry = std::vector<Kind<Base>>;
template <class Config, class Base>
Kind<Base> kind(const char* name, const char* help) {
  return {name, help, [name] { return make_kind<Config>(name); }};
}

}  // namespace heed
