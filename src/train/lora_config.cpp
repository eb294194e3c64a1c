#include "train/lora_config.h"

#include <cmath>

#include "config/sizes.h"

namespace heed {

void LoraConfig::fields(Fields& f) {
  f.field("rank", rank, IntRange{1, 1024}, "rank r of the change B A of a matrix");
  f.field("alpha", alpha, Range{0, 1'000'000, true},
          "the change is scaled by alpha / r, so that another rank needs no other learning rate");
  f.field("rank_stabilized", rank_stabilized,
          "scale by alpha / √r instead (rsLoRA, Kalajdzievski 2023), for high ranks");
  f.list("layers", layers,
         "matrices that are adapted: all (but embeddings), or patterns as in train.freeze; []: the "
         "projections of queries and values in all attentions, as in the paper");
}

double LoraConfig::scale() const {
  const auto r = static_cast<double>(rank);
  return alpha / (rank_stabilized ? std::sqrt(r) : r);
}

}  // namespace heed
