#include "cli/nbest_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "config/numbers.h"
#include "config/tree.h"

namespace heed {

namespace {

constexpr std::string_view kBar = "|||", kSpaces = " \t";
constexpr size_t kText = 1, kFeatures = 2, kScore = 3;  // columns

std::vector<std::string> split_columns(std::string_view line) {
  std::vector<std::string> columns;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(kBar, begin), line.size());
    columns.emplace_back(line.substr(begin, end - begin));
    begin = end + kBar.size();
  }
  return columns;
}

// A number or -inf, the logarithm of 0.
std::optional<double> read_value(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || behind != end || !(value < HUGE_VAL)) return std::nullopt;
  return value;
}

NbestLine parse_line(const std::string& text, const std::string& place) {
  if (const size_t malformed = find_malformed(text); malformed != std::string::npos) {
    throw_error(ErrorKind::kData, "{}: malformed UTF-8 at byte {}; correct the line", place,
                malformed + 1);
  }
  NbestLine line{.columns = split_columns(text)};
  const size_t score = std::min(kScore, line.columns.size() - 1);
  const auto number = to_integer(trimmed(line.columns.front(), kSpaces));
  if (score < kFeatures || !number || !read_value(trimmed(line.columns[score], kSpaces))) {
    throw_error(ErrorKind::kData,
                "{}: found '{}', expected a line of an n-best list: NUMBER ||| TEXT ||| SCORE or "
                "NUMBER ||| TEXT ||| FEATURES ||| SCORE",
                place, shown(text));
  }
  line.sentence = *number;
  return line;
}

void check_order(const NbestList& list, const NbestLine& next) {
  const int64_t due = list.sentences();
  if (next.sentence == due || (due > 0 && next.sentence == due - 1)) return;
  throw_error(ErrorKind::kData,
              "{}: number {}, expected {}{}; an n-best list has all source lines in their order, "
              "numbered from 0",
              list.place(list.lines.size()), next.sentence,
              due > 0 ? fmt::format("{} or ", due - 1) : "", due);
}

}  // namespace

std::string NbestLine::text() const { return std::string(trimmed(columns[kText], kSpaces)); }

std::string NbestLine::features() const {
  return columns.size() > kScore ? columns[kFeatures] : "";
}

std::string NbestLine::written() const { return fmt::format("{}\n", fmt::join(columns, kBar)); }

void NbestLine::add_feature(const std::string& name, double value) {
  if (columns.size() <= kScore) columns.insert(columns.begin() + kFeatures, " ");
  std::string& own = columns[kFeatures];
  if (!own.ends_with(' ')) own += ' ';
  own += fmt::format("{}= {:.6f} ", name, value);
}

void NbestLine::set_score(double score) {
  const bool is_last = columns.size() == kScore + 1;
  columns.at(kScore) = fmt::format(" {:.6f}{}", score, is_last ? "" : " ");
}

std::string NbestList::place(size_t line) const { return fmt::format("{}:{}", path, line + 1); }

NbestList read_nbest_list(const std::string& path) {
  NbestList list{.path = input_name(path)};
  LineReader reader(path);
  for (std::string text; reader.next(text);) {
    NbestLine line = parse_line(text, list.place(list.lines.size()));
    check_order(list, line);
    list.lines.push_back(std::move(line));
  }
  return list;
}

Features parse_features(const std::string& text, const std::string& place) {
  Features features;
  std::vector<double>* values = nullptr;
  for (const std::string& word : split_words(text)) {
    if (word.ends_with('=')) {
      const auto [own, is_new] = features.try_emplace(word.substr(0, word.size() - 1));
      if (!is_new)
        throw_error(ErrorKind::kData, "{}: feature {} comes twice; name it otherwise", place,
                    own->first);
      values = &own->second;
      continue;
    }
    const auto value = read_value(word);
    if (values == nullptr || !value) {
      throw_error(ErrorKind::kData,
                  "{}: found '{}', expected features NAME= VALUE …, such as LM0= -12.5", place,
                  word);
    }
    values->push_back(*value);
  }
  return features;
}

namespace {

void check_weights(const Features& weights, const std::string& place) {
  for (const auto& [name, values] : weights) {
    if (!std::ranges::all_of(values, [](double weight) { return std::isfinite(weight); }))
      throw_error(ErrorKind::kData, "{}: a weight of {} is -inf, expected a number", place, name);
  }
}

[[noreturn]] void refuse_sum(double sum, const Features& features, const std::string& place) {
  std::vector<std::string> infinite;
  for (const auto& [name, values] : features) {
    if (std::ranges::count(values, -HUGE_VAL) > 0) infinite.push_back(name);
  }
  throw_error(
      ErrorKind::kData,
      "{}: the weighted sum of its features is {}{}; remove the line, or change the weights", place,
      std::isnan(sum) ? "not a number" : "infinite",
      infinite.empty() ? "" : fmt::format(", because of -inf in {}", fmt::join(infinite, " and ")));
}

}  // namespace

Features read_feature_weights(const std::string& path) {
  LineReader reader(path);
  std::string features;
  bool in_section = true;
  for (std::string line; reader.next(line);) {
    line = std::string(trimmed(line, kSpaces));
    if (line.starts_with("[")) {
      in_section = line == "[weight]";
      if (in_section) features.clear();
    } else if (in_section && !line.starts_with('#')) {
      const std::string place = fmt::format("{}:{}", path, reader.line_number());
      check_weights(parse_features(line, place), place);
      features += line + " ";
    }
  }
  const Features weights = parse_features(features, path);
  if (weights.empty()) {
    throw_error(ErrorKind::kData, "{}: no weights; expected a line NAME= WEIGHT for each feature",
                path);
  }
  return weights;
}

double weighted_sum(const Features& features, const Features& weights, const std::string& place) {
  double sum = 0;
  for (const auto& [name, values] : features) {
    const auto found = weights.find(name);
    const size_t count = found == weights.end() ? 0 : found->second.size();
    if (count != values.size()) {
      throw_error(ErrorKind::kData, "{}: feature {} has {} values, but {} weights", place, name,
                  values.size(), count);
    }
    for (size_t i = 0; i < count; ++i) {
      if (found->second[i] != 0) sum += found->second[i] * values[i];
    }
  }
  for (const auto& [name, unused] : weights) {
    if (!features.contains(name))
      throw_error(ErrorKind::kData, "{}: no feature {}, which has a weight; leave the weight out",
                  place, name);
  }
  if (!(sum < HUGE_VAL)) refuse_sum(sum, features, place);
  return sum;
}

std::vector<size_t> ranked_lines(const NbestList& list, const std::vector<double>& scores) {
  std::vector<size_t> order(list.lines.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto score = [&scores](size_t line) {
    return std::isnan(scores[line]) ? -HUGE_VAL : scores[line];
  };
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    const int64_t left = list.lines[a].sentence, right = list.lines[b].sentence;
    return left != right ? left < right : score(a) > score(b);
  });
  return order;
}

}  // namespace heed
