// Guided alignment (Chen et al. 2016, "Guided alignment training for topic-aware neural machine
// translation"): a loss that trains the attention weights over the source on a given word
// alignment. It uses the decoder's last attention over the source, or that of `decoder.alignment`,
// averaged over its heads, which `heed translate --alignments` writes too. It works with every
// mechanism that has weights over source tokens, in every decoder. Weights that are scores, those of
// `linear_start` of a memory network, are not trained.
#pragma once

#include <vector>

#include "data/example.h"
#include "nn/attention/attention.h"
#include "train/guided_alignment_config.h"

namespace heed {

// Links of the sentences of a batch: A of each of the T target tokens over S source tokens, with
// kEnd and padding. [R,T,S] float; undefined if no sentence has links.
Tensor alignment_targets(const std::vector<Example>& examples, int64_t targets, int64_t sources,
                         torch::Device device);

// weights [R,H,T,S], alignment [R,T,S] -> [R,T]
SideLoss guided_alignment_loss(const Tensor& weights, const Tensor& alignment,
                               const GuidedAlignmentConfig& config);

}  // namespace heed
