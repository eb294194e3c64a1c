#include "search/search.h"

#include "nn/torch.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "search/beam.h"
#include "search/coverage.h"
#include "search/ensemble.h"

namespace heed {

namespace {

std::vector<int64_t> numbers(const Tensor& tensor) {
  const Tensor flat = tensor.to(torch::kCPU, torch::kLong).contiguous();
  const auto* data = flat.const_data_ptr<int64_t>();
  return {data, data + flat.numel()};
}

std::vector<Beam> make_beams(const SourceBatches& sources, const SearchConfig& config) {
  std::vector<int64_t> longest(static_cast<size_t>(sources.rows));
  for (const auto& [name, batch] : sources.named) {
    const std::vector<int64_t> lengths = numbers(batch.lengths);
    for (size_t i = 0; i < lengths.size(); ++i) longest[i] = std::max(longest[i], lengths[i] - 1);
  }
  std::vector<Beam> beams;
  for (const int64_t tokens : longest) beams.emplace_back(config, config.max_length(tokens));
  return beams;
}

// What follows a step: for each row of the next one, the row that it continues and its token.
struct NextRows {
  std::vector<int64_t> rows, tokens;
  bool is_identity() const {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] != static_cast<int64_t>(i)) return false;
    }
    return true;
  }
};

class BatchSearch {
 public:
  BatchSearch(const std::vector<std::shared_ptr<Seq2Seq>>& models, const SourceBatches& sources,
              const SearchConfig& config, bool keep_attention)
      : config_(config),
        device_(models.at(0)->device()),
        ensemble_(models, sources, keep_attention || config.coverage_penalty > 0),
        sources_(sources),
        beams_(make_beams(sources, config)),
        keep_attention_(keep_attention) {
    for (size_t i = 0; i < beams_.size(); ++i) present_.push_back(i);
  }

  std::vector<std::vector<Hypothesis>> run() {
    std::vector<int64_t> tokens(beams_.size(), kBegin);
    while (!tokens.empty()) {
      take_step(tokens);
      const NextRows next = next_rows();
      if (!next.rows.empty()) move_state(next);
      tokens = next.tokens;
    }
    return results();
  }

 private:
  Tensor to_device(const std::vector<int64_t>& values) const {
    return torch::tensor(values, torch::kLong).to(device_);
  }

  void take_step(const std::vector<int64_t>& tokens) {
    Tensor log_probs = ensemble_.advance(to_device(tokens).unsqueeze(1)).squeeze(1);  // [R,V]
    if (keep_attention_) attention_.push_back(ensemble_.attention());                 // [R,1,S]
    if (config_.coverage_penalty > 0 && !coverage_) coverage_.emplace(attended_source());
    const auto coverage = coverage_ ? coverage_->add(ensemble_.attention()) : std::vector<double>();
    forbid_repeats(log_probs);
    const TopK best = top_k(log_probs, Beam::wanted(config_));
    for (size_t i = 0; i < present_.size(); ++i) {
      Beam& beam = beams_[present_[i]];
      if (!beam.done()) beam.advance(best, static_cast<int64_t>(i) * width_, coverage);
    }
  }

  // The source that attention is told of, after the first step.
  const SourceBatch& attended_source() const {
    const auto& all = sources_.named;
    const auto named = all.find(ensemble_.attention_source());
    return (named == all.end() ? all.begin() : named)->second;
  }

  // log_probs [R,V]
  void forbid_repeats(Tensor& log_probs) const {
    if (config_.no_repeat_ngram == 0) return;
    std::vector<int64_t> rows, ids;
    for (size_t i = 0; i < present_.size(); ++i) {
      const Beam& beam = beams_[present_[i]];
      if (beam.done()) continue;
      for (size_t b = 0; b < beam.live().size(); ++b) {
        for (const int32_t id : beam.repeats(b)) {
          rows.push_back(static_cast<int64_t>(i) * width_ + static_cast<int64_t>(b));
          ids.push_back(id);
        }
      }
    }
    if (rows.empty()) return;
    log_probs.index_put_({to_device(rows), to_device(ids)},
                         -std::numeric_limits<double>::infinity());
  }

  // Sentences that are done leave together once they are an eighth of the batch: to leave costs a
  // copy of all that the hypotheses have in common, to stay costs a step of theirs.
  NextRows next_rows() {
    constexpr size_t kShare = 8;
    const auto is_done = [this](size_t sentence) { return beams_[sentence].done(); };
    const auto done = static_cast<size_t>(std::count_if(present_.begin(), present_.end(), is_done));
    leaving_ = done > 0 && done * kShare >= present_.size();
    NextRows next;
    for (size_t i = 0; i < present_.size(); ++i) {
      const Beam& beam = beams_[present_[i]];
      if (leaving_ && beam.done()) continue;
      const auto first_row = static_cast<int64_t>(i) * width_;
      for (int64_t b = 0; b < config_.beam; ++b) {
        const bool idle = beam.done() || b >= static_cast<int64_t>(beam.live().size());
        next.rows.push_back(first_row + (idle ? std::min(b, width_ - 1) : beam.live()[b].parent));
        next.tokens.push_back(idle ? kEnd : beam.live()[b].id);
      }
    }
    if (leaving_) std::erase_if(present_, is_done);
    return next;
  }

  void move_state(const NextRows& next) {
    const bool wider = std::exchange(width_, config_.beam) != config_.beam;
    if (!leaving_ && !wider && next.is_identity()) return;
    const Tensor rows = to_device(next.rows);
    ensemble_.gather(rows, config_.beam);
    if (coverage_) coverage_->take(rows);
  }

  std::vector<std::vector<Hypothesis>> results() {
    for (Tensor& weights : attention_) {
      if (weights.defined()) weights = weights.squeeze(1).to(torch::kCPU, torch::kFloat);  // [R,S]
    }
    std::vector<std::vector<Hypothesis>> results(beams_.size());
    std::vector<int64_t> lengths;  // with kEnd
    if (!attention_.empty() && attention_[0].defined())
      lengths = numbers(attended_source().lengths);
    for (size_t i = 0; i < beams_.size(); ++i) {
      for (Beam::Finished& finished : beams_[i].results()) {
        if (!lengths.empty()) read_attention(finished, lengths[i]);
        results[i].push_back(std::move(finished.hypothesis));
      }
    }
    return results;
  }

  void read_attention(Beam::Finished& finished, int64_t source_length) const {
    for (size_t t = 0; t < finished.rows.size(); ++t) {
      const Tensor weights =
          attention_[t].select(0, finished.rows[t]).narrow(0, 0, source_length).contiguous();
      const auto* data = weights.const_data_ptr<float>();
      finished.hypothesis.attention.emplace_back(data, data + source_length);
    }
  }

  const SearchConfig& config_;
  torch::Device device_;
  Ensemble ensemble_;
  const SourceBatches& sources_;
  std::vector<Beam> beams_;           // of all sentences
  std::vector<size_t> present_;       // sentences in the state, in the order of their rows
  std::vector<Tensor> attention_;     // of each step
  std::optional<Coverage> coverage_;  // from the first step on, where it counts
  bool keep_attention_;
  int64_t width_ = 1;  // rows of a sentence: one before the first token
  bool leaving_ = false;
};

}  // namespace

std::vector<std::vector<Hypothesis>> search(const std::vector<std::shared_ptr<Seq2Seq>>& models,
                                            const SourceBatches& sources,
                                            const SearchConfig& config, bool keep_attention) {
  const c10::InferenceMode inference;
  if (sources.rows == 0) return {};
  return BatchSearch(models, sources, config, keep_attention).run();
}

}  // namespace heed
