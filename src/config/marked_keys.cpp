#include "config/marked_keys.h"

#include "base/error.h"
#include "config/fields.h"

namespace heed {

namespace {

using Marked = std::set<std::string, std::less<>>;

class MarkReader final : public Fields {
 public:
  MarkReader(MarkedKeys::Mark mark, std::string path, Marked& marked)
      : mark_(mark), path_(std::move(path)), marked_(marked) {}

 private:
  std::string path_of(const std::string& name) const {
    return path_.empty() || name.empty() ? path_ + name : path_ + "." + name;
  }
  void read_inside(const std::string& name, Settings& settings) {
    MarkReader inside(mark_, path_of(name), marked_);
    settings.fields(inside);
  }

  void on_may_change(ChangeAt at, const char* name) override { read(at, name); }
  void on_affects(Effect effect, const char* name) override { read(effect, name); }
  void read(MarkedKeys::Mark mark, const char* name) {
    if (mark == mark_) marked_.insert(path_of(name));
  }
  void on_scalar(const char*, const ScalarField&, const char*) override {}
  void on_section(const char* name, Settings& value, const char*) override {
    read_inside(name, value);
  }
  void on_optional_section(const char* name, const OptionalSectionField& field,
                           const char*) override {
    if (Settings* value = field.present()) read_inside(name, *value);
  }
  void on_kind(const char* name, const KindField& field, const char*) override {
    if (!field.current().empty()) read_inside(name, field.get());
  }
  void on_list(const char* name, const ListField& field, const char*) override {
    for (size_t i = 0; field.visit_item && i < field.size(); ++i) {
      MarkReader item(mark_, fmt::format("{}[{}]", path_of(name), i), marked_);
      field.visit_item(i, item);
    }
  }
  // The visitor of an item gets its key as the name.
  void on_map(const char* name, const MapField& field, const char*) override {
    MarkReader item(mark_, path_of(name), marked_);
    for (const std::string& key : field.keys()) {
      if (field.visit_item) field.visit_item(key, item);
    }
  }
  void on_tree(const char*, Node&, const char*) override {}

  MarkedKeys::Mark mark_;
  std::string path_;
  Marked& marked_;
};

}  // namespace

MarkedKeys::MarkedKeys(const Visited& settings, Mark mark) {
  MarkReader reader(mark, "", marked_);
  settings->fields(reader);
}

bool MarkedKeys::has(std::string_view path) const {
  for (size_t end = 0; end != std::string_view::npos;) {
    end = path.find_first_of(".[", end + 1);
    if (marked_.contains(path.substr(0, end))) return true;
  }
  return false;
}

}  // namespace heed
