#include "config/outline.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "config/fields.h"
#include "config/print.h"
#include "config/scalars.h"
#include "config/settings_tree.h"

namespace heed {

namespace {

using Many = KeyOutline::Many;
using Registries = std::list<RegistryOutline>;

StructOutline describe_struct(const Visited& settings, Registries& registries,
                              const std::string& kind);

// Settings of a default kind that differ from a fresh one of the kind: {type: staged, heads: 8}.
Node difference(const Node& node, const Node& fresh) {
  Node result{.form = Node::Form::kMap};
  for (const Node::Entry& entry : node.entries) {
    const Node* usual = fresh.find(entry.key);
    const bool differs = usual == nullptr || print_inline(*usual) != print_inline(entry.value);
    if (entry.key == "type" || differs) result.entries.push_back(entry);
  }
  return result;
}

std::string kind_fallback(const KindField& field) {
  const std::string current = field.current();
  if (current.empty()) return "~";
  const Node changed = difference(kind_tree(field), settings_tree(*field.fresh(current)));
  return changed.entries.size() == 1 ? current : print_inline(changed);
}

std::string short_inline(const Node& node) {
  Node cut = node;
  for (Node::Entry& entry : cut.entries) {
    if (!entry.value.entries.empty()) entry.value = {.form = Node::Form::kScalar, .text = "…"};
  }
  return print_inline(cut);
}

class Describer final : public Fields, public PresetKeys {
 public:
  // kind: kind that has these keys, or "". name: list or map that has the described item, or "".
  Describer(Registries& registries, std::string kind, std::string name)
      : registries_(registries), kind_(std::move(kind)), name_(std::move(name)) {}
  std::vector<KeyOutline> take() {
    for (KeyOutline& key : keys_) {
      key.required = std::find(required_.begin(), required_.end(), key.name) != required_.end();
    }
    for (auto& [name, peer] : peers_) {
      const auto key = std::ranges::find(keys_, name, &KeyOutline::name);
      HEED_CHECK(key != keys_.end(), "names in other toolkits of '{}', which is not a key", name);
      key->peers.push_back(std::move(peer));
    }
    return std::move(keys_);
  }

 private:
  KeyOutline& add(const char* name, const char* help) {
    keys_.push_back({.name = name_.empty() ? name : name_, .help = help});
    return keys_.back();
  }

  void on_scalar(const char* name, const ScalarField& field, const char* help) override {
    KeyOutline& key = add(name, help);
    key.type = expected_text(field);
    key.words = field.words;
    if (field.type == ScalarField::Type::kPath) key.root = field.root;
    key.fallback = print_inline(scalar_tree(field));
  }
  void on_preset(const char* name, const Presets& presets, const char* help) override {
    on_scalar(name, preset_field(presets), help);
    keys_.back().presets = &presets;
  }
  void on_section(const char* name, Settings& value, const char* help) override {
    add(name, help).body =
        std::make_shared<StructOutline>(describe_struct(value, registries_, kind_));
  }
  void on_optional_section(const char* name, const OptionalSectionField& field,
                           const char* help) override {
    if (Settings* present = field.present()) return on_section(name, *present, help);
    Describer inner(registries_, kind_, name_.empty() ? name : name_);
    field.visit_fresh(inner);
    keys_.push_back(inner.take().front());
    keys_.back().fallback = "~";
  }
  void on_kind(const char* name, const KindField& field, const char* help) override {
    KeyOutline& key = add(name, help);
    key.fallback = kind_fallback(field);
    key.registry = describe_registry(field, key.name);
  }
  void on_list(const char* name, const ListField& field, const char* help) override {
    Describer item(registries_, kind_, name);
    field.visit_fresh(item);
    const std::string fallback = short_inline(list_tree(field));
    if (!field.or_one) return add_many(Many::kList, item, fallback);
    add_many(Many::kOne, item, fallback);
    keys_.back().type = ", or a list of such";
  }
  void on_map(const char* name, const MapField& field, const char* help) override {
    Describer item(registries_, kind_, name);
    if (field.visit_fresh) {
      field.visit_fresh(item);
    } else {
      HEED_CHECK(!field.keys().empty(), "nothing to describe the items of '{}' by", name);
      field.visit_item(field.keys().front(), item);
    }
    const std::string fallback = short_inline(map_tree(field));
    if (field.plain.empty()) return add_many(Many::kMap, item, fallback);
    add_many(Many::kOne, item, fallback);
    keys_.back().type += ", or a map from names to such";
  }
  void on_tree(const char* name, Node&, const char* help) override {
    KeyOutline& key = add(name, help);
    key.type = "settings";
    key.fallback = "~";
  }
  void on_required(const char* name) override { required_.push_back(name); }
  void on_peers(const char* field, const Peers& names) override {
    const std::string_view whole(field), key = whole.substr(0, whole.find_first_of(".:"));
    std::string_view rest = whole.substr(key.size());
    PeerOutline peer{.names = names};
    if (rest.starts_with('.')) {
      peer.inside = rest.substr(1, rest.find(':') - 1);
      rest.remove_prefix(peer.inside.size() + 1);
    }
    if (rest.starts_with(": ")) peer.value = rest.substr(2);
    peers_.emplace_back(key, std::move(peer));
  }

  void add_many(Many many, Describer& item, const std::string& fallback) {
    keys_.push_back(item.take().front());
    keys_.back().many = many;
    keys_.back().fallback = fallback;
  }

  const RegistryOutline* describe_registry(const KindField& field, const std::string& name) {
    for (RegistryOutline& known : registries_) {
      if (known.id != field.registry) continue;
      if (name.size() < known.title.size()) known.title = name;
      return &known;
    }
    RegistryOutline& registry =
        registries_.emplace_back(RegistryOutline{field.registry, name, kind_});
    for (const auto& [kind, help] : field.kinds) {
      const std::shared_ptr<Settings> settings = field.fresh(kind);
      registry.kinds.push_back({kind, help, describe_struct(*settings, registries_, kind)});
    }
    return &registry;
  }

  Registries& registries_;
  std::string kind_, name_;
  std::vector<KeyOutline> keys_;
  std::vector<std::string> required_;
  std::vector<std::pair<std::string, PeerOutline>> peers_;  // by the name of their key
};

StructOutline describe_struct(const Visited& settings, Registries& registries,
                              const std::string& kind) {
  Describer describer(registries, kind, "");
  settings->fields(describer);
  const char* shorthand = settings->shorthand();
  return {describer.take(), shorthand == nullptr ? "" : shorthand};
}

}  // namespace

Outline::Outline(const Visited& settings) : root_(describe_struct(settings, registries_, "")) {
  std::map<std::string, int> uses;
  for (const RegistryOutline& registry : registries_) ++uses[registry.title];
  for (RegistryOutline& registry : registries_) {
    if (uses[registry.title] == 1) registry.inside.clear();
  }
}

}  // namespace heed
