#include "cli/inspect/model_description.h"

#include "base/error.h"
#include "config/changed_words.h"
#include "config/kinds_in.h"
#include "nn/attention/staged_config.h"

namespace heed {

namespace {

bool is_attention(const Settings& kind) {
  return dynamic_cast<const AttentionConfig*>(&kind) != nullptr;
}

// "general score, 1 head, terms [gaussian]"
std::string staged_text(const StagedConfig& attention) {
  const ScorerConfig& score = *attention.score;
  std::string text =
      with_words(score.type, changed_words(score, *fresh_kind(scorers(), score.type))) + " score";
  if (!score.heads(1))
    text += fmt::format(", {} head{}", attention.heads, attention.heads == 1 ? "" : "s");
  StagedConfig usual;
  usual.score = attention.score;
  usual.heads = attention.heads;
  const auto is_score = [&](const Settings& kind) { return &kind == &score; };
  for (const std::string& word : changed_words(attention, usual, {.left_out = is_score}))
    text += ", " + word;
  return text;
}

std::string attention_text(const AttentionConfig& attention) {
  if (const auto* staged = dynamic_cast<const StagedConfig*>(&attention))
    return staged_text(*staged);
  return with_words(attention.type,
                    changed_words(attention, *fresh_kind(attentions(), attention.type),
                                  {.left_out = is_attention}));
}

template <class Base>
void add_part(std::vector<DescriptionRow>& rows, const std::string& name, const Base& part,
              const Registry<Base>& registry) {
  const WordChoice choice{.always = {"cell", "layers", "width", "feed_forward", "kernel"},
                          .left_out = is_attention};
  rows.push_back(
      {name, with_words(part.type, changed_words(part, *fresh_kind(registry, part.type), choice))});
  visit_kinds(part, [&rows](const std::string& at, const Settings& kind) {
    if (const auto* attention = dynamic_cast<const AttentionConfig*>(&kind))
      rows.push_back({"  " + at, attention_text(*attention)});
  });
}

// Settings that no part has; none with their defaults.
void add_section(std::vector<DescriptionRow>& rows, const std::string& name,
                 const std::vector<std::string>& words) {
  if (!words.empty()) rows.push_back({name, fmt::format("{}", fmt::join(words, ", "))});
}

}  // namespace

std::vector<DescriptionRow> describe_model(const ModelConfig& model) {
  std::vector<DescriptionRow> rows;
  add_section(rows, "embedding",
              changed_words(model.embedding, EmbeddingConfig(), {.always = {"width"}}));
  if (model.encoders.empty()) add_part(rows, "encoder", *model.encoder, encoders());
  for (const auto& [name, encoder] : model.encoders)
    add_part(rows, "encoder, " + name, *encoder, encoders());
  if (!model.source_end) rows.push_back({"source_end", "false"});
  if (model.join) add_part(rows, "join", *model.join, joiners());
  add_part(rows, "decoder", *model.decoder, decoders());
  add_part(rows, "output", *model.output, outputs());
  add_section(rows, "initializer", changed_words(model.initializer, InitializerConfig()));
  return rows;
}

}  // namespace heed
