#include "serve/deepl_api.h"

#include <algorithm>
#include <ctime>

#include "base/language_code.h"
#include "base/line_separators.h"
#include "markup/character_references.h"
#include "serve/client_fields.h"
#include "serve/pair_translation.h"
#include "translate/translation_json.h"

namespace heed {

namespace {

constexpr const char* kGlossaries = "/v2/glossaries";

std::string upper_code(std::string code) {
  std::ranges::transform(code, code.begin(), [](unsigned char c) { return std::toupper(c); });
  return code;
}

// Settings of a request that no model of heed has. They change the translation, so they are not left
// aside in silence.
const std::vector<std::string>& refused_fields() {
  static const std::vector<std::string> names = {"style_id", "custom_instructions",
                                                 "translation_memory_id"};
  return names;
}

struct DeeplRequest {
  std::vector<std::string> texts, sources;  // sources: the language of each text
  std::vector<int64_t> characters;          // of each text
  std::vector<bool> are_guesses;            // true: no language was found in the text
  std::string target;
  PairOptions options;
  bool shows_characters = false;
  std::optional<std::string> model_type{};
  Json warnings = Json::array();
  std::vector<std::string> between{};  // language_between() of each text
};

class DeeplReply final : public TranslateReply {
 public:
  DeeplReply(DeeplRequest wanted, ReplyTo to)
      : TranslateReply(wanted.texts.size(), std::move(to)),
        wanted_(std::move(wanted)),
        translations_(wanted_.texts.size()) {}

  bool add(size_t line, const TranslatedLine& translation) override {
    Json& own = translations_[line];
    own = {{"detected_source_language", upper_code(wanted_.sources[line])},
           {"text", translation.text()}};
    if (wanted_.shows_characters) own["billed_characters"] = wanted_.characters[line];
    if (wanted_.model_type) own["model_type_used"] = *wanted_.model_type;
    if (!wanted_.between[line].empty()) own["pivot_language"] = upper_code(wanted_.between[line]);
    Json warnings = wanted_.warnings;
    if (wanted_.are_guesses[line])
      warnings.push_back({{"kind", "source_language"},
                          {"message", "no language was found in the text; give source_lang"}});
    for (const Json& warning : warnings_json(translation.warnings)) warnings.push_back(warning);
    if (!warnings.empty()) own["warnings"] = std::move(warnings);
    constexpr int64_t kCopies = 2;  // JSON, and its text
    return to_.http->reserve(kCopies * std::ssize(translation.text()));
  }
  void finish() override {
    to_.http->send(static_cast<int>(HttpStatus::kOk), kJsonType,
                   json_text({{"translations", std::move(translations_)}}) + "\n");
  }

 private:
  const DeeplRequest wanted_;
  std::vector<Json> translations_;
};

// The code of a language that the server has; a problem if it has not.
std::string read_language(JsonFields& fields, const char* name,
                          const std::vector<std::string>& known) {
  const auto value = fields.text(name);
  if (!value) return "";
  const std::string code = language_code(*value);
  if (std::ranges::find(known, code) != known.end()) return code;
  std::vector<std::string> codes;
  for (const std::string& one : known) codes.push_back(upper_code(one));
  fields.wrong(name, fmt::format("value {} is not supported, expected one of {}",
                                 shown(Json(*value)), fmt::join(codes, ", ")));
  return "";
}

// split_sentences: "0", "1" or "nonewlines"; numbers and truth values in JSON.
void read_splitting(JsonFields& fields, DeeplRequest& wanted) {
  const Json* value = fields.any("split_sentences");
  if (value == nullptr) return;
  if (*value == "nonewlines") {
    for (std::string& text : wanted.texts) text = on_one_line(std::move(text));
    return;
  }
  if (const auto splits = boolean_in(fields, "split_sentences")) wanted.options.split = *splits;
}

void read_choice(JsonFields& fields, const char* name, const std::vector<std::string>& known) {
  const auto value = fields.text(name);
  if (value && std::ranges::find(known, *value) == known.end())
    fields.wrong(name, fmt::format("found {}, expected one of {}", shown(Json(*value)),
                                   fmt::join(known, ", ")));
}

void read_formality(JsonFields& fields) {
  const auto value = fields.text("formality");
  if (value == "more" || value == "less")
    fields.wrong(
        "formality",
        "is not supported for the target_lang; expected default, prefer_more or prefer_less");
  else
    read_choice(fields, "formality", {"default", "prefer_more", "prefer_less"});
}

void read_model_type(JsonFields& fields, DeeplRequest& wanted) {
  constexpr const char* kQuality = "quality_optimized";
  constexpr const char* kLatency = "latency_optimized";
  read_choice(fields, "model_type", {kQuality, "prefer_quality_optimized", kLatency});
  const auto value = fields.text("model_type");
  if (value) wanted.model_type = *value == kLatency ? kLatency : kQuality;
}

void read_markup(JsonFields& fields, DeeplRequest& wanted) {
  read_choice(fields, "tag_handling", {"html", "xml"});
  wanted.options.markup = markup_format_of(fields.text("tag_handling").value_or(""));
}

void find_sources(const ApiCall& call, const std::string& source, DeeplRequest& wanted) {
  for (const std::string& text : wanted.texts) {
    const DetectedLanguage found =
        source.empty()
            ? source_of(call.models, visible_text(text, wanted.options.markup), wanted.target)
            : DetectedLanguage{.language = source, .share = 1};
    wanted.characters.push_back(characters_of(text));
    wanted.sources.push_back(found.language);
    wanted.are_guesses.push_back(found.share == 0);
    wanted.between.push_back(language_between(call.models, found.language, wanted.target));
  }
}

std::string read_source_language(const ApiCall& call, JsonFields& fields,
                                 const DeeplRequest& wanted) {
  std::vector<std::string> known = call.models.languages->sources();
  if (!wanted.target.empty()) known.push_back(wanted.target);
  std::string source = read_language(fields, "source_lang", known);
  if (!source.empty() && !wanted.target.empty() && source != wanted.target &&
      call.models.languages->path(source, wanted.target).empty())
    fields.wrong("target_lang", fmt::format("{} is not supported from source_lang {}",
                                            upper_code(wanted.target), upper_code(source)));
  return source;
}

void read_glossary(JsonFields& fields, const GlossaryStore& glossaries, const std::string& source,
                   DeeplRequest& wanted) {
  const auto id = fields.text("glossary_id");
  if (!id || !fields.problems().empty()) return;
  const StoredGlossary glossary = glossaries.find(*id);
  if (source != glossary.source || wanted.target != glossary.target)
    fields.wrong("glossary_id",
                 fmt::format("is a glossary from {} into {}; expected these as source_lang and "
                             "target_lang",
                             upper_code(glossary.source), upper_code(glossary.target)));
  wanted.options.glossary = glossary.terms;
}

DeeplRequest read_deepl_request(const ApiCall& call, const GlossaryStore& glossaries) {
  JsonFields fields(call.fields.get());
  DeeplRequest wanted;
  wanted.texts = texts_in(fields, "text");
  check_text_limits("text", wanted.texts, call.limits(), fields);
  if (!fields.has("target_lang")) fields.wrong("target_lang", "missing");
  wanted.target = read_language(fields, "target_lang", call.models.languages->targets());
  const std::string source = read_source_language(call, fields, wanted);
  read_splitting(fields, wanted);
  read_formality(fields);
  read_model_type(fields, wanted);
  read_markup(fields, wanted);
  wanted.shows_characters = boolean_in(fields, "show_billed_characters").value_or(false);
  boolean_in(fields, "preserve_formatting");  // the formatting is never changed
  for (const std::string& name : refused_fields())
    if (fields.has(name)) fields.wrong(name, "is not supported; leave it out");
  if (fields.has("glossary_ids")) fields.wrong("glossary_ids", "is not supported; use glossary_id");
  read_glossary(fields, glossaries, source, wanted);
  if (!fields.problems().empty()) refuse(fields.problems());
  wanted.warnings =
      ignored_fields(fields, {"context", "ignore_tags", "splitting_tags", "non_splitting_tags",
                              "outline_detection", "tag_handling_version"});
  find_sources(call, source, wanted);
  return wanted;
}

// The texts by their languages, in the order of the first of each.
std::vector<PairTexts> texts_by_language(const DeeplRequest& wanted) {
  std::vector<PairTexts> groups;
  for (size_t i = 0; i < wanted.texts.size(); ++i) {
    auto own = std::ranges::find(groups, wanted.sources[i], &PairTexts::source);
    if (own == groups.end())
      own = groups.insert(own, PairTexts{wanted.sources[i], wanted.target, {}, {}});
    own->numbers.push_back(i);
    own->texts.push_back(wanted.texts[i]);
  }
  return groups;
}

// DeepL has variants of some target languages, of which clients choose one.
std::vector<std::string> target_codes(const std::string& language) {
  if (language == "en") return {"EN-GB", "EN-US"};
  if (language == "pt") return {"PT-BR", "PT-PT"};
  return {upper_code(language)};
}

void send_languages(const ApiCall& call) {
  JsonFields fields(call.fields.get());
  read_choice(fields, "type", {"source", "target"});
  if (!fields.problems().empty()) refuse(fields.problems());
  Json list = Json::array();
  const LanguageGraph& languages = *call.models.languages;
  if (fields.text("type") != "target") {
    for (const std::string& code : languages.sources())
      list.push_back({{"language", upper_code(code)}, {"name", language_name(code)}});
  } else {
    for (const std::string& code : languages.targets())
      for (const std::string& variant : target_codes(code))
        list.push_back(
            {{"language", variant}, {"name", language_name(code)}, {"supports_formality", false}});
  }
  call.send_json(list);
}

// Pairs with a model of their own.
void send_glossary_pairs(const ApiCall& call) {
  Json list = Json::array();
  const LanguageGraph& languages = *call.models.languages;
  for (const std::string& source : languages.sources())
    for (const std::string& target : languages.targets_of(source))
      if (language_between(call.models, source, target).empty())
        list.push_back({{"source_lang", source}, {"target_lang", target}});
  call.send_json({{"supported_languages", list}});
}

std::string time_text(std::chrono::system_clock::time_point time) {
  const auto since = time.time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(since - seconds).count();
  const std::time_t whole = seconds.count();
  std::tm parts{};
  gmtime_r(&whole, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     rest);
}

Json glossary_json(const StoredGlossary& glossary) {
  return {{"glossary_id", glossary.id},
          {"name", glossary.name},
          {"ready", true},
          {"source_lang", glossary.source},
          {"target_lang", glossary.target},
          {"creation_time", time_text(glossary.created)},
          {"entry_count", glossary.terms->entries().size()},
          {"match", kGlossaryMatches[static_cast<size_t>(glossary.terms->match())]}};
}

// match: a field that DeepL does not have, "exact" or "stem"; by default what the server was started
// with.
GlossaryMatch read_match(const ApiCall& call, JsonFields& fields, const std::string& source) {
  read_choice(fields, "match", {kGlossaryMatches[0], kGlossaryMatches[1]});
  const auto given = fields.text("match");
  const bool has_stems = source.empty() || find_stems(source);
  if (!given) return has_stems ? call.options.glossary_match : GlossaryMatch::kExact;
  const GlossaryMatch match = glossary_match_of(*given);
  if (match == GlossaryMatch::kStem && !has_stems)
    fields.wrong("match",
                 fmt::format("there are no stems of {}; expected exact", upper_code(source)));
  return match;
}

// The part of a path behind /v2/glossaries/.
std::string glossary_id(const ApiCall& call) {
  const std::string rest = call.request.path.substr(std::string_view(kGlossaries).size() + 1);
  return rest.substr(0, rest.find('/'));
}

}  // namespace

DeeplApi::DeeplApi(ServedModels& models) : models_(models) {
  const std::string glossaries = kGlossaries, one = glossaries + "/*";
  routes_ = {
      {"/v2/translate", "POST", [this](const ApiCall& call) { translate(call); }},
      {"/v2/languages", "GET", send_languages},
      {"/v2/usage", "GET",
       [this](const ApiCall& call) {
         constexpr int64_t kUnlimited = 1'000'000'000'000;  // as DeepL says it
         call.send_json({{"character_count", characters_.load()}, {"character_limit", kUnlimited}});
       }},
      {"/v2/glossary-language-pairs", "GET", send_glossary_pairs},
      {glossaries, "POST", [this](const ApiCall& call) { add_glossary(call); }},
      {glossaries, "GET",
       [this](const ApiCall& call) {
         Json list = Json::array();
         for (const StoredGlossary& glossary : glossaries_.all())
           list.push_back(glossary_json(glossary));
         call.send_json({{"glossaries", list}});
       }},
      {one, "GET",
       [this](const ApiCall& call) {
         call.send_json(glossary_json(glossaries_.find(glossary_id(call))));
       }},
      {one, "DELETE",
       [this](const ApiCall& call) {
         glossaries_.remove(glossary_id(call));
         call.send("text/plain", "", HttpStatus::kNoContent);
       }},
      {one + "/entries", "GET",
       [this](const ApiCall& call) {
         call.send("text/tab-separated-values; charset=utf-8",
                   tsv_of(glossaries_.find(glossary_id(call)).terms->entries()));
       }},
  };
}

void DeeplApi::translate(const ApiCall& call) {
  DeeplRequest wanted = read_deepl_request(call, glossaries_);
  const PairOptions options = wanted.options;
  std::vector<PairTexts> texts = texts_by_language(wanted);
  int64_t characters = 0;
  for (const int64_t one : wanted.characters) characters += one;
  translate_pairs(call, models_, std::move(texts), options,
                  std::make_shared<DeeplReply>(std::move(wanted), call.to));
  characters_ += characters;
}

void DeeplApi::add_glossary(const ApiCall& call) {
  JsonFields fields(call.fields.get());
  StoredGlossary glossary;
  glossary.created = std::chrono::system_clock::now();
  for (const char* name : {"name", "source_lang", "target_lang", "entries", "entries_format"})
    if (!fields.has(name)) fields.wrong(name, "missing");
  glossary.name = fields.text("name").value_or("");
  glossary.source = read_language(fields, "source_lang", call.models.languages->sources());
  glossary.target = read_language(fields, "target_lang", call.models.languages->targets());
  const std::string entries = fields.text("entries").value_or("");
  read_choice(fields, "entries_format", {"tsv", "csv"});
  const GlossaryMatch match = read_match(call, fields, glossary.source);
  if (!fields.problems().empty()) refuse(fields.problems());
  const bool is_csv = fields.text("entries_format") == "csv";
  glossary.terms = std::make_shared<const ServedGlossary>(
      is_csv ? entries_of_csv(entries) : entries_of_tsv(entries), match,
      GlossaryLanguages{glossary.source, glossary.target});
  call.send_json(glossary_json(glossaries_.add(std::move(glossary))), HttpStatus::kCreated);
}

void DeeplApi::check_token(const ApiCall& call) const {
  if (has_token(call.options, bearer_token(call.request, "DeepL-Auth-Key"))) return;
  try {
    const Json key = call.fields.get().value("auth_key", Json());
    if (key.is_string() && has_token(call.options, key.get<std::string>())) return;
  } catch (const HttpError&) {
    // A body that nobody can read has no key.
  }
  throw HttpError(HttpStatus::kForbidden,
                  "expected the header Authorization: DeepL-Auth-Key KEY, with a token of this "
                  "server");
}

}  // namespace heed
