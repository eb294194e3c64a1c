#include "markup/placement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "markup/character_references.h"

namespace heed {

namespace {

using NodeKind = MarkupNode::Kind;

struct UnitSpan {
  size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

struct PlacedNode {
  const MarkupNode* node;
  UnitSpan span;
  std::vector<PlacedNode> children{};
};

void add_cuts(const std::vector<MarkupNode>& nodes, std::vector<size_t>& cuts) {
  for (const MarkupNode& node : nodes) {
    cuts.push_back(node.begin);
    cuts.push_back(node.end);
    add_cuts(node.children, cuts);
  }
}

// Sums of weights over source units.
class WeightSums {
 public:
  WeightSums(const UnitWeights& weights, size_t sources) : sources_(sources) {
    for (const std::vector<float>& row : weights) {
      std::vector<double>& sums = sums_.emplace_back(1, 0.0);
      for (size_t s = 0; s < sources; ++s) sums.push_back(sums.back() + row[s]);
    }
  }
  // Share of the weights of target unit t that is over these source units; 0 without weights.
  double share(size_t t, const UnitSpan& span) const {
    const std::vector<double>& sums = sums_[t];
    return sums[sources_] > 0 ? (sums[span.end] - sums[span.begin]) / sums[sources_] : 0;
  }
  size_t targets() const { return sums_.size(); }
  size_t sources() const { return sources_; }

 private:
  size_t sources_;
  std::vector<std::vector<double>> sums_;
};

struct ScoredSpan {
  UnitSpan span;
  double gain = 0;
};

class Placement {
 public:
  Placement(std::string_view source_text, const std::vector<TextUnit>& source,
            std::string_view target_text, const std::vector<TextUnit>& target,
            const WeightSums& weights)
      : source_text_(source_text),
        target_text_(target_text),
        source_(source),
        target_(target),
        weights_(weights) {}

  std::vector<PlacedNode> place(const std::vector<MarkupNode>& nodes) const {
    return place(nodes, {0, source_.size()}, {0, target_.size()});
  }

 private:
  // The first source unit that begins at this byte or behind it.
  size_t unit_at(size_t byte) const {
    return static_cast<size_t>(std::ranges::lower_bound(source_, byte, {}, &TextUnit::begin) -
                               source_.begin());
  }
  UnitSpan units_in(const MarkupNode& node) const {
    return {unit_at(node.begin), unit_at(node.end)};
  }

  // from: source units of the parent; into: target units of it.
  std::vector<PlacedNode> place(const std::vector<MarkupNode>& nodes, UnitSpan from,
                                UnitSpan into) const {
    std::vector<UnitSpan> spans(nodes.size());
    std::vector<bool> is_placed(nodes.size(), false);
    std::vector<UnitSpan> gaps{into};
    for (const size_t i : surest_first(nodes, into)) {
      const auto found = find_span(nodes[i], from, into, gaps);
      if (!found) continue;
      spans[i] = *found;
      is_placed[i] = true;
      take(nodes[i], *found, gaps);
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (is_placed[i]) continue;
      const size_t at = boundary(units_in(nodes[i]), from, into, gaps);
      spans[i] = {at, at};
    }
    std::vector<size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, {}, [&](size_t i) { return std::pair(spans[i].begin, !spans[i].empty()); });
    std::vector<PlacedNode> placed;
    for (const size_t i : order)
      placed.push_back(
          {&nodes[i], spans[i], place(nodes[i].children, units_in(nodes[i]), spans[i])});
    return placed;
  }

  // Indices of the nodes with text.
  std::vector<size_t> surest_first(const std::vector<MarkupNode>& nodes, UnitSpan into) const {
    std::vector<size_t> order;
    std::vector<double> gains(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      const UnitSpan units = units_in(nodes[i]);
      if (units.empty()) continue;
      order.push_back(i);
      gains[i] = reaches_begin(nodes[i]) || reaches_end(nodes[i])
                     ? INFINITY
                     : best_span(units, into, threshold(units, into)).gain;
    }
    std::ranges::stable_sort(order, std::ranges::greater(), [&](size_t i) { return gains[i]; });
    return order;
  }

  std::optional<UnitSpan> find_span(const MarkupNode& node, UnitSpan from, UnitSpan into,
                                    const std::vector<UnitSpan>& gaps) const {
    const UnitSpan units = units_in(node);
    const bool is_all = units.begin == from.begin && units.end == from.end;
    if (is_all && node.kind == NodeKind::kElement)
      return into.empty() ? std::nullopt : std::optional(into);
    const double least = node.kind == NodeKind::kKept ? kSure : threshold(units, into);
    if (reaches_begin(node)) return best_beginning(units, gaps.front(), least);
    if (reaches_end(node)) return best_end(units, gaps.back(), least);
    ScoredSpan best;
    UnitSpan inside;
    for (const UnitSpan& gap : gaps) {
      const ScoredSpan own = best_span(units, gap, least);
      if (own.gain <= best.gain) continue;
      best = own;
      inside = gap;
    }
    if (best.gain <= 0) return std::nullopt;
    return node.kind == NodeKind::kKept ? best.span
                                        : with_outer_punctuation(units, best.span, inside);
  }

  // θ
  double threshold(UnitSpan units, UnitSpan into) const {
    double most = 0;
    for (size_t t = into.begin; t < into.end; ++t) most = std::max(most, weights_.share(t, units));
    return std::max(kLeast, most / 2);
  }

  ScoredSpan best_span(UnitSpan units, UnitSpan gap, double least) const {
    ScoredSpan best;
    double sum = 0;
    size_t begin = gap.begin;
    for (size_t t = gap.begin; t < gap.end; ++t) {
      if (sum <= 0) {
        sum = 0;
        begin = t;
      }
      sum += weights_.share(t, units) - least;
      if (sum > best.gain) best = {{begin, t + 1}, sum};
    }
    return best;
  }

  // An element with one tag begins or ends with its parent: what its other tag stands beside is in
  // another block, or is not known.
  static bool reaches_begin(const MarkupNode& node) {
    return node.kind == NodeKind::kElement && node.open.empty();
  }
  static bool reaches_end(const MarkupNode& node) {
    return node.kind == NodeKind::kElement && node.close.empty() && !node.open.empty();
  }
  std::optional<UnitSpan> best_beginning(UnitSpan units, UnitSpan gap, double least) const {
    double sum = 0, most = 0;
    size_t end = gap.begin;
    for (size_t t = gap.begin; t < gap.end; ++t) {
      sum += weights_.share(t, units) - least;
      if (sum <= most) continue;
      most = sum;
      end = t + 1;
    }
    return most > 0 ? std::optional<UnitSpan>({gap.begin, end}) : std::nullopt;
  }
  std::optional<UnitSpan> best_end(UnitSpan units, UnitSpan gap, double least) const {
    double sum = 0, most = 0;
    size_t begin = gap.end;
    for (size_t t = gap.end; t > gap.begin; --t) {
      sum += weights_.share(t - 1, units) - least;
      if (sum <= most) continue;
      most = sum;
      begin = t - 1;
    }
    return most > 0 ? std::optional<UnitSpan>({begin, gap.end}) : std::nullopt;
  }

  // Punctuation at an end is inside if the same is inside in the source, and outside if a word ends
  // the span there.
  UnitSpan with_outer_punctuation(UnitSpan units, UnitSpan span, UnitSpan gap) const {
    const UnitSpan whole = span;
    if (source_[units.end - 1].is_word)
      while (!span.empty() && !target_[span.end - 1].is_word) --span.end;
    else if (span.end < gap.end && is_same(units.end - 1, span.end))
      ++span.end;
    if (source_[units.begin].is_word)
      while (!span.empty() && !target_[span.begin].is_word) ++span.begin;
    else if (span.begin > gap.begin && is_same(units.begin, span.begin - 1))
      --span.begin;
    return span.empty() ? whole : span;
  }
  bool is_same(size_t source, size_t target) const {
    const TextUnit &one = source_[source], &other = target_[target];
    return source_text_.substr(one.begin, one.end - one.begin) ==
           target_text_.substr(other.begin, other.end - other.begin);
  }

  static void take(const MarkupNode& node, UnitSpan span, std::vector<UnitSpan>& gaps) {
    if (reaches_begin(node)) {
      gaps.front().begin = span.end;
      return;
    }
    if (reaches_end(node)) {
      gaps.back().end = span.begin;
      return;
    }
    const auto gap = std::ranges::find_if(gaps, [span](const UnitSpan& one) {
      return one.begin <= span.begin && span.end <= one.end;
    });
    const UnitSpan behind{span.end, gap->end};
    gap->end = span.begin;
    gaps.insert(gap + 1, behind);
  }

  // Place of a node without a span: before this unit of the translation.
  size_t boundary(UnitSpan units, UnitSpan from, UnitSpan into,
                  const std::vector<UnitSpan>& gaps) const {
    if (units.begin == from.begin) return into.begin;
    if (units.end == from.end) return into.end;
    const UnitSpan left{units.begin - 1, units.begin}, right{units.end, units.end + 1};
    // Without weights the place is in proportion.
    const double share =
        static_cast<double>(units.begin - from.begin) / static_cast<double>(from.end - from.begin);
    const double expected =
        static_cast<double>(into.begin) + share * static_cast<double>(into.end - into.begin);
    std::optional<size_t> best;
    std::pair<double, double> most;
    for (const UnitSpan& gap : gaps) {
      for (size_t at = gap.begin; at <= gap.end; ++at) {
        double near = 0;
        if (at > into.begin) near += weights_.share(at - 1, left);
        if (at < into.end) near += weights_.share(at, right);
        const std::pair own(near < kLeast ? 0 : near,
                            -std::abs(static_cast<double>(at) - expected));
        if (!best || own > most) {
          best = at;
          most = own;
        }
      }
    }
    return *best;
  }

  static constexpr double kLeast = 0.1;  // share of weights that is more than chance
  static constexpr double kSure = 0.5;   // of a kept text, whose span is replaced

  std::string_view source_text_, target_text_;
  const std::vector<TextUnit>&source_, &target_;
  const WeightSums& weights_;
};

// Texts between two units, in their order.
struct Mark {
  const std::string& text;
  const OuterSpace& space;
  enum class Kind { kTag, kEndTag, kText } kind;
};

class MarkupWriter {
 public:
  MarkupWriter(const MarkedLine& line, const MarkedBlock& block, std::string_view target,
               const std::vector<TextUnit>& units)
      : line_(line), block_(block), target_(target), units_(units) {}

  PlacedText write(const std::vector<PlacedNode>& nodes) {
    write_nodes(nodes, units_.size());
    write_marks(units_.size());
    return std::move(result_);
  }

 private:
  void write_nodes(const std::vector<PlacedNode>& nodes, size_t end) {
    for (const PlacedNode& placed : nodes) {
      write_units(placed.span.begin);
      write_node(placed);
    }
    write_units(end);
  }

  void write_node(const PlacedNode& placed) {
    const MarkupNode& node = *placed.node;
    const bool has_text = !units_of(text_of(node)).empty();
    if (node.kind == NodeKind::kElement) {
      if (has_text && placed.span.empty())
        result_.empty.push_back(node.open.empty() ? node.close : node.open);
      add_mark(node.open, node.open_space, Mark::Kind::kTag);
      write_nodes(placed.children, placed.span.end);
      add_mark(node.close, node.close_space, Mark::Kind::kEndTag);
    } else if (node.kind == NodeKind::kKept && !placed.span.empty()) {
      write_marks(next_);
      result_.text += node.open;
      next_ = placed.span.end;
    } else {
      if (has_text) result_.guessed.push_back(node.open);
      add_mark(node.open, node.open_space, has_text ? Mark::Kind::kText : Mark::Kind::kTag);
    }
  }
  std::string_view text_of(const MarkupNode& node) const {
    return std::string_view(block_.text).substr(node.begin, node.end - node.begin);
  }

  void add_mark(const std::string& text, const OuterSpace& space, Mark::Kind kind) {
    if (!text.empty()) marks_.push_back({text, space, kind});
  }

  void write_units(size_t end) {
    while (next_ < end) {
      write_marks(next_);
      const TextUnit& unit = units_[next_++];
      result_.text += encoded(target_.substr(unit.begin, unit.end - unit.begin));
    }
  }
  std::string encoded(std::string_view text) const {
    return line_.encodes ? encoded_text(text, line_.encodes_greater) : std::string(text);
  }

  // Writes what is between the unit before `unit` and this one.
  void write_marks(size_t unit) {
    const size_t begin = unit == 0 ? 0 : units_[unit - 1].end;
    const size_t end = unit == units_.size() ? target_.size() : units_[unit].begin;
    const std::string space = encoded(target_.substr(begin, end - begin));
    const bool is_edge = unit == 0 || unit == units_.size();
    std::vector<std::string> spaces(marks_.size() + 1);
    const bool has_text = std::ranges::count(marks_, Mark::Kind::kText, &Mark::kind) > 0;
    if (!space.empty() || is_edge || has_text) take_spaces(is_edge, spaces);
    if (std::ranges::all_of(spaces, &std::string::empty)) spaces[usual_place()] = space;
    for (size_t i = 0; i < spaces.size(); ++i) {
      result_.text += spaces[i];
      if (i < marks_.size()) result_.text += marks_[i].text;
    }
    marks_.clear();
  }

  // Finds the white space before each mark, and behind the last, that the source has there too.
  void take_spaces(bool is_edge, std::vector<std::string>& spaces) const {
    for (size_t i = 0; i <= marks_.size(); ++i) {
      const bool is_outer = i == 0 || i == marks_.size();
      if (marks_.empty() || (is_outer && is_edge && outside(i))) continue;
      const std::string *left = i == 0 ? nullptr : &marks_[i - 1].space.behind,
                        *right = i == marks_.size() ? nullptr : &marks_[i].space.before;
      const bool both =
          (left == nullptr || !left->empty()) && (right == nullptr || !right->empty());
      if (both) spaces[i] = left != nullptr ? *left : *right;
    }
  }
  // True if there is no unit at this end.
  bool outside(size_t i) const { return i == 0 ? next_ == 0 : next_ == units_.size(); }

  // White space is behind end tags and before others.
  size_t usual_place() const {
    size_t at = 0;
    while (at < marks_.size() && marks_[at].kind == Mark::Kind::kEndTag) ++at;
    return at;
  }

  const MarkedLine& line_;
  const MarkedBlock& block_;
  std::string_view target_;
  const std::vector<TextUnit>& units_;
  PlacedText result_;
  size_t next_ = 0;          // unit
  std::vector<Mark> marks_;  // before it
};

// Multiplies each weight by its share of the largest one over the same source unit.
void sharpen(UnitWeights& weights) {
  for (size_t s = 0; !weights.empty() && s < weights.front().size(); ++s) {
    float most = 0;
    for (const std::vector<float>& row : weights) most = std::max(most, row[s]);
    if (most == 0) continue;
    for (std::vector<float>& row : weights) row[s] *= row[s] / most;
  }
}

// Links one target unit to one source unit, and both to nothing else.
void link_alone(size_t target, size_t source, UnitWeights& weights) {
  for (std::vector<float>& row : weights) row[source] = 0;
  std::ranges::fill(weights[target], 0.0F);
  weights[target][source] = 1;
}

// True for a word that hardly means something else in another language: it has a capital, a digit or
// five characters.
bool is_telling(const std::string& word) {
  constexpr size_t kLong = 5;
  size_t count = 0;
  for (size_t at = 0; at < word.size(); ++count) {
    const auto c = next_code_point(word, at);
    if (!c || !is_of_kind(*c, CharacterKind::kLetterOrDigit)) continue;
    if (is_of_kind(*c, CharacterKind::kCapital) || !is_of_kind(*c, CharacterKind::kLetter))
      return true;
  }
  return count >= kLong;
}

// Links words that both texts have equally often, in their order.
void link_equal_words(const std::vector<std::string>& source,
                      const std::vector<std::string>& target, UnitWeights& weights) {
  std::map<std::string_view, std::pair<std::vector<size_t>, std::vector<size_t>>> places;
  for (size_t s = 0; s < source.size(); ++s)
    if (is_telling(source[s])) places[source[s]].first.push_back(s);
  for (size_t t = 0; t < target.size(); ++t) {
    const auto found = places.find(target[t]);
    if (found != places.end()) found->second.second.push_back(t);
  }
  for (const auto& [word, own] : places) {
    if (own.first.size() != own.second.size()) continue;
    for (size_t i = 0; i < own.first.size(); ++i) link_alone(own.second[i], own.first[i], weights);
  }
}

// Kept texts that a translation has as they are: their units are linked to those of the source, and to
// nothing else.
class KeptTexts {
 public:
  KeptTexts(const MarkedBlock& block, const std::vector<TextUnit>& source, std::string_view target,
            const std::vector<TextUnit>& units, UnitWeights& weights)
      : block_(block), source_(source), target_(target), units_(units), weights_(weights) {}

  // Returns those that the translation has more often than the source.
  std::vector<std::string> link() {
    collect(block_.nodes);
    std::vector<std::string> repeated;
    for (const auto& [text, nodes] : nodes_) {
      std::vector<UnitSpan> found = occurrences(text);
      for (const MarkupNode* node : nodes) link(units_in(*node), found);
      if (!found.empty()) repeated.emplace_back(text);
    }
    return repeated;
  }

 private:
  void collect(const std::vector<MarkupNode>& nodes) {
    for (const MarkupNode& node : nodes) {
      if (node.kind == NodeKind::kKept)
        nodes_[std::string_view(block_.text).substr(node.begin, node.end - node.begin)].push_back(
            &node);
      collect(node.children);
    }
  }

  UnitSpan units_in(const MarkupNode& node) const {
    const auto at = [this](size_t byte) {
      return static_cast<size_t>(std::ranges::lower_bound(source_, byte, {}, &TextUnit::begin) -
                                 source_.begin());
    };
    return {at(node.begin), at(node.end)};
  }

  // Spans of whole units, without overlaps.
  std::vector<UnitSpan> occurrences(std::string_view text) const {
    std::vector<UnitSpan> found;
    for (size_t at = 0; (at = target_.find(text, at)) != std::string_view::npos;) {
      const auto first = std::ranges::lower_bound(units_, at, {}, &TextUnit::begin);
      const auto last = std::ranges::lower_bound(units_, at + text.size(), {}, &TextUnit::end);
      const bool is_whole = first != units_.end() && first->begin == at && last != units_.end() &&
                            last->end == at + text.size();
      if (is_whole)
        found.push_back({static_cast<size_t>(first - units_.begin()),
                         static_cast<size_t>(last - units_.begin()) + 1});
      at += is_whole ? text.size() : 1;
    }
    return found;
  }

  // Links the units of the source to the occurrence that has the most weights over them.
  void link(UnitSpan own, std::vector<UnitSpan>& found) {
    const auto weight = [&](const UnitSpan& span) {
      double sum = 0;
      for (size_t t = span.begin; t < span.end; ++t)
        for (size_t s = own.begin; s < own.end; ++s) sum += weights_[t][s];
      return sum;
    };
    if (found.empty()) return;
    const auto best = std::ranges::max_element(found, {}, weight);
    for (size_t t = 0; t < weights_.size(); ++t) {
      const bool is_in = best->begin <= t && t < best->end;
      for (size_t s = 0; s < weights_[t].size(); ++s) {
        const bool is_own = own.begin <= s && s < own.end;
        if (is_in || is_own) weights_[t][s] = is_in && is_own ? 1.0F : 0.0F;
      }
    }
    found.erase(best);
  }

  const MarkedBlock& block_;
  const std::vector<TextUnit>& source_;
  std::string_view target_;
  const std::vector<TextUnit>& units_;
  UnitWeights& weights_;
  std::map<std::string_view, std::vector<const MarkupNode*>> nodes_;
};

}  // namespace

std::vector<TextUnit> source_units(const MarkedBlock& block) {
  std::vector<size_t> cuts;
  add_cuts(block.nodes, cuts);
  return hyphenless_units_of(block.text, std::move(cuts));
}

std::vector<TextUnit> target_units_of(std::string_view translation) {
  return hyphenless_units_of(translation);
}

PlacedText place_markup(const MarkedLine& line, const MarkedBlock& block,
                        const std::vector<TextUnit>& source, std::string_view target,
                        const std::vector<TextUnit>& target_units, UnitWeights weights) {
  HEED_CHECK(weights.size() == target_units.size(), "a row of weights for each unit");
  sharpen(weights);
  link_equal_words(unit_texts(block.text, source), unit_texts(target, target_units), weights);
  std::vector<std::string> repeated =
      KeptTexts(block, source, target, target_units, weights).link();
  const WeightSums sums(weights, source.size());
  const auto placed = Placement(block.text, source, target, target_units, sums).place(block.nodes);
  PlacedText result = MarkupWriter(line, block, target, target_units).write(placed);
  result.repeated = std::move(repeated);
  return result;
}

}  // namespace heed
