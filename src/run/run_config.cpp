#include "run/run_config.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "config/kinds_in.h"
#include "config/mistakes.h"
#include "model/model_spec.h"
#include "nn/attention/linear_config.h"
#include "run/augmentation.h"

namespace heed {

namespace {

void check_sides(const TextConfigs& text, const DataConfig& data, const ModelConfig& model,
                 Problems& problems) {
  const std::vector<std::string> sources = data.sources(), sides = data.sides();
  for (const auto& [side, unused] : text) {
    if (std::ranges::count(sides, side) > 0) continue;
    if (sources.empty() && side == kSourceSide) {
      if (model.sources().empty())
        problems.add("text.source",
                     "a language model has no source: write `text: {target: {type: …}}`");
      continue;
    }
    problems.add("text." + side,
                 fmt::format("unknown source; there {} {}{}", sources.empty() ? "is" : "are",
                             sources.empty()
                                 ? std::string(kTargetSide)
                                 : fmt::format("{} and {}", fmt::join(sources, ", "), kTargetSide),
                             did_you_mean(side, sides)));
  }
  for (const std::string& side : sides) {
    if (!text.contains(side)) {
      problems.add("text", "lacks an entry for " + side + ": write `" + side + ": {type: …}`");
    }
  }
}

// Checks that the model has encoders for the sources of the data, and for no others.
void check_encoders(const ModelConfig& model, const DataConfig& data, Problems& problems) {
  const std::vector<std::string> sources = data.sources();
  if (model.sources() == sources) return;
  if (sources.empty()) {
    problems.add("data.train[0]",
                 fmt::format("has no `source`: give its {}, or for a language model write "
                             "`encoder: none`",
                             data.train.front().table() ? "column or key" : "file"));
    return;
  }
  const std::string given = fmt::format("{}", fmt::join(sources, ", "));
  if (model.sources().empty()) {
    problems.add("model.encoder",
                 fmt::format("`none` has no source, but data.train has {}: use another encoder, or "
                             "for a language model leave `source` out",
                             given));
  } else if (model.encoders.empty()) {
    problems.add("model", fmt::format("has one encoder, but data.train has the sources {}: write "
                                      "`encoders: {{{}: {{type: …}}, …}}`",
                                      given, sources.front()));
  } else {
    problems.add("model.encoders", fmt::format("are those of {}, but data.train has the sources {}",
                                               fmt::join(model.sources(), ", "), given));
  }
}

void check_tie(const EmbeddingConfig& embedding, const TextConfigs& text,
               const std::vector<std::string>& sources, Problems& problems) {
  if (!embedding.ties_source() || !text.contains(kTargetSide)) return;
  const char* tie = embedding.ties_output() ? "all" : "inputs";
  const char* other = embedding.ties_output() ? "target" : "none";
  if (sources.empty())
    problems.add("model.embedding.tie",
                 fmt::format("'{}' needs a source, and there is none: use {}", tie, other));
  for (const std::string& source : sources) {
    if (!text.contains(source) || has_one_vocabulary(text, source, kTargetSide)) continue;
    problems.add("model.embedding.tie",
                 fmt::format("'{}' needs one joint vocabulary; write `target: {{share: {}}}` "
                             "under `text`, the same `vocabulary.file` for both, or `tie: {}`",
                             tie, source, other));
    return;
  }
}

void check_shared_sources(const EmbeddingConfig& embedding, const TextConfigs& text,
                          const std::vector<std::string>& sources, Problems& problems) {
  if (!embedding.share_sources || sources.size() < 2) return;
  for (const std::string& one : sources) {
    for (const std::string& other : sources) {
      const bool known = text.contains(one) && text.contains(other);
      if (one != other && (!known || has_one_vocabulary(text, one, other))) return;
    }
  }
  problems.add(
      "model.embedding.share_sources",
      fmt::format("needs sources of one vocabulary: write `{}: {{share: {}}}` under `text`",
                  sources[1], sources[0]));
}

// The tokenizer of a source or target side, its own or shared; null if not configured.
const TokenizerConfig* tokenizer_of(const TextConfigs& text, const std::string& side) {
  if (!text.contains(side)) return nullptr;
  const auto owner = text.find(owner_of(text, side));
  return owner == text.end() ? nullptr : owner->second.tokenizer.get();
}

// An encoder of sentences needs a sentence marker. encoder: null if no kind could be chosen.
void check_marker(const std::string& source, const EncoderConfig* encoder, const TextConfigs& text,
                  Problems& problems) {
  const TokenizerConfig* tokenizer = tokenizer_of(text, source);
  if (encoder == nullptr || !needs_of(*encoder).marker) return;
  if (tokenizer == nullptr || tokenizer->marker) return;
  problems.add(fmt::format("text.{}", owner_of(text, source)),
               fmt::format("has no `marker`, which the {} encoder of {} needs to split sentences: "
                           "give the separator, such as `marker: \"\\t\"`",
                           encoder->type, source));
}

void check_markers(const ModelConfig& model, const TextConfigs& text, Problems& problems) {
  if (model.encoders.empty()) check_marker(kSourceSide, model.encoder.get(), text, problems);
  for (const auto& [source, encoder] : model.encoders) {
    const auto shared = encoder ? encoder->shared_with() : std::nullopt;
    const auto owner = model.encoders.find(shared.value_or(source));
    if (owner != model.encoders.end()) check_marker(source, owner->second.get(), text, problems);
  }
}

// Copying compares tokens as text, so both sides need the same kind of tokenizer.
void check_copying(const OutputConfig& output, const TextConfigs& text, const std::string& copied,
                   Problems& problems) {
  if (!output.copies()) return;
  const TokenizerConfig* source = tokenizer_of(text, copied);
  const TokenizerConfig* target = tokenizer_of(text, kTargetSide);
  if (source == nullptr || target == nullptr || source->type == target->type) return;
  problems.add("model.output",
               fmt::format("{} copies tokens as they are, but the source is tokenized by {} and "
                           "the target by {}: use one type for both",
                           output.type, source->type, target->type));
}

// Checks that there are attention weights over the source. path: of the setting that needs them.
void want_weights(const ModelPlan& plan, const std::string& path, Problems& problems) {
  if (plan.has_source_weights()) return;
  problems.add(path,
               "needs attention weights over the source, but the decoder's attention has none, or "
               "has those of several sources: choose an attention with weights, one_source for "
               "several sources, or leave this out");
}

// Checks that a loss of the attention weights trains them.
void want_gradient(const ModelPlan& plan, const std::string& path, Problems& problems) {
  if (!plan.has_source_weights() || plan.output.attention.has_gradient) return;
  problems.add(path,
               "trains nothing: hard attention by REINFORCE has weights without gradient; use "
               "`gradient: straight_through` or `soft`, or leave this out");
}

// Checks that the attention weights are over tokens, which a word alignment links.
void want_tokens(const ModelPlan& plan, const std::string& path, Problems& problems) {
  if (!plan.has_source_weights() || plan.output.of_text) return;
  problems.add(path,
               "needs attention weights over source tokens, but the decoder attends to other "
               "positions: choose another encoder or joiner, or leave this out");
}

// Checks that the attention weights are shares, from 0 to 1. Those of a Linformer go through a learned
// projection of positions.
void want_shares(const ModelConfig& model, const std::string& path, Problems& problems) {
  bool is_linformer = false;
  visit_kinds(*model.decoder, [&](const std::string&, const Settings& kind) {
    is_linformer = is_linformer || dynamic_cast<const LinformerFeatures*>(&kind) != nullptr;
  });
  if (is_linformer)
    problems.add(path,
                 "needs attention weights from 0 to 1, but those of `features: linformer` may be "
                 "negative: choose other features, or leave this out");
}

// Checks that settings based on attention weights have such weights, and that losses on them have a
// gradient.
void check_use_of_weights(const RunConfig& config, const ModelPlan& plan, Problems& problems) {
  for (const auto& [path, weight] :
       {std::pair("train.coverage.weight", config.train.coverage.weight),
        {"train.guided_alignment.weight", config.train.guided_alignment.weight},
        {"train.supporting_facts.weight", config.train.supporting_facts.weight}}) {
    if (weight == 0) continue;
    want_weights(plan, path, problems);
    want_gradient(plan, path, problems);
    want_shares(config.model, path, problems);
  }
  if (config.search.coverage_penalty != 0) {
    want_weights(plan, "search.coverage_penalty", problems);
    want_shares(config.model, "search.coverage_penalty", problems);
  }
  const auto& sequence_loss = config.train.sequence_loss;
  if (sequence_loss && sequence_loss->weight == 1 && !plan.output.attention.has_gradient)
    problems.add("train.sequence_loss.weight",
                 "found 1, expected less: hard attention by REINFORCE learns from cross-entropy");
}

// True if the first corpus has no such key, not even one with a mistake. has: whether it has a value.
bool lacks(const DataConfig& data, bool has, const char* key, const Problems& problems) {
  return !data.train.empty() && !has && problems.is_whole(fmt::format("data.train[0].{}", key));
}

// Checks that guided alignment has word alignments in the data and attention weights over tokens.
void check_guided_alignment(const RunConfig& config, const ModelPlan& plan, Problems& problems) {
  if (config.train.guided_alignment.weight == 0) return;
  if (lacks(config.data, config.data.has_alignments(), "alignment", problems))
    problems.add(
        "data.train[0]",
        "has no `alignment`, but train.guided_alignment.weight is not 0: give the file of a "
        "word alignment, or leave the loss out");
  want_tokens(plan, "train.guided_alignment.weight", problems);
}

// Checks that the loss of supporting facts has facts in the data and attention over sentences.
void check_supporting_facts(const RunConfig& config, const ModelPlan& plan, Problems& problems) {
  if (config.train.supporting_facts.weight == 0) return;
  if (lacks(config.data, config.data.has_supporting_facts(), "supporting_facts", problems))
    problems.add("data.train[0]",
                 "has no `supporting_facts`, but train.supporting_facts.weight is not 0: give the "
                 "file with the numbers of the facts, or leave the loss out");
  if (plan.has_source_weights() && !plan.attends_to_sentences())
    problems.add(
        "train.supporting_facts.weight",
        "needs attention over the sentences of a source, but the decoder attends to other "
        "positions: give this source `encoder: {type: hierarchical, states: sentences}` and its "
        "text a `marker`, or leave this out");
}

// Refuses a sequence loss for a language model, which has no translations to score.
void check_sequence_loss(const RunConfig& config, Problems& problems) {
  if (config.train.sequence_loss && config.data.sources().empty() && !config.data.train.empty())
    problems.add("train.sequence_loss",
                 "needs translations, which a language model lacks: leave it out");
}

// Each group needs at least one hypothesis. For a trained model, `--beam` may be smaller; search
// then uses fewer groups.
void check_diversity(const SearchConfig& search, Problems& problems) {
  if (search.diversity_groups > search.beam)
    problems.add("search.diversity_groups",
                 fmt::format("found {}, expected search.beam, {}, at most", search.diversity_groups,
                             search.beam));
}

// Refuses a minimum length that exceeds a maximum which is independent of the source.
void check_search_lengths(const SearchConfig& search, Problems& problems) {
  for (const auto& [key, least] : {std::pair{"search.min_length", search.min_length},
                                   std::pair{"search.min_new_tokens", search.min_new_tokens}}) {
    if (search.max_length_ratio == 0 && least > search.max_length_extra)
      problems.add(key, fmt::format("found {}, but with search.max_length_ratio: 0 a translation "
                                    "has at most search.max_length_extra, {}, tokens",
                                    least, search.max_length_extra));
  }
}

// Refuses translation metrics for the validation of a language model.
void check_metric(const RunConfig& config, Problems& problems) {
  const ValidationMetric& metric = config.train.validation.metric;
  const bool translates = !config.train.validation.translation_metrics().empty();
  if (!config.data.sources().empty() || !translates || config.data.valid.empty()) return;
  problems.add(
      metric.translates ? "train.validate.metric" : "train.validate.metrics",
      fmt::format(
          "{} needs translations, which a language model lacks: use loss, perplexity or accuracy",
          config.train.validation.translation_metrics().front()));
}

// Checks that train.lora has a model to adapt.
void check_lora(const RunConfig& config, Problems& problems) {
  if (!config.train.lora) return;
  ProblemsAt init_problems(problems, "init");
  config.init.check_lora(init_problems);
}

// Patience ends training only if there are validations.
void check_end(const RunConfig& config, Problems& problems) {
  if (config.train.has_limit() || !config.train.validation.patience || !config.data.valid.empty())
    return;
  problems.add("train.validate.patience",
               "has no effect without a validation set, so nothing ends the training; give "
               "data.valid, or one of train.max_updates, train.max_epochs and train.max_time");
}

void check_sampled_sides(const RunConfig& config, Problems& problems) {
  const std::vector<std::string> sides = config.data.sides();
  for (const std::string& side : config.train.subword_regularization->sides) {
    if (std::ranges::count(sides, side) > 0) continue;
    problems.add("train.subword_regularization.sides",
                 fmt::format("unknown source or target '{}'; there are {}{}", side,
                             fmt::join(sides, ", "), did_you_mean(side, sides)));
  }
}

// Refuses sampling settings of the other method than that of a side's subword model.
void check_sampling_method(const SubwordRegularizationConfig& sampling, const std::string& side,
                           const TokenizerConfig& tokenizer, Problems& problems) {
  const auto* subwords = dynamic_cast<const SentencePieceConfig*>(&tokenizer);
  if (subwords == nullptr || subwords->model) return;  // a trained model's type is in its file
  const bool is_bpe = subwords->model_type == SubwordModel::kBpe;
  const SubwordRegularizationConfig usual;  // a run's config has the defaults of all keys
  const auto refuse = [&](const char* key, bool is_changed) {
    if (is_changed)
      problems.add(fmt::format("train.subword_regularization.{}", key),
                   fmt::format("does nothing with the {} model of the {}: use {}",
                               is_bpe ? "BPE" : "unigram", side,
                               is_bpe ? "bpe_dropout" : "alpha and nbest"));
  };
  if (!is_bpe) return refuse("bpe_dropout", sampling.bpe_dropout != usual.bpe_dropout);
  refuse("alpha", sampling.alpha != usual.alpha);
  refuse("nbest", sampling.nbest != usual.nbest);
}

// Checks that there are subwords to sample.
void check_subword_regularization(const RunConfig& config, Problems& problems) {
  if (!config.train.subword_regularization) return;
  check_sampled_sides(config, problems);
  const std::vector<std::string>& sides = config.train.subword_regularization->sides;
  for (const std::string& side : sides.empty() ? config.data.sides() : sides) {
    const TokenizerConfig* tokenizer = tokenizer_of(config.text, side);
    if (tokenizer == nullptr) continue;
    check_sampling_method(*config.train.subword_regularization, side, *tokenizer, problems);
    if (!tokenizer->samples())
      problems.add(
          "train.subword_regularization",
          fmt::format("the {} is tokenized into {}, which have no other segmentation: name "
                      "the `sides` that are subwords, or leave this out",
                      side, tokenizer->unit()));
  }
}

// auto, cpu, cuda or cuda:N. The first use of the device shows if it exists.
bool is_device(const std::string& device) {
  if (device == "auto" || device == "cpu" || device == "cuda") return true;
  const std::string digits = device.starts_with("cuda:") ? device.substr(5) : "";
  return !digits.empty() && digits.size() < 4 &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Checks that the data have the tags that the model reads, and that tagged data have a source.
void check_tags(const DataConfig& data, const Needs& needs, Problems& problems) {
  const bool has_tags = !data.tags().empty();
  if (has_tags && data.sources().empty())
    problems.add("data.train[0].tag", "needs a source, which a language model lacks");
  if (needs.tag && lacks(data, has_tags, "tag", problems)) {
    problems.add("data.train[0]",
                 "has no `tag`, but an attention of the model has parameters for each tag "
                 "(task_specific): give every corpus a tag");
  }
}

// Checks that the model uses the tags of the data.
void check_use_of_tags(const DataConfig& data, const EmbeddingConfig& embedding, const Needs& needs,
                       Problems& problems) {
  if (data.tags().empty() || needs.tag || embedding.tag != TagPlace::kNone) return;
  problems.add("model.embedding.tag",
               "is none, and no attention is task_specific, so the model does not use the tags "
               "of data.train: use source, target or both, or leave the tags out");
}

void check_edges(const DataConfig& data, const Needs& needs, Problems& problems) {
  if (!needs.edges || !lacks(data, data.has_edges(), "edges", problems)) return;
  problems.add("data.train[0]",
               "has no `edges`, but an attention of the model needs an edge list (terms: edges): "
               "give the file");
}

// Checks that corpora and model have the same source factors.
void check_factors(const DataConfig& data, const EmbeddingConfig& embedding, Problems& problems) {
  if (data.train.empty() || !problems.is_whole("data.train[0].factors")) return;
  const std::vector<std::string> given = data.factors();
  for (const std::string& name : given) {
    if (embedding.source_factors.contains(name)) continue;
    problems.add("data.train[0].factors." + name,
                 fmt::format("is not a factor of model.embedding.source_factors: add `{}: {{width: "
                             "…}}` there, or leave the file out",
                             name));
  }
  for (const auto& [name, unused] : embedding.source_factors) {
    if (std::ranges::count(given, name) > 0) continue;
    problems.add("model.embedding.source_factors." + name,
                 fmt::format("data.train[0] has no labels for it: give their file by `factors: "
                             "{{{}: FILE}}`, or leave the factor out",
                             name));
  }
}

// Checks that gradient checkpointing has layers that it can recompute.
void check_gradient_checkpointing(const RunConfig& config, const ModelPlan& plan,
                                  Problems& problems) {
  if (!config.train.gradient_checkpointing) return;
  const bool in_decoder = config.model.decoder->can_recompute() && !config.model.output->stepwise();
  const auto can = [](const SourcePlan& source) { return source.encoder->can_recompute(); };
  if (in_decoder || std::ranges::any_of(plan.sources, can)) return;
  problems.add("train.gradient_checkpointing",
               "does nothing with this model, which has none of the layers that can be computed "
               "again, those of recurrent, convolutional and Transformer encoders and of "
               "convolutional and Transformer decoders (not with copynet); leave it out");
}

// Checks that the model fits the data, the tokenizers and the training.
void check_model(const RunConfig& config, const ModelPlan& plan, Problems& problems) {
  check_use_of_tags(config.data, config.model.embedding, plan.needs, problems);
  check_copying(*config.model.output, config.text, plan.attended_source(), problems);
  check_use_of_weights(config, plan, problems);
  check_guided_alignment(config, plan, problems);
  check_supporting_facts(config, plan, problems);
  check_gradient_checkpointing(config, plan, problems);
}

}  // namespace

RunConfig::RunConfig() {
  for (const char* side : {kSourceSide, kTargetSide}) text[side];
}

void RunConfig::fields(Fields& f) {
  f.path(
      "run", run, PathRoot::kConfigFolder,
      "folder of the run: checkpoints, log, config; relative to the folder of the config; to the "
      "current folder if --set gives it");
  f.field("seed", seed, kNotNegative, "seed of all random number generators");
  f.field("device", device, "auto, cpu or cuda:N; auto uses a GPU if there is one");
  f.section("data", data, "corpora, and how lines that cannot be used are handled");
  f.map("text", text, "tokenizer and vocabulary of the source and of the target");
  f.section("model", model, "neural network");
  f.section("init", init, "parameters that the run starts with, instead of random ones");
  f.section("train", train, "training");
  f.section("search", search, "beam search, in validation and with the trained model");
  f.may_change(ChangeAt::kResume, {"run", "device", "init", "search"});
  f.affects(Effect::kTranslationScores, {"search"});
  f.peers(
      "run",
      {.joeynmt = "model_dir", .opennmt = "save_model", .marian = "model", .also = "output_dir"});
  f.peers("seed", {.joeynmt = "random_seed", .opennmt = "seed", .marian = "seed"});
  f.peers("device", {.joeynmt = "use_cuda",
                     .opennmt = "world_size, gpu_ranks",
                     .marian = "devices",
                     .also = "gpu"});
  f.peers("text.NAME.type", {.joeynmt = "data.src.level",
                             .opennmt = "transforms: [sentencepiece]",
                             .marian = "(ending of `vocabs`, `.spm`)",
                             .also = "tokenizer_type"});
  f.peers("train", {.also = "training"});
  f.peers("search", {.also = "testing, translate, decoding"});
  f.required("run");
  f.required("data");
}

void RunConfig::validate(Problems& problems) const {
  if (run.empty()) problems.add("run", "is empty, expected a folder");
  if (!is_device(device)) {
    problems.add("device", "found '" + device + "', expected auto, cpu or cuda:N");
  }
}

void RunConfig::validate_parts(Problems& problems) const {
  ProblemsAt text_problems(problems, "text"), data_problems(problems, "data");
  const std::vector<std::string> sources = data.sources();
  const auto plan = problems.is_whole("model") ? find_plan(model) : std::nullopt;
  const Needs needs = needs_of(model);
  check_sides(text, data, model, problems);
  validate_sharing(text, text_problems);
  validate_target_marker(text, text_problems);
  if (!data.train.empty()) check_encoders(model, data, problems);
  check_tie(model.embedding, text, sources, problems);
  check_shared_sources(model.embedding, text, sources, problems);
  check_markers(model, text, problems);
  check_metric(*this, problems);
  check_lora(*this, problems);
  check_end(*this, problems);
  check_sequence_loss(*this, problems);
  check_diversity(search, problems);
  check_search_lengths(search, problems);
  check_tags(data, needs, problems);
  check_edges(data, needs, problems);
  check_factors(data, model.embedding, problems);
  check_subword_regularization(*this, problems);
  check_augmentation(*this, needs, problems);
  if (plan) check_model(*this, *plan, problems);
  if (folder.empty()) return;
  ProblemsAt init_problems(problems, "init");
  check_init(init, data.sides(), init_problems);
  find_missing_data_files(data, folder, data_problems);
  find_missing_text_files(text, folder, text_problems);
}

void check_alignment_of(const ModelConfig& model, const std::string& path, Problems& problems) {
  const auto plan = problems.is_whole("model") ? find_plan(model) : std::nullopt;
  if (!plan) return;
  want_weights(*plan, path, problems);
  want_gradient(*plan, path, problems);
  want_shares(model, path, problems);
  want_tokens(*plan, path, problems);
}

void read_stored_config(const std::filesystem::path& file, Settings& settings) try {
  read_config_file(file.string(), settings, {.overrides = {}, .saved = true});
} catch (const Error& error) {
  if (error.kind() != ErrorKind::kUsage) throw;
  throw_error(ErrorKind::kModel,
              "{}; the config of this run is damaged or of another version of heed: put it back, "
              "or start anew with --overwrite",
              first_mistake(error));
}

}  // namespace heed
