#include "nn/attention/staged_config.h"

#include <algorithm>

#include "base/error.h"
#include "config/absent.h"
#include "config/sizes.h"

namespace heed {

StagedConfig::StagedConfig()
    : score(fresh_kind(scorers(), "additive")),
      normalizer(fresh_kind(normalizers(), "softmax")),
      head_combination(fresh_kind(head_combinations(), "concat")) {
  name_kind(*this, "staged");
}

std::shared_ptr<StagedConfig> StagedConfig::with(const char* score_name, int64_t heads) {
  auto config = std::make_shared<StagedConfig>();
  config->score = fresh_kind(scorers(), score_name);
  config->heads = heads;
  return config;
}

void StagedConfig::fields(Fields& f) {
  f.one_of("score", score, scorers(), "score of a query and a key");
  f.list_of("terms", terms, heed::terms(),
            "terms that restrict the mask, are added to the scores, or rescale the weights");
  f.one_of("normalizer", normalizer, normalizers(), "normalizer: from scores to weights");
  f.complete([this] { read = read_or_default(); });
  auto implied = read_or_default();  // of settings that were not read
  f.one_of("read", read ? read : implied, readouts(),
           "read-out: from weights and values to the context vector; default: the one that matches "
           "the score or a term");
  if (!score->heads(1)) {
    f.field("heads", heads, kHeads, "number of attention heads");
    f.field("key_value_heads", key_value_heads, kHeads,
            "number of heads of keys and values, each shared by as many heads of queries: "
            "grouped-query attention (Ainslie 2023), with 1 multi-query attention (Shazeer 2019); "
            "default: `heads`");
  } else {
    for (const char* key : {"heads", "key_value_heads"})
      absent(f, key, score->type + " has a head for each feature of the values: leave it out");
  }
  f.one_of("head_combination", head_combination, head_combinations(),
           "combination of the context vectors of the heads");
  f.section("disagreement", disagreement, "regularization that makes heads differ (Li 2018)");
  f.field("dropout", dropout, kDropout, "dropout probability of the attention weights");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

std::shared_ptr<ReadOutConfig> StagedConfig::read_or_default() const {
  if (read) return read;
  for (const auto& term : terms) {
    if (term->read() != nullptr) return fresh_kind(readouts(), term->read());
  }
  return fresh_kind(readouts(), score->read());
}

std::vector<std::string> StagedConfig::notes() const {
  std::vector<std::string> notes;
  const auto keys = score->clip(), values = read ? read->clip() : std::nullopt;
  if (keys && values && *keys != *values)
    notes.push_back(
        fmt::format("read.clip: {}, but {} in its score; Shaw 2018 has one for both: leave it out",
                    *values, *keys));
  if (score->has_plain_energy() && normalizer->expects_normalized_energy())
    notes.push_back(fmt::format(
        "score.normalize: false, but Raffel 2017 has g v / |v| with normalizer: {}: set "
        "score: {{type: {}, normalize: true}}",
        normalizer->type, score->type));
  return notes;
}

StageDims StagedConfig::stage_dims(const AttentionDims& dims) const {
  StageDims stage{dims};
  stage.heads = heads;
  stage.project = dims.block > 0 || heads > 1;
  stage.score = score.get();
  stage.combination = head_combination.get();
  stage.clip = score->clip();
  stage.heads = score->heads(read_or_default()->context_width(stage)).value_or(heads);
  stage.key_value_heads = shares_heads() ? *key_value_heads : stage.heads;
  return stage;
}

// Every head gets an equal part of queries and keys, and of values.
void StagedConfig::check_heads(const StageDims& dims, Problems& problems) const {
  std::string misfits;
  const auto check = [&](int64_t width, const char* what) {
    if (width % dims.heads == 0) return;
    misfits += fmt::format("{}the width {} of {}", misfits.empty() ? "" : ", nor ", width, what);
  };
  check(score->width_of_heads(dims), "queries and keys");
  check(read_or_default()->width_of_heads(dims), "values");
  if (misfits.empty()) return;
  problems.add("heads", fmt::format("{} does not divide {}", dims.heads, misfits));
}

void StagedConfig::check_shared_heads(const StageDims& dims, Problems& problems) const {
  if (!shares_heads()) return;
  if (dims.heads % dims.key_value_heads != 0)
    problems.add("key_value_heads",
                 fmt::format("{} does not divide {} heads", dims.key_value_heads, dims.heads));
  const auto read_out = read_or_default();
  for (const StageConfig* stage : std::initializer_list<const StageConfig*>{&*score, &*read_out}) {
    if (stage->shares_heads(dims)) continue;
    problems.add("key_value_heads",
                 fmt::format("{} cannot share keys or values between heads: use a score of dot "
                             "products and a weighted sum, both with project: true",
                             stage->type));
  }
}

const char* StagedConfig::stage_with_history() const {
  std::vector<const StageConfig*> stages{score.get(), normalizer.get()};
  for (const auto& term : terms) stages.push_back(term.get());
  if (read) stages.push_back(read.get());
  for (const StageConfig* stage : stages) {
    if (stage->needs_history()) return stage->type.c_str();
  }
  return nullptr;
}

bool StagedConfig::hides_unread() const {
  return std::ranges::any_of(terms, [](const auto& term) { return term->hides_unread(); }) &&
         std::ranges::none_of(terms, [](const auto& term) { return term->sees_unread(); });
}

bool StagedConfig::reads_ahead() const {
  return normalizer->reads_ahead() && terms.empty() && !disagreement && !score->needs_all_keys() &&
         !read_or_default()->needs_all_keys();
}

std::optional<double> StagedConfig::fused_scale(const StageDims& dims) const {
  const bool is_plain = terms.empty() && !disagreement && normalizer->is_softmax() &&
                        read_or_default()->is_weighted_sum();
  return is_plain ? score->dot_product_scale(dims) : std::nullopt;
}

void StagedConfig::check_walk(Problems& problems) const {
  const char* name = stage_with_history();
  if (name == nullptr) return;
  const auto check_stage = [&](const std::string& path, const StageConfig& stage) {
    if (!stage.needs_all_queries()) return;
    problems.add(
        path,
        fmt::format(
            "{} needs all queries at once, {} needs them one after the other: use only one of them",
            stage.type, name));
  };
  check_stage("normalizer", *normalizer);
  for (size_t i = 0; i < terms.size(); ++i) check_stage(fmt::format("terms[{}]", i), *terms[i]);
}

void StagedConfig::check(const AttentionDims& dims, Problems& problems) const {
  const StageDims stage = stage_dims(dims);
  check_heads(stage, problems);
  check_shared_heads(stage, problems);
  check_walk(problems);
  ProblemsAt at_score(problems, "score"), at_normalizer(problems, "normalizer"),
      at_read(problems, "read");
  score->check(stage, at_score);
  normalizer->check(stage, at_normalizer);
  read_or_default()->check(stage, at_read);
  ProblemsAt at_combination(problems, "head_combination");
  head_combination->check(stage, at_combination);
  if (disagreement && stage.heads == 1) problems.add("disagreement", "needs 2 heads or more");
  if (disagreement && disagreement->on == DisagreementConfig::On::kSubspace && shares_heads() &&
      stage.key_value_heads == 1)
    problems.add("disagreement.on", "subspace has no effect with one head of values");
  for (size_t i = 0; i < terms.size(); ++i) {
    ProblemsAt at_term(problems, fmt::format("terms[{}]", i));
    terms[i]->check(stage, at_term);
  }
}

int64_t StagedConfig::context_width(const AttentionDims& dims) const {
  return read_or_default()->context_width(stage_dims(dims));
}

namespace kinds {
Kind<AttentionConfig> staged() {
  return kind<StagedConfig, AttentionConfig>("staged", "score × terms × normalizer × read-out");
}
}  // namespace kinds

}  // namespace heed
