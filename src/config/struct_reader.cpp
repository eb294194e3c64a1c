#include "config/struct_reader.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "config/absent.h"
#include "config/fields.h"
#include "config/idle.h"
#include "config/key_paths.h"
#include "config/peer_names.h"
#include "config/preset.h"
#include "config/scalars.h"
#include "config/synonyms.h"

namespace heed {

namespace {

// Struct to validate. Structs are listed in the order in which they were finished, innermost first.
struct Finished {
  const Settings* settings;
  std::string path;
};

// Paths of all keys, to find keys that are written at the wrong level. The outline is made when it
// is first needed.
class AllKeys {
 public:
  explicit AllKeys(Settings& root) : root_(root) {}
  const KeyPaths& paths() {
    if (outline_ == nullptr) {
      outline_ = std::make_unique<Outline>(root_);
      paths_ = std::make_unique<KeyPaths>(*outline_);
    }
    return *paths_;
  }

 private:
  Settings& root_;
  std::unique_ptr<Outline> outline_;
  std::unique_ptr<KeyPaths> paths_;
};

struct ReadContext {
  ProblemList& problems;
  bool saved;
  AllKeys keys;
  std::vector<Finished> finished{};
};

// Result of reading a value. kBroken: the struct does not exist, because its kind could not be
// chosen; then no struct around it can be validated.
enum class Outcome { kFine, kUnusable, kBroken };

Outcome worse(Outcome a, Outcome b) { return std::max(a, b); }

Outcome read_struct(ReadContext& context, Settings& settings, Node* node, const std::string& path,
                    const char* kind);

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Returns the node if it is not a map, or the plain value to which --set has added keys; nullptr
// for a map.
const Node* not_a_map(const Node& node) {
  return node.is(Node::Form::kMap) ? node.find(kPlainValue) : &node;
}

// Describes a value that is wrong with and without quotes.
std::string describe_unquoted(const Node& node) {
  return node.is(Node::Form::kScalar) ? fmt::format("'{}'", shown(node.text)) : describe(node);
}

// The names of the fields of an item of a list or a map, if it is a struct without a short form.
class ItemFields final : public Fields {
 public:
  bool contain(const std::string& name) const { return names_.contains(name); }

 private:
  void add(const char* name) { names_.insert(name); }
  void on_section(const char* name, Settings& value, const char*) override {
    if (*name != '\0') return add(name);
    if (value.shorthand() == nullptr) value.fields(*this);
  }
  void on_scalar(const char* name, const ScalarField&, const char*) override { add(name); }
  void on_optional_section(const char* name, const OptionalSectionField&, const char*) override {
    add(name);
  }
  void on_kind(const char* name, const KindField&, const char*) override { add(name); }
  void on_list(const char* name, const ListField&, const char*) override { add(name); }
  void on_map(const char* name, const MapField&, const char*) override { add(name); }
  void on_tree(const char* name, Node&, const char*) override { add(name); }

  std::set<std::string> names_;
};

// Form to write in place of an item that stands where the map of items should, so that its fields
// have the place of names. "": the map is one.
std::string map_around(const MapField& field, const Node& map) {
  if (!field.visit_fresh || !field.plain.empty()) return "";
  ItemFields fields;
  field.visit_fresh(fields);
  std::vector<std::string> keys;
  for (const Node::Entry& entry : map.entries) {
    if (entry.value.is(Node::Form::kMap) || !fields.contain(entry.key)) return "";
    keys.push_back(entry.key + ": …");
  }
  return keys.empty() ? "" : fmt::format("{{NAME: {{{}}}}}", joined(keys));
}

// Reads the value of a field; where it stands is the business of the two classes below.
class ValueReader : public Fields {
 public:
  explicit ValueReader(ReadContext& context) : context_(context) {}
  bool writes() const override { return true; }
  void on_complete(const std::function<void()>& step) override { step(); }
  Outcome outcome() const { return outcome_; }

 protected:
  // Node of a field; nullptr if the file does not set it.
  virtual Node* take(const char* name, const char* help) = 0;
  virtual std::string at(const char* name) const = 0;

  void on_scalar(const char* name, const ScalarField& field, const char* help) override;
  void on_section(const char* name, Settings& value, const char* help) override;
  void on_optional_section(const char* name, const OptionalSectionField& field,
                           const char* help) override;
  void on_kind(const char* name, const KindField& field, const char* help) override;
  void on_list(const char* name, const ListField& field, const char* help) override;
  void on_map(const char* name, const MapField& field, const char* help) override;
  void on_tree(const char* name, Node& value, const char* help) override;

  void refuse(const Node& node, const std::string& path, const std::string& message) {
    context_.problems.add_at(node.place, path, message);
    outcome_ = worse(outcome_, Outcome::kUnusable);
  }
  void read_inside(Settings& settings, Node* node, const std::string& path,
                   const char* kind = nullptr) {
    // A problem inside an inner struct does not affect this one, unless the inner one does not
    // exist.
    if (read_struct(context_, settings, node, path, kind) == Outcome::kBroken)
      outcome_ = Outcome::kBroken;
  }
  bool choose_kind(const KindField& field, Node& node, const std::string& path);

  ReadContext& context_;
  Outcome outcome_ = Outcome::kFine;
};

// Reads an item of a list or a map.
class ItemReader final : public ValueReader {
 public:
  ItemReader(ReadContext& context, Node* node, std::string path)
      : ValueReader(context), node_(node), path_(std::move(path)) {}

 private:
  Node* take(const char*, const char*) override { return node_; }
  std::string at(const char*) const override { return path_; }
  Node* node_;
  std::string path_;
};

// Reads the fields of a struct, which are the keys of a map.
class StructReader final : public ValueReader,
                           public IdleKeys,
                           public AbsentKeys,
                           public PresetKeys {
 public:
  StructReader(ReadContext& context, Node* map, std::string path)
      : ValueReader(context), map_(map), path_(std::move(path)) {}

  // Reports unknown keys and missing required fields. Called after all fields.
  void finish(const char* kind);

 private:
  Node* take(const char* name, const char* help) override {
    names_.push_back(name);
    helps_[name] = help;
    return map_ == nullptr ? nullptr : map_->find(name);
  }
  std::string at(const char* name) const override {
    return path_.empty() ? name : fmt::format("{}.{}", path_, name);
  }
  void on_scalar(const char* name, const ScalarField& field, const char* help) override {
    const std::optional<std::string> before = field.get();
    ValueReader::on_scalar(name, field, help);
    if (field.get() != before) changed_.insert(name);
  }
  void on_required(const char* name) override { required_.push_back(name); }
  std::string meant_by(const std::string& key, bool is_kind);
  void refuse_absent(const char* name, const std::string& message) override;
  // The user cannot leave out a key of a preset.
  void refuse_changed(const char* name, const char* why) override {
    if (context_.saved || !changed_.contains(name)) return;
    const Node& value = *map_->find(name);
    if (!is_of_preset(value.place))
      refuse(value, at(name), fmt::format("has no effect {}; leave it out", why));
  }
  void on_preset(const char* name, const Presets& presets, const char* help) override;
  Node* map_;
  std::string path_;
  std::vector<std::string> names_, required_;
  std::set<std::string> changed_;  // scalars that differ from their default
  std::map<std::string, std::string> helps_;
};

void ValueReader::on_scalar(const char* name, const ScalarField& field, const char* help) {
  const Node* node = take(name, help);
  if (node == nullptr) return;
  const Scalar scalar = read_scalar(field, *node);
  if (!scalar.complaint.empty()) return refuse(*node, at(name), scalar.complaint);
  field.set(scalar.text);
}

void ValueReader::on_section(const char* name, Settings& value, const char* help) {
  read_inside(value, take(name, help), at(name));
}

void ValueReader::on_optional_section(const char* name, const OptionalSectionField& field,
                                      const char* help) {
  Node* node = take(name, help);
  if (node != nullptr && node->is(Node::Form::kNull)) return field.clear();
  if (node == nullptr && field.present() == nullptr) return;
  Settings* present = field.present();
  read_inside(present != nullptr ? *present : field.make(), node, at(name));
}

// True if there is a struct to read. The node chooses its kind, otherwise the default does.
bool ValueReader::choose_kind(const KindField& field, Node& node, const std::string& path) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : field.kinds) names.push_back(name);
  if (!node.is(Node::Form::kMap)) {
    refuse(node, path,
           fmt::format("found {}, expected one of {}, or a map with `type:`",
                       describe_unquoted(node), joined(names)));
    return false;
  }
  const Node* type = node.find("type");
  if (type == nullptr) {
    if (!field.current().empty()) return true;
    refuse(node, path, fmt::format("`type:` is missing, one of {}", joined(names)));
    return false;
  }
  const bool known = type->is(Node::Form::kScalar) &&
                     std::find(names.begin(), names.end(), type->text) != names.end();
  if (!known) {
    const std::string hint =
        type->is(Node::Form::kScalar) ? synonym_or_suggestion(type->text, names) : "";
    refuse(*type, path + ".type",
           fmt::format("found {}, expected one of {}{}", describe_unquoted(*type), joined(names),
                       hint));
    return false;
  }
  if (type->text != field.current()) field.select(type->text);
  return true;
}

void ValueReader::on_kind(const char* name, const KindField& field, const char* help) {
  Node* node = take(name, help);
  const std::string path = at(name);
  if (node != nullptr && node->is(Node::Form::kNull) && field.optional) return field.clear();
  if (node != nullptr) {
    spell_out(*node, "type");
    if (choose_kind(field, *node, path))
      return read_inside(field.get(), node, path, field.current().c_str());
  } else if (!field.current().empty()) {
    return read_inside(field.get(), nullptr, path, field.current().c_str());
  } else if (!field.optional) {
    context_.problems.add_missing(path, fmt::format("is missing ({})", help));
  }
  if (field.current().empty() && !field.optional) outcome_ = Outcome::kBroken;
}

void ValueReader::on_list(const char* name, const ListField& field, const char* help) {
  Node* node = take(name, help);
  const std::string path = at(name);
  if (node != nullptr && node->is(Node::Form::kScalar) && field.of_words) {
    Node item = *node;
    *node = {.form = Node::Form::kList, .place = item.place};
    node->entries.push_back({"", item.place, item});
  }
  const auto read_item = [&](size_t i, Node* value, std::string item_path) {
    ItemReader item(context_, value, std::move(item_path));
    field.visit_item(i, item);
    outcome_ = worse(outcome_, item.outcome());
  };
  if (node != nullptr && field.or_one && !node->is(Node::Form::kList)) {
    field.clear();
    if (node->is(Node::Form::kNull)) return;
    field.append();
    return read_item(0, node, path);
  }
  if (node != nullptr && !node->is(Node::Form::kList)) {
    return refuse(*node, path,
                  fmt::format("found {}, expected a list: [{}]", describe_unquoted(*node),
                              node->is(Node::Form::kMap) ? "{…}, …" : "…, …"));
  }
  if (node != nullptr) {
    // All items are created before the first is read: growing the list would move items that will
    // be validated.
    field.clear();
    for (size_t i = 0; i < node->entries.size(); ++i) field.append();
  }
  for (size_t i = 0; i < field.size(); ++i)
    read_item(i, node != nullptr ? &node->entries[i].value : nullptr,
              fmt::format("{}[{}]", path, i));
}

void ValueReader::on_map(const char* name, const MapField& field, const char* help) {
  Node* node = take(name, help);
  const std::string path = at(name);
  if (node != nullptr && !field.plain.empty()) spell_out(*node, field.plain.c_str());
  const Node* stray = node != nullptr ? not_a_map(*node) : nullptr;
  if (stray != nullptr) {
    return refuse(*stray, path,
                  fmt::format("found {}, expected a map: {{name: …}}", describe_unquoted(*stray)));
  }
  if (const std::string around = node != nullptr ? map_around(field, *node) : ""; !around.empty())
    return refuse(*node, path, fmt::format("found settings without a name, expected {}", around));
  const auto read_item = [&](const std::string& key, Node* value) {
    ItemReader item(context_, value, fmt::format("{}.{}", path, key));
    field.visit_item(key, item);
    outcome_ = worse(outcome_, item.outcome());
  };
  // An implied map holds only changes by --set: they apply to the default.
  if (node != nullptr && !node->implied) field.clear();
  for (const std::string& key : field.keys()) {
    if (node == nullptr || node->find(key) == nullptr) read_item(key, nullptr);
  }
  if (node == nullptr) return;
  for (const Node::Entry& entry : node->entries) field.insert(entry.key);
  for (Node::Entry& entry : node->entries) read_item(entry.key, &entry.value);
}

void ValueReader::on_tree(const char* name, Node& value, const char* help) {
  const Node* node = take(name, help);
  if (node == nullptr) return;
  if (!node->is(Node::Form::kMap) && !node->is(Node::Form::kNull))
    return refuse(*node, at(name),
                  fmt::format("found {}, expected a map of settings", describe_unquoted(*node)));
  value = *node;
}

void StructReader::on_preset(const char* name, const Presets& presets, const char* help) {
  const Node* node = take(name, help);
  if (node == nullptr) return;
  const Scalar scalar = read_scalar(preset_field(presets), *node);
  if (!scalar.complaint.empty()) return refuse(*node, at(name), scalar.complaint);
  if (scalar.text) put_below(*map_, presets, *scalar.text);
}

void StructReader::refuse_absent(const char* name, const std::string& message) {
  const Node* value = map_ == nullptr ? nullptr : map_->find(name);
  if (value == nullptr) return;
  if (!context_.saved && !is_of_preset(value->place)) refuse(*value, at(name), message);
  std::erase_if(map_->entries, [name](const Node::Entry& entry) { return entry.key == name; });
}

// Hint at the intended key of an unknown one, or "". A key of the same name inside this struct is
// preferred. Keys elsewhere are searched only if the struct is not a kind: for a kind, the key more
// likely belongs to another kind of the registry.
std::string StructReader::meant_by(const std::string& key, bool is_kind) {
  if (find_synonym(at(key.c_str())) != nullptr)
    return synonym_or_suggestion(at(key.c_str()), names_);
  if (find_synonym(key) != nullptr) return synonym_or_suggestion(key, names_);
  std::string meant = meant_by_peers(key, context_.keys.paths(), names_);
  if (!meant.empty()) return meant;
  std::vector<std::string> places;
  if (!path_.empty()) places = context_.keys.paths().places_of(key, split_path(path_));
  if (places.empty() && !is_kind) places = context_.keys.paths().places_of(key, {});
  if (places.empty()) return synonym_or_suggestion(key, names_);
  return fmt::format("; did you mean '{}'?", fmt::join(places, "' or '"));
}

bool has_only_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Hint for a number with a comma in braces, which YAML reads as two entries: {rate: 0,001}.
std::string comma_hint(const Node& map, const Node::Entry& entry) {
  constexpr size_t kThousands = 3;  // digits behind a comma between thousands
  const size_t i = static_cast<size_t>(&entry - map.entries.data());
  if (i == 0 || !entry.value.is(Node::Form::kNull) || !has_only_digits(entry.key)) return "";
  const auto& [key, place, value] = map.entries[i - 1];
  if (!value.is(Node::Form::kScalar) || !has_only_digits(value.text)) return "";
  const bool is_large = entry.key.size() == kThousands && value.text != "0";
  return fmt::format("; a number has no comma: write {}: {}{}{}", key, value.text,
                     is_large ? "" : ".", entry.key);
}

void StructReader::finish(const char* kind) {
  for (const std::string& name : required_) {
    if (map_ != nullptr && map_->find(name) != nullptr) continue;
    const std::string& help = helps_[name];
    context_.problems.add_missing(
        at(name.c_str()), help.empty() ? "is missing" : fmt::format("is missing ({})", help));
  }
  if (map_ == nullptr) return;
  if (kind != nullptr) names_.push_back("type");
  const std::string whose = kind != nullptr ? fmt::format(" of type '{}'", kind) : "";
  for (const Node::Entry& entry : map_->entries) {
    const bool known = std::find(names_.begin(), names_.end(), entry.key) != names_.end();
    if (known) continue;
    std::string hint = comma_hint(*map_, entry);
    if (is_of_preset(entry.place))
      hint =
          "; to change so much of the preset, write its keys instead of its name: `heed config "
          "explain preset` lists them";
    if (hint.empty()) hint = meant_by(entry.key, kind != nullptr);
    const std::string allowed = hint.empty() ? fmt::format("; there are {}", joined(names_)) : hint;
    context_.problems.add_at(entry.place, at(entry.key.c_str()),
                             fmt::format("unknown key{}{}", whose, allowed));
  }
}

// ", such as {…}", or "".
std::string example_of(const Settings& settings) {
  const char* example = settings.example();
  return example == nullptr ? "" : fmt::format(", such as {}", example);
}

// node: nullptr if the file says nothing of this struct. kind: its name, if it is one.
Outcome read_struct(ReadContext& context, Settings& settings, Node* node, const std::string& path,
                    const char* kind) {
  const char* shorthand = kind == nullptr ? settings.shorthand() : nullptr;
  if (node != nullptr && shorthand != nullptr) spell_out(*node, shorthand);
  const Node* stray = node != nullptr ? not_a_map(*node) : nullptr;
  if (stray != nullptr) {
    context.problems.add_at(stray->place, path,
                            fmt::format("found {}, expected a map of settings{}",
                                        describe_unquoted(*stray), example_of(settings)));
    return Outcome::kUnusable;
  }
  StructReader reader(context, node, path);
  settings.fields(reader);
  reader.finish(kind);
  if (reader.outcome() == Outcome::kFine) context.finished.push_back({&settings, path});
  return reader.outcome();
}

}  // namespace

void read_settings(Node& root, Settings& settings, ProblemList& problems, bool saved) {
  ReadContext context{problems, saved, AllKeys(settings)};
  read_struct(context, settings, &root, "", nullptr);
  problems.settle_missing();
  for (const Finished& finished : context.finished) {
    ProblemsAt at(problems, finished.path);
    finished.settings->validate(at);
  }
  settings.validate_parts(problems);
}

}  // namespace heed
