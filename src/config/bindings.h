// What a field is bound to, as the visitors of fields.h see it: one of these for each field.
// Everything in them refers to the variable that was listed, so none outlives the call of on_….
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/settings.h"

namespace heed {

struct ScalarField {
  enum class Type { kBool, kInt, kReal, kText, kPath, kDuration, kWord };
  Type type;
  IntRange int_range{};
  Range range = kAnyNumber;
  std::vector<std::string> words{};  // kWord: the allowed ones
  bool optional = false;             // may be absent: shown as `~`, read from `~` or null
  // Reads and writes the bound variable. The text is canonical: true, 12, 0.1, the word; durations
  // in seconds. nullopt: an optional without a value.
  std::function<std::optional<std::string>()> get{};
  std::function<void(const std::optional<std::string>&)> set{};
};

struct OptionalSectionField {                // a struct that is absent unless written
  std::function<const Settings*()> present;  // nullptr if it is absent
  std::function<const Settings&()> make;     // gives it one with its defaults
  std::function<void()> clear;
  std::function<void(Fields&)> visit_fresh;  // calls the visitor with a section of its defaults
};

struct KindField {                                           // a struct chosen by `type:`
  std::vector<std::pair<std::string, std::string>> kinds{};  // name, help
  bool optional = false;
  const void* registry = nullptr;          // which list of kinds this is
  std::function<std::string()> current{};  // name of the present one, "" if none
  std::function<const Settings&(const std::string&)>
      select{};                            // makes a fresh one with its defaults
  std::function<const Settings&()> get{};  // the present one
  std::function<void()> clear{};
  std::function<std::shared_ptr<Settings>(const std::string&)>
      fresh{};  // one that is bound to nothing
};

struct ListField {
  std::function<size_t()> size;
  std::function<void()> clear;
  std::function<void()> append;
  std::function<void(size_t, Fields&)>
      visit_item;  // calls the visitor with the field of item i, named ""
  std::function<void(Fields&)> visit_fresh{};  // … with one of an item's defaults
  bool of_words = false;                       // one word stands for a list of one
  bool or_one = false;  // one struct stands by itself, not in a list; null: none
};

struct MapField {
  std::function<std::vector<std::string>()> keys;
  std::function<void()> clear;
  std::function<void(const std::string&)> insert;
  std::function<void(const std::string&, Fields&)>
      visit_item;                              // calls the visitor with the field of that key
  std::function<void(Fields&)> visit_fresh{};  // … with one of an item's defaults, if there is such
  std::string plain{};  // the key whose value a plain one is; empty: only a map will do
};

}  // namespace heed
