#include "model/size_bound_spec.h"

#include <algorithm>
#include <cmath>

#include "config/sizes.h"

namespace heed {

namespace {

// A kind, without the kinds inside it, has at most:
constexpr double kTensors = 24;
constexpr double kMatrices = 6;  // with the sum of all widths as rows and columns
// A model has at most:
constexpr double kTables = 8;  // with a row for each token and that sum as columns

// Counts kinds, and adds up widths. A kind counts once for each layer, head, round and so on: all
// numbers in it but widths are factors, whatever they mean.
class Sizes final : public Fields {
 public:
  explicit Sizes(Settings& model) { add(model, 1); }
  double kinds() const { return kinds_; }
  double widths() const { return widths_; }

 private:
  // own: 1 for a kind, 0 for a section.
  void add(Settings& settings, double own) {
    const double before = kinds_, outer_factor = factor_;
    kinds_ = own;
    factor_ = 1;
    settings.fields(*this);
    kinds_ = before + factor_ * kinds_;
    factor_ = outer_factor;
  }
  void on_scalar(const char*, const ScalarField& field, const char*) override {
    if (field.type != ScalarField::Type::kInt) return;
    const auto text = field.get();
    if (!text) return;
    const double value = std::max(1.0, std::abs(std::stod(*text)));
    if (field.int_range.high >= kWidths.high) {
      widths_ += value;
    } else {
      factor_ *= value;
    }
  }
  void on_section(const char*, Settings& value, const char*) override { add(value, 0); }
  void on_optional_section(const char*, const OptionalSectionField& field, const char*) override {
    if (Settings* value = field.present()) add(*value, 1);
  }
  void on_kind(const char*, const KindField& field, const char*) override {
    if (!field.current().empty()) add(field.get(), 1);
  }
  void on_list(const char*, const ListField& field, const char*) override {
    for (size_t i = 0; i < field.size(); ++i) field.visit_item(i, *this);
  }
  void on_map(const char*, const MapField& field, const char*) override {
    for (const std::string& key : field.keys()) field.visit_item(key, *this);
  }
  void on_tree(const char*, Node&, const char*) override {}

  double kinds_ = 0, factor_ = 1, widths_ = 0;
};

double tokens_of(const VocabularySizes& sizes) {
  double tokens = static_cast<double>(sizes.target + sizes.tags);
  for (const auto& [name, size] : sizes.sources) tokens += static_cast<double>(size);
  for (const auto& [name, size] : sizes.factors) tokens += static_cast<double>(size);
  return tokens;
}

}  // namespace

SizeBound size_bound(const ModelConfig& config, const VocabularySizes& sizes) {
  const Visited model(config);
  const Sizes found(*model);
  const double widths = found.widths();
  return {
      .tensors = kTensors * found.kinds(),
      .numbers = kMatrices * found.kinds() * widths * widths + kTables * tokens_of(sizes) * widths};
}

}  // namespace heed
