#include "model/notes.h"

#include "config/kinds_in.h"
#include "model/transformer_config.h"

namespace heed {

namespace {

// Kinds that tell places apart by themselves; their papers add nothing to the embeddings.
std::vector<std::string> kinds_with_positions(AttentionConfig& attention) {
  std::vector<std::string> names;
  const auto scores = kinds_in(attention, scorers());
  const bool has_values = kinds_in(attention, readouts()).contains("relative");
  if (scores.contains("relative") || has_values) names.emplace_back("relative");
  if (scores.contains("rotary")) names.emplace_back("rotary");
  if (kinds_in(attention, terms()).contains("alibi")) names.emplace_back("alibi");
  return names;
}

void note_positions(TransformerSettings& part, const std::string& path,
                    std::vector<std::string>& notes) {
  if (part.positions->kind == PositionKind::kNone) return;
  for (const std::string& name : kinds_with_positions(*part.self_attention)) {
    const char* added = part.positions->kind == PositionKind::kLearned ? "learned" : "sinusoidal";
    notes.push_back(
        fmt::format("{}.positions: {} positions are added to the embeddings beside {}, whose paper "
                    "has none: positions: none",
                    path, added, name));
  }
}

void note_clips(TransformerSettings& part, const std::string& path,
                std::vector<std::string>& notes) {
  const auto* staged = dynamic_cast<const StagedConfig*>(part.self_attention.get());
  if (staged == nullptr || !staged->read) return;
  const auto keys = staged->score->clip(), values = staged->read->clip();
  if (!keys || !values || *keys == *values) return;
  notes.push_back(fmt::format(
      "{}.self_attention.read.clip: {}, but {} in its score; Shaw 2018 has one for both: leave "
      "it out",
      path, *values, *keys));
}

}  // namespace

std::vector<std::string> notes_on(ModelConfig config) {
  std::vector<std::string> notes;
  const KindVisitor look_at = [&](const std::string& path, const std::string&, Settings& part) {
    auto* transformer = dynamic_cast<TransformerSettings*>(&part);
    if (transformer == nullptr) return;
    note_positions(*transformer, "model." + path, notes);
    note_clips(*transformer, "model." + path, notes);
  };
  visit_kinds(config, encoders(), look_at);
  visit_kinds(config, decoders(), look_at);
  return notes;
}

}  // namespace heed
