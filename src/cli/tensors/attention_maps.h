// The attention maps of one pair of sentences.
#pragma once

#include <string>
#include <vector>

#include "network/network_model.h"
#include "report/attention_map.h"

namespace heed {

// A map, and which attention it is of.
struct PlacedMap {
  AttentionMap map;
  Site site;
  std::string
      place;         // "decoder.cross.1", layers counted from 1; "" of a map by sentences or models
  int64_t head = 0;  // from 1; 0: the mean of all heads
  int64_t model = 0;  // of an ensemble, from 1; 0: the only one, or the mean of several
};

enum class MapUnit { kTokens, kWords };

// Every weight that `model` puts on anything while it reads `target` as the translation of `source`.
// First the mean over the heads of what alignments are taken from (the decoder's last attention over
// the source), of a document by its sentences before (sentence_map.h), then each place of attention
// with its mean and each of its heads. Words: the weights on the tokens of a word are added, those
// of the tokens of a reading word averaged (Clark et al. 2019). Empty where the model has no
// attention.
//
// Of an ensemble the mean of its models' attention over the source comes first, of which its
// alignments are made, then the maps of each model, with places such as "model1.decoder.cross.1".
std::vector<PlacedMap> attention_maps(const NetworkModel& model, const EncodedLine& source,
                                      const Ids& target, MapUnit unit = MapUnit::kTokens);

// By place: encoder before decoder, by layers, self-attention before the one over the source, the
// mean before the heads. A map by sentences stays first.
std::vector<PlacedMap> by_place(std::vector<PlacedMap> maps);

// The map of one attention. layer: a place, or N for decoder.cross.N; none: the first. head: from
// 1; none: the mean. Throws Error(kUsage) that names what there is.
PlacedMap choose_map(const std::vector<PlacedMap>& maps, const std::optional<std::string>& layer,
                     std::optional<int64_t> head);

}  // namespace heed
