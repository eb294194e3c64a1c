#include "config/changed_words.h"

#include "base/error.h"
#include "config/print.h"
#include "config/settings_tree.h"

namespace heed {

namespace {

// Collects the words of the fields that it is shown. An item of a list has no name.
class ChangedWords final : public Fields {
 public:
  // usual: the map of the usual values; nullptr: every field is unusual.
  ChangedWords(WordChoice choice, const Node* usual) : choice_(std::move(choice)), usual_(usual) {}
  std::vector<std::string> take() { return std::move(words_); }

 private:
  const Node* usual(const std::string& name) const { return usual_ ? usual_->find(name) : nullptr; }
  bool is_usual(const std::string& name, const Node& value) const {
    if (usual_ == nullptr) return value.is(Node::Form::kNull);
    const Node* other = usual(name);
    return other != nullptr && print_inline(*other) == print_inline(value);
  }
  bool left_out(const Settings& kind) const { return choice_.left_out && choice_.left_out(kind); }
  void add(const std::string& name, const std::string& value) {
    words_.push_back(name.empty() ? value : name + " " + value);
  }
  ChangedWords below(const Node* usual) const { return {{.left_out = choice_.left_out}, usual}; }
  std::vector<std::string> inside(Settings& settings, const Node* usual) const {
    ChangedWords describer = below(usual);
    settings.fields(describer);
    return describer.take();
  }

  void on_scalar(const char* name, const ScalarField& field, const char*) override {
    const Node value = scalar_tree(field);
    if (choice_.always.contains(name) || !is_usual(name, value)) add(name, print_inline(value));
  }
  void on_section(const char* name, Settings& value, const char*) override {
    const auto words = inside(value, usual(name));
    if (!words.empty()) words_.push_back(with_words(name, words));
  }
  void on_optional_section(const char* name, const OptionalSectionField& field,
                           const char*) override {
    if (is_usual(name, optional_section_tree(field))) return;
    Settings* present = field.present();
    if (present == nullptr) return add(name, "none");
    words_.push_back(with_words(name, inside(*present, usual(name))));
  }
  void on_kind(const char* name, const KindField& field, const char*) override {
    if (is_usual(name, kind_tree(field))) return;
    const std::string type = field.current();
    if (type.empty()) return add(name, "none");
    if (left_out(field.get())) return;
    const Node fresh = settings_tree(*field.fresh(type));
    const auto words = inside(field.get(), &fresh);
    const Node* other = usual(name);
    const Node* usual_type = other != nullptr ? other->find("type") : nullptr;
    const bool is_usual_type = usual_type != nullptr && usual_type->text == type;
    if (!words.empty() || !is_usual_type) add(name, with_words(type, words));
  }
  void on_list(const char* name, const ListField& field, const char*) override {
    if (is_usual(name, list_tree(field))) return;
    ChangedWords items = below(nullptr);
    for (size_t i = 0; i < field.size(); ++i) field.visit_item(i, items);
    add(name, fmt::format("[{}]", fmt::join(items.words_, ", ")));
  }
  void on_map(const char* name, const MapField& field, const char*) override {
    if (is_usual(name, map_tree(field))) return;
    ChangedWords items = below(nullptr);
    for (const std::string& key : field.keys()) field.visit_item(key, items);
    if (!items.words_.empty() || field.keys().empty())
      add(name, fmt::format("[{}]", fmt::join(items.words_, ", ")));
  }
  void on_tree(const char* name, Node& value, const char*) override {
    if (!is_usual(name, value)) add(name, print_inline(value));
  }

  WordChoice choice_;
  const Node* usual_;
  std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> changed_words(const Visited& settings, const Visited& usual,
                                       const WordChoice& choice) {
  const Node tree = settings_tree(usual);
  ChangedWords describer(choice, &tree);
  settings->fields(describer);
  return describer.take();
}

std::string with_words(const std::string& name, const std::vector<std::string>& words) {
  if (words.empty()) return name;
  return fmt::format("{}{}({})", name, name.empty() ? "" : " ", fmt::join(words, ", "));
}

}  // namespace heed
