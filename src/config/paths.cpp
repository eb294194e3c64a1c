#include "config/paths.h"

#include "base/error.h"
#include "config/fields.h"

namespace heed {

namespace {

// Calls `see` for each field with a path; the field can be written if `writes`.
class PathVisitor final : public Fields {
 public:
  using See = std::function<void(const std::string& key, const ScalarField& field)>;
  PathVisitor(PathRoot root, bool writes, const See& see)
      : root_(root), writes_(writes), see_(see) {}
  bool writes() const override { return writes_; }

 private:
  std::string key(const std::string& name) const {
    return at_.empty() || name.empty() ? at_ + name : at_ + "." + name;
  }
  void go_into(const std::string& at, const std::function<void()>& inside) {
    const std::string above = std::exchange(at_, at);
    inside();
    at_ = above;
  }
  void go_into(const char* name, Settings& settings) {
    go_into(key(name), [&] { settings.fields(*this); });
  }

  void on_scalar(const char* name, const ScalarField& field, const char*) override {
    if (field.type == ScalarField::Type::kPath && field.root == root_ && field.get())
      see_(key(name), field);
  }
  void on_section(const char* name, Settings& value, const char*) override { go_into(name, value); }
  void on_optional_section(const char* name, const OptionalSectionField& field,
                           const char*) override {
    if (Settings* value = field.present()) go_into(name, *value);
  }
  void on_kind(const char* name, const KindField& field, const char*) override {
    if (!field.current().empty()) go_into(name, field.get());
  }
  void on_list(const char* name, const ListField& field, const char*) override {
    for (size_t i = 0; i < field.size(); ++i)
      go_into(fmt::format("{}[{}]", key(name), i), [&] { field.visit_item(i, *this); });
  }
  // The visitor of an item gets its key as the name.
  void on_map(const char* name, const MapField& field, const char*) override {
    go_into(key(name), [&] {
      for (const std::string& item : field.keys()) field.visit_item(item, *this);
    });
  }
  void on_tree(const char*, Node&, const char*) override {}

  PathRoot root_;
  bool writes_;
  const See& see_;
  std::string at_;
};

}  // namespace

std::vector<PathValue> paths_in(const Visited& settings, PathRoot root) {
  std::vector<PathValue> paths;
  const PathVisitor::See see = [&paths](const std::string& key, const ScalarField& field) {
    paths.push_back({key, *field.get()});
  };
  PathVisitor visitor(root, false, see);
  settings->fields(visitor);
  return paths;
}

void resolve_paths(Settings& settings, PathRoot root, const std::filesystem::path& folder) {
  const PathVisitor::See see = [&folder](const std::string&, const ScalarField& field) {
    field.set(std::filesystem::absolute(folder / *field.get()).lexically_normal().string());
  };
  PathVisitor visitor(root, true, see);
  settings.fields(visitor);
}

}  // namespace heed
