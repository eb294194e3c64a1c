#include "cli/plot/tensors/line_maps.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/plot/options.h"
#include "cli/plot/tensors/attention_maps.h"
#include "cli/search_settings.h"
#include "cli/source_reader.h"
#include "network/engines.h"
#include "network/network_path.h"
#include "search/search.h"
#include "translate/directions.h"
#include "translate/line_checks.h"
#include "translate/search_overrides.h"
#include "translate/translated.h"

namespace heed {

namespace {

// Lines that --line names, by their numbers.
template <class Line>
using NumberedLines = std::map<int64_t, Line>;

// next: reads a line, and says whether there was one. name: of what is read.
template <class Line, class Next>
NumberedLines<Line> pick_lines(const std::vector<int64_t>& numbers, const std::string& name,
                               Next next) {
  NumberedLines<Line> found;
  const int64_t last = std::ranges::max(numbers);
  Line line;
  int64_t count = 0;
  while (count < last && next(line)) {
    if (std::ranges::count(numbers, ++count) > 0) found[count] = line;
  }
  for (const int64_t number : numbers) {
    if (number > count)
      throw_error(ErrorKind::kData, "--line {}: {} has {} line{}", number, input_name(name), count,
                  count == 1 ? "" : "s");
  }
  return found;
}

// A line of a table?
void warn_of_tab(const std::string& line, int64_t number, const Codec& codec,
                 LineWarnings& warnings) {
  WarningList found;
  if (!codec.marker()) check_tabs(line, found);
  add_to(&warnings, found, number);
}

// Malformed UTF-8 becomes U+FFFD.
NumberedLines<std::string> read_targets(const NetworkModel& model,
                                        const PlotAttentionOptions& options) {
  if (!options.target) return {};
  LineReader reader(*options.target);
  auto lines = pick_lines<std::string>(options.lines, *options.target,
                                       [&](std::string& line) { return reader.next(line); });
  LineWarnings warnings;
  for (auto& [number, line] : lines) {
    line = replace_malformed(line);
    warn_of_tab(line, number, model.target_codec(), warnings);
  }
  warnings.log();
  return lines;
}

NumberedLines<SourceLine> read_sources(const NetworkModel& model,
                                       const PlotAttentionOptions& options) {
  if (model.inputs.empty()) {
    refuse_source(model, "--input", options.inputs, options.tag);
    if (options.target) return {};
    throw_error(ErrorKind::kUsage,
                "a language model has no source: give its text with --target FILE");
  }
  LineWarnings warnings;
  SourceReader reader(model, options.inputs, options.tag, &warnings);
  auto lines = pick_lines<SourceLine>(options.lines, reader.name(),
                                      [&](SourceLine& line) { return reader.next(line); });
  for (auto& [number, line] : lines) {
    for (std::string& text : line) text = replace_malformed(text);
    warn_of_tab(line.at(model.aligned), number, model.aligned_codec(), warnings);
  }
  warnings.log();
  return lines;
}

constexpr int64_t kLongest = 1'000;  // tokens of source and of target: more cannot be drawn

void check_length(const char* what, int64_t length, int64_t line) {
  if (length > kLongest)
    throw_error(ErrorKind::kData,
                "line {}: {} tokens of the {}, expected {} at most in a map of attention; split it",
                line, format_count(length), what, format_count(kLongest));
}

SearchConfig search_of(const NetworkModel& model, const PlotAttentionOptions& options) {
  return search_config({model.search, model.has_source_weights}, options.search);
}

// The best translation of the line with this number.
Ids translation_of(const NetworkModel& model, const Engine& engine, const EncodedLine& source,
                   SearchConfig config, int64_t number) {
  limit_max_length(config, source.length(), kLongest);
  std::vector<Request> requests = requests_of({source.example}, config);
  requests.front().suppressed = suppressed_tokens(config, model.target_codec().vocabulary());
  if (const auto language = model.target_codec().opening()) {
    requests.front().prefix = {*language};
    requests.front().given = 1;
  }
  const auto found = search(engine, std::move(requests));
  const Hypothesis& best = found.front().front();
  WarningList warnings;
  check_end(with_scores_of(best), warnings);
  for (const LineWarning& warning : warnings) spdlog::warn("line {}: {}", number, warning.text());
  return best.ids;
}

NetworkModel loaded_network(const PlotAttentionOptions& options) {
  NetworkModel model = load_network_model(options.models, options.device);
  if (options.direction.is_chosen())
    static_cast<TextModel&>(model) = Directions(model).choose(options.direction);
  if (model.target_codec().tokenizer().needs_language())
    throw_error(ErrorKind::kUsage,
                "the model has many languages; give --target-language, expected one of {}",
                fmt::join(Directions(model).targets(), " "));
  return model;
}

class Drawing {
 public:
  explicit Drawing(const PlotAttentionOptions& options)
      : options_(options),
        model_(loaded_network(options)),
        sources_(read_sources(model_, options)),
        targets_(read_targets(model_, options)) {
    if (!options.target) engine_ = make_engine(model_, Precision::kFloat);
  }

  std::vector<LineMaps> lines() const {
    std::vector<LineMaps> lines;
    for (const int64_t number : options_.lines) lines.push_back(maps_of_line(number));
    return lines;
  }

 private:
  LineMaps maps_of_line(int64_t number) const {
    const auto own = sources_.find(number);
    const SourceLine line = own == sources_.end() ? SourceLine() : own->second;
    const EncodedLine source = encode_source(line, number);
    if (!line.empty()) check_length("source", std::ssize(source.pieces[model_.aligned]), number);
    if (!line.empty() && source.is_empty())
      throw_error(ErrorKind::kData, "line {} is empty: there is nothing to draw", number);
    const std::vector<PlacedMap> maps =
        attention_maps(model_, source, target_ids(source, number),
                       options_.words ? MapUnit::kWords : MapUnit::kTokens);
    if (maps.empty())
      throw_error(ErrorKind::kModel, "{}: this model has no attention to draw",
                  fmt::join(options_.models, ", "));
    return with_titles(maps, title_of(line, number), number);
  }

  // The source up to the number of tokens that search reads.
  EncodedLine encode_source(const SourceLine& line, int64_t number) const {
    EncodedLine source = encode_line(model_, line, number);
    const int64_t longest = search_of(model_, options_).longest_source(model_.max_length);
    if (source.length() <= longest) return source;
    spdlog::warn("line {}: {} tokens, cut to the first {} (max_source_length); split the line",
                 number, format_count(source.length()), format_count(longest));
    return encode_line(model_, line, number, longest);
  }

  Ids target_ids(const EncodedLine& source, int64_t number) const {
    if (!options_.target)
      return translation_of(model_, *engine_, source, search_of(model_, options_), number);
    Ids ids = encode_target(model_, targets_.at(number), source);
    check_length("target", std::ssize(ids), number);
    return ids;
  }

  // The text that is translated.
  std::string title_of(const SourceLine& line, int64_t number) const {
    std::string text = line.empty() ? targets_.at(number) : line[model_.aligned];
    std::ranges::replace(text, '\t', ' ');
    if (model_.sources.size() > 1)
      text = fmt::format("{}: {}", model_.sources[model_.aligned], text);
    return text;
  }

  // Titles: of one line above the chosen map, of several lines above each map.
  LineMaps with_titles(const std::vector<PlacedMap>& maps, std::string title,
                       int64_t number) const {
    const bool is_alone = options_.lines.size() == 1;
    if (options_.no_title) title.clear();
    if (is_alone && options_.title) title = *options_.title;
    LineMaps result{choose_map(maps, options_.place, options_.head).map, {}};
    for (const PlacedMap& one : by_place(maps)) {
      if (one.map.name == result.chosen.name) result.selected = result.all.size();
      result.all.push_back(one.map);
      if (is_alone) continue;
      result.all.back().title = title;
      result.all.back().name = fmt::format("line {}, {}", number, one.map.name);
    }
    if (!is_alone) result.chosen.name = fmt::format("line {}, {}", number, result.chosen.name);
    result.chosen.title = title;
    return result;
  }

  const PlotAttentionOptions& options_;
  const NetworkModel model_;
  const NumberedLines<SourceLine> sources_;
  const NumberedLines<std::string> targets_;
  std::shared_ptr<const Engine> engine_;  // unless the targets are given
};

}  // namespace

std::vector<LineMaps> maps_of_lines(const PlotAttentionOptions& options) {
  return Drawing(options).lines();
}

}  // namespace heed
