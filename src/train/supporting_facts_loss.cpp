#include "train/supporting_facts_loss.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

namespace {

constexpr double kTiny = 1e-6;  // ε

using Facts = std::vector<std::optional<int64_t>>;

// The facts that a pass learns.
Facts facts_of_pass(const Facts& facts, size_t pass, size_t passes) {
  const size_t first = std::min(pass, facts.size() - 1);
  if (pass + 1 < passes) return {facts[first]};
  return {facts.begin() + static_cast<std::ptrdiff_t>(first), facts.end()};
}

// wanted [C]
void add_facts(const Facts& facts, float* wanted) {
  for (const auto& fact : facts) {
    if (fact) wanted[*fact] = 1;
  }
}

// members [C,S]
void add_sentences(const std::vector<int64_t>& begins, int64_t sources, float* members) {
  for (size_t c = 0; c < begins.size(); ++c) {
    const int64_t end = c + 1 < begins.size() ? begins[c + 1] : sources;
    HEED_CHECK(begins[c] <= end && end <= sources, "{} to {} of {}", begins[c], end, sources);
    float* row = members + static_cast<int64_t>(c) * sources;
    std::fill(row + begins[c], row + end, 1.0F);
  }
}

// weights [R,T,C], wanted [R,1,C], exists [R,1,C] -> [R,T]
Tensor cost_of_pass(const Tensor& weights, const Tensor& wanted, const Tensor& exists,
                    WeightForm form) {
  const Tensor opened = (weights + kTiny).log();
  if (form == WeightForm::kShares) return -(wanted * opened).sum(-1);
  const Tensor shut = ((1 - weights).clamp_min(0) + kTiny).log();  // rounding gives sums above 1
  const Tensor cost = -torch::where(wanted > 0, opened, shut);
  return cost.masked_fill(exists.logical_not(), 0).sum(-1);
}

}  // namespace

std::optional<FactTargets> fact_targets(const std::vector<Example>& examples, size_t passes,
                                        int64_t sources, torch::Device device) {
  int64_t sentences = 0;
  for (const Example& example : examples) {
    const auto& facts = example.supporting_facts;
    if (facts && !facts->facts.empty())
      sentences = std::max(sentences, static_cast<int64_t>(facts->begins.size()));
  }
  if (sentences == 0) return std::nullopt;
  const int64_t rows = std::ssize(examples);
  Tensor members = torch::zeros({rows, sentences, sources}, torch::kFloat),
         wanted = torch::zeros({static_cast<int64_t>(passes), rows, sentences}, torch::kFloat);
  for (int64_t r = 0; r < rows; ++r) {
    const auto& own = examples[static_cast<size_t>(r)].supporting_facts;
    if (!own || own->facts.empty()) continue;
    add_sentences(own->begins, sources,
                  members.mutable_data_ptr<float>() + r * sentences * sources);
    for (size_t pass = 0; pass < passes; ++pass)
      add_facts(
          facts_of_pass(own->facts, pass, passes),
          wanted.mutable_data_ptr<float>() + (static_cast<int64_t>(pass) * rows + r) * sentences);
  }
  return FactTargets{.members = members.to(device),
                     .wanted = (wanted / wanted.sum(-1, true).clamp_min(1)).to(device)};
}

SideLoss supporting_facts_loss(const std::vector<SourcePass>& passes, const FactTargets& targets,
                               const Tensor& mask, double weight) {
  HEED_CHECK(std::ssize(passes) == targets.wanted.size(0), "{} passes", passes.size());
  const Tensor exists = targets.members.any(-1).unsqueeze(1);  // [R,1,C]
  Tensor sum = torch::zeros(mask.sizes(), passes.front().weights.options());
  for (size_t t = 0; t < passes.size(); ++t) {
    const auto& [weights, form] = passes[t];
    if (form == WeightForm::kScores) continue;
    const Tensor wanted =
        targets.wanted[static_cast<int64_t>(t)].unsqueeze(1).to(weights.dtype());  // [R,1,C]
    const Tensor by_sentence = torch::matmul(
        weights.mean(1), targets.members.transpose(1, 2).to(weights.dtype()));  // [R,T,C]
    sum = sum + cost_of_pass(by_sentence, wanted, exists, form).masked_fill(wanted.sum(-1) == 0, 0);
  }
  return {.name = "supporting facts", .value = sum / mask.sum(1, true), .weight = weight};
}

}  // namespace heed
