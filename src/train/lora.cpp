#include "train/lora.h"

#include "nn/torch.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/random.h"
#include "model/saved_model.h"
#include "nn/module.h"
#include "run/adapter_names.h"
#include "train/parameter_pattern.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

constexpr const char *kA = kAdapterA, *kB = kAdapterB, *kScale = "scale", *kBase = "base";
constexpr const char* kLayers = "train.lora.layers";

using Inits = std::map<const c10::TensorImpl*, Init>;

Inits inits_of(torch::nn::Module& network) {
  Inits inits;
  for_each_module(network, [&](Module& module, const std::string&) {
    for (const auto& item : module.named_parameters(/*recurse=*/false))
      inits.emplace(item.value().unsafeGetTensorImpl(), module.inits().at(item.key()));
  });
  return inits;
}

bool is_layer(const Init& init) {
  return init.draw == Init::Draw::kMatrix || init.draw == Init::Draw::kRecurrent;
}

std::set<std::string> selected_matrices(const LoraConfig& config, const torch::nn::Module& network,
                                        const Inits& inits) {
  std::vector<std::string> matrices;
  std::set<std::string> layers, projections;
  for (const auto& [name, tensor] : unique_parameters(network)) {
    if (tensor.dim() < 2) continue;
    matrices.push_back(name);
    if (is_layer(inits.at(tensor.unsafeGetTensorImpl()))) layers.insert(name);
    if (selects("*query.weight", name) || selects("*value.weight", name)) projections.insert(name);
  }
  if (config.layers.empty()) {
    if (!projections.empty()) return projections;
    throw_error(ErrorKind::kUsage,
                "{}: the network has no projections of queries or values: write [all], or patterns "
                "of the matrices; `heed inspect` lists its parts",
                kLayers);
  }
  std::vector<std::string> patterns = config.layers;
  const bool all = std::erase(patterns, LoraConfig::kAll) > 0;
  std::set<std::string> names = selected(patterns, matrices, kLayers);
  if (all) names.merge(layers);
  return names;
}

// The matrices of a parameter one behind the other, [n,O,I], for adapters a [..,r,I] and b [..,O,r].
Tensor as_matrices(const Tensor& weight, const Tensor& a, const Tensor& b) {
  return weight.detach().view({-1, b.size(-2), a.size(-1)});
}
Tensor as_matrices(const Tensor& adapter) {
  return adapter.view({-1, adapter.size(-2), adapter.size(-1)});
}

// weight = frozen + s B A
void set_merged(const Tensor& weight, const Tensor& frozen, const Tensor& a, const Tensor& b,
                double scale) {
  Tensor merged = as_matrices(weight, a, b);
  torch::baddbmm_out(merged, as_matrices(frozen, a, b), as_matrices(b), as_matrices(a), 1, scale);
}

std::string hash_of(const NamedTensors& tensors) {
  ContentHash hash;
  for (const auto& [name, tensor] : tensors) {
    const Tensor own = tensor.detach().cpu().contiguous();
    hash.add(name + shape_text(own.sizes()));
    hash.add({static_cast<const char*>(own.const_data_ptr()), own.nbytes()});
  }
  return hash.digest();
}

Tensor as_bytes(const std::string& text) {
  Tensor bytes = torch::empty({std::ssize(text)}, torch::kUInt8);
  std::ranges::copy(text, bytes.mutable_data_ptr<uint8_t>());
  return bytes;
}

std::string as_text(const Tensor& bytes) {
  const auto* begin = bytes.const_data_ptr<uint8_t>();
  return {begin, begin + bytes.numel()};
}

// True if the weight is a stack of matrices B A, [..,O,I], or such a matrix in another form, [O,..].
bool fits(const Tensor& weight, const Tensor& a, const Tensor& b) {
  if (a.dim() < 2 || a.dim() != b.dim() || a.dim() > weight.dim()) return false;
  const auto stack = static_cast<size_t>(a.dim() - 2);
  const auto leading = [stack](const Tensor& x) { return x.sizes().slice(0, stack); };
  const auto rest = weight.sizes().slice(stack + 1);
  const int64_t inputs = std::accumulate(rest.begin(), rest.end(), int64_t{1}, std::multiplies<>());
  return a.numel() > 0 && b.numel() > 0 && a.size(-2) == b.size(-1) && leading(a) == leading(b) &&
         leading(a) == leading(weight) && weight.size(a.dim() - 2) == b.size(-2) &&
         inputs == a.size(-1);
}

bool is_finite(const Tensor& x) { return torch::isfinite(x).all().item<bool>(); }

// An adapter that was read from a file, for the parameters of a network.
class Adapter {
 public:
  // Throws Error(kModel) for another file, and for an adapter of another model.
  Adapter(fs::path file, NamedTensors network)
      : file_(std::move(file)), tensors_(read_safetensors(file_)), network_(std::move(network)) {
    const auto scale = tensors_.find(kScale), base = tensors_.find(kBase);
    if (scale == tensors_.end() || base == tensors_.end() || scale->second.numel() != 1 ||
        !scale->second.is_floating_point() || base->second.scalar_type() != torch::kUInt8)
      refuse("is not an adapter; adapter.safetensors of a checkpoint of train.lora is one");
    if (as_text(base->second) != hash_of(network_))
      refuse("belongs to another model: the one that init.model of its run named, unchanged");
    scale_ = scale->second.to(torch::kDouble).item<double>();
    if (!std::isfinite(scale_))
      refuse_damage(fmt::format("{} is {}, expected a finite number", kScale, scale_));
  }

  // Names of the adapted matrices. Throws Error(kModel) for tensors that are none of theirs.
  std::set<std::string> matrices() const {
    std::set<std::string> matrices;
    for (const auto& [name, tensor] : tensors_) {
      if (name != kScale && name != kBase) matrices.insert(matrix_of(name, tensor));
    }
    if (matrices.empty()) refuse_damage(fmt::format("has no matrices NAME{}", kA));
    return matrices;
  }

  // Adds the adapter to a matrix of the network.
  void merge(const std::string& matrix) const {
    const Tensor weight = network_.at(matrix), a = tensors_.at(matrix + kA),
                 b = tensors_.at(matrix + kB);
    if (!fits(weight, a, b))
      refuse_damage(fmt::format("{} {} and {} {} do not fit {} {}", matrix + kA,
                                shape_text(a.sizes()), matrix + kB, shape_text(b.sizes()), matrix,
                                shape_text(weight.sizes())));
    set_merged(weight, weight.clone(), a, b, scale_);
    if (!is_finite(weight))
      refuse_damage(fmt::format("with it, {} has numbers that are not finite", matrix));
  }

 private:
  [[noreturn]] void refuse(const std::string& fault) const {
    throw_error(ErrorKind::kModel, "{}: {}", file_.string(), fault);
  }
  [[noreturn]] void refuse_damage(const std::string& fault) const {
    refuse(fault + ": it is damaged; copy it again from its checkpoint");
  }

  // The matrix that a tensor of the adapter belongs to.
  std::string matrix_of(const std::string& name, const Tensor& tensor) const {
    const bool is_a = name.ends_with(kA);
    if (!is_a && !name.ends_with(kB))
      refuse_damage(fmt::format("{} is no tensor of an adapter", name));
    const std::string matrix = name.substr(0, name.size() - std::string_view(kA).size());
    const std::string other = matrix + (is_a ? kB : kA);
    const auto weight = network_.find(matrix);
    if (weight == network_.end()) refuse(fmt::format("{}: the model has no {}", name, matrix));
    if (!tensors_.contains(other))
      refuse_damage(fmt::format("there is {}, but not {}", name, other));
    if (!tensor.is_floating_point() || tensor.scalar_type() != weight->second.scalar_type())
      refuse_damage(fmt::format("{} has numbers of type {}, and those of {} are {}", name,
                                c10::toString(tensor.scalar_type()), matrix,
                                c10::toString(weight->second.scalar_type())));
    if (!is_finite(tensor)) refuse_damage(fmt::format("{} has numbers that are not finite", name));
    return matrix;
  }

  fs::path file_;
  NamedTensors tensors_, network_;
  double scale_ = 1;
};

// Fills tensors of the same names and shapes.
void fill(const NamedTensors& own, const fs::path& file) {
  SafetensorsReader reader(file);
  read_tensors_into(own, reader, file);
}

}  // namespace

Lora::Lora(const LoraConfig& config, torch::nn::Module& network, uint64_t seed)
    : rank_(config.rank),
      scale_(torch::tensor(static_cast<float>(config.scale()))),
      base_(hash_of(tensors_of(network))) {
  const torch::NoGradGuard no_grad;
  const Inits inits = inits_of(network);
  const std::set<std::string> adapted = selected_matrices(config, network, inits);
  std::vector<std::pair<std::string, Tensor>> adapters;
  for (const auto& [name, weight] : unique_parameters(network)) {
    Tensor(weight).set_requires_grad(adapted.contains(name));
    if (!adapted.contains(name)) continue;
    const bool stacked = inits.at(weight.unsafeGetTensorImpl()).stacked;
    std::vector<int64_t> shape = weight.sizes().vec();
    if (!stacked) shape = {shape[0], weight.numel() / shape[0]};
    const int64_t inputs = shape.back();
    shape.back() = rank_;
    const Tensor b = torch::zeros(shape, weight.options().requires_grad(false));
    shape[shape.size() - 2] = rank_;
    shape.back() = inputs;
    RandomStream stream(stream_key(seed, "lora/" + name));
    Tensor a = torch::empty(shape, torch::kDouble);
    double* values = a.mutable_data_ptr<double>();
    for (int64_t i = 0; i < a.numel(); ++i)
      values[i] = (2 * stream.uniform() - 1) / std::sqrt(static_cast<double>(inputs));
    matrices_.push_back({name, weight, weight.detach().clone(), a.to(b.options()), b});
    adapters.emplace_back(name + kA, matrices_.back().a);
    adapters.emplace_back(name + kB, matrices_.back().b);
  }
  parameters_ = std::make_unique<FlatParameters>(adapters);
}

void Lora::keep_row(const std::string& matrix, int64_t row) {
  if (std::ranges::find(matrices_, matrix, &Matrix::name) != matrices_.end())
    parameters_->keep_zeros(matrix + kB, row);
}

void Lora::take_gradient() {
  const torch::NoGradGuard no_grad;
  for (const Matrix& matrix : matrices_) {
    const Tensor by_weight = as_matrices(matrix.weight.grad(), matrix.a, matrix.b);
    const Tensor a = as_matrices(matrix.a), b = as_matrices(matrix.b);
    Tensor by_a = as_matrices(matrix.a.grad()), by_b = as_matrices(matrix.b.grad());
    torch::bmm_out(by_a, b.transpose(1, 2), by_weight).mul_(scale_);
    torch::bmm_out(by_b, by_weight, a.transpose(1, 2)).mul_(scale_);
  }
}

void Lora::merge() {
  const torch::NoGradGuard no_grad;
  for (const Matrix& matrix : matrices_)
    set_merged(matrix.weight, matrix.frozen, matrix.a, matrix.b, scale_.item<double>());
}

std::string Lora::note() const {
  return fmt::format("train.lora: rank {}, scale {:.4g}; {} matrices, {} parameters trained", rank_,
                     scale_.item<double>(), matrices_.size(), format_count(parameters_->count()));
}

NamedTensors Lora::adapter() const {
  NamedTensors adapter = parameters_->named(parameters_->values(), "");
  adapter[kScale] = scale_;
  adapter[kBase] = as_bytes(base_);
  return adapter;
}

NamedTensors Lora::frozen() const {
  NamedTensors frozen;
  for (const Matrix& matrix : matrices_) frozen[matrix.name] = matrix.frozen;
  return frozen;
}

void Lora::load(const fs::path& adapter, const fs::path& frozen) {
  const torch::NoGradGuard no_grad;
  const NamedTensors own = this->adapter();
  fill(own, adapter);
  base_ = as_text(own.at(kBase));
  fill(this->frozen(), frozen);
}

int64_t merge_adapter(const fs::path& file, const torch::nn::Module& network) {
  const torch::NoGradGuard no_grad;
  const Adapter adapter(file, tensors_of(network));
  const std::set<std::string> matrices = adapter.matrices();
  for (const std::string& matrix : matrices) adapter.merge(matrix);
  return std::ssize(matrices);
}

}  // namespace heed
