#include "search/beam.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"

namespace heed {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

bool Beam::is_better(const Candidate& a, const Candidate& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  return a.parent != b.parent ? a.parent < b.parent : a.id < b.id;
}

std::vector<Beam::Candidate> Beam::candidates(const TopK& best, int64_t first_row,
                                              const Penalty& penalty) const {
  std::vector<Candidate> found;
  for (int64_t i = 0; i < std::ssize(live_); ++i) {
    const int64_t row = first_row + i;
    for (int64_t k = row * best.count; k < (row + 1) * best.count && best.id[k] >= 0; ++k) {
      const double own = live_[i].log_probability + best.log_probability[k];
      const auto penalized = penalty.find(best.id[k]);
      const double rank = penalized == penalty.end() ? own : own - penalized->second;
      found.push_back({rank, own, i, best.id[k]});
    }
  }
  const auto most = std::min<size_t>(found.size(), wanted());
  std::partial_sort(found.begin(), found.begin() + static_cast<ptrdiff_t>(most), found.end(),
                    is_better);
  found.resize(most);
  return found;
}

// Equal scores keep the order in which they were found.
void Beam::add_end(const End& end) {
  const auto worse =
      std::ranges::find_if(ends_, [&](const End& other) { return other.score < end.score; });
  ends_.insert(worse, end);
}

void Beam::end_unfinished(bool stuck) {
  for (const Live& cut : live_) add_end({cut.node, cut.log_probability, score(cut), false, stuck});
}

void Beam::advance(const TopK& best, int64_t first_row, const AttentionOfRow& attention,
                   const Penalty& penalty) {
  const auto beam = static_cast<size_t>(config().beam);
  if (length_ >= lengths().longest)
    limited_ = ends_.empty() || best_unfinished_score() > ends_.front().score;
  std::vector<Coverage> covered;  // of each living one with this step
  for (size_t i = 0; config().coverage_penalty > 0 && i < live_.size(); ++i) {
    covered.push_back(live_[i].coverage);
    const auto weights = attention(first_row + static_cast<int64_t>(i));
    HEED_CHECK(weights.has_value(), "a coverage penalty wants a model with weights");
    covered.back().add(*weights);
  }
  std::vector<Live> next;
  const std::vector<Candidate> found = candidates(best, first_row, penalty);
  for (size_t i = 0; i < found.size() && next.size() < beam; ++i) {
    const Candidate& candidate = found[i];
    if (candidate.id == kEnd && i >= beam) continue;
    const int64_t node =
        add_node(candidate.parent, candidate.id, candidate.log_probability, first_row, attention);
    const Coverage read = covered.empty() ? Coverage() : covered[candidate.parent];
    if (candidate.id != kEnd) {
      next.push_back({candidate.log_probability, read, candidate.id, candidate.parent, node});
      continue;
    }
    const double own = score(node, candidate.log_probability, length_ + 1, read.value());
    add_end({node, candidate.log_probability, own, true});
  }
  if (next.empty() && ends_.empty()) end_unfinished(true);
  live_ = std::move(next);
  ++length_;
  done_ = is_done();
}

double Beam::best_unfinished_score() const {
  double best = kImpossible;
  for (const Live& one : live_) best = std::max(best, score(one));
  return best;
}

bool Beam::is_done() const {
  if (live_.empty()) return true;
  if (std::ssize(ends_) < config().nbest) return false;
  const double alive = best_unfinished_score();
  double most_probable = kImpossible;
  for (const Live& one : live_) {
    most_probable = std::max(most_probable, one.log_probability - prefix_of(one.node));
  }
  const auto ahead =
      std::count_if(ends_.begin(), ends_.end(), [&](const End& end) { return end.score >= alive; });
  if (static_cast<double>(ahead) >= config().patience * static_cast<double>(config().beam))
    return true;
  return bound(most_probable) <= ends_[config().nbest - 1].score;
}

void Beam::stop() {
  end_unfinished(false);
  live_.clear();
  done_ = true;
}

std::vector<Hypothesis> Beam::results() const {
  std::vector<Hypothesis> results;
  for (const End& end : ends_) {
    if (std::ssize(results) == config().nbest) break;
    results.push_back(trace(end));
  }
  if (!results.empty()) results.front().limited = limited_;
  return results;
}

Hypothesis Beam::best_so_far() const {
  std::optional<End> best;
  if (!ends_.empty()) best = ends_.front();
  for (const Live& one : live_) {
    if (const double own = score(one); !best || own > best->score)
      best = End{one.node, one.log_probability, own, false};
  }
  return trace(*best);
}

}  // namespace heed
