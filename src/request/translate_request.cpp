#include "request/translate_request.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "config/reader.h"
#include "config/settings_tree.h"
#include "request/http_error.h"
#include "request/json_body.h"
#include "request/json_fields.h"
#include "request/request_texts.h"
#include "translate/directions.h"
#include "translate/search_overrides.h"
#include "translate/split_line.h"

namespace heed {

namespace {

const OfferedModel& model_named(const OfferedModels& models, const std::string& name) {
  const OfferedModel* model = models.find(name);
  if (model == nullptr)
    throw_http_error(HttpStatus::kNotFound, "model: found {}, expected one of {}{}",
                     shown(Json(name)), fmt::join(models.names(), ", "),
                     did_you_mean(name, models.names()));
  return *model;
}

const OfferedModel& model_of(JsonFields& fields, const OfferedModels& models) {
  const auto name = fields.text("model");
  return name ? model_named(models, *name) : only_model(models, "model");
}

// The model with the languages of the request; nullptr if it names none.
std::shared_ptr<const TextModel> read_direction(JsonFields& fields, const TextModel& model) {
  const Directions directions(model);
  Direction chosen;
  const auto take = [&](const char* name, std::string& to, auto code_of) {
    const std::optional<std::string> given = fields.text(name);
    if (!given) return;
    try {
      to = (directions.*code_of)(*given, "");
    } catch (const Error& error) {
      fields.wrong(name, error.what());
    }
  };
  take("source_language", chosen.source, &Directions::source);
  take("target_language", chosen.target, &Directions::target);
  if (!chosen.is_chosen()) return nullptr;
  return std::make_shared<const TextModel>(directions.choose(chosen));
}

// Splits by default if the model can, but not for summaries, which summarize whole documents.
bool read_split(JsonFields& fields, const TextModel& model) {
  const std::optional<bool> wanted = fields.boolean("split");
  const bool summarizes = fields.object().value("summarize", Json()) == true;
  if (wanted.value_or(false) && summarizes)
    fields.wrong("split", "a summary is that of the whole text: leave it out beside summarize");
  if (wanted.value_or(false) && !can_split(model)) fields.wrong("split", kCannotSplit);
  return wanted.value_or(can_split(model) && !summarizes);
}

std::vector<SourceLine> read_lines(JsonFields& fields, const TextModel& model,
                                   const ServeLimits& limits, bool may_have_lines) {
  SourceTexts reader(model, limits, fields, may_have_lines);
  const Json *one = fields.any("text"), *many = fields.any("texts");
  if ((one == nullptr) == (many == nullptr)) {
    fields.wrong("texts", "expected either text or a list of texts");
    return {};
  }
  if (one != nullptr) return {reader.read("text", *one)};
  if (!many->is_array() || many->empty() || std::ssize(*many) > limits.texts) {
    fields.wrong("texts", fmt::format("expected a list of 1 to {} texts", limits.texts));
    return {};
  }
  std::vector<SourceLine> lines;
  for (const Json& text : *many)
    lines.push_back(reader.read(fmt::format("texts[{}]", lines.size()), text));
  return lines;
}

// The prefix of each line: a text for a request with one text, else a list of one per line.
std::vector<std::string> read_prefixes(JsonFields& fields, size_t lines) {
  const Json* prefix = fields.any("prefix");
  if (prefix == nullptr) return std::vector<std::string>(lines);
  std::vector<std::string> prefixes =
      prefix->is_string() ? std::vector{prefix->get<std::string>()} : fields.texts("prefix");
  if (prefixes.size() != lines && lines > 0)
    fields.wrong("prefix", fmt::format("expected one for each text, {}", lines));
  prefixes.resize(lines);
  return prefixes;
}

// A list of phrases. All together have at most the length of a text.
std::vector<std::string> read_phrases(JsonFields& fields, const char* name,
                                      const ServeLimits& limits) {
  std::vector<std::string> phrases = fields.texts(name);
  check_texts(name, phrases, limits, fields);
  return phrases;
}

// Limits the number of phrases: search compares each phrase with every partial phrase that a
// hypothesis may continue.
void check_count(JsonFields& fields, const std::vector<std::string>& phrases,
                 const ServeLimits& limits) {
  if (std::ssize(phrases) > limits.phrases)
    fields.wrong("constraints", fmt::format("found {} phrases, expected {} at most", phrases.size(),
                                            limits.phrases));
}

void read_constraints(JsonFields& fields, const ServeLimits& limits, TranslateRequest& request) {
  request.phrases = std::make_shared<const LexicalConstraints>(
      LexicalConstraints{.prefix = "",
                         .phrases = read_phrases(fields, "constraints", limits),
                         .avoided = read_phrases(fields, "avoid", limits)});
  check_count(fields, request.phrases->phrases, limits);
  request.prefixes = read_prefixes(fields, request.lines.size());
  for (const std::string& prefix : request.prefixes)
    check_texts("prefix", {prefix}, limits, fields);
}

std::optional<SamplingOptions> read_sampling(JsonFields& fields) {
  SamplingOptions sampling;
  const bool is_wanted = fields.boolean("sample").value_or(false);
  const auto temperature = fields.real("temperature", {0, 100, true});
  const auto top_k = fields.whole("top_k", kPositive);
  const auto top_p = fields.real("top_p", {0, 1, true});
  const auto seed = fields.whole("seed", kNotNegative);
  if (!is_wanted && (temperature || top_k || top_p || seed))
    fields.wrong("sample", "expected true beside temperature, top_k, top_p and seed");
  sampling.temperature = temperature.value_or(sampling.temperature);
  sampling.top_k = top_k.value_or(sampling.top_k);
  sampling.top_p = top_p.value_or(sampling.top_p);
  if (seed) sampling.seed = static_cast<uint64_t>(*seed);
  return is_wanted ? std::optional(sampling) : std::nullopt;
}

// Values of a key of `search`: they are read as YAML, which takes long for long texts.
int64_t bytes_of(const Json& value) {
  if (value.is_string()) return std::ssize(value.get_ref<const std::string&>());
  int64_t sum = 0;
  if (value.is_array())
    for (const Json& item : value) sum += bytes_of(item);
  return sum;
}

// Keys of `search` that a server limits further than a config does.
void read_limited_keys(JsonFields& fields, SearchConfig& search, const ServeLimits& limits,
                       int64_t longest_source) {
  const auto take = [&](const char* name, auto& to, const IntRange& range) {
    if (const auto value = fields.whole(name, range)) to = *value;
  };
  take("beam", search.beam, {1, limits.beam});
  take("min_length", search.min_length, {0, limits.tokens});
  take("min_new_tokens", search.min_new_tokens, {0, limits.tokens});
  take("max_source_length", search.max_source_length, {1, longest_source});
}

// The other fields that are keys of `search`, as a config would have them.
void read_search_keys(JsonFields& fields, SearchConfig& search, const ServeLimits& limits) {
  const Node known = settings_tree(search);
  std::vector<std::string> names = fields.asked();
  for (const Node::Entry& key : known.entries) names.push_back(key.key);
  Json keys = Json::object();
  for (const std::string& name : fields.others()) {
    const Json& value = fields.object().at(name);
    const Node* key = known.find(name);
    if (key == nullptr)
      fields.wrong(name, fmt::format("is not a field of a request{}", did_you_mean(name, names)));
    else if (bytes_of(value) > limits.characters)
      fields.wrong(name, fmt::format("is longer than {} bytes", limits.characters));
    else if (value.is_structured() && !key->is(Node::Form::kList))
      fields.wrong(name, fmt::format("found {}, expected one value", shown(value)));
    else if (value.is_structured())
      keys[name] = fields.texts(name);
    else if (!value.is_null())
      keys[name] = value;
  }
  if (keys.empty()) return;
  const std::string text = json_text(keys);
  for (const Problem& problem : find_problems(text, "request", search))
    fields.wrong(problem.path, problem.message);
}

void read_max_length(JsonFields& fields, SearchConfig& search, int64_t limit) {
  const auto longest = fields.whole("max_length", {1, limit});
  for (const char* other : {"max_length_ratio", "max_length_extra"})
    if (longest && fields.has(other))
      fields.wrong(other, "excludes max_length: leave one of them out");
  if (longest) set_max_length(search, *longest);
}

void check_lengths(JsonFields& fields, const SearchConfig& search, int64_t limit) {
  const int64_t longest =
      search.max_length_ratio == 0 ? std::min(limit, search.max_length_extra) : limit;
  for (const auto& [name, least] :
       {std::pair{"min_length", search.min_length}, {"min_new_tokens", search.min_new_tokens}}) {
    if (least > longest)
      fields.wrong(name, fmt::format("found {}, expected {} at most", least, longest));
  }
}

void check_suppressed_tokens(JsonFields& fields, const SearchConfig& search,
                             const Vocabulary& target) {
  for (const auto& [name, tokens] : {std::pair{"suppress_tokens", search.suppress_tokens},
                                     {"begin_suppress_tokens", search.begin_suppress_tokens}}) {
    if (const std::string problem = unknown_tokens(tokens, target); !problem.empty())
      fields.wrong(name, problem);
  }
}

SearchConfig read_search(JsonFields& fields, const OfferedModel& model, const ServeLimits& limits) {
  const bool summarizes = fields.boolean("summarize").value_or(false);
  SearchConfig search = summarizes ? model.summary_search : model.search;
  const int64_t nbest = fields.whole("nbest", {1, limits.beam}).value_or(1);
  search.sampling = read_sampling(fields);
  if (search.sampling) {
    search.coverage_penalty = 0;
    for (const char* key : SearchConfig::kOfBeamSearch)
      if (fields.has(key)) fields.wrong(key, "is of beam search: leave it out beside sample");
  }
  read_max_length(fields, search, limits.tokens);
  read_limited_keys(fields, search, limits, model.search.longest_source(model.text->max_length));
  read_search_keys(fields, search, limits);
  check_lengths(fields, search, limits.tokens);
  check_suppressed_tokens(fields, search, model.text->target_codec().vocabulary());
  set_nbest(search, nbest, fields.has("beam"));
  search.beam = std::min(search.beam, limits.beam);
  if (fields.has("diversity_groups") && search.diversity_groups > search.beam)
    fields.wrong("diversity_groups", fmt::format("needs a beam of {} or more, found {}",
                                                 search.diversity_groups, search.beam));
  if (fields.has("diversity_strength") && search.diversity_groups == 1)
    fields.wrong("diversity_strength", "needs diversity_groups of 2 or more");
  if (fields.has("length_normalization") && search.length_penalty == 0)
    fields.wrong("length_normalization", "needs a length_penalty above 0, found 0");
  if (search.nbest > search.beam && !search.sampling)
    fields.wrong("nbest", fmt::format("needs a beam of {} or more", search.nbest));
  if (search.coverage_penalty > 0 && !model.text->has_source_weights)
    fields.wrong("coverage_penalty", "needs attention weights, which the model does not have");
  return search;
}

MarkupFormat read_markup(JsonFields& fields) {
  const std::string name = fields.text("markup").value_or("");
  const MarkupFormat format = markup_format_of(name);
  if (format == MarkupFormat::kNone && !name.empty())
    fields.wrong("markup", fmt::format("found {}, expected html or xml", shown(Json(name))));
  return format;
}

void check_source_weights(JsonFields& fields, const TranslateRequest& request) {
  if (request.how.has_markup() && !can_split(*request.model->text))
    fields.wrong("markup", "needs a model with one text as its input");
  if (request.model->text->has_source_weights) return;
  for (const auto& [name, is_wanted] : {std::pair{"alignments", request.how.alignment},
                                        std::pair{"replace_unknown", request.how.replace_unknown},
                                        std::pair{"markup", request.how.has_markup()}}) {
    if (is_wanted) fields.wrong(name, "needs attention weights, which the model does not have");
  }
}

void check_constraints(JsonFields& fields, const TranslateRequest& request) {
  if (!request.phrases->phrases.empty() &&
      (request.how.search.sampling || request.how.search.diversity_groups > 1))
    fields.wrong("constraints", "need plain beam search, without sample and diversity_groups");
}

}  // namespace

TranslateRequest read_translate_request(const std::string& body, const OfferedModels& models,
                                        const ServeLimits& limits) {
  const Json json = parse_object(body, limits);
  JsonFields fields(json);
  const OfferedModel& model = model_of(fields, models);
  TranslateRequest request{.model = &model,
                           .text = read_direction(fields, *model.text),
                           .lines = {},
                           .prefixes = {},
                           .phrases = {},
                           .how = {}};
  request.how.split = read_split(fields, *model.text);
  request.lines = read_lines(fields, *model.text, limits, request.how.split);
  read_constraints(fields, limits, request);
  request.stream = fields.boolean("stream").value_or(false);
  request.how.alignment = fields.boolean("alignments").value_or(false);
  request.how.attention = fields.boolean("attention").value_or(false);
  request.how.replace_unknown = fields.boolean("replace_unknown").value_or(false);
  request.how.markup.format = read_markup(fields);
  request.how.joins = model.joins;
  request.how.longest_target = limits.tokens;
  request.how.search = read_search(fields, model, limits);
  check_source_weights(fields, request);
  check_constraints(fields, request);
  if (!fields.problems().empty()) refuse(fields.problems());
  return request;
}

AttentionRequest read_attention_request(const std::string& body, const OfferedModels& models,
                                        const ServeLimits& limits) {
  const Json json = parse_object(body, limits);
  JsonFields fields(json);
  const OfferedModel& model = model_of(fields, models);
  SourceTexts texts(*model.text, limits, fields, false);
  const Json* text = fields.any("text");
  if (text == nullptr) fields.wrong("text", "missing");
  AttentionRequest request{.model = &model, .line = {}, .target = ""};
  if (text != nullptr) request.line = texts.read("text", *text);
  request.target = fields.text("target").value_or("");
  check_texts("target", {request.target}, limits, fields);
  for (std::string& part : request.line) part = replace_malformed(part);
  request.target = replace_malformed(request.target);
  for (const std::string& other : fields.others())
    fields.wrong(other, "is not a field of a request for attention maps");
  if (!fields.problems().empty()) refuse(fields.problems());
  return request;
}

}  // namespace heed
