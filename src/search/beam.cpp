#include "search/beam.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
// kPad, kBegin, kUnknown and kEnd may be among the best without being allowed.
constexpr int64_t kMostForbidden = 4;

}  // namespace

Beam::Beam(const SearchConfig& config, int64_t max_length)
    : config_(&config), max_length_(max_length), live_(1) {}

int64_t Beam::wanted(const SearchConfig& config) { return 2 * config.beam + kMostForbidden; }

bool Beam::allowed(int32_t id) const {
  switch (id) {
    case kPad:
    case kBegin:
      return false;
    case kUnknown:
      return config_->allow_unknown;
    case kEnd:
      return length_ >= config_->min_length;
    default:
      return true;
  }
}

std::vector<Beam::Candidate> Beam::candidates(const TopK& best, int64_t first_row) const {
  std::vector<Candidate> found;
  for (int64_t i = 0; i < static_cast<int64_t>(live_.size()); ++i) {
    const auto add = [&](double log_probability, int32_t id) {
      if (log_probability > kImpossible)
        found.push_back({live_[i].log_probability + log_probability, i, id});
    };
    const int64_t row = first_row + i;
    if (length_ == max_length_) {
      add(best.end[row], kEnd);
      continue;
    }
    for (int64_t k = row * best.count; k < (row + 1) * best.count && best.id[k] >= 0; ++k) {
      if (allowed(best.id[k])) add(best.log_probability[k], best.id[k]);
    }
  }
  const auto wanted = std::min<size_t>(found.size(), 2 * config_->beam);
  const auto better = [](const Candidate& a, const Candidate& b) {
    if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
    return a.parent != b.parent ? a.parent < b.parent : a.id < b.id;
  };
  std::partial_sort(found.begin(), found.begin() + static_cast<ptrdiff_t>(wanted), found.end(),
                    better);
  found.resize(wanted);
  return found;
}

void Beam::advance(const TopK& best, int64_t first_row, const std::vector<double>& coverage) {
  const auto beam = static_cast<size_t>(config_->beam);
  std::vector<Live> next;
  const std::vector<Candidate> found = candidates(best, first_row);
  for (size_t i = 0; i < found.size() && next.size() < beam; ++i) {
    const Candidate& candidate = found[i];
    if (candidate.id == kEnd && i >= beam) continue;
    const double read = coverage.empty() ? 0 : coverage[first_row + candidate.parent];
    const auto node = static_cast<int64_t>(nodes_.size());
    nodes_.push_back({live_[candidate.parent].node, candidate.id, first_row + candidate.parent});
    if (candidate.id != kEnd) {
      next.push_back({candidate.log_probability, read, candidate.id, candidate.parent, node});
      continue;
    }
    const double score = config_->score(candidate.log_probability, length_ + 1, read);
    ends_.push_back({node, candidate.log_probability, score, true});
  }
  if (next.empty() && ends_.empty()) {
    for (const Live& cut : live_) {
      const double score = config_->score(cut.log_probability, length_, cut.coverage);
      ends_.push_back({cut.node, cut.log_probability, score, false});
    }
  }
  // Equal scores keep the order in which they were found.
  std::stable_sort(ends_.begin(), ends_.end(),
                   [](const End& a, const End& b) { return a.score > b.score; });
  live_ = std::move(next);
  ++length_;
  done_ = is_done();
}

bool Beam::is_done() const {
  if (live_.empty()) return true;
  if (static_cast<int64_t>(ends_.size()) < config_->nbest) return false;
  double alive = kImpossible;
  for (const Live& one : live_)
    alive = std::max(alive, config_->score(one.log_probability, length_, one.coverage));
  const auto ahead =
      std::count_if(ends_.begin(), ends_.end(), [&](const End& end) { return end.score >= alive; });
  if (static_cast<double>(ahead) >= config_->patience * static_cast<double>(config_->beam))
    return true;
  // The most probable one, if it becomes as long as can be and reads all that there is.
  const double bound = config_->score(live_[0].log_probability, max_length_ + 1);
  return bound <= ends_[config_->nbest - 1].score;
}

std::vector<int32_t> Beam::repeats(size_t i) const {
  std::vector<int32_t> forbidden;
  const auto n = config_->no_repeat_ngram;
  if (n == 0 || length_ < n) return forbidden;
  const Ids ids = ids_up_to(live_[i].node);
  const auto last = ids.end() - (n - 1);  // where the last n - 1 begin
  for (auto begin = ids.begin(); begin != last; ++begin) {
    if (std::equal(last, ids.end(), begin)) forbidden.push_back(*(begin + (n - 1)));
  }
  return forbidden;
}

Ids Beam::ids_up_to(int64_t node) const {
  Ids ids;
  for (; node >= 0; node = nodes_[node].parent) ids.push_back(nodes_[node].id);
  std::reverse(ids.begin(), ids.end());
  return ids;
}

Beam::Finished Beam::trace(const End& end) const {
  Finished result;
  Hypothesis& hypothesis = result.hypothesis;
  for (int64_t node = end.node; node >= 0; node = nodes_[node].parent) {
    if (nodes_[node].id != kEnd) hypothesis.ids.push_back(nodes_[node].id);
    result.rows.push_back(nodes_[node].row);
  }
  std::reverse(hypothesis.ids.begin(), hypothesis.ids.end());
  std::reverse(result.rows.begin(), result.rows.end());
  hypothesis.log_probability = end.log_probability;
  hypothesis.score = end.score;
  hypothesis.finished = end.whole && static_cast<int64_t>(hypothesis.ids.size()) < max_length_;
  return result;
}

std::vector<Beam::Finished> Beam::results() const {
  std::vector<Finished> results;
  for (const End& end : ends_) {
    if (static_cast<int64_t>(results.size()) == config_->nbest) break;
    results.push_back(trace(end));
  }
  return results;
}

}  // namespace heed
