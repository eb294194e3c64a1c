#include "train/sequence_objective.h"

#include <algorithm>
#include <limits>

#include "nn/torch.h"

#include "base/error.h"
#include "base/log.h"
#include "network/model_engine.h"
#include "nn/int8_training.h"
#include "nn/product.h"
#include "search/not_a_number.h"
#include "search/search.h"

namespace heed {

namespace {

// Engine of the caller's network, which has to outlive the engine.
ModelEngine engine_of(Seq2Seq& network, const std::vector<std::string>& sources) {
  return {{std::shared_ptr<Seq2Seq>(std::shared_ptr<void>(), &network)}, sources};
}

}  // namespace

// Log-probability of each target with kEnd, after the given tokens.  [C]
Tensor SequenceObjective::target_log_probs(Seq2Seq& network, const std::vector<Example>& candidates,
                                           const Pass& pass) const {
  State state = network.start(source_batches(candidates, sources_, network.device()), pass);
  const TargetBatch target = target_batch(candidates, network.device());
  const Step step = network.advance(target.inputs, state);
  const Tensor log_probs = network.target_log_probs(step, target.outputs, state);  // [C,T]
  return log_probs.narrow(1, given_, log_probs.size(1) - given_).sum(1);
}

TargetCost::TargetCost(const std::string& metric, const MetricOptions& options,
                       std::shared_ptr<const Codec> target)
    : metric_(make_metric(metric, of_sentences(options))), codec_(std::move(target)) {}

double TargetCost::of(const Ids& target, const Example& example) const {
  const std::string reference = text_of(example.target, example);
  const double score = metric_->score_line(text_of(target, example), {reference}).value / 100;
  return metric_->higher_is_better() ? 1 - score : score;
}

std::string TargetCost::text_of(const Ids& target, const Example& example) const {
  const auto behind = example.copyable ? example.copyable->behind : std::vector<std::string>();
  return codec_->decode(codec_->pieces(target, behind));
}

// Translations of the sentences of a batch; those of a sentence are adjacent.
struct SequenceObjective::CandidateBatch {
  std::vector<Example> examples{};  // each with a candidate as target
  std::vector<int64_t> rows{};      // index of the sentence of each candidate
  std::vector<int64_t> numbers{};   // index of each candidate in its sentence
  std::vector<double> costs{};      // of each candidate, times the target tokens of the sentence

  void add(const Example& sentence, int64_t row, Ids target, double cost) {
    numbers.push_back(rows.empty() || rows.back() != row ? 0 : numbers.back() + 1);
    rows.push_back(row);
    costs.push_back(cost * static_cast<double>(sentence.target.size() + 1));
    examples.push_back(sentence);
    examples.back().target = std::move(target);
  }
  int64_t sentences() const { return rows.back() + 1; }                    // R
  int64_t most() const { return *std::ranges::max_element(numbers) + 1; }  // K
  // [C]
  static Tensor indices(const std::vector<int64_t>& values, const Tensor& like) {
    return torch::tensor(values, torch::kLong).to(like.device());
  }
  Tensor weighted_costs(const Tensor& like) const {
    return torch::tensor(costs, torch::kDouble).to(like.options().requires_grad(false));
  }
};

SequenceObjective::SequenceObjective(std::vector<std::string> sources, SequenceLossConfig config,
                                     TargetCost cost, const SearchConfig& search,
                                     CrossEntropyOptions token_settings)
    : sources_(sources),
      config_(std::move(config)),
      cost_(std::move(cost)),
      bf16_(token_settings.bf16),
      int8_(token_settings.int8),
      given_(token_settings.given),
      cross_entropy_(std::move(sources), std::move(token_settings)) {
  search_.beam = 1;
  search_.allow_unknown = false;  // the reference may have <unk>
  search_.max_length_ratio = search.max_length_ratio;
  search_.max_length_extra = search.max_length_extra;
}

SequenceObjective::CandidateBatch SequenceObjective::draw(Seq2Seq& network,
                                                          const std::vector<Example>& examples,
                                                          const Pass& pass) const {
  SearchConfig sampling = search_;
  sampling.nbest = config_.samples;
  sampling.sampling = SamplingOptions{.seed = pass.draw()};
  std::vector<Request> requests = this->requests(examples, sampling);
  for (size_t row = 0; row < requests.size(); ++row)
    requests[row].number = static_cast<int64_t>(pass.row(static_cast<int64_t>(row)));
  const auto samples = search(engine_of(network, sources_), std::move(requests));
  warn_of_cuts(samples, pass.update);
  const std::vector<double> baselines = baselines_of(network, examples);
  CandidateBatch candidates;
  for (size_t row = 0; row < examples.size(); ++row) {
    for (Ids& target : targets_of(samples[row], examples[row])) {
      const double cost = cost_.of(target, examples[row]) - baselines[row];
      candidates.add(examples[row], static_cast<int64_t>(row), std::move(target), cost);
    }
  }
  return candidates;
}

void SequenceObjective::warn_of_cuts(const std::vector<std::vector<Hypothesis>>& samples,
                                     int64_t update) const {
  int64_t all = 0, cut = 0;
  for (const std::vector<Hypothesis>& own : samples) {
    all += std::ssize(own);
    cut += std::ranges::count_if(own, [](const Hypothesis& one) { return !one.finished; });
  }
  if (cut == 0 || told_of_cuts_.test_and_set()) return;
  spdlog::warn(
      "train.sequence_loss: in update {} {} of {} samples of a batch were cut at the maximum "
      "length, "
      "and their cost is that of what is left; a larger search.max_length_ratio or "
      "search.max_length_extra allows more",
      format_count(update), cut, all);
}

std::vector<Request> SequenceObjective::requests(const std::vector<Example>& examples,
                                                 const SearchConfig& search) const {
  std::vector<Request> requests = requests_of(examples, search);
  for (size_t row = 0; row < examples.size(); ++row) {
    const Ids& reference = examples[row].target;
    HEED_CHECK(std::ssize(reference) >= given_);
    requests[row].given = given_;
    requests[row].prefix.assign(reference.begin(), reference.begin() + requests[row].given);
  }
  return requests;
}

// Targets of a sentence; without duplicates for minimum risk.
std::vector<Ids> SequenceObjective::targets_of(const std::vector<Hypothesis>& samples,
                                               const Example& example) const {
  const bool is_risk = config_.loss == SequenceLoss::kRisk;
  std::vector<Ids> targets;
  if (is_risk && config_.reference) targets.push_back(example.target);
  for (const Hypothesis& sample : samples) {
    if (!is_risk || std::ranges::count(targets, sample.ids) == 0) targets.push_back(sample.ids);
  }
  return targets;
}

// Costs that are subtracted from those of the candidates; 0 for minimum risk.
std::vector<double> SequenceObjective::baselines_of(Seq2Seq& network,
                                                    const std::vector<Example>& examples) const {
  std::vector<double> costs(examples.size(), 0);
  if (config_.loss == SequenceLoss::kRisk) return costs;
  const auto greedy = search(engine_of(network, sources_), requests(examples, search_));
  for (size_t row = 0; row < examples.size(); ++row)
    costs[row] = cost_.of(greedy[row].front().ids, examples[row]);
  return costs;
}

// Σ over the sentences of their risk, multiplied by their target tokens. log_probs [C] -> []
Tensor SequenceObjective::risk(const Tensor& log_probs, const CandidateBatch& candidates) const {
  const Tensor rows = candidates.indices(candidates.rows, log_probs),
               numbers = candidates.indices(candidates.numbers, log_probs);
  const std::vector<int64_t> shape = {candidates.sentences(), candidates.most()};  // [R,K]
  const auto options = log_probs.options().requires_grad(false);
  const Tensor powers = torch::full(shape, -std::numeric_limits<double>::infinity(), options)
                            .index_put({rows, numbers}, log_probs * config_.alpha);
  const Tensor costs =
      torch::zeros(shape, options).index_put({rows, numbers}, candidates.weighted_costs(log_probs));
  return (torch::softmax(powers, 1) * costs).sum();
}

// Loss with the costs minus those of the greedy translations.  []
Tensor SequenceObjective::self_critical(const Tensor& log_probs,
                                        const CandidateBatch& candidates) const {
  return (candidates.weighted_costs(log_probs) * log_probs).sum() /
         static_cast<double>(config_.samples);
}

ObjectiveLoss SequenceObjective::token_loss(Seq2Seq& network, const std::vector<Example>& examples,
                                            const Pass& pass, int64_t update_tokens) const {
  if (config_.weight < 1) return cross_entropy_.loss(network, examples, pass, update_tokens);
  const torch::NoGradGuard figures_alone;
  return CrossEntropy(sources_, {.bf16 = bf16_, .int8 = int8_})
      .loss(network, examples, pass, update_tokens);
}

ObjectiveLoss SequenceObjective::loss(Seq2Seq& network, const std::vector<Example>& examples,
                                      const Pass& pass, int64_t update_tokens) const try {
  if (pass.update <= config_.after)
    return cross_entropy_.loss(network, examples, pass, update_tokens);
  return mixed_loss(network, examples, pass, update_tokens);
} catch (const NotANumber&) {
  // No samples can be drawn.
  ObjectiveLoss result = cross_entropy_.loss(network, examples, pass, update_tokens);
  result.loss = result.loss * std::numeric_limits<double>::quiet_NaN();
  result.sums.set_loss(result.loss);
  return result;
}

ObjectiveLoss SequenceObjective::mixed_loss(Seq2Seq& network, const std::vector<Example>& examples,
                                            const Pass& pass, int64_t update_tokens) const {
  const Pass of_tokens = pass.fork();
  const CandidateBatch candidates = draw(network, examples, pass);
  const Bf16Scope bf16(bf16_);
  const Int8Scope int8(int8_);
  const Tensor log_probs = target_log_probs(
      network, candidates.examples, pass.for_parts(candidates.rows, candidates.numbers));  // [C]
  const Tensor sum = config_.loss == SequenceLoss::kRisk ? risk(log_probs, candidates)
                                                         : self_critical(log_probs, candidates);
  ObjectiveLoss result = token_loss(network, examples, of_tokens, update_tokens);
  result.loss = (1 - config_.weight) * result.loss +
                config_.weight * sum / static_cast<double>(update_tokens);
  result.sums.set_loss(result.loss * static_cast<double>(update_tokens));
  return result;
}

}  // namespace heed
