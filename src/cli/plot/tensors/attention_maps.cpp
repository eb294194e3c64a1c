#include "cli/plot/tensors/attention_maps.h"

#include <torch/torch.h>

#include <algorithm>

#include "base/error.h"
#include "cli/plot/tensors/map_axis.h"
#include "cli/plot/tensors/sentence_map.h"

namespace heed {

namespace {

// Axes of the maps of one sentence pair.
struct Axes {
  std::map<std::string, MapAxis> sources;  // by name, with kEnd, which may be hidden
  MapAxis inputs;                          // kBegin, then the target
  MapAxis outputs;                         // the target, then kEnd
};

MapAxis axis_of_source(const EncodedLine& source, size_t i, const NetworkModel& model,
                       MapUnit unit) {
  const std::vector<std::string>& tokens = source.pieces[i];
  const std::string& name = model.sources[i];
  if (unit == MapUnit::kTokens) return token_axis(tokens, name + " tokens");
  const Tokenizer& tokenizer = model.source_codec(i).tokenizer();
  return word_axis(tokens, tokenizer.piece_words(source.texts[i], tokens), tokenizer,
                   name + " words");
}

MapAxis axis_of_target(const std::vector<std::string>& tokens, const Tokenizer& tokenizer,
                       MapUnit unit) {
  if (unit == MapUnit::kTokens) return token_axis(tokens, "target tokens");
  return word_axis(tokens, tokenizer.written_words(tokens), tokenizer, "target words");
}

// source_end: true if kEnd is shown after a source that has tokens.
Axes make_axes(const NetworkModel& model, const EncodedLine& source, const Ids& target,
               MapUnit unit, bool source_end) {
  Axes axes;
  for (size_t i = 0; i < model.sources.size(); ++i) {
    const std::string& name = model.sources[i];
    MapAxis& own = axes.sources[name] = axis_of_source(source, i, model, unit);
    if (!source_end && !own.labels.empty()) {
      push_hidden(own);
      continue;
    }
    const bool lacks = own.labels.empty() && model.sources.size() > 1;
    push_back(own, lacks ? "" : model.source_codec(i).vocabulary().piece(kEnd));
  }
  const Codec& codec = model.target_codec();
  const MapAxis written =
      axis_of_target(codec.pieces(target, source.behind()), codec.tokenizer(), unit);
  axes.inputs = axes.outputs = written;
  push_front(axes.inputs, codec.vocabulary().piece(kBegin));
  push_back(axes.outputs, codec.vocabulary().piece(kEnd));
  return axes;
}

bool is_self(const Site& site) {
  return site.place == Place::kEncoderSelf || site.place == Place::kDecoderSelf;
}
bool is_in_decoder(const Site& site) {
  return site.place == Place::kCross || site.place == Place::kDecoderSelf;
}

// An attention of a model or a part of one. Layers, hops and heads are counted from 1 here.
struct Spot {
  const Attended* attended;
  Site site;
  std::string place;  // "decoder.cross.1.hop.2"
  std::string name;   // "decoder layer 1, attention over the source, hop 2"
};

// Place and name of a whole attention.
Spot spot_of(const Attended& attended) {
  const Site& site = attended.site;
  const auto spot = [&](std::string place, std::string name) {
    return Spot{&attended, site, std::move(place), std::move(name)};
  };
  const int64_t layer = site.layer + 1;
  switch (site.place) {
    case Place::kEncoderSelf:
      return spot(fmt::format("encoder.self.{}", layer),
                  fmt::format("encoder layer {}, self-attention", layer));
    case Place::kDecoderSelf:
      return spot(fmt::format("decoder.self.{}", layer),
                  fmt::format("decoder layer {}, self-attention", layer));
    case Place::kCross:
      return spot(fmt::format("decoder.cross.{}", layer),
                  fmt::format("decoder layer {}, attention over the source", layer));
    case Place::kCoAttention:
      return spot("encoder.co." + site.reader, "encoder, co-attention of " + site.reader);
    case Place::kPooling:
      return spot("encoder.pool", "encoder, pooling");
    case Place::kDocument:
      return spot("encoder.document", "encoder, pooling of the document");
    case Place::kUnset:
      break;
  }
  throw InternalError("a place without a name");
}

// The same for a model of several sources, where each attention of an encoder belongs to one
// source.
Spot spot_of_source(const Attended& attended) {
  Spot spot = spot_of(attended);
  if (is_in_decoder(attended.site) || attended.site.place == Place::kCoAttention) return spot;
  spot.place += "." + attended.source;
  spot.name += " of " + attended.source;
  return spot;
}

// Addition of a part to the name of its place. between: separates a word and its number.
std::string part_name(const Attended& attended, char between) {
  switch (attended.part) {
    case Part::kWhole:
      return "";
    case Part::kHop:
      return fmt::format("hop{}{}", between, attended.hop + 1);
    case Part::kSource:
      return attended.source;
    case Part::kOverSources:
      return "sources";
    case Part::kRead:
      return "read";
    case Part::kWrite:
      return "write";
    case Part::kForward:
      return "forward";
    case Part::kBackward:
      return "backward";
    case Part::kInCell:
      return "cell";
  }
  return "";
}

// Adds the attention and all of its parts.
void add_spots(Spot spot, std::vector<Spot>& spots) {
  if (spot.attended->part != Part::kWhole) {
    spot.place += "." + part_name(*spot.attended, '.');
    spot.name += ", " + part_name(*spot.attended, ' ');
  }
  spots.push_back(spot);
  for (const Attended& part : spot.attended->parts)
    add_spots({&part, spot.site, spot.place, spot.name}, spots);
}

// Positions that the attention reads, in an encoder or over the source.
MapAxis source_axis(const Attended& attended, const Axes& axes) {
  const auto own = axes.sources.find(attended.source);
  if (own != axes.sources.end()) return own->second;
  if (axes.sources.empty()) return {};  // a language model
  if (attended.part != Part::kOverSources) return axes.sources.begin()->second;
  std::vector<std::string> names;
  for (const auto& [name, unused] : axes.sources) names.push_back(name);
  return token_axis(names, "sources");
}

// Positions that attend, in an encoder: the tokens of the same source, or of the source that reads
// another one.
MapAxis reader_axis(const Spot& spot, const Axes& axes) {
  const auto reader = axes.sources.find(spot.site.reader);
  return reader == axes.sources.end() ? source_axis(*spot.attended, axes) : reader->second;
}

// Numbers the states instead if their number differs from that of the tokens: one for each
// sentence, or one for the whole source.
MapAxis fitting(MapAxis axis, int64_t size) {
  const auto wanted = static_cast<size_t>(size);
  return axis.groups.size() == wanted ? axis : numbered_axis(wanted, "states");
}

MapAxis column_axis(const Spot& spot, const Axes& axes, int64_t size) {
  const MapAxis source = source_axis(*spot.attended, axes);
  if (!is_self(spot.site)) return fitting(source, size);
  const bool in_decoder = is_in_decoder(spot.site);
  MapAxis axis = fitting(in_decoder ? axes.inputs : source, size);
  axis.name += in_decoder ? " read so far" : " attended to";
  return axis;
}

MapAxis row_axis(const Spot& spot, const Axes& axes, int64_t size) {
  const bool in_decoder = is_in_decoder(spot.site);
  MapAxis axis = fitting(in_decoder ? axes.outputs : reader_axis(spot, axes), size);
  if (is_self(spot.site)) axis.name += in_decoder ? " to be written" : " that attend";
  return axis;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::vector<double>> rows_of(const Tensor& weights) {
  const Tensor all = weights.to(torch::kCPU, torch::kDouble).contiguous();  // [T,S]
  std::vector<std::vector<double>> rows;
  for (int64_t t = 0; t < all.size(0); ++t) {
    const double* row = all.data_ptr<double>() + t * all.size(1);
    rows.emplace_back(row, row + all.size(1));
  }
  return rows;
}

// Map of one head, from 1; 0: the mean of all heads.
PlacedMap make_map(const Spot& spot, int64_t head, const Axes& axes) {
  const Tensor all = spot.attended->weights[0];                    // [H,T,S]
  const Tensor weights = head == 0 ? all.mean(0) : all[head - 1];  // [T,S]
  const int64_t heads = all.size(0);
  PlacedMap result{.map = map_of_groups(rows_of(weights), row_axis(spot, axes, weights.size(0)),
                                        column_axis(spot, axes, weights.size(1))),
                   .site = spot.site,
                   .place = spot.place,
                   .head = head};
  result.map.name = spot.name;
  if (heads > 1)
    result.map.name += head == 0 ? fmt::format(", mean of {} heads", heads)
                                 : fmt::format(", head {} of {}", head, heads);
  return result;
}

// Adds each head, except for feature-wise scores, which have one head per feature.
void add_heads(const Spot& spot, const Axes& axes, std::vector<PlacedMap>& maps) {
  constexpr int64_t kMostHeads = 32;
  const int64_t heads = spot.attended->weights.size(1);
  for (int64_t head = 1; heads > 1 && heads <= kMostHeads && head <= heads; ++head)
    maps.push_back(make_map(spot, head, axes));
}

// The decoder's last attention over the source, else any attention with weights; nullptr if
// neither exists.
const Attended* first_to_show(const Step& step) {
  if (const Attended* alignment = alignment_of(step)) return alignment;
  for (const Attended& attended : step.attended) {
    if (attended.weights.defined()) return &attended;
  }
  return nullptr;
}

// Map by the sentences of a document, if the source has several.
std::optional<PlacedMap> by_sentences(const NetworkModel& model, const Spot& spot,
                                      const Axes& tokens) {
  const std::string& source = spot.attended->source;
  const auto codec =
      model.codecs.find(source.empty() && !model.sources.empty() ? model.sources[0] : source);
  if (codec == model.codecs.end()) return std::nullopt;
  auto sentences = sentence_map(make_map(spot, 0, tokens).map, codec->second->tokenizer());
  if (!sentences) return std::nullopt;
  return PlacedMap{.map = std::move(*sentences), .site = {}, .place = "", .head = 0};
}

// Maps of one network of the model.
std::vector<PlacedMap> maps_of(const NetworkModel& model, size_t number, const EncodedLine& source,
                               const Ids& target, MapUnit unit) {
  Seq2Seq& network = *model.networks[number];
  Pass pass;
  pass.keep_weights = true;
  EncoderOutput encoded;
  State state = network.start(source_batches(model, {source}, {0}), pass, encoded);
  const Step step = network.advance(target_batch({target}, model.device()).inputs, state);

  const Axes axes = make_axes(model, source, target, unit, model.source_ends[number]);
  std::vector<Spot> spots;
  for (const Attended& attended : step.attended) add_spots(spot_of(attended), spots);
  for (const Attended& attended : encoded.attended)
    add_spots(model.sources.size() > 1 ? spot_of_source(attended) : spot_of(attended), spots);
  const auto first = std::ranges::find(spots, first_to_show(step), &Spot::attended);
  std::vector<PlacedMap> maps;
  if (first != spots.end()) {
    if (auto sentences =
            by_sentences(model, *first, make_axes(model, source, target, MapUnit::kTokens, true)))
      maps.push_back(std::move(*sentences));
    maps.push_back(make_map(*first, 0, axes));
  }
  for (const Spot& spot : spots) {
    if (!spot.attended->weights.defined()) continue;
    const bool is_shown = first != spots.end() && spot.attended == first->attended;
    if (!is_shown) maps.push_back(make_map(spot, 0, axes));
    add_heads(spot, axes, maps);
  }
  return maps;
}

// The map over the source from which alignments are made; nullptr: the network does not have one.
const PlacedMap* alignment_map(const std::vector<PlacedMap>& maps) {
  const auto first = std::ranges::find_if(
      maps, [](const PlacedMap& map) { return map.site.place == Place::kCross && map.head == 0; });
  return first == maps.end() ? nullptr : &*first;
}

// The mean of maps over the same tokens; nullopt for fewer than two maps.
std::optional<PlacedMap> mean_of(const std::vector<AttentionMap>& maps) {
  if (maps.size() < 2) return std::nullopt;
  AttentionMap mean = maps.front();
  for (size_t t = 0; t < mean.weights.size(); ++t) {
    for (size_t s = 0; s < mean.weights[t].size(); ++s) {
      double sum = 0;
      for (const AttentionMap& map : maps) sum += map.weights[t][s];
      mean.weights[t][s] = sum / static_cast<double>(maps.size());
    }
  }
  mean.name = fmt::format("mean of {} models, attention over the source", maps.size());
  return PlacedMap{.map = std::move(mean), .site = {}, .place = "", .head = 0};
}

bool has_same_tokens(const AttentionMap& a, const AttentionMap& b) {
  return a.source == b.source && a.target == b.target;
}

}  // namespace

std::vector<PlacedMap> attention_maps(const NetworkModel& model, const EncodedLine& source,
                                      const Ids& target, MapUnit unit) {
  const torch::InferenceMode no_gradients;
  if (model.networks.size() == 1) return maps_of(model, 0, source, target, unit);
  std::vector<PlacedMap> all;
  std::vector<AttentionMap> alignments;
  for (size_t i = 0; i < model.networks.size(); ++i) {
    std::vector<PlacedMap> own = maps_of(model, i, source, target, unit);
    if (const PlacedMap* alignment = alignment_map(own);
        alignment && (alignments.empty() || has_same_tokens(alignments.front(), alignment->map)))
      alignments.push_back(alignment->map);
    for (PlacedMap& map : own) {
      map.model = static_cast<int64_t>(i) + 1;
      map.map.name = fmt::format("model {}, {}", map.model, map.map.name);
      if (!map.place.empty()) map.place = fmt::format("model{}.{}", map.model, map.place);
      all.push_back(std::move(map));
    }
  }
  if (auto mean = mean_of(alignments)) all.insert(all.begin(), std::move(*mean));
  return all;
}

std::vector<PlacedMap> by_place(std::vector<PlacedMap> maps) {
  const auto order = [](const PlacedMap& one) {
    const bool in_layers = is_self(one.site) || is_in_decoder(one.site);
    return std::tuple(one.model, !one.place.empty(), is_in_decoder(one.site),
                      in_layers ? one.site.layer + 1 : 0, !is_self(one.site), one.place, one.head);
  };
  std::ranges::stable_sort(maps, {}, order);
  return maps;
}

PlacedMap choose_map(const std::vector<PlacedMap>& maps, const std::optional<std::string>& layer,
                     std::optional<int64_t> head) {
  if (!layer && !head) return maps.front();
  const auto first =
      std::ranges::find_if(maps, [](const PlacedMap& map) { return !map.place.empty(); });
  const std::string place = !layer              ? first->place
                            : is_number(*layer) ? "decoder.cross." + *layer
                                                : *layer;
  std::vector<std::string> places;
  int64_t heads = 1;
  for (const PlacedMap& map : by_place(maps)) {
    if (map.place.empty()) continue;
    if (std::ranges::count(places, map.place) == 0) places.push_back(map.place);
    if (map.place == place) heads = std::max(heads, map.head);
  }
  const int64_t wanted = heads == 1 && head == 1 ? 0 : head.value_or(0);
  for (const PlacedMap& map : maps) {
    if (map.place == place && map.head == wanted) return map;
  }
  if (std::ranges::count(places, place) == 0) {
    throw_error(ErrorKind::kUsage, "--layer {}: expected one of {}", *layer,
                fmt::join(places, ", "));
  }
  throw_error(ErrorKind::kUsage, "--head {}: {} has {} head{}", *head, place, heads,
              heads == 1 ? "" : "s");
}

}  // namespace heed
