// The attention maps of one pair of sentences.
#pragma once

#include <string>
#include <vector>

#include "network/network_model.h"
#include "report/attention_map.h"

namespace heed {

// A map and the attention that it shows.
struct PlacedMap {
  AttentionMap map;
  Site site;
  std::string
      place;         // "decoder.cross.1", layers counted from 1; "" of a map by sentences or models
  int64_t head = 0;  // from 1; 0: the mean of all heads
  int64_t model = 0;  // of an ensemble, from 1; 0: the only model, or the mean of several
};

enum class MapUnit { kTokens, kWords };

// All attention weights of `model` while it reads `target` as the translation of `source`. The
// first map is the mean over the heads of the attention that alignments are made from (the
// decoder's last attention over the source). For a document, a map by sentences precedes it
// (sentence_map.h). Then come all attentions, each with its mean and its heads. kWords adds the
// weights on the tokens of an attended word and averages those of the tokens of an attending word
// (Clark et al. 2019). Empty if the model has no attention.
//
// For an ensemble, the first map is the mean of its models' attention over the source, from which
// its alignments are made. The maps of each model follow, with places such as
// "model1.decoder.cross.1".
std::vector<PlacedMap> attention_maps(const NetworkModel& model, const EncodedLine& source,
                                      const Ids& target, MapUnit unit = MapUnit::kTokens);

// Sorts maps by place: encoder before decoder, by layers, self-attention before attention over the
// source, the mean before the heads. A map by sentences stays first.
std::vector<PlacedMap> by_place(std::vector<PlacedMap> maps);

// The map of one attention. layer: a place, or N for decoder.cross.N; none: the first. head: from
// 1; none: the mean. Throws Error(kUsage) that lists the available maps.
PlacedMap choose_map(const std::vector<PlacedMap>& maps, const std::optional<std::string>& layer,
                     std::optional<int64_t> head);

}  // namespace heed
