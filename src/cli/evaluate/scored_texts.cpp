#include "cli/evaluate/scored_texts.h"

#include <algorithm>
#include <map>

#include "base/address_space.h"
#include "base/compression/stored_text.h"
#include "base/descriptor.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "data/column_reader.h"
#include "metric/nbest_list.h"

namespace heed {

Lines read_text(const std::string& path, const std::vector<std::string>& beside) {
  ColumnReader reader(path, beside);
  Lines lines;
  MalformedLines malformed{reader.path(), input_name(path)};
  try {
    for (std::string line; reader.next(line);) {
      malformed.add(!is_utf8(line));
      lines.push_back(line);
    }
  } catch (const std::bad_alloc&) {
    Lines().swap(lines);
    throw_error(ErrorKind::kFailure,
                "out of memory while reading {}, behind line {}; evaluate parts of it{}",
                input_name(path), format_count(reader.lines().line_number()),
                address_space_advice());
  }
  if (malformed.are_many()) throw Error(ErrorKind::kData, malformed.text());
  return lines;
}

std::vector<NamedFile> reference_files(const MetricChoice& choice) {
  std::vector<NamedFile> files;
  for (const std::string& path : choice.references)
    files.push_back({"--reference", text_of_argument(path).path});
  return files;
}

References read_references(const MetricChoice& choice, const std::vector<std::string>& beside) {
  std::vector<std::string> all = choice.references;
  all.insert(all.end(), beside.begin(), beside.end());
  References references;
  for (const std::string& path : choice.references) references.push_back(read_text(path, all));
  return references;
}

void check_hypotheses(const std::string& name, const Lines& hypotheses,
                      const References& references, const MetricChoice& choice,
                      const Metrics& metrics) {
  refuse_nbest_list(hypotheses, name);
  std::vector<std::string> names{name};
  names.insert(names.end(), choice.references.begin(), choice.references.end());
  check_texts(hypotheses, references, names);
  for (const auto& metric : metrics) check_readable(*metric, hypotheses, references, names);
}

void warn_of_columns(const std::string& file, const Lines& lines, const Lines& other) {
  int64_t count = 0;
  for (size_t i = 0; i < lines.size(); ++i)
    count += std::ranges::count(lines[i], '\t') > std::ranges::count(other[i], '\t');
  if (2 * count <= std::ssize(lines)) return;
  const fs::path path = is_stored_text(file) ? file : "-";
  spdlog::warn(
      "{}: {} of {} lines have a tab; if it is a table, take out the column that is meant: {}",
      input_name(file), format_count(count), format_count(std::ssize(lines)),
      filter_command("cut -f2", path, new_name(path, ".column.txt")));
}

void warn_of_caveats(const Metrics& metrics, const Lines& hypotheses,
                     const References& references) {
  std::map<std::string, std::vector<std::string>> names;  // by what is said
  for (const auto& metric : metrics) {
    const std::string caveat = metric->caveat(hypotheses, references);
    if (!caveat.empty()) names[caveat].push_back(metric->name());
  }
  for (const auto& [caveat, own] : names) spdlog::warn("{}: {}", fmt::join(own, ", "), caveat);
}

nlohmann::ordered_json to_json(const ConfidenceInterval& interval, const Resampling& resampling) {
  return {{"mean", interval.mean},
          {"half_width", interval.half_width},
          {"samples", resampling.samples},
          {"seed", resampling.seed}};
}

void write_scores(const MetricChoice& choice, const nlohmann::ordered_json& json,
                  const std::string& text) {
  constexpr int kIndent = 2;
  print_result(choice.format == ScoreFormat::kJson ? json_text(json, kIndent) + "\n" : text);
}

}  // namespace heed
