#include "model/model_spec.h"

#include <algorithm>

#include "base/error.h"
#include "config/writer.h"

namespace heed {

namespace {

void check_sharing(const ModelConfig& config, Problems& problems) {
  if (config.encoders.empty() && config.encoder->shared_with())
    problems.add("encoder", "shares the encoder of another source, but there is only one source");
  for (const auto& [source, encoder] : config.encoders) {
    if (!encoder->reads())
      problems.add("encoders." + source,
                   "needs a source, which `encoder: none` lacks: leave it out");
    const std::optional<std::string> with = encoder->shared_with();
    if (!with) continue;
    const auto found = config.encoders.find(*with);
    if (found != config.encoders.end() && !found->second->shared_with()) continue;
    problems.add(
        fmt::format("encoders.{}.with", source),
        found == config.encoders.end()
            ? fmt::format("there is no encoder of '{}'", *with)
            : fmt::format("{} shares an encoder itself: name the source that has it", *with));
  }
}

SourcePlan source_plan(const ModelConfig& config, const std::string& name, const std::string& owner,
                       const std::shared_ptr<EncoderConfig>& encoder) {
  const int64_t input = config.embedding.source_width(owner);
  return {name, owner, encoder, input, encoder->dims(input)};
}

// nullopt if the encoder of the source cannot be resolved.
std::optional<SourcePlan> plan_of_source(const ModelConfig& config, const std::string& name) {
  if (config.encoders.empty()) {
    if (config.encoder->shared_with()) return std::nullopt;
    return source_plan(config, name, name, config.encoder);
  }
  const std::string owner = config.encoders.at(name)->shared_with().value_or(name);
  const auto found = config.encoders.find(owner);
  const bool is_there =
      found != config.encoders.end() && !found->second->shared_with() && found->second->reads();
  if (!is_there) return std::nullopt;
  return source_plan(config, name, owner, found->second);
}

// Index of the source of this name; 0 if there is none.
size_t number_of(const ModelPlan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.sources, name, &SourcePlan::name);
  return found == plan.sources.end() ? 0 : static_cast<size_t>(found - plan.sources.begin());
}

// The input of the output layer depends on the source attended to, and the decoder on the embedding
// of the output.
void plan_decoder(const ModelConfig& config, ModelPlan& plan) {
  const AllSourceDims sources = plan.encoded();
  const int64_t width = config.embedding.width;
  plan.decoder = {
      .input = width,
      .sources = config.join && !sources.empty() ? config.join->dims(sources) : sources};
  plan.attended = number_of(plan, config.decoder->source_attention(plan.decoder).source);
  const SourceDims read =
      sources.empty() ? SourceDims() : plan.decoder.sources.at(plan.attended_source());
  plan.decoder.input = config.output->input_width(width, read.source);
  plan.output = {.input = plan.decoder.input,
                 .hidden = config.decoder->hidden_width(plan.decoder),
                 .state = config.decoder->state_width(),
                 .attention = config.decoder->source_attention(plan.decoder),
                 .source = read.source,
                 .source_name = sources.size() > 1 ? plan.attended_source() : "",
                 .of_text = read.of_text,
                 .tie = config.embedding.ties_output(),
                 .norm = config.decoder->output_norm(),
                 .source_end = config.source_end};
  plan.output_aligns = config.output->aligns();
}

void check_shared_input(const EmbeddingConfig& embedding, const SourcePlan& source,
                        Problems& problems) {
  const int64_t own = embedding.source_width(source.name);
  if (own == source.input) return;
  problems.add("embedding.source_factors",
               fmt::format("make the embedding of {} {} wide and that of {} {}, but they share an "
                           "encoder: concatenate the same width to both",
                           source.name, own, source.owner, source.input));
}

void check_encoders(const ModelConfig& config, const ModelPlan& plan, Problems& problems) {
  for (const SourcePlan& source : plan.sources) {
    if (source.shares()) {
      check_shared_input(config.embedding, source, problems);
      continue;
    }
    ProblemsAt at(problems, config.encoders.empty() ? "encoder" : "encoders." + source.name);
    source.encoder->check(source.input, at);
  }
}

// With wait_k, a target token depends only on source tokens that have been read.
void check_simultaneous(const ModelConfig& config, const ModelPlan& plan, Problems& problems) {
  const std::vector<WaitKConfig> policies = policies_in(*config.decoder);
  if (policies.empty()) return;
  if (policies.size() > 1)
    problems.add("decoder",
                 fmt::format("its terms wait_k have different k or catch_up, such as k: {} and k: "
                             "{}: make them equal",
                             policies[0].k, policies[1].k));
  for (const SourcePlan& source : plan.sources) {
    if (source.shares()) continue;
    ProblemsAt at(problems, config.encoders.empty() ? "encoder" : "encoders." + source.name);
    source.encoder->check_causal(at);
  }
  if (config.join)
    problems.add("join", fmt::format("{} reads the whole source, which wait_k has not read: leave "
                                     "it out",
                                     config.join->type));
  ProblemsAt at_decoder(problems, "decoder");
  config.decoder->check_unread(at_decoder);
  if (config.output->reads_source())
    problems.add("output", fmt::format("{} compares its state with all source tokens, which wait_k "
                                       "has not read: use vocabulary or pointer_generator",
                                       config.output->type));
}

}  // namespace

AllSourceDims ModelPlan::encoded() const {
  AllSourceDims dims;
  for (const SourcePlan& source : sources) dims[source.name] = source.dims;
  return dims;
}

bool ModelPlan::attends_to_sentences() const {
  const auto source = decoder.sources.find(attended_source());
  return source != decoder.sources.end() && source->second.of_sentences;
}

std::optional<ModelPlan> find_plan(const ModelConfig& config) {
  ModelPlan plan;
  for (const std::string& name : config.sources()) {
    auto source = plan_of_source(config, name);
    if (!source) return std::nullopt;
    plan.sources.push_back(std::move(*source));
  }
  plan_decoder(config, plan);
  plan.needs = needs_of(config);
  return plan;
}

ModelPlan plan_of(const ModelConfig& config) {
  auto plan = find_plan(config);
  HEED_CHECK(plan.has_value(), "a source without an encoder");
  return *plan;
}

namespace {

bool is_of_score(const std::string& key) { return key.ends_with(".score.max_positions"); }
bool counts_sentences(const std::string& key) {
  return key.find(".sentence_encoder.") != std::string::npos;
}

}  // namespace

std::optional<int64_t> learned_positions(const ModelConfig& config, const std::string& part) {
  std::optional<int64_t> fewest;
  for (const auto& [key, value] : flatten_config(config)) {
    if (!key.starts_with(part) || !key.ends_with(".max_positions")) continue;
    if (is_of_score(key) || counts_sentences(key)) continue;
    const int64_t own = std::stoll(value);
    fewest = std::min(fewest.value_or(own), own);
  }
  return fewest;
}

std::optional<int64_t> scored_positions(const ModelConfig& config) {
  std::optional<int64_t> fewest;
  for (const auto& [key, value] : flatten_config(config)) {
    if (!is_of_score(key) || key.starts_with("decoder.self_attention")) continue;
    const int64_t own = std::stoll(value);
    fewest = std::min(fewest.value_or(own), own);
  }
  return fewest;
}

std::optional<WaitKConfig> reading_policy(const ModelConfig& config) {
  const std::vector<WaitKConfig> policies = policies_in(*config.decoder);
  return policies.empty() ? std::nullopt : std::optional(policies.front());
}

void check_plan(const ModelConfig& config, Problems& problems) {
  check_sharing(config, problems);
  const auto plan = find_plan(config);
  if (!plan) return;
  check_encoders(config, *plan, problems);
  if (config.join && plan->sources.empty())
    return problems.add("join", "needs a source, and there is none");
  ProblemsAt at_join(problems, "join"), at_decoder(problems, "decoder"),
      at_output(problems, "output");
  if (config.join) config.join->check(plan->encoded(), at_join);
  config.decoder->check(plan->decoder, at_decoder);
  if (config.decoder->repeats() && !writes_one(config.output->writes()))
    problems.add("output",
                 fmt::format("{} writes one token after the other, but `decoder: {}` has the same "
                             "state for all of them: use label, or another decoder",
                             config.output->type, config.decoder->type));
  config.output->check(plan->output, at_output);
  check_simultaneous(config, *plan, problems);
}

}  // namespace heed
