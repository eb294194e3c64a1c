#include "packed/packed_weights.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

using Json = nlohmann::json;

// The file that lists the matrices: {"precision": "int8", "matrices": {NAME: [dims…]}, "outputs": {NAME:
// O}}. The outputs O are listed where they are not all dims but the last.
constexpr const char* kMatrices = "matrices.json";
constexpr const char *kScales = "/scales", *kSums = "/sums";

struct Format {
  Precision precision;
  ElementType type;
  int64_t block;  // elements of an output that lie side by side
};
constexpr Format kFormats[] = {{Precision::kFloat, ElementType::kFloat32, 1},
                               {Precision::kBFloat16, ElementType::kBFloat16, 2},
                               {Precision::kInt8, ElementType::kInt8, 4}};

const Format& format_of(Precision precision) {
  return *std::ranges::find(kFormats, precision, &Format::precision);
}

int64_t product_of(std::span<const int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

// All dims but the last.
int64_t usual_outputs(const std::vector<int64_t>& shape) {
  return product_of(std::span(shape).first(shape.size() - 1));
}

// [O,I] of a parameter.
MatrixView size_of(const std::vector<int64_t>& shape, int64_t outputs, Precision precision) {
  const int64_t inputs = product_of(shape) / outputs;
  return {.outputs = outputs, .inputs = inputs, .depth = packed_depth(precision, inputs)};
}

// The shape of the panels of a matrix in the file.
std::vector<int64_t> shape_of_panels(const MatrixView& size, const Format& format) {
  return {filled_up(size.outputs, kPanelColumns) / kPanelColumns, size.depth / format.block,
          kPanelColumns, format.block};
}

template <class T>
const T* numbers_at(std::string_view bytes) {
  return reinterpret_cast<const T*>(bytes.data());
}

template <class T>
std::string_view bytes_of_array(const T* array, int64_t count) {
  return {reinterpret_cast<const char*>(array), static_cast<size_t>(count) * sizeof(T)};
}

void point_to(MatrixView& view, Precision precision, std::string_view panels) {
  switch (precision) {
    case Precision::kFloat:
      view.floats = numbers_at<float>(panels);
      return;
    case Precision::kBFloat16:
      view.halves = numbers_at<uint16_t>(panels);
      return;
    case Precision::kInt8:
    case Precision::kInt16:
      view.bytes = numbers_at<int8_t>(panels);
      return;
  }
}

std::string_view panels_of(const MatrixView& view, Precision precision) {
  const int64_t count = filled_up(view.outputs, kPanelColumns) * view.depth;
  return precision == Precision::kFloat      ? bytes_of_array(view.floats, count)
         : precision == Precision::kBFloat16 ? bytes_of_array(view.halves, count)
                                             : bytes_of_array(view.bytes, count);
}

}  // namespace

PackedWeights::PackedWeights(const fs::path& path, std::shared_ptr<const PackedFile> file)
    : file_(std::move(file)) {
  const TensorEntries& tensors = file_->tensors();
  const auto refuse = [&](const std::string& what) {
    throw_error(ErrorKind::kModel, "{}: {}; pack the model again", path.string(), what);
  };
  const auto expect = [&](const std::string& name, ElementType type,
                          const std::vector<int64_t>& shape) {
    const auto found = tensors.find(name);
    if (found == tensors.end() || found->second.type != type || found->second.shape != shape)
      refuse(fmt::format("{} is missing or of another shape", name));
    return file_->bytes(name);
  };
  const auto list = file_->file(kMatrices);
  if (!list) refuse(fmt::format("{} is missing", kMatrices));
  std::map<std::string, std::vector<int64_t>> shapes;
  std::map<std::string, int64_t> listed_outputs;
  try {
    const Json json = Json::parse(*list);
    const auto word = json.at("precision").get<std::string>();
    const auto* format = std::ranges::find_if(
        kFormats, [&](const Format& own) { return precision_word(own.precision) == word; });
    if (format == std::end(kFormats)) throw std::runtime_error("precision " + word);
    precision_ = format->precision;
    shapes = json.at("matrices").get<std::map<std::string, std::vector<int64_t>>>();
    listed_outputs = json.value("outputs", listed_outputs);
  } catch (const std::exception& error) {
    refuse(fmt::format("{} cannot be read ({})", kMatrices, error.what()));
  }
  const Format& format = format_of(precision_);
  for (const auto& [name, shape] : shapes) {
    constexpr int64_t kLargest = int64_t{1} << 31;
    const bool fits =
        std::ranges::all_of(shape, [](int64_t size) { return size > 0 && size < kLargest; });
    if (shape.size() < 2 || !fits) refuse(fmt::format("{} has another shape than a matrix", name));
    const auto listed = listed_outputs.find(name);
    const int64_t outputs = listed == listed_outputs.end() ? usual_outputs(shape) : listed->second;
    if (outputs <= 0 || product_of(shape) % outputs != 0)
      refuse(fmt::format("{} has another shape than a matrix", name));
    MatrixView view = size_of(shape, outputs, precision_);
    point_to(view, precision_, expect(name, format.type, shape_of_panels(view, format)));
    if (precision_ == Precision::kInt8) {
      const int64_t filled = filled_up(view.outputs, kPanelColumns);
      view.scales = numbers_at<float>(expect(name + kScales, ElementType::kFloat32, {filled}));
      view.sums = numbers_at<int32_t>(expect(name + kSums, ElementType::kInt32, {filled}));
    }
    matrices_[name] = view;
    parameters_[name] = {.type = ElementType::kFloat32, .shape = shape};
  }
  for (const auto& [name, entry] : tensors) {
    if (name.ends_with(kScales) || name.ends_with(kSums) || matrices_.contains(name)) continue;
    parameters_[name] = {.type = entry.type, .shape = entry.shape};
  }
}

MatrixView PackedWeights::view_of(const std::string& name) const { return matrices_.at(name); }

PackedMatrix PackedWeights::matrix(const std::string& name, std::span<const float> bias,
                                   const Kernels& set) const {
  return {set, precision_, view_of(name), bias, file_};
}

PackedMatrix PackedWeights::joined(const std::vector<std::string>& names,
                                   std::span<const float> bias, const Kernels& set) const {
  std::vector<PackedMatrix> parts;
  bool in_place = true;
  for (const std::string& name : names) {
    if (!parts.empty()) {
      const std::string_view before = panels_of(parts.back().view(), precision_),
                             own = panels_of(view_of(name), precision_);
      in_place = in_place && parts.back().outputs() % kPanelColumns == 0 &&
                 before.data() + before.size() == own.data();
    }
    parts.push_back(matrix(name, {}, set));
  }
  return PackedMatrix::joined(parts, bias, in_place ? file_ : nullptr);
}

void PackedWeights::read(const std::string& name, void* to) const {
  if (!is_matrix(name)) {
    const std::string_view bytes = file_->bytes(name);
    std::memcpy(to, bytes.data(), bytes.size());
    return;
  }
  const PackedMatrix own = matrix(name, {}, kernels());
  for (int64_t o = 0; o < own.outputs(); ++o)
    own.row(o, static_cast<float*>(to) + o * own.inputs());
}

namespace {

// Tensors of a file and the memory that they point to.
class PackedTensors {
 public:
  explicit PackedTensors(Precision precision)
      : precision_(precision), format_(format_of(precision)) {}

  void add(const std::string& name, const UnpackedTensor& parameter) {
    if (parameter.outputs == 0) {
      others_.push_back({name, parameter.entry.type, parameter.entry.shape, parameter.bytes});
      return;
    }
    const MatrixView size = size_of(parameter.entry.shape, parameter.outputs, precision_);
    matrices_.emplace_back(kernels(), precision_, numbers_at<float>(parameter.bytes), size.outputs,
                           size.inputs);
    const MatrixView& view = matrices_.back().view();
    panels_.push_back(
        {name, format_.type, shape_of_panels(view, format_), panels_of(view, precision_)});
    if (precision_ == Precision::kInt8) {
      const int64_t filled = filled_up(view.outputs, kPanelColumns);
      numbers_.push_back(
          {name + kScales, ElementType::kFloat32, {filled}, bytes_of_array(view.scales, filled)});
      numbers_.push_back(
          {name + kSums, ElementType::kInt32, {filled}, bytes_of_array(view.sums, filled)});
    }
    shapes_[name] = parameter.entry.shape;
    if (parameter.outputs != usual_outputs(parameter.entry.shape))
      outputs_[name] = parameter.outputs;
  }
  // Panels first, so that all of them begin where a cache line begins.
  std::vector<PackedTensor> all() const {
    std::vector<PackedTensor> all = panels_;
    all.insert(all.end(), numbers_.begin(), numbers_.end());
    all.insert(all.end(), others_.begin(), others_.end());
    return all;
  }
  std::string list() const {
    Json list = {{"precision", precision_word(precision_)}, {"matrices", shapes_}};
    if (!outputs_.empty()) list["outputs"] = outputs_;
    return list.dump() + "\n";
  }

 private:
  Precision precision_;
  const Format& format_;
  std::vector<PackedMatrix> matrices_;
  std::vector<PackedTensor> panels_, numbers_, others_;
  std::map<std::string, std::vector<int64_t>> shapes_;
  std::map<std::string, int64_t> outputs_;
};

}  // namespace

void write_packed_model(const fs::path& path, Precision precision,
                        const std::vector<std::pair<std::string, UnpackedTensor>>& parameters,
                        std::map<std::string, std::string> files) {
  PackedTensors tensors(precision);
  for (const auto& [name, parameter] : parameters) tensors.add(name, parameter);
  files[kMatrices] = tensors.list();
  write_packed_file(path, tensors.all(), files);
}

}  // namespace heed
