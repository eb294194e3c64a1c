#include "config/settings_tree.h"

#include "base/error.h"
#include "config/numbers.h"
#include "config/scalars.h"

namespace heed {

namespace {

using Form = Node::Form;

// Collects the fields that it is shown; of an item of a list or a map, the only one.
class Collector final : public Fields {
 public:
  Node take_map() { return std::move(map_); }
  Node take_item() {
    HEED_CHECK(map_.entries.size() == 1);
    return std::move(map_.entries.front().value);
  }
  void add(const std::string& name, Node node) {
    map_.entries.push_back({name, {}, std::move(node)});
  }

 private:
  void on_scalar(const char* name, const ScalarField& field, const char*) override {
    add(name, scalar_tree(field));
  }
  void on_section(const char* name, Settings& value, const char*) override {
    add(name, settings_tree(value));
  }
  void on_optional_section(const char* name, const OptionalSectionField& field,
                           const char*) override {
    add(name, optional_section_tree(field));
  }
  void on_kind(const char* name, const KindField& field, const char*) override {
    add(name, kind_tree(field));
  }
  void on_list(const char* name, const ListField& field, const char*) override {
    add(name, list_tree(field));
  }
  void on_map(const char* name, const MapField& field, const char*) override {
    add(name, map_tree(field));
  }
  void on_tree(const char* name, Node& value, const char*) override { add(name, value); }

  Node map_{.form = Form::kMap};
};

Node null_tree() { return {}; }

}  // namespace

Node settings_tree(const Visited& settings) {
  Collector collector;
  settings->fields(collector);
  return collector.take_map();
}

Node scalar_tree(const ScalarField& field) {
  using Type = ScalarField::Type;
  const std::optional<std::string> text = field.get();
  if (!text) {
    HEED_CHECK(field.optional, "a choice whose value has no word");
    return null_tree();
  }
  HEED_CHECK(field.type != Type::kReal || is_number(*text), "{} cannot be written", *text);
  const bool is_text = field.type == Type::kText || field.type == Type::kPath;
  return {.form = Form::kScalar, .text = write_scalar(field, *text), .quoted = is_text};
}

Node optional_section_tree(const OptionalSectionField& field) {
  Settings* present = field.present();
  return present == nullptr ? null_tree() : settings_tree(*present);
}

Node kind_tree(const KindField& field) {
  const std::string current = field.current();
  if (current.empty()) return null_tree();
  Collector collector;
  collector.add("type", {.form = Form::kScalar, .text = current});
  field.get().fields(collector);
  return collector.take_map();
}

Node list_tree(const ListField& field) {
  Node list{.form = Form::kList};
  for (size_t i = 0; i < field.size(); ++i) {
    Collector item;
    field.visit_item(i, item);
    list.entries.push_back({"", {}, item.take_item()});
  }
  if (field.or_one && list.entries.empty()) return null_tree();
  if (field.or_one && list.entries.size() == 1) return Node(list.entries.front().value);
  return list;
}

Node map_tree(const MapField& field) {
  Node map{.form = Form::kMap};
  for (const std::string& key : field.keys()) {
    Collector item;
    field.visit_item(key, item);
    map.entries.push_back({key, {}, item.take_item()});
  }
  const bool plain = map.entries.size() == 1 && map.entries.front().key == field.plain;
  return plain ? Node(map.entries.front().value) : map;
}

bool equal(const Visited& a, const Visited& b) { return equal(settings_tree(a), settings_tree(b)); }

}  // namespace heed
