#include "nn/deep_norm.h"

#include <set>
#include <string>

#include "nn/torch.h"

namespace heed {

namespace {

// True for "read.value.weight", and false for the layers of a score.
bool is_scaled(const std::string& parameter) {
  static const std::set<std::string> layers = {"value", "output", "inner", "outer"};
  const std::string path = "." + parameter;
  const size_t end = path.rfind('.');
  if (path.substr(end) != ".weight" || path.find("score.") != std::string::npos) return false;
  const size_t begin = path.rfind('.', end - 1);
  return begin != std::string::npos && layers.contains(path.substr(begin + 1, end - begin - 1));
}

}  // namespace

void scale_weights(torch::nn::Module& f, double beta) {
  const torch::NoGradGuard no_grad;
  for (auto& item : f.named_parameters()) {
    if (is_scaled(item.key())) item.value().mul_(beta);
  }
}

}  // namespace heed
