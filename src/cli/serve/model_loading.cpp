#include "cli/serve/model_loading.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "base/model_folder.h"
#include "cli/model_path.h"
#include "cli/search_settings.h"
#include "cli/tensor_library.h"
#include "load/with_libtorch.h"
#include "load/worker_count.h"
#include "text/line_language.h"
#include "translate/directions.h"

namespace heed {

namespace fs = std::filesystem;

std::vector<NamedModel> named_models(const std::vector<std::string>& models) {
  std::vector<NamedModel> named;
  for (const std::string& model : models) {
    const size_t equals = model.find('=');
    NamedModel one = equals == std::string::npos
                         ? NamedModel{model_name(model), model}
                         : NamedModel{model.substr(0, equals), model.substr(equals + 1)};
    if (one.name.empty() || one.path.empty())
      throw_error(ErrorKind::kUsage, "'{}': the {} is empty; expected MODEL or NAME=MODEL", model,
                  one.path.empty() ? "model" : "name");
    if (std::ranges::find(named, one.name, &NamedModel::name) != named.end())
      throw_error(ErrorKind::kUsage,
                  "{}: another model is called '{}' too; give it another name, NAME={}", model,
                  one.name, one.path);
    named.push_back(std::move(one));
  }
  return named;
}

namespace {

TextModel load_translator(const NamedModel& named, const DecodingOptions& decoding) {
  TextModel model = load_text_model({{named.path}, decoding.device, decoding.precision});
  if (model.sources.empty())
    throw_error(ErrorKind::kUsage,
                "{}: is a language model, which translates nothing; `heed generate` writes its "
                "texts",
                named.path);
  return model;
}

// Limits of a request hold for what the server does where a request says nothing, too.
void check_usual_search(const NamedModel& named, const SearchConfig& search,
                        const ServeLimits& limits) {
  if (search.beam > limits.beam)
    throw_error(ErrorKind::kUsage,
                "{}: searches with a beam of {}, --max-beam allows {}; give --beam or another "
                "--max-beam",
                named.path, search.beam, limits.beam);
  if (const int64_t least = std::max(search.min_length, search.min_new_tokens);
      least > limits.tokens)
    throw_error(ErrorKind::kUsage,
                "{}: translations have {} tokens or more (min_length, min_new_tokens), "
                "--max-tokens allows {}",
                named.path, least, limits.tokens);
}

std::unique_ptr<AttentionMapsSource> attention_maps_of(const ModelRequest& request) try {
  return load_attention_maps(request);
} catch (const MissingLibrary& error) {
  throw HttpError(HttpStatus::kNotImplemented,
                  "this server has no libtorch, which attention maps of all layers need; "
                  "\"attention\": true of POST /translate needs none",
                  error.what());
}

// Tokens of languages that a line may begin with. A model with such pieces may read them otherwise.
std::vector<std::string> language_tokens(const Codec& source) {
  std::vector<std::string> tokens;
  const Vocabulary& vocabulary = source.vocabulary();
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& piece = vocabulary.piece(id);
    if (!is_language_piece(piece)) continue;
    const Ids read = source.encode(piece + " a");
    if (!read.empty() && read.front() == id) tokens.push_back(piece);
  }
  return tokens;
}

// Warns of a name such as de-en of a model from English into German.
void warn_of_languages(const std::string& name, const TextModel& model) {
  const std::string own = fs::path(name).filename().string();
  const size_t dash = own.find('-');
  if (dash == std::string::npos || model.source_language.empty() || model.target_language.empty())
    return;
  if (own.substr(0, dash) == model.target_language && own.substr(dash + 1) == model.source_language)
    spdlog::warn("{}: its name says from {} into {}, but the model translates from {} into {}",
                 name, model.target_language, model.source_language, model.source_language,
                 model.target_language);
}

}  // namespace

std::vector<LanguagePair> pairs_of(const std::string& name, const TextModel& model) {
  const size_t tag = model.tags.empty() ? 0 : 1;
  if (model.sources.size() != 1 || model.inputs.size() != 1 + tag) return {};
  warn_of_languages(name, model);
  const Directions directions(model);
  ModelLanguages languages{
      .source = model.source_language, .target = model.target_language, .tags = model.tags};
  if (directions.needs_source()) languages.sources = directions.sources();
  if (directions.needs_target()) languages.targets = directions.targets();
  if (!directions.needs_source() && !directions.needs_target())
    languages.tokens = language_tokens(model.aligned_codec());
  return language_pairs(name, languages);
}

ServedModel served_model(const NamedModel& named, const ServeOptions& options,
                         ServeMemory& memory) {
  ServedModel served;
  served.name = named.name;
  served.text = std::make_shared<const TextModel>(load_translator(named, options.decoding));
  const TextModel& model = *served.text;
  served.pairs = pairs_of(named.name, model);
  // The links of a run that is still trained may move before its maps are wanted.
  const std::string loaded = fs::canonical(find_model(named.path)).string();
  const ModelSearch usual{model.search, model.has_source_weights};
  served.search = search_config(usual, options.search);
  served.summary_search = search_config(
      {summary_search(usual, options.search), model.has_source_weights}, options.search);
  served.joins = std::make_shared<const WordJoins>(model.target_codec().word_joins());
  served.attention = std::make_unique<AttentionMapsOnUse>(
      [request = ModelRequest{.paths = {loaded}}] { return attention_maps_of(request); });
  check_usual_search(named, served.search, options.limits);
  check_usual_search(named, served.summary_search, options.limits);
  const int64_t workers = worker_count(options.decoding.workers, model.on_gpu);
  const int64_t batch =
      options.decoding.batch.value_or(model.engine->best_batch(served.search.hypotheses()));
  served.queue = std::make_unique<TranslationQueue>(
      served.text, QueueOptions{.batch = batch,
                                .workers = workers,
                                .capacity = options.limits.queue,
                                .usual = served.search,
                                .weights = options.limits.weights(),
                                .memory = memory.lines});
  return served;
}

}  // namespace heed
