// The attention maps of one pair of sentences.
#pragma once

#include <string>
#include <vector>

#include "report/attention_map.h"
#include "search/text_model.h"

namespace heed {

// Every weight that the first network of `model` puts on anything while it reads `target` as the
// translation of `source`. First the mean over the heads of what alignments are taken from
// ("decoder.cross.0"), of a document by its sentences before (sentence_map.h), then each place of
// attention with each of its heads. Empty where the model has no attention.
std::vector<AttentionMap> attention_maps(const TextModel& model, const EncodedLine& source,
                                         const Ids& target);

}  // namespace heed
