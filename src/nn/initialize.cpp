#include "nn/initialize.h"

#include <cmath>

#include "nn/torch.h"

#include "config/idle.h"
#include "nn/random_matrices.h"
#include "nn/redrawn.h"

namespace heed {

namespace {

using Method = InitializerConfig::Method;

Tensor draw_uniform(const Tensor& like, double half_width, RandomStream& stream) {
  Tensor values = torch::empty(like.sizes(), torch::kDouble);
  double* out = values.mutable_data_ptr<double>();
  for (int64_t i = 0; i < values.numel(); ++i) out[i] = (2 * stream.uniform() - 1) * half_width;
  return values;
}

// Gates [G,W,I] are a matrix each, as are the maps of votes [H,N,V,V]; what has more sides than two
// otherwise is a matrix of its first side by the rest.
Tensor draw_matrix(const std::string& name, const Tensor& like, const InitializerConfig& config,
                   RandomStream& stream) {
  const bool embedding = name.ends_with("embedding") || name.ends_with("table");
  const bool gated = name.find("weight_") != std::string::npos && like.dim() == 3;
  const bool stacked = gated || name.ends_with("vote");
  const int64_t rows = like.size(stacked ? -2 : 0);
  const int64_t matrices = stacked ? like.numel() / rows / like.size(-1) : 1;
  const int64_t columns = like.numel() / matrices / rows;
  const double glorot = 2.0 / static_cast<double>(rows + columns);
  switch (config.method) {
    case Method::kDefault:
      if (name.find("memory_embedding_") != std::string::npos)
        return draw_normal(like.sizes(), std::pow(static_cast<double>(columns), -0.75), stream);
      if (embedding)
        return draw_normal(like.sizes(), std::pow(static_cast<double>(columns), -0.5), stream);
      if (!name.ends_with("weight_hidden"))
        return draw_uniform(like, std::sqrt(3 * glorot), stream);
      [[fallthrough]];
    case Method::kOrthogonal: {
      std::vector<Tensor> parts;
      for (int64_t i = 0; i < matrices; ++i)
        parts.push_back(draw_orthogonal(rows, columns, stream));
      return torch::cat(parts).reshape(like.sizes());
    }
    case Method::kXavierUniform:
      return draw_uniform(like, std::sqrt(3 * glorot), stream);
    case Method::kXavierNormal:
      return draw_normal(like.sizes(), std::sqrt(glorot), stream);
    case Method::kUniform:
      return draw_uniform(like, config.scale, stream);
    case Method::kNormal:
      return draw_normal(like.sizes(), config.scale, stream);
  }
  return like;
}

// A parameter of a layer norm, "final_norm.weight", "norm_cell", or a number that has its own first
// value, "gain", "offset".
bool is_norm(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (name.compare(dot == std::string::npos ? 0 : dot + 1, 5, "norm_") == 0) return true;
  if (name.ends_with("gain") || name.ends_with("offset")) return true;
  if (dot == std::string::npos) return false;
  const std::string owner = "." + name.substr(0, dot);
  return owner.ends_with(".norm") || owner.ends_with("_norm");
}

}  // namespace

void InitializerConfig::fields(Fields& f) const {
  static const Words<Method> words = {{"default", Method::kDefault},
                                      {"xavier_uniform", Method::kXavierUniform},
                                      {"xavier_normal", Method::kXavierNormal},
                                      {"uniform", Method::kUniform},
                                      {"normal", Method::kNormal},
                                      {"orthogonal", Method::kOrthogonal}};
  f.choice("method", method, words,
           "initialization of matrices; default: embeddings normal, recurrent matrices orthogonal, "
           "others xavier_uniform");
  f.field("scale", scale, kAboveZero,
          "uniform: samples are from [-scale, scale]; normal: standard deviation");
  if (method != Method::kUniform && method != Method::kNormal)
    idle(f, "scale", "unless `method` is uniform or normal");
}

void initialize(torch::nn::Module& module, const InitializerConfig& config, uint64_t seed) {
  const torch::NoGradGuard no_grad;
  for (const auto& item : module.named_parameters()) {
    const std::string& name = item.key();
    const Tensor& value = item.value();
    if (value.is_meta()) continue;  // which has no values
    RandomStream stream(stream_key(seed, "parameter/" + name));
    if (is_norm(name)) continue;
    // Those of cells were made with their forget gate open.
    if (name.ends_with("bias_input") || name.ends_with("bias_hidden")) continue;
    if (name.ends_with("bias")) {
      value.fill_(name.ends_with("halt.bias") ? 1 : 0);
      continue;
    }
    if (value.dim() < 2) {
      value.copy_(draw_uniform(
          value, 1 / std::sqrt(static_cast<double>(std::max<int64_t>(value.numel(), 1))), stream));
      continue;
    }
    value.copy_(draw_matrix(name, value, config, stream));
  }
  draw_all(module, seed);
}

}  // namespace heed
