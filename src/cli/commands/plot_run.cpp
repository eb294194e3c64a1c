#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/commands/run.h"
#include "cli/pictures.h"
#include "cli/search_settings.h"
#include "cli/source_reader.h"
#include "cli/tensors/attention_maps.h"
#include "network/engines.h"
#include "network/network_path.h"
#include "report/html_maps.h"
#include "report/picture_file.h"
#include "report/svg_map.h"
#include "report/terminal_map.h"
#include "search/search.h"
#include "translate/search_overrides.h"
#include "translate/translated.h"

namespace heed {

namespace {

[[noreturn]] void throw_too_short(const std::string& name, int64_t lines, int64_t number) {
  throw_error(ErrorKind::kData, "--line {}: {} has {} line{}", number, input_name(name), lines,
              lines == 1 ? "" : "s");
}

// The line with this number, as UTF-8 whatever it holds.
std::string read_line(const std::string& path, int64_t number) {
  LineReader reader(path);
  std::string line;
  while (reader.next(line)) {
    if (reader.line_number() == number) return replace_malformed(line);
  }
  throw_too_short(path, reader.line_number(), number);
}

SourceLine read_source(const NetworkModel& model, const PlotAttentionOptions& options) {
  if (model.inputs.empty()) {
    refuse_source(model, "--input", options.inputs, options.tag);
    if (options.target) return {};
    throw_error(ErrorKind::kUsage,
                "a language model has no source: give its text with --target FILE");
  }
  LineWarnings warnings;
  SourceReader reader(model, options.inputs, options.tag, &warnings);
  SourceLine line;
  for (int64_t number = 1; reader.next(line); ++number) {
    if (number < options.line) continue;
    for (std::string& text : line) text = replace_malformed(text);
    warnings.log();
    return line;
  }
  throw_too_short(reader.name(), reader.line_number(), options.line);
}

constexpr int64_t kLongest = 1'000;  // tokens of source and of target: more cannot be drawn

void check_length(const char* what, int64_t length, int64_t line) {
  if (length > kLongest)
    throw_error(ErrorKind::kData,
                "line {}: {} tokens of the {}, expected {} at most in a map of attention; split it",
                line, format_count(length), what, format_count(kLongest));
}

// The source up to the number of tokens that search reads.
EncodedLine encode_source(const NetworkModel& model, const SourceLine& line,
                          const PlotAttentionOptions& options) {
  EncodedLine source = encode_line(model, line, options.line);
  const SearchConfig config =
      search_config({model.search, model.has_source_weights}, options.search);
  const int64_t longest = config.longest_source(model.max_length);
  if (source.length() <= longest) return source;
  spdlog::warn("line {}: {} tokens, cut to the first {} (max_source_length); split the line",
               options.line, format_count(source.length()), format_count(longest));
  return encode_line(model, line, options.line, longest);
}

// The given translation, or else the model's own.
Ids target_ids(const NetworkModel& model, const EncodedLine& source,
               const std::optional<std::string>& given, const PlotAttentionOptions& options) {
  if (given) {
    Ids ids = encode_target(model, *given, source);
    check_length("target", std::ssize(ids), options.line);
    return ids;
  }
  SearchConfig config = search_config({model.search, model.has_source_weights}, options.search);
  limit_max_length(config, source.length(), kLongest);
  std::vector<Request> requests = requests_of({source.example}, config);
  requests.front().suppressed = suppressed_tokens(config, model.target_codec().vocabulary());
  if (const auto language = model.target_codec().opening()) {
    requests.front().prefix = {*language};
    requests.front().given = 1;
  }
  const auto found = search(*make_engine(model, Precision::kFloat), std::move(requests));
  const Hypothesis& best = found.front().front();
  if (const char* warning = warning_of_end(with_scores_of(best)))
    spdlog::warn("line {}: {} tokens, {}", options.line, best.ids.size(), warning);
  return best.ids;
}

bool names_utf8(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return false;
  const std::string locale = lower_case(value);
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

// What a file of this ending holds.
std::string picture(const std::string& path, const AttentionMap& chosen,
                    const std::vector<PlacedMap>& all) {
  const std::string ending = ending_of(path);
  if (ending == "html") {
    std::vector<AttentionMap> maps;
    size_t selected = 0;
    for (const PlacedMap& one : by_place(all)) {
      if (one.map.name == chosen.name) selected = maps.size();
      maps.push_back(one.map);
    }
    return html_maps(chosen.title, maps, selected);
  }
  const std::string svg = svg_map(chosen);
  return ending == "svg" ? svg : convert_svg(svg, ending, path);
}

TerminalStyle terminal_style() {
  TerminalStyle style;
  if (isatty(STDOUT_FILENO) != 1) return style;
  style.width = terminal_width(STDOUT_FILENO);
  style.colour = colour_allowed(STDOUT_FILENO);
  style.unicode = names_utf8("LC_ALL") || names_utf8("LC_CTYPE") || names_utf8("LANG");
  return style;
}

}  // namespace

int run_plot_attention(const PlotAttentionOptions& options) {
  const NetworkModel model = load_network_model({options.model}, options.device);
  const SourceLine line = read_source(model, options);
  std::optional<std::string> target;
  if (options.target) target = read_line(*options.target, options.line);
  std::string text = line.empty() ? *target : line[model.aligned];
  std::ranges::replace(text, '\t', ' ');
  if (model.sources.size() > 1) text = fmt::format("{}: {}", model.sources[model.aligned], text);
  const EncodedLine source = encode_source(model, line, options);
  if (!line.empty()) check_length("source", std::ssize(source.pieces[model.aligned]), options.line);
  if (!line.empty() && source.is_empty()) {
    throw_error(ErrorKind::kData, "line {} is empty: there is nothing to draw", options.line);
  }
  const std::vector<PlacedMap> maps =
      attention_maps(model, source, target_ids(model, source, target, options),
                     options.words ? MapUnit::kWords : MapUnit::kTokens);
  if (maps.empty()) {
    throw_error(ErrorKind::kModel, "{}: this model has no attention to draw", options.model);
  }
  AttentionMap chosen = choose_map(maps, options.place, options.head).map;
  chosen.title = text;
  std::vector<Picture> pictures;
  for (const std::string& path : options.pictures)
    pictures.push_back({path, picture(path, chosen, maps)});
  if (pictures.empty()) pictures.push_back({"-", terminal_map(chosen, terminal_style())});
  write_pictures(pictures);
  return 0;
}

}  // namespace heed
