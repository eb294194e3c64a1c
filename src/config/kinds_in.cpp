#include "config/kinds_in.h"

namespace heed {

namespace {

class Finder final : public Fields {
 public:
  explicit Finder(const KindVisitor& visit) : visit_(visit) {}

 private:
  // Calls `inside` with `name` at the end of the path.
  void go_into(const std::string& name, const std::function<void()>& inside) {
    const std::string above = path_;
    if (!name.empty()) path_ += path_.empty() ? name : "." + name;
    inside();
    path_ = above;
  }
  void on_scalar(const char*, const ScalarField&, const char*) override {}
  void on_section(const char* name, Settings& value, const char*) override {
    go_into(name, [&] { value.fields(*this); });
  }
  void on_optional_section(const char* name, const OptionalSectionField& field,
                           const char*) override {
    if (Settings* value = field.present()) go_into(name, [&] { value->fields(*this); });
  }
  void on_kind(const char* name, const KindField& field, const char*) override {
    if (field.current().empty()) return;
    go_into(name, [&] {
      visit_(path_, field.get());
      field.get().fields(*this);
    });
  }
  void on_list(const char* name, const ListField& field, const char*) override {
    go_into(name, [&] {
      for (size_t i = 0; i < field.size(); ++i) field.visit_item(i, *this);
    });
  }
  void on_map(const char* name, const MapField& field, const char*) override {
    go_into(name, [&] {
      for (const std::string& key : field.keys()) field.visit_item(key, *this);
    });
  }

  void on_tree(const char*, Node&, const char*) override {}

  const KindVisitor& visit_;
  std::string path_;
};

}  // namespace

void visit_kinds(const Visited& settings, const KindVisitor& visit) {
  Finder finder(visit);
  settings->fields(finder);
}

}  // namespace heed
