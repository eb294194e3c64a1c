#include "report/attention_map.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

constexpr const char* kReplacement = "\uFFFD";
constexpr std::string_view kPieceSpace = "▁";  // a space inside a piece of SentencePiece

// Line separators, and the marks that turn the direction of what follows.
constexpr std::string_view kUnseen[] = {"\u2028", "\u2029", "\u200E", "\u200F", "\u202A",
                                        "\u202B", "\u202C", "\u202D", "\u202E", "\u2066",
                                        "\u2067", "\u2068", "\u2069", "\uFFFE", "\uFFFF"};

bool is_unseen(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  const auto second = static_cast<unsigned char>(character[1]);
  const bool is_c1_control = character.size() == 2 && first == 0xC2 && second < 0xA0;
  return is_c1_control ||
         std::find(std::begin(kUnseen), std::end(kUnseen), character) != std::end(kUnseen);
}

std::string visible(const std::string& piece) {
  if (piece.empty()) return "∅";
  const bool blank = piece.find_first_not_of(' ') == std::string::npos;
  std::string result;
  const std::string text = replace_malformed(piece);
  for (const auto character : code_points(text)) {
    if (blank || character == kPieceSpace) {
      result += kSpaceMark;
    } else if (is_unseen(character)) {
      result += kReplacement;
    } else {
      result += character;
    }
  }
  return result;
}

}  // namespace

void check_map(const AttentionMap& map) {
  const auto refuse = [&](const std::string& what) {
    throw_error(ErrorKind::kData, "attention map '{}': {}", map.title, what);
  };
  if (map.source.empty() || map.target.empty()) {
    refuse(fmt::format("{} source and {} target tokens; at least one of each is needed",
                       map.source.size(), map.target.size()));
  }
  if (map.weights.size() != map.target.size()) {
    refuse(fmt::format("{} rows of weights for {} target tokens; expected one row for each",
                       map.weights.size(), map.target.size()));
  }
  for (size_t t = 0; t < map.weights.size(); ++t) {
    if (map.weights[t].size() != map.source.size()) {
      refuse(fmt::format("row {} has {} weights for {} source tokens; expected one for each", t + 1,
                         map.weights[t].size(), map.source.size()));
    }
    for (const double weight : map.weights[t]) {
      if (!std::isfinite(weight))
        refuse(fmt::format("row {} has the weight {}; weights must be finite", t + 1, weight));
    }
  }
}

std::vector<std::string> caption_lines(const AttentionMap& map) {
  std::vector<std::string> lines;
  if (!map.name.empty()) lines.push_back(map.name);
  lines.push_back(fmt::format("rows: {}, columns: {}", map.rows, map.columns));
  return lines;
}

double WeightScale::fraction(double weight) const {
  return std::clamp((weight - low) / (high - low), 0.0, 1.0);
}

WeightScale weight_scale(const AttentionMap& map) { return weight_scale(std::vector{map}); }

WeightScale weight_scale(const std::vector<AttentionMap>& maps) {
  WeightScale scale{0, 0};
  for (const AttentionMap& map : maps) {
    for (const auto& row : map.weights) {
      for (const double weight : row) {
        scale.low = std::min(scale.low, weight);
        scale.high = std::max(scale.high, weight);
      }
    }
  }
  if (scale.high <= scale.low) scale.high = scale.low + 1;
  return scale;
}

size_t strongest(const std::vector<double>& row) {
  return static_cast<size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

std::string label_of(const std::string& piece, size_t width) {
  return cut_to_width(visible(piece), width);
}

}  // namespace heed
