#include "metric/shifted_edits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "metric/word_positions.h"

namespace heed {

namespace {

constexpr size_t kLongestShift = 10, kFarthestShift = 50, kMostShifts = 1000, kBeamWidth = 25;
constexpr size_t kUnreached = std::numeric_limits<size_t>::max() / 2;

using Sentence = std::vector<uint32_t>;
using Position = std::ptrdiff_t;

enum class Edit : uint8_t { kMatch, kReplace, kDelete, kInsert };

struct EditCell {
  size_t cost = kUnreached;
  Edit edit = Edit::kMatch;  // last edit on the path to this cell

  void improve(size_t other, Edit by) {
    if (other < cost) *this = {other, by};
  }
};

// Cells of a table row near the diagonal.
struct EditRow {
  size_t first = 0;  // column
  std::vector<EditCell> cells{};

  const EditCell* find(size_t column) const {
    const bool is_inside = column >= first && column - first < cells.size();
    return is_inside ? &cells[column - first] : nullptr;
  }
  size_t cost(size_t column) const {
    const EditCell* cell = find(column);
    return cell != nullptr ? cell->cost : kUnreached;
  }
};

// Alignment of the words, which limits the source and target positions of a shift.
struct EditAlignment {
  std::vector<Position> hypothesis;  // last hypothesis word read at each reference word
  // Number of words with an error before each position.
  std::vector<size_t> hypothesis_errors, reference_errors;
};

// True if one of these words has an error.
bool has_errors(const std::vector<size_t>& before, size_t start, size_t length) {
  return before[start + length] > before[start];
}

// Edit distances between prefixes of a hypothesis (rows) and of the reference (columns).
class EditTable {
 public:
  EditTable(const Sentence& reference, size_t hypothesis_length);

  void fill(const Sentence& hypothesis);
  size_t distance() const { return rows_.back().cost(reference_.size()); }
  EditAlignment align() const;
  // Distance of a hypothesis with the length of the table's, whose first `same` words are equal.
  size_t distance_of(const Sentence& hypothesis, size_t same) const;

 private:
  size_t diagonal(size_t row) const {
    return static_cast<size_t>(std::floor(static_cast<double>(row) * columns_per_row_));
  }
  // Fills `result`, the row below `above`, for the prefix that ends in `word`.
  void fill_row(size_t row, uint32_t word, const EditRow& above, EditRow& result) const;

  const Sentence& reference_;
  double columns_per_row_;
  size_t beam_width_ = kBeamWidth;
  std::vector<EditRow> rows_;
};

EditTable::EditTable(const Sentence& reference, size_t hypothesis_length)
    : reference_(reference),
      columns_per_row_(hypothesis_length == 0 ? 1
                                              : static_cast<double>(reference.size()) /
                                                    static_cast<double>(hypothesis_length)),
      rows_(hypothesis_length + 1) {
  // Beams of neighbouring rows must overlap.
  const double half_step = columns_per_row_ / 2;
  if (half_step > kBeamWidth)
    beam_width_ = static_cast<size_t>(std::ceil(half_step + static_cast<double>(kBeamWidth)));
  for (size_t column = 0; column <= reference.size(); ++column)
    rows_[0].cells.push_back({column, Edit::kInsert});
}

void EditTable::fill(const Sentence& hypothesis) {
  for (size_t row = 1; row < rows_.size(); ++row)
    fill_row(row, hypothesis[row - 1], rows_[row - 1], rows_[row]);
}

size_t EditTable::distance_of(const Sentence& hypothesis, size_t same) const {
  EditRow rows[2];
  const EditRow* above = &rows_[same];
  for (size_t row = same + 1; row < rows_.size(); ++row) {
    EditRow& next = rows[row % 2];
    fill_row(row, hypothesis[row - 1], *above, next);
    above = &next;
  }
  return above->cost(reference_.size());
}

void EditTable::fill_row(size_t row, uint32_t word, const EditRow& above, EditRow& result) const {
  const size_t middle = diagonal(row), columns = reference_.size() + 1;
  const size_t end = row + 1 == rows_.size() ? columns : std::min(columns, middle + beam_width_);
  result.first = middle > beam_width_ ? middle - beam_width_ : 0;
  result.cells.assign(end - result.first, {});
  // Ties: improve() keeps the first of equally short paths, so the order of these lines matters.
  for (size_t column = result.first; column < end; ++column) {
    EditCell& cell = result.cells[column - result.first];
    if (column > 0) {
      const bool equal = word == reference_[column - 1];
      cell.improve(above.cost(column - 1) + (equal ? 0 : 1), equal ? Edit::kMatch : Edit::kReplace);
    }
    cell.improve(above.cost(column) + 1, Edit::kDelete);
    if (column > result.first) cell.improve((&cell)[-1].cost + 1, Edit::kInsert);
  }
}

EditAlignment EditTable::align() const {
  size_t row = rows_.size() - 1, column = reference_.size();
  EditAlignment result{std::vector<Position>(column), std::vector<size_t>(row + 1),
                       std::vector<size_t>(column + 1)};
  while (row > 0 || column > 0) {
    const Edit edit = rows_[row].find(column)->edit;
    const bool is_error = edit != Edit::kMatch;
    if (edit != Edit::kDelete) {
      result.hypothesis[column - 1] = static_cast<Position>(row) - 1;
      result.reference_errors[column--] = is_error;
    }
    if (edit != Edit::kInsert) result.hypothesis_errors[row--] = is_error;
  }
  for (auto* errors : {&result.hypothesis_errors, &result.reference_errors})
    std::partial_sum(errors->begin(), errors->end(), errors->begin());
  return result;
}

// Moves `length` words of the hypothesis from `start` to before the word `target`. A target inside
// these words moves them right by `target - start` words.
struct Shift {
  size_t start, length, target;

  size_t first_changed() const { return std::min(start, target); }
  void apply(Sentence& words) const;
};

void Shift::apply(Sentence& words) const {
  const auto at = [&](size_t position) { return words.begin() + static_cast<Position>(position); };
  if (target < start) {
    std::rotate(at(target), at(start), at(start + length));
  } else {
    const size_t end = target > start + length ? target : std::min(words.size(), target + length);
    std::rotate(at(start), at(start + length), at(end));
  }
}

// Tries shifts of one hypothesis and keeps the best one.
class ShiftSearch {
 public:
  ShiftSearch(const EditTable& table, const Sentence& hypothesis, const Sentence& reference,
              size_t& tried)
      : table_(table),
        hypothesis_(hypothesis),
        reference_(reference),
        alignment_(table.align()),
        tried_(tried) {}

  // Returns nullopt if no shift saves an edit or too many were tried.
  std::optional<Shift> find();

 private:
  bool is_exhausted() const { return tried_ >= kMostShifts; }
  void try_matches(size_t start, size_t reference_start);
  void try_targets(size_t start, size_t reference_start, size_t length);
  void attempt(const Shift& shift);

  const EditTable& table_;
  const Sentence& hypothesis_;
  const Sentence& reference_;
  EditAlignment alignment_;
  size_t& tried_;
  Sentence shifted_;
  std::optional<Shift> best_;
  Position saved_ = 0;  // by the best one
};

std::optional<Shift> ShiftSearch::find() {
  for (size_t start = 0; start < hypothesis_.size(); ++start) {
    const size_t first = start > kFarthestShift ? start - kFarthestShift : 0;
    const size_t end = std::min(reference_.size(), start + kFarthestShift + 1);
    for (size_t reference_start = first; reference_start < end; ++reference_start) {
      if (hypothesis_[start] == reference_[reference_start]) try_matches(start, reference_start);
      if (is_exhausted()) return std::nullopt;
    }
  }
  return saved_ > 0 ? best_ : std::nullopt;
}

// Tries every length for which the words are equal.
void ShiftSearch::try_matches(size_t start, size_t reference_start) {
  const size_t longest =
      std::min({kLongestShift, hypothesis_.size() - start, reference_.size() - reference_start});
  for (size_t length = 1; length <= longest && !is_exhausted(); ++length) {
    if (hypothesis_[start + length - 1] != reference_[reference_start + length - 1]) return;
    try_targets(start, reference_start, length);
  }
}

void ShiftSearch::try_targets(size_t start, size_t reference_start, size_t length) {
  if (!has_errors(alignment_.hypothesis_errors, start, length)) return;
  if (!has_errors(alignment_.reference_errors, reference_start, length)) return;
  const Position aligned = alignment_.hypothesis[reference_start],
                 own = static_cast<Position>(start);
  if (aligned >= own && aligned < own + static_cast<Position>(length)) return;
  // Targets: after the word before the match in the reference, and after each of its words.
  std::optional<size_t> last;
  for (size_t i = reference_start; i <= reference_start + length; ++i) {
    const size_t target = i == 0 ? 0 : static_cast<size_t>(alignment_.hypothesis[i - 1] + 1);
    if (target != last) attempt({start, length, target});
    last = target;
  }
}

// Among shifts that save the same number of edits, the longest wins, then the first start, then the
// first target.
void ShiftSearch::attempt(const Shift& shift) {
  shifted_ = hypothesis_;
  shift.apply(shifted_);
  ++tried_;
  const auto saved = static_cast<Position>(table_.distance()) -
                     static_cast<Position>(table_.distance_of(shifted_, shift.first_changed()));
  const auto rank = [](Position edits, const Shift& s) {
    return std::tuple(-edits, -static_cast<Position>(s.length), s.start, s.target);
  };
  if (best_ && rank(saved_, *best_) <= rank(saved, shift)) return;
  best_ = shift;
  saved_ = saved;
}

}  // namespace

size_t shifted_edits(const Sentence& hypothesis, const Sentence& reference) {
  constexpr double kMostPairs = 1e10;
  check_pairs("translation edit rate", hypothesis.size(), reference.size(), kMostPairs);
  if (reference.empty()) return hypothesis.size();
  Sentence words = hypothesis;
  EditTable table(reference, words.size());
  size_t shifts = 0, tried = 0;
  for (;;) {
    table.fill(words);
    const auto shift = ShiftSearch(table, words, reference, tried).find();
    if (!shift) return shifts + table.distance();
    shift->apply(words);
    ++shifts;
  }
}

}  // namespace heed
