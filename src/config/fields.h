// Typed settings: a struct lists its fields once; reading, writing and the reference page are
// visitors of that list.
//
//   struct AdditiveConfig final : ScorerConfig {
//     int64_t hidden = 512;  // the default, which exists only here
//     void fields(Fields& f) override { f.field("hidden", hidden, kWidths, "hidden width"); }
//   };
//
// Reading keeps the value of a field that the file does not set, so the default is the member
// initialiser of the struct, or of the struct around it. Errors of the user never throw here: every
// mistake becomes a problem with file, line and column, and all of them are shown at once
// (reader.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/bindings.h"
#include "config/settings.h"
#include "config/tree.h"

namespace heed {

// Visitor of settings. fields() of a struct calls the functions below; a visitor implements the
// on_… functions. The visitors that print, compare and explain cannot write.
// Every `help` is one line for the reference page, with the unit and without a full stop.
class Fields {
 public:
  virtual ~Fields() = default;
  // True for the reader, and for the visitor that makes paths absolute. The bindings of other
  // visitors cannot write.
  virtual bool writes() const { return false; }

  void field(const char* name, bool& value, const char* help);
  void field(const char* name, int64_t& value, IntRange range, const char* help);
  void field(const char* name, std::optional<int64_t>& value, IntRange range, const char* help);
  void field(const char* name, double& value, Range range, const char* help);
  void field(const char* name, std::optional<double>& value, Range range, const char* help);
  void field(const char* name, std::optional<bool>& value, const char* help);
  void field(const char* name, std::string& value, const char* help);
  void field(const char* name, std::optional<std::string>& value, const char* help);
  // Any other type would be converted to a temporary, and the value read would be lost.
  template <class T, class... Rest>
  void field(const char* name, const T& value, const Rest&... rest) = delete;
  // File or folder, kept as written. root: where a relative path starts. The caller that has this
  // folder decides whether the path is resolved and must exist.
  void path(const char* name, std::string& value, PathRoot root, const char* help);
  void path(const char* name, std::optional<std::string>& value, PathRoot root, const char* help);
  // Files by name. A plain path stands for a map with the name `plain`; "": only a map is accepted.
  void paths(const char* name, std::map<std::string, std::string>& values, const char* plain,
             PathRoot root, const char* help);
  // Seconds, above 0, written with a unit: 90s, 45m, 2h, 1d.
  void duration(const char* name, double& seconds, const char* help);
  void duration(const char* name, std::optional<double>& seconds, const char* help);

  template <class E>
  void choice(const char* name, E& value, const Words<E>& words, const char* help);

  void section(const char* name, Settings& value, const char* help) {
    on_section(name, value, help);
  }
  // Optional section: absent unless written.
  template <class S>
  void section(const char* name, std::optional<S>& value, const char* help);

  // Settings as they are written: a map with the keys of another section; kNull: not set.
  void tree(const char* name, Node& value, const char* help) { on_tree(name, value, help); }

  // A kind: `{type: NAME, …}` or the plain word NAME.
  template <class Base>
  void one_of(const char* name, std::shared_ptr<Base>& value, const Registry<Base>& registry,
              const char* help, bool optional = false);
  template <class Base>
  void list_of(const char* name, std::vector<std::shared_ptr<Base>>& values,
               const Registry<Base>& registry, const char* help);

  // Lists a vector or map of settings. A value in the file replaces the whole default.
  template <class S>
  void list(const char* name, std::vector<S>& values, const char* help);  // of structs
  // Does the same as list(), but a single item is read and written without a list; null: empty.
  template <class S>
  void one_or_many(const char* name, std::vector<S>& values, const char* help);
  // Lists words; a single word is read as a list with one item.
  void list(const char* name, std::vector<std::string>& values, const char* help);
  template <class S>
  void map(const char* name, std::map<std::string, S>& values,
           const char* help);  // of structs, by name
  template <class Base>
  void map_of(const char* name, std::map<std::string, std::shared_ptr<Base>>& values,
              const Registry<Base>& registry,
              const char* help);  // of kinds, by name

  // Fills in what the fields above imply for other fields. Only the reader takes this step.
  void complete(const std::function<void()>& step) { on_complete(step); }

  // Marks a field that every config has to set: the reader reports it as missing otherwise.
  void required(const char* name) { on_required(name); }

  // Marks fields, with everything inside them, that a resumed run or a phase may change.
  void may_change(ChangeAt at, std::initializer_list<const char*> names) {
    for (const char* name : names) on_may_change(at, name);
  }

  // States the names of a field in other toolkits. field: its name, which a value or a path inside it
  // may follow, "score", "attention.score", "score: additive".
  void peers(const char* field, const Peers& names) { on_peers(field, names); }

  // Marks fields, with everything inside them, that something else depends on.
  void affects(Effect effect, std::initializer_list<const char*> names) {
    for (const char* name : names) on_affects(effect, name);
  }

 protected:
  virtual void on_scalar(const char* name, const ScalarField& field, const char* help) = 0;
  virtual void on_section(const char* name, Settings& value, const char* help) = 0;
  virtual void on_optional_section(const char* name, const OptionalSectionField& field,
                                   const char* help) = 0;
  virtual void on_kind(const char* name, const KindField& field, const char* help) = 0;
  virtual void on_list(const char* name, const ListField& field, const char* help) = 0;
  virtual void on_map(const char* name, const MapField& field, const char* help) = 0;
  virtual void on_tree(const char* name, Node& value, const char* help) = 0;
  virtual void on_required(const char* name) {}
  virtual void on_may_change(ChangeAt at, const char* name) {}
  virtual void on_affects(Effect effect, const char* name) {}
  virtual void on_complete(const std::function<void()>& step) {}
  virtual void on_peers(const char* field, const Peers& names) {}

 private:
  // Call on_… with a binding that writes only for the reader.
  void show(const char* name, ScalarField field, const char* help);
  void show(const char* name, OptionalSectionField field, const char* help);
  void show(const char* name, KindField field, const char* help);
  void show(const char* name, ListField field, const char* help);
  void show(const char* name, MapField field, const char* help);
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
  show(name, field, help);
}

template <class S>
void Fields::section(const char* name, std::optional<S>& value, const char* help) {
  const OptionalSectionField field{
      .present = [&value]() -> Settings* { return value ? &*value : nullptr; },
      .make = [&value]() -> Settings& { return value.emplace(); },
      .clear = [&value] { value.reset(); },
      .visit_fresh =
          [help](Fields& f) {
            S fresh{};
            f.section("", fresh, help);
          }};
  show(name, field, help);
}

template <class Base>
std::shared_ptr<Base> fresh_kind(const Registry<Base>& registry, const std::string& name) {
  for (const auto& kind : registry) {
    if (name != kind.name) continue;
    return kind.make();
  }
  HEED_CHECK(false, "no kind '{}'", name);
}

template <class Base>
KindField kind_field(std::shared_ptr<Base>& value, const Registry<Base>& registry) {
  KindField field;
  for (const auto& kind : registry) field.kinds.emplace_back(kind.name, kind.help);
  field.registry = &registry;
  field.current = [&value] {
    HEED_CHECK(!value || !value->type.empty(), "a kind without a name; use make_kind");
    return value ? value->type : std::string();
  };
  field.get = [&value]() -> Settings& { return *value; };
  field.select = [&value, &registry](const std::string& name) -> Settings& {
    value = fresh_kind(registry, name);
    return *value;
  };
  field.clear = [&value] { value = nullptr; };
  field.fresh = [&registry](const std::string& name) { return fresh_kind(registry, name); };
  return field;
}

template <class Base>
void Fields::one_of(const char* name, std::shared_ptr<Base>& value, const Registry<Base>& registry,
                    const char* help, bool optional) {
  KindField field = kind_field(value, registry);
  field.optional = optional;
  show(name, field, help);
}

// Bind lists and maps to their containers.
template <class Item>
ListField list_field(std::vector<Item>& values) {
  return {.size = [&values] { return values.size(); },
          .clear = [&values] { values.clear(); },
          .append = [&values] { values.emplace_back(); },
          .visit_item = {}};
}
template <class Item>
MapField map_field(std::map<std::string, Item>& values) {
  const auto keys = [&values] {
    std::vector<std::string> result;
    for (const auto& [key, unused] : values) result.push_back(key);
    return result;
  };
  return {.keys = keys,
          .clear = [&values] { values.clear(); },
          .insert = [&values](const std::string& key) { values[key]; },
          .visit_item = {},
          .visit_fresh = {},
          .plain = {}};
}

template <class S>
ListField struct_list_field(std::vector<S>& values, const char* help) {
  ListField field = list_field(values);
  field.visit_item = [&values, help](size_t i, Fields& f) { f.section("", values[i], help); };
  field.visit_fresh = [help](Fields& f) {
    S fresh{};
    f.section("", fresh, help);
  };
  return field;
}

template <class S>
void Fields::list(const char* name, std::vector<S>& values, const char* help) {
  show(name, struct_list_field(values, help), help);
}

template <class S>
void Fields::one_or_many(const char* name, std::vector<S>& values, const char* help) {
  ListField field = struct_list_field(values, help);
  field.or_one = true;
  show(name, field, help);
}

template <class Base>
void Fields::list_of(const char* name, std::vector<std::shared_ptr<Base>>& values,
                     const Registry<Base>& registry, const char* help) {
  ListField field = list_field(values);
  field.visit_item = [&values, &registry, help](size_t i, Fields& f) {
    f.one_of("", values[i], registry, help);
  };
  field.visit_fresh = [&registry, help](Fields& f) {
    std::shared_ptr<Base> none;
    f.one_of("", none, registry, help);
  };
  show(name, field, help);
}

template <class S>
void Fields::map(const char* name, std::map<std::string, S>& values, const char* help) {
  MapField field = map_field(values);
  field.visit_item = [&values, help](const std::string& key, Fields& f) {
    f.section(key.c_str(), values.at(key), help);
  };
  field.visit_fresh = [help](Fields& f) {
    S fresh{};
    f.section("", fresh, help);
  };
  show(name, field, help);
}

template <class Base>
void Fields::map_of(const char* name, std::map<std::string, std::shared_ptr<Base>>& values,
                    const Registry<Base>& registry, const char* help) {
  MapField field = map_field(values);
  field.visit_item = [&values, &registry, help](const std::string& key, Fields& f) {
    f.one_of(key.c_str(), values.at(key), registry, help);
  };
  field.visit_fresh = [&registry, help](Fields& f) {
    std::shared_ptr<Base> none;
    f.one_of("", none, registry, help);
  };
  show(name, field, help);
}

}  // namespace heed
