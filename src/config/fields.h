// Typed settings: a struct lists its fields once, and reading, writing and the reference page are
// visitors of that list.
//
//   struct AdditiveConfig final : ScorerConfig {
//     int64_t hidden = 512;                                     // the default, and the only place
//     where it stands void fields(Fields& f) override { f.field("hidden", hidden, kPositive, "width
//     of the compared projections"); }
//   };
//
// Reading keeps what the struct holds wherever the file says nothing, so a default is the member
// initialiser of the struct, or of the struct around it. Nothing here throws on what a user wrote:
// every mistake becomes a problem with its place, and all of them are shown at once (reader.h).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
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
};

// The same, seen from a part: every path gets `prefix` in front.
class ProblemsAt final : public Problems {
 public:
  ProblemsAt(Problems& outer, std::string prefix) : outer_(outer), prefix_(std::move(prefix)) {}
  void add(const std::string& path, const std::string& message) override {
    outer_.add(at(path), message);
  }
  bool is_set(const std::string& path) const override { return outer_.is_set(at(path)); }

 private:
  std::string at(const std::string& path) const {
    return path.empty() ? prefix_ : path.front() == '[' ? prefix_ + path : prefix_ + "." + path;
  }
  Problems& outer_;
  std::string prefix_;
};

struct Settings {
  virtual ~Settings() = default;
  virtual void fields(Fields& f) = 0;
  // What no single field can say: combinations that make no sense. Called after the whole file was
  // read without a problem in this struct, innermost struct first.
  virtual void validate(Problems& problems) const {}
  // The field that a plain scalar stands for: `batch: 64` for `batch: {sentences: 64}`; nullptr:
  // none.
  virtual const char* shorthand() const { return nullptr; }
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

// What a field is bound to, for the visitors. One of these reaches a visitor for each field.
struct ScalarField {
  enum class Type { kBool, kInt, kReal, kText, kPath, kDuration, kWord };
  Type type;
  IntRange int_range{};
  Range range = kAnyNumber;
  std::vector<std::string> words{};  // kWord: the allowed ones
  bool optional = false;             // may be absent: shown as `~`, read from `~` or null
  // Reads and writes the bound variable. The text is canonical: true, 12, 0.1, the word; durations
  // in seconds.
  std::function<std::optional<std::string>()> get{};  // nullopt: an optional without a value
  std::function<void(const std::optional<std::string>&)> set{};
};
struct KindField {                                         // a Settings chosen by `type:`
  std::vector<std::pair<std::string, std::string>> kinds;  // name, help
  std::function<std::string()> current;                    // name of the present one, "" if none
  std::function<Settings&(const std::string&)> select;     // makes a fresh one with its defaults
  std::function<Settings&()> get;                          // the present one
  bool optional = false;
};
struct ListField {  // items are reached by a visitor as an element field of their own
  std::function<size_t()> size;
  std::function<void()> clear;
  std::function<void()> append;
  std::function<void(size_t, Fields&)>
      visit_item;  // calls the visitor with the field of item i, named ""
};
struct MapField {
  std::function<std::vector<std::string>()> keys;
  std::function<void()> clear;
  std::function<void(const std::string&)> insert;
  std::function<void(const std::string&, Fields&)>
      visit_item;  // calls the visitor with the field of that key
};

// The visitor. A struct's fields() calls the functions below; a visitor implements the five on_…
// ones. Every `help` is one line for the reference page: no full stop, says the unit.
class Fields {
 public:
  virtual ~Fields() = default;

  void field(const char* name, bool& value, const char* help);
  void field(const char* name, int64_t& value, IntRange range, const char* help);
  void field(const char* name, std::optional<int64_t>& value, IntRange range, const char* help);
  void field(const char* name, double& value, Range range, const char* help);
  void field(const char* name, std::optional<double>& value, Range range, const char* help);
  void field(const char* name, std::optional<bool>& value, const char* help);
  void field(const char* name, std::string& value, const char* help);
  void field(const char* name, std::optional<std::string>& value, const char* help);
  // A file or folder, kept as written. Whether it is resolved and must exist is decided where the
  // root folder is known.
  void path(const char* name, std::string& value, const char* help);
  void path(const char* name, std::optional<std::string>& value, const char* help);
  // Seconds, written with a unit: 90s, 45m, 2h, 1d.
  void duration(const char* name, std::optional<double>& seconds, const char* help);

  template <class E>
  void choice(const char* name, E& value, const Words<E>& words, const char* help);

  void section(const char* name, Settings& value, const char* help) {
    on_section(name, value, help);
  }
  // Absent unless written.
  template <class S>
  void section(const char* name, std::optional<S>& value, const char* help);

  // A kind: `{type: NAME, …}` or the plain word NAME.
  template <class Base>
  void one_of(const char* name, std::shared_ptr<Base>& value, const Registry<Base>& registry,
              const char* help, bool optional = false);
  template <class Base>
  void list_of(const char* name, std::vector<std::shared_ptr<Base>>& values,
               const Registry<Base>& registry, const char* help);

  template <class S>
  void list(const char* name, std::vector<S>& values, const char* help);  // of structs
  void list(const char* name, std::vector<std::string>& values,
            const char* help);  // of words; one word stands for a list of one
  template <class S>
  void map(const char* name, std::map<std::string, S>& values,
           const char* help);  // of structs, by name

  // A field that every config has to give: the reader says that it is missing if the file does not
  // hold it.
  void required(const char* name) { on_required(name); }

 protected:
  virtual void on_scalar(const char* name, const ScalarField& field, const char* help) = 0;
  virtual void on_section(const char* name, Settings& value, const char* help) = 0;
  // present(): whether it has a value; make(): gives it one with its defaults.
  virtual void on_optional_section(const char* name, std::function<Settings*()> present,
                                   std::function<Settings&()> make, const char* help) = 0;
  virtual void on_kind(const char* name, const KindField& field, const char* help) = 0;
  virtual void on_list(const char* name, const ListField& field, const char* help) = 0;
  virtual void on_map(const char* name, const MapField& field, const char* help) = 0;
  virtual void on_required(const char* name) {}
};

// A kind knows its own name so that it can be written back: base structs of kinds derive from this.
struct KindSettings : Settings {
  std::string type;  // set when it is selected
};

template <class E>
void Fields::choice(const char* name, E& value, const Words<E>& words, const char* help) {
  ScalarField field{.type = ScalarField::Type::kWord};
  for (const auto& [word, unused] : words) field.words.push_back(word);
  field.get = [&value, &words]() -> std::optional<std::string> {
    for (const auto& [word, e] : words) {
      if (e == value) return word;
    }
    return std::nullopt;
  };
  field.set = [&value, &words](const std::optional<std::string>& text) {
    for (const auto& [word, e] : words) {
      if (text && *text == word) value = e;
    }
  };
  on_scalar(name, field, help);
}

template <class S>
void Fields::section(const char* name, std::optional<S>& value, const char* help) {
  on_optional_section(
      name, [&value]() -> Settings* { return value ? &*value : nullptr; },
      [&value]() -> Settings& { return value.emplace(); }, help);
}

template <class Base>
KindField kind_field(std::shared_ptr<Base>& value, const Registry<Base>& registry) {
  KindField field;
  for (const auto& kind : registry) field.kinds.emplace_back(kind.name, kind.help);
  field.current = [&value] { return value ? value->type : std::string(); };
  field.get = [&value]() -> Settings& { return *value; };
  field.select = [&value, &registry](const std::string& name) -> Settings& {
    for (const auto& kind : registry) {
      if (name == kind.name) {
        value = kind.make();
        value->type = name;
      }
    }
    return *value;
  };
  return field;
}

template <class Base>
void Fields::one_of(const char* name, std::shared_ptr<Base>& value, const Registry<Base>& registry,
                    const char* help, bool optional) {
  KindField field = kind_field(value, registry);
  field.optional = optional;
  on_kind(name, field, help);
}

template <class Base>
void Fields::list_of(const char* name, std::vector<std::shared_ptr<Base>>& values,
                     const Registry<Base>& registry, const char* help) {
  ListField field{
      [&values] { return values.size(); }, [&values] { values.clear(); },
      [&values] { values.emplace_back(); },
      [&values, &registry, help](size_t i, Fields& f) { f.one_of("", values[i], registry, help); }};
  on_list(name, field, help);
}

template <class S>
void Fields::list(const char* name, std::vector<S>& values, const char* help) {
  ListField field{[&values] { return values.size(); }, [&values] { values.clear(); },
                  [&values] { values.emplace_back(); },
                  [&values, help](size_t i, Fields& f) { f.section("", values[i], help); }};
  on_list(name, field, help);
}

template <class S>
void Fields::map(const char* name, std::map<std::string, S>& values, const char* help) {
  MapField field{[&values] {
                   std::vector<std::string> keys;
                   for (const auto& [key, unused] : values) keys.push_back(key);
                   return keys;
                 },
                 [&values] { values.clear(); }, [&values](const std::string& key) { values[key]; },
                 [&values, help](const std::string& key, Fields& f) {
                   f.section(key.c_str(), values.at(key), help);
                 }};
  on_map(name, field, help);
}

// The default of a kind, for member initialisers: std::shared_ptr<ScorerConfig> score =
// make_kind<AdditiveConfig>("additive");
template <class Config>
std::shared_ptr<Config> make_kind(const char* name) {
  auto config = std::make_shared<Config>();
  config->type = name;
  return config;
}

}  // namespace heed
