#include "exchange/imports.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "base/folder.h"
#include "base/language_code.h"
#include "base/log.h"
#include "config/reader.h"
#include "config/sizes.h"
#include "exchange/ctranslate2_network.h"

namespace heed {

namespace {

// CTranslate2 adds </s> to sources itself, or leaves it to the tokenizer: those of transformers add
// it. Models that begin a target with <s> are of OpenNMT, whose sources have no end.
bool find_source_end(const CTranslate2Settings& settings, const std::optional<bool>& chosen) {
  const bool by_tokenizer = settings.begins_with_zero || !settings.begin ||
                            *settings.begin == settings.end || *settings.begin == "<pad>";
  const bool ends = chosen.value_or(settings.source_end || by_tokenizer);
  if (chosen) return ends;
  if (settings.source_end)
    spdlog::info("sources end in {}, which CTranslate2 adds", settings.end);
  else if (by_tokenizer)
    spdlog::info(
        "sources end in {}, which the tokenizers of such models add; if this one was "
        "trained without it: --source-end no",
        settings.end);
  else
    spdlog::info("sources have no end token; if this model was trained with {}: --source-end yes",
                 settings.end);
  return ends;
}

// Defaults of translate_batch() of CTranslate2, of a package what Argos Translate gives it.
SearchConfig search_of(bool is_argos, const std::optional<int64_t>& positions) {
  SearchConfig search;
  search.beam = is_argos ? 4 : 2;
  search.length_penalty = is_argos ? 0.2 : 1;
  search.length_normalization = LengthNormalization::kPlain;
  search.min_length = 1;
  search.max_length_ratio = 0;
  search.max_length_extra = 256;
  if (positions)
    search.max_length_extra = std::clamp<int64_t>(*positions - 1, 1, search.max_length_extra);
  return search;
}

void report_positions(const CTranslate2Network& network) {
  for (const auto& [what, positions] :
       {std::pair{"source", network.source_positions}, {"target", network.target_positions}}) {
    if (positions)
      spdlog::info("{}: the model has a table of {} positions; those behind it are as the last",
                   what, *positions);
  }
}

SavedModelConfig config_of(const CTranslate2Folder& folder, const CTranslate2Text& text,
                           const CTranslate2Network& network, const HfLanguages& languages,
                           bool source_end) try {
  SavedModelConfig config;
  read_config_text(network.config, "model.bin", config.model);
  config.text = text.config;
  const auto code = [](const std::string& given, const std::string& of_package) {
    return language_code(given.empty() ? of_package : given);
  };
  config.source_language = code(languages.source, folder.source_language);
  config.target_language = code(languages.target, folder.target_language);
  config.search = search_of(folder.is_argos, network.target_positions);
  if (network.source_positions)
    config.max_length =
        std::clamp(*network.source_positions - (source_end ? 1 : 0), kLengths.low, kLengths.high);
  return config;
} catch (const Error& error) {
  throw_error(ErrorKind::kModel, "{}: {}", folder.model.string(), error.what());
}

void fill(Seq2Seq& network, const NamedTensors& from) {
  const torch::NoGradGuard no_grad;
  NamedTensors to = tensors_of(network);
  HEED_CHECK(to.size() == from.size(), "{} parameters, {} were read", to.size(), from.size());
  for (auto& [name, tensor] : to) {
    const auto found = from.find(name);
    HEED_CHECK(found != from.end() && found->second.sizes() == tensor.sizes(), "{}", name);
    tensor.copy_(found->second);
  }
}

}  // namespace

LoadedModel import_ctranslate2(const std::filesystem::path& path,
                               const CTranslate2ImportOptions& options) {
  const CTranslate2Folder folder = find_ctranslate2_folder(path);
  CTranslate2Weights weights(folder.model / "model.bin");
  const CTranslate2Settings settings = read_ctranslate2_settings(folder.model, weights);
  const CTranslate2Text text = read_ctranslate2_text(folder, settings, options.text);
  const bool source_end = find_source_end(settings, options.source_end);
  const CTranslate2Network network = read_ctranslate2_network(weights, text, source_end);
  report_positions(network);
  if (folder.is_argos)
    spdlog::info("Argos Translate replaces unknown tokens: heed translate --replace-unknown");
  LoadedModel model;
  model.config = config_of(folder, text, network, options.text.languages, source_end);
  model.codecs = text.codecs;
  model.network = std::make_shared<Seq2Seq>(model.config.model,
                                            vocabulary_sizes(model.config, model.codecs), 0);
  fill(*model.network, network.tensors);
  model.network->eval();
  if (is_plain_file(folder.model / "vmap.txt"))
    spdlog::warn("vmap.txt is left out; `heed shortlist` makes a list of candidates");
  return model;
}

}  // namespace heed
