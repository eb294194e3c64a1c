// Bindings of fields to their variables, one type for each kind of field, as the visitors of
// fields.h see them. The functions that write are empty unless the visitor is the reader
// (Fields::writes). A binding refers to the variable that was listed, so it must not outlive the
// call of on_….
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
  std::vector<std::string> words{};         // kWord: the allowed words
  PathRoot root = PathRoot::kConfigFolder;  // kPath
  bool optional = false;                    // may be absent: shown as `~`, read from `~` or null
  // Read and write the bound variable. The text is canonical: true, 12, 0.1, the word; durations in
  // seconds. nullopt: an optional without a value.
  std::function<std::optional<std::string>()> get{};
  std::function<void(const std::optional<std::string>&)> set{};
};

struct OptionalSectionField {          // a struct that is absent unless written
  std::function<Settings*()> present;  // nullptr if it is absent
  std::function<Settings&()> make;     // creates one with its defaults
  std::function<void()> clear;
  std::function<void(Fields&)> visit_fresh;  // calls the visitor with a section of its defaults
};

struct KindField {                                           // a struct chosen by `type:`
  std::vector<std::pair<std::string, std::string>> kinds{};  // name, help
  bool optional = false;
  const void* registry = nullptr;          // identifies the list of kinds
  std::function<std::string()> current{};  // name of the current kind, "" if none
  std::function<Settings&(const std::string&)>
      select{};                      // creates one of this kind with its defaults
  std::function<Settings&()> get{};  // the current settings
  std::function<void()> clear{};
  std::function<std::shared_ptr<Settings>(const std::string&)>
      fresh{};  // creates one that is not bound
};

struct ListField {
  std::function<size_t()> size;
  std::function<void()> clear;
  std::function<void()> append;
  std::function<void(size_t, Fields&)>
      visit_item;  // calls the visitor with the field of item i, named ""
  std::function<void(Fields&)> visit_fresh{};  // calls the visitor with a default item
  bool of_words = false;                       // a single word is read as a list with one item
  bool or_one = false;  // a single struct without a list is allowed; null: empty
};

struct MapField {
  std::function<std::vector<std::string>()> keys;
  std::function<void()> clear;
  std::function<void(const std::string&)> insert;
  std::function<void(const std::string&, Fields&)>
      visit_item;                              // calls the visitor with the field of that key
  std::function<void(Fields&)> visit_fresh{};  // as in ListField; may be empty
  std::string plain{};  // key that a plain value stands for; empty: only a map is accepted
};

}  // namespace heed
