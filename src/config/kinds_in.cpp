#include "config/kinds_in.h"

namespace heed {

namespace {

class Finder final : public Fields {
 public:
  explicit Finder(const void* registry) : registry_(registry) {}
  std::set<std::string> names;

 private:
  void on_scalar(const char*, const ScalarField&, const char*) override {}
  void on_section(const char*, Settings& value, const char*) override { value.fields(*this); }
  void on_optional_section(const char*, const OptionalSectionField& field, const char*) override {
    if (Settings* value = field.present()) value->fields(*this);
  }
  void on_kind(const char*, const KindField& field, const char*) override {
    const std::string name = field.current();
    if (name.empty()) return;
    if (field.registry == registry_) names.insert(name);
    field.get().fields(*this);
  }
  void on_list(const char*, const ListField& field, const char*) override {
    for (size_t i = 0; i < field.size(); ++i) field.visit_item(i, *this);
  }
  void on_map(const char*, const MapField& field, const char*) override {
    for (const std::string& key : field.keys()) field.visit_item(key, *this);
  }

  const void* registry_;
};

}  // namespace

std::set<std::string> kinds_in(Settings& settings, const void* registry) {
  Finder finder(registry);
  settings.fields(finder);
  return finder.names;
}

}  // namespace heed
