#include "metric/metric.h"

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

std::string name_of(size_t text, const std::vector<std::string>& names) {
  if (text < names.size()) return names[text];
  return text == 0 ? "hypotheses" : fmt::format("reference {}", text);
}

void check_well_formed(const Lines& lines, const std::string& name) {
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t at = find_malformed(lines[i]);
    if (at == std::string_view::npos) continue;
    throw_error(ErrorKind::kData,
                "{}:{}: malformed UTF-8 at byte {} of the line; metrics need well-formed UTF-8",
                name, i + 1, at + 1);
  }
}

void check_lines(const Metric& metric, const Lines& lines, LineRole role, const std::string& name) {
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string fault = metric.fault_of(lines[i], role);
    if (!fault.empty())
      throw_error(ErrorKind::kData, "{}:{}: {}: {}", name, i + 1, metric.name(), fault);
  }
}

LineReferences references_of(const References& references, size_t line) {
  LineReferences result;
  result.reserve(references.size());
  for (const auto& lines : references) result.push_back(lines[line]);
  return result;
}

// Errors name the line.
Statistics statistics_of_line(const Metric& metric, const Lines& hypotheses,
                              const References& references, size_t line) try {
  return metric.statistics(hypotheses[line], references_of(references, line));
} catch (const Error& error) {
  throw_error(error.kind(), "line {}: {}", line + 1, error.what());
}

void add(Statistics& sum, const Statistics& line) {
  HEED_CHECK(sum.size() == line.size(), "{} and {} figures", sum.size(), line.size());
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += line[i];
}

}  // namespace

Score Metric::score(const Lines& hypotheses, const References& references) const {
  check_texts(hypotheses, references);
  Statistics sum = statistics_of_line(*this, hypotheses, references, 0);
  for (size_t i = 1; i < hypotheses.size(); ++i)
    add(sum, statistics_of_line(*this, hypotheses, references, i));
  return from_sum(sum);
}

std::vector<Statistics> Metric::line_statistics(const Lines& hypotheses,
                                                const References& references) const {
  check_texts(hypotheses, references);
  std::vector<Statistics> result;
  result.reserve(hypotheses.size());
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    result.push_back(statistics_of_line(*this, hypotheses, references, i));
  }
  return result;
}

Score Metric::score_line(std::string_view hypothesis, const LineReferences& references) const {
  HEED_CHECK(!references.empty());
  return from_sum(statistics(hypothesis, references));
}

Statistics sum_statistics(const std::vector<Statistics>& lines) {
  HEED_CHECK(!lines.empty());
  Statistics sum = lines[0];
  for (size_t i = 1; i < lines.size(); ++i) add(sum, lines[i]);
  return sum;
}

std::string format_score(const Metric& metric, const Score& score, size_t references, int digits) {
  return format_score(metric, score, metric.signature(references), digits);
}

std::string format_score(const Metric& metric, const Score& score, const std::string& signature,
                         int digits) {
  std::string line = fmt::format("{}|{} = {:.{}f}", metric.name(), signature, score.value, digits);
  if (!score.details.empty()) line += " " + score.details;
  return line;
}

void check_texts(const Lines& hypotheses, const References& references,
                 const std::vector<std::string>& names) {
  if (references.empty())
    throw Error(ErrorKind::kData, "no references were given; at least one is needed");
  for (size_t i = 0; i < references.size(); ++i) {
    if (references[i].size() == hypotheses.size()) continue;
    throw_error(ErrorKind::kData,
                "{}: {} lines, but {}: {} lines; line N of one must belong to line N of the other",
                name_of(0, names), hypotheses.size(), name_of(i + 1, names), references[i].size());
  }
  if (hypotheses.empty()) {
    throw_error(ErrorKind::kData, "{}: no lines; at least one is needed for a score",
                name_of(0, names));
  }
  check_well_formed(hypotheses, name_of(0, names));
  for (size_t i = 0; i < references.size(); ++i)
    check_well_formed(references[i], name_of(i + 1, names));
}

void check_readable(const Metric& metric, const Lines& hypotheses, const References& references,
                    const std::vector<std::string>& names) {
  check_lines(metric, hypotheses, LineRole::kHypothesis, name_of(0, names));
  for (size_t i = 0; i < references.size(); ++i)
    check_lines(metric, references[i], LineRole::kReference, name_of(i + 1, names));
}

}  // namespace heed
