#include "nn/initializer_config.h"

#include "config/idle.h"

namespace heed {

void InitializerConfig::fields(Fields& f) {
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

}  // namespace heed
