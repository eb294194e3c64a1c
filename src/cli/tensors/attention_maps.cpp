#include "cli/tensors/attention_maps.h"

#include <torch/torch.h>

#include <algorithm>

#include "base/error.h"
#include "cli/tensors/map_axis.h"
#include "cli/tensors/sentence_map.h"

namespace heed {

namespace {

// What stands along the sides of the maps.
struct Axes {
  std::map<std::string, MapAxis> sources;  // by name, with kEnd
  MapAxis inputs;                          // kBegin, then the target
  MapAxis outputs;                         // the target, then kEnd
};

MapAxis axis_of(const std::vector<std::string>& tokens, const Codec& codec, const std::string& side,
                MapUnit unit) {
  return unit == MapUnit::kWords ? word_axis(tokens, codec.tokenizer(), side + " words")
                                 : token_axis(tokens, side + " tokens");
}

Axes make_axes(const TextModel& model, const EncodedLine& source, const Ids& target, MapUnit unit) {
  Axes axes;
  for (size_t i = 0; i < model.sources.size(); ++i) {
    const std::string& name = model.sources[i];
    MapAxis& own = axes.sources[name] =
        axis_of(source.pieces[i], model.source_codec(i), name, unit);
    const bool lacks = own.labels.empty() && model.sources.size() > 1;
    push_back(own, lacks ? "" : model.source_codec(i).vocabulary().piece(kEnd));
  }
  const Codec& codec = model.target_codec();
  const MapAxis written = axis_of(codec.pieces(target, source.behind()), codec, "target", unit);
  axes.inputs = axes.outputs = written;
  push_front(axes.inputs, codec.vocabulary().piece(kBegin));
  push_back(axes.outputs, codec.vocabulary().piece(kEnd));
  return axes;
}

bool is_in_encoder(const std::string& place) { return place.starts_with("encoder."); }
bool is_self(const std::string& place) { return place.find(".self.") != std::string::npos; }

// What the weights of this attention are put on in an encoder or over the source.
MapAxis source_axis(const Attended& attended, const Axes& axes) {
  const auto own = axes.sources.find(attended.source);
  if (own != axes.sources.end()) return own->second;
  if (axes.sources.empty()) return {};  // a language model
  if (!attended.place.ends_with(".sources")) return axes.sources.begin()->second;
  std::vector<std::string> names;
  for (const auto& [name, unused] : axes.sources) names.push_back(name);
  return token_axis(names, "sources");
}

// What reads in an encoder: the tokens of the same source, or of the one that reads another.
MapAxis reader_axis(const Attended& attended, const Axes& axes) {
  constexpr std::string_view kReader = "encoder.co.";
  if (!attended.place.starts_with(kReader)) return source_axis(attended, axes);
  const auto reader = axes.sources.find(attended.place.substr(kReader.size()));
  return reader == axes.sources.end() ? source_axis(attended, axes) : reader->second;
}

// Of what is made of the tokens there are fewer: sentences, or one for all.
MapAxis fitting(MapAxis axis, int64_t size) {
  const auto wanted = static_cast<size_t>(size);
  return axis.groups.size() == wanted ? axis : numbered_axis(wanted, "states");
}

MapAxis column_axis(const Attended& attended, const Axes& axes, int64_t size) {
  if (!is_self(attended.place)) return fitting(source_axis(attended, axes), size);
  const bool in_encoder = is_in_encoder(attended.place);
  MapAxis axis = fitting(in_encoder ? source_axis(attended, axes) : axes.inputs, size);
  axis.name += in_encoder ? " attended to" : " read so far";
  return axis;
}

MapAxis row_axis(const Attended& attended, const Axes& axes, int64_t size) {
  const bool in_encoder = is_in_encoder(attended.place);
  MapAxis axis = fitting(in_encoder ? reader_axis(attended, axes) : axes.outputs, size);
  if (is_self(attended.place)) axis.name += in_encoder ? " that attend" : " to be written";
  return axis;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::string> parts_of(const std::string& place) {
  std::vector<std::string> parts(1);
  for (const char c : place) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// decoder.cross.0.reading.1 → decoder.cross.1.reading.2
std::string counted_from_one(const std::string& place) {
  std::vector<std::string> parts = parts_of(place);
  for (size_t i = 1; i < parts.size(); ++i) {
    if ((i == 2 || parts[i - 1] == "reading") && is_number(parts[i]))
      parts[i] = std::to_string(std::stoll(parts[i]) + 1);
  }
  return fmt::format("{}", fmt::join(parts, "."));
}

// "decoder layer 1, attention over the source" of decoder.cross.1
std::string name_of(const std::string& place) {
  const std::vector<std::string> parts = parts_of(place);
  if (parts.size() < 3 || !is_number(parts[2])) {
    if (place == "encoder.pool") return "encoder, pooling";
    return parts.size() == 3 && parts[1] == "co" ? "encoder, co-attention of " + parts[2] : place;
  }
  std::string name =
      fmt::format("{} layer {}, {}", parts[0], parts[2],
                  parts[1] == "self" ? "self-attention" : "attention over the source");
  for (size_t i = 3; i < parts.size(); ++i) name += (is_number(parts[i]) ? " " : ", ") + parts[i];
  return name;
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

// head: from 1; 0: the mean of all.
PlacedMap make_map(const Attended& attended, int64_t head, const Axes& axes) {
  const Tensor all = attended.weights[0];                          // [H,T,S]
  const Tensor weights = head == 0 ? all.mean(0) : all[head - 1];  // [T,S]
  const int64_t heads = all.size(0);
  PlacedMap result{.map = map_of_groups(rows_of(weights), row_axis(attended, axes, weights.size(0)),
                                        column_axis(attended, axes, weights.size(1))),
                   .place = counted_from_one(attended.place),
                   .head = head};
  result.map.name = name_of(result.place);
  if (heads > 1)
    result.map.name += head == 0 ? fmt::format(", mean of {} heads", heads)
                                 : fmt::format(", head {} of {}", head, heads);
  return result;
}

// The mean and each head of this attention, and of the parts that it consists of. Of a feature-wise
// score, with a head a feature, the mean alone.
void add_maps(const Attended& attended, const Axes& axes, std::vector<PlacedMap>& maps) {
  constexpr int64_t kMostHeads = 32;
  if (attended.weights.defined()) {
    const int64_t heads = attended.weights.size(1);
    maps.push_back(make_map(attended, 0, axes));
    for (int64_t head = 1; heads > 1 && heads <= kMostHeads && head <= heads; ++head)
      maps.push_back(make_map(attended, head, axes));
  }
  for (const Attended& part : attended.parts) add_maps(part, axes, maps);
}

// What the decoder's last layer read of the source, or else whatever has weights; nullptr if nothing
// has.
const Attended* first_to_show(const Step& step) {
  if (const Attended* alignment = alignment_of(step)) return alignment;
  for (const Attended& attended : step.attended) {
    if (attended.weights.defined()) return &attended;
  }
  return nullptr;
}

// By the sentences of a document, if the source has some.
std::optional<PlacedMap> by_sentences(const TextModel& model, const Attended& attended,
                                      const Axes& tokens) {
  const auto codec = model.codecs.find(
      attended.source.empty() && !model.sources.empty() ? model.sources[0] : attended.source);
  if (codec == model.codecs.end()) return std::nullopt;
  auto sentences = sentence_map(make_map(attended, 0, tokens).map, codec->second->tokenizer());
  if (!sentences) return std::nullopt;
  return PlacedMap{.map = std::move(*sentences), .place = "", .head = 0};
}

}  // namespace

std::vector<PlacedMap> attention_maps(const TextModel& model, const EncodedLine& source,
                                      const Ids& target, MapUnit unit) {
  const torch::InferenceMode no_gradients;
  Seq2Seq& network = *model.networks.front();
  Pass pass;
  pass.keep_weights = true;
  EncoderOutput encoded;
  State state = network.start(source_batches(model, {source}, {0}), pass, encoded);
  const Step step = network.advance(target_batch({target}, model.device()).inputs, state);

  const Axes axes = make_axes(model, source, target, unit);
  std::vector<PlacedMap> maps;
  if (const Attended* first = first_to_show(step)) {
    if (auto sentences =
            by_sentences(model, *first, make_axes(model, source, target, MapUnit::kTokens)))
      maps.push_back(std::move(*sentences));
    maps.push_back(make_map(*first, 0, axes));
  }
  for (const Attended& attended : step.attended) add_maps(attended, axes, maps);
  for (const Attended& attended : encoded.attended) add_maps(attended, axes, maps);
  // The first stands before the others; it is not shown twice.
  const auto shown =
      std::ranges::find_if(maps, [](const PlacedMap& map) { return !map.place.empty(); });
  if (shown == maps.end()) return maps;
  const auto again = std::find_if(shown + 1, maps.end(), [&](const PlacedMap& map) {
    return map.place == shown->place && map.head == shown->head;
  });
  if (again != maps.end()) maps.erase(again);
  return maps;
}

std::vector<PlacedMap> by_place(std::vector<PlacedMap> maps) {
  const auto order = [](const PlacedMap& one) {
    const std::vector<std::string> parts = parts_of(one.place);
    const int64_t layer = parts.size() > 2 && is_number(parts[2]) ? std::stoll(parts[2]) : 0;
    return std::tuple(!one.place.empty(), parts[0] == "decoder", layer, !is_self(one.place),
                      one.place, one.head);
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
