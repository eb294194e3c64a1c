// What a struct of settings is, and the small vocabulary that its fields() speaks: ranges, words of
// an enumeration, registries of kinds. fields.h shows them at work.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heed {

class Fields;

// Collects what is wrong with settings that were read. `path` is relative to the struct that
// validates: "heads", "attention.score.hidden", "train[1].source"; an empty path is the struct
// itself.
class Problems {
 public:
  virtual ~Problems() = default;
  virtual void add(const std::string& path, const std::string& message) = 0;
  // Was the value at this path written by the user (or is it the default)?
  virtual bool is_set(const std::string& path) const = 0;
  // Is there no problem at this path or inside it so far? The list of a reading knows it.
  virtual bool is_whole(const std::string& path) const { return true; }
};

// The same, seen from a part: every path gets `prefix` in front.
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
  virtual void fields(Fields& f) const = 0;
  // What no single field can say: combinations that make no sense. Called after the whole file was
  // read, innermost struct first, unless a field of this very struct has a value that cannot be
  // used; a field that is missing, and structs inside with mistakes of their own, hold defaults. A
  // problem at a path that has one already is not shown.
  virtual void validate(Problems& problems) const {}
  // Called once, on the struct that was read, after every validate() and whatever mistakes there
  // are: items of lists and maps of kinds may then be null. Problems::is_whole tests whether a part
  // is without problems.
  virtual void validate_parts(Problems& problems) const {}
  // The field that a plain scalar stands for: `batch: 64` for `batch: {sentences: 64}`; nullptr:
  // none.
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
  bool open_low = false, open_high = false;  // whether the bound itself is left out
};
inline constexpr Range kAnyNumber{-std::numeric_limits<double>::max(),
                                  std::numeric_limits<double>::max()};
inline constexpr Range kAboveZero{0, std::numeric_limits<double>::max(), true};
inline constexpr Range kZeroOrMore{0, std::numeric_limits<double>::max()};
inline constexpr Range kFraction{0, 1};              // [0, 1]
inline constexpr Range kDropout{0, 1, false, true};  // [0, 1)

// The words of an enumeration, in the order in which they are shown.
template <class E>
using Words = std::vector<std::pair<const char*, E>>;

// The kinds of one thing (`type:` selects one): name → maker of its settings, in the order in which
// they are shown. A registry is a function that returns a constant table: what exists is a list one
// can read.
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
  return {name, help, [] { return std::make_shared<Config>(); }};
}

// A kind knows its own name so that it can be written back: base structs of kinds derive from this.
struct KindSettings : Settings {
  std::string type;  // set when it is selected
};

// The default of a kind, for member initialisers:
//   std::shared_ptr<ScorerConfig> score = make_kind<AdditiveConfig>("additive");
template <class Config>
std::shared_ptr<Config> make_kind(const char* name) {
  auto config = std::make_shared<Config>();
  config->type = name;
  return config;
}

}  // namespace heed
