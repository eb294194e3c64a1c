#include "search/beam.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace heed {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

Beam::Beam(const SearchConfig& config, int64_t max_length, Constraints constraints,
           bool keep_attention)
    : config_(config),
      max_length_(max_length),
      constraints_(std::move(constraints)),
      keep_attention_(keep_attention),
      live_(1) {}

double Beam::score(const Live& live) const {
  return config_.score(live.log_probability, length_, live.coverage.value());
}

void Beam::limit(int64_t first_row, Limits& limits) const {
  for (size_t i = 0; i < live_.size(); ++i) {
    const auto row = first_row + static_cast<int64_t>(i);
    const NextToken next = next_token(constraints_, ids_up_to(live_[i].node));
    for (const int32_t id : next.banned) limits.banned.push_back({row, id});
    if (next.forced) limits.forced.push_back({row, *next.forced});
  }
}

std::vector<Beam::Candidate> Beam::candidates(const TopK& best, int64_t first_row) const {
  std::vector<Candidate> found;
  for (int64_t i = 0; i < std::ssize(live_); ++i) {
    const int64_t row = first_row + i;
    for (int64_t k = row * best.count; k < (row + 1) * best.count && best.id[k] >= 0; ++k)
      found.push_back({live_[i].log_probability + best.log_probability[k], i, best.id[k]});
  }
  const auto most = std::min<size_t>(found.size(), wanted());
  const auto better = [](const Candidate& a, const Candidate& b) {
    if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
    return a.parent != b.parent ? a.parent < b.parent : a.id < b.id;
  };
  std::partial_sort(found.begin(), found.begin() + static_cast<ptrdiff_t>(most), found.end(),
                    better);
  found.resize(most);
  return found;
}

// Equal scores keep the order in which they were found.
void Beam::add_end(const End& end) {
  const auto worse =
      std::ranges::find_if(ends_, [&](const End& other) { return other.score < end.score; });
  ends_.insert(worse, end);
}

void Beam::end_the_living() {
  for (const Live& cut : live_) add_end({cut.node, cut.log_probability, score(cut), false});
}

void Beam::advance(const TopK& best, int64_t first_row, const Attention& attention) {
  const auto beam = static_cast<size_t>(config_.beam);
  std::vector<Coverage> covered;  // of each living one with this step
  for (size_t i = 0; config_.coverage_penalty > 0 && i < live_.size(); ++i) {
    covered.push_back(live_[i].coverage);
    const auto weights = attention(first_row + static_cast<int64_t>(i));
    HEED_CHECK(weights.has_value(), "a coverage penalty wants a model with weights");
    covered.back().add(*weights);
  }
  std::vector<Live> next;
  const std::vector<Candidate> found = candidates(best, first_row);
  for (size_t i = 0; i < found.size() && next.size() < beam; ++i) {
    const Candidate& candidate = found[i];
    if (candidate.id == kEnd && i >= beam) continue;
    const auto node = std::ssize(nodes_);
    nodes_.push_back({live_[candidate.parent].node, candidate.id, {}});
    if (keep_attention_) {
      if (const auto weights = attention(first_row + candidate.parent))
        nodes_.back().attention.emplace(weights->begin(), weights->end());
    }
    const Coverage read = covered.empty() ? Coverage() : covered[candidate.parent];
    if (candidate.id != kEnd) {
      next.push_back({candidate.log_probability, read, candidate.id, candidate.parent, node});
      continue;
    }
    const double score = config_.score(candidate.log_probability, length_ + 1, read.value());
    add_end({node, candidate.log_probability, score, true});
  }
  if (next.empty() && ends_.empty()) end_the_living();
  live_ = std::move(next);
  ++length_;
  done_ = is_done();
}

bool Beam::is_done() const {
  if (live_.empty()) return true;
  if (std::ssize(ends_) < config_.nbest) return false;
  double alive = kImpossible;
  for (const Live& one : live_) alive = std::max(alive, score(one));
  const auto ahead =
      std::count_if(ends_.begin(), ends_.end(), [&](const End& end) { return end.score >= alive; });
  if (static_cast<double>(ahead) >= config_.patience * static_cast<double>(config_.beam))
    return true;
  // The most probable one, if it becomes as long as can be and reads all that there is.
  const double bound = config_.score(live_[0].log_probability, max_length_ + 1);
  return bound <= ends_[config_.nbest - 1].score;
}

void Beam::stop() {
  end_the_living();
  live_.clear();
  done_ = true;
}

Ids Beam::ids_up_to(int64_t node) const {
  Ids ids;
  for (; node >= 0; node = nodes_[node].parent) ids.push_back(nodes_[node].id);
  std::reverse(ids.begin(), ids.end());
  return ids;
}

Hypothesis Beam::trace(const End& end) const {
  Hypothesis result;
  for (int64_t node = end.node; node >= 0; node = nodes_[node].parent) {
    if (nodes_[node].id != kEnd) result.ids.push_back(nodes_[node].id);
    if (nodes_[node].attention) result.attention.push_back(*nodes_[node].attention);
  }
  std::reverse(result.ids.begin(), result.ids.end());
  std::reverse(result.attention.begin(), result.attention.end());
  result.log_probability = end.log_probability;
  result.score = end.score;
  result.finished = end.whole && std::ssize(result.ids) < max_length_;
  return result;
}

std::vector<Hypothesis> Beam::results() const {
  std::vector<Hypothesis> results;
  for (const End& end : ends_) {
    if (std::ssize(results) == config_.nbest) break;
    results.push_back(trace(end));
  }
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
