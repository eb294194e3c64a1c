#include "translate/nbest_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/floating_point.h"
#include "base/line_separators.h"
#include "base/utf8.h"
#include "config/numbers.h"
#include "config/tree.h"
#include "translate/nbest_text.h"

namespace heed {

namespace {

constexpr std::string_view kBar = "|||", kSpaces = " \t";
constexpr size_t kText = 1;  // its column

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
  const auto [behind, error] = floating_point_from(text.data(), end, value);
  if (error != std::errc() || behind != end || !(value < HUGE_VAL)) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_line(const std::string& text, const std::string& place) {
  throw_error(ErrorKind::kData,
              "{}: found '{}', expected a line of an n-best list: NUMBER ||| TEXT ||| SCORE or "
              "NUMBER ||| TEXT ||| FEATURES ||| SCORE",
              place, shown(text));
}

bool is_score(const std::string& column) {
  return read_value(trimmed(column, kSpaces)).has_value();
}

// Marian's alignments, hard (0-0 1-2) or soft (0.9,0.1 …), and its scores of words.
bool is_of_marian(const std::string& column) {
  const std::vector<std::string> words = split_words(column);
  return std::ranges::all_of(words,
                             [](const std::string& word) {
                               return word.find_first_not_of("0123456789.,-+e") ==
                                      std::string::npos;
                             }) ||
         words.front().starts_with("WordScores=");
}

// A ||| of the text would be taken for the end of its column.
void check_other_columns(const NbestLine& line, const std::string& place) {
  const auto begin = line.columns.begin();
  const auto score = begin + static_cast<int64_t>(line.score);
  const auto refuse = [&](const std::string& column, const char* expected) {
    throw_error(ErrorKind::kData,
                "{}: found the column '{}', expected {}; if it is of a text with ||| in it, write "
                "the list as JSON",
                place, shown(trimmed(column, kSpaces)), expected);
  };
  for (auto column = begin + kText + 1; column + 1 < score; ++column) {
    if (!is_of_marian(*column)) refuse(*column, "alignments or WordScores before the features");
  }
  for (auto column = score + 1; column != line.columns.end(); ++column) {
    if (is_score(*column)) refuse(*column, "one column with a score");
  }
}

NbestLine parse_line(const std::string& text, const std::string& place) {
  NbestLine line{.columns = split_columns(text)};
  const auto first = line.columns.begin() + std::min<size_t>(kText + 1, line.columns.size());
  const auto score = std::find_if(first, line.columns.end(), is_score);
  const auto number = to_integer(trimmed(line.columns.front(), kSpaces));
  if (score == line.columns.end() || !number) refuse_line(text, place);
  line.score = static_cast<size_t>(score - line.columns.begin());
  line.sentence = *number;
  check_other_columns(line, place);
  return line;
}

// The translations of a source line, as text_column() has them.
std::vector<NbestLine> parse_json(const std::string& text, const std::string& place) {
  const auto refuse = [&](const char* expected) {
    throw_error(ErrorKind::kData,
                "{}: found '{}', expected {} as `heed translate --format json` "
                "writes it",
                place, shown(text), expected);
  };
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("line") || !json["line"].is_number_integer() ||
      !json.contains("translations") || !json["translations"].is_array())
    refuse("an object with `line` and `translations`");
  std::vector<NbestLine> lines;
  for (const auto& one : json["translations"]) {
    if (!one.is_object() || !one.contains("text") || !one["text"].is_string())
      refuse("`text` in each of the translations");
    const auto own = one["text"].get<std::string>();
    if (has_line_separator(own)) refuse("texts of one line");
    const nlohmann::json score = one.value("score", nlohmann::json());
    if (!score.is_number() && !score.is_null()) refuse("a number as `score`");  // null: -inf
    const double value = score.is_null() ? -HUGE_VAL : score.get<double>();
    const int64_t sentence = json["line"].get<int64_t>() - 1;
    lines.push_back(
        {.sentence = sentence,
         .columns = {fmt::format("{} ", sentence), fmt::format(" {} ", text_column(own)),
                     fmt::format(" {:.6f}", value)}});
  }
  return lines;
}

std::vector<NbestLine> parse(const std::string& text, const std::string& place) {
  if (const size_t malformed = find_malformed(text); malformed != std::string::npos) {
    throw_error(ErrorKind::kData, "{}: malformed UTF-8 at byte {}; correct the line", place,
                malformed + 1);
  }
  if (text.starts_with('{')) return parse_json(text, place);
  return {parse_line(text, place)};
}

void check_order(const NbestList& list, const NbestLine& next, const std::string& place) {
  const int64_t due = list.sentences();
  if (next.sentence == due || (due > 0 && next.sentence == due - 1)) return;
  throw_error(ErrorKind::kData,
              "{}: number {}, expected {}{}; an n-best list has all source lines in their order, "
              "numbered from 0",
              place, next.sentence, due > 0 ? fmt::format("{} or ", due - 1) : "", due);
}

}  // namespace

std::string NbestLine::text() const { return column_text(trimmed(columns[kText], kSpaces)); }

std::string NbestLine::features() const { return score > kText + 1 ? columns[score - 1] : ""; }

std::string NbestLine::written() const { return fmt::format("{}\n", fmt::join(columns, kBar)); }

void NbestLine::add_feature(const std::string& name, double value) {
  if (score == kText + 1) columns.insert(columns.begin() + static_cast<int64_t>(score++), " ");
  std::string& own = columns[score - 1];
  if (!own.ends_with(' ')) own += ' ';
  own += fmt::format("{}= {:.6f} ", name, value);
}

void NbestLine::set_score(double value) {
  const bool is_last = columns.size() == score + 1;
  columns.at(score) = fmt::format(" {:.6f}{}", value, is_last ? "" : " ");
}

std::string NbestList::place(size_t line) const {
  return fmt::format("{}:{}", path, lines[line].number);
}

NbestList read_nbest_list(const std::string& path) {
  NbestList list{.path = input_name(path)};
  LineReader reader(path);
  for (std::string text; reader.next(text);) {
    const std::string place = fmt::format("{}:{}", list.path, reader.line_number());
    for (NbestLine& line : parse(text, place)) {
      check_order(list, line, place);
      line.number = reader.line_number();
      list.lines.push_back(std::move(line));
    }
  }
  return list;
}

FeatureValues parse_features(const std::string& text, const std::string& place) {
  FeatureValues features;
  std::vector<double>* values = nullptr;
  for (const std::string& word : split_words(text)) {
    const size_t behind_name = word.rfind('=') + 1;  // 0: a value alone
    if (behind_name > 0) {
      const auto [own, is_new] = features.try_emplace(word.substr(0, behind_name - 1));
      if (!is_new)
        throw_error(ErrorKind::kData, "{}: feature {} comes twice; name it otherwise", place,
                    own->first);
      values = &own->second;
      if (behind_name == word.size()) continue;
    }
    const auto value = read_value(word.substr(behind_name));  // Marian writes F0=-1.5
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

void check_weights(const FeatureValues& weights, const std::string& place) {
  for (const auto& [name, values] : weights) {
    if (!std::ranges::all_of(values, [](double weight) { return std::isfinite(weight); }))
      throw_error(ErrorKind::kData, "{}: a weight of {} is -inf, expected a number", place, name);
  }
}

[[noreturn]] void refuse_sum(double sum, const FeatureValues& features, const std::string& place) {
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

FeatureValues read_feature_weights(const std::string& path) {
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
  const FeatureValues weights = parse_features(features, path);
  if (weights.empty()) {
    throw_error(ErrorKind::kData, "{}: no weights; expected a line NAME= WEIGHT for each feature",
                path);
  }
  return weights;
}

double weighted_sum(const FeatureValues& features, const FeatureValues& weights,
                    const std::string& place) {
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
