#include "nn/initialize.h"

#include <cmath>

#include "nn/torch.h"

#include "nn/deep_norm.h"
#include "nn/module.h"
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

// A number of matrices of the same size.
struct Matrices {
  int64_t count, rows, columns;
};

Matrices matrices_in(const Tensor& like, const Init& init) {
  const int64_t rows = like.size(init.stacked ? -2 : 0);
  const int64_t count = init.stacked ? like.numel() / rows / like.size(-1) : 1;
  return {count, rows, like.numel() / count / rows};
}

Tensor draw_orthogonal(const Tensor& like, const Matrices& shape, RandomStream& stream) {
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < shape.count; ++i)
    parts.push_back(draw_orthogonal(shape.rows, shape.columns, stream));
  return torch::cat(parts).reshape(like.sizes());
}

Tensor draw_matrices(const Tensor& like, const Init& init, const InitializerConfig& config,
                     RandomStream& stream) {
  const Matrices shape = matrices_in(like, init);
  const double glorot = 2.0 / static_cast<double>(shape.rows + shape.columns);
  switch (config.method) {
    case Method::kDefault:
      if (init.draw == Init::Draw::kRecurrent) return draw_orthogonal(like, shape, stream);
      if (init.draw == Init::Draw::kEmbedding)
        return draw_normal(like.sizes(), std::pow(static_cast<double>(shape.columns), -init.power),
                           stream);
      return draw_uniform(like, std::sqrt(3 * glorot), stream);
    case Method::kOrthogonal:
      return draw_orthogonal(like, shape, stream);
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

Tensor draw(const Tensor& like, const Init& init, const InitializerConfig& config,
            RandomStream& stream) {
  if (init.draw == Init::Draw::kVector)
    return draw_uniform(like, 1 / std::sqrt(static_cast<double>(like.numel())), stream);
  return draw_matrices(like, init, config, stream);
}

void initialize_own(Module& module, const std::string& prefix, const InitializerConfig& config,
                    uint64_t seed) {
  for (auto& item : module.named_parameters(/*recurse=*/false)) {
    const Init& init = module.inits().at(item.key());
    Tensor& value = item.value();
    if (init.draw == Init::Draw::kNone || value.is_meta()) continue;
    RandomStream stream(stream_key(seed, "parameter/" + prefix + item.key()));
    value.copy_(draw(value, init, config, stream));
  }
}

}  // namespace

void initialize(torch::nn::Module& root, const InitializerConfig& config, uint64_t seed) {
  const torch::NoGradGuard no_grad;
  for_each_module(root, [&](Module& module, const std::string& prefix) {
    initialize_own(module, prefix, config, seed);
  });
  for_each_module(root, [](Module& module, const std::string&) {
    if (auto* changing = dynamic_cast<ChangesInitialValues*>(&module))
      changing->change_initial_values();
  });
  draw_all(root, seed);
}

}  // namespace heed
