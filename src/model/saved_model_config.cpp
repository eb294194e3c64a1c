#include "model/saved_model_config.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/model_folder.h"
#include "config/kinds_in.h"
#include "config/reader.h"
#include "config/sizes.h"
#include "model/outputs/copynet_config.h"
#include "nn/attention/staged_config.h"
#include "nn/needs_spec.h"

namespace heed {

namespace {

// The mechanism of a kind whose formula is another since format 2, or "".
std::string other_since_format_1(const Settings& kind) {
  const auto* staged = dynamic_cast<const StagedConfig*>(&kind);
  if (staged == nullptr || std::has_single_bit(static_cast<uint64_t>(staged->heads))) return "";
  for (const auto& term : staged->terms) {
    if (term->type == "alibi")
      return "alibi has the slopes of Press 2022 where the number of heads is no power of two";
  }
  return "";
}

// Models of format 1 keep their meaning, or are refused.
void adapt_format_1(SavedModelConfig& config, const fs::path& file) {
  if (auto* copynet = dynamic_cast<CopyNetConfig*>(config.model.output.get()))
    copynet->copy_end = true;
  visit_kinds(config.model, [&](const std::string& path, const Settings& kind) {
    const std::string change = other_since_format_1(kind);
    if (!change.empty())
      throw_error(ErrorKind::kModel,
                  "{}: model.{}: an earlier version of heed trained this model with another "
                  "formula, and now {}; train it again",
                  file.string(), path, change);
  });
}

}  // namespace

void SavedModelConfig::fields(Fields& f) {
  f.list("sources", sources, "names of the sources, in order");
  f.list("tags", tags, "tags of the data, in order");
  f.map("text", text, "tokenizer and vocabulary of the source and of the target");
  f.section("model", model, "neural network");
  f.section("search", search, "beam search");
  f.field("max_length", max_length, kLengths,
          "tokens of the longest sentence of the training data");
  f.field("target_words", target_words,
          "frequent words of the training targets that its sources hardly have");
  f.field("source_language", source_language, "language of the source, if it is known");
  f.field("target_language", target_language, "language of the target, if it is known");
  f.section("source_lines", source_lines, "what the source lines of the training are like");
}

void SavedModelConfig::validate(Problems& problems) const {
  for (const std::string& source : sources) {
    if (!text.contains(source)) problems.add("text", "nothing for the source '" + source + "'");
  }
  if (sources != model.sources())
    problems.add("sources",
                 fmt::format("are {}, but the model has encoders for {}", fmt::join(sources, ", "),
                             fmt::join(model.sources(), ", ")));
  if (!tags.empty() && sources.empty()) problems.add("tags", "need a source, and there is none");
  if (tags.empty() && needs_of(model).tag)
    problems.add("tags", "are missing, but an attention has parameters for each tag");
  if (!std::ranges::is_sorted(tags)) problems.add("tags", "are not sorted");
  if (!text.contains(kTargetSide)) problems.add("text", "nothing for the target");
  validate_sharing(text, problems);
}

VocabularySizes vocabulary_sizes(const SavedModelConfig& config, const Codecs& codecs) {
  VocabularySizes sizes;
  for (const std::string& source : config.sources) {
    const Codec& codec = *codecs.at(source);
    sizes.sources[source] = codec.vocabulary().size();
    sizes.owners[source] = owner_of(config.text, source);
    if (const auto marker = codec.marker()) sizes.markers[source] = *marker;
  }
  sizes.target = codecs.at(kTargetSide)->vocabulary().size();
  sizes.tags = static_cast<int64_t>(config.tags.size());
  for (const auto& [name, unused] : config.model.embedding.source_factors)
    sizes.factors[name] = codecs.at(name)->vocabulary().size();
  return sizes;
}

namespace {

ModelText with_codecs(const fs::path& folder, SavedModelConfig config) {
  ModelText read{.folder = folder, .config = std::move(config), .codecs = {}};
  read.codecs = load_codecs(folder, read.config.text);
  read.codecs.merge(
      load_label_codecs(folder, names_of(read.config.model.embedding.source_factors)));
  return read;
}

}  // namespace

SavedModelConfig read_model_config(const fs::path& folder) {
  SavedModelConfig config;
  try {
    read_config_file((folder / kModelConfig).string(), config, {.overrides = {}, .saved = true});
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    throw_error(ErrorKind::kModel, "{}; this model was written by another version of heed",
                error.what());
  }
  if (manifest_format(folder) == 1) adapt_format_1(config, folder / kModelConfig);
  return config;
}

ModelText read_model_text(const fs::path& folder) {
  check_manifest(folder);
  return with_codecs(folder, read_model_config(folder));
}

ModelText read_model_text(const fs::path& folder, SavedModelConfig config) {
  check_manifest(folder);
  return with_codecs(folder, std::move(config));
}

}  // namespace heed
