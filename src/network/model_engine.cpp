#include "network/model_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "nn/torch.h"

#include "base/error.h"
#include "network/ensemble.h"
#include "network/network_threads.h"
#include "network/top_k.h"
#include "nn/numbers.h"
#include "nn/torch_errors.h"
#include "search/not_a_number.h"

namespace heed {

namespace {

// Lengths of the sentences with kEnd, by source.
using Lengths = std::map<std::string, std::vector<int64_t>>;

Lengths lengths_of(const SourceBatches& sources) {
  Lengths lengths;
  for (const auto& [name, batch] : sources.named)
    lengths[name] = numbers_of<int64_t>(batch.lengths);
  return lengths;
}

// Marks, for each sentence, the tokens of the vocabulary, the first V, that are not in its
// candidate list; none without a list.  [N,tokens]
Tensor excluded_tokens(const std::vector<Candidates>& lists, int64_t vocabulary, int64_t tokens) {
  Tensor others = torch::zeros({std::ssize(lists), tokens}, torch::kBool);
  for (int64_t i = 0; i < std::ssize(lists); ++i) {
    if (!lists[i]) continue;
    Tensor row = others[i];
    row.narrow(0, 0, vocabulary).fill_(true);
    row.index_fill_(0, torch::tensor(*lists[i], torch::kLong), false);
  }
  return others;
}

template <class T>
void ban(const Tensor& log_probs, const std::vector<Limits::Token>& banned) {
  auto values = log_probs.accessor<T, 2>();
  for (const auto& [row, id] : banned) values[row][id] = -std::numeric_limits<T>::infinity();
}

class ModelDecoding final : public Decoding {
 public:
  ModelDecoding(const std::vector<std::shared_ptr<Seq2Seq>>& models, const SourceBatches& sources,
                std::vector<Candidates> candidates, bool attention)
      : device_(models.at(0)->device()),
        vocabulary_(models.at(0)->target_vocabulary()),
        ensemble_(models, sources, attention),
        lengths_(lengths_of(sources)),
        candidates_(std::move(candidates)),
        attends_(attention) {}

  void step(const std::vector<int32_t>& tokens) override {
    with_known_errors([&] { run_step(tokens); });
  }

  using Decoding::best;
  TopK best(int64_t count, const Limits& limits, const Distributions& distributions) override {
    return with_known_errors([&] { return find_best(count, limits, distributions); });
  }

  std::optional<std::span<const double>> attention(int64_t row) override {
    return with_known_errors([&] { return find_attention(row); });
  }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    with_known_errors([&] { gather_rows(rows, hypotheses); });
  }

  void join(std::unique_ptr<Decoding> more) override {
    with_known_errors([&] { join_sentences(dynamic_cast<ModelDecoding&>(*more)); });
  }

 private:
  void run_step(const std::vector<int32_t>& tokens) {
    const c10::InferenceMode inference;
    const Tensor next = torch::tensor(tokens, torch::kInt).to(device_, torch::kLong);
    log_probs_ = ensemble_.advance(next.unsqueeze(1)).squeeze(1);  // [R,V]
    if (log_probs_.scalar_type() != torch::kDouble) log_probs_ = log_probs_.to(torch::kFloat);
    log_probs_ = over_candidates(log_probs_).contiguous();
    weights_ = Tensor();
  }

  // Log-probabilities of a softmax over the candidates of each sentence and the tokens that it can
  // copy beyond the vocabulary.  [R,V+X]
  Tensor over_candidates(const Tensor& log_probs) {
    if (std::ranges::none_of(candidates_, [](const auto& own) { return own != nullptr; }))
      return log_probs;
    if (!excluded_.defined())
      excluded_ = excluded_tokens(candidates_, vocabulary_, log_probs.size(1)).to(device_);
    const Tensor excluded = excluded_.repeat_interleave(ensemble_.hypotheses(), 0);
    const Tensor left = log_probs.masked_fill(excluded, -std::numeric_limits<double>::infinity());
    const Tensor norm = left.logsumexp(1, true);
    // All candidates may have probability 0 in a sparse distribution.
    return torch::where(torch::isinf(norm), log_probs, left - norm);
  }

  TopK find_best(int64_t count, const Limits& limits, const Distributions& distributions) {
    const c10::InferenceMode inference;
    const Tensor log_probs = std::exchange(log_probs_, Tensor());  // freed early
    const std::vector<double> forced = values_of(log_probs, limits.forced);
    ban_all(log_probs, limits.banned);
    TopK best = top_k(log_probs, count);
    for (size_t i = 0; i < forced.size(); ++i) {
      const auto& [row, id] = limits.forced[i];
      if (std::isnan(forced[i])) throw_not_a_number();
      const auto first = row * best.count;
      std::fill_n(best.id.begin() + first, best.count, -1);
      std::fill_n(best.log_probability.begin() + first, best.count,
                  -std::numeric_limits<double>::infinity());
      best.log_probability[first] = forced[i];
      if (std::isfinite(forced[i])) best.id[first] = id;
    }
    visit(log_probs, limits.forced, distributions);
    return best;
  }

  static void visit(const Tensor& log_probs, const std::vector<Limits::Token>& forced,
                    const Distributions& distributions) {
    for (const int64_t row : distributions.rows) {
      if (std::ranges::count(forced, row, &Limits::Token::row) > 0) continue;
      const auto values = numbers_of<float>(log_probs[row]);
      distributions.visit(row, values);
    }
  }

  std::optional<std::span<const double>> find_attention(int64_t row) {
    if (!attends_) return std::nullopt;
    if (!weights_.defined()) {
      const c10::InferenceMode inference;
      const Tensor read = ensemble_.attention();  // [R,1,S]
      attends_ = read.defined();
      if (!attends_) return std::nullopt;
      weights_ = read.squeeze(1).to(torch::kCPU, torch::kDouble).contiguous();
    }
    const auto* data = weights_.const_data_ptr<double>() + row * weights_.size(1);
    const int64_t length = attended_lengths().at(row / ensemble_.hypotheses());
    HEED_CHECK(length <= weights_.size(1), "weights over {} positions of {}", weights_.size(1),
               length);
    return std::span(data, static_cast<size_t>(length));
  }

  void gather_rows(const std::vector<int64_t>& rows, int64_t hypotheses) {
    const c10::InferenceMode inference;
    const int64_t before = ensemble_.hypotheses();
    for (auto& [name, lengths] : lengths_) gather_sentences(lengths, rows, before, hypotheses);
    gather_sentences(candidates_, rows, before, hypotheses);
    weights_ = excluded_ = Tensor();
    ensemble_.gather(torch::tensor(rows, torch::kLong).to(device_), hypotheses);
  }

  void join_sentences(ModelDecoding& other) {
    const c10::InferenceMode inference;
    for (auto& [name, lengths] : lengths_) {
      const auto& own = other.lengths_.at(name);
      lengths.insert(lengths.end(), own.begin(), own.end());
    }
    candidates_.insert(candidates_.end(), other.candidates_.begin(), other.candidates_.end());
    weights_ = excluded_ = Tensor();
    ensemble_.join(std::move(other.ensemble_));
  }

  const std::vector<int64_t>& attended_lengths() const {
    HEED_CHECK(!lengths_.empty(), "weights over no source");
    const auto named = lengths_.find(ensemble_.attention_source());
    return (named == lengths_.end() ? lengths_.begin() : named)->second;
  }

  std::vector<Tensor> indices_of(const Tensor& log_probs,
                                 const std::vector<Limits::Token>& tokens) const {
    std::vector<int64_t> rows, ids;
    for (const auto& [row, id] : tokens) {
      HEED_CHECK(id >= 0 && id < log_probs.size(1), "token {} of {}", id, log_probs.size(1));
      rows.push_back(row);
      ids.push_back(id);
    }
    return {torch::tensor(rows, torch::kLong).to(device_),
            torch::tensor(ids, torch::kLong).to(device_)};
  }

  std::vector<double> values_of(const Tensor& log_probs,
                                const std::vector<Limits::Token>& tokens) const {
    if (tokens.empty()) return {};
    const auto indices = indices_of(log_probs, tokens);
    return numbers_of<double>(log_probs.index({indices[0], indices[1]}));
  }

  void ban_all(Tensor log_probs, const std::vector<Limits::Token>& banned) const {
    if (banned.empty()) return;
    if (!log_probs.device().is_cpu()) {
      const auto indices = indices_of(log_probs, banned);
      log_probs.index_put_({indices[0], indices[1]}, -std::numeric_limits<double>::infinity());
    } else if (log_probs.scalar_type() == torch::kDouble) {
      ban<double>(log_probs, banned);
    } else {
      ban<float>(log_probs, banned);
    }
  }

  torch::Device device_;
  int64_t vocabulary_;  // V
  Ensemble ensemble_;
  Lengths lengths_;
  std::vector<Candidates> candidates_;  // of each sentence
  Tensor excluded_;                     // [N,V+X], tokens outside the candidates
  bool attends_;
  Tensor log_probs_;  // [R,V] of the last step, until best() takes them
  Tensor weights_;    // [R,S] of the last step, after the first attention()
};

}  // namespace

ModelEngine::ModelEngine(std::vector<std::shared_ptr<Seq2Seq>> models,
                         std::vector<std::string> sources)
    : models_(std::move(models)), sources_(std::move(sources)) {
  HEED_CHECK(!models_.empty());
}

std::unique_ptr<DecodingThreads> ModelEngine::threads() const {
  return std::make_unique<NetworkThreads>();
}

std::unique_ptr<Decoding> ModelEngine::start(const std::vector<const Example*>& sentences,
                                             bool attention) const {
  return with_known_errors([&] {
    const c10::InferenceMode inference;
    std::vector<Candidates> candidates;
    for (const Example* sentence : sentences) candidates.push_back(sentence->candidates);
    return std::make_unique<ModelDecoding>(
        models_, source_batches(sentences, sources_, models_[0]->device()), std::move(candidates),
        attention);
  });
}

}  // namespace heed
